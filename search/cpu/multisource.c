// SPDX-License-Identifier: MIT
#include "search/cpu/multisource.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_worth
#include "common/graph/limit.h"      // limit_no_path
#include "search/cpu/johnson.h"      // cpu_johnson_solve
#include "search/cpu/real.h"         // cpu_real_solve
#include "search/cpu/source_order.h" // source_order_arrange
#include "search/cpu/strip.h"        // struct strip
#include "solve/delivery.h"          // struct delivery
#include "solve/dijkstra.h"          // dijkstra_run, dijkstra_order
#include "solve/repetitions.h"       // repetitions_by_rows
#include "solve/row_buffer.h"        // struct row_buffer

#include <math.h>
#include <string.h>

const struct multisource_limits multisource_limits = {.sweeps = 16, .share = 0.8};

/* Least work of Dijkstra's algorithm from one source, in the units of strip.h: for each edge, and
 * for each vertex that goes through the queue. */
static const double units_per_edge = 0.5, units_per_queued = 9;

/* Number of tries of a way, and of failures. */
struct attempts {
    int32_t tried, failed;
};

/* State that all threads share. Its counts of attempts change how long the rest takes, not the
 * result. */
struct multisource_solve {
    const struct solver_task *task;
    const struct multisource_limits *limits;
    const struct strip_kernels *kernels;
    int threads;
    struct ordered_graph ordered;
    int32_t sources;                 /* number of rows that are wanted */
    int32_t *source, *position;      /* vertex number of each source, and its position in the
                                        answer, strip by strip */
    int32_t no_path, narrow_no_path; /* label that stands for no path: of 32 bits, and of 16 bits */
    bool narrow_is_safe;             /* no distance up to the limit reaches narrow_no_path */
    struct attempts narrow, graph_order, correcting;
    struct multisource_counts counts;
    int32_t sources_done;
};

/* Memory of one thread, which allocates it and touches it first. */
struct multisource_worker {
    struct multisource_solve *plan;
    struct strip strip;
    struct dijkstra queue;
    struct row_buffer rows;
    int32_t *dist;       /* scratch, n entries */
    bool *is_ordered;    /* scratch, n entries */
    void *cells, *lists; /* memory of all arrays */
};

static bool is_promising(const struct attempts *attempts) {
    int32_t tried, failed;
#pragma omp atomic read
    tried = attempts->tried;
#pragma omp atomic read
    failed = attempts->failed;
    return failed < 2 || 2 * failed <= tried;
}

static void count(int32_t *counter, int32_t more) {
#pragma omp atomic
    *counter += more;
}

static void note(struct attempts *attempts, bool failed) {
    count(&attempts->tried, 1);
    count(&attempts->failed, failed);
}

static enum status plan_make(struct multisource_solve *plan, struct error *err) {
    const struct graph *g = plan->task->graph;
    enum { MAX_16 = UINT16_MAX, HALF_16 = 1 << 15 };
    enum isa isa;
    void *sources = NULL;
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    plan->kernels = strip_kernels(isa);
    RETURN_ON_FAILURE(ordered_graph_build(g, threads_or_default(plan->task->options->threads),
                                          plan->task->progress, &plan->ordered, err));
    RETURN_ON_FAILURE(memory_alloc(&sources, 2 * (size_t)plan->sources, sizeof *plan->source,
                                   "the sources", err));
    plan->source = sources;
    plan->position = plan->source + plan->sources;
    /* narrow_no_path + w fits in 16 bits for every weight w below narrow_no_path. */
    plan->narrow_no_path = g->max_weight < HALF_16 ? MAX_16 - (int32_t)g->max_weight : HALF_16;
    plan->narrow_is_safe = (int64_t)g->max_weight * (g->n - 1) < plan->narrow_no_path ||
                           plan->no_path <= plan->narrow_no_path;
    if (plan->no_path < plan->narrow_no_path)
        plan->narrow_no_path = plan->no_path;
    return source_order_arrange(&plan->ordered, &plan->task->delivery->sources,
                                plan->kernels->wide->lanes, plan->source, plan->position, err);
}

