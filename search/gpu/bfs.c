// SPDX-License-Identifier: MIT
#include "search/gpu/bfs.h"

#include "gpu/gpu_model.h"          // gpu_slower_instructions
#include "gpu/gpu_solver.h"         // gpu_turn_begin, struct gpu_traits
#include "search/gpu/bfs_kernels.h" // BFS_MOST_LEVELS

#include <math.h>

/* Estimates the number of levels. A look at the structure that stops early has seen half of
 * them. */
static double levels_expected(const struct features *f) {
    const double beside = 0.4; /* as measured: more levels of a hop for each unit of weight beyond
                                  the first */
    const bool equal = features_have_equal_weights(f);
    if (f->deep && !equal)
        return fmax(4, f->longest * (double)f->steps / f->max_weight);
    return fmax(4, (f->deep ? f->hops : 2 * f->hops) * (equal ? 1 : 1 + beside * (f->steps - 1)));
}

double cuda_sparse_bfs_seconds(const struct solver_variant *variant,
                               const struct model_question *q) {
    /* As measured on an H100: a batch takes some time for each level, vertex and edge, however many
     * of its sources are in use. */
    const double begin_s = 2e-3, level_s = 1.5e-5, vertex_ps = 1.2, edge_ps = 0.12;
    const double sources = 1024;
    const struct features *const f = q->features;
    const double levels = levels_expected(f);
    if (!q->totals || !solver_is_for_weights(variant, f) ||
        (!features_have_equal_weights(f) && levels > BFS_MOST_LEVELS))
        return 1.1 * variant->others->seconds(q);
    const double batches = ceil(ceil(model_rows(q) / sources) / fmax(1, q->gpus));
    const double vertices_s = 1e-12 * sources * f->n * (vertex_ps + edge_ps * f->degree);
    return begin_s + batches * (levels * level_s +
                                gpu_slower_instructions(q->gpu) * vertices_s * fmax(1, levels / 8));
}

double cuda_sparse_bfs_proof_seconds(const struct solver_variant *variant,
                                     const struct model_question *q) {
    return 2 * cuda_sparse_bfs_seconds(variant, q);
}

#ifdef APSP_NO_CUDA

enum status cuda_sparse_bfs_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err) {
    return gpu_solve(variant, task, times, err); /* reports that this build has no CUDA */
}

#else

#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/graph/limit.h"       // limit_no_path
#include "common/graph/weight_unit.h" // weight_unit
#include "gpu/gpu_hands.h"            // gpu_hands_work
#include "gpu/gpu_room.h"             // gpu_room_find
#include "gpu/launch/gpu_error.h"     // gpu_check
#include "measures/reciprocals.h"     // reciprocal_parts
#include "search/cpu/bfs_target.h"    // bfs_target_agree
#include "search/gpu/bfs_device.h"
#include "solve/delivery.h" // struct delivery
#include "solve/solve.h"    // solve_task

#include <string.h>

struct gpu_bfs_solve;

/* One of the GPUs of a solve. */
struct bfs_gpu {
    struct gpu_bfs_solve *solve;
    int number; /* number of the device */
    struct bfs_device device;
    size_t free, all; /* bytes of its free memory, and of all its memory, before the solve */
};

/* A solve, on one GPU or several. */
struct gpu_bfs_solve {
    const struct solver_task *task;
    struct cuda_bfs_report *report;
    struct bfs_graph graph;
    struct bfs_search search;
    int32_t unit;  /* distance of level 1 */
    int32_t steps; /* largest weight, in levels */
    /* Shared by all GPUs, which read and write by atomic operations: */
    bool gives_up; /* some batch has too many levels, or is not proved */
    bool stops;    /* some GPU has failed */
    int32_t done;  /* number of sources that are done */

