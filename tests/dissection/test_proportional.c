// SPDX-License-Identifier: MIT
/* Totals of proportional rows against those of the reference's rows: for regions nested as deep as
 * small graphs let them be, every instruction set, any number of threads and sources. */
#include "dissection/order.h" // order_is_available
#include "tests/unit/eliminated.h"

#include <stdio.h>
#include <stdlib.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

static const struct regions_options deep = {.leaf = 1, .ratio = 2, .worth = 1, .worth_width = 0};
static const struct regions_options nested = {.leaf = 4, .ratio = 3, .worth = 6, .worth_width = 1};
static const struct regions_options flat = {.leaf = 1 << 20, .ratio = 2};

/* The totals of every `apart`th position. */
static void check(const struct eliminated *s, bool reversed,
                  const struct proportional_options *options, int32_t apart) {
    const int32_t n = s->d.tree.n;
    const struct proportional_graph g = eliminated_graph(s, reversed);
    int32_t *source = calloc((size_t)n, sizeof *source);
    struct row_totals *out = malloc(sizeof *out * (size_t)n);
    const int32_t count = some_positions(n, apart, source);
    struct error err = {""};
    bool pays = false;
    CU_ASSERT_EQUAL_FATAL(proportional_totals(&g, options, source, count, out, &pays, &err),
                          STATUS_OK);
    CU_ASSERT(pays && totals_are(s, reversed, source, count, out));
    free(source);
    free(out);
}

static void check_all(const struct graph *g, int32_t apart) {
    const struct regions_options *const cuts[] = {&deep, &nested, &flat, NULL};
    struct eliminated s;
    eliminated_begin(&s, g);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        for (int k = 0; k < 4 && isa_is_supported((enum isa)isa); k++) {
            struct proportional_options options = {
                .threads = 1 + k, .isa = (enum isa)isa, .cut = cuts[k], .anyway = true};
            check(&s, k % 2 > 0, &options, 1);
            options.at_a_time = 1 + g->n / 3;
            check(&s, k % 2 == 0, &options, apart < g->n ? apart : 1);
        }
    }
    eliminated_end(&s);
}

/* Every graph of up to three vertices with lengths of 0, 1 or none. */
static void test_small(void) {
    for (int32_t n = 1; n <= 3 && !skipped(); n++) {
        const int32_t pairs = n * (n - 1);
        int all = 1;
        for (int32_t k = 0; k < pairs; k++)
            all *= 3;
        for (int code = 0; code < all; code++) {
            struct edge edges[6];
            int64_t count = 0;
            int left = code;
            for (int32_t from = 0; from < n; from++) {
                for (int32_t to = 0; to < n; to++) {
                    if (from == to)
                        continue;
                    if (left % 3 < 2)
                        edges[count++] = (struct edge){from, to, left % 3};
                    left /= 3;
                }
            }
            struct graph g = graph_of(n, edges, count);
            check_all(&g, 2);
            graph_free(&g);
        }
    }
}

/* Directed graphs, most of them in several parts; and undirected ones, whose lengths are large. */
static void test_random(void) {
    struct random random = {41};
    for (int round = 0; round < 30 && !skipped(); round++) {
        const int32_t n = random_in(&random, 2, 90);
        struct graph g = random_graph(&random, n, n < 20 ? 12 : random_in(&random, 1, 4),
                                      round % 3 == 0 ? WEIGHTS_ZERO : WEIGHTS_POSITIVE);
        check_all(&g, random_in(&random, 2, 7));
        graph_free(&g);
    }
}

/* Threads share regions of so many rows. The answer is that of a row at a time. */
static void test_threads(void) {
    enum { N = 3000, THREADS = 4 };
    struct eliminated s;
    if (skipped())
        return;
    struct graph g = long_path(N, 3);
    eliminated_begin_large(&s, &g);
    for (int threads = 1; threads <= THREADS; threads++) {
        const struct proportional_options options = {
            .threads = threads, .isa = isa_best(), .cut = &nested, .anyway = true};
        check(&s, false, &options, 1);
    }
    eliminated_end(&s);
    graph_free(&g);
}

/* It pays on a long path, and neither for few sources nor where rows have nothing in common. */
static void test_pays(void) {
    enum { N = 30000, SMALL = 400 };
    struct random random = {5};
    struct error err;
    if (skipped())
        return;
    struct graph graphs[] = {long_path(N, 1000), long_path(N, 1000),
                             random_graph(&random, SMALL, 3, WEIGHTS_POSITIVE)};
    for (int k = 0; k < 3; k++) {
        const struct dissection_options whole = {
            .threads = 1, .isa = isa_best(), .most = graphs[k].n};
        const struct proportional_options options = {.threads = 1, .isa = isa_best()};
        const int32_t count = k == 1 ? 20 : graphs[k].n;
        int32_t *source = malloc(sizeof *source * (size_t)count);
        struct row_totals *out = malloc(sizeof *out * (size_t)count);
        struct dissection d;
        bool pays;
        for (int32_t at = 0; at < count; at++)
            source[at] = at;
        CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, &graphs[k], &whole, NULL, &err), STATUS_OK);
        const struct proportional_graph g = {&d.tree, &d.structure, d.lengths};
        CU_ASSERT_EQUAL(proportional_totals(&g, &options, source, count, out, &pays, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(pays, k == 0);
        dissection_free(&d);
        free(source);
        free(out);
        graph_free(&graphs[k]);
    }
}

static bool refuse(void *context, int64_t done, int64_t total) {
    (void)context;
    (void)done;
    (void)total;
    return false;
}

static void test_stops(void) {
    struct eliminated s;
    struct error err;
    struct row_totals out[100];
    int32_t source[100];
    bool pays;
    if (skipped())
        return;
    struct graph graph = long_path(100, 3);
    eliminated_begin(&s, &graph);
    struct progress progress = {.on_report = refuse};
    const struct proportional_options options = {
        .threads = 1, .isa = isa_best(), .progress = &progress, .cut = &nested, .anyway = true};
    const struct proportional_graph g = {&s.d.tree, &s.d.structure, s.d.lengths};
    for (int32_t at = 0; at < 100; at++)
        source[at] = at;
    CU_ASSERT_EQUAL(proportional_totals(&g, &options, source, 100, out, &pays, &err),
                    STATUS_CANCELLED);
    eliminated_end(&s);
    graph_free(&graph);
}

CU_TestInfo proportional_tests[] = {
    {"every small graph", test_small},
    {"random graphs in parts", test_random},
    {"threads that share regions", test_threads},
    {"where it pays", test_pays},
    {"stopped", test_stops},
    CU_TEST_INFO_NULL,
};
