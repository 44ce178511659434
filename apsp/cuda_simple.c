// SPDX-License-Identifier: MIT
#include "cli/solver_main.h"
#include "cuda_simple/simple_variants.h" // cuda_simple_solver

int main(int argc, char **argv) {
    return solver_main(&cuda_simple_solver, argc, argv);
}
