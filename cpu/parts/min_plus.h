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

/* INF16 is half of the range, as INF is, so that plain additions do. Saturating ones take twice as
 * long on CPUs that have one 512-bit unit for saturating addition and minimum. */
#define INF16 INT16_MAX

enum {
    MIN_PLUS_BLOCK = 96, /* the depth of most products; the sides of every tile divide it */
    MIN_PLUS_GROUP = 24, /* the rows of every tile divide it, and it divides the block */
};

/* cell_size tells whether cells are int32_t or uint16_t; leading dimensions are in cells. */
struct min_plus {
    size_t cell_size;
    int rows, width; /* of a tile */

    /* Word k * rows + r of packed = cells[r * ld + k] for k < depth, r < rows. */
    void (*pack_left)(const void *cells, size_t ld, int depth, void *packed);

    /* tile[r * ld + c] = min(itself, left[k * rows + r] + right[k * width + c] for all k < depth).
     * Operands are packed and 64-byte aligned. Also prefetches as many bytes from `next` on as a
     * tile has. */
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
    const struct min_plus *narrow, *wide; /* of uint16_t, of int32_t */
};

ISA_KERNELS(min_plus_kernels);

#endif