    int32_t *position;                        /* row of the answer of each source */
    struct gpu_room room;                     /* memory that this process may use if several share a
                                                 GPU; zeroed otherwise */
    struct row_totals *out;                   /* totals of rows by position in the answer */
    struct row_totals *in;                    /* totals of columns by vertex; NULL: not wanted */
    struct bfs_distance distance[BFS_LEVELS]; /* distance of each level */
    int64_t bin[BFS_BINS]; /* bin[k]: number of distances d with d >> shift == k */
    int shift;
    double transfer_s; /* seconds that the slowest GPU spent on copies */
    struct bfs_gpu *gpu;
    int count;                                 /* number of GPUs */
    struct gpu_hand hand[SOLVER_MAX_TOGETHER]; /* host thread of each GPU */
};

/* Finds the distance of one level, and the largest weight in levels; 0: too large, or weights are
 * not whole numbers. */
static void find_unit(struct gpu_bfs_solve *s) {
    const struct graph *const g = s->task->graph;
    if (g->type != NUMBER_INT32 || g->m == 0)
        return;
    s->unit = (int32_t)weight_unit(g);
    s->steps = s->unit > 0 ? (int32_t)g->max_weight / s->unit : 0;
}

/* Returns whether the answer consists of totals of rows, which is all that this engine finds. */
static bool may_count(const struct gpu_bfs_solve *s) {
    enum { RECIPROCALS = 1 << (62 - RECIPROCAL_HIGH_BITS) };
    const struct graph *const g = s->task->graph;
    const struct delivery *const d = s->task->delivery;
    const int64_t sets = (int64_t)g->n * (s->steps + 1); /* number of sets of new sources */
    return s->steps > 0 && sets <= INT32_MAX && delivery_takes_totals_within(d) &&
           (d->sink->proves == NULL || delivery_may_prove(d)) &&
           (d->sink->spares_reciprocals || g->n < RECIPROCALS);
}

/* Sorts the sources by their numbers. The caller frees *memory. */
static enum status arrange(struct gpu_bfs_solve *s, void **memory, struct error *err) {
    const struct row_sources *const wanted = &s->task->delivery->sources;
    const int32_t n = s->graph.n, count = wanted->count;
    RETURN_ON_FAILURE(
        memory_alloc(memory, (size_t)n + 2 * (size_t)count, sizeof(int32_t), "the sources", err));
    int32_t *const number = *memory, *const vertex = number + n;
    s->position = vertex + count;
    RETURN_ON_FAILURE(bfs_graph_arrange(&s->graph, wanted, vertex, s->position, err));
    for (int32_t k = 0; k < n; k++)
        number[k] = -1;
    for (int32_t k = 0; k < count; k++) {
        number[vertex[k]] = k;
        vertex[k] = row_source(wanted, s->position[k]);
    }
    s->search.number = number;
    s->search.vertex = vertex;
    s->search.sources = count;
    return STATUS_OK;
}

static bool is_set(const bool *flag) {
    return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static void set(bool *flag) {
    __atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

/* Claims the next sources, and counts that each source reaches itself. Returns their number. */
static int32_t claim(struct gpu_bfs_solve *s, int32_t *first) {
    const int32_t count = delivery_next(s->task->delivery, BFS_SOURCES, first);
    for (int32_t k = *first; k < *first + count; k++) {
        s->out[s->position[k]].reached = 1;
        if (s->in != NULL)
            s->in[s->search.vertex[k]].reached = 1;
    }
    return count;
}

/* Returns whether all sources from place `first` on have no out-edges. Sources with the fewest
 * edges come last. */
static bool all_are_alone(const struct gpu_bfs_solve *s, int32_t first) {
    const struct bfs_graph *const g = &s->graph;
    const int64_t *const out =
        &g->first_out[(int64_t)g->number[s->search.vertex[first]] * g->steps];
    return out[0] == out[g->steps];
}

static enum status search_part(void *self, struct error *err) {
    struct bfs_gpu *const gpu = self;
    struct gpu_bfs_solve *const s = gpu->solve;
    struct progress *const progress = s->task->progress;
    bool complete;
    int32_t first, count;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemGetInfo(&gpu->free, &gpu->all), "asking for its free memory", err));
    gpu->device.memory.room = s->room;
    RETURN_ON_FAILURE(bfs_device_open(&gpu->device, &s->search, &complete, err));
    while (complete && !is_set(&s->gives_up) && !is_set(&s->stops) &&
           (count = claim(s, &first)) > 0) {
        if (!progress_goes_on(progress))
            return progress_cancelled(err);
        if (s->search.proves != NULL || !all_are_alone(s, first))
            RETURN_ON_FAILURE(bfs_device_search(&gpu->device, first, &complete, err));
        const int32_t done = __atomic_add_fetch(&s->done, count, __ATOMIC_RELAXED);
        if (gpu == s->gpu)
            progress_report(progress, done, s->search.sources);
    }
    if (!complete)
        set(&s->gives_up);
    return STATUS_OK;
}

