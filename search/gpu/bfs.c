// SPDX-License-Identifier: MIT
#include "search/gpu/bfs.h"

#include "gpu/gpu_model.h"  // gpu_slower_instructions, gpu_model_rows
#include "gpu/gpu_solver.h" // gpu_turn_begin, struct gpu_traits

#include <math.h>

double cuda_sparse_bfs_seconds(const struct solver_variant *variant,
                               const struct model_question *q) {
    /* Measured on an H100: a batch takes some time for each level, vertex and edge. */
    const double begin_s = 2e-3, level_s = 1.5e-5, vertex_ps = 1.2, edge_ps = 0.12, batch = 1024;
    const struct features *const f = q->features;
    if (!q->totals || !features_have_equal_weights(f))
        return 1.1 * variant->others->seconds(q);
    const double n = f->n, levels = fmax(4, f->deep ? f->hops : 2 * f->hops);
    const double pairs_s = 1e-12 * n * n * (vertex_ps + edge_ps * f->degree);
    return begin_s + ceil(n / batch) * levels * level_s +
           gpu_slower_instructions(q->gpu) * pairs_s * fmax(1, levels / 8);
}

double cuda_sparse_bfs_proof_seconds(const struct solver_variant *variant,
                                     const struct model_question *q) {
    return 2 * cuda_sparse_bfs_seconds(variant, q);
}

#ifdef APSP_NO_CUDA

enum status cuda_sparse_bfs_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err) {
    return gpu_solve(variant, task, times, err); /* says that there is no CUDA */
}

#else

#include "certificate/gpu/gpu_level_proof.h"
#include "common/base/clock.h"      // clock_seconds
#include "common/base/memory.h"     // memory_alloc
#include "gpu/device_memory.h"      // device_memory_alloc
#include "gpu/launch/gpu_error.h"   // gpu_check
#include "measures/reciprocals.h"   // reciprocal_parts
#include "search/cpu/bfs_graph.h"   // bfs_graph_make
#include "search/cpu/bfs_target.h"  // bfs_target_find
#include "search/gpu/bfs_kernels.h" // gpu_bfs_level
#include "solve/delivery.h"         // struct delivery
#include "solve/solve.h"            // solve_task

#include <string.h>

enum { BINS = 1024, LEVELS = BFS_MOST_LEVELS + 1 };

/* One solve. */
struct gpu_bfs_solve {
    const struct solver_task *task;
    struct cuda_bfs_report *report;
    struct bfs_graph graph;
    struct device_memory memory;
    struct gpu_bfs search;
    struct gpu_level_proof proof; /* ready if levels are proved */
    int32_t weight;
    int32_t deepest; /* level at which something was new, of all batches so far */
    bool gives_up;   /* there are too many levels, or some are not proved */
    cudaEvent_t before_proof[LEVELS], after_proof[LEVELS]; /* of each level of a batch */
    double prove_s;                                        /* seconds of proofs */
    uint32_t *level_counts;                                /* n: of a level, from the device */
    struct row_totals *out, *in; /* by vertex; in NULL: nobody wants them */
    int64_t bin[BINS];           /* distances d with d >> shift == k */
    int shift;
};

/* Returns whether the answer is what this engine gives: totals of all rows. */
static bool may_count(const struct solver_task *task) {
    enum { RECIPROCALS = 1 << (62 - RECIPROCAL_HIGH_BITS) };
    const struct graph *const g = task->graph;
    const struct delivery *const d = task->delivery;
    return g->type == NUMBER_INT32 && g->m > 0 && g->min_weight == g->max_weight &&
           g->min_weight > 0 && task->potential == NULL && d->ranks == NULL &&
           d->sources.count == g->n && d->sources.source == NULL && delivery_takes_totals(d) &&
           (d->sink->proves == NULL || delivery_may_prove(d)) &&
           (d->sink->spares_reciprocals || g->n < RECIPROCALS);
}

