// SPDX-License-Identifier: MIT
/* The library as others see it: apsp.h and nothing else of ours but random graphs, and rates to
 * choose by. GPU engines run on the host shim. */
#include "common/base/version.h" // PROJECT_VERSION
#include "libapsp/apsp.h"
#include "tests/libapsp/handed_over.h" // handed_over
#include "tests/libapsp/journeys.h"    // journeys_arrive
#ifndef DEVICE_TESTS
#include "cuda_runtime_api.h" // the shim's controls
#include "tests/engines/preference.h"
#endif
#include "tests/unit/support.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4, EDGES = 5 };
/* Thesis, example 7. */
static const int32_t from[EDGES] = {0, 0, 1, 2, 3}, to[EDGES] = {1, 2, 2, 3, 1};
static const int32_t weight[EDGES] = {5, 9, 1, 2, 3};
static const int32_t distances[N][N] = {
    {0, 5, 6, 8}, {APSP_INF, 0, 1, 3}, {APSP_INF, 5, 0, 2}, {APSP_INF, 3, 4, 0}};
static const int32_t predecessors[N][N] = {
    {-1, 0, 1, 2}, {-1, -1, 1, 2}, {-1, 3, -1, 2}, {-1, 3, 1, -1}};

static const apsp_reading both_ways = {.size = sizeof both_ways, .undirected = 1};
static const apsp_options one_thread = {.size = sizeof one_thread, .threads = 1};

static apsp_graph *example(void) {
    apsp_graph *graph;
    apsp_error error;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&graph, N, EDGES, from, to, weight, NULL, &error),
                          APSP_OK);
    return graph;
}

static apsp_result *solution(const apsp_graph *graph) {
    apsp_result *result;
    apsp_error error;
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &result, &error), APSP_OK);
    return result;
}

static void test_example(void) {
    apsp_graph *graph = example();
    apsp_result *result = solution(graph);
    size_t dist_leading, pred_leading;
    const int32_t *dist = apsp_result_distances(result, &dist_leading);
    const int32_t *pred = apsp_result_predecessors(result, &pred_leading);
    CU_ASSERT_EQUAL(apsp_graph_vertices(graph), N);
    CU_ASSERT_EQUAL(apsp_graph_edges_read(graph), EDGES);
    CU_ASSERT_EQUAL(apsp_result_vertices(result), N);
    CU_ASSERT(dist_leading >= N && pred_leading >= N);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            CU_ASSERT_EQUAL(dist[i * dist_leading + j], distances[i][j]);
            CU_ASSERT_EQUAL(apsp_result_distance(result, (int32_t)i, (int32_t)j), distances[i][j]);
            CU_ASSERT_EQUAL(pred[i * pred_leading + j], predecessors[i][j]);
        }
    }
    int32_t path[N], length;
    uint32_t checksum = 0;
    double total;
    CU_ASSERT_EQUAL(apsp_result_path(result, 0, 3, path, &length, NULL), APSP_OK);
    CU_ASSERT(length == 4 && path[0] == 0 && path[1] == 1 && path[2] == 2 && path[3] == 3);
    CU_ASSERT_EQUAL(apsp_result_path(result, 2, 2, path, &length, NULL), APSP_OK);
    CU_ASSERT(length == 1 && path[0] == 2);
    CU_ASSERT_EQUAL(apsp_result_path(result, 3, 0, path, &length, NULL), APSP_OK);
    CU_ASSERT_EQUAL(length, 0);
    CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, NULL, NULL), APSP_OK);
    CU_ASSERT(apsp_result_checksum(result, &checksum) && checksum == apsp_graph_checksum(graph));
    CU_ASSERT_STRING_EQUAL(apsp_result_engine(result), "apsp:auto");
    CU_ASSERT_EQUAL(strncmp(apsp_result_chosen(result), "cpu:", 4), 0); /* for so small a graph */
    CU_ASSERT(apsp_result_seconds(result, &total) > 0 && total > 0);
    apsp_result_free(result);
    apsp_graph_free(graph);
    apsp_result_free(NULL);
    apsp_graph_free(NULL);
}

static void test_edges(void) {
    static const int32_t tails[] = {0, 1, 0, 2, 0}, heads[] = {1, 0, 1, 2, 2};
    static const int32_t weights[] = {7, 4, 6, 3, -2};
    apsp_graph *directed, *undirected, *unweighted, *empty;
    int32_t found = -9;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&directed, 3, 5, tails, heads, weights, NULL, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL_FATAL(
        apsp_graph_from_edges(&undirected, 3, 4, tails, heads, weights, &both_ways, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&unweighted, 3, 4, tails, heads, NULL, NULL, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&empty, 2, 0, NULL, NULL, NULL, NULL, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL(apsp_graph_edges(directed), 3);
    CU_ASSERT(apsp_graph_find_edge(directed, 0, 1, &found) && found == 6);
    CU_ASSERT(apsp_graph_find_edge(directed, 0, 2, &found) && found == -2);
    CU_ASSERT_FALSE(apsp_graph_find_edge(directed, 2, 0, NULL));
    CU_ASSERT_FALSE(apsp_graph_find_edge(directed, 2, 2, NULL));
    CU_ASSERT_EQUAL(apsp_graph_edges_read(undirected), 7);
    CU_ASSERT_EQUAL(apsp_graph_edges(undirected), 2);
    CU_ASSERT(apsp_graph_find_edge(undirected, 1, 0, &found) && found == 4);
    CU_ASSERT(apsp_graph_find_edge(undirected, 0, 1, &found) && found == 4);
    CU_ASSERT(apsp_graph_find_edge(unweighted, 1, 0, &found) && found == 1);
    CU_ASSERT_EQUAL(apsp_graph_edges(empty), 0);
    CU_ASSERT_NOT_EQUAL(apsp_graph_checksum(empty), apsp_graph_checksum(directed));
    apsp_graph_free(directed);
    apsp_graph_free(undirected);
    apsp_graph_free(unweighted);
    apsp_graph_free(empty);
}

static void check_distances(const apsp_result *result, const int64_t *expected) {
    const int32_t n = apsp_result_vertices(result);
    bool same = true;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            const int64_t d = expected[(int64_t)i * n + j];
            same &= apsp_result_distance(result, i, j) == (d == INT64_MAX ? APSP_INF : d);
        }
    }
    CU_ASSERT(same);
}

