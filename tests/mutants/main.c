// SPDX-License-Identifier: MIT
/* make mutants: mutants COUNT [SEED]. Exits 1 if a mutant is judged wrongly. */
#include "tests/mutants/mutants.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    const long long count = argc >= 2 ? strtoll(argv[1], NULL, 10) : 0;
    struct mutant_report report;
    if (argc > 3 || count < 1) {
        fprintf(stderr, "usage: mutants COUNT [SEED]\n");
        return 2;
    }
    mutants_judge(argc == 3 ? strtoull(argv[2], NULL, 10) : 1, count, &report);
    mutants_print(&report, stdout);
    return mutants_all_right(&report) ? 0 : 1;
}
