// SPDX-License-Identifier: MIT
/* Work that is stopped half way, and work in forked children. */
#include "certificate/certificate.h" // certify_or_refute
#include "common/base/text_source.h" // text_source_next_filled
#include "cuda_runtime_api.h"        // the shim's controls
#include "engines/cpu_variants.h"    // cpu_solver
#include "libapsp/apsp.h"
#include "libapsp/call.h" // call_work
#include "solve/solve.h"  // solve
#include "tests/unit/support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 700, EDGES = 4 * N, POISON = -77 };

/* A long way round, and across it: later pivots matter, and no engine is done early. */
static struct graph ring(void) {
    static struct edge edges[EDGES];
    struct random random = {11};
    for (int32_t e = 0; e < EDGES; e++)
        edges[e] = e < N ? (struct edge){e, (e + 1) % N, 3}
                         : (struct edge){random_in(&random, 0, N - 1), random_in(&random, 0, N - 1),
                                         random_in(&random, 900, 2000)};
    return graph_of(N, edges, EDGES);
}

static void poison(struct matrix *m) {
    for (int32_t i = 0; i < N; i++) {
        for (int32_t j = 0; j < N; j++)
            matrix_row(m, i)[j] = POISON;
    }
}

/* Rows of which hardly a cell has been written. */
static int32_t rows_left_out(const struct matrix *m) {
    int32_t rows = 0;
    for (int32_t i = 0; i < N; i++) {
        int32_t left = 0;
        for (int32_t j = 0; j < N; j++)
            left += matrix_row(m, i)[j] == POISON;
        rows += left > N / 2;
    }
    return rows;
}

/* Says no at a report. */
struct refusal {
    int64_t reports, refused_at;
};

static bool refuse_at(void *to, int64_t done, int64_t total) {
    struct refusal *refusal = to;
    (void)done, (void)total;
    return ++refusal->reports < refusal->refused_at;
}

/* Every engine of the CPU leaves out work when it is told to stop at its first report. */
static void test_stop_at_report(void) {
    struct graph g = ring();
    struct matrix dist = new_matrix(N), pred = new_matrix(N), right_dist, right_pred;
    solve_reference(&g, &right_dist, &right_pred);
    for (size_t v = 0; v < cpu_solver.variant_count; v++) {
        /* If threads wait for one another, several cannot be done before the report. */
        const int most = strncmp(cpu_solver.variants[v].name, "blocked", 7) == 0 ? 3 : 1;
        for (int threads = 1; threads <= most; threads++) {
            const struct solver_options options = {.threads = threads};
            struct refusal refusal = {0, 1};
            struct progress progress = {.on_report = refuse_at, .callback_context = &refusal};
            struct timing timing;
            struct error err;
            poison(&dist);
            poison(&pred);
            CU_ASSERT_EQUAL(solve(&cpu_solver.variants[v], &g, &options, &dist, &pred, &progress, 1,
                                  &timing, &err),
                            STATUS_CANCELLED);
            CU_ASSERT_STRING_EQUAL(err.text, "stopped, as the caller asked");
            CU_ASSERT_EQUAL(refusal.reports, 1);
            CU_ASSERT_FALSE(same_matrix(&dist, &right_dist));
            CU_ASSERT_FALSE(same_matrix(&pred, &right_pred));
        }
    }
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&right_dist);
    matrix_free(&right_pred);
}

/* A solve that is stopped before it begins does next to nothing. */
static void test_stop_at_once(void) {
    struct graph g = ring();
    struct matrix dist = new_matrix(N), pred = new_matrix(N);
    for (size_t v = 0; v < cpu_solver.variant_count; v++) {
        const struct solver_variant *variant = &cpu_solver.variants[v];
        const struct solver_options options = {.threads = 2};
        struct progress progress = {.stopped = true};
        struct timing timing;
        struct error err;
        poison(&dist);
        poison(&pred);
        CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, &pred, &progress, 1, &timing, &err),
                        STATUS_CANCELLED);
        /* The reference looks after each k only. */
        CU_ASSERT(!variant->parallel || rows_left_out(&dist) == N);
        CU_ASSERT(!variant->parallel || rows_left_out(&pred) == N);
    }
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* How often a callback was called, and how often it is still to say yes. */
struct call_budget {
    int calls, left;
};

