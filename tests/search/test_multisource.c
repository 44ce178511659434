// SPDX-License-Identifier: MIT
/* Label correcting from many sources: every way to solve a strip on every instruction set, and the
 * layout of the graph that it works on. */
#include "common/base/isa.h"
#include "search/cpu/multisource.h"
#include "search/cpu/ordered_graph.h"
#include "solve/dijkstra.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

/* Zero-weight edges, but no cycles of them; a tenth of the weights heavy. */
static struct graph random_strip_graph(struct random *random, int32_t n, int percent,
                                       int32_t heaviest) {
    struct edge *edges = malloc(sizeof *edges * (size_t)n * (size_t)n);
    int64_t count = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t u = 0; u < n; u++) {
        for (int32_t v = 0; v < n; v++) {
            const int32_t most = random_in(random, 1, 10) == 1 ? heaviest : 9;
            if (u != v && random_in(random, 1, 100) <= percent)
                edges[count++] = (struct edge){u, v, random_in(random, u < v ? 0 : 1, most)};
        }
    }
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

/* Vertices in a circle, in both directions, their names shuffled. */
static struct graph random_ring(struct random *random, int32_t n, int32_t heaviest) {
    struct edge *edges = malloc(sizeof *edges * 2 * (size_t)n);
    int32_t *name = malloc(sizeof *name * (size_t)n);
    CU_ASSERT_FATAL(edges != NULL && name != NULL);
    for (int32_t v = 0; v < n; v++) {
        const int32_t at = random_in(random, 0, v);
        name[v] = name[at];
        name[at] = v;
    }
    for (int32_t v = 0; v < n; v++) {
        const int32_t next = name[(v + 1) % n];
        edges[2 * v] = (struct edge){name[v], next, random_in(random, 1, heaviest)};
        edges[2 * v + 1] = (struct edge){next, name[v], random_in(random, 1, heaviest)};
    }
    struct graph g = graph_of(n, edges, 2 * n);
    free(edges);
    free(name);
    return g;
}

static struct multisource_counts run(const struct graph *g, int threads, struct matrix *dist,
                                     struct matrix *pred, const struct multisource_limits *limits) {
    const struct solver_options options = {.threads = threads};
    struct matrix_task t;
    struct multisource_counts counts;
    struct error err;
    matrix_task_begin(&t, g, &options, dist, pred);
    memset(dist->cell, 0x5a, sizeof(int32_t) * (size_t)g->n * dist->ld);
    if (pred != NULL)
        memset(pred->cell, 0x5a, sizeof(int32_t) * (size_t)g->n * pred->ld);
    CU_ASSERT_EQUAL_FATAL(multisource_solve(&t.task, limits, &counts, &err), STATUS_OK);
    matrix_task_end(&t);
    CU_ASSERT_EQUAL(counts.narrow + counts.wide + counts.dijkstra, g->n);
    return counts;
}

/* Solves in every way; they agree to the byte, and the result is right. */
static void check_every_way(const struct graph *g) {
    const struct multisource_limits narrow = {INT32_MAX, 1, false}, wide = {INT32_MAX, 1, true},
                                    reordered = {0, 1e9, false}, wide_reordered = {0, 1e9, true},
                                    midway = {2, 1e9, false}, dijkstra = {0, -1, false};
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    struct matrix expected_dist, expected_pred;
    struct error err;
    solve_reference(g, &expected_dist, &expected_pred);

    struct multisource_counts counts = run(g, 1, &dist, NULL, &multisource_limits);
    CU_ASSERT(same_matrix(&dist, &expected_dist));
    counts = run(g, 1, &dist, NULL, &dijkstra);
    CU_ASSERT(same_matrix(&dist, &expected_dist));
    counts = run(g, 1, &dist, &expected_pred, &narrow);
    CU_ASSERT_EQUAL(counts.dijkstra + counts.reordered, 0);
    CU_ASSERT(same_matrix(&dist, &expected_dist));
    CU_ASSERT_EQUAL(certify(g, &dist, &expected_pred, 1, &err), STATUS_OK);

    counts = run(g, 2, &dist, &pred, &wide);
    CU_ASSERT_EQUAL(counts.wide, g->n);
    CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
    counts = run(g, 3, &dist, &pred, &reordered);
    CU_ASSERT(counts.reordered >= g->n && counts.dijkstra == 0);
    CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
    counts = run(g, 1, &dist, &pred, &wide_reordered);
    CU_ASSERT(counts.reordered == g->n && counts.wide == g->n);
    CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
    run(g, 4, &dist, &pred, &midway);
    CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
    run(g, 2, &dist, &pred, &multisource_limits);
    CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
    counts = run(g, 2, &dist, &pred, &dijkstra);
    CU_ASSERT_EQUAL(counts.dijkstra, g->n);
    CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&expected_dist);
    matrix_free(&expected_pred);
}

