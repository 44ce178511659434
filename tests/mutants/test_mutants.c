// SPDX-License-Identifier: MIT
/* The certificate against some of the mutants of `make mutants`. */
#include "tests/mutants/mutants.h"
#include "tests/unit/support.h"

static void test_mutants(void) {
    /* Fewer would miss a kind of mutant: an answer that is as good as the right one is rare. */
    enum { MUTANTS = 2500 };
    struct mutant_report report;
    mutants_judge(2, MUTANTS, mutants_certify, &report);
    CU_ASSERT_EQUAL(report.all.tried, MUTANTS);
    const bool right = mutants_all_right(&report);
    CU_ASSERT(right);
    if (!right)
        mutants_print(&report, stdout);
}

CU_TestInfo mutant_tests[] = {
    {"corrupted answers are refuted, equally good ones accepted", test_mutants},
    CU_TEST_INFO_NULL,
};
