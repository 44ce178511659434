// SPDX-License-Identifier: MIT
#include "common/cli/solver_main.h"
#include "cpu/registry.h" // cpu_solver

int main(int argc, char **argv) {
    return solver_main(&cpu_solver, argc, argv);
}