/* Every engine, with and without predecessors; each solves some of the graphs. */
static void test_engines(void) {
    struct random random = {11};
    apsp_engine engine = APSP_ENGINE_INIT;
    size_t engines = 0, defaults = 0;
    for (; apsp_engine_at(engines, &engine); engines++) {
        int solved = 0;
        defaults += engine.is_default != 0;
        CU_ASSERT(engine.uses_gpu == (strncmp(engine.name, "cuda_", 5) == 0));
        CU_ASSERT(strlen(engine.summary) > 0 && strlen(engine.source) > 0);
        for (enum weights kind = 0; kind < WEIGHT_KINDS; kind++) {
            struct graph ours = random_graph(&random, random_in(&random, 1, 20), 30, kind);
            apsp_graph *graph = handed_over(&ours);
            int64_t *expected;
            CU_ASSERT_FATAL(reference_distances(&ours, &expected));
            for (int distances_only = engine.distances_only; distances_only < 2; distances_only++) {
                apsp_options options = APSP_OPTIONS_INIT;
                apsp_result *result;
                apsp_error error;
                char name[64];
                options.engine = engine.name;
                options.variant = engine.variant;
                options.distances_only = distances_only;
                apsp_status status = apsp_solve(graph, &options, &result, &error);
                if (status == APSP_BAD_INPUT && strstr(error.text, "not exact") != NULL) {
                    CU_ASSERT_PTR_NULL(result);
                    continue;
                }
                CU_ASSERT_EQUAL_FATAL(status, APSP_OK);
                solved++;
                snprintf(name, sizeof name, "%s:%s", engine.name, engine.variant);
                CU_ASSERT_STRING_EQUAL(apsp_result_engine(result), name);
                CU_ASSERT_EQUAL(apsp_result_predecessors(result, NULL) == NULL, distances_only);
                check_distances(result, expected);
                CU_ASSERT_EQUAL(apsp_verify(graph, result, &one_thread, NULL, NULL), APSP_OK);
                apsp_result_free(result);
            }
            free(expected);
            graph_free(&ours);
            apsp_graph_free(graph);
        }
        CU_ASSERT(solved > 0);
    }
    CU_ASSERT(engines >= 20);
    CU_ASSERT(defaults >= 4);
    CU_ASSERT_FALSE(apsp_engine_at(engines + 1, &engine));
    engine.size = offsetof(apsp_engine, distances_only);
    CU_ASSERT_FALSE(apsp_engine_at(0, &engine));
}

static void check_refused(apsp_options options, const char *expected) {
    apsp_graph *graph = example();
    apsp_result *result;
    apsp_error error;
    CU_ASSERT_EQUAL(apsp_solve(graph, &options, &result, &error), APSP_BAD_INPUT);
    CU_ASSERT_PTR_NULL(result);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, expected));
    CU_ASSERT_EQUAL(apsp_solve(graph, &options, &result, NULL), APSP_BAD_INPUT);
    apsp_graph_free(graph);
}

#define WITH(member, value) ((apsp_options){.size = sizeof(apsp_options), .member = value})

static void test_bad_options(void) {
    struct {
        apsp_options known;
        char later[8];
    } longer = {.known = {.size = sizeof longer}};
    apsp_graph *graph = example();
    apsp_result *result;
    check_refused((apsp_options){0}, "expected a struct of");
    check_refused(
        WITH(engine, "gpu"),
        "engine: expected one of apsp, cpu, cuda_simple, cuda_blocked, cuda_sparse, alone "
        "or with a variant as in cpu:sequential, found 'gpu'");
    check_refused(WITH(engine, "cpu:none"), "engine: expected one of cpu:sequential, cpu:");
    check_refused(WITH(engine, "cpu:none"), ", cpu:auto, found 'cpu:none'");
    check_refused(WITH(engine, "apsp:none"),
                  "engine: expected one of apsp:auto, found 'apsp:none'");
    check_refused(WITH(engine, ""), "engine: expected one of apsp, cpu, ");
    check_refused(WITH(variant, "blocked"), "variant: expected the name of its engine too");
    apsp_options options = WITH(engine, "cpu");
    options.variant = "thesis";
    check_refused(options, "variant: expected one of engine cpu (sequential, ");
    check_refused(options, ", auto), found 'thesis'");
    check_refused(WITH(threads, -1), "threads: expected 0 .. 4096, found -1");
    check_refused(WITH(device, -1), "device: expected 0 ..");
    check_refused(WITH(device_count, 33), "device_count: expected -1 .. 32, found 33");
    check_refused(WITH(device_count, 1), "devices: expected a list of 1 numbers, found NULL");
    options = WITH(devices, ((const int[]){2, 1, 2}));
    options.device_count = 3;
    check_refused(options, "devices: expected different numbers, found 2 twice");
    options.device_count = 2;
    options.engine = "cpu:blocked";
    check_refused(options, "devices: variant blocked solves on one GPU, found a list of 2");
    check_refused(WITH(tile, 1), "tile: variant auto has no tile size to choose, found 1");
    options = WITH(engine, "cuda_simple:naive");
    check_refused(options, "computes no predecessors");

    /* A program made for a later version, which asks for nothing new, and for something. */
    CU_ASSERT_EQUAL(apsp_solve(graph, &longer.known, &result, NULL), APSP_OK);
    apsp_result_free(result);
    longer.later[7] = 1;
    CU_ASSERT_EQUAL(apsp_solve(graph, &longer.known, &result, NULL), APSP_BAD_INPUT);
    apsp_graph_free(graph);
}

