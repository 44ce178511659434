// SPDX-License-Identifier: MIT
#include "common/graph/matrix.h"

#include "common/base/memory.h" // memory_alloc, memory_free

enum status matrix_alloc(struct matrix *m, int32_t n, const char *what, struct error *err) {
    m->n = n;
    m->ld = matrix_leading(n);
    void *cells;
    enum status status = memory_alloc(&cells, (size_t)n * m->ld, sizeof(int32_t), what, err);
    m->cell = cells;
    return status;
}

uint64_t matrix_memory(int64_t n, int matrices) {
    return memory_times(memory_times((uint64_t)n, matrix_leading(n)),
                        (uint64_t)matrices * sizeof(int32_t));
}

void matrix_free(struct matrix *m) {
    memory_free(m->cell);
    *m = (struct matrix){0};
}
