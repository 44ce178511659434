// SPDX-License-Identifier: MIT
/* Every variant of every solver, judged by an independent reference (distances)
 * and by the certificate (predecessors). GPU variants run on the host shim, or
 * on a device when built with DEVICE_TESTS. */
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "engines/engines.h"          // engines, engine_find
#include "gpu/gpu_solver.h"
#include "solve/delivery.h" // struct delivery
#include "solve/range.h"    // RANGE_ADVICE
#include "solve/solve.h"    // solve
#include "tests/unit/real_graphs.h"
#include "tests/variants/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef DEVICE_TESTS
#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver
#include "cuda_runtime_api.h"              // the shim's controls
#include "engines/cpu_variants.h"          // cpu_solver
#include "engines/sparse_variants.h"       // cuda_sparse_solver
#endif

/* Solves with and, if the variant can, without predecessors; true if all of
 * it is right, or rightly refused. */
static bool solves(const struct solver_variant *variant, int tile, const struct graph *g) {
    const struct solver_options options = {.tile = tile};
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    struct error err = {0};
    struct timing timing;
    int64_t *expected = NULL;
    bool right = true;
    bool solvable = reference_distances(g, &expected);
    for (int with_pred = variant->distances_only ? 0 : 1; with_pred >= 0 && right; with_pred--) {
        struct matrix *wanted = with_pred ? &pred : NULL;
        memset(dist.cell, 0x5a, sizeof(int32_t) * (size_t)g->n * dist.ld);
        memset(pred.cell, 0x5a, sizeof(int32_t) * (size_t)g->n * pred.ld);
        enum status status = solve(variant, g, &options, &dist, wanted, NULL, 1, &timing, &err);
        if (!solvable)
            right = status == STATUS_NEGATIVE_CYCLE;
        else if (refuses(status, &err))
            right = may_refuse(variant, g, expected);
        else
            right = status == STATUS_OK && equals_reference(&dist, expected) &&
                    certify(g, &dist, wanted, 1, &err) == STATUS_OK;
    }
    if (!right)
        printf("\n    %s, tile %d, n = %d, m = %lld: %s\n", variant->name, tile, g->n,
               (long long)g->m, err.text[0] != '\0' ? err.text : "wrong distances");
    free(expected);
    matrix_free(&dist);
    matrix_free(&pred);
    return right;
}

static void check_and_free(const struct solver_variant *variant, int tile, struct graph g) {
    CU_ASSERT(solves(variant, tile, &g));
    graph_free(&g);
}

/* Examples 6 and 7 and figure 2.3 of the thesis. */

static const struct edge example_6[] = {{0, 1, 5}, {0, 3, 2}, {1, 2, 2}, {2, 0, 3}, {2, 4, 7},
                                        {3, 2, 4}, {3, 4, 1}, {4, 0, 1}, {4, 1, 3}};
static const int32_t example_6_dist[] = {0, 5, 6, 2, 3, 5, 0, 2, 7, 8, 3, 8, 0,
                                         5, 6, 2, 4, 4, 0, 1, 1, 3, 5, 3, 0};
static const int32_t example_6_pred[] = {-1, 0, 3, 0, 3, 2,  -1, 1, 0, 3, 2, 0, -1,
                                         0,  3, 4, 4, 3, -1, 3,  4, 4, 1, 0, -1};
static const struct edge example_7[] = {{0, 1, 5}, {0, 2, 9}, {1, 2, 1}, {2, 3, 2}, {3, 1, 3}};
static const int32_t example_7_dist[] = {0, 5, 6, 8, INF, 0, 1, 3, INF, 5, 0, 2, INF, 3, 4, 0};
static const int32_t example_7_pred[] = {-1, 0, 1, 2, -1, -1, 1, 2, -1, 3, -1, 2, -1, 3, 1, -1};
static const struct edge figure_2_3[] = {{0, 1, 1}, {1, 2, 2}, {2, 3, 2}, {2, 4, 4},
                                         {3, 1, 1}, {3, 2, 3}, {4, 3, 5}};
static const int32_t figure_2_3_dist[] = {0, 1, 3,   5, 7, INF, 0, 2,   4, 6, INF, 3, 0,
                                          2, 4, INF, 1, 3, 0,   7, INF, 6, 8, 5,   0};

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))

static bool holds(const struct matrix *m, const int32_t *cells) {
    for (int32_t i = 0; i < m->n; i++) {
        if (memcmp(matrix_row(m, i), cells + (size_t)i * (size_t)m->n,
                   sizeof *cells * (size_t)m->n) != 0)
            return false;
    }
    return true;
}

static void check_golden(const struct solver_variant *variant) {
    static const struct {
        int32_t n;
        const struct edge *edges;
        int64_t count;
        const int32_t *dist, *pred;
    } examples[] = {
        {5, example_6, COUNT(example_6), example_6_dist, example_6_pred},
        {4, example_7, COUNT(example_7), example_7_dist, example_7_pred},
        {5, figure_2_3, COUNT(figure_2_3), figure_2_3_dist, NULL},
    };
    const struct solver_options options = {.tile = variant->max_tile > 0 ? 2 : 0};
    for (int k = 0; k < COUNT(examples); k++) {
        struct graph g = graph_of(examples[k].n, examples[k].edges, examples[k].count);
        struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
        struct timing timing;
        struct error err;
        const bool with_pred = !variant->distances_only;
        CU_ASSERT_EQUAL(
            solve(variant, &g, &options, &dist, with_pred ? &pred : NULL, NULL, 1, &timing, &err),
            STATUS_OK);
        CU_ASSERT(holds(&dist, examples[k].dist));
        if (with_pred && examples[k].pred != NULL)
            CU_ASSERT(holds(&pred, examples[k].pred)); /* shortest paths are unique in both */
        graph_free(&g);
        matrix_free(&dist);
        matrix_free(&pred);
    }
}

static void test_golden_examples(void) {
    for_each_variant(check_golden);
}

/* How far it is from one of many cases to the next: if every one would be tried, sanitizers, which
 * make each several times as long, see one of `some`. */
static int thinned(int step, int some) {
#ifdef APSP_SANITIZED
    return step == 1 ? some : step;
#else
    (void)some;
    return step;
#endif
}

/* Directed graphs on 3 vertices with weights none, 0, 1, 2, -1: variants that differ in the length
 * of their names begin with different ones, so that together they are given every one. */
