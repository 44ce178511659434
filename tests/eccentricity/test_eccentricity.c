// SPDX-License-Identifier: MIT
/* Diameter, radius and eccentricities against those of all rows of a textbook's Bellman-Ford. */
#include "eccentricity/eccentricity.h"

#include "common/base/number.h"     // number_rounded
#include "solve/grid.h"             // grid_find
#include "tests/unit/real_graphs.h" // graph_of_real
#include "tests/unit/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The oracle --------------------------------------------------------------------------------------

/* The least of the sums rounded from left to right, infinite if there is no path. */
static void row_of(const struct graph *g, int32_t source, double *dist) {
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = v == source ? 0 : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t u = 0; u < g->n; u++)
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                const double through = number_rounded(g->type, dist[u] + graph_weight(g, e));
                if (through < dist[g->head[e]]) {
                    dist[g->head[e]] = through;
                    changed = true;
                }
            }
    }
}

enum { MOST_N = 131 };

struct truth {
    double dist[MOST_N][MOST_N], eccentricity[MOST_N];
    double largest, least;
    bool reaches_all; /* from every vertex to every other one */
};

static void find_truth(const struct graph *g, struct truth *truth) {
    truth->largest = 0;
    truth->least = INFINITY;
    truth->reaches_all = true;
    for (int32_t s = 0; s < g->n; s++) {
        row_of(g, s, truth->dist[s]);
        truth->eccentricity[s] = 0;
        for (int32_t v = 0; v < g->n; v++) {
            if (isinf(truth->dist[s][v]))
                truth->reaches_all = false;
            else
                truth->eccentricity[s] = fmax(truth->eccentricity[s], truth->dist[s][v]);
        }
        truth->largest = fmax(truth->largest, truth->eccentricity[s]);
        truth->least = fmin(truth->least, truth->eccentricity[s]);
    }
}

static bool lists(const struct truth *truth, int32_t n, double eccentricity, const int32_t *vertex,
                  int32_t count) {
    int32_t at = 0;
    for (int32_t v = 0; v < n; v++) {
        if (truth->eccentricity[v] != eccentricity)
            continue;
        if (at == count || vertex[at++] != v)
            return false;
    }
    return at == count;
}

static bool is_right(const struct graph *g, const struct truth *truth, unsigned wants,
                     const struct eccentricities *found) {
    bool right = found->largest == truth->largest && found->from >= 0 && found->to >= 0 &&
                 truth->dist[found->from][found->to] == truth->largest &&
                 (found->components == 1) == truth->reaches_all;
    for (int32_t v = 0; v < g->n && right; v++)
        right = found->lower[v] <= truth->eccentricity[v] &&
                truth->eccentricity[v] <= found->upper[v] &&
                ((wants & ECCENTRICITY_ALL) == 0 || found->lower[v] == found->upper[v]);
    if (!truth->reaches_all)
        return right && isinf(found->diameter) && isinf(found->radius) && found->central < 0 &&
               found->center == NULL && found->periphery == NULL;
    right = right && found->diameter == truth->largest;
    if ((wants & (ECCENTRICITY_RADIUS | ECCENTRICITY_CENTER)) != 0)
        right = right && found->radius == truth->least &&
                truth->eccentricity[found->central] == truth->least;
    if ((wants & ECCENTRICITY_CENTER) != 0)
        right = right && lists(truth, g->n, truth->least, found->center, found->center_count);
    if ((wants & ECCENTRICITY_PERIPHERY) != 0)
        right =
            right && lists(truth, g->n, truth->largest, found->periphery, found->periphery_count);
    return right;
}

// Random graphs -----------------------------------------------------------------------------------

enum kind {
    UNIT,
    ALL_ZERO,
    ALL_SEVEN,
    ZEROS,
    WIDE,
    SEVENTHS,
    SEVENTHS_F32,
    EIGHTHS,
    EQUAL_REAL,
    KINDS
};