static void end_part(void *self, enum status status) {
    const struct bfs_gpu *const gpu = self;
    if (status != STATUS_OK)
        set(&gpu->solve->stops);
}

/* Searches from all sources on all GPUs. */
static enum status search_together(struct gpu_bfs_solve *s, struct error *err) {
    const struct solver_options *const options = s->task->options;
    const struct delivery *const delivery = s->task->delivery;
    for (int k = 0; k < s->count; k++) {
        s->gpu[k] =
            (struct bfs_gpu){.solve = s, .number = k == 0 ? options->device : options->devices[k]};
        s->hand[k] = (struct gpu_hand){.device = s->gpu[k].number,
                                       .work = search_part,
                                       .on_end = end_part,
                                       .self = &s->gpu[k]};
    }
    if (options->on_devices != NULL)
        options->on_devices(options->callback_context, s->count);
    if (s->count > 1)
        return gpu_hands_work(s->hand, s->count, err);
    const enum status status = search_part(s->gpu, err);
    if (status != STATUS_OK && delivery->ranks != NULL)
        claims_stop(delivery->ranks);
    return delivery->ranks == NULL || status == STATUS_CANCELLED
               ? status
               : gpu_blame(options->device, status, err);
}

/* Makes a GPU current. A failure is not reported, because earlier calls have reported theirs. */
static void select_gpu(int number) {
    if (cudaSetDevice(number) != cudaSuccess)
        (void)cudaGetLastError();
}

/* Closes all GPUs. If the solve has succeeded, reports the use of their memory. */
static void close_gpus(const struct gpu_bfs_solve *s, bool succeeded) {
    const struct solver_options *const options = s->task->options;
    for (int k = s->count - 1; k >= 0; k--) { /* the first GPU is current in the end */
        struct bfs_gpu *const gpu = &s->gpu[k];
        const struct gpu_memory memory = {.device = gpu->number,
                                          .needed = gpu->device.memory.most,
                                          .free = gpu->free,
                                          .all = gpu->all};
        if (succeeded && options->on_memory != NULL)
            options->on_memory(options->callback_context, &memory);
        if (s->count > 1)
            select_gpu(gpu->number);
        bfs_device_close(&gpu->device);
    }
}

/* Finds the distance of each level, and the width of bins that suits the largest. */
static void find_distances(struct gpu_bfs_solve *s) {
    for (int32_t level = 0; level < BFS_LEVELS; level++) {
        const int64_t exact = (int64_t)level * s->unit;
        struct bfs_distance *const d = &s->distance[level];
        d->distance = exact < INF ? (int32_t)exact : INF;
        if (level > 0 && !s->task->delivery->sink->spares_reciprocals)
            reciprocal_parts(d->distance, &d->high, &d->low);
    }
    for (int k = 0; k < s->count; k++) {
        const int32_t deepest = s->gpu[k].device.deepest;
        s->report->levels = deepest > s->report->levels ? deepest : s->report->levels;
    }
    while (s->distance[s->report->levels].distance >> s->shift >= BFS_BINS)
        s->shift++;
}

