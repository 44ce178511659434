// SPDX-License-Identifier: MIT
/* Breadth-first search on a GPU from many sources at a time, and the proof of what it counts. */
#include "search/gpu/bfs.h"

#include "certificate/gpu/gpu_level_proof.h"
#include "certificate/proving_sink.h"
#include "engines/sparse_model.h" // cuda_sparse_others
#include "measures/measures.h"
#include "search/gpu/bfs_kernels.h" // BFS_MOST_LEVELS
#include "tests/unit/measured.h"    // measured_as_rows
#include "tests/unit/support.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

/* Edges at random, many of them into a few vertices; the vertices behind `linked` have none. The
 * weights, of which one is taken for each edge, end with 0. */
static struct graph graph_at_random(struct random *random, int32_t n, int32_t linked, int64_t count,
                                    bool both_ways, const int32_t *weights) {
    struct edge *const edges = calloc((size_t)count * 2 + 1, sizeof *edges);
    int32_t kinds = 0;
    while (weights[kinds] != 0)
        kinds++;
    for (int64_t e = 0; e < count; e++)
        edges[e] = (struct edge){random_in(random, 0, linked - 1),
                                 random_in(random, 0, linked - 1) / random_in(random, 1, linked),
                                 weights[kinds > 1 ? random_in(random, 0, kinds - 1) : 0]};
    struct graph g = graph_of(n, edges, both_ways ? graph_append_reverses(edges, count) : count);
    free(edges);
    return g;
}

/* A question to the engine. */
struct question {
    const struct graph *graph;
    struct row_sources sources;
    double limit;
    unsigned parts;
    bool proves;
    int gpus;
};

static enum status solve(const struct question *q, struct row_sink *sink,
                         struct cuda_bfs_report *report, struct error *err) {
    const struct solver_options options = {
        .threads = 1, .device = q->gpus - 1, .device_count = q->gpus, .devices = {q->gpus - 1, 0}};
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    struct delivery delivery = {
        .graph = q->graph, .sources = q->sources, .limit = q->limit, .sink = sink};
    const struct solver_task task = {.graph = q->graph,
                                     .delivery = &delivery,
                                     .limit = q->limit,
                                     .repetitions = 1,
                                     .options = &options};
    CU_ASSERT_EQUAL(delivery_open(&delivery, 1, err), STATUS_OK);
    const enum status status = cuda_bfs_solve(&cuda_sparse_others, &task, report, &times, err);
    delivery_close(&delivery);
    return status;
}

static void check(const struct question *q, bool counted) {
    struct proving_sink proving = {.threads = 0};
    struct cuda_bfs_report report;
    struct measures m;
    struct error err = {0};
    measures_init(&m, q->graph, 1);
    measures_choose(&m, q->parts);
    if (q->proves)
        CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, q->graph, q->limit, false, &m.sink, &err),
                              STATUS_OK);
    CU_ASSERT_EQUAL(solve(q, q->proves ? &proving.sink : &m.sink, &report, &err), STATUS_OK);
    CU_ASSERT_EQUAL(report.counted, counted);
    CU_ASSERT_EQUAL(report.proved, counted && q->proves);
    proving_sink_close(&proving);
    CU_ASSERT_EQUAL(measures_finish(&m, &err), STATUS_OK);
    CU_ASSERT(measured_as_rows_within(&m, q->graph, &q->sources, q->limit));
    measures_free(&m);
}

static void check_totals(const struct graph *g, unsigned parts, bool proves, bool counted) {
    const struct question all = {g, {NULL, g->n}, NO_LIMIT, parts, proves, 1};
    check(&all, counted);
}

/* Around the sizes of words and batches, with and without vertices that a block takes. */
static void test_graphs(void) {
    static const struct {
        int32_t n, linked, degree;
        bool both_ways;
    } graphs[] = {
        {1, 1, 3, true},       {2, 2, 3, false},       {31, 31, 2, true},   {32, 32, 3, false},
        {33, 20, 9, true},     {65, 65, 4, false},     {600, 600, 5, true}, {700, 650, 3, false},
#ifndef APSP_SANITIZED
        {1023, 1023, 6, true}, {1090, 1090, 4, false},
#endif
    };
    struct random random = {5};
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        struct graph g = graph_at_random(
            &random, graphs[k].n, graphs[k].linked, (int64_t)graphs[k].n * graphs[k].degree,
            graphs[k].both_ways, k % 3 == 0 ? (int32_t[]){5, 0} : (int32_t[]){1, 0});
        check_totals(&g, MEASURES_ALL, false, g.m > 0);
        check_totals(&g, k % 2 == 0 ? MEASURES_ALL : 0, true, g.m > 0);
        graph_free(&g);
    }
}