static struct graph graph_of_kind(struct random *random, int32_t n, int percent, enum kind kind,
                                  bool is_undirected) {
    struct real_edge *const edges = malloc((2 * (size_t)n * (size_t)n + 1) * sizeof *edges);
    struct error err;
    struct graph g;
    int64_t count = 0;
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = 0; v < n; v++) {
            const int32_t some = random_in(random, 0, 2), wide = random_in(random, 1, 10000);
            const double weight[] = {1, 0, 7, some, wide, wide / 7.0, wide / 7.0, wide / 8.0, 0.1};
            if (random_in(random, 1, 1000) > percent)
                continue;
            edges[count++] = (struct real_edge){u, v, weight[kind]};
            if (is_undirected)
                edges[count++] = (struct real_edge){v, u, weight[kind]};
        }
    if (kind <= WIDE) {
        struct edge *const integers = malloc(((size_t)count + 1) * sizeof *integers);
        for (int64_t e = 0; e < count; e++)
            integers[e] = (struct edge){edges[e].from, edges[e].to, (int32_t)edges[e].weight};
        g = graph_of(n, integers, count);
        free(integers);
    } else {
        CU_ASSERT_EQUAL_FATAL(
            graph_build_real(&g, n, kind == SEVENTHS_F32 ? NUMBER_FLOAT32 : NUMBER_FLOAT64, edges,
                             count, NULL, &err),
            STATUS_OK);
        if (kind == EIGHTHS)
            CU_ASSERT_EQUAL_FATAL(grid_find(&g, NULL, &err), STATUS_OK);
    }
    free(edges);
    return g;
}

static bool are_same(const struct eccentricities *a, const struct eccentricities *b) {
    const size_t bytes = (size_t)a->n * sizeof *a->lower;
    return a->from == b->from && a->to == b->to && a->central == b->central &&
           a->searches == b->searches && memcmp(a->lower, b->lower, bytes) == 0 &&
           memcmp(a->upper, b->upper, bytes) == 0;
}

static void check(const struct graph *g, const struct truth *truth, unsigned wants, bool proves) {
    struct eccentricities found[2];
    struct error err;
    for (int k = 0; k < 2; k++) {
        const struct eccentricity_request request = {
            .graph = g, .wants = wants, .check = proves, .threads = 1 + 2 * k};
        CU_ASSERT_EQUAL_FATAL(eccentricities_find(&request, &found[k], &err), STATUS_OK);
        CU_ASSERT(is_right(g, truth, wants, &found[k]));
        CU_ASSERT_EQUAL(found[k].proved, proves ? found[k].searches : 0);
    }
    CU_ASSERT(are_same(&found[0], &found[1]));
    for (int k = 0; k < 2; k++)
        eccentricities_free(&found[k]);
}

static void test_random(void) {
    struct random random = {.state = 43};
    struct truth *const truth = malloc(sizeof *truth);
    for (int round = 0; round < 6000; round++) {
        const int32_t n = round % 50 == 7 ? random_in(&random, 63, 65) : random_in(&random, 1, 14);
        const int percent = (int[]){60, 130, 250, 500}[random_in(&random, 0, 3)] * (n > 60 ? 1 : 2);
        const enum kind kind = (enum kind)(round % KINDS);
        struct graph g = graph_of_kind(&random, n, percent, kind, random_in(&random, 0, 1) == 1);
        find_truth(&g, truth);
        check(&g, truth, (unsigned)random_in(&random, 0, 15), round % 3 == 0);
        graph_free(&g);
    }
    free(truth);
}

/* A cycle with a few chords: long paths, of which most vertices are open for long, so that rounds
 * of many searches come. */
static void test_long_paths(void) {
    struct random random = {.state = 4};
    struct truth *const truth = malloc(sizeof *truth);
    for (int round = 0; round < 60; round++) {
        const int32_t n = random_in(&random, 100, MOST_N - 1), both = round % 2;
        struct edge edges[4 * MOST_N];
        int64_t count = 0;
        for (int32_t v = 0; v < n; v++) {
            const int32_t weight = round % 3 == 0 ? 1 : random_in(&random, 1, 30);
            edges[count++] = (struct edge){v, (v + 1) % n, weight};
            if (both)
                edges[count++] = (struct edge){(v + 1) % n, v, weight};
        }
        for (int k = round % 5; k > 0; k--)
            edges[count++] =
                (struct edge){random_in(&random, 0, n - 1), random_in(&random, 0, n - 1), 3};
        struct graph g = graph_of(n, edges, count);
        find_truth(&g, truth);
        check(&g, truth, (unsigned)(round % 16), round % 4 == 0);
        graph_free(&g);
    }
    free(truth);
}

/* A network of streets takes few searches. */
static void test_number_of_searches(void) {
    struct random random = {.state = 9};
    struct graph g = random_streets(&random, 60, 1, 10000, true);
    struct eccentricity_request request = {.graph = &g, .wants = ECCENTRICITY_RADIUS};
    struct eccentricities found;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(eccentricities_find(&request, &found, &err), STATUS_OK);
    CU_ASSERT(found.sources < 400);
    eccentricities_free(&found);
    graph_free(&g);
}