static void check_three_vertices(const struct solver_variant *variant) {
    enum { PAIRS = 6, CHOICES = 5, GRAPHS = 15625 /* CHOICES to the power of PAIRS */ };
    static const int32_t weights[CHOICES] = {0, 0, 1, 2, -1};
#ifdef DEVICE_TESTS
    const int step = 97; /* a launch costs more than a graph of three vertices */
#else
#ifdef APSP_SANITIZED
    const int quick = 29;
#else
    const int quick = uses_gpu(variant) ? 61 : 4; /* a launch costs more than a graph */
#endif
    const int step = is_slow(variant) ? stride(variant, 193) : quick;
#endif
    for (int number = (int)strlen(variant->name) % step; number < GRAPHS; number += step) {
        struct edge edges[PAIRS];
        int count = 0;
        int rest = number;
        for (int pair = 0; pair < PAIRS; pair++, rest /= CHOICES) {
            int u = pair / 2, v = (u + 1 + pair % 2) % 3;
            if (rest % CHOICES != 0)
                edges[count++] = (struct edge){u, v, weights[rest % CHOICES]};
        }
        struct graph g = graph_of(3, edges, count);
        bool right = solves(variant, variant->max_tile > 0 ? 1 + number % 3 : 0, &g);
        graph_free(&g);
        if (!right) {
            CU_FAIL("a graph on 3 vertices");
            return;
        }
    }
    CU_PASS("all graphs on 3 vertices");
}

static void test_all_graphs_on_three_vertices(void) {
    for_each_variant(check_three_vertices);
}

/* n = 1 .. 70 with every density, the kinds of weights in turn. */
static void check_sizes(const struct solver_variant *variant) {
    static const int percents[] = {2, 15, 70};
    struct random random = {1};
    /* A launch on the shim costs more than a graph. */
    const int launch = variant->solve == gpu_solve ? 3 : 1, quick = thinned(stride(variant, 11), 5);
    for (int32_t n = 1; n <= 70; n += quick > launch ? quick : launch) {
        for (int p = 0; p < COUNT(percents); p++) {
            enum weights weights = (enum weights)((n + p) % WEIGHT_KINDS);
            check_and_free(variant, 0, random_graph(&random, n, percents[p], weights));
        }
    }
}

static void test_every_small_size(void) {
    for_each_variant(check_sizes);
}

/* Sizes around multiples of every tile size that a variant takes. */
static void check_tiles(const struct solver_variant *variant) {
    static const int tiles[] = {1, 2, 3, 4, 7, 8, 16, 25, 31, 32};
    struct random random = {2};
    for (int t = 0; t < COUNT(tiles) && tiles[t] <= variant->max_tile; t++) {
        const int b = tiles[t];
        const int32_t sizes[] = {b - 1, b, b + 1, 2 * b - 1, 2 * b, 2 * b + 1, 3 * b + 1};
        for (int s = 0; s < COUNT(sizes); s++) {
            if (sizes[s] < 1)
                continue;
            enum weights weights = (enum weights)((t + s) % WEIGHT_KINDS);
            check_and_free(variant, b, random_graph(&random, sizes[s], 20, weights));
        }
    }
}

static void test_every_tile_size(void) {
    for_each_variant(check_tiles);
}

/* The sizes span several tiles and blocks, and some are those at which a variant's own
 * blocks end. */
static void check_larger(const struct solver_variant *variant) {
#ifdef DEVICE_TESTS
    static const int32_t sizes[] = {127, 128, 129, 191, 193, 251, 256, 257, 383, 509};
#else
    static const int32_t sizes[] = {97, 131};
#endif
#ifdef APSP_SANITIZED
    enum { LARGEST = 260 }; /* blocks and tiles end in the same manner in larger ones */
#else
    enum { LARGEST = 513 };
#endif
    static const struct {
        const char *variant;
        int32_t n;
        enum weights weights;
    } ends[] = {
        {"vector", 512, WEIGHTS_LARGE},      {"vector", 513, WEIGHTS_POSITIVE},
        {"batched-6x6", 193, WEIGHTS_LARGE}, {"batched", 191, WEIGHTS_LARGE},
        {"batched", 192, WEIGHTS_POSITIVE},  {"batched", 193, WEIGHTS_POSITIVE},
        {"batched", 223, WEIGHTS_LARGE},     {"batched", 385, WEIGHTS_POSITIVE},
        {"dpx32", 127, WEIGHTS_NEGATIVE},    {"dpx32", 128, WEIGHTS_POSITIVE},
        {"dpx32", 129, WEIGHTS_LARGE},       {"dpx32", 257, WEIGHTS_POSITIVE},
        {"dpx32", 257, WEIGHTS_NEGATIVE},
    };
    struct random random = {3};
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int kind = 0; kind < WEIGHT_KINDS; kind++)
            check_and_free(
                variant, 0,
                random_graph(&random, sizes[s], kind % 2 == 0 ? 3 : 25, (enum weights)kind));
    }
    for (int e = 0; e < COUNT(ends); e++) {
        if (strcmp(variant->name, ends[e].variant) == 0 && ends[e].n <= LARGEST)
            check_and_free(variant, 0, random_graph(&random, ends[e].n, 3, ends[e].weights));
    }
}

static void test_larger_sizes(void) {
    for_each_variant(check_larger);
}

/* A long chain (every distance has n - 1 edges at most), a complete graph of
 * zeros, no edges at all. */
static void check_shapes(const struct solver_variant *variant) {
    enum { N = 67 };
    struct edge edges[N * N];
    int64_t count = 0;
    for (int32_t v = 0; v + 1 < N; v++)
        edges[count++] = (struct edge){N - 1 - v, N - 2 - v, v % 3};
    check_and_free(variant, 0, graph_of(N, edges, count));
    edges[count++] = (struct edge){0, N - 1, 0};
    check_and_free(variant, 0, graph_of(N, edges, count));
    check_and_free(variant, 0, graph_of(N, edges, 0));
    count = 0;
    for (int32_t u = 0; u < N; u++) {
        for (int32_t v = 0; v < N; v++)
            edges[count++] = (struct edge){u, v, 0};
    }
    check_and_free(variant, 0, graph_of(N, edges, count));
}

static void test_shapes(void) {
    for_each_variant(check_shapes);
}

/* Distances at the edge of the range: the largest that fits, and one more; with a cycle of
 * weight zero too. */
static void check_range(const struct solver_variant *variant) {
    const struct solver_options options = {0};
    struct timing timing;
    for (int k = 0; k < 4; k++) {
        const bool beyond = k % 2 == 1, with_cycle = k / 2 == 1;
        const struct edge edges[] = {
            {0, 1, 1 << 29}, {1, 2, (1 << 29) - 2 + beyond}, {2, 3, 0}, {3, 2, 0}};
        struct graph g = graph_of(with_cycle ? 4 : 3, edges, with_cycle ? 4 : 2);
        struct matrix dist = new_matrix(g.n);
        struct error err;
        enum status status = solve(variant, &g, &options, &dist, NULL, NULL, 1, &timing, &err);
        CU_ASSERT_EQUAL(status, beyond || variant->exact_up_to > 0 ? STATUS_BAD_INPUT : STATUS_OK);
        if (variant->exact_up_to > 0) {
            CU_ASSERT(refuses(status, &err));
        } else if (beyond) {
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "from 0 to 2 is out of range"));
        } else {
            CU_ASSERT_EQUAL(matrix_row(&dist, 0)[2], INF - 1);
        }
        graph_free(&g);
        matrix_free(&dist);
    }
}

