// SPDX-License-Identifier: MIT
#include "cli/solver_main.h"
#include "engines/sparse_variants.h" // cuda_sparse_solver

int main(int argc, char **argv) {
    return solver_main(&cuda_sparse_solver, argc, argv);
}
