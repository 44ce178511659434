// SPDX-License-Identifier: MIT
/* The type of lengths of paths in sources that are compiled twice: for int32, and with LENGTH_F64
 * for whole numbers in float64, of which every sum below 2^53 is exact (solve/grid.h). The
 * Makefile lists these sources. What such a header declares has a name of its own in each type:
 *
 *     #define some_function BY_LENGTH(some_function)
 *
 * is some_function_f64 in sources of float64. Structs of the same name may differ between the two:
 * only functions without lengths in their arguments are called from elsewhere, by their whole
 * names. */
#ifndef COMMON_BASE_LENGTH_H
#define COMMON_BASE_LENGTH_H

#include <stdint.h>

#ifdef LENGTH_F64

#define BY_LENGTH(name) name##_f64

typedef double path_length;
__extension__ typedef __int128 path_length_sum; /* of lengths to all vertices */

/* There is no path. */
#define LENGTH_INF __builtin_inf()

enum { LENGTH_NUMBER = 2 }; /* NUMBER_FLOAT64 */

#define vector_length vector_f64
#define vector_mask   vector_i64

#else

#define BY_LENGTH(name) name

typedef int32_t path_length;
typedef int64_t path_length_sum;

#define LENGTH_INF (INT32_MAX / 2)

enum { LENGTH_NUMBER = 0 }; /* NUMBER_INT32 */

#define vector_length vector_i32
#define vector_mask   vector_i32

#endif

static inline path_length min_length(path_length a, path_length b) {
    return a < b ? a : b;
}

#endif
