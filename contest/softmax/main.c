// SPDX-License-Identifier: MIT
#include "contest/softmax/problem.h"

int main(int argc, char **argv) {
    return contest_main(&softmax_problem, argc, argv);
}
