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

/* Returns the quantum by which no distance exceeds `most` quanta. heaviest: the largest of the
 * weights, which are 0 or more. farthest: no less than any finite distance between n vertices, as
 * far as that is known; otherwise infinite, and then as many of the heaviest edges count as a path
 * has at most. 0 if all weights are 0. */
static inline double quantum_for(double heaviest, double farthest, int32_t n, int32_t most) {
    const double bound = fmin(farthest, heaviest * (n - 1.0));
    /* An infinite bound says that n - 1 weights overflow. */
    return isinf(bound) ? heaviest / most * (n - 1.0) : (bound > 0 ? bound : heaviest) / most;
}

/* Returns how many quanta fit into a weight. No shortest path has an edge that is heavier than the
 * bound that the quantum was made for: what does not fit into 32 bits is cut off. */
QUANTA_FUNCTION int32_t quanta_in(double weight, double quantum) {
    const double quanta = quantum > 0 ? floor(weight / quantum) : 0;
    return quanta < INT32_MAX ? (int32_t)quanta : INT32_MAX;
}

#endif
