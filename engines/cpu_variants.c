// SPDX-License-Identifier: MIT
/* The variants of `cpu`. */
#include "engines/cpu_variants.h"

#include "common/graph/row_block.h"   // ROW_BLOCK_MAX
#include "common/graph/weight_unit.h" // WEIGHT_STEPS_MOST
#include "cpu/blocked.h"              // cpu_blocked_solve
#include "cpu/parts/min_plus.h"       // INF16, MIN_PLUS_BLOCK
#include "cpu/sequential.h"           // cpu_sequential_solve
#include "dissection/cpu.h"           // cpu_dissection_solve
#include "elimination/eliminate.h"    // eliminate_takes
#include "elimination/order.h"        // order_missing
#include "elimination/sweep.h"        // SWEEP_MAX_LANES
#include "engines/cpu_auto.h"         // cpu_auto_solve
#include "search/cpu/bfs.h"           // cpu_bfs_solve
#include "search/cpu/johnson.h"       // cpu_johnson_solve
#include "search/cpu/multisource.h"   // cpu_multisource_solve
#include "search/cpu/strip.h"         // STRIP_BYTES
#include "semiring/variant.h"         // semiring_variant
#include "solve/solver.h"

static const struct solver_variant variants[] = {
    {
        .name = "sequential",
        .summary = "textbook triple loop, one thread",
        .source = "thesis, Algorithm 1",
        .solve = cpu_sequential_solve,
        .model = {.seconds = cpu_sequential_seconds, .rate = "cpu_sequential", .candidate = true},
    },
    {
        .name = "blocked",
        .summary = "blocked, vectors, all threads; 16-bit cells if exact, else 32-bit",
        .source = "this project",
        .solve = cpu_blocked_solve,
        .memory = cpu_blocked_memory,
        .parallel = true,
        .divides = true,
        .model = {.seconds = cpu_blocked_seconds,
                  .rate = "cpu_blocked",
                  .candidate = true,
                  .vertices_per_thread = MIN_PLUS_BLOCK},
    },
    {
        .name = "blocked16",
        .summary = "blocked with 16-bit cells, distances up to 32766",
        .source = "this project",
        .solve = cpu_blocked16_solve,
        .memory = cpu_blocked_memory,
        .exact_up_to = INF16 - 1,
        .parallel = true,
        .divides = true,
        .model = {.seconds = cpu_blocked16_seconds,
                  .rate = "cpu_blocked",
                  .vertices_per_thread = MIN_PLUS_BLOCK,
                  .ceiling = "u16_add_min",
                  .ceiling_units = 1},
    },
    {
        .name = "blocked32",
        .summary = "blocked with 32-bit cells",
        .source = "this project",
        .solve = cpu_blocked32_solve,
        .memory = cpu_blocked32_memory,
        .parallel = true,
        .divides = true,
        .model = {.seconds = cpu_blocked32_seconds,
                  .rate = "cpu_blocked",
                  .vertices_per_thread = MIN_PLUS_BLOCK,
                  .ceiling = "s32_add_min",
                  .ceiling_units = 1},
    },
    {
        .name = "johnson",
        .summary = "Dijkstra's algorithm from every vertex, for graphs of few edges",
        .source = "Johnson 1977",
        .solve = cpu_johnson_solve,
        .by_rows = true,
        .memory = cpu_johnson_memory,
        .parallel = true,
        .divides = true,
        .takes_potentials = true,
        .solves_real = true,
        .model = {.seconds = cpu_johnson_seconds,
                  .rate = "cpu_johnson",
                  .candidate = true,
                  .vertices_per_thread = 1},
    },
    {
        .name = "multisource",
        .summary = "label correcting from many sources at a time",
        .source = "Yanagisawa 2010",
        .solve = cpu_multisource_solve,
        .by_rows = true,
        .memory = cpu_multisource_memory,
        .parallel = true,
        .divides = true,
        .takes_potentials = true,
        .solves_real = true,
        .solves_signed = true,
        .model = {.seconds = cpu_multisource_seconds,
                  .rate = "cpu_multisource",
                  .candidate = true,
                  .vertices_per_thread = STRIP_BYTES / (int)sizeof(uint16_t)},
    },
    {
        .name = "bfs",
        .summary =
            "breadth-first search from many sources at a time, for weights that are all the same "
            "or, if rows are only measured, small multiples of one number",
        .source = "Then et al. 2014",
        .solve = cpu_bfs_solve,
        .by_rows = true,
        .memory = cpu_bfs_memory,
        .parallel = true,
        .divides = true,
        .gives_totals = true,
        .limits_totals = true,
        .steps_most = WEIGHT_STEPS_MOST,
        .model = {.seconds = cpu_bfs_seconds,
                  .proof_seconds = cpu_bfs_proof_seconds,
                  .rate = "cpu_multisource",
                  .candidate = true,
                  .vertices_per_thread = ROW_BLOCK_MAX},
    },
    {
        .name = "dissection",
        .summary =
            "elimination in an order of little fill, for roads, meshes and other sparse graphs",
        .source = "Sao et al. 2020",
        .solve = cpu_dissection_solve,
        .solve_on_grid = cpu_dissection_solve_f64,
        .by_rows = true,
        .memory = cpu_dissection_memory,
        .parallel = true,
        .divides = true,
        .gives_sums = true,
        .takes_potentials = true,
        .others = &cpu_others,
        .takes_negative = eliminate_takes,
        .missing = order_missing,
        .model = {.seconds = cpu_dissection_seconds,
                  .proof_seconds = cpu_dissection_proof_seconds,
                  .rate = "cpu_multisource",
                  .candidate = true,
                  .vertices_per_thread = SWEEP_MAX_LANES},
    },
    {
        .name = "auto",
        .summary = "the one of these that is predicted to be the fastest for the graph",
        .source = "this project",
        .solve = cpu_auto_solve,
        .searches = "johnson",
        .by_rows = true,
        .memory = cpu_auto_memory,
        .parallel = true,
        .takes_potentials = true,
        .solves_real = true,
        .solves_signed = true,
        .model = {.seconds = cpu_auto_seconds, .only_chooses = true},
    },
};

const struct solver cpu_solver = {
    .program = "cpu",
    .summary = "All-pairs shortest paths on the CPU, by Floyd-Warshall or by faster variants",
    .default_output = "output.txt",
    .default_prefix = "output",
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .default_variant = "sequential",
    .semirings = &semiring_variant,
};
