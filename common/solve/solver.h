// SPDX-License-Identifier: MIT
/* What a solver is. A program has one table of variants; help, option parsing,
 * tests, experiments and tables all read that table. */
#ifndef COMMON_SOLVE_SOLVER_H
#define COMMON_SOLVE_SOLVER_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph, struct matrix

#include <stdbool.h>
#include <stdint.h>

struct cycle;        /* potentials.h */
struct gpu_matrices; /* gpu_solver.h */
struct solver_files;
struct solver_variant;

/* What one solve needs of a GPU's memory. */
struct gpu_memory {
    size_t needed, free, all; /* bytes */
    int32_t max_vertices;     /* for which the variant, with as many edges, would fit */
};

struct solver_options {
    int threads; /* 0: as many as the machine has cores */
    int device;  /* GPU number, from 0 */
    int tile;    /* tile size; 0: the variant's default */
    /* The thread that solves has the GPU selected afterwards that it had before, for which that
     * one's context may be created. */
    bool keeps_device;
    /* Unless NULL, GPU variants call it once before they solve what does fit. */
    void (*on_memory)(void *to, const struct gpu_memory *memory);
    /* Unless NULL, a variant that chooses among others calls it when it has solved:
     * which it took, and on why a line or several, or NULL. */
    void (*on_choice)(void *to, const char *variant, const char *why);
    /* Unless NULL, a variant that chooses among others calls it when the one it took has failed,
     * for a reason of one line, and it goes on with the next. All texts are the caller's. */
    void (*on_failure)(void *to, const char *failed, const char *reason, const char *next);
    /* Unless NULL, called where the graph has a negative cycle, which takes what *cycle holds, and
     * leaves it zeroed. */
    void (*on_cycle)(void *to, struct cycle *cycle);
    void *callback_context;
    /* Of a program that reads and writes files; otherwise NULL. */
    const struct solver_files *files;
};

/* The files around a solve, for those who predict how long it takes from one to the other. */
struct solver_files {
    int32_t vertices; /* |V| and |E| of the graph's file */
    int64_t edges;
    bool npy;        /* the result's format; otherwise text */
    bool warming_up; /* since the graph's size was known, a GPU's context is being created */
    void (*wait)(
        void *self); /* unless NULL, to be called before the GPU is used: ends when it is */
    void *self;
};

/* One problem and the place for its answer. */
struct solver_task {
    const struct graph *graph; /* weights >= 0 and no zero-weight cycles: zero_cycles.h says what
                                  that spares a solver */
    struct matrix *dist;       /* n x n, overwritten with distances */
    struct matrix *pred;       /* n x n, overwritten with predecessors; NULL: distances only */
    int repetitions; /* how often to solve, >= 1; more than one: after an untimed warm-up */
    const struct solver_options *options;
    struct progress *progress; /* may be NULL */
    /* NULL; or the graph is as it was read, weights below 0 and zero-weight cycles included,
     * and these are its potentials (potentials.h): only for variants that take them. */
    const int64_t *potential;
    /* |V| of the graph whose zero-weight cycles were contracted to make this one; 0: none were. */
    int32_t contracted_from;
};

/* Seconds. */
struct solver_times {
    double *solve_s;   /* one for each repetition: from input resident (in the form and memory that
                          the variant works on) to result resident there, all phases */
    double around_s;   /* what one solve needs besides: context, allocation, transfers */
    double transfer_s; /* the part of it for transfers to and from a device */
};

/* What decides how much memory a solve takes. */
struct solver_size {
    int32_t n;
    int64_t m;   /* edges */
    int threads; /* as in the options */
    bool predecessors;
    bool wide; /* the task has potentials */
};

struct solver_variant {
    const char *name;
    const char *summary; /* one line for --list-variants */
    const char *source;  /* where it was published */

    /* Fills the task's matrices; distances of INF or more must come out as INF.
     * The input is restored before every repetition, and the same task gives
     * the same bytes every time. On failure the matrices are garbage. Where progress says to stop,
     * it returns soon, with any status: solve() makes it STATUS_CANCELLED. */
    enum status (*solve)(const struct solver_variant *variant, const struct solver_task *task,
                         struct solver_times *times, struct error *err);

    /* GPU variants, whose solve() is gpu_solve: the kernels (gpu_solver.h). */
    enum status (*launch)(const struct gpu_matrices *matrices, struct progress *progress,
                          struct error *err);
    int padding;       /* rows and columns are padded to a multiple of this; 0: not at all */
    bool derives_pred; /* predecessors come from the distances and the in-edges */
    /* Bytes of workspace for matrices whose sizes are set; NULL: none. */
    size_t (*workspace)(const struct gpu_matrices *matrices, bool with_pred);

    int default_tile;    /* side of a tile; 0: the variant has no tiles */
    int max_tile;        /* of --tile; 0: there is nothing to choose */
    bool distances_only; /* the variant cannot give predecessors */
    /* 0: no graph is refused as not exact. Otherwise one may be, but none whose
     * weights are >= 0 and, like its distances, at most this. */
    int32_t exact_up_to;
    /* Bytes of memory that a CPU variant's solve takes at most, beside the task's graph and
     * matrices; NULL: next to none. Of one that chooses among others, the least of any. */
    uint64_t (*memory)(const struct solver_size *size);
    bool parallel; /* a CPU variant that uses more than one thread */
    /* Where the distances of a reweighted graph may not fit in 32 bits, it solves the graph
     * itself by its potentials, and checks the range of what comes out. */
    bool takes_potentials;
};

/* A program: its variants and names. */
struct solver {
    const char *program;
    const char *summary;
    const char *default_output, *default_prefix; /* of text and of NumPy results */
    const struct solver_variant *variants;
    size_t variant_count;
    const char *default_variant;
    bool uses_gpu;
};

/* NULL where the solver has no variant of that name. */
const struct solver_variant *solver_find(const struct solver *solver, const char *name);

#endif
