// SPDX-License-Identifier: MIT
/* Constants of the kernels that the table of variants and the models repeat, for both to include.
 */
#ifndef CUDA_BLOCKED_PARTS_TILE_CONSTANTS_H
#define CUDA_BLOCKED_PARTS_TILE_CONSTANTS_H

/* Sides of tiles. */
enum {
    SMALL_TILE = 32, /* of the reports' variants; one to a block of the thesis's at the most */
    MIDDLE_TILE = 64,
    LARGE_TILE = 128,
};

/* How a matrix on several GPUs keeps its cells, the shortest first, as the variants tensor, dpx16
 * and dpx32 do on one. The first two lose distances that are too long. */
enum spread_cells { SPREAD_EXPONENTS, SPREAD_INT16, SPREAD_INT32, SPREAD_NONE };

/* The greatest distances that are exact. */
enum {
    WORD16_LONGEST = 0x7ffe, /* with two cells to a word */
    EXPONENT_LONGEST = 26,   /* as exponents */
};

/* Threads, registers and shared memory that a block of these variants needs. */
enum {
    DPX32_SHARED_KIB = 65, /* shared memory, rounded up */
    DPX16_SHARED_KIB = 66,
    TENSOR_SHARED_KIB = 113,
    TENSOR_CAPABILITY = 8, /* mma with bfloat16 */
};

/* `resident` has a block for every tile, all of them at the same time: with 32-bit cells so many on
 * a multiprocessor. */
enum {
    RESIDENT_TILE = 64,
    RESIDENT_BLOCKS = 3,
};

/* Short cells are tried if the distances of a few sources, or an estimate, are up to this share of
 * the longest that is exact: they are shorter than the longest of all. */
#define PROBE_MARGIN 0.75

#endif