static void plan_free(struct multisource_solve *plan) {
    ordered_graph_free(&plan->ordered);
    memory_free(plan->source);
}

static int threads_for(int32_t n, int64_t m, int32_t sources, int threads) {
    /* Work in steps: a step relaxes an edge for several sources, and an edge takes several
     * steps. */
    const int32_t strips = (sources - 1) / MAX_LANES + 1;
    threads = threads_worth(threads, (double)sources * ((double)n + (double)m) / 4);
    return threads < strips ? threads : strips;
}

enum { LIST_BYTES = 3 * sizeof(int32_t) + 2 }; /* bytes for each vertex in a worker's lists */

uint64_t cpu_multisource_memory(const struct solver_size *size) {
    if (size->type != NUMBER_INT32)
        return cpu_real_memory(size);
    if (size->wide)
        return cpu_johnson_memory(size);
    const uint64_t n = (uint64_t)size->n;
    const int threads = threads_for(size->n, size->m, size->sources, size->threads);
    const uint64_t labels = n * (size->predecessors ? 2 : 1) * STRIP_BYTES;
    const uint64_t worker =
        labels + n * LIST_BYTES + dijkstra_memory(size->n, false) +
        (size->placed ? 0
                      : row_buffer_memory(NUMBER_INT32, size->n, MAX_LANES, size->predecessors));
    const uint64_t build =
        ordered_graph_memory_to_build(size->n, size->m, threads_or_default(size->threads));
    const uint64_t workers = memory_times((uint64_t)threads, worker);
    const uint64_t arrange = source_order_memory(size->n);
    const uint64_t solve = ordered_graph_memory(size->n, size->m) +
                           2 * (uint64_t)size->sources * sizeof(int32_t) +
                           (workers > arrange ? workers : arrange);
    return build > solve ? build : solve;
}

static enum status worker_alloc(struct multisource_worker *w, struct multisource_solve *plan,
                                struct error *err) {
    const size_t n = (size_t)plan->ordered.n;
    const size_t rows = plan->task->predecessors ? 2 * n : n;
    *w = (struct multisource_worker){
        .plan = plan,
        .strip.ordered = &plan->ordered,
        .strip.progress = plan->task->progress,
    };
    RETURN_ON_FAILURE(memory_alloc(&w->cells, rows, STRIP_BYTES, "the labels", err));
    RETURN_ON_FAILURE(memory_alloc(&w->lists, n, LIST_BYTES, "the labels", err));
    RETURN_ON_FAILURE(dijkstra_alloc(&w->queue, plan->ordered.n, false, err));
    w->queue.progress = plan->task->progress;
    RETURN_ON_FAILURE(row_buffer_alloc(&w->rows, plan->task->delivery, MAX_LANES, err));
    w->strip.label = w->cells;
    w->strip.pred = (char *)w->cells + (rows - n) * STRIP_BYTES;
    w->strip.largest = w->lists;
    w->strip.order = w->strip.largest + n;
    w->dist = w->strip.order + n;
    w->strip.pending = (uint8_t *)(w->dist + n);
    w->is_ordered = (bool *)(w->strip.pending + n);
    return STATUS_OK;
}

static void worker_free(struct multisource_worker *w) {
    memory_free(w->cells);
    memory_free(w->lists);
    dijkstra_free(&w->queue);
    row_buffer_free(&w->rows);
}

/* Orders the strip's vertices by distance from its first source; vertices that it does not reach
 * come last, in the order of the graph. */
static void order_by_distance(struct multisource_worker *w) {
    const struct ordered_graph *ordered = &w->plan->ordered;
    int32_t *order = w->strip.order;
    int32_t placed =
        dijkstra_order(&w->queue, w->plan->task->graph, ordered->vertex[w->strip.source[0]],
                       w->plan->no_path, w->dist, order);
    memset(w->is_ordered, 0, (size_t)ordered->n);
    for (int32_t at = 0; at < placed; at++) {
        order[at] = ordered->number[order[at]];
        w->is_ordered[order[at]] = true;
    }
    for (int32_t v = 0; v < ordered->n; v++) {
        if (!w->is_ordered[v])
            order[placed++] = v;
    }
}

