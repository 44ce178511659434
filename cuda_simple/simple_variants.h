// SPDX-License-Identifier: MIT
/* The table of cuda_simple's variants. */
#ifndef CUDA_SIMPLE_SIMPLE_VARIANTS_H
#define CUDA_SIMPLE_SIMPLE_VARIANTS_H

#include "solve/solver.h" // struct solver

#ifdef __cplusplus
extern "C" {
#endif

extern const struct solver cuda_simple_solver;

#ifdef __cplusplus
}
#endif

#endif
