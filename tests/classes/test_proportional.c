// SPDX-License-Identifier: MIT
/* Totals of proportional rows against those of the reference's rows: for regions nested as deep as
 * small graphs let them be, every instruction set, any number of threads and sources. If they are
 * to be proved they are, and are not proved for graphs that have others. */
#include "classes/class_sample.h"       // class_sample
#include "classes/proportional_model.h" // proportional_seconds
#include "elimination/order.h"          // order_is_available
#include "tests/unit/eliminated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

static const struct regions_options deep = {.leaf = 1, .ratio = 2, .worth = 1, .worth_width = 0};
static const struct regions_options nested = {.leaf = 4, .ratio = 3, .worth = 6, .worth_width = 1};
static const struct regions_options flat = {.leaf = 1 << 20, .ratio = 2};

/* Finds totals. *proved: whether the graph options->proves is proved to have them. */
static enum status find(const struct eliminated *s, bool reversed,
                        const struct proportional_options *options, const int32_t *source,
                        int32_t count, struct row_totals *out, bool *is_ready, bool *proved,
                        struct error *err) {
    const struct proportional_graph g = eliminated_graph(s, reversed);
    struct proportional p;
    enum status status = proportional_open(&p, &g, options, err);
    *is_ready = status == STATUS_OK && p.proof.is_ready;
    if (status == STATUS_OK)
        status = proportional_totals(&p, source, count, out, proved, err);
    CU_ASSERT_EQUAL(status == STATUS_OK && p.prove_s > 0, options->proves != NULL);
    proportional_close(&p);
    CU_ASSERT(p.prove_s == 0 && !p.proof.is_ready);
    return status;
}

/* The totals of every `apart`th position, which are proved if they are to be and no weight is 0. */
static void check(const struct eliminated *s, bool reversed,
                  const struct proportional_options *options, int32_t apart) {
    const int32_t n = s->d.tree.n;
    const struct graph *const proves = options->proves;
    int32_t *source = calloc((size_t)n, sizeof *source);
    struct row_totals *out = malloc(sizeof *out * (size_t)n);
    const int32_t count = some_positions(n, apart, source);
    struct error err = {0};
    bool is_ready, proved;
    CU_ASSERT_EQUAL_FATAL(find(s, reversed, options, source, count, out, &is_ready, &proved, &err),
                          STATUS_OK);
    CU_ASSERT(totals_are(s, reversed, source, count, out));
    CU_ASSERT_EQUAL(proved, is_ready);
    CU_ASSERT_EQUAL(is_ready, proves != NULL && (proves->m == 0 || proves->min_weight > 0));
    free(source);
    free(out);
}

/* proves: whether the totals of all rows are to be proved, or else those of some. */
/* Every way to cut a graph, each with the next instruction set. */
static void check_all(const struct graph *g, int32_t apart, bool proves, int number) {
    const struct regions_options *const cuts[] = {&deep, &nested, &flat, NULL};
    struct eliminated s;
    eliminated_begin(&s, g);
    for (int k = 0; k < 4; k++) {
        enum isa isa = (enum isa)((number + k) % ISA_COUNT);
        while (!isa_is_supported(isa))
            isa = (enum isa)((isa + 1) % ISA_COUNT);
        struct proportional_options options = {.threads = 1 + k / 2, .isa = isa, .cut = cuts[k]};
        const bool reversed = k % 2 > 0;
        options.proves = proves ? &s.graph[reversed] : NULL;
        check(&s, reversed, &options, 1);
        options.at_a_time = 1 + g->n / 3;
        options.proves = proves ? NULL : &s.graph[!reversed];
        check(&s, !reversed, &options, apart < g->n ? apart : 1);
    }
    eliminated_end(&s);
}

