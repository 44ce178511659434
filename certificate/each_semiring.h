// SPDX-License-Identifier: MIT
/* Includes the header FOR_SEMIRING once for each semiring (common/graph/semiring.h), for one type
 * of distances. This header has no guard, because a file includes it once for each type.
 *
 * The file defines for the type, as scalars or as vectors: INFINITE, INF of the type; SUM_OF(a, b),
 * PRODUCT_OF(a, b), LESSER_OF(a, b) and GREATER_OF(a, b); HAS_PRODUCTS, 1 if the type has
 * max-product; LOWEST_SUM(g), the least distance of min-plus; REFUTES_SUM(through, to), which says
 * whether a sum refutes the distance `to`; OF_TYPE(name), the name with a suffix for the type. The
 * file may also define, for FOR_SEMIRING, the other macros that are undefined at the end.
 *
 * FOR_SEMIRING may use these macros of the semiring: NO_PATH and TO_ITSELF, the lengths of no path
 * and of the empty path; LOWEST(g) and HIGHEST, the least and the greatest distance; JOIN(d,
 * weight), the length of a path with one edge more; BEST(a, b); REFUTES(through, to), which says
 * whether the length of another path refutes `to`; IS_MIN_PLUS; OF(name), the name with a suffix
 * for the type and the semiring. */

#define NO_PATH              INFINITE
#define TO_ITSELF            0
#define LOWEST(g)            LOWEST_SUM(g)
#define HIGHEST              INFINITE
#define JOIN(d, weight)      SUM_OF(d, weight)
#define BEST(a, b)           LESSER_OF(a, b)
#define REFUTES(through, to) REFUTES_SUM(through, to)
#define IS_MIN_PLUS          1
#define OF(name)             OF_TYPE(name)
#include FOR_SEMIRING
#undef LOWEST
#undef JOIN
#undef REFUTES
#undef IS_MIN_PLUS
#undef OF

#define LOWEST(g)   (-INFINITE)
#define IS_MIN_PLUS 0

#undef TO_ITSELF
#define TO_ITSELF            (-INFINITE)
#define JOIN(d, weight)      GREATER_OF(d, weight)
#define REFUTES(through, to) ((to) > (through))
#define OF(name)             OF_TYPE(name##_min_max)
#include FOR_SEMIRING
#undef NO_PATH
#undef TO_ITSELF
#undef JOIN
#undef BEST
#undef REFUTES
#undef OF

#define BEST(a, b)           GREATER_OF(a, b)
#define REFUTES(through, to) ((to) < (through))

#define NO_PATH         (-INFINITE)
#define TO_ITSELF       INFINITE
#define JOIN(d, weight) LESSER_OF(d, weight)
#define OF(name)        OF_TYPE(name##_max_min)
#include FOR_SEMIRING
#undef NO_PATH
#undef TO_ITSELF
#undef LOWEST
#undef HIGHEST
#undef JOIN
#undef OF

#if HAS_PRODUCTS
#define NO_PATH         0
#define TO_ITSELF       1
#define LOWEST(g)       0
#define HIGHEST         1
#define JOIN(d, weight) PRODUCT_OF(d, weight)
#define OF(name)        OF_TYPE(name##_max_product)
#include FOR_SEMIRING
#undef NO_PATH
#undef TO_ITSELF
#undef LOWEST
#undef HIGHEST
#undef JOIN
#undef OF
#endif

#undef BEST
#undef REFUTES
#undef IS_MIN_PLUS

/* A file defines these anew for the next type. */
#undef INFINITE
#undef HAS_PRODUCTS
#undef OF_TYPE
#undef CELL
#undef SUM
#undef WEIGHT
#undef WEIGHTS
#undef UNREACHED
#undef LEAST
#undef BEYOND
#undef BEFORE
#undef NO_EDGE
#undef HALF_EPSILON
#undef IS_NEGATIVE_ZERO
#undef VECTOR
#undef ADD
#undef IS_SHORTER
#undef IS_LIGHT
