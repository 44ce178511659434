// SPDX-License-Identifier: MIT
/* The variants of `cuda_simple`. */
#include "cuda_simple/simple_variants.h"

#include "cuda_simple/simple_kernels.h"
#include "gpu/gpu_model.h"       // gpu_loops_seconds
#include "gpu/gpu_solver.h"      // gpu_solve, GPU_LAUNCH
#include "search/gpu/refining.h" // GPU_REFINES

/* The model of kernels that are launched once for each k: each launch reads all distances, 4 bytes
 * for a relaxation. */
#define LOOPS                                                                                      \
    .seconds = gpu_loops_seconds, .rate = "cuda_simple", .reads_memory = true,                     \
    .ceiling = "memory_read", .ceiling_units = 4

static const struct solver_variant variants[] = {
    {
        .name = "thesis",
        .summary = "one launch per k, one thread per cell",
        .source = "thesis, section 4.4",
        .solve = gpu_solve,
        GPU_REFINES,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_simple_thesis),
        .model = {LOOPS, .start_s = 1e-4, .vertex_s = 4e-6, .distances = 0.229e12,
                  .with_predecessors = 0.229e12},
    },
    {
        .name = "naive",
        .summary = "one launch per k, no test for INF, distances only",
        .source = "course reports",
        .solve = gpu_solve,
        GPU_REFINES,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_simple_naive),
        .distances_only = true,
        .model = {LOOPS, .start_s = 1e-4, .vertex_s = 2.3e-6, .distances = 0.231e12},
    },
    {
        .name = "vector",
        .summary = "one launch per k, 16-byte vectors, the pivot row in registers",
        .source = "this project",
        .solve = gpu_solve,
        GPU_REFINES,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_simple_vector),
        .padding = 32,
        .model = {LOOPS, .start_s = 1e-4, .vertex_s = 2.4e-6, .distances = 1.02e12,
                  .with_predecessors = 0.75e12},
    },
};

const struct solver cuda_simple_solver = {
    .program = "cuda_simple",
    .summary = "All-pairs shortest paths by Floyd-Warshall on a GPU, one kernel per k",
    .default_output = "output_cuda.txt",
    .default_prefix = "output_cuda",
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .default_variant = "thesis",
    .uses_gpu = true,
};
