/* Launch functions of cuda_blocked; see solver.h and gpu_solver.h. */
#ifndef CUDA_BLOCKED_KERNELS_H
#define CUDA_BLOCKED_KERNELS_H

#include "common/gpu_solver.h" // struct gpu_matrices

#ifdef __cplusplus
extern "C" {
#endif

/* Any tile size 1 .. 32. */
enum status cuda_blocked_thesis(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err);

#ifdef __cplusplus
}
#endif

#endif
