// SPDX-License-Identifier: MIT
/* Structs of callers who were compiled with an earlier or a later version. */
#include "libapsp/structs.h"

#include "libapsp/apsp.h"
#include "tests/unit/support.h"

#include <stdint.h>
#include <string.h>

/* The first version, the library's, and a later one. */
struct first {
    size_t size;
    int64_t a;
};
struct known {
    size_t size;
    int64_t a, b;
};
struct later {
    size_t size;
    int64_t a, b, c;
};
enum { FIRST = SIZE_UP_TO(struct known, a) };

static enum status take(struct known *to, const void *from, struct error *err) {
    *to = (struct known){sizeof *to, 10, 20};
    return struct_take(to, sizeof *to, FIRST, from, "thing", err);
}

static void test_taken(void) {
    struct known to;
    struct error err;
    const struct first first = {sizeof first, 1};
    const struct known known = {sizeof known, 1, 2};
    struct later later = {sizeof later, 1, 2, 0};
    struct later small = {FIRST - 1, 1, 2, 3};

    CU_ASSERT_EQUAL(take(&to, NULL, &err), STATUS_OK);
    CU_ASSERT(to.size == sizeof to && to.a == 10 && to.b == 20);
    CU_ASSERT_EQUAL(take(&to, &first, &err), STATUS_OK);
    CU_ASSERT(to.size == sizeof to && to.a == 1 && to.b == 20);
    CU_ASSERT_EQUAL(take(&to, &known, &err), STATUS_OK);
    CU_ASSERT(to.size == sizeof to && to.a == 1 && to.b == 2);
    CU_ASSERT_EQUAL(take(&to, &later, &err), STATUS_OK);
    CU_ASSERT(to.size == sizeof to && to.a == 1 && to.b == 2);

    later.c = INT64_MIN; /* its last byte alone is not 0 */
    CU_ASSERT_EQUAL(take(&to, &later, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "thing: library 0."));
    CU_ASSERT_EQUAL(take(&to, &small, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "thing: expected a struct of 16 bytes or more, found 15");
}

static void test_given(void) {
    const struct known ours = {99, 1, 2};
    struct error err;
    struct later their = {0, -1, -1, -1};
    CU_ASSERT_EQUAL(struct_check(&their, FIRST, "thing", &err), STATUS_BAD_INPUT);
    their.size = sizeof(struct first);
    CU_ASSERT_EQUAL(struct_check(&their, FIRST, "thing", &err), STATUS_OK);
    struct_give(&their, &ours, sizeof ours);
    CU_ASSERT(their.size == sizeof(struct first) && their.a == 1 && their.b == -1);
    their.size = sizeof(struct known);
    struct_give(&their, &ours, sizeof ours);
    CU_ASSERT(their.a == 1 && their.b == 2 && their.c == -1);
    their = (struct later){sizeof their, -1, -1, -1};
    struct_give(&their, &ours, sizeof ours);
    CU_ASSERT(their.size == sizeof their && their.a == 1 && their.b == 2 && their.c == -1);
}

/* The layout for callers of 0.2.0 on 64-bit systems. It never changes: later members come
 * behind. */
static void test_first_sizes(void) {
    if (sizeof(void *) != 8)
        return;
    CU_ASSERT_EQUAL(offsetof(apsp_reading, progress_to), 24);
    CU_ASSERT_EQUAL(offsetof(apsp_options, progress_to), 48);
    CU_ASSERT_EQUAL(offsetof(apsp_engine, distances_only), 48);
    CU_ASSERT_EQUAL(offsetof(apsp_refutation, weight), 48);
    CU_ASSERT_EQUAL(offsetof(apsp_request, limit), 32);
    CU_ASSERT_EQUAL(offsetof(apsp_rows, proved), 60);
    CU_ASSERT_EQUAL(offsetof(apsp_sink, needs), 40);
    CU_ASSERT_EQUAL(offsetof(apsp_graph_measures, global_efficiency), 128);
    struct {
        size_t size;
        char rest[48];
    } short_options = {.size = 56};
    const apsp_options *options = (const apsp_options *)(const void *)&short_options;
    const int32_t end = 0;
    apsp_graph *graph;
    apsp_result *result;
    apsp_error error;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&graph, 1, 0, &end, &end, NULL, NULL, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL(apsp_solve(graph, options, &result, NULL), APSP_OK);
    apsp_result_free(result);
    short_options.size = 55;
    CU_ASSERT_EQUAL(apsp_solve(graph, options, &result, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "apsp_options: expected a struct of 56 bytes or more, found 55");
    apsp_graph_free(graph);
}

CU_TestInfo struct_tests[] = {
    {"taken from callers of other versions", test_taken},
    {"given to callers of other versions", test_given},
    {"sizes of the first version", test_first_sizes},
    CU_TEST_INFO_NULL,
};