static void test_bad_edges(void) {
    static const struct {
        int32_t n, from, to;
        int64_t count;
        const char *expected;
    } cases[] = {
        {0, 0, 0, 1, "number of vertices: expected 1 .."},
        {-5, 0, 0, 1, "number of vertices: expected 1 .."},
        {3, 0, 3, 1, "edge 0: expected vertices in 0 .. 2, found 0, 3"},
        {3, -1, 1, 1, "edge 0: expected vertices in 0 .. 2, found -1, 1"},
        {3, 0, 1, -1, "number of edges: expected 0 .."},
        {3, 0, 1, INT64_MAX / 2, "to build the graph; "},
        {INT32_MAX, 0, 1, 1, "2147483647 vertices need"},
    };
    apsp_graph *graph;
    apsp_error error;
    setenv("APSP_MEMORY_LIMIT", "1G", 1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        apsp_status status =
            apsp_graph_from_edges(&graph, cases[c].n, cases[c].count, &cases[c].from, &cases[c].to,
                                  NULL, &both_ways, &error);
        CU_ASSERT(status == APSP_BAD_INPUT || status == APSP_NO_RESOURCE);
        CU_ASSERT_PTR_NULL(graph);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[c].expected));
    }
    unsetenv("APSP_MEMORY_LIMIT");
    CU_ASSERT_EQUAL(apsp_graph_from_edges(&graph, 3, 1, NULL, NULL, NULL, NULL, &error),
                    APSP_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "found NULL"));
}

static void test_negative_cycle(void) {
    static const int32_t tails[] = {0, 1, 2, 3}, heads[] = {1, 2, 3, 1}, weights[] = {9, 2, -7, 1};
    apsp_graph *graph = example(), *cyclic;
    apsp_result *result;
    apsp_error error;
    int32_t cycle[4], length;
    int64_t sum;
    CU_ASSERT_EQUAL(apsp_graph_negative_cycle(graph, cycle, &length, &sum, &error), APSP_OK);
    CU_ASSERT_EQUAL(length, 0);
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&cyclic, 4, 4, tails, heads, weights, NULL, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL(apsp_solve(cyclic, NULL, &result, &error), APSP_NEGATIVE_CYCLE);
    CU_ASSERT_PTR_NULL(result);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "negative cycle of weight -4"));
    CU_ASSERT_EQUAL(apsp_graph_negative_cycle(cyclic, cycle, &length, &sum, &error),
                    APSP_NEGATIVE_CYCLE);
    CU_ASSERT(length == 3 && sum == -4);
    int64_t added = 0;
    for (int32_t k = 0; k < length; k++) {
        int32_t w = 0;
        CU_ASSERT(apsp_graph_find_edge(cyclic, cycle[k], cycle[(k + 1) % length], &w));
        added += w;
    }
    CU_ASSERT_EQUAL(added, sum);
    apsp_graph_free(graph);
    apsp_graph_free(cyclic);
}

/* Each of two negative cycles is named to the sources that reach it, none to others. */
static void test_reached_cycles(void) {
    static const int32_t tails[] = {0, 1, 2, 3, 4, 5}, heads[] = {1, 2, 1, 4, 5, 4};
    static const int32_t weights[] = {1, -1, -1, 1, -5, 1}, wrong[] = {9};
    static const int32_t sources[] = {0, 3, 6};
    static const int64_t sums[] = {-2, -4, 0};
    for (int type = APSP_INT32; type <= APSP_FLOAT64; type += APSP_FLOAT64) {
        apsp_graph *graph, *wide = NULL;
        apsp_error error;
        int32_t cycle[7], length;
        int64_t sum;
        CU_ASSERT_EQUAL_FATAL(
            apsp_graph_from_edges(&graph, 7, 6, tails, heads, weights, NULL, NULL), APSP_OK);
        CU_ASSERT_EQUAL_FATAL(apsp_graph_widen(graph, &wide, &error), APSP_OK);
        CU_ASSERT_EQUAL(apsp_graph_type(wide), APSP_FLOAT64);
        CU_ASSERT_EQUAL(apsp_graph_is_integral(wide), 1);
        const apsp_graph *const given = type == APSP_INT32 ? graph : wide;
        for (int k = 0; k < 3; k++) {
            const apsp_request request = {
                .size = sizeof request, .sources = sources + k, .source_count = 1};
            const apsp_status expected = k < 2 ? APSP_NEGATIVE_CYCLE : APSP_OK;
            apsp_result *result = NULL;
            apsp_sink *sink;
            CU_ASSERT_EQUAL_FATAL(apsp_sink_result(&sink, &result, NULL), APSP_OK);
            CU_ASSERT_EQUAL(
                apsp_solve_rows(given, &request, NULL, (const apsp_sink *const *)&sink, 1, &error),
                expected);
            apsp_sink_free(sink);
            apsp_result_free(result);
            CU_ASSERT_EQUAL(
                apsp_graph_reached_cycle(given, sources + k, 1, cycle, &length, &sum, &error),
                expected);
            CU_ASSERT_EQUAL(length, k < 2 ? 2 : 0);
            CU_ASSERT_EQUAL(sum, type == APSP_INT32 ? sums[k] : 0);
            CU_ASSERT(length == 0 || (cycle[0] > sources[k] && cycle[0] <= sources[k] + 2));
        }
        CU_ASSERT_EQUAL(apsp_graph_negative_cycle(given, cycle, &length, &sum, &error),
                        APSP_NEGATIVE_CYCLE);
        CU_ASSERT_EQUAL(apsp_graph_reached_cycle(given, wrong, 1, cycle, &length, &sum, &error),
                        APSP_BAD_INPUT);
        apsp_graph_free(graph);
        apsp_graph_free(wide);
    }
}

static void check_round_trip(const apsp_graph *graph, const apsp_result *result,
                             apsp_format format) {
    apsp_result *again;
    char path[128];
    uint32_t checksum = 0;
    snprintf(path, sizeof path, "%s", temporary_path());
    CU_ASSERT_EQUAL(apsp_result_write(result, path, format, 0, NULL), APSP_OK);
    if (format == APSP_NPY)
        strcat(path, ".dist.npy");
    CU_ASSERT_EQUAL_FATAL(apsp_result_read(&again, path, NULL), APSP_OK);
    CU_ASSERT(apsp_result_checksum(again, &checksum) && checksum == apsp_graph_checksum(graph));
    CU_ASSERT_STRING_EQUAL(apsp_result_engine(again), "");
    CU_ASSERT_EQUAL(apsp_verify(graph, again, NULL, NULL, NULL), APSP_OK);
    apsp_result_free(again);
}

