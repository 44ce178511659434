// SPDX-License-Identifier: MIT
/* Solvers and their variants. Each solver has one table of variants; help, option parsing, tests
 * and experiments read it. */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress
#include "common/base/timing.h"   // struct timing_phases
#include "common/graph/graph.h"   // struct graph, struct matrix
#include "solve/model.h"          // struct variant_model

#include <stdbool.h>
#include <stdint.h>

struct decay_engine;  /* accessibility/decay_engine.h */
struct flow_engine;   /* flows/flow_engine.h */
struct cycle;         /* potentials.h */
struct delivery;      /* delivery.h */
struct gpu_matrices;  /* gpu_solver.h */
struct look;          /* elimination/look.h */
struct other_engines; /* other_engines.h */
struct ranks;         /* ranks/ranks.h */
struct solver_files;
struct solver_variant;

/* The memory that one solve needs on a GPU. */
struct gpu_memory {
    int device;
    size_t needed, free, all; /* bytes; `free` before */
    int32_t max_vertices;     /* with as many edges, up to this |V| would fit; 0: unknown */
};

/* The largest number of a GPU that options and the library take. */
enum { SOLVER_MAX_DEVICE = 1024 };

/* The most GPUs that solve together, and a count that stands for all of the host. */
enum { SOLVER_MAX_TOGETHER = 32, SOLVER_ALL_DEVICES = -1 };

struct solver_options {
    int threads; /* 0: one per core */
    int device;  /* GPU number, from 0 */
    /* If device_count > 1, so many different GPUs solve together, of which devices[0] is `device`:
     * for variants that have a solve_spread. Those that choose among others take as many of them as
     * pay, and SOLVER_ALL_DEVICES too (gpu_devices.h lists them for other variants). */
    int device_count, devices[SOLVER_MAX_TOGETHER];
    int tile; /* tile size; 0: the variant's default */
    int rows; /* rows that a GPU solves at a time at most; 0: as many as suit it */
    /* After the solve, the thread has the same GPU selected as before. That may create a context on
     * it. */
    bool keeps_device;
    /* Callbacks, each of which may be NULL. Texts belong to the caller of the callback. */
    /* A GPU variant is about to solve, and its memory fits, or it has solved, if what it needs
     * shows only then; once for each GPU that takes part. */
    void (*on_memory)(void *context, const struct gpu_memory *memory);
    /* So many GPUs solve, the first ones of the list: for variants without on_memory. */
    void (*on_devices)(void *context, int count);
    /* A variant that chooses among others has solved with this one, for the reasons in `why`, one
     * or more lines, or NULL. */
    void (*on_choice)(void *context, const char *variant, const char *why);
    /* The processes that solve together send parts of the matrix by this route. */
    void (*on_route)(void *context, const char *route);
    /* The variant that was chosen has failed, for a reason of one line, and the next one starts. */
    void (*on_failure)(void *context, const char *failed, const char *reason, const char *next);
    /* The graph has this negative cycle. The callback takes its memory and leaves it zeroed. */
    void (*on_cycle)(void *context, struct cycle *cycle);
    void *callback_context;
    /* Variants that choose among others look at the graph as closely as a plan does, so that the
     * reasons for on_choice are predictions of all of them. */
    bool explains;
    /* The processes that divide the rows among them, for variants that can; NULL: only this one. */
    const struct ranks *ranks;
    /* Set by programs that read and write files; otherwise NULL. */
    const struct solver_files *files;
    /* Bytes of memory that the sink takes when the solve begins, which variants that choose among
     * others leave it. */
    uint64_t reserved;
};

/* The files of a run, for predictions that include reading and writing. */
struct solver_files {
    int32_t vertices; /* |V| and |E| as the graph's file counts them */
    int64_t edges;
    bool npy;           /* the result's format; otherwise text */
    bool discards_rows; /* there is no result, only what is computed from it */
    bool proves;        /* rows are proved (--check) */
    bool measures;      /* rows are measured */
    bool warming_up;    /* a thread has been creating a GPU's context since the size was known */
    /* Unless NULL, to be called before the GPU is used: waits for the context. */
    void (*wait)(void *self);
    void *self;
};

