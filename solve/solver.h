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
    /* bytes of device memory: that the solve needs, free before the solve, and in all */
    size_t needed, free, all;
    /* the most vertices of a graph with this number of edges that would fit; 0: unknown */
    int32_t max_vertices;
};

/* The highest GPU number that options and the library take. */
enum { SOLVER_MAX_DEVICE = 1024 };

/* SOLVER_MAX_TOGETHER: the most GPUs that solve together. SOLVER_ALL_DEVICES: a device_count that
 * stands for all GPUs of the host. */
enum { SOLVER_MAX_TOGETHER = 32, SOLVER_ALL_DEVICES = -1 };

struct solver_options {
    int threads; /* 0: one per core */
    int device;  /* GPU number, from 0 */
    /* If device_count > 1, that many different GPUs solve together, with a variant that has a
     * solve_spread; devices[0] is `device`. A variant that chooses among others uses as many of
     * them as pay, and accepts SOLVER_ALL_DEVICES; for other variants gpu_devices.h replaces that
     * by a list. */
    int device_count, devices[SOLVER_MAX_TOGETHER];
    int tile; /* tile size; 0: the variant's default */
    int rows; /* the most rows that a GPU solves at a time; 0: as many as suit it */
    /* The solve restores the thread's selection of a GPU. That may create a context on that GPU. */
    bool keeps_device;
    /* Callbacks, each of which may be NULL. Texts belong to the code that calls the callback. */
    /* A GPU variant is about to solve and its memory fits, or it has solved if its need shows only
     * then. Called once for each GPU that takes part. */
    void (*on_memory)(void *context, const struct gpu_memory *memory);
    /* The first `count` GPUs of the list solve; called for variants without on_memory. */
    void (*on_devices)(void *context, int count);
    /* A variant that chooses among others has solved with this one. why: the reasons, one or more
     * lines; NULL: none are given. */
    void (*on_choice)(void *context, const char *variant, const char *why);
    /* The processes that solve together exchange parts of the matrix by this route. */
    void (*on_route)(void *context, const char *route);
    /* The variant that was chosen has failed, for a reason of one line, and the next one starts. */
    void (*on_failure)(void *context, const char *failed, const char *reason, const char *next);
    /* The graph has this negative cycle. The callback takes its memory and leaves it zeroed. */
    void (*on_cycle)(void *context, struct cycle *cycle);
    void *callback_context;
    /* Variants that choose among others look at the graph as closely as a plan does, so that the
     * reasons for on_choice are predictions of all of them. */
    bool explains;
    /* The processes that divide the rows among them, for variants whose rows can be divided; NULL:
     * this process solves all rows. */
    const struct ranks *ranks;
    /* Set by programs that read and write files; NULL: no files. */
    const struct solver_files *files;
    /* Bytes of memory that the sink will take when the solve begins. Variants that choose among
     * others leave them free. */
    uint64_t reserved;
};

/* The files of a run, for predictions that include reading and writing. */
struct solver_files {
    int32_t vertices; /* |V| and |E| as the graph's file counts them */
    int64_t edges;
    bool npy;           /* the result is in NumPy format; otherwise text */
    bool discards_rows; /* no result is written, only what is computed from it */
    bool proves;        /* rows are proved (--check) */
    bool measures;
    bool warming_up;  /* a thread has been creating a context of the GPU since the graph's size was
                         known */
    bool gpu_follows; /* a GPU is used behind the solve, whatever finds the rows */
    /* Unless NULL, waits for that context; to be called before the GPU is used. */
    void (*wait)(void *self);
    void *self;
};

/* Returns whether a GPU's context is being created meanwhile. files: NULL if there are none. */
static inline bool solver_is_warming_up(const struct solver_files *files) {
    return files != NULL && files->warming_up;
}

/* A problem, and the place of its answer. */
struct solver_task {
    /* weights >= 0, integers unless the variant solves_real, which takes real weights of any sign;
     * zero-weight cycles are allowed: predecessors need only have tight edges (zero_cycles.h) */
    const struct graph *graph;
    /* Engines by rows hand the rows of delivery->sources to this delivery (delivery.h), with
     * predecessors if `predecessors`. */
    struct delivery *delivery;
    bool predecessors;
    /* Engines may stop at this distance: distances up to it must be exact. Larger ones may be any
     * number above it, with any predecessor; the delivery makes them INF and -1. NO_LIMIT: none. */
    double limit;
    /* Engines by matrices fill these, n x n; pred is NULL for distances only. */
    struct matrix *dist, *pred;
    int repetitions; /* how often to solve, >= 1; if more than once, after an untimed warm-up */
    const struct solver_options *options;
    struct progress *progress; /* NULL: nobody is told */
    /* Potentials of the graph's n vertices, for variants that take potentials: then the graph is as
     * it was read, weights below 0 included (potentials.h). NULL: weights are >= 0. */
    const int64_t *potential;
    const struct look *look; /* a look at this graph that need not be repeated; NULL: none */
};

