// SPDX-License-Identifier: MIT
/* The table of cuda_sparse's variants. */
#ifndef CUDA_SPARSE_REGISTRY_H
#define CUDA_SPARSE_REGISTRY_H

#include "common/solve/solver.h" // struct solver

#ifdef __cplusplus
extern "C" {
#endif

extern const struct solver cuda_sparse_solver;

#ifdef __cplusplus
}
#endif

#endif
