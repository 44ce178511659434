// SPDX-License-Identifier: MIT
/* The host side of every GPU variant: context, memory, transfers and clock. A variant adds a launch
 * function (solver.h) in its .cu file. */
#ifndef GPU_GPU_SOLVER_H
#define GPU_GPU_SOLVER_H

#ifdef __cplusplus
#include "common/base/error.h"
#include "common/base/number.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
extern "C" {
struct progress;
struct ranks;
#else
#include "solve/solver.h" // struct solver_variant, struct solver_task

#include <pthread.h>
#endif

/* The graph's edges by their heads, in device memory: edges into vertex v are first[v] ..
 * first[v + 1] - 1. */
struct gpu_in_edges {
    const int64_t *first;
    const int32_t *tail;
    union {
        const int32_t *weight;
        const double *real_weight; /* of a graph of real weights, as in struct graph */
    };
    int64_t m;
    int32_t max_weight;     /* 0 if m = 0, or of real weights */
    double max_real_weight; /* 0 if m = 0, or of integers */
};

/* State that a variant that solves blocks of rows keeps from one block of an answer to the next;
 * zero before the first. */
struct gpu_state {
    double rounded_s, quantum; /* of real weights that were rounded: seconds to solve these, and
                                  what they are multiples of */
    uint32_t known;   /* the variant's own notes: what is in its workspace, what it has found out */
    bool matrix_fits; /* the solver's answer to whether the variant may want the matrix */
    bool wants_matrix; /* set by the variant instead of solving the block: it is then launched once
                          more, for all rows at a time */
};

/* Enough for so many rows at a time that a large GPU is busy; see struct gpu_matrices. */
enum { GPU_STAGING_BYTES = 256 << 20 };

/* The rows that several GPUs take at a time at least: two strips of 8 sources on each of 132
 * multiprocessors. */
enum { GPU_STEP_ROWS = 2112 };

/* How kernels that may take long learn that the solve is to stop. */
struct gpu_stop {
    const struct progress *progress; /* that says so; NULL: nobody does */
    const struct ranks *ranks;       /* the failure of one of them says so, too; NULL: none */
    int32_t *word; /* in device memory: 0 until the solve is to stop. Kernels look at it now and
                      then; once it is not 0 they return soon, and their results are garbage */
};

struct gpu_matrices;

/* The variant for integers that solves the rounded weights of a graph of real ones. */
struct gpu_rung {
    enum status (*launch)(const struct gpu_matrices *, struct progress *, struct error *);
    size_t (*workspace)(const struct gpu_matrices *, bool with_pred); /* NULL: none */
    int32_t most; /* distances up to it may come out */
};

/* A block of rows and the edges of one solve on the device. dist and pred are row-major with
 * leading dimension ld.
 *
 * For most variants the block is the whole matrix: rows = n, source = NULL, row v belongs to vertex
 * v. The launch function turns the adjacency matrices (see gpu_fill_adjacency) into distances and
 * predecessors in place. Variants with solves_rows (solver.h) get blocks of some rows too, the
 * same graph in one launch after the other, and fill them from the edges alone: dist and pred start
 * as garbage.
 *
 * A launch function does so for any n >= 1, or returns STATUS_BAD_INPUT with the number of vertices
 * that it can do. Its work is in the default stream and may still run when it returns. A variant
 * that cannot promise exact distances for this graph returns STATUS_BAD_INPUT with the line
 * "variant NAME is not exact for this graph: REASON". */
struct gpu_matrices {
    enum number_type type; /* real only for variants that solve them (solver.h): then weights are
                              >= 0, and "no path" is infinite */
    union {
        int32_t *dist;
        void *cells; /* distances of any type */
    };
    int32_t *pred; /* NULL: distances only */
    int32_t n;
    int32_t rows;          /* of this block */
    const int32_t *source; /* in device memory: the vertex of each row; NULL: row v is that of v */
    int32_t wanted;        /* rows of the whole answer */
    struct gpu_state *state; /* on the host; NULL for variants without solves_rows */
    int32_t order; /* rows and columns that may be accessed if the block is the matrix: n, or with
                      padding the next multiple. Padding cells of dist hold INF, those of pred
                      garbage */
    size_t ld;     /* a multiple of 32 cells: every row starts on a 128-byte line */
    int32_t tile;  /* tile size chosen, or 0 */
    void *workspace;
    size_t staging; /* bytes that a variant may take in its workspace to work on many rows at a
                       time, as far as it could do with one row or a few */
    bool warm_up; /* the result does not count: every kernel that may be needed is launched, on one
                     tile, because CUDA loads a kernel at its first launch */
    struct gpu_in_edges in;
    struct gpu_rung rung; /* only for what refines (solver.h) */
    bool rounded; /* weights are real ones in so many quanta that distances fill the range of the
                     variant, which need not try shorter words */
    const char **chosen; /* a variant that chooses among others stores the name of the one that
                            solved here */
    bool derives_pred;   /* the variant's (solver.h): pred starts as garbage */
    struct gpu_stop stop;
    /* n, in device memory: gpu_components.of; NULL if there are none. A variant may use it to
     * choose predecessors outside a vertex's component, which need no mending. If a vertex has a
     * tight edge from inside only, it may store any number >= n. */
    const int32_t *component;
};

/* Waits until the default stream has done what it was asked for. If the solve is to stop meanwhile,
 * it tells the kernels so; the solver notices, and a launch function need not. */
enum status gpu_wait(const struct gpu_matrices *m, struct error *err);

/* Makes the adjacency matrices, as graph_to_matrices (graph.h) defines them, from m->in: dist with
 * its padding and, unless the variant derives it, pred. It works in the default stream and may
 * return before it is done. The solver calls it before a launch function, and a launch function
 * that has to begin again calls it too. */
enum status gpu_fill_adjacency(const struct gpu_matrices *m, struct error *err);

/* The strongly connected components of the zero-weight edges (zero_cycles.h), in device memory. */
struct gpu_components {
    const int32_t *of; /* n: each vertex's component; -1 if it has no other vertex */
    const struct zero_member
        *member;          /* the vertices that are in one, as zero_cycles_span has them */
    const int32_t *first; /* count + 1: members of component c are first[c] .. first[c+1]-1 */
    int32_t count;        /* of components */
};

#ifndef __cplusplus
struct zero_cycles; /* zero_cycles.h */

/* Makes the numbers of the components for gpu_components.of: n, in memory of the host that the
 * caller frees with memory_free. */
enum status gpu_component_numbers(const struct zero_cycles *zero, int32_t n, void **numbers,
                                  struct error *err);
#endif

/* Makes predecessors that have tight edges lead to the source, as zero_cycles_mend() does: a vertex
 * whose predecessor is in its own component takes the one that the component's trees
 * (zero_cycles.h) have for the place where the source's paths enter it. What it writes depends on
 * dist and pred only. It works in the default stream and may return before it is done. */
enum status gpu_mend_predecessors(const struct gpu_matrices *m,
                                  const struct gpu_components *components, struct error *err);

/* The same for real weights, of which any may vanish in a sum. Predecessors are tails of tight
 * edges that are nearer to the source, or any number >= n if a vertex has no such edge. Those get
 * the first vertex from which a search over tight edges reaches them. */
enum status gpu_mend_vanishing(const struct gpu_matrices *m, struct error *err);

#ifndef __cplusplus
/* The solve() of every GPU variant; see solver.h. Before it allocates, it returns
 * STATUS_NO_RESOURCE if the device's free memory cannot hold the solve, and otherwise reports how
 * much it can hold (solver_options). A build without CUDA always returns STATUS_NO_RESOURCE, with
 * the reason. */
enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err);