static int spend_call(void *to, int64_t done, int64_t total) {
    struct call_budget *budget = to;
    (void)done, (void)total;
    budget->calls++;
    return budget->left-- > 0;
}

static int wait_for_it(void *to, int64_t done, int64_t total) {
    (void)to, (void)done, (void)total;
    return 1;
}

/* A graph that takes the reference half a minute: what is not stopped is noticed. */
static apsp_graph *large(int32_t n) {
    int32_t *ends = malloc(3 * (size_t)n * sizeof *ends);
    apsp_graph *graph;
    CU_ASSERT_PTR_NOT_NULL_FATAL(ends);
    for (int32_t v = 0; v < n; v++) {
        ends[v] = v;
        ends[n + v] = (v + 1) % n;
        ends[2 * n + v] = v % 9;
    }
    CU_ASSERT_EQUAL_FATAL(
        apsp_graph_from_edges(&graph, n, n, ends, ends + n, ends + 2 * n, NULL, NULL), APSP_OK);
    free(ends);
    return graph;
}

/* By the public functions: it ends, is of no result, and the next call is none the worse. */
static void test_cancelled(void) {
    apsp_graph *graph = large(4000), *small = large(50), *none;
    apsp_result *result;
    apsp_error error;
    struct call_budget budget = {0, 1};
    apsp_options options = {.size = sizeof options,
                            .engine = "cpu",
                            .variant = "sequential",
                            .progress = spend_call,
                            .progress_to = &budget};
    CU_ASSERT_EQUAL(apsp_solve(graph, &options, &result, &error), APSP_CANCELLED);
    CU_ASSERT_STRING_EQUAL(error.text, "stopped, as the caller asked");
    CU_ASSERT_PTR_NULL(result);
    CU_ASSERT_EQUAL(budget.calls, 2);

    /* Short work is told about as well, when it is done. */
    budget = (struct call_budget){0, 9};
    CU_ASSERT_EQUAL_FATAL(apsp_solve(small, &options, &result, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_verify(small, result, &options, NULL, NULL), APSP_OK);
    CU_ASSERT(budget.calls >= 2);
    apsp_result_free(result);

    /* Reading stops between two buffers of a megabyte. */
    const size_t size = 64 << 20;
    char *blank = malloc(size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(blank);
    memset(blank, '\n', size);
    struct progress progress = {.stopped = true};
    struct text_source source;
    struct text_line line;
    struct error err;
    bool found;
    CU_ASSERT_EQUAL(text_source_open_memory(&source, "blank", blank, size, 1 << 20, &err),
                    STATUS_OK);
    source.progress = &progress;
    CU_ASSERT_EQUAL(text_source_next_filled(&source, 80, &line, &found, &err), STATUS_CANCELLED);
    text_source_close(&source);
    free(blank);

    apsp_reading reading = {.size = sizeof reading, .scale = 3};
    int32_t end = 0;
    CU_ASSERT_EQUAL(apsp_graph_from_edges(&none, 1, 1, &end, &end, NULL, &reading, &error),
                    APSP_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "scale: expected 0 .. 0, found 3"));
    apsp_graph_free(small);
    apsp_graph_free(graph);
}

/* Work that is complete before it looks whether to stop. */
static enum status complete_all_the_same(void *self, struct progress *progress, struct error *err) {
    (void)self, (void)err;
    while (progress_goes_on(progress))
        usleep(1000);
    return STATUS_OK;
}

/* Whoever has said no is not asked again, not even after success. */
static void test_told_no_more(void) {
    struct call_budget budget = {0, 0};
    const struct listener listener = {spend_call, &budget};
    struct error err;
    CU_ASSERT_EQUAL(call_work(&listener, complete_all_the_same, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(budget.calls, 1);
}

/* Forks, and says no in the parent when the child has ended. */
struct parent {
    pid_t child;
    bool ended_well;
};

static int fork_in_callback(void *to, int64_t done, int64_t total) {
    struct parent *parent = to;
    int status = 0;
    (void)done, (void)total;
    fflush(NULL);
    parent->child = fork();
    if (parent->child == 0)
        alarm(10); /* kills what hangs */
    if (parent->child <= 0)
        return 1;
    parent->ended_well = waitpid(parent->child, &status, 0) == parent->child && WIFEXITED(status) &&
                         WEXITSTATUS(status) == 0;
    return 0;
}

/* The child of a callback does not wait for the work, which only the parent does. */
static void test_callback_forks(void) {
    struct parent parent = {-1, false};
    const struct listener listener = {fork_in_callback, &parent};
    struct error err;
    const enum status status = call_work(&listener, complete_all_the_same, NULL, &err);
    if (parent.child == 0)
        _exit(status == STATUS_CANCELLED ? 0 : 1);
    CU_ASSERT_EQUAL(status, STATUS_OK);
    CU_ASSERT(parent.ended_well);
}

/* Building a graph and proving a result are left as soon as they are to stop. */
static void test_stop_others(void) {
    struct progress progress = {.stopped = true};
    struct edge edges[] = {{0, 1, 2}, {1, 0, 3}};
    struct graph g;
    struct matrix dist, pred;
    struct error err;
    CU_ASSERT_EQUAL(graph_build_stoppable(&g, 2, edges, 2, &progress, &err), STATUS_CANCELLED);
    g = graph_of(2, edges, 2);
    solve_reference(&g, &dist, &pred);
    matrix_row(&dist, 0)[1] = 99;
    CU_ASSERT_EQUAL(certify_or_refute(&g, &dist, &pred, 1, &progress, NULL, &err),
                    STATUS_CANCELLED);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

/* Runs child() in a forked process; whether that was successful, and in time. */
static bool succeeds_forked(bool (*child)(const void *), const void *argument) {
    enum { LIMIT_S = 100 };
    int status = 0;
    fflush(NULL);
    const pid_t pid = fork();
    CU_ASSERT_FATAL(pid >= 0);
    if (pid == 0) {
        alarm(LIMIT_S); /* kills what hangs */
        _exit(child(argument) ? 0 : 1);
    }
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Objects that a forked process inherits. */
struct inheritance {
    const apsp_graph *graph;
    const apsp_result *result;
    char path[64];
    int generations; /* of children below this one */
};

static bool same_results(const apsp_result *a, const apsp_result *b) {
    const int32_t n = apsp_result_vertices(a);
    size_t ld;
    const int32_t *left = apsp_result_distances(a, &ld), *right = apsp_result_distances(b, &ld);
    for (int32_t i = 0; i < n; i++) {
        if (memcmp(left + (size_t)i * ld, right + (size_t)i * ld, (size_t)n * sizeof *left) != 0)
            return false;
    }
    return true;
}

static bool everything_works(const void *inherited) {
    static const char *const variants[] = {"blocked", "johnson", "multisource", "sequential"};
    const struct inheritance *in = inherited;
    apsp_options options = {.size = sizeof options, .engine = "cpu", .threads = 4};
    apsp_result *result = NULL, *read = NULL;
    apsp_error error;
    bool works = true;
    for (size_t v = 0; v < sizeof variants / sizeof *variants && works; v++) {
        options.variant = variants[v];
        options.progress = v % 2 == 0 ? wait_for_it : NULL;
        works = apsp_solve(in->graph, &options, &result, &error) == APSP_OK &&
                same_results(result, in->result) &&
                apsp_verify(in->graph, result, &options, NULL, &error) == APSP_OK &&
                apsp_result_write(result, in->path, APSP_NPY, 4, &error) == APSP_OK;
        apsp_result_free(result);
        result = NULL;
    }
    char path[96];
    snprintf(path, sizeof path, "%s.dist.npy", in->path);
    works = works && apsp_result_read(&read, path, &error) == APSP_OK &&
            same_results(read, in->result) &&
            apsp_solve(in->graph, NULL, &result, &error) == APSP_OK &&
            strncmp(apsp_result_chosen(result), "cpu:", 4) == 0;
    apsp_result_free(result);
    apsp_result_free(read);
    struct inheritance next = *in;
    return works && (next.generations-- == 0 || succeeds_forked(everything_works, &next));
}

static bool gpu_fails(const void *inherited) {
    const struct inheritance *in = inherited;
    apsp_options options = {.size = sizeof options, .engine = "cuda_simple"};
    apsp_result *result;
    apsp_error error;
    char name[64];
    return apsp_solve(in->graph, &options, &result, &error) == APSP_NO_RESOURCE && result == NULL &&
           strstr(error.text, "no usable GPU") != NULL && strstr(error.text, "spawn") != NULL &&
           apsp_gpu_name(0, name, sizeof name, NULL) == APSP_NO_RESOURCE;
}

/* After the parent has used many threads, and a GPU, in this thread. */
static void test_forked(void) {
    struct inheritance in = {.graph = large(400), .generations = 2};
    apsp_options options = {.size = sizeof options, .threads = 4};
    apsp_result *result;
    snprintf(in.path, sizeof in.path, "%s", temporary_path());
    options.engine = "cuda_simple";
    CU_ASSERT_EQUAL_FATAL(apsp_solve(in.graph, &options, &result, NULL), APSP_OK);
    apsp_result_free(result);
    options.engine = "cpu";
    options.variant = "blocked";
    CU_ASSERT_EQUAL_FATAL(apsp_solve(in.graph, &options, &result, NULL), APSP_OK);
    in.result = result;
    CU_ASSERT(succeeds_forked(everything_works, &in));
    CU_ASSERT(succeeds_forked(gpu_fails, &in));
    /* The parent is none the worse. */
    in.generations = 0;
    apsp_result *again;
    CU_ASSERT_EQUAL_FATAL(apsp_solve(in.graph, &options, &again, NULL), APSP_OK);
    CU_ASSERT(same_results(again, result));
    apsp_result_free(again);
    apsp_result_free(result);
    apsp_graph_free((apsp_graph *)(uintptr_t)in.graph);
}

/* Lists reach the engine, which names what there is not. */
static void test_several_gpus(void) {
    const struct {
        const char *engine;
        int device_count, devices[2];
        apsp_status status;
    } cases[] = {
        {"cuda_blocked:dpx32", 2, {1, 0}, APSP_OK},
        {"cuda_blocked:dpx32", 2, {0, 5}, APSP_NO_RESOURCE},
        {"cuda_blocked:dpx32", APSP_ALL_DEVICES, {0}, APSP_OK},
        {"cuda_simple", APSP_ALL_DEVICES, {0}, APSP_OK},
        {"apsp", 2, {0, 1}, APSP_OK},
    };
    apsp_graph *const graph = large(300);
    apsp_options options = {.size = sizeof options, .engine = "cpu", .distances_only = 1};
    apsp_result *expected, *result;
    apsp_error error;
    cuda_shim_set_devices(3);
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, &options, &expected, NULL), APSP_OK);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        options.engine = cases[c].engine;
        options.devices = cases[c].devices;
        options.device_count = cases[c].device_count;
        const apsp_status status = apsp_solve(graph, &options, &result, &error);
        CU_ASSERT_EQUAL(status, cases[c].status);
        if (status == APSP_OK) {
            CU_ASSERT(same_results(result, expected));
        } else {
            CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "expected a device in 0 .. 2, found 5"));
        }
        apsp_result_free(result);
    }
    cuda_shim_set_devices(1);
    apsp_result_free(expected);
    apsp_graph_free(graph);
}

