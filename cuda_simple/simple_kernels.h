// SPDX-License-Identifier: MIT
/* Launch functions of cuda_simple; see solver.h and gpu_solver.h. */
#ifndef CUDA_SIMPLE_SIMPLE_KERNELS_H
#define CUDA_SIMPLE_SIMPLE_KERNELS_H

#include "gpu/gpu_solver.h" // struct gpu_matrices

#ifdef __cplusplus
extern "C" {
#endif

enum status cuda_simple_thesis(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err);

/* The variant naive, which computes distances only. */
enum status cuda_simple_naive(const struct gpu_matrices *m, struct progress *progress,
                              struct error *err);

/* The variant vector. Matrices are padded to a multiple of 32. */
enum status cuda_simple_vector(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err);

#ifdef __cplusplus
}
#endif

#endif