/* Leaves out what is beyond the limit. */
static void cut_off(struct matrix *dist, struct matrix *pred, int32_t limit) {
    for (int32_t i = 0; i < dist->n; i++) {
        for (int32_t j = 0; j < dist->n; j++) {
            if (matrix_row(dist, i)[j] <= limit)
                continue;
            matrix_row(dist, i)[j] = INF;
            matrix_row(pred, i)[j] = -1;
        }
    }
}

static struct multisource_counts run_within(const struct graph *g, int32_t limit,
                                            struct matrix *dist, struct matrix *pred,
                                            const struct multisource_limits *limits) {
    const struct solver_options options = {.threads = 1};
    struct matrix_task t;
    struct multisource_counts counts;
    struct error err;
    matrix_task_begin(&t, g, &options, dist, pred);
    t.task.limit = t.delivery.limit = limit;
    CU_ASSERT_EQUAL_FATAL(multisource_solve(&t.task, limits, &counts, &err), STATUS_OK);
    matrix_task_end(&t);
    return counts;
}

/* With a limit, every way leaves of the whole answer what is within it, to the byte. Labels have 16
 * bits wherever the limit has, whatever the distances. */
static void check_every_way_within(const struct graph *g, int32_t limit) {
    static const struct multisource_limits ways[] = {
        {INT32_MAX, 1, false}, {INT32_MAX, 1, true}, {0, 1e9, false}, {0, -1, false}};
    struct matrix expected_dist = new_matrix(g->n), expected_pred = new_matrix(g->n);
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    run(g, 1, &expected_dist, &expected_pred, &multisource_limits);
    cut_off(&expected_dist, &expected_pred, limit);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const struct multisource_counts counts = run_within(g, limit, &dist, &pred, &ways[k]);
        CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
        if (!ways[k].only_wide && ways[k].share > 0 && limit < 1 << 14 && g->max_weight < 1 << 15)
            CU_ASSERT_EQUAL(counts.narrow, g->n);
    }
    matrix_free(&expected_dist);
    matrix_free(&expected_pred);
    matrix_free(&dist);
    matrix_free(&pred);
}

static void test_limits(void) {
    static const int32_t sizes[] = {1, 17, 64, 97}, heaviest[] = {9, 9000, 1 << 20},
                         limits[] = {0, 7, 9000, (1 << 15) - 1, 1 << 15, (1 << 16) - 1, INF - 1};
    struct random random = {8};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (size_t h = 0; h < sizeof heaviest / sizeof *heaviest; h++) {
            struct graph g = random_strip_graph(&random, sizes[k], 5, heaviest[h]),
                         ring = random_ring(&random, sizes[k], heaviest[h]);
            for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
                check_every_way_within(l % 2 == 0 ? &g : &ring, limits[l]);
            graph_free(&g);
            graph_free(&ring);
        }
    }
}

static void check_graphs(void) {
    static const int32_t sizes[] = {1,  2,  3,  7,  8,  15, 16, 17,  31,
                                    32, 33, 63, 64, 65, 95, 97, 128, 129};
    static const int32_t heaviest[] = {1, 40, 9000, 40000, 1 << 20};
    struct random random = {1};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (size_t h = 0; h < sizeof heaviest / sizeof *heaviest; h++) {
            static const int percents[] = {2, 5, 60};
            struct graph g =
                random_strip_graph(&random, sizes[k], percents[(k + h) % 3], heaviest[h]);
            check_every_way(&g);
            graph_free(&g);
        }
        struct graph ring = random_ring(&random, sizes[k], 1000);
        check_every_way(&ring);
        graph_free(&ring);
    }
}

/* Sweeps over the lightest edges only change nothing any more before the others have counted. */
static void check_two_layers(void) {
    enum { TAILS = 30, HEADS = 50 };
    struct random random = {6};
    struct edge edges[TAILS * HEADS];
    for (int32_t e = 0; e < TAILS * HEADS; e++)
        edges[e] = (struct edge){e / HEADS, TAILS + e % HEADS, random_in(&random, 1, 50)};
    struct graph g = graph_of(TAILS + HEADS, edges, TAILS * HEADS);
    check_every_way(&g);
    graph_free(&g);
}

