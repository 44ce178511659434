// SPDX-License-Identifier: MIT
/* The kernels of predecessors_kernels.h for one instruction set (isa.h). */
#include "cpu/parts/predecessors_kernels.h"

#include "common/base/vector.h"   // vector_i32, vector_u16
#include "common/graph/graph.h"   // INF
#include "solve/lane_transpose.h" // read_square_u16, write_line_u16 and the like

enum { VECTORS = STRIP_BYTES / VECTOR_BYTES };
#define LANES   ((int)(VECTOR_BYTES / sizeof(CELL)))
#define SOURCES ((int)(STRIP_BYTES / sizeof(CELL)))

#define CELL          uint16_t
#define VECTOR        vector_u16
#define NO_PATH       INT16_MAX
#define NONE          UINT16_MAX
#define OF_CELL(name) name##_u16
#include "cpu/parts/predecessors_width.h"
#undef CELL
#undef VECTOR
#undef NO_PATH
#undef NONE
#undef OF_CELL

#define CELL          int32_t
#define VECTOR        vector_i32
#define NO_PATH       INF
#define NONE          INT32_MAX
#define OF_CELL(name) name##_i32
#include "cpu/parts/predecessors_width.h"

const struct predecessors_kernels ISA_SYMBOL(predecessors_kernels) = {&width_u16, &width_i32};
