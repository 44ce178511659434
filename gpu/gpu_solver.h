// SPDX-License-Identifier: MIT
/* The host side of every GPU variant: context, memory, transfers and clock. A variant adds a launch
 * function (solver.h) in its .cu file. */
#ifndef GPU_GPU_SOLVER_H
#define GPU_GPU_SOLVER_H

#ifdef __cplusplus
#include "common/base/error.h"
#include "common/base/number.h"
#include "common/graph/semiring.h"
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

/* The graph's edges sorted by their heads, then by their tails, in device memory: the edges into
 * vertex v have indices first[v] .. first[v + 1] - 1. */
struct gpu_in_edges {
    const int64_t *first;
    const int32_t *tail;
    union {
        const int32_t *weight;
        /* in place of `weight` if weights are real, as in struct graph */
        const double *real_weight;
    };
    int64_t m;
    int32_t max_weight;     /* largest weight; 0 if m = 0, or if weights are real */
    double max_real_weight; /* largest weight; 0 if m = 0, or if weights are integers */
};

/* State that a variant that solves blocks of rows keeps from one block of an answer to the next;
 * zero before the first block. */
struct gpu_state {
    /* if real weights were rounded: seconds that solving the rounded weights took, and the quantum
     * that they are multiples of */
    double rounded_s, quantum;
    /* for the variant's own use: what is in its workspace, what it has found out */
    uint32_t known;
    bool matrix_fits;  /* set by the solver: the variant may ask for the whole matrix */
    bool wants_matrix; /* set by the variant instead of solving the block: it is then launched again
                          for all rows at a time */
};

/* Bytes of workspace with which so many rows are solved at a time that a large GPU is busy; see
 * struct gpu_matrices. */
enum { GPU_STAGING_BYTES = 256 << 20 };

/* The fewest rows that each of several GPUs claims at a time: two strips of 8 sources on each of
 * 132 multiprocessors. */
enum { GPU_STEP_ROWS = 2112 };

/* Lets kernels that may run long learn that the solve is to stop. */
struct gpu_stop {
    const struct progress *progress; /* says when to stop; NULL: never */
    const struct ranks *ranks;       /* a failure of one of them means to stop, too; NULL: none */
    /* in device memory: 0 until the solve is to stop. Kernels look at it now and then; once it is
     * not 0, they return soon and their results are garbage */
    int32_t *word;
};

struct gpu_matrices;

/* The variant for integers that solves a graph of rounded weights for a graph of real weights. */
struct gpu_rung {
    enum status (*launch)(const struct gpu_matrices *, struct progress *, struct error *);
    /* bytes of its workspace; NULL: none */
    size_t (*workspace)(const struct gpu_matrices *, bool with_pred);
    int32_t most; /* the largest distance that may result */
};

/* A block of rows and the edges of one solve on the device. dist and pred are row-major with
 * leading dimension ld.
 *
 * For most variants the block is the whole matrix: rows = n, source = NULL, row v belongs to vertex
 * v. The launch function turns the adjacency matrices (see gpu_fill_adjacency) into distances and
 * predecessors in place. Variants with solves_rows (solver.h) get blocks of some rows too, the same
 * graph in one launch after the other, and fill them from the edges alone: dist and pred start as
 * garbage.
 *
 * A launch function works for any n >= 1, or returns STATUS_BAD_INPUT with a message that names the
 * largest n. Its work is in the default stream and may still run when it returns. A variant that
 * cannot promise exact distances for this graph returns STATUS_BAD_INPUT with the message "variant
 * NAME is not exact for this graph: REASON". */
