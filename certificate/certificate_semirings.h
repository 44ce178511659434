// SPDX-License-Identifier: MIT
/* The checks of one strip (certificate.c), for one type of distances and all semirings
 * (semiring.h). certificate.c includes this once for each type, so it has no guard: INFINITE is INF
 * of the type, LEAST the least distance that is not infinite, OF_TYPE(name) the name with a suffix
 * for the type, and HAS_PRODUCTS tells whether the type has max-product; certificate_type.h has the
 * others. */

/* No real number is below 0 unless a weight is. */
#define NO_PATH              INFINITE
#define TO_ITSELF            0
#define LOWEST(g)            ((g)->type != NUMBER_INT32 && (g)->min_weight >= 0 ? 0 : LEAST)
#define HIGHEST              INFINITE
#define JOIN(d, weight)      ((SUM)(d) + (SUM)(weight))
#define REFUTES(through, to) ((to) > (through))
#define IS_MIN_PLUS          1
#define OF(name)             OF_TYPE(name)
#include "certificate/certificate_type.h"

#define NO_PATH              INFINITE
#define TO_ITSELF            (-INFINITE)
#define LOWEST(g)            (-INFINITE)
#define HIGHEST              INFINITE
#define JOIN(d, weight)      ((SUM)(d) > (SUM)(weight) ? (SUM)(d) : (SUM)(weight))
#define REFUTES(through, to) ((to) > (through))
#define IS_MIN_PLUS          0
#define OF(name)             OF_TYPE(name##_min_max)
#include "certificate/certificate_type.h"

#define NO_PATH              (-INFINITE)
#define TO_ITSELF            INFINITE
#define LOWEST(g)            (-INFINITE)
#define HIGHEST              INFINITE
#define JOIN(d, weight)      ((SUM)(d) < (SUM)(weight) ? (SUM)(d) : (SUM)(weight))
#define REFUTES(through, to) ((to) < (through))
#define IS_MIN_PLUS          0
#define OF(name)             OF_TYPE(name##_max_min)
#include "certificate/certificate_type.h"

#if HAS_PRODUCTS
#define NO_PATH              0
#define TO_ITSELF            1
#define LOWEST(g)            0
#define HIGHEST              1
#define JOIN(d, weight)      ((SUM)(d) * (SUM)(weight))
#define REFUTES(through, to) ((to) < (through))
#define IS_MIN_PLUS          0
#define OF(name)             OF_TYPE(name##_max_product)
#include "certificate/certificate_type.h"
#endif

#undef CELL
#undef SUM
#undef WEIGHT
#undef WEIGHTS
#undef INFINITE
#undef UNREACHED
#undef LEAST
#undef BEYOND
#undef BEFORE
#undef NO_EDGE
#undef HALF_EPSILON
#undef IS_NEGATIVE_ZERO
#undef HAS_PRODUCTS
#undef OF_TYPE