static enum status alloc(struct gpu_bfs_solve *s, void **memory, size_t bytes, struct error *err) {
    return device_memory_alloc(&s->memory, memory, bytes, "allocating sets of sources", err);
}

/* Lists the vertices that blocks take, and the units that warps take: neighbouring vertices of
 * about as many edges. */
static enum status upload_units(struct gpu_bfs_solve *s, const int64_t *first, struct error *err) {
    const int32_t n = s->graph.n;
    const int64_t share = s->graph.m >> 16; /* so that there are enough for all warps, */
    const int64_t edges = share < 64 ? 64 : share > 512 ? 512 : share; /* and not too many */
    struct gpu_bfs *const b = &s->search;
    const void *hubs, *units;
    void *memory = NULL, *listed = NULL;
    int64_t taken = 0;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)n, sizeof(int32_t), "the vertices of many edges", err));
    TRY(memory_alloc(&listed, (size_t)n, sizeof(struct bfs_unit), "the units of work", err));
    int32_t *const hub = memory;
    struct bfs_unit *const unit = listed;
    b->hubs = b->units = 0;
    for (int32_t k = 0; k < n; k++) {
        const int64_t own = first[k + 1] - first[k];
        if (own >= BFS_HUB) {
            hub[b->hubs++] = k;
        } else if (own > 0) {
            if (b->units == 0 || unit[b->units - 1].word != k / 32 || taken + own > edges) {
                unit[b->units++] = (struct bfs_unit){.word = k / 32};
                taken = 0;
            }
            unit[b->units - 1].vertices |= (uint32_t)1 << k % 32;
            taken += own;
        }
    }
    TRY(device_memory_upload(&s->memory, hub, (size_t)b->hubs, sizeof *hub, &hubs, err));
    TRY(device_memory_upload(&s->memory, unit, (size_t)b->units, sizeof *unit, &units, err));
    b->hub = hubs;
    b->unit = units;
cleanup:
    memory_free(memory);
    memory_free(listed);
    return status;
}

/* Uploads edges: those into each vertex or, of the reversed graph, out of it. */
static enum status upload(struct gpu_bfs_solve *s, bool reversed, struct error *err) {
    const struct bfs_graph *const g = &s->graph;
    const int64_t *const first = reversed ? g->first_out : g->first_in;
    const void *starts, *tails;
    RETURN_ON_FAILURE(
        device_memory_upload(&s->memory, first, (size_t)g->n + 1, sizeof *first, &starts, err));
    RETURN_ON_FAILURE(device_memory_upload(&s->memory, reversed ? g->head : g->tail, (size_t)g->m,
                                           sizeof *g->tail, &tails, err));
    s->search.first = starts;
    s->search.tail = tails;
    return upload_units(s, first, err);
}

static enum status allocate(struct gpu_bfs_solve *s, struct error *err) {
    const size_t n = (size_t)s->graph.n, sets = n * BFS_SET_WORDS * sizeof(uint32_t);
    struct gpu_bfs *const b = &s->search;
    b->n = s->graph.n;
    b->words = (n + 31) / 32;
    RETURN_ON_FAILURE(alloc(s, (void **)&b->seen, sets, err));
    RETURN_ON_FAILURE(alloc(s, (void **)&b->fresh[0], sets, err));
    RETURN_ON_FAILURE(alloc(s, (void **)&b->fresh[1], sets, err));
    RETURN_ON_FAILURE(alloc(s, (void **)&b->active, LEVELS * b->words * sizeof(uint32_t), err));
    RETURN_ON_FAILURE(alloc(s, (void **)&b->open, b->words * sizeof(uint32_t), err));
    RETURN_ON_FAILURE(alloc(s, (void **)&b->any, LEVELS * sizeof(int32_t), err));
    return alloc(s, (void **)&b->count, LEVELS * n * sizeof(uint32_t), err);
}

