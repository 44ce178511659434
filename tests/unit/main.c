// SPDX-License-Identifier: MIT
/* Runs the suites, on the host shim or, built with DEVICE_TESTS, on a GPU.
 *
 * Usage: unit_tests [--variant PROGRAM/VARIANT]... [SUITE]...
 *
 * Only the suites that are named, and in them only the variants, each where any is. */
#include "common/base/memory.h"    // memory_held
#include "common/gpu/gpu_solver.h" // gpu_name
#include "tests/unit/support.h"
#include "tests/variants/variants.h" // variants_select

#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

static CU_SuiteInfo suites[] = {
#ifndef DEVICE_TESTS
    {"public header", NULL, NULL, NULL, NULL, header_tests},
    {"checksums", NULL, NULL, NULL, NULL, crc32_tests},
    {"memory", NULL, NULL, NULL, NULL, memory_tests},
    {"text", NULL, NULL, NULL, NULL, text_tests},
    {"graph", NULL, NULL, NULL, NULL, graph_tests},
    {"graph files", NULL, NULL, NULL, NULL, graph_io_tests},
    {"readers at the end of memory", NULL, NULL, NULL, NULL, read_ahead_tests},
    {"potentials", NULL, NULL, NULL, NULL, potentials_tests},
    {"zero-weight cycles", NULL, NULL, NULL, NULL, zero_cycles_tests},
    {"range", NULL, NULL, NULL, NULL, range_tests},
    {"certificate", NULL, NULL, NULL, NULL, certificate_tests},
    {"mutants", NULL, NULL, NULL, NULL, mutant_tests},
    {"result files", NULL, NULL, NULL, NULL, result_io_tests},
    {"measures", NULL, NULL, NULL, NULL, measures_tests},
    {"output", NULL, NULL, NULL, NULL, output_tests},
    {"small JSON files", NULL, NULL, NULL, NULL, json_text_tests},
    {"answers in JSON", NULL, NULL, NULL, NULL, json_answer_tests},
    {"faults", NULL, NULL, NULL, NULL, fault_tests},
    {"timing", NULL, NULL, NULL, NULL, timing_tests},
    {"timings as CSV", NULL, NULL, NULL, NULL, timing_csv_tests},
    {"graph generator", NULL, NULL, NULL, NULL, generate_tests},
    {"families of graphs", NULL, NULL, NULL, NULL, family_tests},
    {"CUDA shim", NULL, NULL, NULL, NULL, shim_tests},
    {"cells as words", NULL, NULL, NULL, NULL, words_tests},
    {"queue of pieces", NULL, NULL, NULL, NULL, queue_tests},
    {"distances before and after a solve", NULL, NULL, NULL, NULL, probe_tests},
    {"edges by their tails", NULL, NULL, NULL, NULL, out_edges_tests},
    {"min-plus products", NULL, NULL, NULL, NULL, min_plus_tests},
    {"label correcting", NULL, NULL, NULL, NULL, multisource_tests},
    {"choice among CPU variants", NULL, NULL, NULL, NULL, auto_tests},
    {"blocked", NULL, NULL, NULL, NULL, blocked_tests},
    {"choice among all engines", NULL, NULL, NULL, NULL, plan_tests},
    {"descriptions of GPU variants", NULL, NULL, NULL, NULL, model_tests},
    {"label correcting on the GPU", NULL, NULL, NULL, NULL, sparse_tests},
    {"results from the GPU", NULL, NULL, NULL, NULL, gpu_download_tests},
    {"structs of callers", NULL, NULL, NULL, NULL, struct_tests},
    {"stopped and forked", NULL, NULL, NULL, NULL, call_tests},
#endif
    {"libapsp", NULL, NULL, NULL, NULL, api_tests},
    {"solvers", NULL, NULL, NULL, NULL, solver_tests},
    {"properties", NULL, NULL, NULL, NULL, property_tests},
    CU_SUITE_INFO_NULL,
};

/* Puts the suite of that name among the first `chosen` ones; false where there is none. */
static bool choose_suite(const char *name, int chosen) {
    for (CU_SuiteInfo *suite = suites + chosen; suite->pName != NULL; suite++) {
        if (strcmp(suite->pName, name) != 0)
            continue;
        const CU_SuiteInfo first = suites[chosen];
        suites[chosen] = *suite;
        *suite = first;
        return true;
    }
    return false;
}

/* Leaves of all tests the K-th and every N-th after it, for "K/N"; false for anything else. */
static bool choose_part(const char *part) {
    static const CU_TestInfo end = CU_TEST_INFO_NULL;
    int first, step, index = 0;
    if (sscanf(part, "%d/%d", &first, &step) != 2 || first < 1 || first > step) {
        fprintf(stderr, "unit tests: expected a part as 1/2, found '%s'\n", part);
        return false;
    }
    for (const CU_SuiteInfo *suite = suites; suite->pName != NULL; suite++) {
        CU_TestInfo *left = suite->pTests;
        for (const CU_TestInfo *test = suite->pTests; test->pName != NULL; test++) {
            if (index++ % step == first - 1)
                *left++ = *test;
        }
        *left = end;
    }
    return true;
}

/* "--part K/N"; otherwise suites and variants. False where an argument names nothing. */
static bool choose(char *const *argument) {
    static const CU_SuiteInfo end = CU_SUITE_INFO_NULL;
    int chosen = 0;
    if (argument[0] != NULL && strcmp(argument[0], "--part") == 0 && argument[1] != NULL)
        return choose_part(argument[1]);
    for (; *argument != NULL; argument++) {
        const bool of_variant = strcmp(*argument, "--variant") == 0 && argument[1] != NULL;
        if (!(of_variant ? variants_select(*++argument) : choose_suite(*argument, chosen++))) {
            fprintf(stderr, "unit tests: expected %s, found '%s'\n",
                    of_variant ? "a variant as PROGRAM/VARIANT" : "a suite", *argument);
            return false;
        }
    }
    if (chosen > 0)
        suites[chosen] = end;
    return true;
}

#ifdef DEVICE_TESTS
static int count_tests(void) {
    int count = 0;
    for (const CU_SuiteInfo *suite = suites; suite->pName != NULL; suite++) {
        for (const CU_TestInfo *test = suite->pTests; test->pName != NULL; test++)
            count++;
    }
    return count;
}
#endif

int main(int argc, char **argv) {
    (void)argc;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was found is seen at once, and before a crash */
    if (!choose(argv + 1))
        return 2;
#ifdef DEVICE_TESTS
    char name[256];
    struct error err;
    if (gpu_name(0, name, sizeof name, &err) != STATUS_OK) {
        printf("device tests skipped: %s\n0 passed, 0 failed, %d skipped\n", err.text,
               count_tests());
        return 0;
    }
    printf("device tests on %s\n", name);
#endif
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        fprintf(stderr, "CUnit: %s\n", CU_get_error_msg());
        return 1;
    }
    temporary_start();
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    temporary_finish();
    unsigned failed = CU_get_number_of_tests_failed();
    if (memory_held() != 0) { /* as by free() of what memory_alloc() gave */
        printf("%llu bytes stay in the account of memory\n", (unsigned long long)memory_held());
        failed += failed == 0;
    }
    printf("%u passed, %u failed, 0 skipped\n", CU_get_number_of_tests_run() - failed, failed);
    CU_cleanup_registry();
    return failed > 0;
}