/* Decimal weights in a file are read as the type that is asked for. */
static void check_types(const char *path) {
    static const char whole[] = "p sp 2 1\na 1 2 5\n";
    static const int asked[] = {APSP_TYPE_OF_FILE, APSP_FLOAT32, APSP_FLOAT64};
    static const apsp_type expected[] = {APSP_FLOAT64, APSP_FLOAT32, APSP_FLOAT64};
    apsp_reading reading = APSP_READING_INIT;
    apsp_graph *graph;
    apsp_error error;
    for (int k = 0; k < 3; k++) {
        reading.type = asked[k];
        CU_ASSERT_EQUAL_FATAL(apsp_graph_read(&graph, path, &reading, NULL), APSP_OK);
        CU_ASSERT_EQUAL(apsp_graph_type(graph), expected[k]);
        apsp_graph_free(graph);
    }
    reading.type = APSP_TYPE_OF_FILE;
    CU_ASSERT_EQUAL_FATAL(
        apsp_graph_read(&graph, temporary_file(whole, sizeof whole - 1), &reading, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_graph_type(graph), APSP_INT32);
    apsp_graph_free(graph);
    for (reading.type = -2; reading.type <= APSP_UINT16; reading.type += 5) {
        CU_ASSERT_EQUAL(apsp_graph_read(&graph, path, &reading, &error), APSP_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "type: expected -1 .. 2, found "));
    }
    const int32_t end = 0;
    reading.type = APSP_FLOAT64;
    CU_ASSERT_EQUAL(apsp_graph_from_edges(&graph, 1, 1, &end, &end, NULL, &reading, &error),
                    APSP_BAD_INPUT);
}

static void test_files(void) {
    static const char text[] = "c decimal\np sp 4 5\na 1 2 .5\na 1 3 .9\na 2 3 .1\na 3 4 .2\n"
                               "a 4 2 .3\n";
    apsp_reading reading = APSP_READING_INIT;
    apsp_graph *graph = example(), *decimal;
    apsp_result *result = solution(graph), *none;
    apsp_error error;
    const char *path = temporary_file(text, sizeof text - 1);
    CU_ASSERT_EQUAL(apsp_graph_read(&decimal, path, NULL, &error), APSP_BAD_INPUT);
    CU_ASSERT_PTR_NULL(decimal);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "expected an integer for the weight w, found '.5'"));
    reading.scale = 10;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_read(&decimal, path, &reading, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_graph_checksum(decimal), apsp_graph_checksum(graph));
    apsp_graph_free(decimal);
    reading.undirected = 1;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_read(&decimal, path, &reading, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_graph_edges(decimal), 10);
    apsp_graph_free(decimal);
    reading.scale = -1;
    CU_ASSERT_EQUAL(apsp_graph_read(&decimal, path, &reading, &error), APSP_BAD_INPUT);
    check_types(path);
    CU_ASSERT_EQUAL(apsp_graph_read(&decimal, temporary_path(), NULL, &error), APSP_BAD_INPUT);

    check_round_trip(graph, result, APSP_TEXT);
    check_round_trip(graph, result, APSP_NPY);
    CU_ASSERT_EQUAL(apsp_result_write(result, "-", APSP_NPY, 0, &error), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_result_write(result, "x", (apsp_format)2, 0, &error), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_result_write(result, "/none/x", APSP_TEXT, 0, &error), APSP_NO_RESOURCE);
    CU_ASSERT_EQUAL(apsp_result_read(&none, temporary_path(), &error), APSP_BAD_INPUT);
    CU_ASSERT_PTR_NULL(none);
    apsp_result_free(result);
    apsp_graph_free(graph);
}

/* The library counts vertices from 0 for a file that numbers them from 1; the files that it writes
 * tell of both. */
