/* The variants of `cuda_sparse`. */
#include "common/gpu_solver.h" // gpu_solve, GPU_LAUNCH
#include "cuda_sparse/kernels.h"

static const struct solver_variant variants[] = {
    {
        .name = "multisource",
        .summary = "label correcting from a few sources at a time, labels in shared memory",
        .source = "this project",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_sparse_multisource),
        .workspace = GPU_LAUNCH(cuda_sparse_multisource_workspace),
        .derives_pred = true,
    },
    {
        .name = "auto",
        .summary = "the same, and a variant of cuda_blocked where that would take too long",
        .source = "this project",
        .solve = gpu_solve,
        .launch = GPU_LAUNCH(cuda_sparse_auto),
        .padding = 128,
        .derives_pred = true,
        .workspace = GPU_LAUNCH(cuda_sparse_auto_workspace),
    },
};

const struct solver cuda_sparse_solver = {
    .program = "cuda_sparse",
    .summary = "All-pairs shortest paths of sparse graphs on a GPU, by label correcting",
    .default_output = "output_cuda_sparse.txt",
    .default_prefix = "output_cuda_sparse",
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .default_variant = "auto",
    .uses_gpu = true,
};
