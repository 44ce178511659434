// SPDX-License-Identifier: MIT
/* The variants of `cuda_blocked`, in the order of the ladder. */
#include "cuda_blocked/registry.h"

#include "common/gpu/gpu_model.h"  // gpu_loops_seconds
#include "common/gpu/gpu_solver.h" // gpu_solve, GPU_LAUNCH
#include "cuda_blocked/kernels.h"
#include "cuda_blocked/model.h" // cuda_blocked_auto_seconds
#include "cuda_blocked/parts/limits.h"

/* One ceiling, an instruction, bounds a rung: one relaxation takes one of its units. */
#define LOOPS .seconds = gpu_loops_seconds, .rate = "cuda_blocked", .ceiling_units = 1

static const struct solver_variant variants[] = {
    {
        .name = "thesis",
        .summary = "B x B tiles in shared memory, one cell per thread",
        .source = "thesis, section 4.5",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_thesis),
        .default_tile = SMALL_TILE,
        .max_tile = SMALL_TILE,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 5e-7, .distances = 1.63e12,
                  .with_predecessors = 1.2e12, .ceiling = "viaddmin_s32"},
    },
    {
        .name = "pivot",
        .summary = "32 x 32 tiles, only the pivot tile in shared memory",
        .source = "contest report",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_pivot),
        .default_tile = SMALL_TILE,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 5e-7, .distances = 0.95e12,
                  .with_predecessors = 0.62e12, .ceiling = "viaddmin_s32"},
    },
    {
        .name = "tile32",
        .summary = "32 x 32 tiles, operands in shared memory, own cell in a register",
        .source = "report b32",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_tile32),
        .default_tile = SMALL_TILE,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 4e-7, .distances = 3.5e12,
                  .with_predecessors = 2e12, .ceiling = "viaddmin_s32"},
    },
    {
        .name = "tile64",
        .summary = "64 x 64 tiles, 2 x 2 cells per thread",
        .source = "report tile64-2x2",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_tile64),
        .default_tile = MIDDLE_TILE,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 4e-7, .distances = 8.2e12,
                  .with_predecessors = 3.45e12, .ceiling = "viaddmin_s32"},
    },
    {
        .name = "batched-blocked",
        .summary = "32 x 32 tiles in shared memory, the own cell too",
        .source = "report batched-0-blocked",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_batched_blocked),
        .default_tile = SMALL_TILE,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 5e-7, .distances = 2.27e12,
                  .with_predecessors = 1.43e12, .ceiling = "viaddmin_s32"},
    },
    {
        .name = "batched-registers",
        .summary = "the own cell in a register, no barrier per k in phase 2",
        .source = "report batched-1-registers",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_batched_registers),
        .default_tile = SMALL_TILE,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 4e-7, .distances = 3.17e12,
                  .with_predecessors = 2.45e12, .ceiling = "viaddmin_s32"},
    },
    {
        .name = "batched-6x6",
        .summary = "6 x 6 tiles per block, 36 cells per thread",
        .source = "report batched-2-6x6",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_batched_6x6),
        .default_tile = SMALL_TILE,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 9e-7, .distances = 5.6e12,
                  .with_predecessors = 3.85e12, .ceiling = "viaddmin_s32"},
    },
    {
        .name = "batched",
        .summary = "6 x 6 tiles per block, bounds checks at the edge only",
        .source = "report batched-3-interior",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_batched),
        .default_tile = SMALL_TILE,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 9e-7, .distances = 8.1e12,
                  .with_predecessors = 4.5e12, .ceiling = "viaddmin_s32"},
    },
#ifndef APSP_HIP /* they need instructions of NVIDIA's GPUs */
    {
        .name = "dpx32",
        .summary = "128 x 128 min-plus products in registers, 32-bit DPX instructions",
        .source = "this project",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_dpx32),
        .solve_spread = GPU_LAUNCH(cuda_blocked_spread),
        .workspace = GPU_LAUNCH(cuda_blocked_dpx32_workspace),
        .padding = LARGE_TILE,
        .default_tile = LARGE_TILE,
        .derives_pred = true,
        .model = {LOOPS, .start_s = 4e-4, .vertex_s = 3e-7, .distances = 15.5e12,
                  .adds_minima = true, .shared_memory = DPX32_SHARED_KIB << 10,
                  .ceiling = "viaddmin_s32"},
    },
    {
        .name = "dpx16",
        .summary = "as dpx32 with two 16-bit cells to a word",
        .source = "this project",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_dpx16),
        .workspace = GPU_LAUNCH(cuda_blocked_dpx16_workspace),
        .padding = LARGE_TILE,
        .default_tile = LARGE_TILE,
        .derives_pred = true,
        .exact_up_to = WORD16_LONGEST,
        .model = {LOOPS, .start_s = 4e-4, .vertex_s = 1.5e-7, .distances = 28.5e12,
                  .adds_minima = true, .shared_memory = DPX16_SHARED_KIB << 10,
                  .ceiling = "viaddmin_u16x2"},
    },
    {
        .name = "tensor",
        .summary = "distances as exponents on tensor cores, distances up to 26",
        .source = "this project",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_tensor),
        .workspace = GPU_LAUNCH(cuda_blocked_tensor_workspace),
        .padding = LARGE_TILE,
        .default_tile = LARGE_TILE,
        .derives_pred = true,
        .exact_up_to = EXPONENT_LONGEST,
        .model = {LOOPS, .start_s = 1e-3, .vertex_s = 5e-8, .distances = 110e12,
                  .shared_memory = TENSOR_SHARED_KIB << 10, .capability = TENSOR_CAPABILITY,
                  .ceiling = "bf16_mma"},
    },
    {
        .name = "resident",
        .summary = "small graphs: 64 x 64 tiles that stay in registers, all blocks at once",
        .source = "this project",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_resident),
        .workspace = GPU_LAUNCH(cuda_blocked_resident_workspace),
        .padding = LARGE_TILE,
        .default_tile = RESIDENT_TILE,
        .derives_pred = true,
        .model = {LOOPS, .start_s = 1e-5, .vertex_s = 1.9e-7, .distances = 28.5e12,
                  .adds_minima = true, .vertices_at_most = cuda_blocked_resident_vertices,
                  .ceiling = "viaddmin_u16x2"},
    },
    {
        .name = "auto",
        .summary = "the fastest variant that is exact for the graph",
        .source = "this project",
        .solve = gpu_solve,
        .by_rows = true,
        .launch = GPU_LAUNCH(cuda_blocked_auto),
        .solve_spread = GPU_LAUNCH(cuda_blocked_spread),
        .workspace = GPU_LAUNCH(cuda_blocked_auto_workspace),
        .padding = LARGE_TILE,
        .model = {.seconds = cuda_blocked_auto_seconds, .rate = "cuda_blocked"},
    },
#endif
};

#ifdef APSP_HIP
#define DEFAULT_VARIANT "batched"
#else
#define DEFAULT_VARIANT "auto"
#endif

const struct solver cuda_blocked_solver = {
    .program = "cuda_blocked",
    .summary = "All-pairs shortest paths by blocked Floyd-Warshall on a GPU",
    .default_output = "output_cuda_blocked.txt",
    .default_prefix = "output_cuda_blocked",
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .default_variant = DEFAULT_VARIANT,
    .uses_gpu = true,
};