struct gpu_matrices {
    /* real only for variants that solve real weights (solver.h): then weights are >= 0, and "no
     * path" is infinite */
    enum number_type type;
    enum semiring semiring; /* another one than min-plus only for variants with solves_semirings:
                               then weights have any sign */
    union {
        int32_t *dist;
        void *cells; /* distances of any type */
    };
    int32_t *pred; /* NULL: distances only */
    int32_t n;
    int32_t rows; /* number of rows of this block */
    /* in device memory: the source of each row; NULL: row v belongs to vertex v */
    const int32_t *source;
    int32_t wanted;          /* number of rows of the whole answer */
    struct gpu_state *state; /* on the host; NULL for variants without solves_rows */
    /* number of rows and columns that may be accessed if the block is the matrix: n, or with
     * padding the next multiple. Padding cells of dist hold INF, those of pred garbage */
    int32_t order;
    size_t ld;    /* leading dimension, a multiple of 32 cells: every row starts a 128-byte line */
    int32_t tile; /* tile size that was chosen; 0: none */
    void *workspace;
    size_t staging; /* bytes of workspace that a variant may take to work on many rows at a time,
                       although a few rows would do */
    bool warm_up; /* the result does not count: every kernel that may be needed is launched, on one
                     tile, because CUDA loads a kernel at its first launch */
    struct gpu_in_edges in;
    struct gpu_rung rung; /* the variant that launch_refined uses (solver.h) */
    bool rounded; /* weights are real ones in quanta, so small that distances fill the range of the
                     variant: it need not try shorter words */
    /* a variant that chooses among others stores here the name of the one that solved */
    const char **chosen;
    bool derives_pred; /* predecessors are derived (solver.h): pred starts as garbage */
    struct gpu_stop stop;
    /* n, in device memory: gpu_components.of; NULL: there are no zero-weight cycles. A variant may
     * use it to choose predecessors outside a vertex's component, which need no mending. If only
     * edges from inside are tight, it may store any number >= n. */
    const int32_t *component;
};

/* Waits until the default stream is idle. If the solve is to stop meanwhile, it tells the kernels
 * so; the solver notices that, and a launch function need not check. */
enum status gpu_wait(const struct gpu_matrices *m, struct error *err);

/* Makes the adjacency matrices, as graph_to_matrices (graph.h) defines them, from m->in: dist with
 * its padding and, unless the variant derives it, pred. The work is in the default stream and may
 * still run on return. The solver calls it before a launch function, and a launch function that has
 * to begin again calls it too. */
enum status gpu_fill_adjacency(const struct gpu_matrices *m, struct error *err);

/* The strongly connected components of the zero-weight edges (zero_cycles.h), in device memory. */
struct gpu_components {
    const int32_t *of; /* n: component of each vertex; -1: no other vertex is in it */
    /* the vertices that are in components, as zero_cycles_span orders them */
    const struct zero_member *member;
    const int32_t *first; /* count + 1: members of component c are first[c] .. first[c+1]-1 */
    int32_t count;        /* number of components */
};

#ifndef __cplusplus
struct zero_cycles; /* zero_cycles.h */

/* Makes the contents of gpu_components.of: n numbers, in host memory that the caller frees with
 * memory_free. */
enum status gpu_component_numbers(const struct zero_cycles *zero, int32_t n, void **numbers,
                                  struct error *err);
#endif

/* Makes predecessors that have tight edges lead to the source, as zero_cycles_mend() does. A vertex
 * whose predecessor is in its own component gets the one from the component's trees
 * (zero_cycles.h), which depends on where paths from the source enter the component. The result
 * depends on dist and pred only. The work is in the default stream and may still run on return. */
enum status gpu_mend_predecessors(const struct gpu_matrices *m,
                                  const struct gpu_components *components, struct error *err);

/* Does what gpu_mend_predecessors does for real weights and for other semirings, where any edge may
 * leave a length as it is. Before the call, predecessors are tails of tight edges that are nearer
 * to the source, or any number >= n if a vertex has no such edge. Vertices of the latter kind get
 * the first vertex from which a search over tight edges reaches them. */
enum status gpu_mend_vanishing(const struct gpu_matrices *m, struct error *err);

#ifndef __cplusplus
/* The solve() of every GPU variant; see solver.h. Before it allocates, it returns
 * STATUS_NO_RESOURCE if the solve does not fit in the device's free memory, and otherwise reports
 * the memory (solver_options.on_memory). A build without CUDA always returns STATUS_NO_RESOURCE,
 * with the reason. */
enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err);

/* The solve_spread of variants with solves_rows. The GPUs that the options list claim blocks of
 * rows when they are ready for one, and hand the rows on one GPU at a time. If there are few rows,
 * fewer GPUs take part. None solves the matrix at once (struct gpu_state), because blocks are too
 * small for that. A message about a failure names the GPU. Only in a build with CUDA. */
enum status gpu_solve_spread(const struct solver_variant *variant, const struct solver_task *task,
                             struct solver_times *times, struct error *err);

/* Returns the status. Unless it is STATUS_OK, the message in err then names this GPU. */
enum status gpu_blame(int device, enum status status, struct error *err);

/* Stores the device's name to `name` of `size` bytes, for reports. STATUS_NO_RESOURCE, with the
 * reason, if there is no such device. */
enum status gpu_name(int device, char *name, size_t size, struct error *err);

/* Stores the number of devices, 1 or more; the errors are those of gpu_name. */
enum status gpu_count(int *count, struct error *err);

/* Makes the device current for this thread's CUDA calls; the errors are those of gpu_name.
 * gpu_solve calls it itself. Only in a build with CUDA. */
enum status gpu_select(int device, struct error *err);

/* A turn on a device, for variants that have a solve() of their own. Solves of a process take
 * turns, because the limit of a kernel's shared memory is set for all of them, and kernels in the
 * default stream wait for one another anyway. gpu_solve takes a turn itself. */
struct gpu_turn {
    int device, callers; /* device of this turn, and device that the thread had selected before */
    double began;        /* time of the start, by clock_seconds() */
};

/* Waits for the program's warm-up and then for a turn, and selects the device that the options
 * name. The caller ends the turn with gpu_turn_end, on the same thread. The errors are those of
 * gpu_name, and STATUS_BAD_INPUT if the options list several GPUs; after a failure there is no
 * turn. Only in a build with CUDA. */
enum status gpu_turn_begin(struct gpu_turn *turn, const struct solver_options *options,
                           struct error *err);
void gpu_turn_end(const struct gpu_turn *turn);

/* The properties of a device that decide how fast it is. */
struct gpu_traits {
    char name[256];
    /* multiprocessors: their number; capability: the major number of the compute capability */
    int multiprocessors, capability;
    int shared;       /* bytes of shared memory that a block can have */
    double clock;     /* cycles per second */
    double bandwidth; /* theoretical bandwidth of its memory, in bytes per second */
    size_t memory;    /* size of its memory in bytes, free and used */
};

/* Asks the driver for the device's properties; the first answer may take a while. Creates no
 * context. The errors are those of gpu_name. */
enum status gpu_query(int device, struct gpu_traits *traits, struct error *err);

/* Creates the device's context and loads the variant's kernels by solving a graph of one vertex, so
 * that the first solve need not. Errors are ignored, because the solve reports them again. */
void gpu_warm_up(const struct solver_variant *variant, int device);

/* A thread that warms up while a program does other work. A zeroed struct has no thread. */
struct gpu_warmer {
    const struct solver_variant *variant;
    int device;
    bool runs;
    pthread_t thread;
};

/* Starts the thread; returns whether it has started. */
bool gpu_warmer_start(struct gpu_warmer *warmer, const struct solver_variant *variant, int device);

/* Waits until the context is there and the kernels are loaded, and the thread has ended. May be
 * called again. */
void gpu_warmer_wait(struct gpu_warmer *warmer);

/* Returns how many bytes of device memory a solve takes, or at least takes if the variant has a
 * solve() of its own; SIZE_MAX if the number overflows. */
size_t gpu_memory_needed(const struct solver_variant *variant, enum number_type type, int32_t n,
                         int64_t m, bool with_pred);
#else
}
#endif

/* A table of variants names a launch function by this macro: NULL in a build without CUDA. */
#ifdef APSP_NO_CUDA
#define GPU_LAUNCH(function) NULL
#else
#define GPU_LAUNCH(function) function
#endif

#endif
