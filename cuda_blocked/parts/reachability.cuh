// SPDX-License-Identifier: MIT
// Whether "no path" is true. Variants with few bits to a distance lose paths that
// are too long, but never find one that is not there, nor a shorter one; so their
// distances are exact where those that are finite are closed under the graph's
// edges: whoever reaches the tail of an edge reaches its head.
#ifndef CUDA_BLOCKED_PARTS_REACHABILITY_CUH
#define CUDA_BLOCKED_PARTS_REACHABILITY_CUH

#include "common/gpu/arena.cuh"    // Arena
#include "common/gpu/gpu_solver.h" // struct gpu_matrices

struct Reachability {
    uint32_t *reached; // bits: by which sources a vertex is reached
    int32_t *inf;      // to be set where a distance is INF; 0 at first
    int32_t *lost;     // set where an edge leads from a finite distance to INF

    // Both flags at `flags`, which the caller clears before the solve.
    static Reachability take(const struct gpu_matrices *m, Arena *arena, int32_t *flags);
    // With flags of its own, which clear() clears.
    static Reachability take(const struct gpu_matrices *m, Arena *arena);
    enum status clear(struct error *err) const;
    // After it, m->dist being finished. O(n m / 32), and nothing where *inf is 0.
    enum status check(const struct gpu_matrices *m, bool *exact, struct error *err) const;
};

#endif
