// SPDX-License-Identifier: MIT
#include "cuda_blocked/model.h"

#include "cuda_blocked/kernels.h" // cuda_blocked_resident_max
#include "cuda_blocked/parts/limits.h"
#include "cuda_blocked/registry.h" // cuda_blocked_solver
#include "gpu/gpu_solver.h"        // struct gpu_traits
#include "solve/solve.h"           // solver_find

#include <math.h>
#include <string.h>

int32_t cuda_blocked_resident_vertices(const struct gpu_traits *gpu) {
    const int32_t most =
        (int32_t)sqrt(RESIDENT_BLOCKS * (double)gpu->multiprocessors) * RESIDENT_TILE;
    return most < cuda_blocked_resident_max ? most : cuda_blocked_resident_max;
}

/* Whether `auto` takes it, if it comes to that: the GPU has what it needs, n is not too large, and
 * distances are likely to be exact. */
static bool is_taken(const struct solver_variant *variant, const struct features *f,
                     const struct gpu_traits *gpu) {
    const struct variant_model *model = &variant->model;
    return (model->vertices_at_most == NULL || f->n <= model->vertices_at_most(gpu)) &&
           gpu->shared >= model->shared_memory && gpu->capability >= model->capability &&
           (variant->exact_up_to == 0 || f->longest <= PROBE_MARGIN * variant->exact_up_to);
}

/* The first of the ladder from a variant on that `auto` takes. */
static const struct solver_variant *first_from(const char *name, const struct features *features,
                                               const struct gpu_traits *gpu) {
    static const char *const in_turn[] = {"resident", "tensor", "dpx16", "dpx32"};
    size_t k = 0;
    while (strcmp(in_turn[k], name) != 0)
        k++;
    for (; k < sizeof in_turn / sizeof *in_turn; k++) {
        const struct solver_variant *variant = solver_find(&cuda_blocked_solver, in_turn[k]);
        if (is_taken(variant, features, gpu))
            return variant;
    }
    return NULL;
}

const struct solver_variant *cuda_blocked_expected(const struct features *features,
                                                   const struct gpu_traits *gpu) {
    const struct solver_variant *const first = features->n <= SMALL_TILE
                                                   ? solver_find(&cuda_blocked_solver, "thesis")
                                                   : first_from("resident", features, gpu);
    return first != NULL ? first : solver_find(&cuda_blocked_solver, "tile64");
}

/* The variant whose cells several GPUs are expected to have. */
static const struct solver_variant *expected_of_several(const struct features *features,
                                                        const struct gpu_traits *gpu) {
    const struct solver_variant *const first = first_from("tensor", features, gpu);
    return first != NULL ? first : solver_find(&cuda_blocked_solver, "dpx32");
}

double cuda_blocked_auto_seconds(const struct solver_variant *variant,
                                 const struct model_question *q) {
    const double probing_s = 2.5e-4;
    (void)variant;
    const struct solver_variant *taken = q->gpus > 1 ? expected_of_several(q->features, q->gpu)
                                                     : cuda_blocked_expected(q->features, q->gpu);
    return probing_s + taken->model.seconds(taken, q);
}
