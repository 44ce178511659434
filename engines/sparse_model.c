// SPDX-License-Identifier: MIT
#include "engines/sparse_model.h"

#include "cuda_blocked/blocked_model.h" // cuda_blocked_expected, cuda_blocked_auto_seconds
#include "engines/sparse_limits.h"
#include "engines/sparse_variants.h" // cuda_sparse_solver
#include "gpu/gpu_model.h"           // gpu_reference, gpu_slower_instructions
#include "search/gpu/label_constants.h"
#include "search/gpu/label_kernels.h" // cuda_sparse_budget
#include "solve/solve.h"              // solver_find

#include <math.h>

/* The costs of label correcting on the GPU that was measured: start_s once, all others in
 * nanoseconds for each pair of vertices. */
static const double start_s = 8e-5;
static const double pair_ns = 0.0078;    /* ns to write an entry of the result */
static const double sweep_ns = 1.1e-3;   /* ns to visit a vertex in a sweep */
static const double edge_ns = 6.6e-4;    /* ns to relax a light edge, which every sweep does */
static const double last_edge_ns = 2e-5; /* ns to relax an edge that is relaxed only once */
static const double light_edges = 28;

/* How many times the edges are read: as many sources are solved at a time as have room for their
 * labels in shared memory. Labels of float64 are kept as float32, which find trees. */
static double passes(const struct model_question *q) {
    const struct features *const f = q->features;
    const double words = floor(q->gpu->shared / (sizeof(int32_t) * (double)f->n));
    return words >= STRIP_WORDS ? 1 : words >= 2 ? 2 : words >= 1 ? 4 : 6;
}

/* Factor by which wider labels lengthen the solve. If weights allow it, 16-bit labels are tried
 * first; the time of a try that fails is added. */
static double widening(const struct features *f) {
    if (f->type != NUMBER_INT32)
        return f->type == NUMBER_FLOAT32 ? 2 : 3.3;
    if (f->longest + f->max_weight < NARROW_NO_PATH && f->n <= NARROW_VERTICES)
        return 1;
    return f->max_weight < NARROW_NO_PATH && f->n <= NARROW_VERTICES ? 3 : 2;
}

double cuda_sparse_multisource_seconds(const struct solver_variant *variant,
                                       const struct model_question *q) {
    (void)variant;
    const struct features *f = q->features;
    const double light = fmin(f->degree, light_edges), pairs = (double)f->n * gpu_model_rows(q);
    /* A sweep also improves vertices several edges away, if it visits the vertices of the path in
     * order. */
    const double sweeps = sqrt(f->hops) + f->hops / 50;
    const double times = widening(f) * passes(q);
    const double ns =
        pair_ns +
        f->reach * times * (sweeps * (sweep_ns + edge_ns * light) + last_edge_ns * f->degree);
    return start_s + gpu_slower_instructions(q->gpu) * 1e-9 * ns * pairs;
}

double cuda_semiring_seconds(const struct model_question *q, bool is_product) {
    /* deepening: a search of the structure ends at a part of the vertices, and best paths have more
     * edges than the shortest possible ones. waiting: predecessors of equal lengths are searched.
     */
    const double deepening = 4, waiting = 6;
    struct features f = *q->features;
    struct model_question own = *q;
    own.features = &f;
    f.hops = deepening * f.hops;
    f.type = NUMBER_FLOAT32; /* labels of 32 bits */
    return (q->features->type == NUMBER_FLOAT64 ? 2 : 1) *
           (q->predecessors && !is_product ? waiting : 1) *
           cuda_sparse_multisource_seconds(NULL, &own);
}

/* Seconds of searches with queues from `sources` sources at a time. A thread takes a source, and
 * accesses memory once for each vertex and edge, one after the other. On a chain a vertex is queued
 * once; the more ways there are to it, the more often it is queued again. */
static double queues_seconds(double n, double degree, double sources, int multiprocessors) {
    const double access_s = 8e-7, threads_at_once = 1024; /* on one multiprocessor */
    const double times_queued = 0.6 + 0.4 * degree * degree;
    return access_s * times_queued * n * (1 + degree) *
           ceil(sources / (threads_at_once * fmax(1, multiprocessors)));
}

double cuda_sparse_queued_seconds(const struct solver_variant *variant,
                                  const struct model_question *q) {
    (void)variant;
    const struct features *f = q->features;
    const double n = f->n, rows = gpu_model_rows(q);
    return start_s + gpu_slower_instructions(q->gpu) * 1e-9 * pair_ns * n * rows +
           f->reach * queues_seconds(n, f->degree, rows, q->gpu->multiprocessors);
}

/* Label correcting, by sweeps or queues, is given up if it would take longer than the blocked
 * solver, which is known when a small share of the sources is done. Several GPUs have no blocked
 * solver. */
double cuda_sparse_auto_seconds(const struct solver_variant *variant,
                                const struct model_question *q) {
    const double lost_s = 2e-3, lost = 1.15;
    const double first = cuda_sparse_multisource_seconds(variant, q);
    const double last = q->gpus > 1 ? HUGE_VAL : cuda_blocked_auto_seconds(NULL, q);
    const double second =
        q->features->degree < MANY_EDGES ? cuda_sparse_queued_seconds(variant, q) : last;
    if (q->gpus > 1)
        return fmin(first, lost_s + lost * second);
    return first <= last ? first : lost_s + lost * fmin(second, last);
}

int64_t cuda_sparse_budget(int32_t n, int multiprocessors) {
    struct gpu_traits gpu = gpu_reference;
    const struct features f = {.n = n, .longest = INF};
    const struct model_question q = model_reference(&f, false, &gpu);
    gpu.multiprocessors = multiprocessors;
    const struct solver_variant *blocked = cuda_blocked_expected(&f, &gpu);
    return (int64_t)(gpu.clock * blocked->model.seconds(blocked, &q));
}

int64_t cuda_sparse_budget_beside_queues(int32_t n, int64_t m, int32_t wanted, int32_t rows,
                                         int multiprocessors) {
    const double blocks = ceil((double)wanted / rows);
    return (int64_t)(gpu_reference.clock * blocks *
                     queues_seconds(n, (double)m / n, rows, multiprocessors));
}

static enum status choose_auto(const struct graph *g, int32_t rows,
                               const struct solver_options *options, bool predecessors,
                               const struct solver_variant **best, struct error *err) {
    (void)g, (void)rows, (void)options, (void)predecessors, (void)err;
    *best = solver_find(&cuda_sparse_solver, "auto");
    return STATUS_OK;
}

static double auto_seconds(const struct model_question *q) {
    return cuda_sparse_auto_seconds(NULL, q);
}

const struct other_engines cuda_sparse_others = {.choose = choose_auto, .seconds = auto_seconds};