static void test_range_of_distances(void) {
    for_each_variant(check_range);
}

#ifndef DEVICE_TESTS
/* A graph without negative cycles whose distances and potentials come close to INF,
 * so that distances of the reweighted graph come close to 2 INF. */
static struct graph random_heavy_graph(struct random *random, int32_t n) {
    enum { MAX_N = 7 };
    struct edge edges[MAX_N * MAX_N];
    int32_t height[MAX_N];
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++)
        height[v] = random_in(random, 0, INF / 5 * 4);
    for (int32_t u = 0; u < n; u++) {
        for (int32_t v = 0; v < n; v++) {
            const int32_t drop = height[u] - height[v];
            const bool upwards = drop < 0 && random_in(random, 0, 1) == 0;
            const int32_t weight = upwards ? random_in(random, INF / 4, INF - 1)
                                           : drop + random_in(random, 0, 1 << 20);
            if (u != v && random_in(random, 1, 3) == 1)
                edges[count++] = (struct edge){u, v, weight};
        }
    }
    return graph_of(n, edges, count);
}

static bool all_in_range(const int64_t *distances, int32_t n) {
    bool in_range = true;
    for (int32_t c = 0; c < n * n; c++)
        in_range &= distances[c] == INT64_MAX || (distances[c] < INF && distances[c] > -INF);
    return in_range;
}

/* If distances fit but those of the reweighted graph do not, a variant that
 * takes potentials gives them, and only then `sequential` may refuse. */
static void check_potentials(const struct solver_variant *variant) {
    enum { GRAPHS = 1500 };
    const struct solver_options options = {0};
    struct random random = {10};
    int beyond_sequential = 0, out_of_range = 0;
    if (!variant->takes_potentials)
        return;
    for (int round = 0; round < GRAPHS; round++) {
        struct graph g = random_heavy_graph(&random, random_in(&random, 2, 7));
        struct matrix dist = new_matrix(g.n);
        struct timing timing;
        struct error err = {0};
        int64_t *expected;
        CU_ASSERT_FATAL(reference_distances(&g, &expected));
        if (all_in_range(expected, g.n)) {
            CU_ASSERT(solves(variant, 0, &g));
            const enum status plain = solve(solver_find(&cpu_solver, "sequential"), &g, &options,
                                            &dist, NULL, NULL, 1, &timing, &err);
            beyond_sequential += plain == STATUS_BAD_INPUT;
        } else {
            CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                            STATUS_BAD_INPUT);
            CU_ASSERT(strstr(err.text, "outside (") != NULL ||
                      strstr(err.text, "is out of range") != NULL);
            out_of_range++;
        }
        free(expected);
        matrix_free(&dist);
        graph_free(&g);
    }
    CU_ASSERT(beyond_sequential > 20);
    CU_ASSERT(out_of_range > 100);
}

static void test_reduced_weights_beyond_int32(void) {
    for_each_variant(check_potentials);
}

/* If several sources have distances that do not fit, the same one is named whatever the number of
 * threads. */
static void check_first_out_of_range(const struct solver_variant *variant) {
    enum { N = 200 };
    struct edge edges[N];
    if (!variant->takes_potentials)
        return;
    edges[0] = (struct edge){0, 1, -1000000000};
    for (int32_t v = 1; v + 1 < N; v++)
        edges[v] = (struct edge){v, v + 1, v < 40 ? 0 : 100000000};
    struct graph g = graph_of(N, edges, N - 1);
    struct matrix dist = new_matrix(N);
    for (int threads = 1; threads <= 4; threads++) {
        const struct solver_options options = {.threads = threads};
        struct timing timing;
        struct error err;
        CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                        STATUS_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(err.text, "the distance from 0 to 61 is 1100000000, outside "
                                         "(-1073741823, 1073741823)" RANGE_ADVICE);
    }
    graph_free(&g);
    matrix_free(&dist);
}

static void test_first_out_of_range(void) {
    for_each_variant(check_first_out_of_range);
}

/* The same bytes at any number of threads. */
static void check_threads(const struct solver_variant *variant) {
    enum { N = 211 };
    struct random random = {11};
    if (!variant->parallel)
        return;
    for (int kind = 0; kind < WEIGHT_KINDS; kind++) {
        struct graph g = random_graph(&random, N, kind % 2 == 0 ? 2 : 10, (enum weights)kind);
        struct matrix dist[2] = {new_matrix(N), new_matrix(N)};
        struct matrix pred[2] = {new_matrix(N), new_matrix(N)};
        for (int threads = 1; threads <= 4; threads++) {
            const struct solver_options options = {.threads = threads};
            const int at = threads > 1;
            struct timing timing;
            struct error err;
            const enum status status =
                solve(variant, &g, &options, &dist[at], &pred[at], NULL, 1, &timing, &err);
            if (refuses(status, &err))
                break;
            CU_ASSERT_EQUAL(status, STATUS_OK);
            CU_ASSERT(at == 0 ||
                      (same_matrix(&dist[0], &dist[1]) && same_matrix(&pred[0], &pred[1])));
        }
        graph_free(&g);
        for (int k = 0; k < 2; k++) {
            matrix_free(&dist[k]);
            matrix_free(&pred[k]);
        }
    }
}

static void test_threads(void) {
    for_each_variant(check_threads);
}
#endif

/* An edge heavier than any distance may be does not matter if a lighter path
 * leads round it. */
static void check_heavy_edge(const struct solver_variant *variant) {
    const struct edge edges[] = {{0, 2, INT32_MAX}, {0, 1, 1}, {1, 2, 1}, {3, 0, 1}};
    check_and_free(variant, 0, graph_of(4, edges, 4));
}

/* Before the edge from 150 by way of 299 counts, the only path known from 150 to 151
 * is twice as long as any distance. */
static void check_detour(const struct solver_variant *variant) {
    const struct edge edges[] = {{150, 0, 20000}, {0, 151, 20000}, {150, 299, 1}, {299, 151, 1}};
    if (variant->padding >= 128)
        check_and_free(variant, 0, graph_of(300, edges, 4));
}

static void test_heavy_edge(void) {
    for_each_variant(check_heavy_edge);
    for_each_variant(check_detour);
}

/* Distances as long as a variant promises, and one more: in one tile, and from tile
 * to tile. */
static void check_promised(const struct solver_variant *variant) {
    const int32_t most = variant->exact_up_to;
    if (most == 0)
        return;
    for (int32_t n = 3; n <= 300; n += 297) {
        for (int beyond = 0; beyond <= 1; beyond++) {
            const struct edge edges[] = {
                {0, n - 2, most / 2}, {n - 2, n - 1, most - most / 2 + beyond}, {1, n - 2, most}};
            check_and_free(variant, 0, graph_of(n, edges, 3));
        }
    }
}