/* Corrects the labels of `lanes` sources from place `first` on. Returns false if that was not worth
 * the work. */
static bool correct(struct multisource_worker *w, const struct strip_kernel *kernel,
                    int32_t no_path, int32_t first, int32_t lanes) {
    struct multisource_solve *plan = w->plan;
    struct strip *s = &w->strip;
    const double max_work =
        plan->limits->share * lanes *
        (units_per_edge * (double)plan->ordered.m + units_per_queued * plan->ordered.n);
    s->source = plan->source + first;
    s->count = lanes;
    s->no_path = no_path;
    if (!is_promising(&plan->correcting))
        return false;
    kernel->start(s);
    if (is_promising(&plan->graph_order)) {
        for (int32_t v = 0; v < plan->ordered.n; v++)
            s->order[v] = v;
        kernel->correct(s, plan->limits->sweeps, INT64_MAX);
        note(&plan->graph_order, !s->corrected);
    }
    if (!s->corrected) {
        order_by_distance(w);
        kernel->correct(s, INT32_MAX, s->work + (int64_t)max_work);
        if (s->corrected)
            count(&plan->counts.reordered, lanes);
    }
    note(&plan->correcting, !s->corrected);
    return s->corrected;
}

/* Finds the rows of the strip's sources by Dijkstra's algorithm. Stores the distances in rows and,
 * for finding predecessors, in the strip's labels. */
static void run_dijkstra(struct multisource_worker *w, const struct strip_kernel *kernel) {
    struct strip *s = &w->strip;
    const struct row_block *const block = &w->rows.block;
    s->no_path = w->plan->no_path;
    for (int32_t r = 0; r < block->count; r++)
        dijkstra_run(&w->queue, w->plan->task->graph, block->source[r], s->no_path, block->dist[r],
                     NULL);
    for (int lane = 0; lane < kernel->lanes && block->pred != NULL; lane++)
        kernel->read(s, lane, block->dist[lane % s->count]);
    count(&w->plan->counts.dijkstra, s->count);
}

/* Hands the rows of the strip to the delivery. Their distances are in the block already, or are
 * written there from the labels. */
static void deliver(struct multisource_worker *w, const struct strip_kernel *kernel,
                    bool write_labels) {
    struct row_block *const block = &w->rows.block;
    if (write_labels)
        kernel->write(&w->strip, false, block->dist);
    if (block->pred != NULL) {
        kernel->find_predecessors(&w->strip);
        kernel->write(&w->strip, true, block->pred);
    }
    delivery_take(w->plan->task->delivery, block);
}

/* Solves the strip with labels of 16 bits. Returns false if these do not suffice or are not worth
 * the work. */
static bool solve_narrow(struct multisource_worker *w, int32_t first, int32_t lanes) {
    struct multisource_solve *plan = w->plan;
    const struct strip_kernel *kernel = plan->kernels->narrow;
    if (plan->limits->only_wide || plan->ordered.n > NARROW_NONE || !is_promising(&plan->narrow) ||
        !correct(w, kernel, plan->narrow_no_path, first, lanes))
        return false;
    const bool overflowed = !plan->narrow_is_safe && kernel->overflowed(&w->strip);
    note(&plan->narrow, overflowed);
    if (overflowed)
        return false;
    row_buffer_start(&w->rows, plan->position + first, lanes);
    deliver(w, kernel, true);
    count(&plan->counts.narrow, lanes);
    return true;
}

/* Solves the strip with labels of 32 bits, or by Dijkstra's algorithm. */
static void solve_wide(struct multisource_worker *w, int32_t first, int32_t lanes) {
    const struct strip_kernel *kernel = w->plan->kernels->wide;
    const bool corrected = correct(w, kernel, w->plan->no_path, first, lanes);
    row_buffer_start(&w->rows, w->plan->position + first, lanes);
    if (corrected)
        count(&w->plan->counts.wide, lanes);
    else
        run_dijkstra(w, kernel);
    deliver(w, kernel, corrected);
}

