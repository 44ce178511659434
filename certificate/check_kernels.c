// SPDX-License-Identifier: MIT
/* The kernels of check_kernels.h for one instruction set (isa.h). */
#include "certificate/check_kernels.h"

#include "common/base/vector.h" // vector_i32, vector_f32, vector_f64

#include <math.h>
#include <string.h>

enum { LANES = CHECK_LANES };

#define CELL                int32_t
#define VECTOR              vector_i32
#define WEIGHTS             weight
#define NO_PATH             INF
#define UNREACHED           UNREACHABLE
/* Unsigned, because lanes that are unreachable may wrap round. */
#define ADD(a, b)           ((int32_t)((uint32_t)(a) + (uint32_t)(b)))
#define IS_SHORTER(sum, to) ((to) > (sum))
#define IS_LIGHT(weight)    is_light(weight)
#define IS_NEGATIVE_ZERO(d) 0
#define OF(name)            name##_i32
#include "certificate/check_kernels_type.h"

/* Sums of real numbers may overflow to infinity: then the distance is beyond the type, which is not
 * "no path". */
#define CELL                float
#define VECTOR              vector_f32
#define WEIGHTS             real_weight
#define NO_PATH             INFINITY
#define UNREACHED           INFINITY
#define ADD(a, b)           ((a) + (b))
#define IS_SHORTER(sum, to) (((to) > (sum)) | ((to) == INFINITY))
#define IS_LIGHT(weight)    true
#define IS_NEGATIVE_ZERO(d) (((d) == 0) & (copysignf(1, d) < 0))
#define OF(name)            name##_f32
#include "certificate/check_kernels_type.h"

#define CELL                double
#define VECTOR              vector_f64
#define WEIGHTS             real_weight
#define NO_PATH             ((double)INFINITY)
#define UNREACHED           ((double)INFINITY)
#define ADD(a, b)           ((a) + (b))
#define IS_SHORTER(sum, to) (((to) > (sum)) | ((to) == (double)INFINITY))
#define IS_LIGHT(weight)    true
#define IS_NEGATIVE_ZERO(d) (((d) == 0) & (copysign(1, d) < 0))
#define OF(name)            name##_f64
#include "certificate/check_kernels_type.h"

#define FUNCTIONS(type)                                                                            \
    {                                                                                              \
        .row_is_sound = row_is_sound_##type, .check_plain_edges = check_plain_edges_##type,        \
        .check_light_edges = check_light_edges_##type                                              \
    }

const struct check_kernels ISA_SYMBOL(check_kernels) = {
    .of_i32 = FUNCTIONS(i32), .of_f32 = FUNCTIONS(f32), .of_f64 = FUNCTIONS(f64)};