/* Adds up the counts of all GPUs. */
static enum status add_up(struct gpu_bfs_solve *s, struct error *err) {
    const size_t n = (size_t)s->graph.n; /* enough for the counts, since there are at most n
                                            sources */
    int64_t pairs[BFS_LEVELS] = {0};
    void *memory;
    enum status status = STATUS_OK;
    find_distances(s);
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof(uint32_t), "the counts of a level", err));
    for (int k = s->count - 1; k >= 0; k--) { /* the first GPU is current in the end */
        const struct bfs_device *const d = &s->gpu[k].device;
        if (s->count > 1)
            TRY(gpu_check(cudaSetDevice(s->gpu[k].number), "selecting the device", err));
        if (s->search.by_source)
            TRY(bfs_device_add_sources(d, s->distance, s->position, s->out, pairs, memory, err));
        else
            TRY(bfs_device_add_targets(d, s->distance, s->out, pairs, memory, err));
        if (s->in != NULL && s->search.by_source)
            TRY(bfs_device_add_targets(d, s->distance, s->in, NULL, memory, err));
    }
    if (s->in != NULL && !s->search.by_source)
        memcpy(s->in, s->out, n * sizeof *s->in);
    if (s->task->delivery->sink->spares_reciprocals) /* the histogram is not wanted either then */
        goto cleanup;
    for (int32_t k = 0; k < s->search.sources; k++)
        s->bin[0] += s->out[k].reached > 0;
    for (int32_t level = 1; level < BFS_LEVELS; level++)
        s->bin[s->distance[level].distance >> s->shift] += pairs[level];
cleanup:
    memory_free(memory);
    return status;
}

/* Finds the largest distance of this process, and the lowest source that has it; -1: no source. */
static void find_largest(const struct gpu_bfs_solve *s, struct answer_totals *totals) {
    totals->from = -1;
    for (int32_t k = 0; k < s->search.sources; k++) {
        const struct row_totals *const row = &s->out[s->position[k]];
        const int32_t vertex = s->search.vertex[k];
        if (row->reached > 0 && (totals->from < 0 || row->farthest > totals->largest ||
                                 (row->farthest == totals->largest && vertex < totals->from))) {
            totals->largest = row->farthest;
            totals->from = vertex;
        }
    }
}

/* Hands on the totals of all processes. Sets s->gives_up if rows are wanted after all. */
static enum status hand_on(struct gpu_bfs_solve *s, struct error *err) {
    struct delivery *const delivery = s->task->delivery;
    struct answer_totals totals = {.out = s->out, .in = s->in, .count = s->bin, .bins = BFS_BINS};
    bool complete = !s->gives_up;
    RETURN_ON_FAILURE(ranks_all(ranks_or_alone(delivery->ranks), &complete, err));
    if (complete) {
        RETURN_ON_FAILURE(add_up(s, err));
        totals.shift = s->shift;
        find_largest(s, &totals);
        RETURN_ON_FAILURE(bfs_target_agree(delivery, s->task->graph, s->steps == 1 ? s->unit : 0,
                                           &totals, &complete, err));
    }
    totals.proved = s->search.proves != NULL && complete;
    s->gives_up = !complete || !delivery_take_totals(delivery, &totals);
    s->report->counted = !s->gives_up;
    s->report->proved = totals.proved && !s->gives_up;
    return STATUS_OK;
}

