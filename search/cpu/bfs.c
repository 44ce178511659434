// SPDX-License-Identifier: MIT
#include "search/cpu/bfs.h"

#include "certificate/level_proof.h"  // level_prover_prove
#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/base/threads.h"      // threads_worth
#include "common/graph/limit.h"       // limit_no_path
#include "common/graph/weight_unit.h" // weight_unit
#include "measures/reciprocals.h"     // reciprocal_parts
#include "search/cpu/bfs_kernels.h"   // struct bfs, bfs_kernels
#include "search/cpu/bfs_rows.h"      // bfs_rows_find
#include "search/cpu/bfs_target.h"    // bfs_target_find
#include "search/cpu/multisource.h"   // cpu_multisource_solve
#include "solve/delivery.h"           // struct delivery
#include "solve/repetitions.h"        // repetitions_by_rows
#include "solve/row_by_row.h"         // row_by_row_solve

#include <math.h>
#include <omp.h>
#include <string.h>

/* Returns the largest weight as a multiple of `unit`; 1 if there is no edge. */
static int32_t steps_of(const struct graph *g, int32_t unit) {
    return g->m > 0 ? (int32_t)g->max_weight / unit : 1;
}

static int threads_for(int32_t n, int64_t m, int32_t sources, int32_t unit, int threads) {
    const int32_t units = (sources - 1) / unit + 1;
    threads = threads_worth(threads, (double)sources / 8 * ((double)n + (double)m));
    return threads < units ? threads : units;
}

/* Rows ---------------------------------------------------------------------------------------- */

static enum status rows_alloc(void *worker, const struct row_by_row *way, struct error *err) {
    return bfs_rows_alloc(worker, way->task->graph->n, err);
}

static void rows_find(void *worker, const struct row_by_row *way, struct row_block *block) {
    const int32_t *const weight = way->shared;
    bfs_rows_find(worker, way->task->graph, *weight, limit_no_path(way->task->limit), block);
}

static void rows_free(void *worker) {
    bfs_rows_free(worker);
}

/* Answers for a graph all of whose edges weigh `weight`. */
static enum status answer_by_rows(const struct solver_task *task, int32_t weight,
                                  struct error *err) {
    const int threads = threads_for(task->graph->n, task->graph->m, task->delivery->sources.count,
                                    ROW_BLOCK_MAX, task->options->threads);
    const struct row_by_row way = {.task = task,
                                   .shared = &weight,
                                   .at_a_time = ROW_BLOCK_MAX,
                                   .worker = sizeof(struct bfs_rows),
                                   .allocate = rows_alloc,
                                   .find_block = rows_find,
                                   .release = rows_free};
    RETURN_ON_FAILURE(delivery_begin(task->delivery, threads, err));
    return row_by_row_solve(&way, threads, err);
}

/* Totals -------------------------------------------------------------------------------------- */

enum { BINS = 1024 };

/* Memory of one thread, and the totals that it has found. */
struct totals_worker {
    struct bfs search;
    const struct bfs_kernels *kernels;
    void *memory;
    struct row_totals *column; /* totals of columns by number, or by vertex if totals are proved, n
                                  entries; NULL: not wanted */
    int32_t largest, from;     /* largest distance, and lowest source that has it; -1: none yet */
    int shift;
    int64_t bin[BINS]; /* bin[k]: number of distances d with d >> shift == k */
    /* Only if totals are proved: */
    struct level_prover *prover;
    void *slices;   /* n sets of sources for each bit of a level */
    double prove_s; /* seconds of proofs */
};

/* State of counting for a whole answer. */
struct level_counting {
    const struct solver_task *task;
    struct bfs_graph graph;
    enum isa isa;
    int threads;
    int32_t unit;  /* distance of level 1 */
    int32_t last;  /* highest level within the limit */
    int32_t steps; /* most levels between the ends of an edge */
    bool spares_reciprocals;
    int32_t *source, *position;            /* number of each source in `graph`, ascending; position
                                              of each source's row in the answer */
    struct row_totals *out;                /* totals of rows, by position in the answer */
    struct row_totals *in;                 /* totals of columns by vertex; NULL: not wanted */
    struct level_value value[LEVELS_MOST]; /* distance and reciprocal of each level */
    struct level_proof proof;
    bool proves;
    bool *unproved; /* set if a source has too many levels or wrong ones */
    struct totals_worker **worker;
    int64_t bin[BINS];
};

