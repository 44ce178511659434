// SPDX-License-Identifier: MIT
/* Runs the suites, on the host shim or, built with DEVICE_TESTS, on a GPU.
 *
 * Usage: unit_tests [--variant PROGRAM/VARIANT]... [SUITE]... [TEST]
 *        unit_tests --part K/N
 *        unit_tests --list
 *
 * A SUITE is a name of suites.h, a folder of them, the last part of a name, or else any part of
 * one. If any is named, only these run, of them only the TEST if one is named; if any VARIANT is,
 * the suites that go over variants go over these. With --part every N-th test runs, from the K-th
 * on;
 * --list says which tests there are. A test that takes longer than APSP_TEST_SECONDS (600 if it is
 * not set) ends the program. */
#include "common/base/memory.h" // memory_held
#include "gpu/gpu_solver.h"     // gpu_name
#include "tests/unit/support.h"
#include "tests/variants/variants.h" // variants_select

#include <CUnit/Basic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Processor time of one test. */
struct test_time {
    double seconds;
    char name[80];
};
static struct test_time times[512];
static int times_taken;

static double processor_seconds(void) {
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    const struct timeval used[] = {own.ru_utime, own.ru_stime, children.ru_utime,
                                   children.ru_stime};
    double seconds = 0;
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
        seconds += (double)used[k].tv_sec + 1e-6 * (double)used[k].tv_usec;
    return seconds;
}

/* Says which test did not end, in a signal's handler. */
static void give_up(int number) {
    const char *const text[] = {"\n", CU_get_current_suite()->pName, ": ",
                                CU_get_current_test()->pName,
                                ": takes too long (APSP_TEST_SECONDS)\n"};
    (void)number;
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        if (write(STDOUT_FILENO, text[k], strlen(text[k])) < 0)
            break;
    }
    _exit(1);
}

static void start_time(void) {
    const char *const most = getenv("APSP_TEST_SECONDS");
    fflush(stdout); /* its name, which would be lost in a crash */
    signal(SIGALRM, give_up);
    alarm(most == NULL ? 600 : (unsigned)atoi(most));
    times[times_taken].seconds = -processor_seconds();
}

static void take_time(void) {
    struct test_time *time = &times[times_taken];
    alarm(0);
    time->seconds += processor_seconds();
    snprintf(time->name, sizeof time->name, "%s: %s", CU_get_current_suite()->pName,
             CU_get_current_test()->pName);
    if (times_taken + 1 < (int)(sizeof times / sizeof *times))
        times_taken++;
}

static int by_seconds(const void *a, const void *b) {
    const double left = ((const struct test_time *)a)->seconds;
    const double right = ((const struct test_time *)b)->seconds;
    return (left < right) - (left > right);
}

/* The tests that took the most, as many as APSP_TEST_TIMES says. */
static void show_times(void) {
    const char *wanted = getenv("APSP_TEST_TIMES");
    const int most = wanted == NULL ? 0 : atoi(wanted);
    qsort(times, (size_t)times_taken, sizeof *times, by_seconds);
    for (int k = 0; k < most && k < times_taken; k++)
        printf("%7.2f s of processor time: %s\n", times[k].seconds, times[k].name);
}

#define SUITE(table, name) extern CU_TestInfo table[];
#define HOST_SUITE         SUITE
#include "tests/unit/suites.h"
#undef SUITE
#undef HOST_SUITE

#define SUITE(table, name) {name, NULL, NULL, start_time, take_time, table},
#ifdef DEVICE_TESTS
#define HOST_SUITE(table, name)
#else
#define HOST_SUITE SUITE
#endif
static CU_SuiteInfo suites[] = {
#include "tests/unit/suites.h"
    CU_SUITE_INFO_NULL,
};

enum { SUITES = sizeof suites / sizeof *suites - 1 };
static CU_SuiteInfo chosen[SUITES + 1];
static int chosen_count;
static const CU_TestInfo no_more_tests = CU_TEST_INFO_NULL;

/* Returns whether the argument names the suite: as a whole, by its folder or by its last part. */
static bool is_named(const char *suite, const char *argument) {
    const char *const last = strrchr(suite, '/') + 1;
    const size_t length = strlen(argument);
    return strcmp(last, argument) == 0 ||
           (strncmp(suite, argument, length) == 0 && strchr("/", suite[length]) != NULL);
}

static bool has_part(const char *suite, const char *argument) {
    return strstr(suite, argument) != NULL;
}

