// SPDX-License-Identifier: MIT
// The edges of a graph by their tails. The GPU makes them from the edges by their heads.
#ifndef SEARCH_GPU_OUT_EDGES_CUH
#define SEARCH_GPU_OUT_EDGES_CUH

#include "gpu/gpu_solver.h"     // struct gpu_matrices
#include "gpu/launch/arena.cuh" // Arena

// The heads of the edges from u are head[first[u]] .. head[first[u + 1] - 1], in no particular
// order.
struct OutEdges {
    uint32_t *first, *head;
    union {
        int32_t *weight;
        double *real_weight; // weights in float64, as in struct gpu_in_edges
    };

    static OutEdges take(const struct gpu_matrices *m, Arena *arena);
    enum status fill(const struct gpu_matrices *m, struct error *err) const;
};

#endif
