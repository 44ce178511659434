#include "common/cli/solver_main.h"

int main(int argc, char **argv) {
    return solver_main(&cuda_simple_solver, argc, argv);
}