/* If distances do not fit in 16 bits, but are close to one another in each row and column of a
 * tile, dpx16 solves all the same. */
static void check_close_distances(const struct solver_variant *variant) {
    enum { N = 131, TILE = 128 };
    struct edge edges[2 * N + N];
    int64_t count = 0;
    if (strcmp(variant->name, "dpx16") != 0)
        return;
    for (int32_t v = 0; v < N; v++) {
        const int32_t first = v / TILE * TILE, size = first == 0 ? TILE : N - TILE;
        edges[count++] = (struct edge){v, first + (v - first + 1) % size, 1 + v % 7};
        edges[count++] = (struct edge){v, first + (v - first + 5) % size, 3};
        if (v < TILE)
            edges[count++] = (struct edge){v, TILE + v % (N - TILE), 1000000 + v};
    }
    struct graph g = graph_of(N, edges, count);
    struct matrix dist = new_matrix(N);
    const struct solver_options options = {0};
    struct timing timing;
    struct error err;
    CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, NULL, NULL, 1, &timing, &err), STATUS_OK);
    matrix_free(&dist);
    check_and_free(variant, 0, g);
}

/* n vertices with edges of weight 1 to the next `degree`, but of this weight into one of
 * them, or out of it. */
static struct graph with_far_vertex(int32_t n, int32_t degree, int32_t far, bool out_of_it,
                                    int32_t weight) {
    enum { MAX_EDGES = 5000 };
    struct edge edges[MAX_EDGES];
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++) {
        for (int32_t next = 1; next <= degree && count < MAX_EDGES; next++) {
            const int32_t to = (v + next) % n;
            const bool is_far = far == (out_of_it ? v : to);
            edges[count++] = (struct edge){v, to, is_far ? weight : 1};
        }
    }
    return graph_of(n, edges, count);
}

/* Only the way to one vertex, wherever in a word its column is, or from one, the last of
 * those whose paths are looked at together, is longer than words are, by one: that must not
 * pass for none. */
static void check_far_vertex(const struct solver_variant *variant) {
    enum { N = 110, DEGREE = 40, COLUMNS = 4, BEHIND = 96 /* in the second half of any tile */ };
    const bool is_resident = strcmp(variant->name, "resident") == 0;
    const int32_t too_long = is_resident ? 32767 : variant->exact_up_to + 1;
    if (variant->solve != gpu_solve || (variant->exact_up_to == 0 && !is_resident))
        return;
    for (int k = 0; k < 2 * COLUMNS; k++) {
        const int32_t far = k / COLUMNS * BEHIND + COLUMNS + k % COLUMNS;
        check_and_free(variant, 0, with_far_vertex(N, DEGREE, far, false, too_long));
    }
    check_and_free(variant, 0, with_far_vertex(N, DEGREE, BEHIND - 1, true, too_long));
}

/* Checks sizes around those of the tiles of `tensor`, which have room for 127 vertices. */
static void check_tensor_tiles(const struct solver_variant *variant) {
    static const int32_t sizes[] = {127, 128, 254, 255};
    for (int s = 0; s < COUNT(sizes) && strcmp(variant->name, "tensor") == 0; s++)
        check_and_free(variant, 0, with_far_vertex(sizes[s], 13, 99, false, 3));
}

static void test_few_bits(void) {
    for_each_variant(check_promised);
    for_each_variant(check_close_distances);
    for_each_variant(check_far_vertex);
    for_each_variant(check_tensor_tiles);
}

/* Paths of equal edges as long as 15 and 16 bits, less the heaviest edge, can count, and
 * one more: a variant that begins with such words goes on with larger ones. */
static void check_lengths(const struct solver_variant *variant) {
    enum { MAX_N = 7 };
    static const struct {
        int32_t edges, weight;
    } paths[] = {
        {2, 16383}, {2, 16384}, {3, 11000}, {7, 4681},  {7, 4680},  {7, 4682},
        {4, 13107}, {4, 13106}, {4, 13108}, {1, 32766}, {1, 32767}, {1, 32768},
        {3, 21845}, {3, 21844}, {1, 65535}, {1, 65534}, {1, 65536}, {2, 40000},
    };
    for (int k = 0; k < COUNT(paths); k++) {
        struct edge edges[MAX_N];
        for (int32_t v = 0; v < paths[k].edges; v++)
            edges[v] = (struct edge){v, v + 1, paths[k].weight};
        check_and_free(variant, 0, graph_of(paths[k].edges + 1, edges, paths[k].edges));
    }
}

static void test_lengths(void) {
    for_each_variant(check_lengths);
}

/* Into one vertex lead edges from all others, each the shortest path from its own tail:
 * more than are looked at at once, in the order of vertices or of weight. */
static void check_many_edges(const struct solver_variant *variant) {
    enum { MAX_N = 1100 };
    struct edge edges[MAX_N + 1];
    if (!variant->derives_pred)
        return;
    const bool label_correcting = variant->padding < 128;
    const int32_t n = label_correcting ? MAX_N : 300;
    const int orders = label_correcting ? 2 : 1;
    for (int by_weight = 0; by_weight < orders; by_weight++) {
        for (int32_t v = 1; v < n; v++)
            edges[v - 1] = (struct edge){v, 0, by_weight ? n - v : 9};
        edges[n - 2].weight = 1;
        edges[n - 1] = (struct edge){1, n - 1, 1};
        edges[n] = (struct edge){2, 1, 3};
        check_and_free(variant, 0, graph_of(n, edges, n + 1));
    }
}

static void test_many_edges(void) {
    for_each_variant(check_many_edges);
}

/* Repetitions start from the same input and give the same bytes. */
static void check_repetitions(const struct solver_variant *variant) {
    enum { REPETITIONS = 3, N = 45 };
    const struct solver_options options = {0};
    struct random random = {4};
    struct graph g = random_graph(&random, N, 10, WEIGHTS_ZERO);
    struct matrix once = new_matrix(N), pred = new_matrix(N), often = new_matrix(N),
                  pred_often = new_matrix(N);
    struct timing timings[REPETITIONS] = {{0}};
    struct error err;
    const bool with_pred = !variant->distances_only;
    CU_ASSERT_EQUAL(
        solve(variant, &g, &options, &once, with_pred ? &pred : NULL, NULL, 1, timings, &err),
        STATUS_OK);
    CU_ASSERT_EQUAL(solve(variant, &g, &options, &often, with_pred ? &pred_often : NULL, NULL,
                          REPETITIONS, timings, &err),
                    STATUS_OK);
    CU_ASSERT(same_matrix(&once, &often));
    if (with_pred)
        CU_ASSERT(same_matrix(&pred, &pred_often));
    for (int r = 0; r < REPETITIONS; r++) {
        CU_ASSERT(timings[r].solve_s > 0);
        CU_ASSERT(timings[r].total_s >= timings[r].solve_s + timings[r].transfer_s);
        CU_ASSERT_EQUAL(timings[r].transfer_s > 0, uses_gpu(variant));
    }
    graph_free(&g);
    matrix_free(&once);
    matrix_free(&pred);
    matrix_free(&often);
    matrix_free(&pred_often);
}