/* Times in seconds. */
struct solver_times {
    double *solve_s; /* for each repetition, the time of all phases from the input to the result, in
                        the form and the memory that the variant works on */
    double around_s; /* the rest of one solve: context, allocation, transfers */
    double transfer_s; /* the part of around_s that is spent on transfers to and from a device */
    struct timing_phases phases; /* phases of the last repetition */
};

/* The sizes that decide how much memory a solve takes. */
struct solver_size {
    int32_t n;
    int64_t m;             /* edges */
    enum number_type type; /* type of the weights */
    enum grid_use grid;    /* grid that the weights are on */
    int threads;           /* number of threads; 0: one per core */
    bool predecessors;
    bool wide;     /* the task has potentials */
    int processes; /* processes that solve together, each in its own memory; 0 counts as 1 */
    /* sources: number of rows that are wanted. placed: rows have places of their own in the answer;
     * otherwise engines by rows need room for them. */
    int32_t sources;
    bool placed;
    bool totals;   /* totals of the rows are enough (delivery_takes_totals) */
    bool sums;     /* sums of the rows are enough (delivery_takes_sums) */
    int32_t steps; /* as in struct features; 0 counts as 1 */
};

struct solver_variant {
    const char *name;
    const char *summary; /* one line for --list-variants */
    const char *source;  /* publication of the algorithm */

    /* The variant hands rows to the task's delivery as they come, in memory O(rows at a time * n),
     * as all GPU variants do. Otherwise it fills the task's matrices. */
    bool by_rows;

    /* Solves the task by rows or by matrices; distances of INF or more must come out as INF. The
     * input is restored before every repetition, and the same task gives the same bytes every time.
     * After a failure the answer is garbage. If progress says to stop, it returns soon, with any
     * status: solve_rows() makes it STATUS_CANCELLED. */
    enum status (*solve)(const struct solver_variant *variant, const struct solver_task *task,
                         struct solver_times *times, struct error *err);

    /* For GPU variants, whose solve() is gpu_solve: launches the kernels (gpu_solver.h). */
    enum status (*launch)(const struct gpu_matrices *matrices, struct progress *progress,
                          struct error *err);
    /* For a variant that takes integers: unless NULL, gpu_solve calls launch_refined on one GPU if
     * weights are real. It solves rounded weights by launch() and refines the rows on the GPU, a
     * block at a time (search/gpu/refining.h). The second function returns the bytes of its
     * workspace. */
    enum status (*launch_refined)(const struct gpu_matrices *matrices, struct progress *progress,
                                  struct error *err);
    size_t (*refined_workspace)(const struct gpu_matrices *matrices, bool with_pred);
    /* Unless NULL, gpu_solve calls this if the options name several GPUs. */
    enum status (*solve_spread)(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);
    /* Number of rows for which one more GPU is worth asking for, if the variant has a solve_spread.
     */
    int32_t spread_rows;
    /* Returns how many bytes each of `gpus` GPUs needs at least. NULL: as many as a GPU that solves
     * alone. */
    size_t (*spread_memory)(int32_t n, int64_t m, bool with_pred, int gpus);
    /* If the user names no GPUs, the variant chooses among all GPUs of the host. */
    bool chooses_devices;
    bool solves_rows;   /* can solve a block of some rows, in O(rows * n) memory of the GPU */
    int padding;        /* rows and columns are padded to a multiple of this; 0: no padding */
    bool gives_totals;  /* hands on the totals of an answer if a sink takes them instead of rows */
    bool limits_totals; /* also hands on totals of the distances up to a limit */
    bool derives_pred;  /* derives predecessors from the distances and the in-edges */
    /* Returns the bytes of workspace for matrices whose sizes are set; NULL: none are needed. */
    size_t (*workspace)(const struct gpu_matrices *matrices, bool with_pred);