/* Some sources, in any order, of one batch and of two, up to limits at, below and above a level. */
static void test_some(void) {
    static const int32_t counts[] = {1, 2, 33, 512, 1030};
    enum { N = 1100, STEP = 457, WEIGHT = 3 }; /* which have no common divisor */
    struct random random = {8};
    int32_t source[N];
    for (int32_t k = 0; k < N; k++)
        source[k] = (int32_t)((int64_t)k * STEP % N);
    for (int both_ways = 0; both_ways <= 1; both_ways++) {
        struct graph g =
            graph_at_random(&random, N, N - 50, 3 * N, both_ways, (int32_t[]){WEIGHT, 0});
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            const double limit = k == 2 ? NO_LIMIT : (double)(k * 2 + 1) * WEIGHT - (double)(k % 2);
            for (int proves = 0; proves <= 1; proves++) {
                const struct question some = {&g, {source, counts[k]}, limit, MEASURES_ALL, proves,
                                              1};
                check(&some, true);
            }
        }
        /* Below the lightest edge, only sources are near; and a limit on all rows has columns. */
        const struct question near = {&g, {NULL, N}, WEIGHT - 1, MEASURES_ALL, true, 1};
        check(&near, true);
        const struct question within = {&g, {NULL, N}, 2 * WEIGHT, MEASURES_ALL, false, 1};
        check(&within, true);
        graph_free(&g);
    }
}

/* Levels up to the last one that has something, of all sources, from a reference's distances. */
static int32_t deepest_level(const struct graph *g, int32_t unit) {
    struct matrix dist, pred;
    int32_t deepest = 0;
    solve_reference(g, &dist, &pred);
    for (int32_t s = 0; s < g->n; s++) {
        for (int32_t v = 0; v < g->n; v++) {
            const int32_t distance = matrix_row(&dist, s)[v];
            deepest = distance < INF && distance / unit > deepest ? distance / unit : deepest;
        }
    }
    matrix_free(&dist);
    matrix_free(&pred);
    return deepest;
}

/* Weights of a few units, around the sizes of words, with vertices that a block takes and without,
 * all rows and some, up to limits at and below a level. */
static void test_unlike_weights(void) {
    static const struct {
        int32_t unit, steps, weights[9];
    } some[] = {
        {1, 2, {1, 2}},       {1, 3, {3, 1, 2}},
        {3, 3, {3, 9, 6}},    {1, 8, {1, 2, 3, 4, 5, 6, 7, 8}},
        {7, 8, {28, 49, 56}}, {1, 16, {1, 1, 1, 16}},
    };
    static const struct {
        int32_t n, linked, degree;
        bool both_ways;
    } graphs[] = {{32, 32, 3, false},  {33, 20, 6, true},    {65, 65, 9, false},
                  {130, 120, 4, true}, {300, 290, 8, false}, {90, 90, 1, true}};
    struct random random = {21};
    int shallow = 0;
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        for (size_t w = 0; w < sizeof some / sizeof *some; w++) {
            const int32_t n = graphs[k].n, unit = some[w].unit;
            struct graph g =
                graph_at_random(&random, n, graphs[k].linked, (int64_t)n * graphs[k].degree,
                                graphs[k].both_ways, some[w].weights);
            const bool counted = deepest_level(&g, unit) + some[w].steps <= BFS_MOST_LEVELS;
            shallow += counted;
            check_totals(&g, MEASURES_ALL, false, counted);
            check_totals(&g, w % 2 == 0 ? MEASURES_ALL : 0, true, counted);
            const int32_t source[] = {n - 1, 0, n / 2, 7};
            const struct question few = {&g, {source, 4}, NO_LIMIT, MEASURES_ALL, k % 2, 1},
                                  at = {&g, {NULL, n}, 5 * unit, MEASURES_ALL, k % 2, 1},
                                  below = {&g, {source, 4}, 9 * unit - 1, MEASURES_ALL, true, 1};
            if (counted)
                check(&few, true);
            check(&at, true);
            check(&below, true);
            graph_free(&g);
        }
    }
    CU_ASSERT(shallow > 10);
}