static void test_every_way(void) {
    on_every_isa(check_two_layers);
    on_every_isa(check_graphs);
}

/* Solves a path of the given weights, whose length fits in 16 bits or just does not. */
static struct multisource_counts solve_path(const int32_t *weight, int32_t edges_count) {
    enum { MAX_EDGES = 80 };
    struct edge edges[MAX_EDGES];
    CU_ASSERT_FATAL(edges_count <= MAX_EDGES);
    for (int32_t v = 0; v < edges_count; v++)
        edges[v] = (struct edge){v, v + 1, weight[v]};
    struct graph g = graph_of(edges_count + 1, edges, edges_count);
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    struct error err;
    const struct multisource_counts counts = run(&g, 1, &dist, &pred, &multisource_limits);
    CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_OK);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
    return counts;
}

/* With a heaviest edge of w, 16 bits hold distances below 65535 - w or 32768. */
static void check_boundary(void) {
    int32_t weight[66];
    for (int beyond = 0; beyond <= 1; beyond++) {
        for (int k = 0; k < 64; k++)
            weight[k] = 1000;
        weight[64] = 65535 - 1000 - 64 * 1000 - 1 + beyond;
        CU_ASSERT_EQUAL(solve_path(weight, 65).narrow, beyond ? 2 : 66);
        weight[0] = 16384;
        weight[1] = 16383;
        weight[2] = 65535 - 16384 - 32767 - 1 + beyond;
        CU_ASSERT_EQUAL(solve_path(weight, 3).wide > 0, beyond);
        weight[0] = 32767 + beyond;
        CU_ASSERT_EQUAL(solve_path(weight, 1).wide > 0, beyond);
    }
    weight[0] = 65535;
    CU_ASSERT_EQUAL(solve_path(weight, 1).wide, 2);
    weight[0] = 65536;
    CU_ASSERT_EQUAL(solve_path(weight, 1).wide, 2);
    weight[0] = INF - 1;
    CU_ASSERT_EQUAL(solve_path(weight, 1).wide, 2);
}

static void test_boundary_of_16_bits(void) {
    on_every_isa(check_boundary);
}

/* If long paths make sweeps many, the order changes; if that costs too much, Dijkstra's
 * algorithm takes over, for a strip or for good. */
static void test_long_paths(void) {
    enum { N = 700 };
    struct random random = {2};
    struct graph g = random_ring(&random, N, 9);
    struct matrix dist = new_matrix(N), pred = new_matrix(N);
    struct matrix expected_dist = new_matrix(N), expected_pred = new_matrix(N);
    struct multisource_limits limits = {INT32_MAX, 1, false};
    struct multisource_counts counts = run(&g, 1, &expected_dist, &expected_pred, &limits);
    CU_ASSERT_EQUAL(counts.narrow, N);
    counts = run(&g, 1, &dist, &pred, &multisource_limits);
    CU_ASSERT(counts.reordered > N / 2);
    CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
    int32_t least = N, most = 0;
    for (int percent = 1; percent <= 100; percent += 9) {
        limits = (struct multisource_limits){2, percent / 100.0, false};
        counts = run(&g, 1, &dist, &pred, &limits);
        CU_ASSERT(same_matrix(&dist, &expected_dist) && same_matrix(&pred, &expected_pred));
        least = counts.dijkstra < least ? counts.dijkstra : least;
        most = counts.dijkstra > most ? counts.dijkstra : most;
    }
    CU_ASSERT_EQUAL(least, 0);
    CU_ASSERT_EQUAL(most, N);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&expected_dist);
    matrix_free(&expected_pred);
}