/* One problem, and where its answer goes. */
struct solver_task {
    const struct graph *graph; /* weights >= 0, integers unless the variant solves_real, which takes
                                  real weights of any sign; zero-weight cycles are allowed:
                                  predecessors need only have tight edges (zero_cycles.h) */
    /* Engines by rows hand the rows of delivery->sources to it (delivery.h), with predecessors if
     * `predecessors`. */
    struct delivery *delivery;
    bool predecessors;
    /* Engines may stop there: distances up to it must be exact, and others may be anything that is
     * larger, with any predecessor. NO_LIMIT for none. The delivery makes them INF and -1. */
    double limit;
    /* The others fill these, n x n: pred is NULL for distances only. */
    struct matrix *dist, *pred;
    int repetitions; /* how often to solve, >= 1; more than one: after an untimed warm-up */
    const struct solver_options *options;
    struct progress *progress; /* may be NULL */
    /* NULL; or the graph is as it was read, weights below 0 included, and these are its potentials
     * (potentials.h): only for variants that take them. */
    const int64_t *potential;
    const struct look *look; /* NULL; or a look at this graph, which need not be taken again */
};

/* Seconds. */
struct solver_times {
    double *solve_s;   /* one for each repetition: all phases, from the input to the result, in the
                          form and the memory that the variant works on */
    double around_s;   /* the rest of one solve: context, allocation, transfers */
    double transfer_s; /* the part of around_s for transfers to and from a device */
    struct timing_phases phases; /* of the last repetition */
};

/* The sizes that decide how much memory a solve takes. */
struct solver_size {
    int32_t n;
    int64_t m;             /* edges */
    enum number_type type; /* type of the weights */
    enum grid_use grid;    /* the grid that the weights are on */
    int threads;           /* as in struct solver_options */
    bool predecessors;
    bool wide;     /* the task has potentials */
    int processes; /* processes that solve together, each in its own memory; 0 counts as 1 */
    /* Rows that are wanted, and whether they go to places of their own in the answer: otherwise
     * engines by rows need room for them. */
    int32_t sources;
    bool placed;
    bool totals;   /* totals of the rows do (delivery_takes_totals) */
    bool sums;     /* of the rows only sums are wanted (delivery_takes_sums) */
    int32_t steps; /* as in struct features; 0 counts as 1 */
};

struct solver_variant {
    const char *name;
    const char *summary; /* one line for --list-variants */
    const char *source;  /* its publication */

    /* It hands rows to the task's delivery as they come, in memory O(rows at a time * n), as all
     * GPU variants do. */
    bool by_rows;

    /* Solves the task by rows or by matrices; distances of INF or more must come out as INF.
     * It restores the input before every repetition, and the same task gives the same bytes every
     * time. After a failure the answer is garbage. If progress says to stop, it returns soon, with
     * any status: solve_rows() makes it STATUS_CANCELLED. */
    enum status (*solve)(const struct solver_variant *variant, const struct solver_task *task,
                         struct solver_times *times, struct error *err);

    /* For GPU variants, whose solve() is gpu_solve: launches the kernels (gpu_solver.h). */
    enum status (*launch)(const struct gpu_matrices *matrices, struct progress *progress,
                          struct error *err);
    /* Unless NULL, what gpu_solve launches on one GPU if weights are real and the variant takes
     * integers: it has launch() solve rounded weights and refines the rows where they are, a block
     * at a time (search/gpu/refining.h). And the bytes of its workspace. */
    enum status (*launch_refined)(const struct gpu_matrices *matrices, struct progress *progress,
                                  struct error *err);
    size_t (*refined_workspace)(const struct gpu_matrices *matrices, bool with_pred);
    /* Unless NULL, what gpu_solve does if the options name several GPUs. */
    enum status (*solve_spread)(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);
    /* Then one more GPU is worth asking for so many rows more. */
    int32_t spread_rows;
    /* Bytes that each of so many GPUs needs at least. NULL: what one needs that solves alone. */
    size_t (*spread_memory)(int32_t n, int64_t m, bool with_pred, int gpus);
    /* If nobody says which GPUs to take, it has all of the host to choose from. */
    bool chooses_devices;
    bool solves_rows;   /* it can solve a block of some rows, in memory O(rows * n) of the GPU */
    int padding;        /* rows and columns are padded to a multiple of this; 0: not at all */
    bool gives_totals;  /* it hands on the totals of an answer if a sink takes them instead of rows;
                         */
    bool limits_totals; /* and those of distances up to a limit */
    bool derives_pred;  /* derives predecessors from the distances and the in-edges */
    /* Bytes of workspace for matrices whose sizes are set; NULL: none. */
    size_t (*workspace)(const struct gpu_matrices *matrices, bool with_pred);