#ifdef APSP_SANITIZED
enum { ROUNDS = 20 };
#else
enum { ROUNDS = 60 };
#endif

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
            check_all(&g, 2, code % 2 == 0, code);
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
        const int32_t apart = random_in(&random, 2, 7);
        for (int number = 0; number < ISA_COUNT; number++)
            check_all(&g, apart, round % 2 == 0, number);
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
        const struct proportional_options options = {.threads = threads,
                                                     .isa = isa_best(),
                                                     .cut = &nested,
                                                     .proves = threads % 2 == 0 ? &g : NULL};
        check(&s, false, &options, 1);
    }
    eliminated_end(&s);
    graph_free(&g);
}

/* It pays on a long path, and neither for few sources nor where rows have nothing in common. What
 * is found for the prediction is not proved. */
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
        const struct proportional_options options = {
            .threads = 1, .isa = isa_best(), .proves = k == 0 ? NULL : &graphs[k]};
        const int32_t count = k == 1 ? 20 : graphs[k].n;
        int32_t *source = malloc(sizeof *source * (size_t)count);
        struct dissection d;
        struct proportional p;
        bool pays;
        for (int32_t at = 0; at < count; at++)
            source[at] = at;
        CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, &graphs[k], &whole, NULL, &err), STATUS_OK);
        const struct proportional_graph g = {&d.tree, &d.structure, d.lengths};
        CU_ASSERT_EQUAL_FATAL(proportional_open(&p, &g, &options, &err), STATUS_OK);
        CU_ASSERT_EQUAL(proportional_predict(&p, source, count, &pays, &err), STATUS_OK);
        CU_ASSERT_EQUAL(pays, k == 0);
        CU_ASSERT(p.proof.is_ready == (k > 0) && p.proof.total == NULL);
        proportional_close(&p);
        dissection_free(&d);
        free(source);
        graph_free(&graphs[k]);
    }
}

