// SPDX-License-Identifier: MIT
/* The kernels of real_strip.h for one instruction set (isa.h). */
#include "common/base/vector.h" // vector_f32, vector_f64, UNROLLED
#include "common/solve/real_strip.h"

#include <math.h>
#include <string.h>

enum { VECTORS = REAL_STRIP_BYTES / VECTOR_BYTES };

/* How many edges are relaxed between two checks how large a vertex's labels still are. */
enum { EDGES_AT_A_TIME = 32 };

/* Longer rows can be left early, so it is worth knowing how large labels are. */
enum { LONG_ROW = 8 };

/* If rows are long, the first sweeps relax only the lightest edges: they make labels small enough
 * for later sweeps to leave a row early. */
enum { LIGHT_EDGES = 16, LIGHT_SWEEPS = 2 };

/* So many edges are looked at without a branch. */
enum { EDGES_OF_A_MASK = 4 };

/* What a vertex costs, in edges. */
enum { UNITS_PER_VERTEX = 4 };

#define CELL          float
#define VECTOR        vector_f32
#define INTEGER       int32_t
#define INTEGERS      vector_i32
#define OF_CELL(name) name##_f32
#include "common/solve/real_width.h"
#undef CELL
#undef VECTOR
#undef INTEGER
#undef INTEGERS
#undef OF_CELL

#define CELL          double
#define VECTOR        vector_f64
#define INTEGER       int64_t
#define INTEGERS      vector_i64
#define OF_CELL(name) name##_f64
#include "common/solve/real_width.h"

const struct real_kernels ISA_SYMBOL(real_kernels) = {&kernel_f32, &kernel_f64};