/* Numbers are a permutation, and both kinds of rows hold the graph's edges, lightest first. */
static bool lays_out(const struct ordered_graph *ordered, const struct graph *g) {
    bool right = ordered->n == g->n && ordered->m == g->m && ordered->in_first[g->n] == g->m &&
                 ordered->out_first[g->n] == g->m;
    for (int32_t v = 0; v < g->n && right; v++) {
        const int32_t vertex = ordered->vertex[v];
        right = vertex >= 0 && vertex < g->n && ordered->number[vertex] == v;
        for (int64_t e = ordered->in_first[v]; e < ordered->in_first[v + 1] && right; e++) {
            const struct ordered_edge *entry = &ordered->in[e];
            const int32_t tail = ordered->vertex[entry->end];
            const int64_t edge = graph_find_edge(g, tail, vertex);
            right = tail == ordered->in_tail[e] && edge >= 0 && g->weight[edge] == entry->weight &&
                    (e == ordered->in_first[v] || entry[-1].weight < entry->weight ||
                     (entry[-1].weight == entry->weight && ordered->in_tail[e - 1] < tail));
        }
        for (int64_t e = ordered->out_first[v]; e < ordered->out_first[v + 1] && right; e++) {
            const struct ordered_edge *entry = &ordered->out[e];
            const int64_t edge = graph_find_edge(g, vertex, ordered->vertex[entry->end]);
            right = edge >= 0 && g->weight[edge] == entry->weight &&
                    (e == ordered->out_first[v] || entry[-1].weight <= entry->weight);
        }
    }
    return right;
}

static void test_layout(void) {
    static const int32_t heaviest[] = {0, 1, 255, 256, 1 << 24, INT32_MAX};
    struct random random = {3};
    for (int32_t n = 1; n < 40; n++) {
        struct graph g = random_strip_graph(&random, n, 20, 9);
        for (int64_t e = 0; e < g.m; e++)
            g.weight[e] = random_in(&random, 0, heaviest[n % 6]);
        g.max_weight = 0;
        for (int64_t e = 0; e < g.m; e++)
            g.max_weight = g.weight[e] > g.max_weight ? g.weight[e] : g.max_weight;
        struct ordered_graph ordered;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(ordered_graph_build(&g, 1 + n % 3, NULL, &ordered, &err), STATUS_OK);
        CU_ASSERT(lays_out(&ordered, &g));
        int32_t order[40] = {0}, sum = 0;
        CU_ASSERT_EQUAL_FATAL(ordered_graph_group(&ordered, 1 + n % 9, order, &err), STATUS_OK);
        bool seen[40] = {false};
        for (int32_t k = 0; k < n; k++) {
            CU_ASSERT_FATAL(order[k] >= 0 && order[k] < n);
            sum += !seen[order[k]];
            seen[order[k]] = true;
        }
        CU_ASSERT_EQUAL(sum, n);
        ordered_graph_free(&ordered);
        graph_free(&g);
    }
}

static bool same_numbers(const struct ordered_graph *a, const struct ordered_graph *b) {
    const size_t bytes = (size_t)a->n * sizeof *a->vertex;
    return a->n == b->n && a->m == b->m && memcmp(a->vertex, b->vertex, bytes) == 0 &&
           memcmp(a->number, b->number, bytes) == 0;
}

static bool same_layout(const struct ordered_graph *a, const struct ordered_graph *b) {
    const size_t m = (size_t)a->m;
    return same_numbers(a, b) && memcmp(a->in, b->in, m * sizeof *a->in) == 0 &&
           memcmp(a->out, b->out, m * sizeof *a->out) == 0;
}

/* Enough edges for several threads, in long rows and in rows of very different lengths. */
static void test_layout_by_threads(void) {
    enum { N = 520, MAX_THREADS = 7 };
    static const struct {
        int32_t first_tail, tails, heaviest;
    } graphs[] = {{0, N, INT32_MAX}, {0, 140, 1 << 17}, {N - 140, 140, 255}, {200, 140, 0}};
    struct random random = {12};
    for (size_t k = 0; k < sizeof graphs / sizeof graphs[0]; k++) {
        const int32_t end = graphs[k].first_tail + graphs[k].tails;
        struct edge *edges = malloc((size_t)N * N * sizeof *edges);
        int64_t count = 0;
        CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
        for (int32_t u = graphs[k].first_tail; u < end; u++) {
            for (int32_t v = 0; v < N; v++) {
                if (u != v && (u == 300 || random_in(&random, 1, 20) > 1))
                    edges[count++] = (struct edge){u, v, random_in(&random, 0, graphs[k].heaviest)};
            }
        }
        struct graph g = graph_of(N, edges, count);
        struct ordered_graph alone;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(ordered_graph_build(&g, 1, NULL, &alone, &err), STATUS_OK);
        CU_ASSERT(lays_out(&alone, &g));
        for (int threads = 2; threads <= MAX_THREADS; threads++) {
            struct ordered_graph ordered;
            CU_ASSERT_EQUAL_FATAL(ordered_graph_build(&g, threads, NULL, &ordered, &err),
                                  STATUS_OK);
            CU_ASSERT(lays_out(&ordered, &g));
            CU_ASSERT(same_layout(&ordered, &alone));
            ordered_graph_free(&ordered);
            CU_ASSERT_EQUAL_FATAL(ordered_graph_number(&g, threads, NULL, &ordered, &err),
                                  STATUS_OK);
            CU_ASSERT(same_numbers(&ordered, &alone));
            CU_ASSERT(ordered.in == NULL && ordered.out == NULL);
            ordered_graph_free(&ordered);
        }
        ordered_graph_free(&alone);
        graph_free(&g);
        free(edges);
    }
}

