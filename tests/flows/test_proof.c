// SPDX-License-Identifier: MIT
/* Judging betweenness: right values pass, and any that is off by one pair is refuted; scales. */
#include "flows/proof.h"

#include "common/base/clock.h"    // clock_seconds
#include "common/base/memory.h"   // memory_held
#include "engines/cpu_variants.h" // cpu_solver
#include "flows/betweenness_scaling.h"
#include "flows/flow_graph.h"
#include "flows/measured.h"
#include "solve/decimals.h"
#include "solve/grid.h" // grid_find
#include "tests/unit/real_graphs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns a graph of few different weights, so that paths tie; directed ones have edges of weight 0
 * that lead to higher vertices. */
static struct graph tied_graph(struct random *random, int32_t n, bool directed) {
    struct edge edges[200];
    int64_t count = 0;
    while (count + 2 <= 3 * n) {
        const int32_t u = random_in(random, 0, n - 1), v = random_in(random, 0, n - 1);
        const int32_t weight = random_in(random, directed && u < v ? 0 : 1, 3);
        edges[count++] = (struct edge){u, v, weight};
        if (!directed)
            edges[count++] = (struct edge){v, u, weight};
    }
    return graph_of(n, edges, count);
}

static enum status judge(const struct betweenness_request *request, const struct betweenness *found,
                         double whole_most, struct betweenness_proof *proof) {
    struct error err;
    const enum status status = betweenness_prove(
        request, found, solver_find(&cpu_solver, "johnson"), whole_most, proof, &err);
    CU_ASSERT(status == STATUS_OK || (status == STATUS_REFUTED && err.text[0] != '\0'));
    return status;
}

