// SPDX-License-Identifier: MIT
/* Matrices: distances of any type, and predecessors, which are int32. */
#ifndef COMMON_GRAPH_MATRIX_H
#define COMMON_GRAPH_MATRIX_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/number.h" // enum number_type

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A matrix of rows x n cells, row by row; row i starts at cell + i * ld, 64-byte aligned. The cells
 * between n and ld are padding, which may hold anything. */
struct matrix {
    int32_t n; /* number of columns */
    int32_t rows;
    size_t ld;
    enum number_type type;
    union {
        void *cells;
        int32_t *cell; /* cells, in the member for the type */
        float *cell_f32;
        double *cell_f64;
    };
};

/* Returns the number of cells from one row to the next: whole cache lines, whatever the type. */
static inline size_t matrix_leading(int64_t n) {
    const size_t per_line = 64 / sizeof(int32_t);
    return ((size_t)n + per_line - 1) / per_line * per_line;
}

/* Allocates n x n or rows x n int32 cells without initialising them. The caller frees with
 * matrix_free.
 */
enum status matrix_alloc(struct matrix *m, int32_t n, const char *what, struct error *err);
enum status matrix_alloc_rows(struct matrix *m, int32_t rows, int32_t n, const char *what,
                              struct error *err);

/* Allocates a matrix of cells of any type, as matrix_alloc does. */
enum status matrix_alloc_typed(struct matrix *m, enum number_type type, int32_t rows, int32_t n,
                               const char *what, struct error *err);

/* Return the bytes of `matrices` n x n matrices, or of one rows x n matrix, of int32; UINT64_MAX if
 * the number overflows. */
uint64_t matrix_memory(int64_t n, int matrices);
uint64_t matrix_memory_of_rows(int64_t rows, int64_t n);
uint64_t matrix_memory_typed(enum number_type type, int64_t rows, int64_t n);

/* Returns the bytes of the matrices of an answer: distances of a type and, if with_pred,
 * predecessors. */
uint64_t matrix_memory_of_answer(enum number_type type, int64_t rows, int64_t n, bool with_pred);

/* Safe on a zeroed struct; leaves it zeroed. */
void matrix_free(struct matrix *m);

/* Returns row i of a matrix of any type. */
static inline void *matrix_row_cells(const struct matrix *m, int32_t i) {
    return (char *)m->cells + (size_t)i * m->ld * number_size(m->type);
}

static inline int32_t *matrix_row(const struct matrix *m, int32_t i) {
    return m->cell + (size_t)i * m->ld;
}

#endif
