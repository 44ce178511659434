// SPDX-License-Identifier: MIT
#include "solve/model.h"

#include "solve/solver.h" // struct solver_variant

#include <math.h>

double model_vector_steps(enum isa isa) {
    static const double steps[ISA_COUNT] = {
        [ISA_PORTABLE] = 4,
#ifdef __x86_64__
        [ISA_AVX2] = 2,
        [ISA_AVX512] = 1,
#endif
    };
    return steps[isa];
}

double model_pairs_seconds(const struct features *features, double ns) {
    const double n = features->n;
    return 1e-9 * (ns * n * n);
}

double model_rows(const struct model_question *q) {
    return q->rows > 0 ? q->rows : q->features->n;
}

double model_rows_seconds(const struct model_question *q, double ns) {
    return 1e-9 * (ns * q->features->n * model_rows(q));
}

double model_threads(const struct solver_variant *variant, const struct model_question *q) {
    const int32_t each = variant->model.vertices_per_thread;
    const double sources = variant->by_rows ? model_rows(q) : q->features->n;
    return each > 0 ? fmin(q->threads, ceil(sources / each)) : 1;
}

double model_speed_up(const struct solver_variant *variant, const struct model_question *q) {
    const double in_the_way = 0.055, threads = model_threads(variant, q);
    return threads / (1 + in_the_way * (threads - 1));
}

bool model_is_ordered(const struct features *f) {
    const double short_rows = 32, deep = 16, levels = f->elimination.levels;
    return f->degree <= short_rows && deep * levels * levels > f->n;
}

/* Returns the seconds of refining rows. The constants were measured on one thread on float64 road
 * networks, k-NN graphs, grids and random graphs of 2000 to 8000 vertices. The longer the paths,
 * the more of them the quanta confuse on the host. In larger graphs that adds some 0.2 ns * sqrt(n)
 * for each cell (twice that on grids), measured against johnson on up to 200000 vertices. */
static double refine_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const double begin_s = 1e-5, once_ns = 50;
    const struct features *const f = q->features;
    const bool is_ordered = model_is_ordered(f);
    const double cell_ns = is_ordered ? 3 : 35, edge_ns = is_ordered ? 2.1 : 1.4;
    if (!solver_is_refined(variant, q->features->type, q->features->grid, q->predecessors))
        return 0;
    const double width = f->type == NUMBER_FLOAT64 ? 1 : 0.5;
    const double beyond = sqrt(f->n) - sqrt(5000);
    const double far_ns =
        is_ordered && variant->launch_refined == NULL && beyond > 0 ? 0.2 * beyond : 0;
    return begin_s + 1e-9 * once_ns * ((double)f->n + (double)f->m) +
           model_rows_seconds(q, width * (cell_ns + far_ns + edge_ns * f->degree)) /
               model_speed_up(variant, q);
}

/* Returns the seconds of a solve that does not round weights first. Lengths on a grid are twice as
 * wide as integers. */
static double exact_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const double wider = 2;
    if (q->features->type == NUMBER_INT32 || variant->solves_real)
        return variant->model.seconds(variant, q);
    struct features integers = *q->features;
    struct model_question own = *q;
    integers.type = NUMBER_INT32;
    own.features = &integers;
    return wider * variant->model.seconds(variant, &own);
}

double model_seconds(const struct solver_variant *variant, const struct model_question *q) {
    if (!solver_is_refined(variant, q->features->type, q->features->grid, q->predecessors))
        return exact_seconds(variant, q);
    struct features rounded = *q->features;
    struct model_question own = *q;
    rounded.type = NUMBER_INT32;
    rounded.narrow = false;
    own.features = &rounded;
    own.predecessors = false;
    return variant->model.seconds(variant, &own) + refine_seconds(variant, q);
}

struct model_question model_reference(const struct features *features, bool predecessors,
                                      const struct gpu_traits *gpu) {
    return (struct model_question){.features = features,
                                   .predecessors = predecessors,
                                   .threads = 1,
                                   .vector_steps = 1,
                                   .gpu = gpu,
                                   .gpus = 1};
}

void features_suppose(int32_t n, int64_t m, struct features *features) {
    const double degree = (double)m / n;
    *features = (struct features){
        .n = n,
        .m = m,
        .max_weight = 1,
        .min_weight = 1,
        .degree = degree,
        /* Below one edge to a vertex there is no giant component (Erdos and Renyi 1960). */
        .reach = degree > 1 ? 1 : 1.0 / n,
        .narrow = true,
        .bounded = true,
        .deep = true,
        .hops = degree > 1 ? 3 * log((double)n) / log(1 + degree) : 1,
        .longest = 1,
    };
}

double model_relaxations(const struct solver_variant *variant, bool predecessors,
                         const struct gpu_traits *gpu) {
    enum { VERTICES = 10000 };
    const struct variant_model *model = &variant->model;
    struct features f;
    if (model->seconds == NULL || (predecessors && variant->distances_only))
        return 0;
    int32_t n = VERTICES;
    if (model->vertices_at_most != NULL && model->vertices_at_most(gpu) < n)
        n = model->vertices_at_most(gpu);
    features_suppose(n, (int64_t)n * (n - 1), &f);
    const struct model_question q = model_reference(&f, predecessors, gpu);
    return (double)n * n * n / model->seconds(variant, &q);
}