static void test_repetitions(void) {
    for_each_variant(check_repetitions);
}

/* A launch function that leaves the adjacency matrices as they are. */
static enum status leave_unsolved(const struct gpu_matrices *m, struct progress *progress,
                                  struct error *err) {
    (void)progress, (void)err;
#ifdef DEVICE_TESTS
    (void)m;
#else
    for (int32_t i = 0; i < m->order && m->state == NULL; i++) {
        for (int32_t j = i < m->n ? m->n : 0; j < m->order; j++)
            CU_ASSERT_EQUAL_FATAL(m->dist[(size_t)i * m->ld + (size_t)j], INF);
    }
#endif
    return STATUS_OK;
}

/* The variant of a solver, by their names. */
static const struct solver_variant *variant_of(const char *solver, const char *name) {
    const struct solver_variant *variant = NULL;
    for (int s = 0; s < ENGINE_SOLVERS && variant == NULL; s++) {
        if (strcmp(engines[s]->program, solver) == 0)
            variant = solver_find(engines[s], name);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(variant);
    return variant;
}

/* Solves on a GPU with nothing before or after. */
static enum status solve_on_gpu(const struct solver_variant *variant, const struct graph *g,
                                const struct solver_options *options, bool with_pred,
                                struct progress *progress, struct row_sink *sink,
                                struct error *err) {
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    struct delivery delivery = {.graph = g,
                                .limit = NO_LIMIT,
                                .sources = {NULL, g->n},
                                .with_pred = with_pred,
                                .sink = sink,
                                .ready_made = true};
    const struct solver_task task = {.graph = g,
                                     .limit = NO_LIMIT,
                                     .delivery = &delivery,
                                     .predecessors = with_pred,
                                     .repetitions = 1,
                                     .progress = progress,
                                     .options = options};
    enum status status = STATUS_OK;
    TRY(delivery_open(&delivery, 1, err));
    TRY(gpu_solve(variant, &task, &times, err));
cleanup:
    delivery_close(&delivery);
    return status;
}

static bool stop_at_once(void *calls, int64_t done, int64_t total) {
    (void)done, (void)total;
    ++*(int *)calls;
    return false;
}

/* Loops of launches end soon after progress says so. */
static void test_stopped_launches(void) {
    static const char *const loops[][2] = {
        {"cuda_simple", "naive"}, {"cuda_simple", "vector"}, {"cuda_blocked", "tile32"}};
    const struct solver_options options = {0};
    struct random random = {12};
    struct graph g = random_graph(&random, 200, 3, WEIGHTS_POSITIVE);
    struct matrix dist = new_matrix(g.n);
    for (int k = 0; k < COUNT(loops); k++) {
        int calls = 0;
        struct progress progress = {.on_report = stop_at_once, .callback_context = &calls};
        struct matrix_sink sink;
        struct error err;
        matrix_sink_begin(&sink, &dist, NULL);
        CU_ASSERT_EQUAL(solve_on_gpu(variant_of(loops[k][0], loops[k][1]), &g, &options, false,
                                     &progress, &sink.sink, &err),
                        STATUS_CANCELLED);
        CU_ASSERT_EQUAL(calls, 1);
    }
    matrix_free(&dist);
    graph_free(&g);
}

#ifndef DEVICE_TESTS
static const struct solver_variant *stopped_variant;
static struct progress stopped;

/* Launches kernels that are told to stop before they begin. */
static enum status launch_stopped(const struct gpu_matrices *m, struct progress *progress,
                                  struct error *err) {
    if (!m->warm_up) {
        progress_stop(&stopped);
        *m->stop.word = 1;
        m->dist[m->n / 2] = INF;
    }
    const enum status status = stopped_variant->launch(m, progress, err);
    CU_ASSERT(m->warm_up || m->dist[m->n / 2] == INF);
    return status;
}

/* Kernels that may take long return when they are told to, and what they leave is no answer. */
static void test_stopped_kernels(void) {
    enum { N = 300 };
    static const char *const names[] = {"queued", "multisource", "auto"};
    const struct solver_options options = {0};
    struct edge edges[N];
    struct matrix dist = new_matrix(N);
    for (int32_t v = 0; v < N; v++)
        edges[v] = (struct edge){v, (v + 1) % N, 1};
    struct graph g = graph_of(N, edges, N);
    for (int k = 0; k < COUNT(names); k++) {
        struct solver_variant variant = *variant_of("cuda_sparse", names[k]);
        struct matrix_sink sink;
        struct error err;
        stopped_variant = variant_of("cuda_sparse", names[k]);
        stopped = (struct progress){0};
        variant.launch = launch_stopped;
        matrix_sink_begin(&sink, &dist, NULL);
        CU_ASSERT_EQUAL(solve_on_gpu(&variant, &g, &options, false, &stopped, &sink.sink, &err),
                        STATUS_CANCELLED);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    }
    matrix_free(&dist);
    graph_free(&g);
}
#endif

/* GPU variants start from the same matrix as CPU variants: at sizes around those of warps, blocks
 * and padding, and at one whose matrices come back in several chunks. */
static void test_gpu_adjacency(void) {
    static const int32_t sizes[] = {1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 1700};
    static const int paddings[] = {0, 32, 128};
    const struct solver_options options = {0};
    struct random random = {9};
    for (int s = 0; s < COUNT(sizes); s++) {
        const int32_t n = sizes[s];
        struct graph g = random_graph(&random, n, s % 2 == 0 ? 80 : 3, WEIGHTS_LARGE);
        for (int64_t e = 0; e < g.m; e += 3)
            g.weight[e] = INF - 1 + (int32_t)(e % 4); /* from INF on: no edge */
        struct matrix dist = new_matrix(n), pred = new_matrix(n), expected_dist = new_matrix(n),
                      expected_pred = new_matrix(n);
        graph_to_matrices(&g, &expected_dist, &expected_pred);
        for (int p = 0; p < 2 * COUNT(paddings); p++) {
            const struct solver_variant unsolved = {.launch = leave_unsolved,
                                                    .padding = paddings[p / 2]};
            struct matrix_sink sink;
            struct error err;
            matrix_sink_begin(&sink, &dist, p % 2 == 0 ? &pred : NULL);
            CU_ASSERT_EQUAL(
                solve_on_gpu(&unsolved, &g, &options, p % 2 == 0, NULL, &sink.sink, &err),
                STATUS_OK);
            CU_ASSERT(same_matrix(&dist, &expected_dist));
            CU_ASSERT(same_matrix(&pred, &expected_pred));
        }
        graph_free(&g);
        matrix_free(&dist);
        matrix_free(&pred);
        matrix_free(&expected_dist);
        matrix_free(&expected_pred);
    }
}

static int launches_until_refusal;

static enum status refuse(const struct gpu_matrices *m, struct progress *progress,
                          struct error *err) {
    CU_ASSERT(m->in.m == 0 || m->n > 1); /* one vertex, no edges: to load the kernels */
    (void)progress;
    return --launches_until_refusal > 0
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT, "variant some is not exact for this graph: reason");
}

