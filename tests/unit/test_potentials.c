/* Negative edges: potentials, negative cycles, reweighting and back. */
#include "common/potentials.h"
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
        CU_ASSERT_EQUAL(potentials_find(&g, potential, &cycle, &err), STATUS_OK);
        CU_ASSERT_EQUAL(potentials_reweight(&g, potential, &reduced, &err), STATUS_OK);
        for (int64_t e = 0; e < g.m; e++)
            CU_ASSERT(reduced.weight[e] >= 0);
        CU_ASSERT(reduced.m == 0 || reduced.min_weight >= 0);
        graph_free(&g);
        graph_free(&reduced);
        free(potential);
    }
}

/* Random graphs with arbitrary negative weights: where there is a cycle, it is
 * one, and negative; where none is reported, the reference finds none. */
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
        enum status status = potentials_find(&g, potential, &cycle, &err);
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
        free(cycle.vertices);
        free(potential);
        graph_free(&g);
    }
    CU_ASSERT(with_cycle > 50 && without > 50);
}

static void check_message(int32_t n, const struct edge *edges, int64_t count, const char *message) {
    struct graph g = graph_of(n, edges, count);
    int64_t *potential = calloc((size_t)n, sizeof *potential);
    struct cycle cycle;
    struct error err = {""};
    CU_ASSERT_EQUAL(potentials_find(&g, potential, &cycle, &err), STATUS_NEGATIVE_CYCLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, message));
    free(cycle.vertices);
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
    CU_ASSERT_EQUAL(potentials_find(&g, potential, &cycle, &err), STATUS_OK);
    CU_ASSERT_EQUAL(potential[1], INT32_MIN);
    CU_ASSERT_EQUAL(potentials_reweight(&g, potential, &reduced, &err), STATUS_OK);
    CU_ASSERT_EQUAL(reduced.weight[0], 0);
    CU_ASSERT_EQUAL(reduced.weight[1], INT32_MAX);
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
    CU_ASSERT_EQUAL(potentials_restore(&g, potential, &dist, &err), STATUS_OK);
    CU_ASSERT_EQUAL(matrix_row(&dist, 0)[1], 1 - INF);
    CU_ASSERT_EQUAL(matrix_row(&dist, 1)[0], INF);
    matrix_row(&dist, 0)[1] = 0;
    CU_ASSERT_EQUAL(potentials_restore(&g, potential, &dist, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "the distance from 0 to 1 is -1073741823, outside "
                                     "(-1073741823, 1073741823)");
    const int64_t higher[] = {0, 1};
    matrix_row(&dist, 0)[1] = INF - 2;
    CU_ASSERT_EQUAL(potentials_restore(&g, higher, &dist, &err), STATUS_OK);
    CU_ASSERT_EQUAL(matrix_row(&dist, 0)[1], INF - 1);
    CU_ASSERT_EQUAL(potentials_restore(&g, higher, &dist, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "the distance from 0 to 1 is 1073741823, outside "
                                     "(-1073741823, 1073741823)");
    g.first_vertex = 1;
    CU_ASSERT_EQUAL(potentials_restore(&g, higher, &dist, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "the distance from 1 to 2 is 1073741823, outside "
                                     "(-1073741823, 1073741823) (vertices are numbered from 1)");
    matrix_free(&dist);
}

CU_TestInfo potentials_tests[] = {
    {"reduced weights are not negative", test_potentials},
    {"negative cycles", test_negative_cycles},
    {"messages", test_messages},
    {"reduced weights beyond int32", test_heavy_reduced_weights},
    {"restoring distances", test_restore},
    CU_TEST_INFO_NULL,
};