/* Counts rows on the GPUs, and hands on their totals. */
static enum status count_rows(struct gpu_bfs_solve *s, struct error *err) {
    const struct solver_options *const options = s->task->options;
    struct delivery *const delivery = s->task->delivery;
    const size_t n = (size_t)s->task->graph->n, sources = (size_t)delivery->sources.count;
    const int batches = (int)((sources - 1) / BFS_SOURCES + 1);
    const int listed = options->device_count > 1 ? options->device_count : 1;
    void *out = NULL, *in = NULL, *arranged = NULL, *gpus = NULL;
    double prove_s = 0;
    enum status status;
    TRY(delivery_begin(delivery, 1, err));
    TRY(memory_alloc(&out, sources, sizeof *s->out, "the totals", err));
    memset(out, 0, sources * sizeof *s->out); /* rows of other processes stay 0 */
    s->out = out;
    if (delivery->sink->wants_columns) {
        TRY(memory_alloc(&in, n, sizeof *s->in, "the totals of columns", err));
        memset(in, 0, n * sizeof *s->in);
        s->in = in;
    }
    TRY(memory_alloc(&gpus, (size_t)(batches < listed ? batches : listed), sizeof *s->gpu,
                     "the GPUs", err));
    s->gpu = gpus;
    TRY(bfs_graph_make_by_steps(&s->graph, s->task->graph, s->unit, s->steps, options->threads,
                                err));
    TRY(arrange(s, &arranged, err));
    /* A row of an undirected graph is also a column, whose totals need no extra work. */
    s->search.by_source =
        !s->graph.undirected || delivery->sources.source != NULL || delivery->ranks != NULL;
    s->search.by_vertex = !s->search.by_source || in != NULL;
    s->search.graph = &s->graph;
    s->search.proves = delivery->sink->proves;
    s->search.unit = s->unit;
    s->search.last = (limit_no_path(s->task->limit) - 1) / s->unit;
    s->count = batches < listed ? batches : listed;
    TRY(search_together(s, err));
    for (int k = 0; k < s->count; k++) {
        prove_s = fmax(prove_s, s->gpu[k].device.prove_s);
        s->transfer_s = fmax(s->transfer_s, s->gpu[k].device.memory.transfer_s);
    }
    TRY(hand_on(s, err));
    delivery_count_proof(delivery, prove_s);
    status = delivery_end(delivery, err);
cleanup:
    close_gpus(s, status == STATUS_OK);
    bfs_graph_free(&s->graph);
    memory_free(gpus);
    memory_free(arranged);
    memory_free(out);
    memory_free(in);
    return status;
}

/* Counts rows during a turn on the devices. */
static enum status count_in_turn(struct gpu_bfs_solve *s, struct solver_times *times,
                                 struct error *err) {
    const struct ranks *const ranks = s->task->delivery->ranks;
    const double start = clock_seconds();
    struct solver_options first = *s->task->options;
    struct gpu_turn turn;
    enum status status = STATUS_OK;
    first.device_count = 0;
    RETURN_ON_FAILURE(gpu_turn_begin(&turn, &first, err));
    const double began = clock_seconds();
    if (ranks != NULL)
        status = gpu_room_find(first.device, ranks, &s->room, err);
    if (status == STATUS_OK)
        status = count_rows(s, err);
    gpu_turn_end(&turn);
    *times->solve_s = clock_seconds() - began - delivery_sink_seconds(s->task->delivery);
    times->around_s = began - start;
    times->transfer_s = s->transfer_s;
    return status;
}

enum status cuda_bfs_solve(const struct other_engines *others, const struct solver_task *task,
                           struct cuda_bfs_report *report, struct solver_times *times,
                           struct error *err) {
    struct gpu_bfs_solve s = {.task = task, .report = report};
    const struct solver_options *const options = task->options;
    const struct solver_variant *best;
    struct solver_task once = *task;
    double lost_s = 0;
    *report = (struct cuda_bfs_report){0};
    find_unit(&s);
    s.gives_up = !may_count(&s);
    if (!s.gives_up) {
        RETURN_ON_FAILURE(count_in_turn(&s, times, err));
        if (!s.gives_up)
            return STATUS_OK;
        lost_s = *times->solve_s;
        RETURN_ON_FAILURE(delivery_claim_anew(task->delivery, err));
    }
    once.repetitions = 1;
    RETURN_ON_FAILURE(others->choose(task->graph, task->delivery->sources.count, options,
                                     task->predecessors, &best, err));
    RETURN_ON_FAILURE(solve_task(best, &once, times, err));
    *times->solve_s += lost_s;
    if (options->on_choice != NULL)
        options->on_choice(options->callback_context, best->name,
                           "bfs counts the rows of graphs with few levels whose weights are "
                           "small multiples of one number");
    return STATUS_OK;
}

enum status cuda_sparse_bfs_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err) {
    struct cuda_bfs_report report;
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        double solve_s = 0;
        struct solver_times once = {.solve_s = &solve_s};
        RETURN_ON_FAILURE(cuda_bfs_solve(variant->others, task, &report, &once, err));
        if (r >= 0)
            times->solve_s[r] = solve_s;
        times->around_s = once.around_s;
        times->transfer_s = once.transfer_s;
        times->phases = once.phases;
    }
    return STATUS_OK;
}

#endif
