// SPDX-License-Identifier: MIT
#include "cli/solver_main.h"
#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver

int main(int argc, char **argv) {
    return solver_main(&cuda_blocked_solver, argc, argv);
}
