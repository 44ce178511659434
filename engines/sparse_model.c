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

/* The work of label correcting on the GPU that was measured: seconds at the start, and nanoseconds
 * for each pair of vertices. */
static const double start_s = 8e-5;
static const double pair_ns = 0.0078;    /* the result */
static const double sweep_ns = 1.1e-3;   /* a sweep over a vertex */
static const double edge_ns = 6.6e-4;    /* an edge that every sweep looks at: the light ones */
static const double last_edge_ns = 2e-5; /* an edge that is looked at once */
static const double light_edges = 28;

/* How many times the edges are read: sources are taken at a time as their labels fit into shared
 * memory, those of float64 as labels of float32, which find trees. */
static double passes(const struct model_question *q) {
    const struct features *const f = q->features;
    const double words = floor(q->gpu->shared / (sizeof(int32_t) * (double)f->n));
    return words >= STRIP_WORDS ? 1 : words >= 2 ? 2 : words >= 1 ? 4 : 6;
}

/* How many times as long wider labels make it. A first try with 16-bit labels, which is made if
 * weights allow it, may be lost. */
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
    /* A sweep also finds what is several edges away, if it visits those vertices in that order. */
    const double sweeps = sqrt(f->hops) + f->hops / 50;
    const double times = widening(f) * passes(q);
    const double ns =
        pair_ns +
        f->reach * times * (sweeps * (sweep_ns + edge_ns * light) + last_edge_ns * f->degree);
    return start_s + gpu_slower_instructions(q->gpu) * 1e-9 * ns * pairs;
}

/* Seconds for so many sources at a time. A thread takes a source, and makes one access to memory
 * after the other for a vertex and its edges. On a chain a vertex is queued once; the more ways
 * there are to it, the more often it is queued again. */
static double queues_seconds(double n, double degree, double sources, int multiprocessors) {
    const double access_s = 8e-7, threads_at_once = 1024; /* on a multiprocessor */
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

/* Label correcting, by either way, goes on until it has taken about as long as the blocked solver
 * would, which is known when a small share of the sources is done. Several GPUs have no blocked
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

const struct other_engines cuda_sparse_others = {choose_auto, NULL, auto_seconds};
