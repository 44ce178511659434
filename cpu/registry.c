/* The variants of `cpu`. */
#include "common/solver.h"
#include "cpu/sequential.h" // cpu_sequential_solve

static const struct solver_variant variants[] = {
    {
        .name = "sequential",
        .summary = "textbook triple loop, one thread",
        .source = "thesis, Algorithm 1",
        .solve = cpu_sequential_solve,
    },
};

const struct solver cpu_solver = {
    .program = "cpu",
    .summary = "All-pairs shortest paths by Floyd-Warshall on the CPU",
    .default_output = "output.txt",
    .default_prefix = "output",
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .default_variant = "sequential",
};
