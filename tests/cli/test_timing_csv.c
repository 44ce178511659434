// SPDX-License-Identifier: MIT
/* Timings as CSV. */
#include "cli/timing_csv.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

static void test_csv(void) {
    const struct timing timings[] = {{0.5, 1, 0.125, {.sweep_s = 0}}, {0.25, 2, 0, {.sweep_s = 0}}};
    const struct timing_rows rows = {
        .program = "cpu",
        .variant = "sequential",
        .graph = "a \"b\", c",
        .vertices = 5,
        .edges = 9,
        .checksum = 0xabc,
        .predecessors = true,
        .threads = 1,
        .device = "",
        .checked = true,
        .repetitions = 2,
        .timings = timings,
    };
    static const char expected[] =
        "program,variant,graph,vertices,edges,checksum,predecessors,threads,tile,device,checked,"
        "repetition,solve_s,total_s,transfer_s\n"
        "cpu,sequential,\"a \"\"b\"\", c\",5,9,00000abc,1,1,0,\"\",1,1,0.5,1,0.125\n"
        "cpu,sequential,\"a \"\"b\"\", c\",5,9,00000abc,1,1,0,\"\",1,2,0.25,2,0\n"
        "cpu,sequential,\"a \"\"b\"\", c\",5,9,00000abc,1,1,0,\"\",1,1,0.5,1,0.125\n"
        "cpu,sequential,\"a \"\"b\"\", c\",5,9,00000abc,1,1,0,\"\",1,2,0.25,2,0\n";
    const char *path = temporary_path();
    char found[sizeof expected + 1];
    struct error err;
    CU_ASSERT_EQUAL(timing_append_csv(path, &rows, &err), STATUS_OK);
    CU_ASSERT_EQUAL(timing_append_csv(path, &rows, &err), STATUS_OK);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    CU_ASSERT_STRING_EQUAL(found, expected);
    char longer[sizeof expected]; /* the same names, but the last one goes on */
    snprintf(longer, sizeof longer, "%.*s2\n", (int)strcspn(expected, "\n"), expected);
    const char *const others[] = {"a,b\n1,2\n", "program,variant,graph\n", longer, "x"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const char *other = temporary_file(others[k], strlen(others[k]));
        CU_ASSERT_EQUAL(timing_check_csv(other, &err), STATUS_BAD_INPUT);
        CU_ASSERT_EQUAL(timing_append_csv(other, &rows, &err), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected an empty file or timings"));
    }
    CU_ASSERT_EQUAL(timing_check_csv(path, &err), STATUS_OK);
    CU_ASSERT_EQUAL(timing_check_csv("/no/such/file", &err), STATUS_OK);
    CU_ASSERT_EQUAL(timing_append_csv("/no/such/directory/t.csv", &rows, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_EQUAL(timing_append_csv("/dev/full", &rows, &err), STATUS_NO_RESOURCE);
}

CU_TestInfo timing_csv_tests[] = {
    {"rows of a file", test_csv},
    CU_TEST_INFO_NULL,
};
