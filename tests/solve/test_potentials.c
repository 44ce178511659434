// SPDX-License-Identifier: MIT
/* Negative edges: potentials, negative cycles, reweighting and back. */
#include "common/base/memory.h" // memory_free
#include "solve/bellman_ford.h"
#include "solve/potentials.h"
#include "solve/range.h" // RANGE_ADVICE
#include "solve/scaling.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

static void test_potentials(void) {
    struct random random = {1};
    for (int32_t n = 1; n < 60; n++) {
        struct graph g = random_graph(&random, n, 20, WEIGHTS_NEGATIVE), reduced;
        int64_t *potential = calloc((size_t)n, sizeof *potential);
        struct cycle cycle;
        struct error err;
        CU_ASSERT_EQUAL(potentials_find(&g, potential, &cycle, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(potentials_reweight(&g, potential, &reduced, &err), STATUS_OK);
        for (int64_t e = 0; e < g.m; e++)
            CU_ASSERT(reduced.weight[e] >= 0);
        CU_ASSERT(reduced.m == 0 || reduced.min_weight >= 0);
        graph_free(&g);
        graph_free(&reduced);
        free(potential);
    }
}

/* Random graphs have arbitrary negative weights: a reported cycle is a cycle, and negative; if none
 * is reported, the reference finds none. */
static void test_negative_cycles(void) {
    struct random random = {2};
    int with_cycle = 0, without = 0;
    for (int round = 0; round < 600; round++) {
        int32_t n = random_in(&random, 1, 25);
        struct edge edges[80];
        int count = random_in(&random, 0, 80);
        for (int e = 0; e < count; e++)
            edges[e] = (struct edge){random_in(&random, 0, n - 1), random_in(&random, 0, n - 1),
                                     random_in(&random, -3, 30)};
        struct graph g = graph_of(n, edges, count);
        int64_t *potential = calloc((size_t)n, sizeof *potential);
        struct cycle cycle;
        struct error err;
        int64_t *distances;
        bool solvable = reference_distances(&g, &distances);
        enum status status = potentials_find(&g, potential, &cycle, NULL, &err);
        CU_ASSERT_EQUAL(status, solvable ? STATUS_OK : STATUS_NEGATIVE_CYCLE);
        if (!solvable) {
            int64_t sum = 0;
            CU_ASSERT(cycle.length >= 1);
            for (int32_t k = 0; k < cycle.length; k++) {
                int64_t edge =
                    graph_find_edge(&g, cycle.vertices[k], cycle.vertices[(k + 1) % cycle.length]);
                CU_ASSERT_FATAL(edge >= 0);
                sum += g.weight[edge];
            }
            CU_ASSERT_EQUAL(sum, cycle.weight);
            CU_ASSERT(cycle.weight < 0);
        }
        solvable ? without++ : with_cycle++;
        free(distances);
        memory_free(cycle.vertices);
        free(potential);
        graph_free(&g);
    }
    CU_ASSERT(with_cycle > 50 && without > 50);
}

/* Returns whether there is no negative cycle. If so, fills distance[] as potentials_find does, by n
 * rounds over all edges, as in the textbook. */
static bool plain_distances(const struct graph *g, int64_t *distance) {
    bool changed = true;
    memset(distance, 0, (size_t)g->n * sizeof *distance);
    for (int32_t round = 0; round <= g->n && changed; round++) {
        changed = false;
        for (int32_t u = 0; u < g->n; u++) {
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                if (distance[u] + g->weight[e] < distance[g->head[e]]) {
                    distance[g->head[e]] = distance[u] + g->weight[e];
                    changed = true;
                }
            }
        }
    }
    return !changed;
}

static int64_t walk_weight(const struct graph *g, const int32_t *vertex, int64_t length) {
    int64_t sum = 0;
    for (int64_t k = 0; k < length; k++) {
        const int64_t edge = graph_find_edge(g, vertex[k], vertex[(k + 1) % length]);
        CU_ASSERT_FATAL(edge >= 0);
        sum += g->weight[edge];
    }
    return sum;
}

/* Small graphs of every kind of weight, with shortest paths of a few edges or of nearly all. */
static struct graph graph_to_scale(struct random *random, int round) {
    static const int32_t lowest[] = {-1, -3, -30, -1000, INT32_MIN};
    static const int32_t highest[] = {1, 30, 40, 1500, INT32_MAX};
    enum { MAX_VERTICES = 30, MAX_EDGES = 120, KINDS = sizeof lowest / sizeof *lowest };
    const int kind = round % KINDS;
    const int32_t n = random_in(random, 1, MAX_VERTICES);
    struct edge edges[MAX_EDGES + MAX_VERTICES];
    int32_t offset[MAX_VERTICES] = {0};
    int count = random_in(random, 0, MAX_EDGES);
    const bool shifted = round / KINDS % 2 == 0;
    for (int32_t v = 0; v < n; v++)
        offset[v] = shifted ? random_in(random, 0, highest[kind] / 2) : 0;
    for (int e = 0; e < count; e++) {
        const int32_t u = random_in(random, 0, n - 1), v = random_in(random, 0, n - 1);
        const int32_t low = shifted ? 0 : lowest[kind] / (1 + round / 10 % 4);
        edges[e] =
            (struct edge){u, v, random_in(random, low, highest[kind] / 2) + offset[v] - offset[u]};
    }
    for (int32_t v = 0; v + 1 < n && round % 3 == 0; v++)
        edges[count++] = (struct edge){(v * 7 + 1) % n, (v * 7 + 8) % n, lowest[kind] / 2};
    return graph_of(n, edges, count);
}

static void test_scaling(void) {
    struct random random = {3};
    int with_cycle = 0, without = 0;
    for (int round = 0; round < 3000; round++) {
        struct graph g = graph_to_scale(&random, round);
        int64_t *potential = calloc((size_t)g.n, sizeof *potential);
        int64_t *wanted = calloc((size_t)g.n, sizeof *wanted);
        struct edge_watch watch = {.total = 0};
        struct closed_walk walk;
        struct error err;
        const bool solvable = plain_distances(&g, wanted);
        const enum status status = scaling_find(&g, round % 4 < 2, potential, &walk, &watch, &err);
        CU_ASSERT_EQUAL(status, solvable ? STATUS_OK : STATUS_NEGATIVE_CYCLE);
        if (solvable) {
            CU_ASSERT_EQUAL(memcmp(potential, wanted, (size_t)g.n * sizeof *wanted), 0);
            CU_ASSERT_EQUAL(watch.done, scaling_bits(&g));
        } else {
            CU_ASSERT(walk.length >= 1);
            CU_ASSERT(walk_weight(&g, walk.vertex, walk.length) < 0);
        }
        solvable ? without++ : with_cycle++;
        free(walk.vertex);
        free(wanted);
        free(potential);
        graph_free(&g);
    }
    CU_ASSERT(with_cycle > 500 && without > 500);
}

/* A chain whose vertices enter the queue one by one, each with edges to all vertices of a crowd and
 * a shorter path to them, so that label correcting looks at the crowd's edges once for each vertex
 * of the chain. closing: weight of an edge from the end of the chain to its start. */
static struct graph crowd_behind_chain(int32_t chain, int32_t unit, int32_t closing) {
    enum { CROWD = 256 };
    const int32_t n = chain + CROWD;
    struct edge *edges = calloc((size_t)(chain + CROWD) * CROWD + (size_t)chain, sizeof *edges);
    int64_t count = 0;
    for (int32_t v = chain - 1; v > 0; v--)
        edges[count++] = (struct edge){v, v - 1, -unit};
    for (int32_t v = 0; v < chain; v++) {
        for (int32_t w = chain; w < n; w++)
            edges[count++] = (struct edge){v, w, 0};
    }
    for (int32_t v = chain; v < n; v++) {
        for (int32_t w = chain; w < n; w++)
            edges[count++] = (struct edge){v, w, unit * chain};
    }
    edges[count++] = (struct edge){0, chain - 1, closing};
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

static bool gives_up(const struct graph *g, int64_t most) {
    struct edge_watch watch = {.total = 0};
    struct error err;
    struct bellman_ford find = {.g = g,
                                .distance = calloc((size_t)g->n, sizeof(int64_t)),
                                .parent = calloc((size_t)g->n, sizeof(int32_t)),
                                .most = most,
                                .watch = &watch};
    CU_ASSERT_EQUAL(bellman_ford_find(&find, &err), STATUS_OK);
    free(find.distance);
    free(find.parent);
    return find.gave_up;
}

static bool count_report(void *to, int64_t done, int64_t total) {
    CU_ASSERT(done >= 0 && done <= total);
    ++*(int *)to;
    return true;
}

/* A graph at whose edges label correcting alone would look 100 times each needs up to 16 looks for
 * each bit of the weights, and progress is reported. */
static void test_hard_for_label_correcting(void) {
    enum { CHAIN = 3000, LOOKS_A_REPORT = 1 << 21 };
    for (int32_t unit = 1; unit <= 7; unit += 6) {
        struct graph g = crowd_behind_chain(CHAIN, unit, unit * CHAIN);
        int64_t *potential = calloc((size_t)g.n, sizeof *potential);
        int reports = 0;
        struct progress progress = {.on_report = count_report, .callback_context = &reports};
        struct cycle cycle;
        struct error err;
        const int bits = scaling_bits(&g);
        CU_ASSERT(gives_up(&g, 100 * g.m));
        CU_ASSERT_EQUAL(potentials_find(&g, potential, &cycle, &progress, &err), STATUS_OK);
        for (int32_t v = 0; v < CHAIN; v++)
            CU_ASSERT_EQUAL(potential[v], -(int64_t)unit * (CHAIN - 1 - v));
        for (int32_t v = CHAIN; v < g.n; v++)
            CU_ASSERT_EQUAL(potential[v], -(int64_t)unit * (CHAIN - 1));
        CU_ASSERT(reports >= 1);
        CU_ASSERT((int64_t)reports * LOOKS_A_REPORT <= (int64_t)16 * bits * g.m);
        free(potential);
        graph_free(&g);
    }
}

/* The graph of test_hard_for_label_correcting with a negative cycle through all vertices of the
 * chain, which scaling finds. */
static void test_hard_cycle(void) {
    enum { CHAIN = 1000, UNIT = 3 };
    struct graph g = crowd_behind_chain(CHAIN, UNIT, UNIT * (CHAIN - 1) - 1);
    int64_t *potential = calloc((size_t)g.n, sizeof *potential);
    struct cycle cycle;
    struct error err;
    CU_ASSERT(gives_up(&g, (int64_t)8 * scaling_bits(&g) * (g.m + g.n)));
    CU_ASSERT_EQUAL(potentials_find(&g, potential, &cycle, NULL, &err), STATUS_NEGATIVE_CYCLE);
    CU_ASSERT_EQUAL(cycle.length, CHAIN);
    CU_ASSERT_EQUAL(cycle.weight, -1);
    CU_ASSERT_EQUAL(walk_weight(&g, cycle.vertices, cycle.length), -1);
    memory_free(cycle.vertices);
    free(potential);
    graph_free(&g);
}

static void check_message(int32_t n, const struct edge *edges, int64_t count, const char *message) {
    struct graph g = graph_of(n, edges, count);
    int64_t *potential = calloc((size_t)n, sizeof *potential);
    struct cycle cycle;
    struct error err = {0};
    CU_ASSERT_EQUAL(potentials_find(&g, potential, &cycle, NULL, &err), STATUS_NEGATIVE_CYCLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, message));
    memory_free(cycle.vertices);
    free(potential);
    graph_free(&g);
}

static void test_messages(void) {
    const struct edge loop[] = {{2, 2, -4}};
    check_message(3, loop, 1, "negative cycle of weight -4 and 1 edge: 2 -> 2");
    const struct edge two[] = {{0, 1, 3}, {1, 0, -5}};
    check_message(2, two, 2, "negative cycle of weight -2 and 2 edges: ");
    struct edge ring[1000];
    for (int32_t v = 0; v < 1000; v++)
        ring[v] = (struct edge){v, (v + 1) % 1000, v == 0 ? -1000 : 1};
    check_message(1000, ring, 1000, "negative cycle of weight -1 and 1000 edges: ");
    check_message(1000, ring, 1000, " -> ... -> ");
}

static void test_heavy_reduced_weights(void) {
    /* Reduced weights beyond int32 are cut off, not wrapped round. */
    const struct edge edges[] = {
        {0, 1, INT32_MIN}, {2, 1, INT32_MAX}, {1, 0, INT32_MAX}, {0, 2, 0}};
    struct graph g = graph_of(3, edges, 2), reduced;
    int64_t potential[3];
    struct cycle cycle;
    struct error err;
    CU_ASSERT_EQUAL(potentials_find(&g, potential, &cycle, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(potential[1], INT32_MIN);
    CU_ASSERT_EQUAL(potentials_reweight(&g, potential, &reduced, &err), STATUS_OK);
    CU_ASSERT_EQUAL(reduced.weight[0], 0);
    CU_ASSERT_EQUAL(reduced.weight[1], INT32_MAX);
    CU_ASSERT(reduced.min_weight == 0 && reduced.max_weight == INT32_MAX);
    graph_free(&g);
    graph_free(&reduced);
}

static void test_restore(void) {
    struct matrix dist = new_matrix(2);
    struct graph g = {.n = 2};
    const int64_t potential[] = {0, -(int64_t)INF};
    struct error err;
    matrix_row(&dist, 0)[0] = matrix_row(&dist, 1)[1] = 0;
    matrix_row(&dist, 0)[1] = 1;
    matrix_row(&dist, 1)[0] = INF;
    CU_ASSERT_EQUAL(potentials_restore_in_place(&g, potential, 1, matrix_row(&dist, 1), &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL(potentials_restore_in_place(&g, potential, 0, matrix_row(&dist, 0), &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL(matrix_row(&dist, 0)[1], 1 - INF);
    CU_ASSERT_EQUAL(matrix_row(&dist, 1)[0], INF);
    matrix_row(&dist, 0)[1] = 0;
    CU_ASSERT_EQUAL(potentials_restore_in_place(&g, potential, 0, matrix_row(&dist, 0), &err),
                    STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "the distance from 0 to 1 is -1073741823, outside "
                                     "(-1073741823, 1073741823)" RANGE_ADVICE);
    const int64_t higher[] = {0, 1};
    matrix_row(&dist, 0)[1] = INF - 2;
    CU_ASSERT_EQUAL(potentials_restore_in_place(&g, higher, 0, matrix_row(&dist, 0), &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL(matrix_row(&dist, 0)[1], INF - 1);
    CU_ASSERT_EQUAL(potentials_restore_in_place(&g, higher, 0, matrix_row(&dist, 0), &err),
                    STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "the distance from 0 to 1 is 1073741823, outside "
                                     "(-1073741823, 1073741823)" RANGE_ADVICE);
    g.naming.first = 1;
    CU_ASSERT_EQUAL(potentials_restore_in_place(&g, higher, 0, matrix_row(&dist, 0), &err),
                    STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "the distance from 1 to 2 is 1073741823, outside "
                           "(-1073741823, 1073741823) (vertices are numbered from 1)" RANGE_ADVICE);
    matrix_free(&dist);
}

CU_TestInfo potentials_tests[] = {
    {"reduced weights are not negative", test_potentials},
    {"negative cycles", test_negative_cycles},
    {"scaling", test_scaling},
    {"graphs that are hard for label correcting", test_hard_for_label_correcting},
    {"a cycle that is hard for label correcting", test_hard_cycle},
    {"messages", test_messages},
    {"reduced weights beyond int32", test_heavy_reduced_weights},
    {"restoring distances", test_restore},
    CU_TEST_INFO_NULL,
};
