// SPDX-License-Identifier: MIT
/* The table of cuda_sparse's variants. */
#ifndef ENGINES_SPARSE_VARIANTS_H
#define ENGINES_SPARSE_VARIANTS_H

#include "solve/solver.h" // struct solver

#ifdef __cplusplus
extern "C" {
#endif

extern const struct solver cuda_sparse_solver;

#ifdef __cplusplus
}
#endif

#endif
