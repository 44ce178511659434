// SPDX-License-Identifier: MIT
/* Reports say each time under its own name and in seconds, as text and as JSON. */
#include "cli/solver_report.h"
#include "engines/cpu_variants.h"
#include "tests/unit/support.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Times that differ in unit, sum and order wherever two of them are mixed up. */
static const struct timing known = {
    .solve_s = 64,
    .total_s = 128,
    .transfer_s = 32,
    .phases = {.order_s = 1,
               .eliminate_s = 2,
               .sweep_s = 4,
               .prove_s = 8,
               .rounded_s = 16,
               .refine_s = 24},
};

/* Reports a run that took these times on a GPU, into a file; returns its path. */
static const char *report(bool json) {
    const char *const path = temporary_path();
    struct timing timings[] = {known};
    struct solver_arguments a = {
        .solver = &cpu_solver,
        .variant = solver_find(&cpu_solver, "dissection"),
        .graph = "g.txt",
        .output = "out.txt",
        .limit = NO_LIMIT,
        .repetitions = 1,
        .verbosity = {.verbose = true, .json = json},
    };
    struct solver_run run = {
        .ranks = {.count = 1},
        .graph = graph_of(2, (struct edge[]){{0, 1, 3}}, 1),
        .timings = timings,
        .transfer_s = known.transfer_s,
        .phases = known.phases,
        .on_gpu = true,
        .result.made = {.solve_s = known.solve_s, .total_s = known.total_s},
    };
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO), file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    CU_ASSERT_FATAL(kept >= 0 && file >= 0);
    dup2(file, STDOUT_FILENO);
    run.events.to = solver_report_stream(&a);
    solver_report(&a, &run);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(file);
    graph_free(&run.graph);
    return path;
}

static void expect(const json_t *object, const char *name, double seconds) {
    CU_ASSERT_EQUAL(json_number_value(json_object_get(object, name)), seconds);
}

static void test_times_in_json(void) {
    json_t *const answer = json_load_file(report(true), JSON_REJECT_DUPLICATES, NULL);
    const json_t *const phases = json_object_get(answer, "phases");
    const json_t *const seconds = json_object_get(answer, "seconds");
    expect(answer, "solve_s", 64);
    expect(answer, "total_s", 128);
    expect(answer, "transfer_s", 32);
    expect(phases, "order_s", 1);
    expect(phases, "eliminate_s", 2);
    expect(phases, "sweep_s", 4);
    expect(phases, "prove_s", 8);
    expect(phases, "rounded_s", 16);
    expect(phases, "refine_s", 24);
    CU_ASSERT_EQUAL(json_object_size(phases), 6);
    const char *const clocks[] = {"solve_s", "total_s", "transfer_s"};
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++)
        CU_ASSERT_EQUAL(json_number_value(json_array_get(json_object_get(seconds, clocks[k]), 0)),
                        json_number_value(json_object_get(answer, clocks[k])));
    json_decref(answer);
}

static void test_times_in_text(void) {
    static char text[1 << 14];
    FILE *const file = fopen(report(false), "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\nsolve_s  64\ntotal_s  128\n"
                     "phases   order_s 1, eliminate_s 2, sweep_s 4, prove_s 8, rounded_s 16, "
                     "refine_s 24\ntransfer 25.0 % of total_s\n"));
}

CU_TestInfo solver_report_tests[] = {
    {"times in JSON", test_times_in_json},
    {"times in text", test_times_in_text},
    CU_TEST_INFO_NULL,
};
