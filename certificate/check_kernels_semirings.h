// SPDX-License-Identifier: MIT
/* The kernels of check_kernels.h for one type of distances and all semirings (semiring.h).
 * check_kernels.c includes this once for each type, so it has no guard: INFINITE is INF of the
 * type, VECTOR_MAX(a, b) the greater lanes, OF_TYPE(name) the name with a suffix for the type, and
 * HAS_PRODUCTS tells whether the type has max-product; check_kernels_type.h has the others. */

#define NO_PATH              INFINITE
#define TO_ITSELF            0
#define JOIN(from, weight)   ((from) + (weight))
#define BEST(a, b)           vector_min(a, b)
#define REFUTES(through, to) (((to) > (through)) & ((through) <= vector_all(VECTOR, most)))
#define IS_MIN_PLUS          1
#define OF(name)             OF_TYPE(name)
#include "certificate/check_kernels_type.h"

#define NO_PATH              INFINITE
#define TO_ITSELF            (-INFINITE)
#define JOIN(from, weight)   VECTOR_MAX(from, weight)
#define BEST(a, b)           vector_min(a, b)
#define REFUTES(through, to) ((to) > (through))
#define IS_MIN_PLUS          0
#define OF(name)             OF_TYPE(name##_min_max)
#include "certificate/check_kernels_type.h"

#define NO_PATH              (-INFINITE)
#define TO_ITSELF            INFINITE
#define JOIN(from, weight)   vector_min(from, weight)
#define BEST(a, b)           VECTOR_MAX(a, b)
#define REFUTES(through, to) ((to) < (through))
#define IS_MIN_PLUS          0
#define OF(name)             OF_TYPE(name##_max_min)
#include "certificate/check_kernels_type.h"

#if HAS_PRODUCTS
#define NO_PATH              0
#define TO_ITSELF            1
#define JOIN(from, weight)   ((from) * (weight))
#define BEST(a, b)           VECTOR_MAX(a, b)
#define REFUTES(through, to) ((to) < (through))
#define IS_MIN_PLUS          0
#define OF(name)             OF_TYPE(name##_max_product)
#include "certificate/check_kernels_type.h"
#endif

#undef CELL
#undef VECTOR
#undef VECTOR_MAX
#undef WEIGHTS
#undef INFINITE
#undef UNREACHED
#undef ADD
#undef IS_SHORTER
#undef IS_LIGHT
#undef IS_NEGATIVE_ZERO
#undef HAS_PRODUCTS
#undef OF_TYPE
