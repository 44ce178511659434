// SPDX-License-Identifier: MIT
/* The type of lengths of paths in sources that are compiled more than once: for int32, with
 * LENGTH_F64 for whole numbers in float64, whose sums below 2^53 are exact (solve/grid.h), and with
 * LENGTH_MAX for int32 numbers of which a path is as long as the greatest, not the sum (semiring/
 * by_elimination.h). The Makefile lists these sources. A function that their headers declare has a
 * different name for each type:
 *
 *     #define some_function BY_LENGTH(some_function)
 *
 * is some_function_f64 in sources of float64, and some_function_max in those of LENGTH_MAX. Structs
 * of the same name may differ between types: other sources call only functions without lengths in
 * their arguments, by their full names. */
#ifndef COMMON_BASE_LENGTH_H
#define COMMON_BASE_LENGTH_H

#include <stdint.h>

#ifdef LENGTH_F64

#define BY_LENGTH(name) name##_f64

typedef double path_length;
typedef int64_t length_number; /* whole number as wide as a length: vectors have as many of both */
__extension__ typedef __int128 path_length_sum; /* a sum of lengths to all vertices */

/* Length that stands for no path. */
#define LENGTH_INF __builtin_inf()

enum { LENGTH_NUMBER = 2 }; /* value of NUMBER_FLOAT64 (number.h) */

#define vector_length vector_f64
#define vector_mask   vector_i64

#else

#ifdef LENGTH_MAX
#define BY_LENGTH(name) name##_max
#else
#define BY_LENGTH(name) name
#endif

typedef int32_t path_length;
typedef int32_t length_number;
typedef int64_t path_length_sum;

#define LENGTH_INF (INT32_MAX / 2)

enum { LENGTH_NUMBER = 0 }; /* value of NUMBER_INT32 (number.h) */

#define vector_length vector_i32
#define vector_mask   vector_i32

#endif

static inline path_length min_length(path_length a, path_length b) {
    return a < b ? a : b;
}

/* join_lengths returns the length of a path that consists of two, from their lengths. vector_join
 * does the same in each lane of vectors. */
static inline path_length join_lengths(path_length a, path_length b) {
#ifdef LENGTH_MAX
    return a > b ? a : b;
#else
    return a + b;
#endif
}

#ifdef LENGTH_MAX
#define vector_join(a, b) vector_i32_max(a, b)
#else
#define vector_join(a, b) ((a) + (b))
#endif

#endif
