// SPDX-License-Identifier: MIT
#include "cli/solver_main.h"
#include "engines/cpu_variants.h" // cpu_solver

int main(int argc, char **argv) {
    return solver_main(&cpu_solver, argc, argv);
}
