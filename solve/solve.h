// SPDX-License-Identifier: MIT
/* Solves any graph exactly with one variant. It does the steps that all variants need: potentials,
 * zero-weight cycles, the check of the range of distances. */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "common/base/timing.h"     // struct timing
#include "common/graph/limit.h"     // NO_LIMIT
#include "common/graph/row_block.h" // struct row_sink, struct row_sources
#include "solve/solver.h"           // struct solver_variant, struct solver_options

/* Findings of one solve that later solves of the same graph need too; zero before the first solve.
 */
struct solve_kept {
    int64_t *potential; /* n potentials; NULL: not found, or no weight is below 0 */
    bool is_found;
    /* The graph of the edges that are worth solving (light_edges.h, reached_edges.h); no vertices:
     * all edges are. */
    struct graph light;
    double find_s; /* seconds that finding this struct's contents took; 0 once a solve has counted
                      them */
};

/* Finds the edges that are worth solving by the variant, for one or more solves with these sources.
 * solve_rows calls it if the caller has not. A caller that has called it can ask how much memory
 * the solve will take: solve_memory() for solve_kept_graph(). */
enum status solve_kept_find(struct solve_kept *kept, const struct solver_variant *variant,
                            const struct graph *g, const struct row_sources *sources,
                            const struct progress *progress, struct error *err);

/* Returns the graph that a solve solves in place of g: kept->light or g itself. */
const struct graph *solve_kept_graph(const struct solve_kept *kept, const struct graph *g);

/* Safe on a zeroed struct; leaves it zeroed. */
void solve_kept_free(struct solve_kept *kept);

/* A request for a solve. */
struct solve_request {
    const struct graph *graph; /* weights may be negative */
    struct row_sources sources;
    double limit; /* distances beyond it become INF; NO_LIMIT: none (limit.h) */
    bool predecessors;
    const struct solver_options *options;
    struct progress *progress; /* NULL: nobody is told */
    int repetitions; /* how often to solve, >= 1; if more than once, after a warm-up that is not
                        timed */
    /* findings to share with other solves of the graph; NULL: it is solved once */
    struct solve_kept *kept;
    /* Unless NULL, called when a variant takes the task: first for a variant that chooses among
     * others, then for its choice. If predecessors are wanted, the last call before the sink's
     * begin is for the variant that produces the rows. */
    void (*on_variant)(void *context, const struct solver_variant *variant);
    void *variant_context;
};

/* Runs `variant`, and hands the rows that are wanted to `sink`, once for each repetition and
 * warm-up; stores the times in timing[0 .. repetitions - 1], without those spent in the sink.
 * Distances are exact and inside (-INF, INF), or INF if there is no path within the limit. Fails
 * with STATUS_NEGATIVE_CYCLE if a source reaches one, with STATUS_BAD_INPUT if a distance is out of
 * range, if there are a limit and weights below 0, or if the variant is not exact for this graph,
 * with STATUS_NO_RESOURCE if memory or the GPU fails, with STATUS_CANCELLED if progress says to
 * stop, and with the status of the sink if that fails. After a failure the rows in the sink are
 * garbage. */
enum status solve_rows(const struct solver_variant *variant, const struct solve_request *request,
                       struct row_sink *sink, struct timing *timing, struct error *err);

/* Does what solve_rows does for all rows, and stores them in dist and, unless it is NULL, pred:
 * both n x n, allocated by the caller. */
enum status solve(const struct solver_variant *variant, const struct graph *g,
                  const struct solver_options *options, struct matrix *dist, struct matrix *pred,
                  struct progress *progress, int repetitions, struct timing *timing,
                  struct error *err);

/* Solves the task of a variant that chooses another one with the one that it chose, no matter if
 * that solves by rows or by matrices. */
enum status solve_task(const struct solver_variant *variant, const struct solver_task *task,
                       struct solver_times *times, struct error *err);

/* Stores how many bytes of memory there are for the solve. Several processes have to decide alike,
 * so they get the least that any of them has; all ranks call it. */
enum status solve_room(const struct solver_task *task, uint64_t *room, struct error *err);

/* Returns the variant of a solver's table that does what `variant` does, which may be in another
 * table under another name; NULL if there is none. */
const struct solver_variant *solver_find_same(const struct solver *solver,
                                              const struct solver_variant *variant);

/* Sizes that decide how much memory a solve takes in addition to the graph. */
struct solve_size {
    const struct graph *graph;
    int32_t sources; /* number of rows that are wanted */
    int threads;
    bool predecessors;
    bool matrices; /* the sink has matrices for all rows; their memory is not counted */
    int processes; /* number of processes that solve together; 0 counts as 1 */
    int32_t steps; /* as in struct features; 0 counts as 1 */
};

/* Returns the bytes of memory that solve_rows takes at most, in addition to the graph and what the
 * sink holds, for a graph with these sizes. Zero-weight cycles and reduced weights that do not fit
 * in 32 bits take more memory; the solve fails if it does not get that. */
uint64_t solve_memory(const struct solver_variant *variant, const struct solve_size *size);

/* Memory that a run holds in addition to its solve, in bytes. */
struct run_memory {
    uint64_t held; /* in use all the time: the graph, and the answer if it is kept */
    /* to prove, write and measure: if the run streams, the sum of the three, in use during the
     * solve; otherwise the largest of the three, which happen after it */
    uint64_t turns;
    bool streams;
};

/* Returns how many bytes a run holds at most if its solve takes `solve` bytes. */
uint64_t run_memory_with(const struct run_memory *run, uint64_t solve);

#endif
