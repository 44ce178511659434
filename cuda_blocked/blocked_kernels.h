// SPDX-License-Identifier: MIT
/* Launch functions of cuda_blocked; see solver.h and gpu_solver.h. */
#ifndef CUDA_BLOCKED_BLOCKED_KERNELS_H
#define CUDA_BLOCKED_BLOCKED_KERNELS_H

#include "gpu/gpu_solver.h" // struct gpu_matrices

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The variant thesis, with any tile size 1 .. 32. */
enum status cuda_blocked_thesis(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err);

enum status cuda_blocked_pivot(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err);
enum status cuda_blocked_tile32(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err);
enum status cuda_blocked_tile64(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err);

/* The four stages of the report's batched kernel. */
enum status cuda_blocked_batched_blocked(const struct gpu_matrices *m, struct progress *progress,
                                         struct error *err);
enum status cuda_blocked_batched_registers(const struct gpu_matrices *m, struct progress *progress,
                                           struct error *err);
enum status cuda_blocked_batched_6x6(const struct gpu_matrices *m, struct progress *progress,
                                     struct error *err);
enum status cuda_blocked_batched(const struct gpu_matrices *m, struct progress *progress,
                                 struct error *err);

/* The variants dpx32, dpx16 and tensor. Matrices are padded to a multiple of 128, and predecessors
 * are derived from distances. A block needs more shared memory than some GPUs have; tensor also
 * needs tensor cores with bfloat16. The *_available functions find whether the device has these. */
enum status cuda_blocked_dpx32(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err);
size_t cuda_blocked_dpx32_workspace(const struct gpu_matrices *m, bool with_pred);
enum status cuda_blocked_dpx32_available(bool *available, struct error *err);

enum status cuda_blocked_dpx16(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err);
size_t cuda_blocked_dpx16_workspace(const struct gpu_matrices *m, bool with_pred);
enum status cuda_blocked_dpx16_available(bool *available, struct error *err);

enum status cuda_blocked_tensor(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err);
size_t cuda_blocked_tensor_workspace(const struct gpu_matrices *m, bool with_pred);
enum status cuda_blocked_tensor_available(bool *available, struct error *err);

/* The variant resident, for small matrices: it refuses more vertices than its limit on this device,
 * which is never above cuda_blocked_resident_max. */
enum { cuda_blocked_resident_max = 2048 };
enum status cuda_blocked_resident_limit(int32_t *limit, struct error *err);
/* Like cuda_blocked_resident, for a caller that has checked the limit. */
enum status cuda_blocked_resident_within(const struct gpu_matrices *m, struct progress *progress,
                                         struct error *err);
enum status cuda_blocked_resident(const struct gpu_matrices *m, struct progress *progress,
                                  struct error *err);
size_t cuda_blocked_resident_workspace(const struct gpu_matrices *m, bool with_pred);

enum status cuda_blocked_auto(const struct gpu_matrices *m, struct progress *progress,
                              struct error *err);
size_t cuda_blocked_auto_workspace(const struct gpu_matrices *m, bool with_pred);

#ifndef __cplusplus
/* The functions spread_memory and solve_spread of variants, for several GPUs (spread.c). Memory is
 * for cells as dpx32, dpx16 and tensor have them. */
size_t cuda_blocked_spread_memory(int32_t n, int64_t m, bool with_pred, int gpus);
size_t cuda_blocked_spread_memory_16(int32_t n, int64_t m, bool with_pred, int gpus);
size_t cuda_blocked_spread_memory_tensor(int32_t n, int64_t m, bool with_pred, int gpus);
enum status cuda_blocked_spread(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);
#endif

#ifdef __cplusplus
}
#endif

#endif
