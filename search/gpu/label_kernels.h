// SPDX-License-Identifier: MIT
/* Launch functions of cuda_sparse; see solver.h and gpu_solver.h. */
#ifndef SEARCH_GPU_LABEL_KERNELS_H
#define SEARCH_GPU_LABEL_KERNELS_H

#include "gpu/gpu_solver.h" // struct gpu_matrices

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills dist and pred from the edges alone: the adjacency matrices are not read. */
enum status cuda_sparse_multisource(const struct gpu_matrices *m, struct progress *progress,
                                    struct error *err);
size_t cuda_sparse_multisource_workspace(const struct gpu_matrices *m, bool with_pred);

/* Fills dist and pred from the edges alone, with a queue for each source. */
enum status cuda_sparse_queued(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err);
size_t cuda_sparse_queued_workspace(const struct gpu_matrices *m, bool with_pred);

/* Fills dist and pred of another semiring than min-plus from the edges alone. */
enum status cuda_sparse_semirings(const struct gpu_matrices *m, struct progress *progress,
                                  struct error *err);
size_t cuda_sparse_semirings_workspace(const struct gpu_matrices *m, bool with_pred);

/* Solves by the way that seems fastest. Needs padding 128, as do the variants of cuda_blocked. */
enum status cuda_sparse_auto(const struct gpu_matrices *m, struct progress *progress,
                             struct error *err);
size_t cuda_sparse_auto_workspace(const struct gpu_matrices *m, bool with_pred);

/* Returns the cycles that label correcting may take before `auto` gives it up: as many as
 * cuda_blocked would take, by its model, if distances are long. Host code, in
 * engines/sparse_model.c. */
int64_t cuda_sparse_budget(int32_t n, int multiprocessors);

/* Returns the cycles that label correcting may take before `auto` gives it up if there is not
 * enough memory for cuda_blocked: as many as queues would take for `wanted` sources, `rows` rows at
 * a time. */
int64_t cuda_sparse_budget_beside_queues(int32_t n, int64_t m, int32_t wanted, int32_t rows,
                                         int multiprocessors);

#ifdef __cplusplus
}
#endif

#endif