/* SLICES_AT_FIRST: bits of levels for which there is memory at first; LEVELS_AT_FIRST: levels that
 * they must be able to count. */
enum { SLICES_AT_FIRST = 3, LEVELS_AT_FIRST = 6 };

static uint64_t sets_memory(int32_t n, int32_t steps) {
    const uint64_t words = ((uint64_t)n + 63) / 64, sets = (uint64_t)steps + 2;
    return sets * (uint64_t)n * sizeof(struct bit_set) + (sets + 1) * words * sizeof(uint64_t);
}

/* Sets the pointers to the arrays of a search. */
static void place_sets(struct bfs *search, void *memory, int32_t n, int32_t steps) {
    const size_t words = ((size_t)n + 63) / 64;
    struct bit_set *set = memory;
    search->seen = set;
    for (int32_t k = 0; k <= steps; k++)
        search->ago[k].set = set += n;
    uint64_t *bitmap = (uint64_t *)(set + n);
    search->touched = bitmap;
    search->open = bitmap += words;
    for (int32_t k = 0; k <= steps; k++)
        search->ago[k].active = bitmap += words;
}

/* Makes the search keep levels of `slices` bits. */
static enum status keep_levels(struct totals_worker *w, const struct level_counting *c, int slices,
                               struct error *err) {
    memory_free(w->slices);
    w->slices = NULL;
    RETURN_ON_FAILURE(memory_alloc(&w->slices, (size_t)c->graph.n,
                                   (size_t)slices * sizeof(struct bit_set), "the levels", err));
    memory_prefer_huge_pages(w->slices,
                             (size_t)c->graph.n * (size_t)slices * sizeof(struct bit_set));
    w->search.slice = w->slices;
    w->search.slices = slices;
    return STATUS_OK;
}