/* A variant may say at any launch that it cannot promise exact distances. */
static void test_variant_not_exact(void) {
    enum { REPETITIONS = 2, LAUNCHES = REPETITIONS + 2 /* loading the kernels, warm-up */ };
    const struct solver_variant some = {.solve = gpu_solve, .by_rows = true, .launch = refuse};
    const struct solver_options options = {0};
    const struct edge edges[] = {{0, 1, 3}, {1, 2, -1}};
    struct matrix dist = new_matrix(3);
    for (int negative = 0; negative <= 1; negative++) {
        struct graph g = graph_of(3, edges, 1 + negative);
        for (int launch = 1; launch <= LAUNCHES; launch++) {
            struct timing timings[REPETITIONS];
            struct error err;
            launches_until_refusal = launch;
            CU_ASSERT_EQUAL(
                solve(&some, &g, &options, &dist, NULL, NULL, REPETITIONS, timings, &err),
                STATUS_BAD_INPUT);
            CU_ASSERT_EQUAL(launches_until_refusal, 0);
            CU_ASSERT_STRING_EQUAL(
                err.text, negative ? "with weights made non-negative, variant some is not exact "
                                     "for this graph: reason"
                                   : "variant some is not exact for this graph: reason");
#ifndef DEVICE_TESTS
            CU_ASSERT_EQUAL(cuda_shim_held(), 0);
#endif
        }
        graph_free(&g);
    }
    matrix_free(&dist);
}

static void test_registries(void) {
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        CU_ASSERT_PTR_NOT_NULL(solver_find(engines[s], engines[s]->default_variant));
        CU_ASSERT_PTR_NULL(solver_find(engines[s], "no such variant"));
        for (size_t v = 0; v < engines[s]->variant_count; v++) {
            const struct solver_variant *variant = &engines[s]->variants[v];
            CU_ASSERT_PTR_EQUAL(solver_find(engines[s], variant->name), variant);
            CU_ASSERT_PTR_NOT_NULL(variant->solve);
            CU_ASSERT(variant->max_tile == 0 || variant->default_tile <= variant->max_tile);
            if (variant->solve == gpu_solve)
                CU_ASSERT(variant->launch != NULL && variant->by_rows);
        }
    }
}

static void test_engine_names(void) {
    static const char *const none[] = {
        "", ":", "cpu:", "cpu:none", ":auto", "cp", "cpus", "cpu:auto:", "none:auto", "auto",
    };
    struct engine engine;
    char name[64];
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        CU_ASSERT(engine_find(engines[s]->program, &engine));
        CU_ASSERT_PTR_EQUAL(engine.solver, engines[s]);
        CU_ASSERT_STRING_EQUAL(engine.variant->name, engines[s]->default_variant);
        for (size_t v = 0; v < engines[s]->variant_count; v++) {
            const struct engine wanted = {engines[s], &engines[s]->variants[v]};
            CU_ASSERT(engine_find(engine_name(&wanted, name, sizeof name), &engine));
            CU_ASSERT_PTR_EQUAL(engine.solver, wanted.solver);
            CU_ASSERT_PTR_EQUAL(engine.variant, wanted.variant);
        }
    }
    for (int k = 0; k < COUNT(none); k++)
        CU_ASSERT_FALSE(engine_find(none[k], &engine));
}

