// SPDX-License-Identifier: MIT
/* The table of cuda_blocked's variants. */
#ifndef CUDA_BLOCKED_BLOCKED_VARIANTS_H
#define CUDA_BLOCKED_BLOCKED_VARIANTS_H

#include "solve/solver.h" // struct solver

#ifdef __cplusplus
extern "C" {
#endif

extern const struct solver cuda_blocked_solver;

#ifdef __cplusplus
}
#endif

#endif
