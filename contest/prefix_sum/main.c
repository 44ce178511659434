// SPDX-License-Identifier: MIT
#include "contest/prefix_sum/problem.h"

int main(int argc, char **argv) {
    return contest_main(&prefix_sum_problem, argc, argv);
}