#ifndef DEVICE_TESTS
/* A kernel that lacks a barrier depends on the order of its threads. */
static void check_orders(const struct solver_variant *variant) {
    static const enum cuda_shim_order orders[] = {CUDA_SHIM_DESCENDING, CUDA_SHIM_SHUFFLED};
    struct random random = {5};
    /* All blocks of `resident` run at once and wait for one another: nine of them. */
    const int32_t most = strcmp(variant->name, "resident") == 0 ? 185 : 100;
    if (variant->solve != gpu_solve)
        return;
    for (int o = 0; o < COUNT(orders); o++) {
        cuda_shim_set_order(orders[o]);
        for (int32_t n = 5; n <= most; n += is_slow(variant) ? 90 : 19) {
            for (int kind = 0; kind < WEIGHT_KINDS; kind += 2)
                check_and_free(variant, 0, random_graph(&random, n, 15, (enum weights)kind));
        }
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

static void test_any_order_of_threads(void) {
    for_each_variant(check_orders);
}

/* Every CUDA call in turn goes wrong in the way that `after` sets, or every third if all later ones
 * do so, too: a status and a line, nothing leaked. */
static void check_failures_with(const struct solver_variant *variant, const struct graph *g,
                                int (*after)(int countdown)) {
    const struct solver_options options = {0};
    struct matrix dist = {0}, pred = new_matrix(g->n);
    struct timing timing;
    struct error none;
    int call = 1, spared = 0; /* calls whose failure does not matter: of pinned memory */
    CU_ASSERT_FATAL(matrix_alloc_typed(&dist, g->type, g->n, g->n, "D", &none) == STATUS_OK);
    for (bool failed = true; failed; call += after == cuda_shim_lose_after ? 3 : 1) {
        struct error err = {0};
        after(call);
        enum status status = solve(variant, g, &options, &dist,
                                   variant->distances_only ? NULL : &pred, NULL, 1, &timing, &err);
        failed = after(0) == 0;
        CU_ASSERT(status == STATUS_OK || (failed && status == STATUS_NO_RESOURCE));
        CU_ASSERT_EQUAL(strstr(err.text, "unknown error") != NULL, status != STATUS_OK);
        spared += failed && status == STATUS_OK;
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        CU_ASSERT_EQUAL(cuda_shim_pending(), 0);
    }
    CU_ASSERT(call > 10 && spared <= 1);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* With integers, and with real weights where a GPU refines the rows: one of each kind of rung. */
static void check_failures(const struct solver_variant *variant, int (*after)(int countdown)) {
    const bool refines = variant->launch_refined != NULL && (strcmp(variant->name, "thesis") == 0 ||
                                                             variant->exact_up_to > INT16_MAX / 2);
    struct random random = {6};
    if (variant->solve != gpu_solve)
        return;
    struct graph g = random_graph(&random, 4, 50, WEIGHTS_ZERO);
    check_failures_with(variant, &g, after);
    graph_free(&g);
    if (!refines)
        return;
    g = random_real_graph(&random, 4, 50, NUMBER_FLOAT64, UNIFORM);
    check_failures_with(variant, &g, after);
    graph_free(&g);
}

static void check_call_failing(const struct solver_variant *variant) {
    check_failures(variant, cuda_shim_fail_after);
}

static void test_cuda_failures(void) {
    for_each_variant(check_call_failing);
}

/* From some call on every one fails, and nothing that is asked is answered. */
static void check_device_lost(const struct solver_variant *variant) {
    check_failures(variant, cuda_shim_lose_after);
}

static void test_device_lost(void) {
    for_each_variant(check_device_lost);
}

static void keep_choice(void *to, const char *variant, const char *why) {
    (void)why;
    *(const char **)to = variant;
}

/* Which variant `auto` takes for a graph of n vertices, each with edges of this
 * weight to the next five. */
static const char *choice(const struct solver_variant *variant, int32_t n, int32_t weight) {
    const char *chosen = "";
    const struct solver_options options = {.on_choice = keep_choice, .callback_context = &chosen};
    struct edge edges[5 * 200];
    int64_t count = 0;
    struct timing timing;
    struct error err;
    for (int32_t v = 0; v < n; v++) {
        for (int32_t next = 1; next <= 5; next++)
            edges[count++] = (struct edge){v, (v + next) % n, weight};
    }
    struct graph g = graph_of(n, edges, count);
    struct matrix dist = new_matrix(n);
    CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, NULL, NULL, 1, &timing, &err), STATUS_OK);
    graph_free(&g);
    matrix_free(&dist);
    return chosen;
}

static void check_choice(const struct solver_variant *variant) {
    enum { HOPPER = 9, KIB = 1024 };
    if (variant->solve != gpu_solve)
        return;
    if (strcmp(variant->name, "auto") != 0) {
        CU_ASSERT_STRING_EQUAL(choice(variant, 33, 1), "");
        return;
    }
    if (variant == solver_find(&cuda_sparse_solver, "auto")) {
        CU_ASSERT_STRING_EQUAL(choice(variant, 33, 1), "multisource");
        return; /* more: test_sparse.c */
    }
    CU_ASSERT_STRING_EQUAL(choice(variant, 32, 1), "thesis");
    CU_ASSERT_STRING_EQUAL(choice(variant, 33, 1), "resident");
    CU_ASSERT_STRING_EQUAL(choice(variant, 33, 1000000), "resident");
    cuda_shim_set_occupancy(0);
    CU_ASSERT_STRING_EQUAL(choice(variant, 33, 1), "tensor");
    CU_ASSERT_STRING_EQUAL(choice(variant, 33, 1000), "dpx16");
    CU_ASSERT_STRING_EQUAL(choice(variant, 33, 1000000), "dpx32");
    CU_ASSERT_STRING_EQUAL(choice(variant, 200, 1), "dpx16"); /* 40 edges deep */
    cuda_shim_set_capability(HOPPER, 48 * KIB);
    CU_ASSERT_STRING_EQUAL(choice(variant, 33, 1), "tile64");
    cuda_shim_set_capability(HOPPER, 227 * KIB);
    cuda_shim_set_occupancy(16);
}

static void test_choice(void) {
    for_each_variant(check_choice);
}

static void keep_memory(void *to, const struct gpu_memory *memory) {
    *(struct gpu_memory *)to = *memory;
}

/* Wants no more rows. */
static enum status take_enough(struct row_sink *self, const struct row_block *block,
                               struct error *err) {
    (void)self, (void)block;
    return fail(err, STATUS_CANCELLED, "enough");
}

/* Goes through the motions of solving n vertices and three edges when `bytes` of
 * GPU memory are free; *memory stays as it is if that is refused. */
static enum status try_size(const struct solver_variant *variant, int32_t n, bool with_pred,
                            size_t bytes, struct gpu_memory *memory, struct error *err) {
    const struct edge edges[] = {{0, 1, 5}, {1, 2, 6}, {2, 0, 7}};
    const struct solver_options options = {.on_memory = keep_memory, .callback_context = memory};
    struct solver_variant unsolved = *variant;
    struct graph g = graph_of(n, edges, COUNT(edges));
    struct row_sink sink = {.take = take_enough};
    unsolved.launch = leave_unsolved;
    cuda_shim_set_memory(bytes);
    const enum status status = solve_on_gpu(&unsolved, &g, &options, with_pred, NULL, &sink, err);
    cuda_shim_set_memory((size_t)1 << 30);
    graph_free(&g);
    return status == STATUS_CANCELLED ? STATUS_OK : status;
}

/* The memory that is said to be needed is enough, one byte less is not; the largest |V| said to fit
 * does, and no larger one. */
static void check_memory(const struct solver_variant *variant) {
    enum { N = 40, MIB = 1 << 20 };
    static const size_t amounts[] = {48 * MIB, 49 * MIB + 1, 52 * MIB - 1};
    if (variant->solve != gpu_solve)
        return;
    for (int with_pred = 0; with_pred <= 1; with_pred++) {
        struct gpu_memory memory = {0};
        struct error err;
        char expected[64];
        CU_ASSERT_EQUAL(try_size(variant, N, with_pred, SIZE_MAX / 2, &memory, &err), STATUS_OK);
        CU_ASSERT(memory.needed > N * N * sizeof(int32_t));
        CU_ASSERT_EQUAL(memory.free, SIZE_MAX / 2);
        CU_ASSERT(memory.max_vertices > 100000000 && memory.max_vertices < INT32_MAX);
        CU_ASSERT_EQUAL(try_size(variant, N, with_pred, memory.needed, &memory, &err), STATUS_OK);
        CU_ASSERT_EQUAL(try_size(variant, N, with_pred, memory.needed - 1, &memory, &err),
                        STATUS_NO_RESOURCE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "40 vertices need 0.0"));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "at most 0 vertices fit"));
        for (int k = 0; k < COUNT(amounts); k++) {
            CU_ASSERT_EQUAL(try_size(variant, N, with_pred, amounts[k], &memory, &err), STATUS_OK);
            const int32_t most = memory.max_vertices;
            CU_ASSERT(most > N);
            CU_ASSERT_EQUAL(try_size(variant, most, with_pred, amounts[k], &memory, &err),
                            STATUS_OK);
            CU_ASSERT_EQUAL(memory.max_vertices, most);
            CU_ASSERT_EQUAL(try_size(variant, most + 1, with_pred, amounts[k], &memory, &err),
                            STATUS_NO_RESOURCE);
            snprintf(expected, sizeof expected, "at most %d vertices fit", most);
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
        }
    }
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
}

static void test_gpu_memory(void) {
    for_each_variant(check_memory);
}

/* GPUs before Hopper: whatever a variant needs and has not, it says so, and the
 * default variant does without. */
