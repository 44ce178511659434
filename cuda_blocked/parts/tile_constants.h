// SPDX-License-Identifier: MIT
/* Constants that kernels share with the table of variants and the models. */
#ifndef CUDA_BLOCKED_PARTS_TILE_CONSTANTS_H
#define CUDA_BLOCKED_PARTS_TILE_CONSTANTS_H

/* Sides of tiles, in cells. */
enum {
    SMALL_TILE = 32, /* tiles of the reports' variants; the largest tile of `thesis` */
    MIDDLE_TILE = 64,
    LARGE_TILE = 128,
};

/* How a matrix on several GPUs keeps its cells, the shortest first, as the variants tensor, dpx16
 * and dpx32 do on one. The first two lose distances that are too long. */
enum spread_cells { SPREAD_EXPONENTS, SPREAD_INT16, SPREAD_INT32, SPREAD_NONE };

/* The greatest distances that are exact in cells of each kind. */
enum {
    WORD16_LONGEST = 0x7ffe, /* cells of 16 bits, two in a word */
    EXPONENT_LONGEST = 26,   /* cells that are exponents */
};

/* Needs of the variants dpx32, dpx16 and tensor: shared memory of a block in KiB, rounded up, and
 * compute capability. */
enum {
    DPX32_SHARED_KIB = 65,
    DPX16_SHARED_KIB = 66,
    TENSOR_SHARED_KIB = 113,
    TENSOR_CAPABILITY = 8, /* major compute capability that has mma with bfloat16 */
};

/* `resident` has a running block for every tile at the same time: RESIDENT_BLOCKS on a
 * multiprocessor with 32-bit cells. */
enum {
    RESIDENT_TILE = 64,
    RESIDENT_BLOCKS = 3,
};

/* Short cells are tried if the distances of a few sources, or an estimate, are up to this share of
 * the longest exact distance. It is below 1 because other sources may have longer distances. */
#define PROBE_MARGIN 0.75

#endif