/* Returns the share of classes in a sample of a grid whose edges weigh lowest .. highest. */
static double share_of_grid(int32_t side, int32_t lowest, int32_t highest) {
    const struct look_limits limits = {.other_s = HUGE_VAL, .slowness = 1, .threads = 1};
    struct random random = {16};
    struct edge *const edges = malloc(sizeof *edges * 4 * (size_t)side * (size_t)side);
    struct core_costs costs = core_costs;
    int64_t count = 0;
    costs.core = 0;
    for (int32_t v = 0; v < side * side; v++) {
        if (v % side + 1 < side)
            edges[count++] = (struct edge){v, v + 1, random_in(&random, lowest, highest)};
        if (v + side < side * side)
            edges[count++] = (struct edge){v, v + side, random_in(&random, lowest, highest)};
    }
    struct graph g = graph_of(side * side, edges, graph_append_reverses(edges, count));
    struct look look;
    struct regions r;
    struct error err;
    free(edges);
    CU_ASSERT_EQUAL_FATAL(look_at(&g, &costs, &limits, &look, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(regions_outline(&look.tree, &proportional_regions, &r, &err), STATUS_OK);
    const double share = class_sample(&g, &look.tree, &r, 1);
    CU_ASSERT_EQUAL(class_sample(&g, &look.tree, &r, 3), share);
    regions_free(&r);
    look_free(&look);
    graph_free(&g);
    return share;
}

/* Equal weights leave few classes, random ones more, and those that are nearly equal, so that no
 * path is much shorter than others, most. A sample takes no weights below 0. */
static void test_sampled(void) {
    if (skipped())
        return;
    const double equal = share_of_grid(90, 1, 1), random = share_of_grid(90, 1, 100);
    const double near = share_of_grid(90, 10000, 10999);
    CU_ASSERT(equal > 0 && 2 * equal < random);
    CU_ASSERT(1.2 * random < near);
    CU_ASSERT_EQUAL(share_of_grid(90, -1, 1), class_typical_share);
    CU_ASSERT_EQUAL(share_of_grid(4, 1, 1), class_typical_share); /* no regions */
}

/* Predictions: a long path, whose regions have two neighbours, takes less time than sweeps, and for
 * a pair less than a random graph; few rows would take infinitely long. Regions are those that are
 * cut. */
static void test_predicted(void) {
    enum { N = 12000, SMALL = 600 };
    const struct look_limits limits = {.other_s = HUGE_VAL, .slowness = 1, .threads = 1};
    struct random random = {15};
    struct core_costs costs = core_costs;
    costs.core = 0;
    costs.pair = costs.closure = 1e9; /* elimination pays whatever it takes */
    double each[2] = {0, 1};
    struct graph graphs[] = {long_path(N, 1000), random_graph(&random, SMALL, 3, WEIGHTS_POSITIVE)};
    for (int k = 0; k < 2 && !skipped(); k++) {
        const int32_t n = graphs[k].n;
        struct look look;
        struct structure s;
        struct regions outline, regions;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(look_at(&graphs[k], &costs, &limits, &look, &err), STATUS_OK);
        const double sweeps = look.found.shared_s;
        const double all = proportional_seconds(&look, &graphs[k], n, 1),
                     half = proportional_seconds(&look, &graphs[k], n / 2, 1);
        each[k] = all / n / n;
        CU_ASSERT(k == 1 || all < sweeps);
        CU_ASSERT(half < all && half > all / 4);
        CU_ASSERT(isinf(proportional_seconds(&look, &graphs[k], PROPORTIONAL_FEWEST - 1, 1)));
        CU_ASSERT_EQUAL_FATAL(structure_find(&look.pattern, &look.tree, 1, &s, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(regions_outline(&look.tree, &nested, &outline, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(regions_find(&look.tree, &s, &nested, 3, &regions, &err), STATUS_OK);
        CU_ASSERT_EQUAL(outline.count, regions.count);
        for (int32_t r = 0; r < outline.count; r++) {
            const struct region *const a = &outline.region[r], *const b = &regions.region[r];
            CU_ASSERT(a->low == b->low && a->high == b->high && a->own == b->own);
            CU_ASSERT(a->parent == b->parent && a->width == b->width && a->child == b->child);
        }
        regions_free(&outline);
        regions_free(&regions);
        structure_free(&s);
        look_free(&look);
    }
    graph_free(&graphs[0]);
    graph_free(&graphs[1]);
    CU_ASSERT(each[0] < each[1] / 4);
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
    bool is_ready, proved;
    if (skipped())
        return;
    struct graph graph = long_path(100, 3);
    eliminated_begin(&s, &graph);
    struct progress progress = {.on_report = refuse};
    struct proportional_options options = {
        .threads = 1, .isa = isa_best(), .progress = &progress, .cut = &nested};
    for (int32_t at = 0; at < 100; at++)
        source[at] = at;
    CU_ASSERT_EQUAL(find(&s, false, &options, source, 100, out, &is_ready, &proved, &err),
                    STATUS_CANCELLED);
    eliminated_end(&s);
    graph_free(&graph);
}

/* The graph with one edge that is longer, shorter, not there, another one, or one more. */
enum { LONGER, SHORTER, MISSING, OTHER, MORE, WAYS };
static struct graph changed(const struct graph *g, struct random *random, int way) {
    struct edge *edges = malloc(sizeof *edges * ((size_t)g->m + 1));
    const int64_t at = random_in(random, 0, (int32_t)g->m - 1);
    int64_t count = 0;
    for (int32_t v = 0; v < g->n; v++) {
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            struct edge edge = {v, g->head[e], g->weight[e]};
            if (e == at && way == LONGER)
                edge.weight += random_in(random, 1, 9);
            if (e == at && way == SHORTER)
                edge.weight = 1 + edge.weight / 2;
            if (e == at && way == OTHER)
                edge.to = random_in(random, 0, g->n - 1);
            if (e != at || way != MISSING)
                edges[count++] = edge;
        }
    }
    if (way == MORE)
        edges[count++] = (struct edge){random_in(random, 0, g->n - 1),
                                       random_in(random, 0, g->n - 1), random_in(random, 1, 50)};
    struct graph other = graph_of(g->n, edges, count);
    free(edges);
    return other;
}

static bool same_distances(const struct matrix *a, const struct matrix *b, const int32_t *vertex,
                           const int32_t *source, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        const int32_t v = vertex[source[k]];
        if (memcmp(matrix_row(a, v), matrix_row(b, v), (size_t)a->n * sizeof(int32_t)) != 0)
            return false;
    }
    return true;
}

/* Totals of a graph are proved of one that differs in an edge if and only if the distances from
 * their sources do not differ; unless the edge is one that the regions do not provide for: then
 * they are not. */
static void test_refuted(void) {
    struct random random = {47};
    const struct regions_options *const cuts[] = {&deep, &nested, &flat};
    int proved_ones = 0, refuted = 0, unready = 0;
    for (int round = 0; round < ROUNDS && !skipped(); round++) {
        const int way = round % WAYS;
        const int32_t n = random_in(&random, 8, 50), apart = round % 3 == 0 ? 5 : 1;
        struct graph g = random_graph(&random, n, random_in(&random, 4, 20), WEIGHTS_POSITIVE);
        struct graph other = changed(&g, &random, way);
        struct eliminated s, right;
        struct row_totals out[50];
        int32_t source[50];
        struct error err;
        const int32_t count = some_positions(n, apart, source);
        eliminated_begin(&s, &g);
        eliminated_begin(&right, &other);
        for (int k = 0; k < 6; k++) {
            const bool reversed = k >= 3;
            const struct proportional_options options = {.threads = 1 + k % 2,
                                                         .isa = isa_best(),
                                                         .cut = cuts[k % 3],
                                                         .at_a_time = round % 2 == 0 ? n / 2 : 0,
                                                         .proves = &right.graph[reversed]};
            const bool same = same_distances(&s.dist[reversed], &right.dist[reversed],
                                             s.d.tree.vertex, source, count);
            bool is_ready, proved;
            CU_ASSERT_EQUAL(
                find(&s, reversed, &options, source, count, out, &is_ready, &proved, &err),
                STATUS_OK);
            CU_ASSERT_EQUAL(proved, is_ready && same);
            CU_ASSERT(is_ready || way == OTHER || way == MORE);
            CU_ASSERT(totals_are(&s, reversed, source, count, out) || (is_ready && !proved));
            proved_ones += proved;
            refuted += is_ready && !proved;
            unready += !is_ready;
        }
        eliminated_end(&s);
        eliminated_end(&right);
        graph_free(&other);
        graph_free(&g);
    }
    CU_ASSERT(skipped() || (proved_ones > ROUNDS && refuted > ROUNDS && unready > ROUNDS / 4));
}

/* A graph with other vertices, one more or one less, is not one that can be proved. */
static void test_other_vertices(void) {
    struct eliminated s;
    struct error err;
    struct row_totals out[30];
    int32_t source[30];
    bool is_ready, proved;
    if (skipped())
        return;
    struct graph g = long_path(30, 3);
    eliminated_begin(&s, &g);
    const int32_t count = some_positions(30, 1, source);
    for (int32_t n = 29; n <= 31; n++) {
        struct graph other = long_path(n, 3);
        const struct proportional_options options = {
            .threads = 1, .isa = isa_best(), .cut = &nested, .proves = &other};
        CU_ASSERT_EQUAL(find(&s, false, &options, source, count, out, &is_ready, &proved, &err),
                        STATUS_OK);
        CU_ASSERT(totals_are(&s, false, source, count, out));
        CU_ASSERT(is_ready == (n == 30) && proved == (n == 30));
        graph_free(&other);
    }
    eliminated_end(&s);
    graph_free(&g);
}

CU_TestInfo proportional_tests[] = {
    {"every small graph", test_small},
    {"random graphs in parts", test_random},
    {"threads that share regions", test_threads},
    {"where it pays", test_pays},
    {"what is predicted", test_predicted},
    {"samples of classes", test_sampled},
    {"stopped", test_stops},
    {"totals of other graphs", test_refuted},
    {"graphs of other vertices", test_other_vertices},
    CU_TEST_INFO_NULL,
};