/* Levels at which nothing is new, as many as can follow each other before something is. */
static void test_quiet_levels(void) {
    for (int32_t longest = 2; longest <= 17; longest++) {
        const struct edge edges[] = {
            {0, 1, 3 * longest}, {1, 2, 3 * longest}, {2, 3, 3}, {2, 4, 3 * longest}};
        struct graph g = graph_of(5, edges, 4);
        for (int proves = 0; proves <= 1; proves++)
            check_totals(&g, MEASURES_ALL, proves, 3 * longest + longest <= BFS_MOST_LEVELS);
        graph_free(&g);
    }
}

/* Two GPUs divide batches; whichever call fails on one of them, nothing is left. */
static void test_several(void) {
    struct random random = {12};
    cuda_shim_set_devices(2);
    for (int both_ways = 0; both_ways <= 1; both_ways++) {
        struct graph g = graph_at_random(&random, 1300, 1250, 4000, both_ways,
                                         both_ways ? (int32_t[]){2, 0} : (int32_t[]){2, 6, 4, 0});
        for (int proves = 0; proves <= 1; proves++) {
            const struct question q = {&g, {NULL, g.n}, NO_LIMIT, MEASURES_ALL, proves, 2};
            check(&q, true);
        }
        graph_free(&g);
    }
    struct graph g = graph_at_random(&random, 1100, 1100, 2000, false, (int32_t[]){1, 0});
    const struct question q = {&g, {NULL, g.n}, NO_LIMIT, MEASURES_ALL, true, 2};
    int calls = 0;
    for (int call = 1; calls == 0; call += 11) {
        struct proving_sink proving = {.threads = 0};
        struct cuda_bfs_report report;
        struct measures m;
        struct error err = {0};
        measures_init(&m, &g, 1);
        CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, &g, NO_LIMIT, false, &m.sink, &err),
                              STATUS_OK);
        cuda_shim_fail_after(call);
        const enum status status = solve(&q, &proving.sink, &report, &err);
        if (cuda_shim_fail_after(0) > 0)
            calls = call;
        else
            CU_ASSERT(status == STATUS_OK || strstr(err.text, "unknown error") != NULL);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        proving_sink_close(&proving);
        measures_free(&m);
    }
    CU_ASSERT(calls > 50);
    graph_free(&g);
    cuda_shim_set_devices(1);
}

/* A star has a vertex of very many edges, whichever way they lead, or of the fewest for which a
 * whole block proves its levels. */
static void test_hub(void) {
    enum { MOST = 700, FEWEST = 256 };
    struct edge edges[2 * MOST];
    for (int kind = 0; kind < 12; kind++) {
        const int32_t n = kind < 6 ? MOST : FEWEST + 1;
        const int32_t steps = kind % 6 < 3 ? 1 : 5; /* the heaviest lead to the last ones */
        for (int32_t v = 1; v < n; v++) {
            const int32_t weight = 2 * (1 + v * steps / n);
            edges[v - 1] =
                kind % 3 == 1 ? (struct edge){0, v, weight} : (struct edge){v, 0, weight};
        }
        struct graph g =
            graph_of(n, edges, kind % 3 == 2 ? graph_append_reverses(edges, n - 1) : n - 1);
        check_totals(&g, MEASURES_ALL, kind > 0, true);
        graph_free(&g);
    }
}

/* Too many levels, weights that are no small multiples of one number: the others solve these. */
static void test_left_to_others(void) {
    struct edge edges[200];
    for (int32_t length = 62; length <= 64; length++) {
        for (int32_t v = 1; v < length; v++)
            edges[v - 1] = (struct edge){v - 1, v, 1};
        struct graph g = graph_of(length, edges, graph_append_reverses(edges, length - 1));
        check_totals(&g, MEASURES_ALL, length == 62, length <= 62);
        g.weight[3] = 17;
        g.max_weight = 17;
        const struct question near = {&g, {NULL, length}, 5, MEASURES_ALL, true, 1};
        check(&near, false);
        graph_free(&g);
    }
}

/* Levels of a small graph, on the device and by place. */
enum { SMALL = 40, LEVELS = 16, UNIT = 2 };
struct levels {
    uint32_t set[LEVELS][SMALL][32], active[LEVELS][2];
};