static void test_numbers(void) {
    static const char cycle[] = "p sp 3 2\na 2 3 1\na 3 2 -4\n";
    static const char far[] = "p sp 3 2\na 2 1 536870912\na 1 3 536870912\n";
    static const char text[] = "p sp 2 1\na 1 2 7\n";
    static const char wrong[] = "|V| = 2, |E| = 1\n\n0 8\nINF 0\n\n-1 0\n-1 -1\n";
    apsp_graph *graph;
    apsp_result *result;
    apsp_error error;
    int32_t vertices[3], length;
    int64_t sum;
    CU_ASSERT_EQUAL_FATAL(
        apsp_graph_read(&graph, temporary_file(cycle, sizeof cycle - 1), NULL, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_graph_negative_cycle(graph, vertices, &length, &sum, &error),
                    APSP_NEGATIVE_CYCLE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(error.text, vertices[0] == 1 ? ": 1 -> 2 -> 1" : ": 2 -> 1 -> 2"));
    CU_ASSERT_PTR_NULL(strstr(error.text, "numbered"));
    apsp_graph_free(graph);
    CU_ASSERT_EQUAL_FATAL(
        apsp_graph_read(&graph, temporary_file(far, sizeof far - 1), NULL, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_solve(graph, NULL, &result, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "the distance from 1 to 2 is out of range: 1073741823 or more; as "
                           "int64 (--type int64), distances are exact up to 2^53");
    apsp_graph_free(graph);
    CU_ASSERT_EQUAL_FATAL(
        apsp_graph_read(&graph, temporary_file(text, sizeof text - 1), NULL, &error), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(
        apsp_result_read(&result, temporary_file(wrong, sizeof wrong - 1), &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, NULL, &error), APSP_REFUTED);
    CU_ASSERT_STRING_EQUAL(error.text, "check (c): distance from 0 to 1 is 8, but 0 is at distance "
                                       "0 and edge 0 -> 1 weighs 7");
    apsp_result_free(result);
    result = solution(graph);
    const char *path = temporary_path();
    char written[1024] = "";
    CU_ASSERT_EQUAL(apsp_result_write(result, path, APSP_TEXT, 1, &error), APSP_OK);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fread(written, 1, sizeof written - 1, file) > 0);
    fclose(file);
    CU_ASSERT_PTR_NOT_NULL(strstr(written, "\n# vertices from: 1\n"));
    apsp_result_free(result);
    apsp_graph_free(graph);
}

/* The example's result with a distance too long, of another size, and with predecessors that
 * run in a cycle or lead outside. */
static void test_wrong_results(void) {
    static const char head[] = "|V| = 4, |E| = 5\n\n0 5 7 8\nINF 0 1 3\nINF 5 0 2\nINF 3 4 0\n\n";
    static const char tails[][64] = {
        "-1 0 1 2\n-1 -1 1 2\n-1 3 -1 2\n-1 3 1 -1\n",
        "-1 2 1 2\n-1 -1 1 2\n-1 3 -1 2\n-1 3 1 -1\n",
        "-1 9 1 2\n-1 -1 1 2\n-1 3 -1 2\n-1 3 1 -1\n",
    };
    static const char small[] = "|V| = 1, |E| = 0\n\n0\n\n-1\n";
    apsp_graph *graph = example();
    apsp_refutation refutation = APSP_REFUTATION_INIT;
    apsp_result *result;
    apsp_error error;
    int32_t path[N], length;
    uint32_t checksum;
    for (size_t t = 0; t < sizeof tails / sizeof *tails; t++) {
        char text[256];
        snprintf(text, sizeof text, "%s%s", head, tails[t]);
        for (char *c = text + 18; *c != '\0'; c++)
            *c = *c == ' ' ? '\t' : *c;
        CU_ASSERT_EQUAL_FATAL(apsp_result_read(&result, temporary_file(text, strlen(text)), &error),
                              APSP_OK);
        CU_ASSERT_FALSE(apsp_result_checksum(result, &checksum));
        refutation = (apsp_refutation)APSP_REFUTATION_INIT;
        CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, &refutation, &error), APSP_REFUTED);
        CU_ASSERT(strlen(error.text) > 0 && strlen(refutation.reason) > 0);
        CU_ASSERT_EQUAL(refutation.from, 0);
        const apsp_status found = apsp_result_path(result, 0, 1, path, &length, &error);
        CU_ASSERT_EQUAL(found, t == 0 ? APSP_OK : APSP_BAD_INPUT);
        CU_ASSERT(t == 0 || strstr(error.text, "predecessors of (0, 1) do not lead to 0") != NULL);
        if (t == 0) {
            CU_ASSERT(refutation.check == 'c' && refutation.to == 2 && refutation.distance == 7);
            CU_ASSERT(refutation.has_edge && refutation.via == 1);
            CU_ASSERT(refutation.via_distance == 5 && refutation.weight == 1);
        }
        refutation.size = 4;
        CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, &refutation, &error), APSP_BAD_INPUT);
        apsp_result_free(result);
    }
    CU_ASSERT_EQUAL_FATAL(
        apsp_result_read(&result, temporary_file(small, sizeof small - 1), &error), APSP_OK);
    refutation = (apsp_refutation)APSP_REFUTATION_INIT;
    CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, &refutation, &error), APSP_REFUTED);
    CU_ASSERT(refutation.check == '-' && refutation.from == -1);
    CU_ASSERT_EQUAL(apsp_result_path(result, 0, 1, path, &length, &error), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_result_path(result, -1, 0, path, &length, &error), APSP_BAD_INPUT);
    apsp_result_free(result);
    apsp_graph_free(graph);

    apsp_options options = APSP_OPTIONS_INIT;
    options.distances_only = 1;
    graph = example();
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, &options, &result, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, NULL, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_result_path(result, 0, 1, path, &length, &error), APSP_BAD_INPUT);
    apsp_result_free(result);
    apsp_graph_free(graph);
}

/* Paths by whatever predecessors from 0 a file holds. */
static void test_paths_of_files(void) {
    static const struct {
        int32_t pred[N], to;
        int length; /* -1: refused */
    } rows[] = {
        {{-1, 0, 1, 2}, 3, 4},   /* as it should be */
        {{-1, 0, 1, 2}, 0, 1},   /* */
        {{-1, -1, 1, 2}, 1, 0},  /* no path */
        {{-1, -1, 1, 2}, 3, -1}, /* ends at 1 */
        {{-1, 0, -1, 2}, 3, -1}, /* ends at 2 */
        {{-1, 0, 4, 2}, 3, -1},  /* no vertex */
        {{-1, 0, -2, 2}, 3, -1}, /* no vertex */
        {{1, 0, 1, 2}, 3, -1},   /* goes on behind 0 */
        {{3, 0, 1, 2}, 0, -1},   /* leaves 0 */
        {{-1, 1, 1, 2}, 1, -1},  /* a cycle of one vertex */
        {{-1, 2, 1, 2}, 3, -1},  /* a cycle of two */
        {{-1, 3, 1, 2}, 2, -1},  /* of three */
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char text[256];
        int32_t path[N], length = 77;
        apsp_result *result;
        apsp_error error;
        const int32_t *p = rows[r].pred;
        snprintf(text, sizeof text,
                 "|V| = 4, |E| = 5\n\n0\t1\t1\t1\n1\t0\t1\t1\n1\t1\t0\t1\n1\t1\t1\t0\n\n"
                 "%d\t%d\t%d\t%d\n0\t-1\t0\t0\n0\t0\t-1\t0\n0\t0\t0\t-1\n",
                 p[0], p[1], p[2], p[3]);
        CU_ASSERT_EQUAL_FATAL(apsp_result_read(&result, temporary_file(text, strlen(text)), &error),
                              APSP_OK);
        const apsp_status status = apsp_result_path(result, 0, rows[r].to, path, &length, &error);
        CU_ASSERT_EQUAL(status, rows[r].length < 0 ? APSP_BAD_INPUT : APSP_OK);
        CU_ASSERT_EQUAL(length, rows[r].length < 0 ? 0 : rows[r].length);
        CU_ASSERT(rows[r].length <= 0 || (path[0] == 0 && path[length - 1] == rows[r].to));
        CU_ASSERT(status == APSP_OK || strstr(error.text, "do not lead to 0") != NULL);
        apsp_result_free(result);
    }
}

