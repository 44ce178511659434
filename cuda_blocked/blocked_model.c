// SPDX-License-Identifier: MIT
#include "cuda_blocked/blocked_model.h"

#include "cuda_blocked/blocked_kernels.h"  // cuda_blocked_resident_max
#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver
#include "cuda_blocked/parts/tile_constants.h"
#include "cuda_blocked/rungs.h" // cuda_blocked_rungs
#include "gpu/gpu_solver.h"     // struct gpu_traits
#include "solve/solve.h"        // solver_find

#include <math.h>

int32_t cuda_blocked_resident_vertices(const struct gpu_traits *gpu) {
    const int32_t most =
        (int32_t)sqrt(RESIDENT_BLOCKS * (double)gpu->multiprocessors) * RESIDENT_TILE;
    return most < cuda_blocked_resident_max ? most : cuda_blocked_resident_max;
}

/* Returns the variant of a rung if `auto` takes it: the GPU can run it, n is not too large, and
 * distances are likely to be exact. Otherwise NULL. */
static const struct solver_variant *taken_of(const struct rung *rung, const struct features *f,
                                             const struct gpu_traits *gpu) {
    const struct solver_variant *const variant = solver_find(&cuda_blocked_solver, rung->variant);
    const struct variant_model *const model = &variant->model;
    const bool is_taken =
        f->n <= rung->most &&
        (model->vertices_at_most == NULL || f->n <= model->vertices_at_most(gpu)) &&
        gpu->shared >= model->shared_memory && gpu->capability >= model->capability &&
        (variant->exact_up_to == 0 || f->longest <= PROBE_MARGIN * variant->exact_up_to);
    return is_taken ? variant : NULL;
}

const struct solver_variant *cuda_blocked_expected(const struct features *features,
                                                   const struct gpu_traits *gpu) {
    const struct solver_variant *taken = NULL;
    for (int k = 0; k < RUNGS && taken == NULL; k++)
        taken = taken_of(&cuda_blocked_rungs[k], features, gpu);
    return taken;
}

/* The variant whose kind of cells several GPUs are expected to use. */
static const struct solver_variant *expected_of_several(const struct features *features,
                                                        const struct gpu_traits *gpu) {
    const struct rung *last = NULL;
    for (int k = 0; k < RUNGS; k++) {
        const struct rung *const rung = &cuda_blocked_rungs[k];
        if (rung->cells == SPREAD_NONE)
            continue;
        const struct solver_variant *const taken = taken_of(rung, features, gpu);
        if (taken != NULL)
            return taken;
        last = rung;
    }
    return solver_find(&cuda_blocked_solver, last->variant);
}

double cuda_blocked_auto_seconds(const struct solver_variant *variant,
                                 const struct model_question *q) {
    const double probing_s = 2.5e-4;
    (void)variant;
    const struct solver_variant *taken = q->gpus > 1 ? expected_of_several(q->features, q->gpu)
                                                     : cuda_blocked_expected(q->features, q->gpu);
    return probing_s + taken->model.seconds(taken, q);
}
