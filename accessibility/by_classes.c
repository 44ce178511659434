// SPDX-License-Identifier: MIT
#include "accessibility/by_classes.h"

#include "accessibility/decay_engine.h"  // struct decay_engine
#include "accessibility/decay_kernels.h" // decay_kernels
#include "classes/proportional.h"        // proportional_values
#include "common/base/block_sizes.h"     // block_sizes
#include "common/base/clock.h"           // clock_seconds
#include "common/base/exp_kernels.h"     // exp_kernels
#include "common/base/memory.h"          // memory_alloc
#include "elimination/tree_sources.h"    // tree_sources_list
#include "elimination/whole.h"           // whole_eliminate

#include <math.h>
#include <pthread.h>
#include <string.h>

/* Nanoseconds that a relaxation takes on one thread. */
static const double step_ns = 0.1;

/* Smaller regions than for totals, because here a label takes as long as a reference to a class. */
static const struct regions_options small_regions = {
    .leaf = 24, .ratio = 3, .worth = 150, .worth_width = 4};

struct decay_summing {
    const struct decay_kernels *kernels;
    const struct exp_kernels *factors_of;
    struct decays decays;
    int32_t factors; /* number of decays, with those that fill up vectors */
    double *mass;    /* masses of each position */
    double *rate;
    int32_t *source, *row; /* positions of the sources, ascending, and the row of each in the
                              answer */
};

static void take(const void *context, const path_length *label, int32_t rows,
                 const int32_t *position, int32_t count, double *sum) {
    const struct decay_summing *const s = context;
    s->kernels->take(&s->decays, label, rows, position, count, sum);
}

static void add(const void *context, const double *from, path_length constant, double *to) {
    enum { SOME = 64 }; /* number of decays at a time */
    const struct decay_summing *const s = context;
    const int32_t masses = s->decays.masses, decays = s->decays.decays;
    for (int32_t first = 0; first < s->factors; first += SOME) {
        const int32_t some = s->factors - first < SOME ? s->factors - first : SOME;
        double factor[SOME];
        s->factors_of->of_rates((double)constant, s->rate + first, some, factor);
        for (int32_t j = first; j < first + some && j < decays; j++) {
            const double by = factor[j - first];
            for (int32_t m = 0; m < masses; m++)
                to[(ptrdiff_t)j * masses + m] += by * from[(ptrdiff_t)j * masses + m];
        }
    }
}

/* Stores the masses in the order of positions, and the rates. */
static enum status take_request(const struct class_decays *c, const struct tree *tree,
                                struct decay_summing *s, struct error *err) {
    static const char what[] = "accessibility";
    const struct accessibility_request *const r = c->request;
    const size_t n = (size_t)tree->n, masses = (size_t)r->masses;
    void *memory;
    s->factors = exp_padded(r->decays);
    RETURN_ON_FAILURE(memory_alloc(&memory, n, masses * sizeof(double), what, err));
    s->mass = memory;
#pragma omp parallel for num_threads(c->threads) if (n * masses >                                  \
                                                     (size_t)block_sizes.thread_entries)
    for (size_t at = 0; at < n; at++)
        memcpy(s->mass + at * masses, r->mass + (size_t)tree->vertex[at] * masses,
               masses * sizeof(double));
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)s->factors, sizeof(double), what, err));
    s->rate = memory;
    for (int32_t j = 0; j < s->factors; j++)
        s->rate[j] = j < r->decays ? decay_rate(c->unit, r->decay[j]) : 0;
    s->decays = (struct decays){r->masses, r->decays, s->mass, s->rate};
    return STATUS_OK;
}

/* Lists the positions of the sources, ascending, and the row of each in the answer. */
static enum status take_sources(const struct row_sources *sources, const struct tree *tree,
                                int threads, struct decay_summing *s, struct error *err) {
    const size_t count = (size_t)sources->count;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, 2 * count, sizeof(int32_t), "the sources", err));
    s->source = memory;
    s->row = s->source + count;
    return tree_sources_list(tree, sources, threads, s->source, s->row, err);
}

