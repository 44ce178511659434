// SPDX-License-Identifier: MIT
/* The variants of cuda_sparse. */
#ifndef ENGINES_SPARSE_VARIANTS_H
#define ENGINES_SPARSE_VARIANTS_H

#include "solve/solver.h" // struct solver

#ifdef __cplusplus
extern "C" {
#endif

extern const struct solver cuda_sparse_solver;

/* Solves other semirings than min-plus on a GPU. */
extern const struct solver_variant cuda_semiring_variant;

#ifdef __cplusplus
}
#endif

#endif
