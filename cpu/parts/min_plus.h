// SPDX-License-Identifier: MIT
/* Min-plus products of packed operands, C = min(C, A (x) B): the inner loop of blocked
 * Floyd-Warshall, distances only. One tile of C is in registers.
 *
 * The left operand is packed in panels of `rows` rows, column by column, the right one in panels of
 * `width` columns, row by row, so that a product reads both from end to end. A cell of the left
 * operand takes a 32-bit word; a word holds a 16-bit cell twice, because a load spreads words over
 * a vector, but not halves of words.
 *
 * Cells are int32, in which INF (graph.h) means no path, or uint16, in which INF16 does. In either
 * type no sum of two cells overflows, and no sum with "no path" is below it. */
#ifndef CPU_PARTS_MIN_PLUS_H
#define CPU_PARTS_MIN_PLUS_H

#include "common/base/isa.h" // ISA_KERNELS, enum isa

#include <stddef.h>
#include <stdint.h>

/* INF16 is half of the range, as INF is, so that plain additions do not overflow. Saturating
 * additions take twice as long on CPUs that have one 512-bit unit for saturating addition and
 * minimum. */
#define INF16 INT16_MAX

enum {
    MIN_PLUS_BLOCK = 96, /* depth of most products; a multiple of the sides of every tile */
    MIN_PLUS_GROUP = 24, /* a multiple of the rows of every tile, and a divisor of the block */
};

/* Kernels for one type of cells: cell_size tells whether it is int32_t or uint16_t. Leading
 * dimensions are in cells. */
struct min_plus {
    size_t cell_size;
    int rows, width; /* rows and columns of a tile */

    /* Word k * rows + r of packed = cells[r * ld + k] for k < depth, r < rows. */
    void (*pack_left)(const void *cells, size_t ld, int depth, void *packed);

    /* tile[r * ld + c] = min(tile[r * ld + c], left[k * rows + r] + right[k * width + c] for all
     * k < depth). Operands are packed and 64-byte aligned. Also prefetches as many bytes from
     * `next` on as a tile has. */
    void (*multiply)(const void *left, const void *right, int depth, void *tile, size_t ld,
                     const void *next);

    /* Floyd-Warshall through the first `size` vertices of MIN_PLUS_BLOCK x MIN_PLUS_BLOCK cells,
     * stored without gaps and 64-byte aligned. */
    void (*close)(void *block, int size);

    /* cells[0 .. count - 1] = no path. */
    void (*clear)(void *cells, size_t count);

    /* to[0 .. count - 1] = the cells as distances, INF if there is no path. Returns the maximum of
     * `largest` and all distances that are not INF. */
    int32_t (*widen)(const void *cells, size_t count, int32_t *to, int32_t largest);
};

struct min_plus_kernels {
    const struct min_plus *narrow, *wide; /* narrow: for uint16_t; wide: for int32_t */
};

ISA_KERNELS(min_plus_kernels);

#endif