struct heard {
    pthread_t caller;
    int64_t calls, done, total;
    bool elsewhere;
};

static int hear(void *heard_by, int64_t done, int64_t total) {
    struct heard *heard = heard_by;
    heard->calls++;
    heard->done = done;
    heard->total = total;
    heard->elsewhere |= !pthread_equal(pthread_self(), heard->caller);
    return 1;
}

static void test_progress(void) {
    struct random random = {5};
    struct graph ours = random_graph(&random, 300, 3, WEIGHTS_POSITIVE);
    apsp_graph *graph = handed_over(&ours);
    apsp_engine engine = APSP_ENGINE_INIT;
    for (size_t e = 0; apsp_engine_at(e, &engine); e++) {
        struct heard heard = {.caller = pthread_self()};
        apsp_options options = APSP_OPTIONS_INIT;
        apsp_result *result;
        if (engine.uses_gpu)
            continue; /* many would take long on the shim */
        options.engine = engine.name;
        options.variant = engine.variant;
        options.progress = hear;
        options.progress_to = &heard;
        CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, &options, &result, NULL), APSP_OK);
        CU_ASSERT(heard.calls > 0 && heard.done > 0 && heard.done == heard.total);
        CU_ASSERT_FALSE(heard.elsewhere);
        apsp_result_free(result);
    }
    graph_free(&ours);
    apsp_graph_free(graph);
}

static void test_threads(void) {
    static const char *const with[] = {NULL,          "cpu:multisource", "cpu:blocked",
                                       "cpu:johnson", "cuda_simple",     "cuda_simple"};
    CU_ASSERT(journeys_arrive(temporary_path(), with, sizeof with / sizeof *with));
}

#ifndef DEVICE_TESTS /* the shim's GPU can be lost */
/* Checks which engine the one that chooses took. */
static void check_taken(const apsp_graph *graph, const char *taken) {
    apsp_result *result;
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &result, NULL), APSP_OK);
    CU_ASSERT_STRING_EQUAL(apsp_result_engine(result), "apsp:auto");
    CU_ASSERT_NSTRING_EQUAL(apsp_result_chosen(result), taken, strlen(taken));
    CU_ASSERT_EQUAL(apsp_verify(graph, result, &one_thread, NULL, NULL), APSP_OK);
    apsp_result_free(result);
}

static void test_choice(void) {
    enum { LOOKS = 8 }; /* calls that ask what the GPU is */
    apsp_graph *graph = example();
    prefer(true);
    check_taken(graph, "cuda_");
    cuda_shim_lose_after(LOOKS + 1);
    check_taken(graph, "cpu:");
    CU_ASSERT_EQUAL(cuda_shim_lose_after(0), 0);
    prefer(false);
    check_taken(graph, "cpu:");
    prefer_nothing();
    apsp_graph_free(graph);
}

/* The thread's GPU stays the one that it had selected. */
static void test_selected_gpu(void) {
    enum { CALLERS = 3 };
    apsp_graph *graph = example();
    apsp_options options = APSP_OPTIONS_INIT;
    apsp_result *result;
    int device;
    char name[64];
    options.engine = "cuda_simple";
    cuda_shim_set_devices(CALLERS + 1);
    CU_ASSERT_EQUAL(cudaSetDevice(CALLERS), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, &options, &result, NULL), APSP_OK);
    CU_ASSERT(cudaGetDevice(&device) == cudaSuccess && device == CALLERS);
    CU_ASSERT_EQUAL(apsp_gpu_name(0, name, sizeof name, NULL), APSP_OK);
    CU_ASSERT(cudaGetDevice(&device) == cudaSuccess && device == CALLERS);
    CU_ASSERT_EQUAL(cudaSetDevice(0), cudaSuccess);
    cuda_shim_set_devices(1);
    apsp_result_free(result);
    apsp_graph_free(graph);
}
#endif

