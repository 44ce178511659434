#include "common/cli/solver_main.h"

int main(int argc, char **argv) {
    return solver_main(&cpu_solver, argc, argv);
}