/* So many vertices that threads share the bounds, too. */
static void test_threads(void) {
    struct random random = {.state = 6};
    for (int directed = 0; directed < 2; directed++) {
        struct graph g = random_streets(&random, 130, 1, 100, directed);
        struct eccentricities found[2];
        struct error err;
        for (int k = 0; k < 2; k++) {
            const struct eccentricity_request request = {
                .graph = &g, .wants = ECCENTRICITY_RADIUS, .threads = 1 + 2 * k};
            CU_ASSERT_EQUAL_FATAL(eccentricities_find(&request, &found[k], &err), STATUS_OK);
        }
        CU_ASSERT(are_same(&found[0], &found[1]));
        for (int k = 0; k < 2; k++)
            eccentricities_free(&found[k]);
        graph_free(&g);
    }
}

/* Predicted seconds are those of the searches, divided among the threads, once these are many. */
static void test_seconds(void) {
    enum { MANY = 1 << 20 };
    struct random random = {.state = 8};
    struct graph g = random_streets(&random, 20, 1, 100, false);
    const double one = eccentricity_search_s(&g, MANY, 1);
    CU_ASSERT_DOUBLE_EQUAL(one / eccentricity_search_s(&g, MANY, 4), 4, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(one / eccentricity_search_s(&g, MANY / 8, 1), 8, 0.01);
    graph_free(&g);
}

static void test_no_vertices(void) {
    struct graph g = graph_of(0, NULL, 0);
    const struct eccentricity_request request = {.graph = &g, .wants = 15, .check = true};
    struct eccentricities found;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(eccentricities_find(&request, &found, &err), STATUS_OK);
    CU_ASSERT(found.from == -1 && found.to == -1 && found.searches == 0 && found.largest == 0);
    CU_ASSERT(isinf(found.diameter));
    eccentricities_free(&found);
    graph_free(&g);
}

static void refuse(struct graph g, const char *words) {
    const struct eccentricity_request request = {.graph = &g};
    struct eccentricities found;
    struct error err;
    CU_ASSERT_EQUAL(eccentricities_find(&request, &found, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, words));
    eccentricities_free(&found);
    graph_free(&g);
}

static void test_refused(void) {
    const int32_t heavy = INF - 1;
    refuse(graph_of(2, (struct edge[]){{0, 1, -1}}, 1), "no weight below 0");
    refuse(graph_of(3, (struct edge[]){{0, 1, heavy}, {1, 2, 5}}, 2), "from 0 to 2");
    refuse(graph_of(3, (struct edge[]){{0, 1, heavy}, {1, 2, heavy}}, 2), "from 0 to 2");
    for (int k = 0; k < 2; k++) { /* different weights, and equal ones */
        struct real_edge real[] = {{0, 1, DBL_MAX}, {1, 2, DBL_MAX}, {2, 0, k == 0 ? 1 : DBL_MAX}};
        refuse(graph_of_real(3, NUMBER_FLOAT64, real, 3), "from 0 to 2 does not fit in a float64");
    }
    struct graph zoned = graph_of(2, (struct edge[]){{0, 1, 1}}, 1);
    zoned.zones = 1;
    refuse(zoned, "without zones");
}

static bool stop(void *left, int64_t done, int64_t total) {
    (void)done, (void)total;
    return --*(int *)left > 0;
}

static void test_cancelled(void) {
    struct random random = {.state = 5};
    struct graph g = random_streets(&random, 20, 1, 100, false);
    int left = 3;
    struct progress progress = {.on_report = stop, .callback_context = &left};
    const struct eccentricity_request request = {
        .graph = &g, .wants = ECCENTRICITY_ALL, .check = true, .progress = &progress};
    struct eccentricities found;
    struct error err;
    CU_ASSERT_EQUAL(eccentricities_find(&request, &found, &err), STATUS_CANCELLED);
    CU_ASSERT_PTR_NULL(found.lower);
    graph_free(&g);
}

CU_TestInfo eccentricity_tests[] = {
    {"random graphs", test_random},
    {"long paths", test_long_paths},
    {"number of searches", test_number_of_searches},
    {"threads", test_threads},
    {"predicted seconds", test_seconds},
    {"no vertices", test_no_vertices},
    {"what is refused", test_refused},
    {"cancelled", test_cancelled},
    CU_TEST_INFO_NULL,
};