static void solve_strip(struct multisource_worker *w, int32_t first, int32_t lanes) {
    const int32_t step = w->plan->kernels->wide->lanes;
    if (solve_narrow(w, first, lanes))
        return;
    for (int32_t done = 0; done < lanes; done += step)
        solve_wide(w, first + done, lanes - done < step ? lanes - done : step);
}

static enum status solve_strips(struct multisource_solve *plan, struct error *err) {
    struct delivery *const delivery = plan->task->delivery;
    const int32_t sources = plan->sources;
#pragma omp parallel num_threads(plan->threads)
    {
        struct multisource_worker worker;
        struct error mine;
        const enum status allocated = worker_alloc(&worker, plan, &mine);
        if (allocated != STATUS_OK)
            delivery_fail(delivery, 0, allocated, &mine);
#pragma omp barrier /* all threads have allocated before one frees memory */
        int32_t first, lanes, done;
        while (allocated == STATUS_OK && (lanes = delivery_next(delivery, MAX_LANES, &first)) > 0) {
            if (!delivery_wants_any(delivery, plan->position + first, lanes))
                continue;
            solve_strip(&worker, first, lanes);
#pragma omp atomic capture
            done = plan->sources_done += lanes;
            if (omp_get_thread_num() == 0)
                progress_report(plan->task->progress, done, sources);
        }
        worker_free(&worker);
    }
    return delivery_end(delivery, err);
}

enum status multisource_solve(const struct solver_task *task,
                              const struct multisource_limits *limits,
                              struct multisource_counts *counts, struct error *err) {
    const int32_t sources = task->delivery->sources.count;
    struct multisource_solve plan = {
        .task = task,
        .limits = limits,
        .sources = sources,
        .no_path = limit_no_path(task->limit),
        .threads = threads_for(task->graph->n, task->graph->m, sources, task->options->threads),
    };
    enum status status = STATUS_OK;
    TRY(delivery_begin(task->delivery, plan.threads, err));
    TRY(plan_make(&plan, err));
    TRY(solve_strips(&plan, err));
cleanup:
    *counts = plan.counts;
    plan_free(&plan);
    return status;
}

static enum status solve_once(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    (void)variant;
    (void)times;
    struct multisource_counts counts;
    return multisource_solve(task, &multisource_limits, &counts, err);
}

enum status cpu_multisource_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err) {
    if (task->graph->type != NUMBER_INT32)
        return cpu_real_solve(variant, task, times, err);
    if (task->potential != NULL)
        return cpu_johnson_solve(variant, task, times, err);
    return repetitions_by_rows(variant, task, times, solve_once, err);
}

/* Returns the factor by which the variety of weights lengthens sweeps over few levels. Labels are
 * corrected more often if fewer paths have the same length. Measured on power laws, R-MAT and
 * random graphs of 10000 to 300000 vertices. */
static double variety(const struct features *f) {
    const double few_weights = 10, many_weights = 1000, least = 0.8;
    const double share = log(f->max_weight / few_weights) / log(many_weights / few_weights);
    return least * (1 + fmin(fmax(share, 0), 1));
}

/* Returns the nanoseconds for one source that a sweep takes for each unit of work: an edge is one
 * unit, a vertex UNITS_PER_VERTEX. Deep paths take more, because labels are corrected more often,
 * and labels of 32 bits twice as much. Where levels are few, the shortest paths have more edges
 * than there are levels, so labels are corrected, too. If each vertex has one edge, there is
 * nothing to correct. A sweep works on the labels of a few levels at a time; where levels are so
 * wide that these do not fit into a core's cache, an edge waits for memory. */