/* In a graph without cycles all edges lead forward; along a ring groups are stretches of it. */
static void test_order_of_layout(void) {
    enum { N = 60, GROUP = 8 };
    struct random random = {4};
    struct edge edges[N * N];
    int64_t count = 0;
    for (int32_t u = 0; u < N; u++) {
        for (int32_t v = 0; v < N; v++) {
            if (u * 37 % 61 < v * 37 % 61 && random_in(&random, 1, 4) == 1)
                edges[count++] = (struct edge){u, v, random_in(&random, 0, 50)};
        }
    }
    struct graph g = graph_of(N, edges, count);
    struct ordered_graph ordered;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(ordered_graph_build(&g, 2, NULL, &ordered, &err), STATUS_OK);
    for (int32_t v = 0; v < N; v++) {
        for (int64_t e = ordered.out_first[v]; e < ordered.out_first[v + 1]; e++)
            CU_ASSERT(ordered.out[e].end > v);
    }
    ordered_graph_free(&ordered);
    graph_free(&g);

    g = random_ring(&random, N, 9);
    CU_ASSERT_EQUAL_FATAL(ordered_graph_build(&g, 2, NULL, &ordered, &err), STATUS_OK);
    int32_t order[N];
    CU_ASSERT_EQUAL_FATAL(ordered_graph_group(&ordered, GROUP, order, &err), STATUS_OK);
    for (int32_t first = 0; first + GROUP <= N - GROUP; first += GROUP) {
        int inside = 0; /* edges between two of a group */
        for (int32_t k = first; k < first + GROUP; k++) {
            for (int32_t other = first; other < first + GROUP; other++)
                inside += graph_find_edge(&g, ordered.vertex[order[k]],
                                          ordered.vertex[order[other]]) >= 0;
        }
        CU_ASSERT_EQUAL(inside, 2 * (GROUP - 1));
    }
    ordered_graph_free(&ordered);
    graph_free(&g);
}

static void test_order_of_distance(void) {
    struct random random = {5};
    for (int32_t n = 1; n < 50; n += 7) {
        struct graph g = random_strip_graph(&random, n, 6, 100);
        struct dijkstra queue;
        struct error err;
        int32_t *dist = malloc(sizeof *dist * (size_t)n),
                *order = malloc(sizeof *order * (size_t)n);
        CU_ASSERT_FATAL(dist != NULL && order != NULL);
        CU_ASSERT_EQUAL_FATAL(dijkstra_alloc(&queue, n, false, &err), STATUS_OK);
        const int32_t count = dijkstra_order(&queue, &g, n / 2, INF, dist, order);
        int32_t reached = 0;
        for (int32_t v = 0; v < n; v++)
            reached += dist[v] < INF;
        CU_ASSERT_EQUAL(count, reached);
        CU_ASSERT_EQUAL(order[0], n / 2);
        for (int32_t k = 1; k < count; k++)
            CU_ASSERT(dist[order[k - 1]] <= dist[order[k]] && order[k - 1] != order[k]);
        dijkstra_free(&queue);
        graph_free(&g);
        free(dist);
        free(order);
    }
}

CU_TestInfo multisource_tests[] = {
    {"every way to solve a strip, on every instruction set", test_every_way},
    {"every way to stop at a limit", test_limits},
    {"where 16 bits end", test_boundary_of_16_bits},
    {"long paths", test_long_paths},
    {"layout of the graph", test_layout},
    {"layout by several threads", test_layout_by_threads},
    {"order of vertices and sources", test_order_of_layout},
    {"order of distance", test_order_of_distance},
    CU_TEST_INFO_NULL,
};