static void test_gpu_name(void) {
    char name[64] = "";
    apsp_error error;
    CU_ASSERT_EQUAL(apsp_gpu_name(0, name, sizeof name, &error), APSP_OK);
    CU_ASSERT(strlen(name) > 0);
    CU_ASSERT_EQUAL(apsp_gpu_name(-1, name, sizeof name, &error), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_gpu_name(1000, name, sizeof name, &error), APSP_NO_RESOURCE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no usable GPU"));
#ifndef DEVICE_TESTS
    cuda_shim_set_driver(0);
    CU_ASSERT_EQUAL(apsp_gpu_name(0, name, sizeof name, &error), APSP_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(error.text, "no usable GPU: no NVIDIA driver is installed");
    cuda_shim_set_driver(999);
    CU_ASSERT_EQUAL(apsp_gpu_name(0, name, sizeof name, &error), APSP_NO_RESOURCE);
    CU_ASSERT_PTR_NULL(strstr(error.text, "no NVIDIA driver"));
    cuda_shim_set_driver(13000);
#endif
    CU_ASSERT_STRING_EQUAL(apsp_version(), APSP_VERSION);
    CU_ASSERT_STRING_EQUAL(APSP_VERSION, PROJECT_VERSION);
}

/* A result that was read is written again as it was: with the numbering, and without a checksum
 * that nobody gave. */
static void test_read_and_written(void) {
    static const char text[] = "|V| = 1, |E| = 0\n\n0\n# predecessors: none\n# vertices from: 1\n";
    char path[64], copy[512] = "";
    snprintf(path, sizeof path, "%s", temporary_path());
    for (apsp_format format = APSP_TEXT; format <= APSP_NPY; format++) {
        apsp_result *first, *second;
        uint32_t checksum;
        CU_ASSERT_EQUAL_FATAL(apsp_result_read(&first, temporary_file(text, sizeof text - 1), NULL),
                              APSP_OK);
        char out[96], prefix[80];
        snprintf(prefix, sizeof prefix, "%s_again", path);
        snprintf(out, sizeof out, "%s.txt", prefix);
        CU_ASSERT_EQUAL(
            apsp_result_write(first, format == APSP_NPY ? prefix : out, format, 1, NULL), APSP_OK);
        CU_ASSERT_EQUAL_FATAL(apsp_result_read(&second, format == APSP_NPY ? prefix : out, NULL),
                              APSP_OK);
        CU_ASSERT_FALSE(apsp_result_checksum(second, &checksum));
        CU_ASSERT_EQUAL(apsp_result_write(second, out, APSP_TEXT, 1, NULL), APSP_OK);
        FILE *file = fopen(out, "r");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        copy[fread(copy, 1, sizeof copy - 1, file)] = '\0';
        fclose(file);
        CU_ASSERT_PTR_NOT_NULL(strstr(copy, "# vertices from: 1\n"));
        apsp_result_free(first);
        apsp_result_free(second);
    }
}

/* Checks that a graph of edges of that type is solved by that engine. The path 0 -> 1 -> 2 weighs
 * 0.1 + 0.2, which each type rounds in its own way. */
static void check_real(apsp_type type, const char *engine, double expected) {
    static const int32_t tail[] = {0, 1, 0, 1}, head[] = {1, 2, 2, 3};
    static const float narrow[] = {0.1F, 0.2F, 0.5F, INFINITY};
    static const double wide[] = {0.1, 0.2, 0.5, INFINITY};
    const void *const given = type == APSP_FLOAT32 ? (const void *)narrow : wide;
    const apsp_edges edges = {sizeof edges, 4, 4, tail, head, type, given, NULL, 0, 0, 0};
    const apsp_options options = {.size = sizeof options, .engine = engine, .threads = 1};
    apsp_graph *graph;
    apsp_result *result;
    apsp_error error;
    double found;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_graph_type(graph), type);
    CU_ASSERT_EQUAL(apsp_graph_edges(graph), 3); /* infinity is no edge */
    CU_ASSERT(apsp_graph_find_weight(graph, 0, 2, &found));
    CU_ASSERT_EQUAL(found, 0.5);
    apsp_edges shown = APSP_EDGES_INIT;
    CU_ASSERT_EQUAL(apsp_graph_view(graph, &shown, &error), APSP_OK);
    CU_ASSERT(shown.size == sizeof shown && shown.vertices == 4 && shown.count == 3);
    CU_ASSERT(shown.from == NULL && shown.first[0] == 0 && shown.first[1] == 2 &&
              shown.first[4] == 3);
    CU_ASSERT(shown.to[1] == 2 && shown.type == APSP_FLOAT64 &&
              ((const double *)shown.weight)[1] == 0.5);
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, &options, &result, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_result_type(result), type);
    CU_ASSERT_PTR_NULL(apsp_result_distances(result, NULL));
    CU_ASSERT_PTR_NOT_NULL(apsp_result_cells(result, NULL));
    CU_ASSERT_EQUAL(apsp_result_length(result, 0, 2), expected);
    CU_ASSERT(isinf(apsp_result_length(result, 0, 3)));
    CU_ASSERT_EQUAL(apsp_result_distance(result, 0, 2), APSP_NO_ROW);
    apsp_result_free(result);
    apsp_graph_free(graph);
}

/* No path leads through vertex 0, and so no cycle; a struct of an older caller cannot say so. */
static void test_zones(void) {
    static const int32_t tail[] = {1, 0, 2, 1}, head[] = {0, 2, 1, 2}, length_of[] = {1, -9, 1, 7};
    static const int32_t to_cycle[] = {1, -9, -8, 7}, zone = 0;
    apsp_edges edges = APSP_EDGES_INIT, shown = APSP_EDGES_INIT;
    apsp_graph *graph;
    apsp_result *result;
    apsp_error error;
    int32_t cycle[3], length = 1;
    int64_t sum;
    edges.vertices = 3;
    edges.count = 4;
    edges.from = tail;
    edges.to = head;
    edges.weight = length_of;
    for (edges.zones = 4; edges.zones >= -1; edges.zones -= 5) {
        CU_ASSERT_EQUAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "zones"));
    }
    edges.zones = 1;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_graph_negative_cycle(graph, cycle, &length, &sum, &error), APSP_OK);
    CU_ASSERT_EQUAL(length, 0);
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &result, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_result_distance(result, 1, 2), 7);
    CU_ASSERT_EQUAL(apsp_result_distance(result, 0, 1), -8);
    apsp_result_free(result);
    CU_ASSERT(apsp_graph_view(graph, &shown, &error) == APSP_OK && shown.zones == 1);
    shown.size = offsetof(apsp_edges, zones);
    CU_ASSERT_EQUAL(apsp_graph_view(graph, &shown, &error), APSP_BAD_INPUT);
    apsp_graph_free(graph);
    edges.weight = to_cycle; /* paths from the zone reach one of 1 and 2 */
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_graph_reached_cycle(graph, &zone, 1, cycle, &length, &sum, &error),
                    APSP_NEGATIVE_CYCLE);
    CU_ASSERT(length == 2 && sum == -1);
    apsp_graph_free(graph);
}

/* Names of formats are what a reading may demand. */
static void test_formats(void) {
    static const char *const some[] = {"text", "gr", "csv", "tntp"};
    size_t found = 0, count = 0;
    for (const char *name; (name = apsp_format_at(count)) != NULL; count++) {
        for (size_t s = 0; s < sizeof some / sizeof *some; s++)
            found += strcmp(name, some[s]) == 0;
        apsp_reading reading = APSP_READING_INIT;
        apsp_graph *graph;
        apsp_error error;
        reading.format = name;
        CU_ASSERT_EQUAL(apsp_graph_read(&graph, "/dev/null", &reading, &error), APSP_BAD_INPUT);
        CU_ASSERT_PTR_NULL(strstr(error.text, "format:"));
    }
    CU_ASSERT_EQUAL(found, sizeof some / sizeof *some);
    CU_ASSERT_PTR_NULL(apsp_format_at(count + 1));
    CU_ASSERT_PTR_NULL(apsp_format_at(SIZE_MAX));
}

/* Kinds of files that only the Python package reads. */
static void test_foreign(void) {
    static const char gml[] = "graph [\n node [ id 0 ]\n]\n", text[] = "4 5\n0 1 5\n";
    CU_ASSERT_STRING_EQUAL(apsp_foreign_format(gml, sizeof gml - 1), "gml");
    CU_ASSERT_PTR_NULL(apsp_foreign_format(text, sizeof text - 1));
    CU_ASSERT_PTR_NULL(apsp_foreign_format("%PDF-1.7", 8));
}