static double unit_ns(const struct features *f) {
    /* cached: number of vertices whose labels fit into the cache; miss_ns: nanoseconds that an edge
     * waits for each vertex more; most_ns: the most nanoseconds that an edge waits */
    const double levels_together = 8, cached = 10000, miss_ns = 1.05e-5, most_ns = 2.5;
    const double together = fmin(f->n, levels_together * f->elimination.width);
    const double wait_ns = fmin(miss_ns * fmax(together - cached, 0), most_ns);
    const double least = 0.2, each_level = 0.0025, few_levels = 48, longest_narrow = UINT16_MAX;
    const double levels = f->elimination.levels, more = f->degree < 2 ? f->degree - 1 : 1;
    const double longest = levels * f->max_weight / 2;
    const double corrected = each_level * fmax(levels, few_levels);
    const double ns = least + (more > 0 ? more * corrected : 0) + wait_ns;
    return ns * (longest > longest_narrow ? 2 : levels < few_levels ? variety(f) : 1);
}

/* Returns the seconds of laying out the graph: its edges on as many threads as they keep busy, the
 * search that numbers its vertices on one. */
static double layout_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const double edge_ns = 30, vertex_ns = 650;
    const struct features *const f = q->features;
    struct model_question all_rows = *q;
    all_rows.rows = 0;
    const double paid = fmax(1, (double)f->m / block_sizes.thread_edges);
    return 1e-9 * (edge_ns * (double)f->m / fmin(paid, model_speed_up(variant, &all_rows)) +
                   vertex_ns * f->n);
}

/* Predicts seconds for real weights with one order of vertices for a strip. The time for vertices
 * and edges depends on memory more than on vectors. */
static double ordered_seconds(const struct solver_variant *variant,
                              const struct model_question *q) {
    const double begin_s = 1e-5, row_ns = 4, cell_ns = 12, edge_ns = 0.9;
    const struct features *const f = q->features;
    const double width = f->type == NUMBER_FLOAT64 ? 1 : 0.5;
    const double ns = width * (row_ns + f->reach * (cell_ns + edge_ns * f->degree));
    return begin_s + model_rows_seconds(q, ns) / model_speed_up(variant, q);
}

/* Returns whether one order of the vertices suits all sources of a strip. */
static bool are_neighbours(const struct model_question *q) {
    const double apart = 8; /* vertices for each source */
    return apart * model_rows(q) >= q->features->n;
}

/* Light edges are relaxed in several sweeps, heavy ones only in part, and once. */
double cpu_multisource_seconds(const struct solver_variant *variant,
                               const struct model_question *q) {
    const double light_edges = 20, heavy = 0.05, begin_s = 5e-6;
    /* costs of sweeps that are given up and of the searches after them, where weights are real and
     * where they are integers */
    const double given_up = 3, given_up_integers = 1.8;
    const double deep = 32; /* levels of a graph in which sources far apart need their own orders */
    const struct features *f = q->features;
    const double light = f->degree < light_edges ? f->degree : light_edges;
    if (f->wide) /* left to `johnson` */
        return cpu_johnson_seconds(variant, q);
    if (f->type != NUMBER_INT32 && model_is_ordered(f))
        return are_neighbours(q) ? ordered_seconds(variant, q)
                                 : given_up * cpu_johnson_seconds(variant, q);
    const double units = light + heavy * (f->degree - light) + UNITS_PER_VERTEX;
    /* Where the levels are not known: labels alone, and with the search for predecessors. */
    const double labels_ns = 2 + 0.2 * light + 0.006 * f->degree;
    const double predecessors_ns = 1 + 0.1 * light + 0.009 * f->degree;
    const double source_ns = f->elimination.levels > 0
                                 ? units * unit_ns(f)
                                 : labels_ns + (q->predecessors ? predecessors_ns : 0);
    const double width = f->type == NUMBER_FLOAT64 ? 4 : f->type == NUMBER_FLOAT32 ? 2 : 1;
    const double ns = 0.9 + f->reach * width * source_ns;
    const double sweeps =
        q->vector_steps * (begin_s + model_rows_seconds(q, ns)) / model_speed_up(variant, q);
    const double seconds = layout_seconds(variant, q) + sweeps;
    return f->elimination.levels <= deep || are_neighbours(q)
               ? seconds
               : fmax(seconds, given_up_integers * cpu_johnson_seconds(variant, q));
}
