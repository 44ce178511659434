// SPDX-License-Identifier: MIT
// The check whether every "no path" is true. Variants with few bits for a distance lose paths that
// are too long, but never find a path that does not exist, nor too short a distance. So their
// distances are exact if, from every source, no edge leads from a vertex with a finite distance to
// a vertex without: a source that reaches the tail of an edge reaches its head.
#ifndef CUDA_BLOCKED_PARTS_REACHABILITY_CUH
#define CUDA_BLOCKED_PARTS_REACHABILITY_CUH

#include "gpu/gpu_solver.h"     // struct gpu_matrices
#include "gpu/launch/arena.cuh" // Arena

struct Reachability {
    uint32_t *reached; // a bit for each source: it reaches the vertex
    int32_t *inf;      // set by the solve if some distance is INF; 0 at first
    int32_t *lost;     // set if an edge leads from a finite distance to INF: a path was lost

    // Takes memory, with both flags at `flags`, which the caller clears before the solve.
    static Reachability take(const struct gpu_matrices *m, Arena *arena, int32_t *flags);
    // Takes memory, with flags of its own, which clear() clears.
    static Reachability take(const struct gpu_matrices *m, Arena *arena);
    enum status clear(struct error *err) const;
    // Stores whether m->dist, finished by then, is exact to *exact. O(n m / 32), and O(1) if *inf
    // is 0.
    enum status check(const struct gpu_matrices *m, bool *exact, struct error *err) const;
    // Sets *lost if one of `rows` rows, with leading dimension m->ld, has lost a path.
    enum status check_rows(const struct gpu_matrices *m, const int32_t *dist, int32_t rows,
                           struct error *err) const;
};

#endif
