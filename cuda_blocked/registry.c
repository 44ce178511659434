/* The variants of `cuda_blocked`, in the order of the ladder. */
#include "common/gpu_solver.h" // gpu_solve, GPU_LAUNCH
#include "cuda_blocked/kernels.h"

static const struct solver_variant variants[] = {
    {
        .name = "thesis",
        .summary = "B x B tiles in shared memory, one cell per thread",
        .source = "thesis, section 4.5",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_thesis),
        .default_tile = 32,
        .max_tile = 32,
    },
    {
        .name = "pivot",
        .summary = "32 x 32 tiles, only the pivot tile in shared memory",
        .source = "contest report",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_pivot),
        .default_tile = 32,
    },
    {
        .name = "tile32",
        .summary = "32 x 32 tiles, operands in shared memory, own cell in a register",
        .source = "report b32",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_tile32),
        .default_tile = 32,
    },
    {
        .name = "tile64",
        .summary = "64 x 64 tiles, 2 x 2 cells per thread",
        .source = "report tile64-2x2",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_tile64),
        .default_tile = 64,
    },
    {
        .name = "batched-blocked",
        .summary = "32 x 32 tiles in shared memory, the own cell too",
        .source = "report batched-0-blocked",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_batched_blocked),
        .default_tile = 32,
    },
    {
        .name = "batched-registers",
        .summary = "the own cell in a register, no barrier per k in phase 2",
        .source = "report batched-1-registers",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_batched_registers),
        .default_tile = 32,
    },
    {
        .name = "batched-6x6",
        .summary = "6 x 6 tiles per block, 36 cells per thread",
        .source = "report batched-2-6x6",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_batched_6x6),
        .default_tile = 32,
    },
    {
        .name = "batched",
        .summary = "6 x 6 tiles per block, bounds checks at the edge only",
        .source = "report batched-3-interior",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_batched),
        .default_tile = 32,
    },
    {
        .name = "dpx32",
        .summary = "128 x 128 min-plus products in registers, 32-bit DPX instructions",
        .source = "this project",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_blocked_dpx32),
        .workspace = GPU_LAUNCH(cuda_blocked_dpx32_workspace),
        .padding = 128,
        .default_tile = 128,
        .derives_pred = true,
    },
};

const struct solver cuda_blocked_solver = {
    .program = "cuda_blocked",
    .summary = "All-pairs shortest paths by blocked Floyd-Warshall on a GPU",
    .default_output = "output_cuda_blocked.txt",
    .default_prefix = "output_cuda_blocked",
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .default_variant = "dpx32",
    .uses_gpu = true,
};