    int default_tile;    /* side of a tile; 0: the variant has no tiles */
    int max_tile;        /* the largest --tile; 0: there is nothing to choose */
    bool distances_only; /* the variant cannot give predecessors */
    /* The variant is exact for every graph whose weights are >= 0 and whose weights and distances
     * are at most this, and may refuse others. 0: it is exact for all graphs. */
    int32_t exact_up_to;
    /* Returns how many bytes of memory a CPU variant's solve takes at most, beside the task's graph
     * and matrices; NULL: next to none. A variant that chooses among others returns the least that
     * any of them takes. A variant that adapts to the memory that is left returns what it takes for
     * the graphs that it is meant for. */
    uint64_t (*memory)(const struct solver_size *size);
    /* It is for graphs whose weights are integers above 0, the largest of which is at most so many
     * units of which all are multiples. It leaves those of other weights to others. 0: it is for
     * all weights. */
    int32_t steps_most;
    /* Unless NULL, what solves a task whose float64 weights are on a grid (grid.h) by rows. */
    enum status (*solve_on_grid)(const struct solver_variant *variant,
                                 const struct solver_task *task, struct solver_times *times,
                                 struct error *err);
    /* It solves graphs of real weights itself, and also those with weights below 0. Every other
     * variant solves a graph of rounded weights, and its rows are refined: by gpu_solve if it has
     * launch_refined, otherwise on the host (refine.h). */
    bool solves_real, solves_signed;
    bool solves_semirings; /* it solves graphs of other semirings than min-plus, and no others */
    bool parallel;         /* a CPU variant that uses more than one thread */
    /* Several processes can solve some of its rows each. If it solves by rows, it claims them
     * before, in an order that is the same in all processes with as many threads and the same
     * instruction set (delivery_next, delivery_claims). Otherwise each of several processes has
     * some rows of the matrices, and hands them to the task's delivery itself. */
    bool divides;
    /* Its seconds for sums (struct model_question) include those of taking them. */
    bool gives_sums;
    /* If the distances of a reweighted graph may not fit in 32 bits, it solves the original graph
     * with its potentials, and checks the range of the distances. */
    bool takes_potentials;
    /* Unless NULL, it solves the components of a graph one by one (by_components.h), and this is
     * what it calls a search from each source (solver_options.on_choice). */
    const char *searches;
    /* Unless NULL, who solves what the variant leaves to others (other_engines.h). */
    const struct other_engines *others;
    /* Unless NULL: whether it takes the graph as it is, weights below 0 included, if only distances
     * are asked for. No distance of such a graph is out of range. It returns STATUS_NEGATIVE_CYCLE
     * if there is a negative cycle, which solve() then names. */
    bool (*takes_negative)(const struct graph *g);
    /* Returns what this build lacks to solve with the variant, to be put behind "built without", or
     * NULL. A variant without this function needs nothing that a build may lack. */
    const char *(*missing)(void);
    struct variant_model model; /* what it needs, how fast it is, and what bounds it */
};

/* Returns whether the variant solves a graph of rounded weights in place of one whose weights have
 * that type and are on such a grid. */
static inline bool solver_is_refined(const struct solver_variant *variant, enum number_type type,
                                     enum grid_use grid, bool predecessors) {
    const bool on_grid = grid == GRID_ALL || (grid == GRID_DISTANCES && !predecessors);
    return type != NUMBER_INT32 && !variant->solves_real &&
           !(on_grid && variant->solve_on_grid != NULL);
}

/* Returns whether its solve() takes the graph of real weights then, and refines the rows on the
 * GPU. Several GPUs, in one process or many, leave that to the host. */
static inline bool solver_refines_itself(const struct solver_variant *variant,
                                         const struct solver_options *options) {
    return variant->launch_refined != NULL && options->device_count <= 1 && options->ranks == NULL;
}

/* Returns whether the variant is for such weights. */
static inline bool solver_is_for_weights(const struct solver_variant *variant,
                                         const struct features *f) {
    return variant->steps_most == 0 || features_have_equal_weights(f) ||
           (f->type == NUMBER_INT32 && f->steps > 0 && f->steps <= variant->steps_most);
}

/* Returns the bytes of memory that a variant takes for a task of that size beside the graph and
 * what the sink holds: its own and, unless it solves by rows or the sink has places for all rows,
 * those of its matrices. */
uint64_t solver_memory(const struct solver_variant *variant, const struct solver_size *size);

/* A program and its variants. */
struct solver {
    const char *program;
    const char *summary;
    const char *default_output, *default_prefix; /* for text and for NumPy results */
    const struct solver_variant *variants;
    size_t variant_count;
    const char *default_variant;
    bool uses_gpu;
    const struct flow_engine *flows;   /* finds betweenness on a GPU; NULL: the CPU does */
    const struct decay_engine *decays; /* finds accessibility on a GPU; NULL: the CPU does */
    /* Solves graphs of other semirings than min-plus (semiring.h); NULL: the program does not. */
    const struct solver_variant *semirings;
};

/* NULL if the solver has no variant of that name. */
const struct solver_variant *solver_find(const struct solver *solver, const char *name);

#endif