static void test_lesser_gpus(void) {
    static const struct {
        int major, shared_bytes;
        const char *refusing, *reason;
    } gpus[] = {
        {7, 64 * 1024, "tensor", "needs a GPU of compute capability 8.0 or later, found 7.x"},
        {7, 64 * 1024, "dpx32", "KiB of shared memory for a block, the GPU has 64.0"},
        {8, 99 * 1024, "tensor", "KiB of shared memory for a block, the GPU has 99.0"},
    };
    const struct solver_options options = {0};
    struct random random = {9};
    /* More vertices than the shim's device keeps resident. */
    struct graph g = random_graph(&random, 333, 5, WEIGHTS_LARGE);
    struct matrix dist = new_matrix(g.n);
    for (int k = 0; k < COUNT(gpus); k++) {
        struct timing timing;
        struct error err = {0};
        cuda_shim_set_capability(gpus[k].major, gpus[k].shared_bytes);
        CU_ASSERT_EQUAL(solve(solver_find(&cuda_blocked_solver, gpus[k].refusing), &g, &options,
                              &dist, NULL, NULL, 1, &timing, &err),
                        STATUS_NO_RESOURCE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, gpus[k].reason));
        if (k == 0 || gpus[k].major != gpus[k - 1].major)
            CU_ASSERT(solves(solver_find(&cuda_blocked_solver, "auto"), 0, &g));
    }
    cuda_shim_set_capability(9, 227 * 1024);
    graph_free(&g);
    matrix_free(&dist);
}

/* A graph of six tiles all of whose distances are short; or, with `far`, short within
 * tiles, and long, but close to one another, from each to the next of a chain, in which they
 * are not in the order in which they are solved. */
static struct graph six_tiles(bool far) {
    enum { N = 660, TILE = 128, STEPS = 4, TILES = 6 };
    static const int32_t steps[STEPS] = {1, 7, 41, 173};
    static const int32_t next_tile[TILES] = {4, 5, -1, 0, 1, 2}; /* 3, 0, 4, 1, 5, 2 */
    struct edge edges[(STEPS + 1) * N];
    int64_t count = 0;
    for (int32_t v = 0; v < N; v++) {
        const int32_t first = far ? v / TILE * TILE : 0;
        const int32_t size = !far ? N : N - first < TILE ? N - first : TILE;
        for (int k = 0; k < STEPS; k++)
            edges[count++] =
                (struct edge){v, first + (v - first + steps[k]) % size, 1 + (v + k) % 2};
        if (far && next_tile[v / TILE] >= 0) {
            const int32_t next = next_tile[v / TILE] * TILE;
            const int32_t room = N - next < TILE ? N - next : TILE;
            edges[count++] = (struct edge){v, next + (v - first) % room, 1000000 + v % 9};
        }
    }
    return graph_of(N, edges, count);
}

/* On a GPU that has fewer blocks than there is work for: pieces of several tiles. */
static void check_strips(const char *name, bool far) {
    const struct solver_options options = {0};
    struct graph g = six_tiles(far);
    struct matrix dist = new_matrix(g.n);
    struct timing timing;
    struct error err = {0};
    cuda_shim_set_multiprocessors(1);
    CU_ASSERT_EQUAL(solve(solver_find(&cuda_blocked_solver, name), &g, &options, &dist, NULL, NULL,
                          1, &timing, &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL(certify(&g, &dist, NULL, 1, &err), STATUS_OK);
    cuda_shim_set_multiprocessors(2);
    graph_free(&g);
    matrix_free(&dist);
}

static void test_strips(void) {
#ifndef APSP_SANITIZED
    check_strips("dpx32", true);
    check_strips("tensor", false);
    check_strips("dpx16", true);
#endif
    check_strips("dpx16", false);
}

/* Label correcting keeps as many labels for a vertex as fit: 4, 2 or 1 words. */
static void test_less_shared_memory(void) {
    enum { N = 61, WORD = N * sizeof(int32_t) };
    static const int shared_bytes[] = {4 * WORD, 4 * WORD - 1, 2 * WORD, 2 * WORD - 1, WORD};
    struct random random = {13};
    for (int k = 0; k < COUNT(shared_bytes); k++) {
        cuda_shim_set_capability(9, shared_bytes[k]);
        for (int kind = 0; kind < WEIGHT_KINDS; kind++) {
            check_and_free(solver_find(&cuda_sparse_solver, "multisource"), 0,
                           random_graph(&random, N, 8, (enum weights)kind));
        }
    }
    cuda_shim_set_capability(9, 227 * 1024);
}

static void test_device_number(void) {
    const struct solver_options options = {.device = 1};
    struct random random = {8};
    struct graph g = random_graph(&random, 4, 50, WEIGHTS_POSITIVE);
    struct matrix dist = new_matrix(4);
    struct timing timing;
    struct error err;
    CU_ASSERT_EQUAL(
        solve(&cuda_blocked_solver.variants[0], &g, &options, &dist, NULL, NULL, 1, &timing, &err),
        STATUS_NO_RESOURCE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected a device in 0 .. 0, found 1"));
    graph_free(&g);
    matrix_free(&dist);
}
#endif

CU_TestInfo solver_tests[] = {
    {"registries are complete", test_registries},
    {"names of engines", test_engine_names},
    {"golden examples", test_golden_examples},
    {"all graphs on 3 vertices", test_all_graphs_on_three_vertices},
    {"n = 1 .. 70", test_every_small_size},
    {"sizes around every tile size", test_every_tile_size},
    {"sizes of several tiles", test_larger_sizes},
    {"chain, ring, complete graph of zeros, no edges", test_shapes},
    {"largest distance that fits, and one more", test_range_of_distances},
    {"edge and detour longer than any distance", test_heavy_edge},
    {"distances as long as promised, and close ones", test_few_bits},
    {"distances as long as words are", test_lengths},
    {"many edges into one vertex", test_many_edges},
#ifndef DEVICE_TESTS
    {"reduced weights beyond int32", test_reduced_weights_beyond_int32},
    {"which distance is named as out of range", test_first_out_of_range},
    {"1 to 4 threads", test_threads},
#endif
    {"repetitions", test_repetitions},
    {"adjacency matrices on the GPU", test_gpu_adjacency},
    {"a variant that is not exact", test_variant_not_exact},
    {"loops of launches that are to stop", test_stopped_launches},
#ifndef DEVICE_TESTS
    {"kernels that are to stop", test_stopped_kernels},
    {"any order of threads and blocks", test_any_order_of_threads},
    {"every CUDA call failing", test_cuda_failures},
    {"the device disappears at every CUDA call", test_device_lost},
    {"what auto takes", test_choice},
    {"largest |V| that fits into GPU memory", test_gpu_memory},
    {"GPUs that lack what variants need", test_lesser_gpus},
    {"several tiles at a time", test_strips},
    {"GPUs with room for fewer labels", test_less_shared_memory},
    {"device number out of range", test_device_number},
#endif
    CU_TEST_INFO_NULL,
};