/* With all rows computed anew, and with the conditions alone. */
static void check(const struct betweenness_request *request, bool whole) {
    const struct graph *const g = request->graph;
    const double most = whole ? HUGE_VAL : 0;
    struct betweenness found;
    struct betweenness_proof proof;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(betweenness_find(request, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(judge(request, &found, most, &proof), STATUS_OK);
    CU_ASSERT_EQUAL(proof.whole, whole);
    const int32_t count = request->sources.count;
    CU_ASSERT_EQUAL(proof.sources, whole || count < 16 ? count : 16);
    bool refuted = true;
    /* The conditions are about all flow into a vertex if all are sources. */
    for (int32_t v = 0; v < g->n && (whole || request->sources.source == NULL); v++) {
        found.vertex[v] += 1;
        refuted = refuted && judge(request, &found, most, &proof) == STATUS_REFUTED;
        found.vertex[v] -= 1;
    }
    for (int64_t e = 0; e < g->m; e++) {
        const bool weighs = g->type == NUMBER_INT32 ? g->weight[e] > 0 : g->real_weight[e] > 0;
        if (!whole && !weighs && request->sources.source != NULL)
            continue; /* no condition is about it */
        found.edge[e] += 1;
        refuted = refuted && judge(request, &found, most, &proof) == STATUS_REFUTED;
        found.edge[e] -= 1;
    }
    CU_ASSERT(refuted);
    betweenness_free(&found);
}

static void test_one_pair(void) {
    struct random random = {.state = 11};
    for (int round = 0; round < 24; round++) {
        const int32_t n = random_in(&random, 2, round < 12 ? 12 : 24);
        const int32_t some[] = {n - 1, 0};
        struct graph g = tied_graph(&random, n, round % 2 == 0), wide = {0};
        struct error err;
        CU_ASSERT_EQUAL_FATAL(graph_widen(&g, &wide, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(grid_find(&wide, NULL, &err), STATUS_OK);
        struct betweenness_request request = {.graph = round % 4 < 2 ? &g : &wide,
                                              .sources = {NULL, n},
                                              .edges = true,
                                              .threads = 1 + round % 3};
        if (round % 5 == 0)
            request.sources = (struct row_sources){some, 2};
        check(&request, true);
        check(&request, false);
        graph_free(&g);
        graph_free(&wide);
    }
}

/* The flow takes one of two ways of the same length where it should take both: balance and length
 * are right, and the sample notices. */
static void test_ties(void) {
    struct edge edges[] = {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}};
    struct graph g = graph_of(4, edges, 4);
    const struct betweenness_request request = {
        .graph = &g, .sources = {NULL, 4}, .edges = true, .threads = 1};
    struct betweenness found;
    struct betweenness_proof proof;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
    found.edge[graph_find_edge(&g, 0, 1)] += 0.5;
    found.edge[graph_find_edge(&g, 1, 3)] += 0.5;
    found.edge[graph_find_edge(&g, 0, 2)] -= 0.5;
    found.edge[graph_find_edge(&g, 2, 3)] -= 0.5;
    found.vertex[1] += 0.5;
    found.vertex[2] -= 0.5;
    CU_ASSERT_EQUAL(judge(&request, &found, 1000, &proof), STATUS_REFUTED);
    CU_ASSERT_EQUAL(judge(&request, &found, 0, &proof), STATUS_OK); /* as it says: not proved */
    CU_ASSERT_FALSE(proof.whole);
    betweenness_free(&found);
    graph_free(&g);
}

/* 2^1200 shortest paths lead through a chain of diamonds, and 1 around it, as long. */
static void test_many_paths(void) {
    enum { DIAMONDS = 1200, N = 3 * DIAMONDS + 1 };
    struct edge *const edges = malloc((4 * DIAMONDS + 1) * sizeof *edges);
    int64_t count = 0;
    for (int32_t k = 0; k < DIAMONDS; k++)
        for (int32_t side = 1; side <= 2; side++) {
            edges[count++] = (struct edge){3 * k, 3 * k + side, 1};
            edges[count++] = (struct edge){3 * k + side, 3 * k + 3, 1};
        }
    edges[count++] = (struct edge){0, N - 1, 2 * DIAMONDS};
    struct graph g = graph_of(N, edges, count);
    const int32_t first = 0;
    const struct betweenness_request request = {
        .graph = &g, .sources = {&first, 1}, .edges = true, .threads = 1};
    struct betweenness found;
    struct betweenness_proof proof;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(judge(&request, &found, HUGE_VAL, &proof), STATUS_OK);
    betweenness_free(&found);
    graph_free(&g);
    free(edges);
}

/* Pairs that count more or less than once: each wrong flow and each wrong total is refuted. */
static void check_weighted(const struct betweenness_request *request) {
    const struct graph *const g = request->graph;
    struct betweenness found;
    struct betweenness_proof proof;
    struct error err;
    double *const total[] = {&found.totals.arrive, &found.totals.length};
    CU_ASSERT_EQUAL_FATAL(betweenness_find(request, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(judge(request, &found, 0, &proof), STATUS_OK);
    CU_ASSERT(!proof.whole && proof.sources <= 16);
    CU_ASSERT_EQUAL(judge(request, &found, HUGE_VAL, &proof), STATUS_OK);
    CU_ASSERT(proof.whole);
    bool refuted = true;
    for (int32_t k = 0; k < g->n + g->m + 2; k++) {
        double *const number = k < g->n          ? &found.vertex[k]
                               : k < g->n + g->m ? &found.edge[k - g->n]
                                                 : total[k - g->n - g->m];
        const double right = *number;
        *number += 1e-3;
        refuted = refuted && judge(request, &found, HUGE_VAL, &proof) == STATUS_REFUTED;
        *number = right;
    }
    CU_ASSERT(refuted);
    betweenness_free(&found);
}

static void test_weighted(void) {
    enum { N = 24, TRIPS = 60 };
    struct random random = {.state = 12};
    for (int round = 0; round < 12; round++) {
        struct graph g = tied_graph(&random, N, round % 2 == 0);
        double from[N], to[N], count[TRIPS];
        int32_t origin[TRIPS], destination[TRIPS];
        struct trips trips;
        struct error err;
        for (int32_t v = 0; v < N; v++) {
            from[v] = random_in(&random, 0, 5) / 4.0;
            to[v] = random_in(&random, 0, 5);
        }
        for (int k = 0; k < TRIPS; k++) {
            origin[k] = random_in(&random, 0, N - 1);
            destination[k] = random_in(&random, 0, N - 1);
            count[k] = random_in(&random, 1, 9) / 2.0;
        }
        CU_ASSERT_EQUAL_FATAL(trips_make(origin, destination, count, TRIPS, &trips, &err),
                              STATUS_OK);
        const bool has_trips = round % 3 == 2, decays = round % 3 == 1;
        check_weighted(&(struct betweenness_request){
            .graph = &g,
            .sources = {has_trips ? trips.origin : NULL, has_trips ? trips.origins : N},
            .from_mass = has_trips || round % 4 == 3 ? NULL : from,
            .to_mass = has_trips ? NULL : to,
            .decay = decays ? 2.5 : 0,
            .trips = has_trips ? &trips : NULL,
            .edges = true,
            .totals = true});
        trips_free(&trips);
        graph_free(&g);
    }
}

static void test_refused(void) {
    struct edge edges[] = {{0, 1, 1}};
    struct graph g = graph_of(2, edges, 1);
    const struct betweenness_request request = {
        .graph = &g, .sources = {NULL, 2}, .edges = true, .endpoints = true};
    struct betweenness found;
    struct betweenness_proof proof;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(betweenness_prove(&request, &found, cpu_solver.variants, 0, &proof, &err),
                    STATUS_BAD_INPUT);
    betweenness_free(&found);
    graph_free(&g);
}

// Decimals ----------------------------------------------------------------------------------------

static void check_decimals(enum number_type type, double a, double b, double power, double first) {
    struct real_edge edges[] = {{0, 1, a}, {1, 2, b}};
    struct graph g = graph_of_real(3, type, edges, 2), integers;
    struct error err;
    double found;
    CU_ASSERT_EQUAL_FATAL(decimals_graph(&g, &integers, &found, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(found, power);
    if (power > 1) {
        CU_ASSERT_EQUAL(integers.real_weight[0], first);
        CU_ASSERT_EQUAL(integers.min_weight,
                        fmin(integers.real_weight[0], integers.real_weight[1]));
        CU_ASSERT_EQUAL(integers.max_weight,
                        fmax(integers.real_weight[0], integers.real_weight[1]));
        CU_ASSERT(integers.spacing >= 1);
    }
    graph_free(&integers);
    graph_free(&g);
}

static void test_decimals(void) {
    check_decimals(NUMBER_FLOAT64, 0.1, 0.25, 100, 10);
    check_decimals(NUMBER_FLOAT64, 1e-9, 7, 1e9, 1);
    check_decimals(NUMBER_FLOAT64, 1e-10, 7, 1, 0);
    check_decimals(NUMBER_FLOAT64, 0.1 + 0.2, 1, 1, 0); /* the double above 0.3 */
    check_decimals(NUMBER_FLOAT64, 3, 7, 1, 0);
    check_decimals(NUMBER_FLOAT64, 0.1, 0x1p52, 1, 0); /* sums beyond float64's integers */
    check_decimals(NUMBER_FLOAT32, 0.1F, 0.7F, 10, 1);
    check_decimals(NUMBER_FLOAT64, 0.1F, 0.7F, 1, 0);
}

/* A spacing that is asked for goes before decimals, which would need no rounding. */
static void test_spacing(void) {
    struct graph g =
        graph_of_real(3, NUMBER_FLOAT64, (struct real_edge[]){{0, 1, 0.1}, {1, 2, 0.2}}, 2);
    for (int asked = 0; asked < 2; asked++) {
        struct flow_graph flow;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(flow_graph_make(&g, asked ? 0.125 : GRID_AUTO, NULL, &flow, &err),
                              STATUS_OK);
        CU_ASSERT_EQUAL(flow.times, asked ? 1 : 10);
        CU_ASSERT_EQUAL(flow.rounding.spacing, asked ? 0.125 : 0);
        CU_ASSERT_EQUAL(flow.graph->real_weight[1], asked ? 0.25 : 2);
        flow_graph_free(&flow);
    }
    graph_free(&g);
}

// Scales ------------------------------------------------------------------------------------------

/* As NetworkX 3.6 scales samples of k sources of n vertices. */
static void test_scales(void) {
    const struct {
        struct betweenness_scaling scaling;
        bool of_source;
        double pairs, normal;
    } cases[] = {
        {{5, 5, true, true, false}, false, 1, 1 / 12.0},
        {{5, 5, true, false, false}, true, 0.5, 1 / 12.0},
        {{5, 5, true, false, true}, false, 0.5, 1 / 20.0},
        {{5, 2, false, true, false}, false, 2, 1 / 6.0},
        {{5, 2, false, true, false}, true, 4, 1 / 3.0},
        {{5, 2, false, false, true}, true, 1.25, 1 / 8.0},
        {{2, 2, true, true, false}, false, 1, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CU_ASSERT_DOUBLE_EQUAL(betweenness_factor(&cases[k].scaling, cases[k].of_source),
                               cases[k].pairs, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(betweenness_centrality_factor(&cases[k].scaling, cases[k].of_source),
                               cases[k].normal, 1e-15);
    }
    const struct betweenness_scaling one = {5, 1, false, true, false};
    CU_ASSERT(isnan(betweenness_factor(&one, true)));
    CU_ASSERT(isnan(betweenness_centrality_factor(&one, true)));
}

/* Finding flows and proving them are timed apart: neither has the other's time. */
static void test_seconds(void) {
    struct random random = {.state = 3};
    struct graph g = tied_graph(&random, 60, true);
    const struct flow_graph flow = {.graph = &g, .times = 1};
    const struct measured_request request = {.graph = &g,
                                             .flow = &flow,
                                             .sources = {NULL, g.n},
                                             .variant = cpu_solver.variants,
                                             .threads = 1};
    struct measured_flows found;
    struct measured_how how;
    struct error err;
    const double start = clock_seconds();
    CU_ASSERT_EQUAL_FATAL(measured_flows_find(&request, &found, &how, &err), STATUS_OK);
    CU_ASSERT(how.seconds > 0 && how.proof_seconds > 0);
    CU_ASSERT(how.seconds + how.proof_seconds <= clock_seconds() - start);
    measured_flows_free(&found);
    graph_free(&g);
}

/* Plans count what is kept beside what the search for it takes. */
static void test_memory(void) {
    static const int32_t few[] = {1, 2, 3};
    struct random random = {.state = 4};
    struct graph g = random_streets(&random, 70, 1, 10000, true);
    const struct flow_graph flow = {.graph = &g, .times = 1};
    const struct measured_request request = {
        .graph = &g, .flow = &flow, .sources = {few, 3}, .threads = 1};
    const struct betweenness_request inner = {
        .graph = &g, .sources = {few, 3}, .edges = true, .threads = 1};
    struct betweenness_plan plan, of_inner;
    struct measured_flows found;
    struct measured_how how;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(measured_flows_plan(&request, &plan, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(betweenness_plan_make(&inner, &of_inner, &err), STATUS_OK);
    const uint64_t held = memory_held();
    CU_ASSERT_EQUAL_FATAL(measured_flows_find(&request, &found, &how, &err), STATUS_OK);
    CU_ASSERT_DOUBLE_EQUAL((double)(plan.memory - of_inner.memory), (double)(memory_held() - held),
                           4 * 4096);
    measured_flows_free(&found);
    graph_free(&g);
}

CU_TestInfo flow_proof_tests[] = {
    {"one pair", test_one_pair},
    {"ties", test_ties},
    {"many paths", test_many_paths},
    {"pairs that count more or less", test_weighted},
    {"what is refused", test_refused},
    {"decimal weights", test_decimals},
    {"a spacing that is asked for", test_spacing},
    {"scales", test_scales},
    {"seconds", test_seconds},
    {"what a plan counts", test_memory},
    CU_TEST_INFO_NULL,
};