/* Launches a level and, unless none is wanted, its proof. */
static enum status launch_level(struct gpu_bfs_solve *s, int32_t source, int32_t level,
                                struct error *err) {
    struct gpu_bfs *const b = &s->search;
    if (level == 0)
        RETURN_ON_FAILURE(gpu_bfs_begin(b, source, err));
    else
        RETURN_ON_FAILURE(gpu_bfs_level(b, level, err));
    if (!s->proof.is_ready)
        return STATUS_OK;
    const struct gpu_level checked = {
        .source = source,
        .level = level,
        .before = level > 0 ? b->fresh[(level - 1) % 2] : NULL,
        .before_active = level > 0 ? b->active + (size_t)(level - 1) * b->words : NULL,
        .own = b->fresh[level % 2],
        .own_active = b->active + (size_t)level * b->words,
    };
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->before_proof[level], NULL), "proving", err));
    RETURN_ON_FAILURE(gpu_level_proof_take(&s->proof, &checked, err));
    return gpu_check(cudaEventRecord(s->after_proof[level], NULL), "proving", err);
}

/* Ends the proof of a batch of so many levels. */
static enum status end_proof(struct gpu_bfs_solve *s, int32_t levels, bool *proved,
                             struct error *err) {
    RETURN_ON_FAILURE(gpu_level_proof_end(&s->proof, proved, err));
    for (int32_t level = 0; level < levels; level++) {
        float ms;
        RETURN_ON_FAILURE(
            gpu_check(cudaEventElapsedTime(&ms, s->before_proof[level], s->after_proof[level]),
                      "proving", err));
        s->prove_s += 1e-3 * ms;
    }
    return STATUS_OK;
}

/* Creates the events that time proofs, or destroys them. */
static enum status create_events(struct gpu_bfs_solve *s, struct error *err) {
    for (int level = 0; level < LEVELS; level++) {
        RETURN_ON_FAILURE(
            gpu_check(cudaEventCreate(&s->before_proof[level]), "creating an event", err));
        RETURN_ON_FAILURE(
            gpu_check(cudaEventCreate(&s->after_proof[level]), "creating an event", err));
    }
    return STATUS_OK;
}

static void destroy_events(struct gpu_bfs_solve *s) {
    for (int level = 0; level < LEVELS; level++) {
        if (s->before_proof[level] != NULL)
            cudaEventDestroy(s->before_proof[level]);
        if (s->after_proof[level] != NULL)
            cudaEventDestroy(s->after_proof[level]);
    }
}

/* A batch. As many levels as another batch had are launched without a look at what they find. */
static enum status count_batch(struct gpu_bfs_solve *s, int32_t source, struct error *err) {
    int32_t any[LEVELS], launched = -1;
    do {
        const int32_t to = launched < 0 ? s->deepest + 1 : launched + 1;
        while (launched < to) {
            launched++;
            RETURN_ON_FAILURE(launch_level(s, source, launched, err));
        }
        RETURN_ON_FAILURE(gpu_check(
            cudaMemcpy(any, s->search.any, sizeof any, cudaMemcpyDeviceToHost), "searching", err));
    } while (launched < BFS_MOST_LEVELS && any[launched] != 0);
    for (int32_t level = 0; level <= launched; level++)
        s->deepest = any[level] != 0 && level > s->deepest ? level : s->deepest;
    bool proved = true;
    if (s->proof.is_ready)
        RETURN_ON_FAILURE(end_proof(s, launched + 1, &proved, err));
    s->gives_up = any[launched] != 0 || !proved;
    return STATUS_OK;
}

