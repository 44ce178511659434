// SPDX-License-Identifier: MIT
/* Parts of the models of GPU variants (solve/model.h) that several of them use. */
#ifndef GPU_GPU_MODEL_H
#define GPU_GPU_MODEL_H

#include "gpu/gpu_solver.h" // struct gpu_traits
#include "solve/solver.h"   // struct solver_variant, struct model_question

/* The GPU on which the models' times were measured. */
extern const struct gpu_traits gpu_reference;

/* Return how many times as long as on the reference GPU instructions, and reading memory, take on
 * this one. A property that is 0, because it is not known, counts as that of the reference GPU. */
double gpu_slower_instructions(const struct gpu_traits *gpu);
double gpu_slower_memory(const struct gpu_traits *gpu);

/* gpu_model_gpus returns the number of GPUs that solve together, and gpu_model_rows the number of
 * rows that each has. */
double gpu_model_gpus(const struct model_question *q);
double gpu_model_rows(const struct model_question *q);

/* Returns the seconds() of variants that are three nested loops, with one or more launches or
 * hand-overs for each vertex or for each block of vertices. */
double gpu_loops_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
