// SPDX-License-Identifier: MIT
/* Models of cuda_blocked's variants (solve/model.h). */
#ifndef CUDA_BLOCKED_BLOCKED_MODEL_H
#define CUDA_BLOCKED_BLOCKED_MODEL_H

#include "solve/solver.h" // struct solver_variant, struct model_question

/* The most vertices that `resident` solves on a GPU: all tiles must have a running block at the
 * same time. */
int32_t cuda_blocked_resident_vertices(const struct gpu_traits *gpu);

/* The variant that `auto` is expected to take, by n and longest of the features. `auto` itself may
 * take another one: it learns only from a probe of the graph whether distances are short. */
const struct solver_variant *cuda_blocked_expected(const struct features *features,
                                                   const struct gpu_traits *gpu);

/* The seconds() of `auto`. */
double cuda_blocked_auto_seconds(const struct solver_variant *variant,
                                 const struct model_question *q);

#endif