/* Adds up what was counted of each vertex; the histogram, of the first call only. */
static enum status add_up(struct gpu_bfs_solve *s, struct row_totals *to, bool counts,
                          struct error *err) {
    const int32_t n = s->graph.n;
    const bool spares = s->task->delivery->sink->spares_reciprocals;
    const uint32_t *const counted = s->proof.is_ready ? s->proof.count : s->search.count;
    /* A proof counts by vertex. */
    const int32_t *const vertex = s->proof.is_ready ? NULL : s->graph.vertex;
    for (int32_t v = 0; v < n; v++)
        to[v] = (struct row_totals){.reached = 1};
    while ((int64_t)s->deepest * s->weight >> s->shift >= BINS)
        s->shift++;
    s->bin[0] += counts && !spares ? n : 0;
    for (int32_t level = 1; level <= s->deepest; level++) {
        const int64_t exact = (int64_t)level * s->weight;
        const int32_t distance = exact < INF ? (int32_t)exact : INF;
        int64_t high = 0, low = 0, pairs = 0;
        if (!spares)
            reciprocal_parts(distance, &high, &low);
        RETURN_ON_FAILURE(gpu_check(cudaMemcpy(s->level_counts, counted + (size_t)level * (size_t)n,
                                               (size_t)n * sizeof *counted, cudaMemcpyDeviceToHost),
                                    "copying counts", err));
        for (int32_t k = 0; k < n; k++) {
            const uint32_t count = s->level_counts[k];
            struct row_totals *const total = &to[vertex != NULL ? vertex[k] : k];
            if (count == 0)
                continue;
            total->sum += (int64_t)count * distance;
            total->high += count * high;
            total->low += count * low;
            total->reached += (int32_t)count;
            total->farthest = distance;
            pairs += count;
        }
        if (counts && !spares)
            s->bin[distance >> s->shift] += pairs;
    }
    return STATUS_OK;
}

static bool has_no_edges(const struct bfs_graph *g, int32_t k) {
    return g->first_in[k] == g->first_in[k + 1] && g->first_out[k] == g->first_out[k + 1];
}

/* Finds the totals of each vertex over what reaches it or, of the reversed graph, over what it
 * reaches. */
static enum status find_totals(struct gpu_bfs_solve *s, bool reversed, bool counts,
                               struct row_totals *to, struct error *err) {
    const struct graph *const proves = s->task->delivery->sink->proves;
    const int32_t n = s->graph.n;
    const int held = s->memory.count;
    struct graph turned = {0};
    const double start = clock_seconds();
    enum status status = STATUS_OK;
    TRY(upload(s, reversed, err));
    TRY(gpu_check(cudaMemset(s->search.count, 0, LEVELS * (size_t)n * sizeof(uint32_t)),
                  "forgetting counts", err));
    if (proves != NULL) {
        if (reversed)
            TRY(graph_reverse(proves, &turned, err));
        TRY(gpu_level_proof_open(&s->proof, reversed ? &turned : proves, s->graph.number, LEVELS,
                                 err));
        s->gives_up = !s->proof.is_ready;
        device_memory_count(&s->memory, s->proof.bytes);
    }
    s->prove_s += proves != NULL ? clock_seconds() - start : 0;
    /* Vertices without edges come last, and reach themselves. */
    int32_t linked = n;
    while (linked > 0 && !s->proof.is_ready && has_no_edges(&s->graph, linked - 1))
        linked--;
    for (int32_t source = 0; source < linked && !s->gives_up; source += BFS_SOURCES) {
        if (!progress_goes_on(s->task->progress))
            TRY(progress_cancelled(err));
        TRY(count_batch(s, source, err));
        progress_report(s->task->progress, source, linked);
    }
    if (!s->gives_up)
        TRY(add_up(s, to, counts, err));
cleanup:
    gpu_level_proof_close(&s->proof);
    graph_free(&turned);
    device_memory_free_since(&s->memory, held);
    return status;
}

