/* The variants of `cpu`. */
#include "common/solver.h"
#include "cpu/johnson.h"     // cpu_johnson_solve
#include "cpu/multisource.h" // cpu_multisource_solve
#include "cpu/sequential.h"  // cpu_sequential_solve

static const struct solver_variant variants[] = {
    {
        .name = "sequential",
        .summary = "textbook triple loop, one thread",
        .source = "thesis, Algorithm 1",
        .solve = cpu_sequential_solve,
    },
    {
        .name = "johnson",
        .summary = "Dijkstra's algorithm from every vertex, for graphs of few edges",
        .source = "Johnson 1977",
        .solve = cpu_johnson_solve,
        .parallel = true,
        .takes_potentials = true,
    },
    {
        .name = "multisource",
        .summary = "label correcting from many sources at a time",
        .source = "Yanagisawa 2010",
        .solve = cpu_multisource_solve,
        .parallel = true,
        .takes_potentials = true,
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