/* The solve_spread of variants with solves_rows: the GPUs that the options list claim blocks of
 * rows, so that each does what it can, and hand them on one at a time. Fewer take part, or one
 * alone, if there are few rows. None solves the matrix at once (struct gpu_state): blocks are for
 * that too small. A line about a failure names the GPU. It exists only in a build with CUDA. */
enum status gpu_solve_spread(const struct solver_variant *variant, const struct solver_task *task,
                             struct solver_times *times, struct error *err);

/* Returns the status; unless that is STATUS_OK, err's line says now that it happened on this GPU.
 */
enum status gpu_blame(int device, enum status status, struct error *err);

/* Stores the device's name to `name` of `size` bytes, for reports. STATUS_NO_RESOURCE, with the
 * reason, if there is no such device. */
enum status gpu_name(int device, char *name, size_t size, struct error *err);

/* Stores the number of devices, 1 or more; the errors are those of gpu_name. */
enum status gpu_count(int *count, struct error *err);

/* Makes the device current for this thread's CUDA calls; the errors are those of gpu_name.
 * gpu_solve calls it by itself. It exists only in a build with CUDA. */
enum status gpu_select(int device, struct error *err);

/* A turn on a device, for variants that have a solve() of their own: solves of a process take
 * turns, because the shared memory that a kernel may have is set for all of them, and kernels in
 * the default stream wait for one another anyway. gpu_solve takes one by itself. */
