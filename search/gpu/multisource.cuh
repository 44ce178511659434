// SPDX-License-Identifier: MIT
// Label correcting from several sources at a time. `multisource` of cuda_sparse uses it, `auto`
// within a budget, and refining.cu to make rows of rounded weights exact.
#ifndef SEARCH_GPU_MULTISOURCE_CUH
#define SEARCH_GPU_MULTISOURCE_CUH

#include "gpu/gpu_solver.h" // struct gpu_matrices

// Bits in gpu_state's `known`, which tell later blocks of rows what earlier ones have found or
// left.
enum Known {
    SORTED_NARROW = 1, // the workspace has the sorted edges, in narrow format; the next one: in
                       // wide format
    SORTED_WIDE = 2,
    HAS_OUT_EDGES = 4,        // the workspace has the out-edges that worklists need
    QUEUE_HAS_EDGES = 8,      // the workspace has the edges that queued.cu needs
    NARROW_IS_TOO_SHORT = 16, // distances do not fit in 16 bits
    LEFT_MULTISOURCE = 32,    // `auto` has given up label correcting
    ROUNDED_FOR_TREES = 64,   // the workspace has the sorted edges with weights for trees
    HAS_ROUNDED = 128,        // refining.cu's workspace has the answer for rounded weights
};

// Fills dist and pred from the edges alone; it does not read the adjacency matrices. An answer may
// take about `budget` cycles of all multiprocessors; 0: as many as it needs. *done: the budget was
// enough; if not, dist and pred are garbage.
enum status multisource_solve(const struct gpu_matrices *m, int64_t budget, bool *done,
                              struct error *err);

// Fills pred from finished distances, which may come from any solver, as multisource_solve() does.
enum status multisource_predecessors(const struct gpu_matrices *m, struct error *err);

// Answer for the same edges with rounded weights, numbers of quanta (quanta.h).
struct Rounded {
    double quantum;
    const int32_t *dist; // exact distances in quanta, row-major, m->ld cells to a row: row v is
                         // that of vertex v
};

// Fills dist and pred of a block of real rows: adds up real weights along the shortest paths of the
// rounded graph, and relaxes edges until no sum improves. m's workspace has
// multisource_refine_workspace() bytes, which must be kept from one block to the next.
enum status multisource_refine(const struct gpu_matrices *m, const Rounded *rounded,
                               struct error *err);
size_t multisource_refine_workspace(const struct gpu_matrices *m);

// Returns the bytes of the workspace of multisource_solve and multisource_predecessors.
size_t multisource_workspace(const struct gpu_matrices *m);

#endif
