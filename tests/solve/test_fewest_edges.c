// SPDX-License-Identifier: MIT
/* Paths of fewest edges, against a search in the order of levels on one thread. */
#include "solve/fewest_edges.h"
#include "tests/unit/support.h"

#include <stdlib.h>

/* Returns the greatest length of the paths that fewest_edges_are_below describes, level by level:
 * each vertex takes the least extension of a path to the level before. */
static int64_t longest_from(const struct graph *g, int32_t from) {
    int32_t *const level = malloc(sizeof *level * (size_t)g->n);
    int64_t *const length = malloc(sizeof *length * (size_t)g->n);
    int64_t longest = 0;
    bool more = true;
    for (int32_t v = 0; v < g->n; v++)
        level[v] = -1;
    level[from] = 0;
    length[from] = 0;
    for (int32_t l = 0; more; l++) {
        more = false;
        for (int32_t u = 0; u < g->n; u++) {
            if (level[u] != l)
                continue;
            longest = length[u] > longest ? length[u] : longest;
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                const int32_t v = g->head[e];
                const int64_t through = length[u] + g->weight[e];
                if (level[v] < 0 || (level[v] == l + 1 && through < length[v]))
                    length[v] = through;
                level[v] = level[v] < 0 ? l + 1 : level[v];
                more = true;
            }
        }
    }
    free(level);
    free(length);
    return longest;
}

static bool are_below(const struct graph *g, int32_t from, int64_t limit, int threads) {
    struct error err;
    bool below = false;
    CU_ASSERT_EQUAL_FATAL(fewest_edges_are_below(g, from, (int32_t)limit, threads, &below, &err),
                          STATUS_OK);
    return below;
}

static void check_all(const struct graph *g, int32_t from) {
    static const int teams[] = {1, 2, 3, 7};
    const int64_t longest = longest_from(g, from);
    for (size_t t = 0; t < sizeof teams / sizeof *teams; t++) {
        CU_ASSERT(longest >= INF || are_below(g, from, longest + 1, teams[t]));
        CU_ASSERT(longest == 0 || longest > INF || !are_below(g, from, longest, teams[t]));
        CU_ASSERT(longest <= INF || !are_below(g, from, INF, teams[t]));
    }
}

static void test_random(void) {
    struct random random = {21};
    for (int round = 0; round < 200; round++) {
        const int32_t n = random_in(&random, 2, 120);
        struct graph g = random_graph(&random, n, random_in(&random, 1, 30),
                                      round % 4 == 0 ? WEIGHTS_LARGE : WEIGHTS_POSITIVE);
        check_all(&g, random_in(&random, 0, n - 1));
        graph_free(&g);
    }
}

/* Levels of one vertex and of many follow one another. */
static void test_stars_on_a_path(void) {
    enum { STARS = 40, RAYS = 30, N = STARS * (RAYS + 1) };
    struct edge edges[2 * N];
    struct random random = {22};
    int64_t count = 0;
    for (int32_t s = 0; s < STARS; s++) {
        const int32_t hub = s * (RAYS + 1);
        for (int32_t k = 1; k <= RAYS; k++) {
            edges[count++] = (struct edge){hub, hub + k, random_in(&random, 0, 1000)};
            if (s + 1 < STARS && (k < 3 || s % 2 == 0))
                edges[count++] =
                    (struct edge){hub + k, hub + RAYS + 1, random_in(&random, 0, 1000)};
        }
    }
    struct graph g = graph_of(N, edges, count);
    check_all(&g, 0);
    check_all(&g, N - 1);
    graph_free(&g);
}

CU_TestInfo fewest_edges_tests[] = {
    {"random graphs", test_random},
    {"stars on a path", test_stars_on_a_path},
    CU_TEST_INFO_NULL,
};
