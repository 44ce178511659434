// SPDX-License-Identifier: MIT
/* Searches straight in the caller's edges. */
#include "libapsp/apsp.h"
#include "tests/unit/support.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = 90, EACH = 5, M = N * EACH, SOURCES = 6, NONE = -9999 };

/* Rows of edges that are in no order, with parallel ones and loops; weights of few values, many of
 * them 0, so that many paths are shortest. */
struct edges {
    int32_t first[N + 1], to[M];
    int64_t wide_first[N + 1], wide_to[M];
    double weight[M];
};

static void draw(struct edges *edges, uint32_t seed) {
    for (int32_t v = 0; v <= N; v++)
        edges->wide_first[v] = edges->first[v] = v * EACH;
    for (int32_t e = 0; e < M; e++) {
        seed = seed * 1664525 + 1013904223;
        edges->wide_to[e] = edges->to[e] = (int32_t)((seed >> 8) % N);
        edges->weight[e] = (seed >> 20) % 4 * 0.1;
    }
}

static apsp_search search_in(const struct edges *edges, double *dist) {
    apsp_search search = APSP_SEARCH_INIT;
    search.vertices = N;
    search.count = M;
    search.first = edges->first;
    search.to = edges->to;
    search.weight = edges->weight;
    search.distances = dist;
    search.no_predecessor = NONE;
    return search;
}

