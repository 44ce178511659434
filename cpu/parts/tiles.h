// SPDX-License-Identifier: MIT
/* A matrix of cells divided into tiles for min-plus products. Operands are packed in panels
 * (min_plus.h) of a depth of at most MIN_PLUS_BLOCK. Left panels are numbered from the top, right
 * panels from the left. */
#ifndef CPU_PARTS_TILES_H
#define CPU_PARTS_TILES_H

#include "cpu/parts/min_plus.h" // struct min_plus

#include <string.h>

/* Bytes for MIN_PLUS_BLOCK x MIN_PLUS_BLOCK cells of 16 or 32 bits, packed or not. */
enum { TILES_SQUARE = MIN_PLUS_BLOCK * MIN_PLUS_BLOCK * sizeof(int32_t) };

struct tiles {
    const struct min_plus *kernel;
    char *cells; /* rows x columns, row-major */
    size_t ld;   /* leading dimension of `cells`, in cells */
    int32_t rows, columns;
};

static inline int tiles_least(int a, int b) {
    return a < b ? a : b;
}

/* Returns into how many parts of size `part` a whole is divided; the last part may be smaller. */
static inline int32_t tiles_parts(int32_t whole, int part) {
    return whole / part + (whole % part != 0);
}

static inline size_t tiles_bytes(const struct tiles *t, size_t cells) {
    return cells * t->kernel->cell_size;
}

static inline char *tiles_cell(const struct tiles *t, int32_t i, int32_t j) {
    return t->cells + tiles_bytes(t, (size_t)i * t->ld + (size_t)j);
}

/* Panel `number` of a packed left operand. In memory every panel has room for a depth of
 * MIN_PLUS_BLOCK. */
static inline char *tiles_left(const struct tiles *t, char *packed, int32_t number) {
    return packed + (size_t)number * (size_t)t->kernel->rows * MIN_PLUS_BLOCK * sizeof(int32_t);
}

/* Panel `number` of a packed right operand. */
static inline char *tiles_right(const struct tiles *t, char *packed, int32_t number) {
    return packed + tiles_bytes(t, (size_t)number * (size_t)t->kernel->width * MIN_PLUS_BLOCK);
}

/* Copies rows x columns cells from (i, j) on, without gaps; cells outside the matrix become "no
 * path". */
static inline void tiles_load(const struct tiles *t, int32_t i, int32_t j, int rows, int columns,
                              char *to) {
    const size_t pitch = tiles_bytes(t, (size_t)columns);
    const int inside_rows = tiles_least(rows, t->rows - i);
    const int inside_columns = tiles_least(columns, t->columns - j);
    if (inside_rows < rows || inside_columns < columns)
        t->kernel->clear(to, (size_t)rows * (size_t)columns);
    for (int r = 0; r < inside_rows; r++)
        memcpy(to + (size_t)r * pitch, tiles_cell(t, i + r, j),
               tiles_bytes(t, (size_t)inside_columns));
}

/* Copies rows x columns cells without gaps to the matrix from (i, j) on, as far as they are
 * inside. */
static inline void tiles_store(const struct tiles *t, int32_t i, int32_t j, int rows, int columns,
                               const char *from) {
    const size_t pitch = tiles_bytes(t, (size_t)columns);
    const int inside_rows = tiles_least(rows, t->rows - i);
    const int inside_columns = tiles_least(columns, t->columns - j);
    for (int r = 0; r < inside_rows; r++)
        memcpy(tiles_cell(t, i + r, j), from + (size_t)r * pitch,
               tiles_bytes(t, (size_t)inside_columns));
}

/* Updates the tile of left panel s and right panel p by the product of these panels. scratch has
 * room for a tile, which is used at the border. Memory at `next` is prefetched (multiply in
 * min_plus.h). */
static inline void tiles_multiply(const struct tiles *t, const char *left, const char *right,
                                  int depth, int32_t s, int32_t p, char *scratch,
                                  const char *next) {
    const struct min_plus *const kernel = t->kernel;
    const int32_t i = s * kernel->rows, j = p * kernel->width;
    if (i + kernel->rows <= t->rows && j + kernel->width <= t->columns) {
        kernel->multiply(left, right, depth, tiles_cell(t, i, j), t->ld, next);
        return;
    }
    tiles_load(t, i, j, kernel->rows, kernel->width, scratch);
    kernel->multiply(left, right, depth, scratch, (size_t)kernel->width, next);
    tiles_store(t, i, j, kernel->rows, kernel->width, scratch);
}

#endif
