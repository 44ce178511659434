// SPDX-License-Identifier: MIT
/* The kernels of check_kernels.h for one instruction set (isa.h). */
#include "certificate/check_kernels.h"

#include "common/base/vector.h" // vector_i32, vector_f32, vector_f64

#include <math.h>
#include <string.h>

enum { LANES = CHECK_LANES };

#define PASTE(name, suffix)  PASTE_(name, suffix)
#define PASTE_(name, suffix) name##suffix

#define FOR_SEMIRING             "certificate/check_kernels_type.h"
#define SUM_OF(a, b)             ((a) + (b))
#define PRODUCT_OF(a, b)         ((a) * (b))
#define LESSER_OF(a, b)          vector_min(a, b)
#define REFUTES_SUM(through, to) (((to) > (through)) & ((through) <= vector_all(VECTOR, most)))

#define CELL                int32_t
#define VECTOR              vector_i32
#define WEIGHTS             weight
#define INFINITE            INF
#define GREATER_OF(a, b)    (~vector_min(~(a), ~(b)))
#define HAS_PRODUCTS        0
#define UNREACHED           UNREACHABLE
/* Unsigned, because lanes that are unreachable may wrap round. */
#define ADD(a, b)           ((int32_t)((uint32_t)(a) + (uint32_t)(b)))
#define IS_SHORTER(sum, to) ((to) > (sum))
#define IS_LIGHT(weight)    is_light(weight)
#define IS_NEGATIVE_ZERO(d) 0
#define OF_TYPE(name)       PASTE(name, _i32)
#include "certificate/each_semiring.h"

#undef GREATER_OF
#define GREATER_OF(a, b) (-vector_min(-(a), -(b)))

/* Sums of real numbers may overflow to infinity: then the distance is beyond the type, which is not
 * "no path". */
#define CELL                float
#define VECTOR              vector_f32
#define WEIGHTS             real_weight
#define INFINITE            INFINITY
#define HAS_PRODUCTS        1
#define UNREACHED           INFINITY
#define ADD(a, b)           ((a) + (b))
#define IS_SHORTER(sum, to) (((to) > (sum)) | ((to) == INFINITY))
#define IS_LIGHT(weight)    true
#define IS_NEGATIVE_ZERO(d) (((d) == 0) & (copysignf(1, d) < 0))
#define OF_TYPE(name)       PASTE(name, _f32)
#include "certificate/each_semiring.h"

#define CELL                double
#define VECTOR              vector_f64
#define WEIGHTS             real_weight
#define INFINITE            ((double)INFINITY)
#define HAS_PRODUCTS        1
#define UNREACHED           ((double)INFINITY)
#define ADD(a, b)           ((a) + (b))
#define IS_SHORTER(sum, to) (((to) > (sum)) | ((to) == (double)INFINITY))
#define IS_LIGHT(weight)    true
#define IS_NEGATIVE_ZERO(d) (((d) == 0) & (copysign(1, d) < 0))
#define OF_TYPE(name)       PASTE(name, _f64)
#include "certificate/each_semiring.h"

#define FUNCTIONS(suffix)                                                                          \
    { .row_is_sound = row_is_sound_##suffix, .check_plain_edges = check_plain_edges_##suffix, }
#define MIN_PLUS_FUNCTIONS(type)                                                                   \
    {                                                                                              \
        .row_is_sound = row_is_sound_##type, .check_plain_edges = check_plain_edges_##type,        \
        .check_light_edges = check_light_edges_##type                                              \
    }

const struct check_kernels ISA_SYMBOL(check_kernels) = {
    .of_i32 = MIN_PLUS_FUNCTIONS(i32),
    .of_f32 = MIN_PLUS_FUNCTIONS(f32),
    .of_f64 = MIN_PLUS_FUNCTIONS(f64),
    .of_min_max_i32 = FUNCTIONS(min_max_i32),
    .of_max_min_i32 = FUNCTIONS(max_min_i32),
    .of_min_max_f32 = FUNCTIONS(min_max_f32),
    .of_max_min_f32 = FUNCTIONS(max_min_f32),
    .of_max_product_f32 = FUNCTIONS(max_product_f32),
    .of_min_max_f64 = FUNCTIONS(min_max_f64),
    .of_max_min_f64 = FUNCTIONS(max_min_f64),
    .of_max_product_f64 = FUNCTIONS(max_product_f64),
};