struct gpu_turn {
    int device, callers; /* this turn's, and what the thread had selected before */
    double began;        /* clock_seconds() */
};

/* Waits for a turn, and before for the program's warm-up, and selects the device that the options
 * name. The caller ends the turn with gpu_turn_end, on the same thread. The errors are those of
 * gpu_name, and STATUS_BAD_INPUT if the options list several GPUs; after one there is no turn. Only
 * in a build with CUDA. */
enum status gpu_turn_begin(struct gpu_turn *turn, const struct solver_options *options,
                           struct error *err);
void gpu_turn_end(const struct gpu_turn *turn);

/* The properties of a device that decide how fast it is. */
struct gpu_traits {
    char name[256];
    int multiprocessors, capability; /* the first number of the compute capability */
    int shared;                      /* bytes of shared memory that a block can have */
    double clock;                    /* cycles a second */
    double bandwidth;                /* of its memory in theory, bytes a second */
    size_t memory;                   /* bytes, free and used */
};

/* Asks the driver for the device's properties; the first answer may take a while. It creates no
 * context. The errors are those of gpu_name. */
enum status gpu_query(int device, struct gpu_traits *traits, struct error *err);

/* Creates the device's context and loads the variant's kernels by solving a graph of one vertex, so
 * that the first solve need not. Errors are ignored: they come again, with the reason, in the
 * solve.
 */
void gpu_warm_up(const struct solver_variant *variant, int device);

/* A thread that warms up while a program has other work. A zeroed struct does nothing. */
struct gpu_warmer {
    const struct solver_variant *variant;
    int device;
    bool runs;
    pthread_t thread;
};

/* Returns whether it has started. */
bool gpu_warmer_start(struct gpu_warmer *warmer, const struct solver_variant *variant, int device);

/* Waits until the context is there and the kernels are loaded, and the thread has ended. It may be
 * called again. */
void gpu_warmer_wait(struct gpu_warmer *warmer);

/* Returns the bytes of the device's memory that a solve takes, at the least if the variant has a
 * solve() of its own; SIZE_MAX if they cannot be counted. */
size_t gpu_memory_needed(const struct solver_variant *variant, enum number_type type, int32_t n,
                         int64_t m, bool with_pred);
#else
}
#endif

/* A reference of a table of variants to a launch function, which a build without CUDA does not
 * have. */
#ifdef APSP_NO_CUDA
#define GPU_LAUNCH(function) NULL
#else
#define GPU_LAUNCH(function) function
#endif

#endif