    int default_tile;    /* side of a tile; 0: the variant has no tiles */
    int max_tile;        /* the largest --tile; 0: it cannot be chosen */
    bool distances_only; /* the variant cannot give predecessors */
    /* The variant is exact for every graph whose weights are >= 0 and whose weights and distances
     * are at most this, and may refuse others. 0: it is exact for all graphs. */
    int32_t exact_up_to;
    /* Returns how many bytes of memory a CPU variant's solve takes at most, in addition to the
     * task's graph and matrices; NULL: almost none. A variant that chooses among others returns the
     * least that any of them takes. A variant that adapts to the memory that is left returns what
     * it takes for the graphs that it is meant for. */
    uint64_t (*memory)(const struct solver_size *size);
    /* The variant is only for graphs whose weights are integers above 0, all multiples of a unit,
     * of which the largest weight is at most this many. 0: it is for all weights. */
    int32_t steps_most;
    /* Unless NULL, solves a task whose float64 weights are on a grid (grid.h) by rows. */
    enum status (*solve_on_grid)(const struct solver_variant *variant,
                                 const struct solver_task *task, struct solver_times *times,
                                 struct error *err);
    /* solves_real: the variant solves graphs of real weights itself. solves_signed: also those with
     * weights below 0. Every other variant solves a graph of rounded weights, and its rows are
     * refined: by gpu_solve if it has launch_refined, otherwise on the host (refine.h). */
    bool solves_real, solves_signed;
    bool solves_semirings; /* solves graphs of other semirings than min-plus, and no others */
    bool parallel;         /* a CPU variant that uses more than one thread */
    /* Several processes can divide the rows of this variant. If it solves by rows, it claims them
     * before, in an order that is the same in all processes with as many threads and the same
     * instruction set (delivery_next, delivery_claims). Otherwise each of several processes has
     * some rows of the matrices, and hands them to the task's delivery itself. */
    bool divides;
    /* The model's seconds for sums (struct model_question) include those of taking the sums. */
    bool gives_sums;
    /* If the distances of a reweighted graph may not fit in 32 bits, the variant solves the
     * original graph with its potentials, and checks the range of the distances. */
    bool takes_potentials;
    /* The variant's name for a search from each source (solver_options.on_choice), if it solves the
     * components of a graph one by one (by_components.h). NULL: it does not. */
    const char *searches;
    /* The engines to which the variant leaves some work (other_engines.h); NULL: none. */
    const struct other_engines *others;
    /* Unless NULL, returns whether the variant solves the graph as it is, weights below 0 included,
     * if only distances are wanted. No distance of such a graph is out of range. The solve returns
     * STATUS_NEGATIVE_CYCLE if there is a negative cycle, which solve_rows then names. */
    bool (*takes_negative)(const struct graph *g);
    /* Returns the name of what this build lacks for the variant, to be put behind "built without";
     * NULL: nothing. A variant without this function needs nothing that a build may lack. */
    const char *(*missing)(void);
    struct variant_model model; /* needs, speed and bounds of the variant */
};

/* Returns whether the variant solves a graph of rounded weights in place of one whose weights have
 * that type and grid. */
static inline bool solver_is_refined(const struct solver_variant *variant, enum number_type type,
                                     enum grid_use grid, bool predecessors) {
    const bool on_grid = grid == GRID_ALL || (grid == GRID_DISTANCES && !predecessors);
    return type != NUMBER_INT32 && !variant->solves_real &&
           !(on_grid && variant->solve_on_grid != NULL);
}

/* Returns whether the variant's solve(), given a graph that solver_is_refined is true for, refines
 * the rows on the GPU. Several GPUs, in one process or many, leave refining to the host. */
static inline bool solver_refines_itself(const struct solver_variant *variant,
                                         const struct solver_options *options) {
    return variant->launch_refined != NULL && options->device_count <= 1 && options->ranks == NULL;
}

/* Returns whether the variant is for weights of that type and sign. */
static inline bool solver_is_for_weights(const struct solver_variant *variant,
                                         const struct features *f) {
    return variant->steps_most == 0 || features_have_equal_weights(f) ||
           (f->type == NUMBER_INT32 && f->steps > 0 && f->steps <= variant->steps_most);
}

/* Returns the bytes of memory that a variant takes for a task of that size in addition to the graph
 * and what the sink holds: its own memory and, unless it solves by rows or the sink has places for
 * all rows, that of its matrices. */
uint64_t solver_memory(const struct solver_variant *variant, const struct solver_size *size);

/* A program and its variants. */
struct solver {
    const char *program;
    const char *summary;
    /* names of the result's file: for text, and the prefix for NumPy */
    const char *default_output, *default_prefix;
    const struct solver_variant *variants;
    size_t variant_count;
    const char *default_variant;
    bool uses_gpu;
    const struct flow_engine *flows;   /* finds betweenness on a GPU; NULL: the CPU does */
    const struct decay_engine *decays; /* finds accessibility on a GPU; NULL: the CPU does */
    /* Solves graphs of other semirings than min-plus (semiring.h); NULL: the program does not. */
    const struct solver_variant *semirings;
};

/* Returns the variant of that name; NULL if the solver has none. */
const struct solver_variant *solver_find(const struct solver *solver, const char *name);

#endif
