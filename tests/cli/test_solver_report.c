// SPDX-License-Identifier: MIT
/* Reports say each time under its own name and in seconds, as text and as JSON. */
#include "cli/solver_report.h"
#include "common/base/memory.h" // memory_free
#include "engines/cpu_variants.h"
#include "tests/cli/printed.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

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

/* Reports a run that took these times on a GPU; in JSON if `context` is true. */
static void report(void *context) {
    struct timing timings[] = {known};
    struct solver_arguments a = {
        .solver = &cpu_solver,
        .variant = solver_find(&cpu_solver, "dissection"),
        .graph = "g.txt",
        .output = "out.txt",
        .limit = NO_LIMIT,
        .repetitions = 1,
        .verbosity = {.verbose = true, .json = *(const bool *)context},
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
    run.events.to = solver_report_stream(&a);
    solver_report(&a, &run);
    graph_free(&run.graph);
}

static void expect(const struct json_value *object, const char *name, double seconds) {
    CU_ASSERT_EQUAL(json_text_member(object, name)->number, seconds);
}

static void test_times_in_json(void) {
    struct json_document answer;
    bool json = true;
    read_printed(report, &json, &answer);
    const struct json_value *const phases = json_text_member(answer.root, "phases");
    const struct json_value *const seconds = json_text_member(answer.root, "seconds");
    int count = 0;
    expect(answer.root, "solve_s", 64);
    expect(answer.root, "total_s", 128);
    expect(answer.root, "transfer_s", 32);
    expect(phases, "order_s", 1);
    expect(phases, "eliminate_s", 2);
    expect(phases, "sweep_s", 4);
    expect(phases, "prove_s", 8);
    expect(phases, "rounded_s", 16);
    expect(phases, "refine_s", 24);
    for (const struct json_value *v = phases->first; v != NULL; v = v->next)
        count++;
    CU_ASSERT_EQUAL(count, 6);
    const char *const clocks[] = {"solve_s", "total_s", "transfer_s"};
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++)
        CU_ASSERT_EQUAL(json_text_member(seconds, clocks[k])->first->number,
                        json_text_member(answer.root, clocks[k])->number);
    memory_free(answer.memory);
}

static void test_times_in_text(void) {
    static char text[1 << 14];
    bool json = false;
    FILE *const file = fopen(printed(report, &json), "r");
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