/* A graph of another semiring is for solving, measuring and proving; everything else refuses it. */
static void test_semirings(void) {
    const int32_t from[] = {0, 0, 1, 1}, to[] = {1, 1, 2, 1}, weight[] = {3, 9, 4, 99};
    const apsp_reading reading = {.size = sizeof reading, .semiring = "max-min"};
    const apsp_reading unknown = {.size = sizeof reading, .semiring = "max"};
    const apsp_reading product = {.size = sizeof reading, .semiring = "max-product"};
    const apsp_options johnson = {.size = sizeof johnson, .engine = "cpu", .variant = "johnson"};
    const apsp_options gpu = {.size = sizeof gpu, .engine = "cuda_simple"};
    const apsp_request limited = {.size = sizeof limited, .limit = 5};
    apsp_betweenness betweenness = APSP_BETWEENNESS_INIT;
    apsp_eccentricity eccentricity = APSP_ECCENTRICITY_INIT;
    apsp_refutation refutation = APSP_REFUTATION_INIT;
    apsp_graph *graph, *usual;
    apsp_result *result = NULL, *none = NULL;
    apsp_graph_measures of_graph = {.size = sizeof of_graph};
    apsp_measures *measures;
    apsp_index *index;
    apsp_sink *sink;
    int32_t length, vertices[3];
    int64_t sums[3];
    double reals[3];
    int64_t least;
    CU_ASSERT_EQUAL(apsp_graph_from_edges(&graph, 3, 4, from, to, weight, &unknown, NULL),
                    APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_graph_from_edges(&graph, 3, 4, from, to, weight, &product, NULL),
                    APSP_BAD_INPUT);
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&graph, 3, 4, from, to, weight, &reading, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&usual, 3, 4, from, to, weight, NULL, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &result, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_result_distance(result, 0, 1), 9);
    CU_ASSERT_EQUAL(apsp_result_distance(result, 0, 2), 4);
    CU_ASSERT_EQUAL(apsp_result_distance(result, 1, 1), APSP_INF);
    CU_ASSERT_EQUAL(apsp_result_distance(result, 2, 0), -APSP_INF);
    CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, &refutation, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_verify(usual, result, NULL, &refutation, NULL), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_solve(graph, &johnson, &none, NULL), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_solve(graph, &gpu, &none, NULL), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_betweenness_find(graph, &betweenness, NULL), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_eccentricity_find(graph, &eccentricity, NULL), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_index_build(&index, graph, 0, NULL, NULL), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_graph_negative_cycle(graph, vertices, &length, &least, NULL),
                    APSP_BAD_INPUT);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_result(&sink, &none, NULL), APSP_OK);
    const apsp_sink *sinks[] = {sink};
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, &limited, NULL, sinks, 1, NULL), APSP_BAD_INPUT);
    apsp_sink_free(sink);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_measures(&sink, &measures, NULL), APSP_OK);
    sinks[0] = sink;
    CU_ASSERT_EQUAL_FATAL(apsp_solve_rows(graph, NULL, NULL, sinks, 1, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_measures_graph(measures, &of_graph, NULL), APSP_OK);
    CU_ASSERT(of_graph.largest_length == 4 && of_graph.largest_distance == 4);
    CU_ASSERT(of_graph.largest_from == 0 && of_graph.largest_to == 2);
    CU_ASSERT(isnan(of_graph.wiener_index) && of_graph.diameter == -HUGE_VAL);
    CU_ASSERT_EQUAL(apsp_measures_integers(measures, APSP_DISTANCE_SUM, APSP_OUTWARDS, sums, NULL),
                    APSP_OK);
    CU_ASSERT(sums[0] == 13 && sums[1] == 4 && sums[2] == 0);
    CU_ASSERT_EQUAL(apsp_measures_reals(measures, APSP_CLOSENESS, APSP_OUTWARDS, reals, NULL),
                    APSP_BAD_INPUT);
    apsp_sink_free(sink);
    apsp_measures_free(measures);
    apsp_result_free(result);
    apsp_graph_free(usual);
    apsp_graph_free(graph);
}

CU_TestInfo call_tests[] = {
    {"engines stop at a report", test_stop_at_report},
    {"graphs of other semirings", test_semirings},
    {"engines stop at once", test_stop_at_once},
    {"cancelled by the caller", test_cancelled},
    {"no call after a no", test_told_no_more},
    {"a callback forks", test_callback_forks},
    {"building and proving stop", test_stop_others},
    {"several GPUs", test_several_gpus},
    {"forked children", test_forked},
    CU_TEST_INFO_NULL,
};