/* Finds the sums on the CPU, or predicts what that takes. */
static enum status find_on_cpu(struct class_decays *c, const struct decay_summing *s,
                               const struct proportional_graph *g, double *decayed, bool *done,
                               struct error *err) {
    const struct accessibility_request *const r = c->request;
    const int32_t numbers = r->masses * r->decays;
    /* Costs in relaxations, each of which is about four instructions of a vector lane of 32
     * bits. */
    const struct row_values values = {.context = s,
                                      .width = numbers,
                                      .take = take,
                                      .add = add,
                                      .take_steps = 20 * r->decays + numbers,
                                      .add_steps = 200 + numbers};
    const struct proportional_options options = {.threads = c->threads,
                                                 .isa = c->isa,
                                                 .progress = r->progress,
                                                 .counts = r->limits == 0,
                                                 .values = &values,
                                                 .cut = c->cut != NULL ? c->cut : &small_regions};
    struct proportional p = {.prove_s = 0};
    double steps = 0;
    enum status status;
    TRY(proportional_open(&p, g, &options, err));
    if (c->only_predicts || !isinf(c->other_s)) {
        TRY(proportional_steps(&p, s->source, r->sources.count, &steps, err));
        c->seconds = steps * step_ns * 1e-9 / c->threads;
        if (c->only_predicts || c->seconds > c->other_s)
            goto cleanup;
    }
    TRY(proportional_values(&p, s->source, s->row, r->sources.count, decayed, err));
    *done = true;

cleanup:
    proportional_close(&p);
    return status;
}

static bool is_for_gpu(const struct class_decays *c) {
    const struct accessibility_request *const r = c->request;
    return c->engine != NULL && decays_pay_for_start(r->sources.count, r->masses * r->decays);
}

/* Finds the sums on a GPU, or predicts what that takes. After a failure, *decayed is zeroed as
 * before. */
static enum status find_on_gpu(struct class_decays *c, const struct decay_summing *s,
                               const struct proportional_graph *g, double *decayed, bool *done,
                               struct error *err) {
    const struct accessibility_request *const r = c->request;
    const struct decay_task task = {.graph = g,
                                    .masses = r->masses,
                                    .decays = r->decays,
                                    .mass = s->mass,
                                    .rate = s->rate,
                                    .source = s->source,
                                    .row = s->row,
                                    .sources = r->sources.count,
                                    .threads = c->threads,
                                    .device = c->device,
                                    .progress = r->progress,
                                    .counts = r->limits == 0,
                                    .other_s = c->other_s,
                                    .cut = c->cut};
#ifdef LENGTH_F64
    const struct decay_finder *const finder = c->engine->of_float64;
#else
    const struct decay_finder *const finder = c->engine->of_int32;
#endif
    c->on_gpu = true;
    if (c->only_predicts)
        return finder->predict(&task, &c->seconds, err);
    const enum status status = finder->find(&task, decayed, done, err);
    if (status != STATUS_OK)
        memset(decayed, 0,
               (size_t)r->sources.count * (size_t)(r->masses * r->decays) * sizeof *decayed);
    return status;
}

static void *wake(void *self) {
    const struct class_decays *const c = self;
    c->engine->wake(c->device);
    return NULL;
}

/* Eliminates the graph while the GPU gets ready, if one is to be used. */
static enum status eliminate_and_wake(struct class_decays *c, struct whole *whole, bool *pays,
                                      struct error *err) {
    const struct whole_options how = {.threads = c->threads,
                                      .isa = c->isa,
                                      .other_s = c->other_s,
                                      .sources = c->request->sources.count};
    pthread_t waking;
    const bool wakes = is_for_gpu(c) && pthread_create(&waking, NULL, wake, c) == 0;
    const enum status status =
        whole_eliminate(c->graph, &how, c->request->progress, whole, pays, err);
    if (wakes)
        pthread_join(waking, NULL);
    return status;
}

enum status decays_by_classes(struct class_decays *c, double *decayed, bool *done,
                              struct error *err) {
    const double begin = clock_seconds();
    struct decay_summing s = {.kernels = decay_kernels(c->isa), .factors_of = exp_kernels(c->isa)};
    struct whole whole;
    bool pays;
    enum status status;
    *done = c->on_gpu = false;
    c->seconds = (double)INFINITY;
    TRY(eliminate_and_wake(c, &whole, &pays, err));
    if (!pays)
        goto cleanup;
    const struct dissection *const d = &whole.dissection;
    TRY(take_request(c, &d->tree, &s, err));
    TRY(take_sources(&c->request->sources, &d->tree, c->threads, &s, err));
    const struct proportional_graph g = {&d->tree, &d->structure, d->lengths};
    status = STATUS_NO_RESOURCE;
    if (is_for_gpu(c))
        status = find_on_gpu(c, &s, &g, decayed, done, err);
    if (status == STATUS_NO_RESOURCE) {
        c->on_gpu = false;
        status = find_on_cpu(c, &s, &g, decayed, done, err);
    }

cleanup:
    if (c->only_predicts && !isinf(c->seconds))
        c->seconds += clock_seconds() - begin;
    whole_free(&whole);
    memory_free(s.mass);
    memory_free(s.rate);
    memory_free(s.source);
    return status;
}
