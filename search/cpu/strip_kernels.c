// SPDX-License-Identifier: MIT
/* The kernels of strip.h for one instruction set (isa.h). */
#include "search/cpu/strip.h"

#include "common/base/vector.h"   // vector_i32, vector_u16, UNROLLED
#include "common/graph/graph.h"   // INF
#include "solve/lane_transpose.h" // write_line_u16, write_line_i32

enum { VECTORS = STRIP_BYTES / VECTOR_BYTES };

/* Number of edges relaxed between two checks of how large a vertex's labels still are. */
enum { EDGES_AT_A_TIME = 32 };

/* If rows are long, the first sweeps relax only the lightest edges: they make labels small
 * enough for later sweeps to leave a row early. */
enum { LIGHT_EDGES = 16, LIGHT_SWEEPS = 2 };

/* Rows longer than this can be left early, so it is worth tracking how large labels are. */
enum { LONG_ROW = 8 };

/* Number of vertices ahead of the current one whose edges are prefetched. */
enum { VERTICES_AHEAD = 4 };

#define CELL          uint16_t
#define VECTOR        vector_u16
#define OF_CELL(name) name##_u16
#define NONE          NARROW_NONE
#include "search/cpu/strip_width.h"
#undef CELL
#undef VECTOR
#undef OF_CELL
#undef NONE

#define CELL          int32_t
#define VECTOR        vector_i32
#define OF_CELL(name) name##_i32
#define NONE          (-1)
#include "search/cpu/strip_width.h"

const struct strip_kernels ISA_SYMBOL(strip_kernels) = {&kernel_u16, &kernel_i32};
