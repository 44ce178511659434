// SPDX-License-Identifier: MIT
/* The host side of every GPU variant: context, memory, transfers, clock. A
 * variant adds a launch function (solver.h), written in its .cu file. */
#ifndef COMMON_GPU_GPU_SOLVER_H
#define COMMON_GPU_GPU_SOLVER_H

#ifdef __cplusplus
#include "common/base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
extern "C" {
struct progress;
#else
#include "common/solve/solver.h" // struct solver_variant, struct solver_task
#endif

/* The graph's edges by their heads, in device memory: those into vertex v are
 * first[v] .. first[v + 1] - 1. */
struct gpu_in_edges {
    const int64_t *first;
    const int32_t *tail, *weight;
    int64_t m;
    int32_t max_weight; /* 0 where m = 0 */
};

/* What one solve has on the device. Both matrices are row-major with leading
 * dimension ld; a launch function turns the adjacency matrices (see
 * gpu_fill_adjacency) into distances and predecessors in place, for any n >= 1 or
 * with STATUS_BAD_INPUT and the number that it can do.
 * Its work is in the default stream and may still run when it returns. A variant
 * that cannot promise exact distances for this graph returns STATUS_BAD_INPUT with
 * the line "variant NAME is not exact for this graph: REASON". */
struct gpu_matrices {
    int32_t *dist;
    int32_t *pred; /* NULL: distances only */
    int32_t n;
    int32_t order; /* rows and columns that may be touched: n, or with padding the next multiple.
                      Padding cells of dist hold INF, those of pred garbage */
    size_t ld;     /* a multiple of 32 cells: every row starts on a 128-byte line */
    int32_t tile;  /* tile size chosen, or 0 */
    void *workspace;
    bool warm_up; /* nothing counts but that every kernel that may be needed is launched, in one
                       tile: CUDA loads kernels at their first launch */
    struct gpu_in_edges in;
    const char **chosen; /* where a variant that chooses among others puts the name of the one that
                            solved */
    bool derives_pred;   /* of the variant (solver.h): pred starts as garbage */
};

/* Makes the adjacency matrices, as graph_to_matrices (graph.h) defines them, from
 * m->in: dist, padding included, and, unless the variant derives it, pred. Works
 * in the default stream and may return before it is done. For launch functions
 * that have to begin again; before the first time the solver calls it. */
enum status gpu_fill_adjacency(const struct gpu_matrices *m, struct error *err);

#ifndef __cplusplus
/* The solve() of every GPU variant; see solver.h. Refuses, before allocating,
 * what the device's free memory cannot hold, and otherwise says what it can
 * (solver_options). Built without CUDA, it refuses
 * everything with the reason. */
enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err);

/* Describes the device for result rows, or says why there is none. */
enum status gpu_name(int device, char *name, size_t size, struct error *err);

/* Has this thread's CUDA calls go to the device from here on; the same errors as gpu_name's.
 * Solving does so by itself. Only in a build with CUDA. */
enum status gpu_select(int device, struct error *err);

/* What decides how fast a device is. */
struct gpu_traits {
    char name[256];
    int multiprocessors, capability; /* of the compute capability the first number */
    int shared;                      /* bytes of shared memory that a block can have */
    double clock;                    /* cycles a second */
    double bandwidth;                /* of its memory, bytes a second, in theory */
    size_t memory;                   /* bytes, free or not */
};

/* Asks the driver, which may take a while to answer the first time; creates no context. The same
 * errors as gpu_name's. */
enum status gpu_query(int device, struct gpu_traits *traits, struct error *err);

/* Creates the device's context and loads the variant's kernels, as its first solve would otherwise
 * do, by solving a graph of one vertex. For a thread of its own while there is other work than on
 * the GPU; what fails here fails again, with the reason, when solving. */
void gpu_warm_up(const struct solver_variant *variant, int device);

/* Bytes of the device's memory that a solve takes; SIZE_MAX where that is beyond counting. */
size_t gpu_memory_needed(const struct solver_variant *variant, int32_t n, int64_t m,
                         bool with_pred);
#else
}
#endif

/* A registry's reference to a launch function, which does not exist in a build
 * without CUDA. */
#ifdef APSP_NO_CUDA
#define GPU_LAUNCH(function) NULL
#else
#define GPU_LAUNCH(function) function
#endif

#endif