/* The vertex that is the source in a lane. */
static int32_t source_in(int32_t lane) {
    return (lane * 23 + 5) % SMALL;
}

/* Returns whether the first `taken` of them are proved for weights up to so many units, and that
 * none follows or that nobody asks for those above `last`. *pairs takes how many pairs of each
 * source are at level 1. */
static bool some_are_proved(const struct graph *g, int32_t steps, const int32_t *place,
                            const struct levels *levels, int32_t taken, int32_t last,
                            uint32_t pairs[SMALL]) {
    int32_t source[SMALL];
    const struct gpu_level_claim claim = {.graph = g,
                                          .unit = UNIT,
                                          .steps = steps,
                                          .place = place,
                                          .source = source,
                                          .sources = SMALL,
                                          .levels = LEVELS,
                                          .last = last,
                                          .by_source = true};
    struct gpu_level_proof proof;
    struct error err;
    void *memory;
    bool proved = false;
    for (int32_t k = 0; k < SMALL; k++)
        source[k] = source_in(k);
    CU_ASSERT_EQUAL_FATAL(gpu_level_proof_open(&proof, &claim, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc(&memory, sizeof *levels), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMemcpy(memory, levels, sizeof *levels, cudaMemcpyHostToDevice),
                          cudaSuccess);
    struct levels *const there = memory;
    for (int32_t level = 0; level < taken && proof.is_ready; level++) {
        const struct gpu_level l = {
            .source = 0,
            .level = level,
            .ring = LEVELS,
            .sets = there->set[0][0],
            .active = there->active[0],
        };
        CU_ASSERT_EQUAL(gpu_level_proof_take(&proof, &l, &err), STATUS_OK);
    }
    if (proof.is_ready)
        CU_ASSERT_EQUAL(gpu_level_proof_end(&proof, &proved, &err), STATUS_OK);
    if (proof.is_ready && pairs != NULL)
        CU_ASSERT_EQUAL(cudaMemcpy(pairs, proof.by_source + sources_padded(SMALL),
                                   SMALL * sizeof *pairs, cudaMemcpyDeviceToHost),
                        cudaSuccess);
    gpu_level_proof_close(&proof);
    cudaFree(memory);
    return proved;
}

static bool are_proved(const struct graph *g, int32_t steps, const int32_t *place,
                       const struct levels *levels) {
    return some_are_proved(g, steps, place, levels, LEVELS, LEVELS, NULL);
}

static void put(struct levels *levels, int32_t place, int32_t lane, int32_t level) {
    for (int32_t l = 0; l < LEVELS; l++)
        levels->set[l][place][lane / 32] &= ~(1u << lane % 32);
    if (level < LEVELS)
        levels->set[level][place][lane / 32] |= 1u << lane % 32;
}

static void find_active(struct levels *levels) {
    memset(levels->active, 0, sizeof levels->active);
    for (int32_t l = 0; l < LEVELS; l++) {
        for (int32_t p = 0; p < SMALL; p++) {
            for (int w = 0; w < 32; w++) {
                if (levels->set[l][p][w] != 0)
                    levels->active[l][p / 32] |= 1u << p % 32;
            }
        }
    }
}

/* Right levels are proved; any other level of any pair, two levels of one, and places that are none
 * are not. Weights, up to `steps` units, end with 0. */
static void check_wrong_levels(const int32_t *weights, int32_t steps) {
    struct random random = {9};
    struct graph g = graph_at_random(&random, SMALL, SMALL - 4, 3 * SMALL, false, weights);
    struct matrix dist, pred;
    struct levels *const levels = calloc(1, sizeof *levels);
    int32_t place[SMALL], lane[SMALL];
    solve_reference(&g, &dist, &pred);
    for (int32_t v = 0; v < SMALL; v++) {
        place[v] = (v * 7 + 3) % SMALL;
        lane[source_in(v)] = v;
    }
    for (int32_t s = 0; s < SMALL; s++) {
        for (int32_t v = 0; v < SMALL; v++)
            put(levels, place[v], lane[s], matrix_row(&dist, s)[v] / UNIT);
    }
    find_active(levels);
    CU_ASSERT(are_proved(&g, steps, place, levels));
    for (int32_t s = 0; s < SMALL; s += 5) {
        for (int32_t v = 0; v < SMALL; v += 7) {
            const int32_t right = matrix_row(&dist, s)[v] / UNIT;
            for (int32_t wrong = 0; wrong <= LEVELS; wrong += wrong < 3 ? 1 : LEVELS - 3) {
                if (wrong == right || (wrong == LEVELS && right >= INF / UNIT))
                    continue;
                put(levels, place[v], lane[s], wrong);
                find_active(levels);
                CU_ASSERT(!are_proved(&g, steps, place, levels));
            }
            put(levels, place[v], lane[s], right);
        }
        /* At two levels. */
        levels->set[1][place[s]][lane[s] / 32] |= 1u << lane[s] % 32;
        find_active(levels);
        CU_ASSERT(!are_proved(&g, steps, place, levels));
        levels->set[1][place[s]][lane[s] / 32] &= ~(1u << lane[s] % 32);
    }
    /* At a second level, as far above a neighbour as the edge leads. */
    int seconds = 0;
    for (int32_t k = 0; k < SMALL * SMALL && seconds < 30; k++) {
        const int32_t s = k / SMALL, u = k % SMALL;
        for (int64_t e = g.first[u]; e < g.first[u + 1]; e++) {
            const int32_t v = g.head[e];
            const int32_t own = matrix_row(&dist, s)[v] / UNIT;
            const int32_t second = (matrix_row(&dist, s)[u] + g.weight[e]) / UNIT;
            if (second <= own || second >= LEVELS - steps)
                continue;
            uint32_t *const word = &levels->set[second][place[v]][lane[s] / 32];
            *word |= 1u << lane[s] % 32;
            find_active(levels);
            CU_ASSERT(!are_proved(&g, steps, place, levels));
            *word &= ~(1u << lane[s] % 32);
            seconds++;
        }
    }
    CU_ASSERT(seconds > 0);
    find_active(levels);
    const int32_t deepest = deepest_level(&g, UNIT);
    uint32_t pairs[SMALL];
    CU_ASSERT_FATAL(deepest > 2 && deepest + steps < LEVELS);
    CU_ASSERT(some_are_proved(&g, steps, place, levels, deepest + steps + 1, LEVELS, pairs));
    for (int32_t s = 0; s < SMALL; s++) {
        uint32_t near = 0;
        for (int32_t v = 0; v < SMALL; v++)
            near += matrix_row(&dist, s)[v] == UNIT;
        CU_ASSERT_EQUAL(pairs[lane[s]], near);
    }
    for (int32_t quiet = 0; quiet < steps; quiet++) /* more may follow */
        CU_ASSERT(!some_are_proved(&g, steps, place, levels, deepest + 1 + quiet, LEVELS, NULL));
    for (int32_t last = 1; last <= deepest; last++)
        CU_ASSERT(some_are_proved(&g, steps, place, levels, last + 1, last, NULL));
    CU_ASSERT(!some_are_proved(&g, steps, place, levels, deepest - 1, deepest - 1, NULL));
    CU_ASSERT(!are_proved(&g, steps - 1, place, levels)); /* an edge weighs more, */
    g.weight[5]++;
    CU_ASSERT(!are_proved(&g, steps, place, levels)); /* or no whole units */
    g.weight[5]--;
    /* Two vertices without edges at one place, so that a lane has no source. */
    place[SMALL - 1] = place[SMALL - 2];
    CU_ASSERT(!are_proved(&g, steps, place, levels));
    place[SMALL - 1] = ((SMALL - 1) * 7 + 3) % SMALL;
    place[0] = place[1];
    CU_ASSERT(!are_proved(&g, steps, place, levels));
    place[0] = SMALL;
    CU_ASSERT(!are_proved(&g, steps, place, levels));
    free(levels);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

static void test_wrong_levels(void) {
    check_wrong_levels((int32_t[]){UNIT, 0}, 1);
    check_wrong_levels((int32_t[]){3 * UNIT, UNIT, UNIT, 2 * UNIT, 0}, 3);
}

CU_TestInfo gpu_bfs_tests[] = {
    {"graphs of all kinds", test_graphs},
    {"some sources, up to a limit", test_some},
    {"weights of a few units", test_unlike_weights},
    {"levels at which nothing is new", test_quiet_levels},
    {"several GPUs", test_several},
    {"a vertex of many edges", test_hub},
    {"what is left to others", test_left_to_others},
    {"wrong levels are not proved", test_wrong_levels},
    CU_TEST_INFO_NULL,
};