/* Counts and hands on totals; s->gives_up: rows are wanted after all. */
static enum status count_rows(struct gpu_bfs_solve *s, struct error *err) {
    const struct solver_task *const task = s->task;
    struct delivery *const delivery = task->delivery;
    const size_t n = (size_t)task->graph->n;
    struct answer_totals totals = {.from = 0};
    void *out = NULL, *in = NULL, *counts = NULL;
    bool found = false;
    enum status status;
    TRY(delivery_begin(delivery, 1, err));
    TRY(memory_alloc(&out, n, sizeof *s->out, "the totals", err));
    TRY(memory_alloc(&counts, n, sizeof *s->level_counts, "the counts of a level", err));
    s->level_counts = counts;
    TRY(bfs_graph_make(&s->graph, task->graph, task->options->threads, err));
    TRY(allocate(s, err));
    if (delivery->sink->proves != NULL)
        TRY(create_events(s, err));
    const bool undirected = s->graph.undirected;
    TRY(find_totals(s, !undirected, true, out, err));
    if (delivery->sink->wants_columns && !s->gives_up) {
        TRY(memory_alloc(&in, n, sizeof *s->in, "the totals of columns", err));
        if (undirected)
            memcpy(in, out, n * sizeof *s->in);
        else
            TRY(find_totals(s, false, false, in, err));
    }
    if (s->gives_up)
        goto cleanup;
    totals.out = out;
    totals.in = in;
    for (int32_t v = 0; v < task->graph->n; v++) {
        if (totals.out[v].farthest > totals.largest) {
            totals.largest = totals.out[v].farthest;
            totals.from = v;
        }
    }
    totals.count = s->bin;
    totals.bins = BINS;
    totals.shift = s->shift;
    TRY(bfs_target_find(task->graph, s->weight, delivery->sink->proves, &totals, &found, err));
    totals.proved = delivery->sink->proves != NULL && found;
    s->gives_up = !found || !delivery_take_totals(delivery, &totals);
    s->report->counted = !s->gives_up;
    s->report->proved = totals.proved;
    s->report->levels = s->deepest;
    delivery_count_proof(delivery, s->prove_s);
    status = delivery_end(delivery, err);
cleanup:
    destroy_events(s);
    memory_free(counts);
    memory_free(out);
    memory_free(in);
    return status;
}

/* All of it, with a turn on the device. */
static enum status count_in_turn(struct gpu_bfs_solve *s, struct solver_times *times,
                                 struct error *err) {
    const double start = clock_seconds();
    struct solver_options first = *s->task->options;
    struct gpu_turn turn;
    first.device_count = 0;
    RETURN_ON_FAILURE(gpu_turn_begin(&turn, &first, err));
    const double began = clock_seconds();
    struct gpu_memory memory = {.device = turn.device};
    enum status status =
        gpu_check(cudaMemGetInfo(&memory.free, &memory.all), "asking for its free memory", err);
    if (status == STATUS_OK)
        status = count_rows(s, err);
    memory.needed = s->memory.most;
    if (status == STATUS_OK && first.on_memory != NULL)
        first.on_memory(first.callback_context, &memory);
    device_memory_free_since(&s->memory, 0);
    bfs_graph_free(&s->graph);
    gpu_turn_end(&turn);
    *times->solve_s = clock_seconds() - began - delivery_sink_seconds(s->task->delivery);
    times->around_s = began - start;
    times->transfer_s = s->memory.transfer_s;
    return status;
}

enum status cuda_bfs_solve(const struct other_engines *others, const struct solver_task *task,
                           struct cuda_bfs_report *report, struct solver_times *times,
                           struct error *err) {
    struct gpu_bfs_solve s = {.task = task, .report = report, .gives_up = !may_count(task)};
    const struct solver_options *const options = task->options;
    const struct solver_variant *best;
    struct solver_task once = *task;
    *report = (struct cuda_bfs_report){0};
    s.weight = (int32_t)task->graph->max_weight;
    if (!s.gives_up)
        RETURN_ON_FAILURE(count_in_turn(&s, times, err));
    if (!s.gives_up)
        return STATUS_OK;
    once.repetitions = 1;
    RETURN_ON_FAILURE(others->choose(task->graph, task->delivery->sources.count, options,
                                     task->predecessors, &best, err));
    RETURN_ON_FAILURE(solve_task(best, &once, times, err));
    if (options->on_choice != NULL)
        options->on_choice(options->callback_context, best->name,
                           "bfs counts the rows of graphs with few levels whose weights are all "
                           "the same");
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
