// SPDX-License-Identifier: MIT
/* Square int32 matrices: distances and predecessors. */
#ifndef COMMON_GRAPH_MATRIX_H
#define COMMON_GRAPH_MATRIX_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

/* n x n, row-major; row i starts at cell + i * ld, 64-byte aligned. The cells between n and ld are
 * padding, which may hold anything. */
struct matrix {
    int32_t n;
    size_t ld;
    int32_t *cell;
};

/* Cells from one row to the next: whole cache lines. */
static inline size_t matrix_leading(int64_t n) {
    const size_t per_line = 64 / sizeof(int32_t);
    return ((size_t)n + per_line - 1) / per_line * per_line;
}

/* Allocates an n x n matrix without initialising it; messages call it `what`. STATUS_NO_RESOURCE if
 * there is no memory. The caller frees it with matrix_free. */
enum status matrix_alloc(struct matrix *m, int32_t n, const char *what, struct error *err);

/* Bytes of so many n x n matrices; UINT64_MAX if the result overflows. */
uint64_t matrix_memory(int64_t n, int matrices);

/* Safe on a zeroed struct; leaves it zeroed. */
void matrix_free(struct matrix *m);

static inline int32_t *matrix_row(const struct matrix *m, int32_t i) {
    return m->cell + (size_t)i * m->ld;
}

#endif
