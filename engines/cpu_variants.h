// SPDX-License-Identifier: MIT
/* The table of cpu's variants. */
#ifndef ENGINES_CPU_VARIANTS_H
#define ENGINES_CPU_VARIANTS_H

#include "solve/solver.h" // struct solver

#ifdef __cplusplus
extern "C" {
#endif

extern const struct solver cpu_solver;

#ifdef __cplusplus
}
#endif

#endif
