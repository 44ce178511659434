// SPDX-License-Identifier: MIT
/* The kernels of min_plus.h for one instruction set (isa.h).
 *
 * A tile has as many cells as the registers hold. With 32 registers it has 8 x 3 vectors, and one
 * step loads 3 vectors and 8 cells to relax 24 vectors; with 16 it has 6 x 2, or 4 x 2 if a minimum
 * needs registers of its own. */
#include "cpu/parts/min_plus.h"

#include "common/base/vector.h" // vector_i32, vector_u16
#include "common/graph/graph.h" // INF

#if defined(__AVX512BW__)
enum { ROWS = 8, VECTORS = 3 };
#elif defined(__AVX2__)
enum { ROWS = 6, VECTORS = 2 };
#else
enum { ROWS = 4, VECTORS = 2 };
#endif
#define LANES ((int)(VECTOR_BYTES / sizeof(CELL)))
#define WIDTH (VECTORS * LANES)

#define CELL          uint16_t
#define VECTOR        vector_u16
#define NO_PATH       INF16
#define CELLS_OF_WORD 0x10001
#define OF_CELL(name) name##_u16
#include "cpu/parts/min_plus_width.h"
#undef CELL
#undef VECTOR
#undef NO_PATH
#undef CELLS_OF_WORD
#undef OF_CELL

#define CELL          int32_t
#define VECTOR        vector_i32
#define NO_PATH       INF
#define CELLS_OF_WORD 1
#define OF_CELL(name) name##_i32
#include "cpu/parts/min_plus_width.h"

const struct min_plus_kernels ISA_SYMBOL(min_plus_kernels) = {&kernel_u16, &kernel_i32};
