// SPDX-License-Identifier: MIT
/* Real weights rounded to quanta, for engines that take integers (refine.h), on the host and on
 * GPUs. */
#ifndef SOLVE_QUANTA_H
#define SOLVE_QUANTA_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define QUANTA_FUNCTION static inline __host__ __device__
#else
#define QUANTA_FUNCTION static inline
#endif

/* Returns a quantum such that no distance exceeds `most` quanta; 0 if all weights are 0. heaviest:
 * the largest of the weights, which are 0 or more. farthest: an upper bound of the finite distances
 * between n vertices; infinite: not known, and n - 1 times the heaviest weight serves. */
static inline double quantum_for(double heaviest, double farthest, int32_t n, int32_t most) {
    const double bound = fmin(farthest, heaviest * (n - 1.0));
    /* `bound` is infinite if the product overflows; this order of operations avoids that. */
    return isinf(bound) ? heaviest / most * (n - 1.0) : (bound > 0 ? bound : heaviest) / most;
}

/* Returns how many quanta fit into a weight. No shortest path has an edge that is heavier than the
 * bound that the quantum was made for: a number that does not fit into 32 bits is cut off. */
QUANTA_FUNCTION int32_t quanta_in(double weight, double quantum) {
    const double quanta = quantum > 0 ? floor(weight / quantum) : 0;
    return quanta < INT32_MAX ? (int32_t)quanta : INT32_MAX;
}

#endif
