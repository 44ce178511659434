// SPDX-License-Identifier: MIT
#include "common/cli/solver_main.h"
#include "cuda_sparse/registry.h" // cuda_sparse_solver

int main(int argc, char **argv) {
    return solver_main(&cuda_sparse_solver, argc, argv);
}
