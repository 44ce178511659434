// SPDX-License-Identifier: MIT
/* The table of cpu's variants. */
#ifndef CPU_REGISTRY_H
#define CPU_REGISTRY_H

#include "common/solve/solver.h" // struct solver

#ifdef __cplusplus
extern "C" {
#endif

extern const struct solver cpu_solver;

#ifdef __cplusplus
}
#endif

#endif
