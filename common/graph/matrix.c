// SPDX-License-Identifier: MIT
#include "common/graph/matrix.h"

#include "common/base/memory.h" // memory_alloc, memory_free

enum status matrix_alloc_typed(struct matrix *m, enum number_type type, int32_t rows, int32_t n,
                               const char *what, struct error *err) {
    *m = (struct matrix){.n = n, .rows = rows, .ld = matrix_leading(n), .type = type};
    return memory_alloc(&m->cells, (size_t)rows * m->ld, number_size(type), what, err);
}

enum status matrix_alloc_rows(struct matrix *m, int32_t rows, int32_t n, const char *what,
                              struct error *err) {
    return matrix_alloc_typed(m, NUMBER_INT32, rows, n, what, err);
}

enum status matrix_alloc(struct matrix *m, int32_t n, const char *what, struct error *err) {
    return matrix_alloc_rows(m, n, n, what, err);
}

uint64_t matrix_memory_typed(enum number_type type, int64_t rows, int64_t n) {
    return memory_times(memory_times((uint64_t)rows, matrix_leading(n)), number_size(type));
}

uint64_t matrix_memory_of_rows(int64_t rows, int64_t n) {
    return matrix_memory_typed(NUMBER_INT32, rows, n);
}

uint64_t matrix_memory_of_answer(enum number_type type, int64_t rows, int64_t n, bool with_pred) {
    return memory_add(matrix_memory_typed(type, rows, n),
                      with_pred ? matrix_memory_of_rows(rows, n) : 0);
}

uint64_t matrix_memory(int64_t n, int matrices) {
    return memory_times(matrix_memory_of_rows(n, n), (uint64_t)matrices);
}

void matrix_free(struct matrix *m) {
    memory_free(m->cells);
    *m = (struct matrix){0};
}
