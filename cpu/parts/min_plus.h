// SPDX-License-Identifier: MIT
/* Min-plus products of packed operands, C = min(C, A (x) B), of which blocked Floyd-Warshall
 * consists: one tile of C in registers, distances only.
 *
 * The left operand is packed by panels of `rows` rows, column by column, each cell in a 32-bit word
 * (twice where it has 16 bits: words are spread over a vector by the load itself, halves of words
 * are not); the right one by panels of `width` columns, row by row; so both are read from end to
 * end. Cells are int32, where INF
 * (graph.h) means no path, or uint16, where INF16 does; in either no sum of two overflows, and none
 * with "no path" is below it. */
#ifndef CPU_PARTS_MIN_PLUS_H
#define CPU_PARTS_MIN_PLUS_H

#include "common/base/isa.h" // ISA_KERNELS, enum isa

#include <stddef.h>
#include <stdint.h>

/* Half of the range, as INF is: plain additions are twice as fast as saturating ones on CPUs that
 * have one 512-bit unit for both saturating addition and minimum. */
#define INF16 INT16_MAX

enum {
    MIN_PLUS_BLOCK = 96, /* depth of most products; every tile's sides divide it */
    MIN_PLUS_GROUP = 24, /* every tile's number of rows divides it, and it divides the block */
};

/* Cells are of type int32_t or uint16_t, as cell_size says; leading dimensions are in cells. */
struct min_plus {
    size_t cell_size;
    int rows, width; /* of a tile */

    /* Word k * rows + r of packed = cells[r * ld + k] for k < depth, r < rows. */
    void (*pack_left)(const void *cells, size_t ld, int depth, void *packed);

    /* tile[r * ld + c] = min(itself, left[k * rows + r] + right[k * width + c] for all k < depth).
     * Operands are packed and 64-byte aligned. Meanwhile as many bytes from `next` on as a tile has
     * come to the first-level cache. */
    void (*multiply)(const void *left, const void *right, int depth, void *tile, size_t ld,
                     const void *next);

    /* Floyd-Warshall on MIN_PLUS_BLOCK x MIN_PLUS_BLOCK cells, stored without gaps, 64-byte
     * aligned, through the first `size` of its vertices. */
    void (*close)(void *block, int size);

    /* cells[0 .. count - 1] = no path. */
    void (*clear)(void *cells, size_t count);

    /* to[0 .. count - 1] = the cells as distances, INF where there is no path. Returns the larger
     * of `largest` and the largest that is not INF. */
    int32_t (*widen)(const void *cells, size_t count, int32_t *to, int32_t largest);
};

struct min_plus_kernels {
    const struct min_plus *narrow, *wide; /* of uint16_t, of int32_t */
};

ISA_KERNELS(min_plus_kernels);

#endif
