// SPDX-License-Identifier: MIT
/* Threads that use the library at the same time, for ThreadSanitizer. Usage: races PATH, with which
 * the names of its files begin. */
#include "tests/libapsp/journeys.h"

#include <stdio.h>

int main(int argc, char **argv) {
    static const char *const with[] = {NULL, "cpu:multisource", "cpu:blocked", "cpu:johnson"};
    if (argc != 2 || !journeys_arrive(argv[1], with, sizeof with / sizeof *with)) {
        fprintf(stderr, "races: a thread failed\n");
        return 1;
    }
    return 0;
}