static void test_real(void) {
    static const char *const some[] = {"cpu:multisource", "cpu:blocked", "cuda_sparse", "apsp"};
    static const double none[] = {NAN};
    apsp_edges edges = APSP_EDGES_INIT;
    apsp_graph *graph;
    apsp_error error;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        check_real(APSP_FLOAT32, some[k], (double)(0.1F + 0.2F));
        check_real(APSP_FLOAT64, some[k], 0.1 + 0.2);
    }
    edges.vertices = 2;
    edges.count = 1;
    edges.from = (const int32_t[]){0};
    edges.to = (const int32_t[]){1};
    edges.type = APSP_FLOAT64;
    edges.weight = none;
    CU_ASSERT_EQUAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "edge 0: expected a number, found nan");
    CU_ASSERT_PTR_NULL(graph);
}

/* The graph of edges in rows, from 0 to order[0] and order[1] and from 2 to itself, is the one of
 * the same edges by their tails, also if it has them in the caller's memory. */
static void check_rows(apsp_type type, const int32_t order[2], int undirected) {
    const int64_t first[] = {0, 2, 2, 3};
    const int32_t tail[] = {0, 0, 2};
    int32_t head[] = {order[0], order[1], 2};
    int32_t whole[] = {-7, 3, 5};
    float narrow[] = {0.75F, -0.0F, 2};
    double wide[] = {0.1, -0.0, 1e300};
    const apsp_reading reading = {.size = sizeof reading, .undirected = undirected};
    apsp_edges edges = APSP_EDGES_INIT;
    apsp_graph *by_tails, *by_rows, *in_place;
    edges.vertices = 3;
    edges.count = 3;
    edges.from = tail;
    edges.to = head;
    edges.type = type;
    edges.weight = type == APSP_INT32 ? whole : type == APSP_FLOAT32 ? (const void *)narrow : wide;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&by_tails, &edges, &reading, NULL), APSP_OK);
    edges.from = NULL;
    edges.first = first;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&by_rows, &edges, &reading, NULL), APSP_OK);
    edges.lent = 1;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&in_place, &edges, &reading, NULL), APSP_OK);
    const bool is_lent = !undirected && type != APSP_FLOAT32 && order[0] < order[1];
    const uint32_t checksum = apsp_graph_checksum(by_tails);
    head[0] ^= 1; /* nobody but the graph that borrows it sees it */
    CU_ASSERT_EQUAL(apsp_graph_checksum(by_rows), checksum);
    CU_ASSERT_EQUAL(apsp_graph_checksum(in_place) != checksum, is_lent);
    head[0] ^= 1;
    CU_ASSERT_EQUAL(apsp_graph_checksum(in_place), checksum);
    CU_ASSERT_EQUAL(apsp_graph_edges(by_rows), apsp_graph_edges(by_tails));
    CU_ASSERT_EQUAL(apsp_graph_edges(in_place), apsp_graph_edges(by_tails));
    CU_ASSERT_EQUAL(apsp_graph_edges_read(by_rows), apsp_graph_edges_read(by_tails));
    CU_ASSERT_EQUAL(apsp_graph_edges_read(in_place), apsp_graph_edges_read(by_tails));
    apsp_graph_free(by_tails);
    apsp_graph_free(by_rows);
    apsp_graph_free(in_place);
}

/* That such edges are refused, with a line, lent or not. */
static void refuse_rows(const int64_t first[3], int32_t head, const char *line) {
    apsp_edges edges = APSP_EDGES_INIT;
    apsp_graph *graph;
    apsp_error error;
    edges.vertices = 2;
    edges.count = 1;
    edges.to = &head;
    edges.first = first;
    for (edges.lent = 0; edges.lent < 2; edges.lent++) {
        CU_ASSERT_EQUAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(error.text, line);
        CU_ASSERT_PTR_NULL(graph);
    }
}

static void test_edges_in_rows(void) {
    for (apsp_type type = APSP_INT32; type <= APSP_FLOAT64; type++) {
        for (int undirected = 0; undirected < 2; undirected++) {
            check_rows(type, (const int32_t[]){1, 2}, undirected);
            check_rows(type, (const int32_t[]){2, 1}, undirected);
            check_rows(type, (const int32_t[]){1, 1}, undirected); /* parallel */
            check_rows(type, (const int32_t[]){0, 2}, undirected); /* a loop */
        }
    }
    refuse_rows((const int64_t[]){0, 1, 1}, 2, "edge 0: expected vertices in 0 .. 1, found 0, 2");
    refuse_rows((const int64_t[]){0, 1, 0}, 1,
                "edges of vertex 1: expected them to end at 1 or later, found 0");
    refuse_rows((const int64_t[]){0, 0, 2}, 1, "expected edges 0 .. 0 in rows, found 0 .. 1");
    refuse_rows((const int64_t[]){-1, 0, 1}, 1, "expected edges 0 .. 0 in rows, found -1 .. 0");
}

CU_TestInfo api_tests[] = {
    {"thesis example 7", test_example},
    {"graphs from edges", test_edges},
    {"edges in rows", test_edges_in_rows},
    {"every engine", test_engines},
    {"zones", test_zones},
    {"formats", test_formats},
    {"files of other kinds", test_foreign},
    {"real weights", test_real},
    {"options that are refused", test_bad_options},
    {"edges that are refused", test_bad_edges},
    {"negative cycle", test_negative_cycle},
    {"negative cycles that sources reach", test_reached_cycles},
    {"files", test_files},
    {"numbers of vertices", test_numbers},
    {"wrong results", test_wrong_results},
    {"paths by predecessors of files", test_paths_of_files},
    {"progress", test_progress},
    {"threads", test_threads},
#ifndef DEVICE_TESTS
    {"choice of the engine", test_choice},
    {"selected GPU", test_selected_gpu},
#endif
    {"GPU and version", test_gpu_name},
    {"read and written", test_read_and_written},
    CU_TEST_INFO_NULL,
};
