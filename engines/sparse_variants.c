// SPDX-License-Identifier: MIT
/* The variants of `cuda_sparse`. */
#include "engines/sparse_variants.h"

#include "common/graph/weight_unit.h" // WEIGHT_STEPS_MOST
#include "dissection/gpu/gpu.h"
#include "elimination/gpu/products.h" // PRODUCT_LANES
#include "engines/sparse_model.h"     // the seconds() of the variants
#include "flows/gpu/gpu_flows.h"      // gpu_flows
#include "gpu/gpu_solver.h"           // gpu_solve, GPU_LAUNCH
#include "search/gpu/bfs.h"
#include "search/gpu/label_kernels.h"

static const struct solver_variant variants[] = {
    {
        .name = "multisource",
        .summary = "label correcting from a few sources at a time, labels in shared memory",
        .source = "this project",
        .solve = gpu_solve,
        .by_rows = true,
        .divides = true,
        .solves_real = true,
        .solves_rows = true,
        .launch = GPU_LAUNCH(cuda_sparse_multisource),
        .solve_spread = GPU_LAUNCH(gpu_solve_spread),
        .spread_rows = GPU_STEP_ROWS,
        .workspace = GPU_LAUNCH(cuda_sparse_multisource_workspace),
        .derives_pred = true,
        .model = {.seconds = cuda_sparse_multisource_seconds, .rate = "cuda_sparse"},
    },
    {
        .name = "queued",
        .summary = "label correcting with a queue for each source, for long chains",
        .source = "Moore 1959",
        .solve = gpu_solve,
        .by_rows = true,
        .divides = true,
        .solves_real = true,
        .solves_rows = true,
        .launch = GPU_LAUNCH(cuda_sparse_queued),
        .solve_spread = GPU_LAUNCH(gpu_solve_spread),
        .spread_rows = GPU_STEP_ROWS,
        .workspace = GPU_LAUNCH(cuda_sparse_queued_workspace),
        .derives_pred = true,
        .model = {.seconds = cuda_sparse_queued_seconds, .rate = "cuda_sparse"},
    },
    {
        .name = "bfs",
        .summary =
            "breadth-first search from 1024 sources at a time: totals of rows, for weights of "
            "1 to 16 units",
        .source = "Then et al. 2014; this project",
        .by_rows = true,
        .divides = true,
        .gives_totals = true,
        .limits_totals = true,
        .steps_most = WEIGHT_STEPS_MOST,
        .others = &cuda_sparse_others,
        .solve = cuda_sparse_bfs_solve,
        .solve_spread = GPU_LAUNCH(cuda_sparse_bfs_solve),
        .spread_rows = CUDA_BFS_SPREAD_ROWS,
        .derives_pred = true,
        .model = {.seconds = cuda_sparse_bfs_seconds,
                  .proof_seconds = cuda_sparse_bfs_proof_seconds,
                  .rate = "cuda_sparse"},
    },
    {
        .name = "dissection",
        .summary =
            "elimination of vertices, then products of small matrices; for roads and the like",
        .source = "Sao et al. 2020; this project",
        .by_rows = true,
        .divides = true,
        .gives_totals = true,
        .solve = cuda_sparse_dissection_solve,
        .solve_on_grid = cuda_sparse_dissection_solve_f64,
        .solve_spread = GPU_LAUNCH(cuda_sparse_dissection_solve),
        .spread_rows = PRODUCT_LANES,
        .derives_pred = true,
        .others = &cuda_sparse_others,
        .memory = cuda_sparse_dissection_memory,
        .model = {.seconds = cuda_sparse_dissection_seconds,
                  .proof_seconds = cuda_sparse_dissection_proof_seconds,
                  .rate = "cuda_sparse"},
    },
    {
        .name = "auto",
        .summary = "multisource; if that takes too long, queued or a variant of cuda_blocked",
        .source = "this project",
        .solve = gpu_solve,
        .by_rows = true,
        .divides = true,
        .solves_real = true,
        .solves_rows = true,
        .launch = GPU_LAUNCH(cuda_sparse_auto),
        .solve_spread = GPU_LAUNCH(gpu_solve_spread),
        .spread_rows = GPU_STEP_ROWS,
        .padding = 128,
        .derives_pred = true,
        .workspace = GPU_LAUNCH(cuda_sparse_auto_workspace),
        .model = {.seconds = cuda_sparse_auto_seconds, .rate = "cuda_sparse"},
    },
};

const struct solver_variant cuda_semiring_variant = {
    .name = "semiring",
    .summary = "label correcting from a few sources at a time, labels in shared memory",
    .source = "this project",
    .solve = gpu_solve,
    .by_rows = true,
    .solves_real = true,
    .solves_signed = true,
    .solves_semirings = true,
    .solves_rows = true,
    .launch = GPU_LAUNCH(cuda_sparse_semirings),
    .solve_spread = GPU_LAUNCH(gpu_solve_spread),
    .spread_rows = GPU_STEP_ROWS,
    .workspace = GPU_LAUNCH(cuda_sparse_semirings_workspace),
    .derives_pred = true,
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
    .flows = GPU_LAUNCH(&gpu_flows),
    .semirings = &cuda_semiring_variant,
};
