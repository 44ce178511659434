// SPDX-License-Identifier: MIT
// Multi-source label correcting, which `multisource` of cuda_sparse uses, `auto` within a budget,
// and refining.cu to make rows of rounded weights exact.
#ifndef SEARCH_GPU_MULTISOURCE_CUH
#define SEARCH_GPU_MULTISOURCE_CUH

#include "gpu/gpu_solver.h" // struct gpu_matrices

// Bits that users keep in gpu_state's `known`.
enum Known {
    SORTED_NARROW = 1, // the workspace holds the edges sorted, in that format
    SORTED_WIDE = 2,
    HAS_OUT_EDGES = 4,        // and those that worklists need
    QUEUE_HAS_EDGES = 8,      // and those of queued.cu
    NARROW_IS_TOO_SHORT = 16, // distances do not fit in 16 bits
    LEFT_MULTISOURCE = 32,    // `auto` has given it up
    ROUNDED_FOR_TREES = 64,   // the workspace holds the edges with weights for trees, too
    HAS_ROUNDED = 128,        // refining.cu's workspace holds the answer for rounded weights
};

// Fills dist and pred from the edges alone; it does not read the adjacency matrices. An answer may
// take about `budget` cycles of all multiprocessors; 0: as many as it needs. Stores whether that
// was enough to *done; if not, dist and pred are garbage.
enum status multisource_solve(const struct gpu_matrices *m, int64_t budget, bool *done,
                              struct error *err);

// Fills pred from finished distances, whoever found them, as multisource_solve() does.
enum status multisource_predecessors(const struct gpu_matrices *m, struct error *err);

// The answer for the same edges with as many quanta for weights as fit in theirs (quanta.h).
struct Rounded {
    double quantum;
    const int32_t *dist; // exact, row-major with m->ld cells to a row: row v is that of vertex v
};

// Fills dist and pred of a block of real rows: sums real weights along the rounded graph's shortest
// paths and goes on until no edge improves a sum. m's workspace is multisource_refine_workspace()
// bytes that are kept from one block to the next.
enum status multisource_refine(const struct gpu_matrices *m, const Rounded *rounded,
                               struct error *err);
size_t multisource_refine_workspace(const struct gpu_matrices *m);

// The bytes of the workspace of the others.
size_t multisource_workspace(const struct gpu_matrices *m);

#endif
