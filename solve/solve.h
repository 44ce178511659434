// SPDX-License-Identifier: MIT
/* Solves any graph exactly with one variant. It does the steps that all variants need: potentials,
 * zero-weight cycles, the check of the range. */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "common/base/timing.h"     // struct timing
#include "common/graph/limit.h"     // NO_LIMIT
#include "common/graph/row_block.h" // struct row_sink, struct row_sources
#include "solve/solver.h"           // struct solver_variant, struct solver_options

/* Findings of one solve of a graph that the next one of the same graph needs too; zero before the
 * first. */
struct solve_kept {
    int64_t *potential; /* n, if weights are below 0 */
    bool is_found;
    /* The edges that are worth solving (light_edges.h, reached_edges.h); no vertices: all are. */
    struct graph light;
    double find_s; /* the seconds that it took to find them, until a solve counts them */
};

/* Finds the edges that are worth solving by the variant, in one or several solves for rows of these
 * sources. solve_rows does it if nobody has before; who does can ask what memory the solve of these
 * will take: solve_memory() of solve_kept_graph(). */
enum status solve_kept_find(struct solve_kept *kept, const struct solver_variant *variant,
                            const struct graph *g, const struct row_sources *sources,
                            const struct progress *progress, struct error *err);

/* Returns the graph that stands for g in a solve: the one that was kept, or g itself. */
const struct graph *solve_kept_graph(const struct solve_kept *kept, const struct graph *g);

/* Safe on a zeroed struct; leaves it zeroed. */
void solve_kept_free(struct solve_kept *kept);

/* Request for a solve. */
struct solve_request {
    const struct graph *graph; /* weights may be negative */
    struct row_sources sources;
    double limit; /* distances beyond it become INF; NO_LIMIT for none (limit.h) */
    bool predecessors;
    const struct solver_options *options;
    struct progress *progress; /* may be NULL */
    int repetitions;           /* >= 1; more: after a warm-up that is not timed */
    struct solve_kept *kept;   /* NULL: this graph is solved once */
    /* Unless NULL, called when a variant takes the task: for one that chooses among others, and
     * then for the one that it chose. If predecessors are wanted, the last call before the sink's
     * begin is for the variant that produces the rows. */
    void (*on_variant)(void *context, const struct solver_variant *variant);
    void *variant_context;
};

/* Runs `variant`, and hands the rows that are wanted to `sink`, as often as the answer is produced;
 * stores the times in timing[0 .. repetitions - 1], without those spent in the sink. Distances are
 * exact and inside (-INF, INF), or INF if there is no path within the limit. Fails with
 * STATUS_NEGATIVE_CYCLE if a source reaches one, with STATUS_BAD_INPUT if a distance is out of
 * range, if there are a limit and weights below 0, or if the variant is not exact for this graph,
 * with STATUS_NO_RESOURCE if memory or the GPU fails, with STATUS_CANCELLED if progress says to
 * stop, and with what the sink fails with; what was taken is garbage then. */
enum status solve_rows(const struct solver_variant *variant, const struct solve_request *request,
                       struct row_sink *sink, struct timing *timing, struct error *err);

/* The same for all rows, which are stored in dist and, unless it is NULL, pred: both n x n,
 * allocated by the caller. */
enum status solve(const struct solver_variant *variant, const struct graph *g,
                  const struct solver_options *options, struct matrix *dist, struct matrix *pred,
                  struct progress *progress, int repetitions, struct timing *timing,
                  struct error *err);

/* For variants that choose another one: has it solve their task, whether it solves by rows or by
 * matrices. */
enum status solve_task(const struct solver_variant *variant, const struct solver_task *task,
                       struct solver_times *times, struct error *err);

/* Stores how many bytes of memory there are for the solve: for several processes, which are to
 * decide alike, what the one has that has the least. All ranks call it. */
enum status solve_room(const struct solver_task *task, uint64_t *room, struct error *err);

/* Returns the variant of a solver's table that is the same as `variant`, which may be in another
 * table under another name; NULL if there is none. */
const struct solver_variant *solver_find_same(const struct solver *solver,
                                              const struct solver_variant *variant);

/* Sizes that decide how much memory a solve takes beside the graph. */
struct solve_size {
    const struct graph *graph;
    int32_t sources; /* rows that are wanted */
    int threads;
    bool predecessors;
    bool matrices; /* the sink has matrices for all rows, which are not counted here */
    int processes; /* as in struct solver_size */
    int32_t steps; /* as in struct solver_size */
};

/* Returns the bytes of memory that solve_rows takes at most, beside the graph and what the sink
 * holds, as far as the numbers in the graph tell: zero-weight cycles, and reduced weights that do
 * not fit in 32 bits, make it need more, which is refused when it comes to that. */
uint64_t solve_memory(const struct solver_variant *variant, const struct solve_size *size);

/* Memory that a run holds beside its solve, in bytes. */
struct run_memory {
    uint64_t held;  /* all the time: the graph, the answer if it is kept */
    uint64_t turns; /* to prove, write and measure: of all three while it solves if it streams, of
                       one after the other otherwise */
    bool streams;
};

/* Returns how many bytes a run holds at most if its solve takes so many. */
uint64_t run_memory_with(const struct run_memory *run, uint64_t solve);

#endif
