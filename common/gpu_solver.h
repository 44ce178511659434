/* The host side of every GPU variant: context, memory, transfers, clock. A
 * variant adds a launch function (solver.h), written in its .cu file. */
#ifndef COMMON_GPU_SOLVER_H
#define COMMON_GPU_SOLVER_H

#ifdef __cplusplus
#include "common/error.h"
#include <stddef.h>
#include <stdint.h>
extern "C" {
struct progress;
#else
#include "common/solver.h" // struct solver_variant, struct solver_task
#endif

/* Device memory of one solve. Both matrices are row-major with leading
 * dimension ld; a launch function turns the adjacency matrices (graph.h) into
 * distances and predecessors in place, for any n >= 1. It may return while the
 * device still works. */
struct gpu_matrices {
    int32_t *dist;
    int32_t *pred; /* NULL: distances only */
    int32_t n;
    size_t ld;    /* a multiple of 32 cells: every row starts on a 128-byte line */
    int32_t tile; /* tile size chosen, or 0 */
};

#ifndef __cplusplus
/* The solve() of every GPU variant; see solver.h. Refuses, before allocating,
 * what the device's free memory cannot hold. Built without CUDA, it refuses
 * everything with the reason. */
enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err);

/* Describes the device for result rows, or says why there is none. */
enum status gpu_name(int device, char *name, size_t size, struct error *err);
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
