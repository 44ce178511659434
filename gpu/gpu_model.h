// SPDX-License-Identifier: MIT
/* Parts that models of GPU variants (solve/model.h) share. */
#ifndef GPU_GPU_MODEL_H
#define GPU_GPU_MODEL_H

#include "gpu/gpu_solver.h" // struct gpu_traits
#include "solve/solver.h"   // struct solver_variant, struct model_question

/* The GPU whose times the models have. */
extern const struct gpu_traits gpu_reference;

/* Returns how many times as long as on that GPU instructions take here, and reading memory. What
 * is not known of a GPU, and is 0, counts as there. */
double gpu_slower_instructions(const struct gpu_traits *gpu);
double gpu_slower_memory(const struct gpu_traits *gpu);

/* Returns how many GPUs solve together, and how many rows each of them has. */
double gpu_model_gpus(const struct model_question *q);
double gpu_model_rows(const struct model_question *q);

/* Returns the seconds() of variants that are three nested loops, and a launch, or several, or a
 * hand-over for each vertex or so many of them. */
double gpu_loops_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