/* The rows of sources by way of a graph. */
static void solve(const apsp_search *search, const struct edges *edges, double *dist) {
    const apsp_edges all = {.size = sizeof all,
                            .vertices = N,
                            .count = M,
                            .to = edges->to,
                            .type = APSP_FLOAT64,
                            .weight = search->weight,
                            .first = edges->wide_first};
    const apsp_reading reading = {.size = sizeof reading, .undirected = search->undirected};
    const apsp_request request = {.size = sizeof request,
                                  .sources = search->sources,
                                  .source_count = search->source_count,
                                  .limit = search->limit > 0 ? search->limit : 0};
    const apsp_arrays arrays = {
        .size = sizeof arrays, .type = APSP_FLOAT64, .distances = dist, .leading = N, .limit = -1};
    const apsp_options options = {
        .size = sizeof options, .engine = "cpu:multisource", .distances_only = 1};
    apsp_graph *graph;
    apsp_sink *sink;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &all, &reading, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_arrays(&sink, &arrays, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(
        apsp_solve_rows(graph, &request, &options, (const apsp_sink *const *)&sink, 1, NULL),
        APSP_OK);
    apsp_sink_free(sink);
    apsp_graph_free(graph);
}

static bool has_tight_edge(const apsp_search *search, const struct edges *edges, const double *dist,
                           int32_t u, int32_t v) {
    for (int32_t e = 0; e < M; e++) {
        const int32_t from = e / EACH, to = edges->to[e];
        const double weight = search->weight != NULL ? edges->weight[e] : 1;
        if (((from == u && to == v) || (search->undirected && from == v && to == u)) &&
            dist[u] + weight == dist[v])
            return true;
    }
    return false;
}

/* Returns the vertex at which predecessors end, all by tight edges. */
static int32_t root_of(const apsp_search *search, const struct edges *edges, const double *dist,
                       const int32_t *pred, int32_t v) {
    for (int steps = 0; pred[v] != NONE && steps <= N; steps++) {
        CU_ASSERT(has_tight_edge(search, edges, dist, pred[v], v));
        v = pred[v];
    }
    CU_ASSERT_EQUAL(pred[v], NONE);
    return v;
}

/* Rows are those of a graph, bit for bit, and predecessors lead to the source. Together, the row is
 * the least of all, and the nearest source is where predecessors lead. */
static void check(apsp_search *search, const struct edges *edges) {
    static double right[SOURCES * N], dist[SOURCES * N], least[N];
    static int32_t pred[SOURCES * N], nearest[N];
    int searched;
    solve(search, edges, right);
    search->distances = dist;
    search->predecessors = pred;
    CU_ASSERT_EQUAL(apsp_search_rows(search, &searched, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(searched, 1);
    CU_ASSERT(memcmp(dist, right, sizeof dist) == 0);
    for (int32_t v = 0; v < N; v++)
        least[v] = (double)INFINITY;
    for (int32_t r = 0; r < SOURCES; r++) {
        for (int32_t v = 0; v < N; v++) {
            const double *const row = dist + r * N;
            least[v] = fmin(least[v], row[v]);
            CU_ASSERT_EQUAL(root_of(search, edges, row, pred + r * N, v),
                            isinf(row[v]) ? v : search->sources[r]);
        }
    }
    search->together = 1;
    search->nearest = nearest;
    CU_ASSERT_EQUAL(apsp_search_rows(search, &searched, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(searched, 1);
    CU_ASSERT(memcmp(dist, least, sizeof least) == 0);
    for (int32_t v = 0; v < N; v++)
        CU_ASSERT_EQUAL(isinf(dist[v]) ? NONE : root_of(search, edges, dist, pred, v), nearest[v]);
    search->predecessors = NULL; /* nothing is said of the nearest then */
    memset(dist, 0, sizeof least);
    CU_ASSERT_EQUAL(apsp_search_rows(search, &searched, NULL), APSP_OK);
    CU_ASSERT(memcmp(dist, least, sizeof least) == 0);
}

static void test_rows(void) {
    static const int32_t sources[SOURCES] = {7, 0, N - 1, 30, 31, 8};
    static const double limits[] = {-1, 0.1, 0.1 + 0.2, 1};
    for (unsigned kind = 0; kind < 64; kind++) {
        struct edges edges;
        draw(&edges, kind);
        apsp_search search = search_in(&edges, NULL);
        search.sources = sources;
        search.source_count = SOURCES;
        search.undirected = kind % 2;
        search.threads = (int)(kind / 2 % 2) * 3;
        search.limit = limits[kind / 4 % 4];
        if (kind / 16 % 2 != 0)
            search.weight = NULL;
        search.is_wide = kind / 32 % 2;
        if (search.is_wide) {
            search.first = edges.wide_first;
            search.to = edges.wide_to;
        }
        check(&search, &edges);
    }
}

/* Problems that have to be, or are better, solved by way of a graph. */
static void test_left_to_others(void) {
    static double dist[N * N];
    static const double bad[] = {-1, -5e-324, (double)NAN, (double)INFINITY, 1e308};
    int searched;
    for (int kind = 0; kind < 9; kind++) {
        struct edges edges;
        draw(&edges, 1);
        apsp_search search = search_in(&edges, dist);
        const int32_t source = 0;
        search.sources = &source;
        search.source_count = 1;
        if (kind < 5)
            edges.weight[M - 1] = bad[kind];
        if (kind == 5)
            edges.to[M - 1] = N;
        if (kind == 6)
            edges.first[N - 1] = edges.first[N] + 1;
        if (kind == 7)
            search.count = M - 1;
        if (kind == 8)
            search.sources = NULL;
        CU_ASSERT_EQUAL(apsp_search_rows(&search, &searched, NULL), APSP_OK);
        CU_ASSERT_EQUAL(searched, 0);
    }
}

/* Wide heads beyond 32 bits are no vertices, whatever their lower bits are. */
static void test_far_heads(void) {
    static double dist[N];
    const int32_t source = 0;
    int searched;
    for (int kind = 0; kind < 2; kind++) {
        struct edges edges;
        draw(&edges, 1);
        apsp_search search = search_in(&edges, dist);
        search.sources = &source;
        search.source_count = search.is_wide = 1;
        search.first = edges.wide_first;
        search.to = edges.wide_to;
        edges.wide_to[0] += kind * (INT64_C(1) << 32);
        CU_ASSERT_EQUAL(apsp_search_rows(&search, &searched, NULL), APSP_OK);
        CU_ASSERT_EQUAL(searched, kind == 0);
    }
}

static void refuse(const apsp_search *search, const char *line) {
    apsp_error error = {""};
    int searched = 1;
    CU_ASSERT_EQUAL(apsp_search_rows(search, &searched, &error), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(searched, 0);
    CU_ASSERT_STRING_EQUAL(error.text, line);
}

static void test_refused(void) {
    static double dist[N];
    const int32_t beyond = N;
    struct edges edges;
    draw(&edges, 1);
    apsp_search search = search_in(&edges, dist);
    search.limit = (double)NAN;
    refuse(&search, "limit: expected a number, found NaN");
    search.limit = -1;
    search.together = 1;
    refuse(&search, "sources: expected those to search from, found NULL");
    search.sources = &beyond;
    refuse(&search, "source_count: expected 1 .. 2147483647, found 0");
    search.source_count = 1;
    refuse(&search, "sources: expected 0 .. 89, found 90");
    search.distances = NULL;
    refuse(&search, "apsp_search: expected edges and distances, found NULL");
}

static int stop(void *to, int64_t done, int64_t total) {
    (void)to, (void)done, (void)total;
    return 0;
}

/* A callback stops a search that takes longer than its interval. */
static void test_stopped(void) {
    enum { LONG = 1 << 20 };
    int32_t *const first = malloc((LONG + 1) * sizeof *first), *const to = malloc(8 * LONG);
    double *const dist = malloc(16 * (size_t)LONG * sizeof *dist);
    int32_t sources[16];
    apsp_search search = APSP_SEARCH_INIT;
    int searched;
    for (int32_t v = 0; v <= LONG; v++)
        first[v] = 2 * v;
    for (int32_t e = 0; e < 2 * LONG; e++)
        to[e] = (int32_t)((uint32_t)e * 2654435761U % LONG);
    for (int32_t s = 0; s < 16; s++)
        sources[s] = s;
    search.vertices = LONG;
    search.count = 2 * LONG;
    search.first = first;
    search.to = to;
    search.sources = sources;
    search.source_count = 16;
    search.distances = dist;
    search.progress = stop;
    CU_ASSERT_EQUAL(apsp_search_rows(&search, &searched, NULL), APSP_CANCELLED);
    free(first);
    free(to);
    free(dist);
}

CU_TestInfo search_tests[] = {
    {"rows of edges in any order", test_rows},
    {"what is left to a graph", test_left_to_others},
    {"wide heads", test_far_heads},
    {"arguments", test_refused},
    {"stopped", test_stopped},
    CU_TEST_INFO_NULL,
};
