// Predecessors from finished distances: p precedes j on a shortest path from i
// exactly where D[i][p] + w(p, j) = D[i][j]. Solvers see no zero-weight cycles
// (common/zero_cycles.h), so any such p will do.
#ifndef CUDA_BLOCKED_PREDECESSORS_CUH
#define CUDA_BLOCKED_PREDECESSORS_CUH

#include "common/gpu_solver.h" // struct gpu_matrices

// Bytes of workspace that derive_predecessors needs.
size_t predecessors_workspace(const struct gpu_matrices *m);

// Fills m->pred from m->dist and m->in, in the default stream. Matrices are
// padded to a multiple of 128. O(n m') where m' <= m counts the edges that are
// shortest paths themselves: only those can be last on one.
enum status derive_predecessors(const struct gpu_matrices *m, void *workspace, struct error *err);

#endif