static enum status worker_alloc(struct totals_worker **made, const struct level_counting *c,
                                struct error *err) {
    const size_t n = (size_t)c->graph.n, bytes = sets_memory(c->graph.n, c->steps);
    int slices = SLICES_AT_FIRST;
    void *worker, *column;
    *made = NULL;
    RETURN_ON_FAILURE(memory_alloc(&worker, 1, sizeof **made, "the totals of a thread", err));
    struct totals_worker *const w = *made = worker;
    memset(w, 0, sizeof *w);
    w->from = -1;
    w->kernels = bfs_kernels(c->isa);
    w->search.graph = &c->graph;
    RETURN_ON_FAILURE(memory_alloc(&w->memory, bytes, 1, "the sets of sources", err));
    memory_prefer_huge_pages(w->memory, bytes);
    place_sets(&w->search, w->memory, c->graph.n, c->steps);
    if (c->task->delivery->sink->wants_columns) {
        RETURN_ON_FAILURE(
            memory_alloc(&column, n, sizeof *w->column, "the totals of columns", err));
        w->column = column;
        memset(w->column, 0, n * sizeof *w->column);
    }
    if (!c->proves) {
        w->search.column = w->column;
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(level_prover_alloc(&w->prover, &c->proof, err));
    w->prover->column = w->column;
    w->prover->value = c->value;
    while (levels_of(slices, c->steps) < LEVELS_AT_FIRST)
        slices++;
    return keep_levels(w, c, slices, err);
}

static void worker_free(struct totals_worker *w) {
    if (w == NULL)
        return;
    level_prover_free(w->prover);
    memory_free(w->slices);
    memory_free(w->column);
    memory_free(w->memory);
    memory_free(w);
}

/* Counts `count` pairs at a distance. */
static void count_distance(struct totals_worker *w, int32_t distance, int64_t count) {
    while (distance >> w->shift >= BINS) { /* doubles the width of bins */
        for (int k = 0; k < BINS; k++) {
            const int64_t moved = w->bin[k];
            w->bin[k] = 0;
            w->bin[k / 2] += moved;
        }
        w->shift++;
    }
    w->bin[distance >> w->shift] += count;
}

/* Returns the distance of a level, at most INF. */
static int32_t distance_at(const struct level_counting *c, int64_t level) {
    return level * c->unit < INF ? (int32_t)(level * c->unit) : INF;
}

static struct level_value value_at(const struct level_counting *c, int64_t level) {
    struct level_value value = {.distance = distance_at(c, level)};
    if (!c->spares_reciprocals)
        reciprocal_parts(value.distance, &value.high, &value.low);
    return value;
}

/* Adds the vertices that the sources have reached at a distance to the sources' totals. */
static void add_level(struct totals_worker *w, const struct level_counting *c,
                      const struct level_value *value, const int32_t reached[BIT_LANES], int count,
                      struct row_totals *const *out) {
    int64_t pairs = 0;
    for (int lane = 0; lane < count; lane++) {
        if (reached[lane] == 0)
            continue;
        out[lane]->reached += reached[lane];
        out[lane]->sum += (int64_t)reached[lane] * value->distance;
        out[lane]->farthest = value->distance;
        out[lane]->high += reached[lane] * value->high;
        out[lane]->low += reached[lane] * value->low;
        pairs += reached[lane];
    }
    if (!c->spares_reciprocals && pairs > 0)
        count_distance(w, value->distance, pairs);
}

/* Finds the levels of the sources, and adds each level to the totals when it is found. */
static void count_levels(struct totals_worker *w, const struct level_counting *c, int32_t first,
                         int count, struct row_totals *const *out) {
    struct bfs *const s = &w->search;
    int32_t reached[BIT_LANES];
    struct level_value value = {.distance = 0};
    w->kernels->start(s, c->source + first, count);
    for (int64_t level = 0; progress_goes_on(c->task->progress);) {
        w->kernels->take_counts(s, reached);
        add_level(w, c, &value, reached, count, out);
        if (level == c->last)
            break;
        value = value_at(c, ++level);
        s->distance = value.distance;
        s->high = value.high;
        s->low = value.low;
        if (!w->kernels->level(s))
            break;
    }
}

/* Finds the levels of `count` sources, given by their numbers, with as many bits as the levels
 * need, and proves them. Returns false if levels need too many bits or are wrong; reports a failure
 * to the delivery. */
static bool prove_levels(struct totals_worker *w, const struct level_counting *c,
                         const int32_t *source, int count) {
    struct bfs *const s = &w->search;
    int32_t vertex[BIT_LANES];
    struct error err;
    w->kernels->start(s, source, count);
    while (s->level < c->last && progress_goes_on(c->task->progress) && w->kernels->level(s)) {
        if (s->quiet > 0 || s->level < levels_of(s->slices, c->steps))
            continue;
        if (s->slices == LEVEL_SLICES)
            return false;
        const enum status status = keep_levels(w, c, s->slices + 1, &err);
        if (status != STATUS_OK) {
            delivery_fail(c->task->delivery, 0, status, &err);
            return false;
        }
        w->kernels->start(s, source, count);
    }
    const double start = clock_seconds();
    for (int lane = 0; lane < count; lane++)
        vertex[lane] = c->graph.vertex[source[lane]];
    const struct level_block block = {s->slice, s->slices, c->graph.number, vertex, count};
    const bool right = level_prover_prove(w->prover, &c->proof, &block);
    w->prove_s += clock_seconds() - start;
    return right;
}

/* Adds the proved levels of `count` sources to the totals. */
static void count_proved(struct totals_worker *w, const struct level_counting *c, int count,
                         struct row_totals *const *out) {
    int32_t reached[BIT_LANES];
    for (int32_t level = 0; level < levels_of(w->search.slices, c->steps); level++) {
        level_prover_count(w->prover, &c->proof, level, reached);
        add_level(w, c, &c->value[level], reached, count, out);
    }
}

/* Finds and stores the totals of `count` sources from place `first` on. */
static void count_strip(struct totals_worker *w, const struct level_counting *c, int32_t first,
                        int count) {
    struct row_totals *out[BIT_LANES];
    for (int lane = 0; lane < count; lane++) {
        out[lane] = &c->out[c->position[first + lane]];
        *out[lane] = (struct row_totals){0};
    }
    if (!c->proves) {
        count_levels(w, c, first, count, out);
    } else if (prove_levels(w, c, c->source + first, count)) {
        count_proved(w, c, count, out);
    } else {
#pragma omp atomic write
        *c->unproved = true;
        return;
    }
    for (int lane = 0; lane < count; lane++) {
        const int32_t vertex = c->graph.vertex[c->source[first + lane]];
        const int32_t farthest = out[lane]->farthest;
        if (w->from >= 0 && (farthest < w->largest || (farthest == w->largest && vertex > w->from)))
            continue;
        w->largest = farthest;
        w->from = vertex;
    }
}

/* Sorts the wanted sources by their numbers. The caller frees *memory. */
static enum status arrange(struct level_counting *c, void **memory, struct error *err) {
    const struct row_sources *const wanted = &c->task->delivery->sources;
    RETURN_ON_FAILURE(
        memory_alloc(memory, 2 * (size_t)wanted->count, sizeof(int32_t), "the sources", err));
    c->source = *memory;
    c->position = c->source + wanted->count;
    return bfs_graph_arrange(&c->graph, wanted, c->source, c->position, err);
}

static void count_strips(const struct level_counting *c) {
    const struct solver_task *const task = c->task;
    struct delivery *const delivery = task->delivery;
    const int32_t sources = delivery->sources.count;
    int32_t sources_done = 0;
#pragma omp parallel num_threads(c->threads)
    {
        struct totals_worker **const worker = &c->worker[omp_get_thread_num()];
        struct error mine;
        const enum status status = worker_alloc(worker, c, &mine);
        if (status != STATUS_OK)
            delivery_fail(delivery, 0, status, &mine);
#pragma omp barrier /* so that all threads stop if one has no memory */
        int32_t first, count, done;
        while (status == STATUS_OK && (count = delivery_next(delivery, BIT_LANES, &first)) > 0) {
            bool unproved;
#pragma omp atomic read
            unproved = *c->unproved;
            if (unproved || !delivery_wants_any(delivery, c->position + first, count))
                continue;
            count_strip(*worker, c, first, count);
#pragma omp atomic capture
            done = sources_done += count;
            if (omp_get_thread_num() == 0)
                progress_report(task->progress, done, sources);
        }
    }
}

/* Adds up what all threads have found. */
static void merge(struct level_counting *c, struct answer_totals *totals) {
    totals->from = -1;
    for (int t = 0; t < c->threads; t++) {
        const struct totals_worker *const w = c->worker[t];
        totals->shift = w->shift > totals->shift ? w->shift : totals->shift;
        if (w->from < 0 ||
            (totals->from >= 0 && (w->largest < totals->largest ||
                                   (w->largest == totals->largest && w->from > totals->from))))
            continue;
        totals->largest = w->largest;
        totals->from = w->from;
    }
    for (int t = 0; t < c->threads; t++) {
        for (int k = 0; k < BINS; k++)
            c->bin[k >> (totals->shift - c->worker[t]->shift)] += c->worker[t]->bin[k];
    }
    totals->count = c->bin;
    totals->bins = BINS;
    for (int32_t k = 0; c->in != NULL && k < c->graph.n; k++) {
        struct row_totals *const sum = &c->in[c->graph.vertex[k]];
        *sum = (struct row_totals){0};
        for (int t = 0; t < c->threads; t++) {
            const struct row_totals *const part =
                &c->worker[t]->column[c->proves ? c->graph.vertex[k] : k];
            sum->sum += part->sum;
            sum->high += part->high;
            sum->low += part->low;
            sum->reached += part->reached;
            sum->farthest = part->farthest > sum->farthest ? part->farthest : sum->farthest;
        }
    }
}

/* Counts rows and hands on their totals. *taken: false if totals do not suffice; the answer has to
 * begin anew then. */
static enum status answer_by_totals(const struct solver_task *task, int32_t unit, bool *taken,
                                    struct error *err) {
    struct delivery *const delivery = task->delivery;
    const int32_t n = task->graph->n, sources = delivery->sources.count;
    bool unproved = false, right = false;
    double prove_s = 0;
    struct level_counting c = {
        .task = task,
        .threads = threads_for(n, task->graph->m, sources, BIT_LANES, task->options->threads),
        .last = task->limit < NO_LIMIT ? (limit_no_path(task->limit) - 1) / unit : INT32_MAX,
        .unit = unit,
        .steps = steps_of(task->graph, unit),
        .spares_reciprocals = delivery->sink->spares_reciprocals,
        .proves = delivery->sink->proves != NULL,
        .unproved = &unproved,
    };
    struct answer_totals totals = {0};
    void *out = NULL, *in = NULL, *workers = NULL, *arranged = NULL;
    enum status status = STATUS_OK;
    *taken = true;
    TRY(isa_choose(&c.isa, err));
    TRY(delivery_begin(delivery, c.threads, err));
    TRY(memory_alloc(&out, (size_t)sources, sizeof *c.out, "the totals", err));
    memset(out, 0, (size_t)sources * sizeof *c.out); /* rows of other processes stay 0 */
    if (delivery->sink->wants_columns)
        TRY(memory_alloc(&in, (size_t)n, sizeof *c.in, "the totals of columns", err));
    TRY(memory_alloc(&workers, (size_t)c.threads, sizeof *c.worker, "the totals", err));
    c.out = out;
    c.in = in;
    c.worker = workers;
    for (int t = 0; t < c.threads; t++)
        c.worker[t] = NULL;
    TRY(bfs_graph_make_by_steps(&c.graph, task->graph, unit, c.steps, task->options->threads, err));
    for (int32_t level = 0; level < LEVELS_MOST; level++)
        c.value[level] = value_at(&c, level);
    if (c.proves)
        TRY(level_proof_open(&c.proof, delivery->sink->proves, unit, c.last, c.isa, err));
    TRY(arrange(&c, &arranged, err));
    count_strips(&c);
    TRY(delivery_end(delivery, err));
    if (!progress_goes_on(task->progress))
        TRY(progress_cancelled(err));
    right = !unproved;
    TRY(ranks_all(ranks_or_alone(delivery->ranks), &right, err));
    if (right) {
        merge(&c, &totals);
        TRY(bfs_target_agree(delivery, task->graph, c.steps == 1 ? c.unit : 0, &totals, &right,
                             err));
    }
    for (int t = 0; t < c.threads; t++)
        prove_s += c.worker[t]->prove_s / c.threads;
    delivery_count_proof(delivery, prove_s);
    totals.out = c.out;
    totals.in = c.in;
    totals.proved = c.proves && right;
    *taken = right && delivery_take_totals(delivery, &totals);
    status = delivery_end(delivery, err);
cleanup:
    for (int t = 0; t < c.threads && c.worker != NULL; t++)
        worker_free(c.worker[t]);
    level_proof_close(&c.proof);
    bfs_graph_free(&c.graph);
    memory_free(workers);
    memory_free(arranged);
    memory_free(out);
    memory_free(in);
    return status;
}

/* Returns whether the sink is content with totals, whose sums of reciprocals must not overflow. */
static bool totals_do(const struct solver_task *task) {
    enum { RECIPROCALS = 1 << (62 - RECIPROCAL_HIGH_BITS) };
    const struct row_sink *const sink = task->delivery->sink;
    return delivery_takes_totals_within(task->delivery) &&
           (sink->proves == NULL || delivery_may_prove(task->delivery)) &&
           (sink->spares_reciprocals || task->graph->n < RECIPROCALS);
}

static void tell_choice(const struct solver_task *task, const char *why) {
    if (task->options->on_choice != NULL)
        task->options->on_choice(task->options->callback_context, "multisource", why);
}

static enum status solve_once(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    const int32_t unit = (int32_t)weight_unit(task->graph);
    struct multisource_counts counts;
    bool taken = false;
    (void)variant, (void)times;
    if (totals_do(task)) {
        RETURN_ON_FAILURE(answer_by_totals(task, unit, &taken, err));
        if (!taken)
            RETURN_ON_FAILURE(delivery_claim_anew(task->delivery, err));
    }
    if (taken)
        return STATUS_OK;
    if (steps_of(task->graph, unit) == 1)
        return answer_by_rows(task, unit, err);
    RETURN_ON_FAILURE(multisource_solve(task, &multisource_limits, &counts, err));
    tell_choice(task, "by levels, totals are unproved or may be out of range");
    return STATUS_OK;
}

enum status cpu_bfs_solve(const struct solver_variant *variant, const struct solver_task *task,
                          struct solver_times *times, struct error *err) {
    const int64_t unit =
        task->potential == NULL && task->graph->type == NUMBER_INT32 ? weight_unit(task->graph) : 0;
    const bool equal = unit > 0 && steps_of(task->graph, (int32_t)unit) == 1;
    if (equal || (unit > 0 && totals_do(task)))
        return repetitions_by_rows(variant, task, times, solve_once, err);
    RETURN_ON_FAILURE(cpu_multisource_solve(variant, task, times, err));
    tell_choice(task, unit > 0 ? "weights are not all the same, and rows are wanted"
                               : "weights are neither the same nor small multiples of one number");
    return STATUS_OK;
}

uint64_t cpu_bfs_memory(const struct solver_size *size) {
    const int32_t n = size->n, steps = size->steps > 1 ? size->steps : 1;
    const int threads = threads_for(n, size->m, size->sources, BIT_LANES, size->threads);
    const int row_threads = threads_for(n, size->m, size->sources, ROW_BLOCK_MAX, size->threads);
    const uint64_t totals = memory_add(
        bfs_graph_memory_by_steps(n, size->m, steps),
        (uint64_t)threads * (sets_memory(n, steps) + (uint64_t)n * sizeof(struct row_totals)) +
            (uint64_t)n * (2 * sizeof(struct row_totals) + 3 * sizeof(int32_t)));
    const uint64_t rows =
        (uint64_t)row_threads *
        (bfs_rows_memory(n) + row_by_row_memory(size, ROW_BLOCK_MAX, row_threads));
    const uint64_t own = totals > rows ? totals : rows, left = cpu_multisource_memory(size);
    return own > left ? own : left;
}

/* Returns the largest weight in units; 1 if it is unknown. */
static double steps_expected(const struct features *f) {
    return fmax(f->steps, 1);
}

/* Estimates the number of levels. A look at the structure stops after a twentieth of the vertices.
 * A random graph has about twice as many levels as seen there; a graph of equal width everywhere,
 * like a grid, has ten times as many. */
static double levels_expected(const struct features *f) {
    const double beside = 0.4; /* as measured: more levels of a hop for each step of the largest
                                  weight beyond the first */
    const double looked_at = fmax(f->n / 20.0, 2), growth = fmax(f->degree - 1, 1.5);
    const double random_levels = log(looked_at) / log(growth), steps = steps_expected(f);
    const double hops = f->deep ? f->hops : f->hops * (f->hops > 2 * random_levels ? 10 : 2);
    if (f->deep && steps > 1)
        return f->longest * steps / f->max_weight;
    return hops * (1 + beside * (steps - 1));
}

double cpu_bfs_seconds(const struct solver_variant *variant, const struct model_question *q) {
    /* Measured on random graphs, power laws, grids and chains of 1000 to 100 000 vertices, one
     * thread. A level takes some time for each vertex that is new to some source: all vertices if
     * there are few levels, only those around the sources if there are many. If weights differ, a
     * vertex is new to some source at more levels, and its edges are read at each. */
    const double begin_s = 5e-4, count_ns = 0.4, count_edge_ns = 0.002, level_ns = 0.014;
    const double again_ns = 0.02, again_edge_ns = 0.002, again_step_ns = 0.0015;
    const double row_ns = 0.5, cell_ns = 4, edge_ns = 0.06, row_level_ns = 0.1;
    const struct features *const f = q->features;
    const double levels = levels_expected(f), steps = steps_expected(f);
    const double one_level_ns =
        steps > 1 ? again_ns + again_edge_ns * f->degree + again_step_ns * steps : level_ns;
    const double count =
        count_ns + count_edge_ns * f->degree + one_level_ns * fmin(levels, steps * 1024);
    const double row =
        row_ns + f->reach * (cell_ns + edge_ns * f->degree) + row_level_ns * fmin(levels, 128);
    if (steps > 1 && !q->totals)
        return 1.1 * cpu_multisource_seconds(variant, q); /* rows are left to multisource */
    return begin_s + model_rows_seconds(q, q->totals ? count : row) / model_speed_up(variant, q);
}

double cpu_bfs_proof_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const double count_ns = 0.3, edge_ns = 0.05;
    const struct features *const f = q->features;
    const int32_t most_levels = levels_of(LEVEL_SLICES, (int32_t)steps_expected(f));
    (void)variant;
    /* Up to this number of levels, levels are proved; if there are more, rows are proved one by
     * one. */
    return levels_expected(f) > most_levels
               ? model_rows_seconds(q, 3 + 0.1 * f->degree) * q->vector_steps / q->threads
               : model_rows_seconds(q, count_ns + edge_ns * f->degree) * q->vector_steps /
                     q->threads;
}