/* Chooses the suites that the argument means; false if there are none. */
static bool choose_suites(const char *argument, bool means(const char *, const char *)) {
    bool found = false;
    for (int s = 0; s < SUITES; s++) {
        bool again = false;
        for (int k = 0; k < chosen_count; k++)
            again |= chosen[k].pName == suites[s].pName;
        if (!means(suites[s].pName, argument))
            continue;
        found = true;
        if (!again)
            chosen[chosen_count++] = suites[s];
    }
    return found;
}

/* Leaves of the suites chosen the tests of a name only; returns whether there is one. */
static bool choose_test(const char *name) {
    bool found = false;
    for (int s = 0; s < chosen_count; s++) {
        for (const CU_TestInfo *test = chosen[s].pTests; test->pName != NULL; test++)
            found |= strcmp(test->pName, name) == 0;
    }
    for (int s = 0; found && s < chosen_count; s++) {
        CU_TestInfo *left = chosen[s].pTests;
        for (const CU_TestInfo *test = left; test->pName != NULL; test++) {
            if (strcmp(test->pName, name) == 0)
                *left++ = *test;
        }
        *left = no_more_tests;
    }
    return found;
}

/* The length of the longest text that is in both. */
static int shared_letters(const char *a, const char *b) {
    int most = 0;
    for (; *a != '\0'; a++) {
        for (const char *at = b; *at != '\0'; at++) {
            int same = 0;
            while (a[same] != '\0' && a[same] == at[same])
                same++;
            most = same > most ? same : most;
        }
    }
    return most;
}

/* Says that there is no such suite, and which names are the nearest. */
static void refuse_suite(const char *argument) {
    int most = 0;
    for (int s = 0; s < SUITES; s++) {
        const int shared = shared_letters(suites[s].pName, argument);
        most = shared > most ? shared : most;
    }
    fprintf(stderr, "unit tests: expected a suite, or at last a test of those before, found '%s'",
            argument);
    for (int s = 0, listed = 0; s < SUITES; s++) {
        if (most >= 3 && shared_letters(suites[s].pName, argument) == most)
            fprintf(stderr, "%s%s", listed++ == 0 ? "; near it: " : ", ", suites[s].pName);
    }
    fprintf(stderr, "; --list lists all\n");
}

static void list(void) {
    for (const CU_SuiteInfo *suite = suites; suite->pName != NULL; suite++) {
        for (const CU_TestInfo *test = suite->pTests; test->pName != NULL; test++)
            printf("%s: %s\n", suite->pName, test->pName);
    }
}

/* Leaves of all tests the K-th and every N-th after it, for "K/N"; false for anything else. */
static bool choose_part(const char *part) {
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
        *left = no_more_tests;
    }
    return true;
}

/* "--part K/N"; otherwise suites, variants and a test. False if an argument names nothing. */
static bool choose(char *const *argument) {
    if (argument[0] != NULL && strcmp(argument[0], "--part") == 0 && argument[1] != NULL)
        return choose_part(argument[1]);
    for (; *argument != NULL; argument++) {
        if (strcmp(*argument, "--variant") == 0 && argument[1] != NULL) {
            if (!variants_select(*++argument)) {
                fprintf(stderr, "unit tests: expected a variant as PROGRAM/VARIANT, found '%s'\n",
                        *argument);
                return false;
            }
        } else if (!(argument[1] == NULL && choose_test(*argument)) &&
                   !choose_suites(*argument, is_named) && !choose_suites(*argument, has_part)) {
            refuse_suite(*argument);
            return false;
        }
    }
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
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was found is seen at once, and before a crash */
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list();
        return 0;
    }
    if (!choose(argv + 1))
        return 2;
#ifdef DEVICE_TESTS
    char name[256];
    struct error err;
    if (gpu_name(0, name, sizeof name, &err) != STATUS_OK) {
        printf("skipped: device tests: %s\n0 passed, 0 failed, %d skipped\n", err.text,
               count_tests());
        return 0;
    }
    printf("device tests on %s\n", name);
#endif
    if (CU_initialize_registry() != CUE_SUCCESS ||
        CU_register_suites(chosen_count > 0 ? chosen : suites) != CUE_SUCCESS) {
        fprintf(stderr, "CUnit: %s\n", CU_get_error_msg());
        return 1;
    }
    temporary_start();
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    temporary_finish();
    show_times();
    unsigned failed = CU_get_number_of_tests_failed();
    if (memory_held() != 0) { /* as by free() of what memory_alloc() gave */
        printf("%llu bytes stay in the account of memory\n", (unsigned long long)memory_held());
        failed += failed == 0;
    }
    printf("%u passed, %u failed, 0 skipped\n", CU_get_number_of_tests_run() - failed, failed);
    CU_cleanup_registry();
    return failed > 0;
}
