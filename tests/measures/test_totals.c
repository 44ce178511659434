// SPDX-License-Identifier: MIT
/* Totals of labels side by side: the kernels of every instruction set against plain sums, and the
 * measures that `dissection` makes of them against those of rows. */
#include "certificate/proving_sink.h" // struct proving_sink
#include "classes/sums.h"             // sums_find_target
#include "dissection/cpu.h"           // dissection_solve
#include "elimination/order.h"        // order_is_available
#include "engines/cpu_auto.h"         // cpu_others
#include "measures/lane_totals.h"     // struct lane_totals
#include "tests/unit/measured.h"      // measured_as_rows
#include "tests/unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

/* Fills in labels: many are small, some are infinite, and all others are at most `most`. */
static void fill(struct random *random, int32_t *label, size_t cells, int32_t most) {
    for (size_t k = 0; k < cells; k++) {
        const int32_t kind = random_in(random, 1, 8);
        label[k] = kind == 1   ? INF
                   : kind == 2 ? 0
                   : kind == 3 ? most
                               : random_in(random, 0, kind < 6 && most > 9 ? 9 : most);
    }
}

/* Returns the totals of one lane's labels, summed up one by one. */
static struct row_totals plain(const int32_t *label, int32_t count, int lanes, int32_t shift,
                               int64_t *bin) {
    struct row_totals t = {0};
    exact_sum reciprocals = 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t d = label[(size_t)k * (size_t)lanes];
        if (d == INF)
            continue;
        t.sum += d;
        t.reached++;
        t.farthest = d > t.farthest ? d : t.farthest;
        bin[d >> shift]++;
        /* in units of 2^-82: 1 / d is a multiple of 2^-52 / 2^30, so the number is whole */
        if (d > 0) {
            int exponent;
            const int64_t digits = (int64_t)ldexp(frexp(1.0 / d, &exponent), 53);
            reciprocals += (exact_sum)digits * ((exact_sum)1 << (82 - 53 + exponent));
        }
    }
    t.high = (int64_t)(reciprocals >> 41);
    t.low = (int64_t)(reciprocals & (((int64_t)1 << 41) - 1));
    return t;
}

static bool same(const struct row_totals *a, const struct row_totals *b) {
    return a->sum == b->sum && a->high == b->high && a->low == b->low && a->reached == b->reached &&
           a->farthest == b->farthest;
}

/* Two threads take three strips, one of which has lanes without a source. If distances grow from
 * strip to strip, bins become wider, and no count may be lost. Reciprocals and counts that are
 * spared stay 0. */
static void check_lanes(enum isa isa, int lanes, int32_t count, const int32_t most[3],
                        bool spares_reciprocals) {
    enum { STRIPS = 3 };
    const size_t cells = (size_t)count * (size_t)lanes;
    struct random random = {(uint64_t)count};
    struct lane_totals *own[2] = {aligned_alloc(64, sizeof **own), aligned_alloc(64, sizeof **own)};
    int32_t *const label = aligned_alloc(64, (cells * sizeof *label + 63) / 64 * 64);
    struct row_totals out[STRIPS * LANE_TOTALS_LANES], expected[STRIPS * LANE_TOTALS_LANES];
    int64_t bin[LANE_TOTALS_BINS], counted[LANE_TOTALS_BINS] = {0};
    struct answer_totals all;
    int32_t shift = 0, largest = 0, from = -1;
    bool right = true;
    for (int strip = 0; strip < STRIPS; strip++) {
        while (most[strip] >> shift >= LANE_TOTALS_BINS)
            shift++;
    }
    for (int t = 0; t < 2; t++)
        lane_totals_begin(own[t], isa, lanes, spares_reciprocals, NULL);
    for (int strip = 0; strip < STRIPS; strip++) {
        struct lane_totals *const t = own[strip % 2];
        const int used = strip == 1 ? lanes - 3 : lanes;
        int32_t source[LANE_TOTALS_LANES], position[LANE_TOTALS_LANES];
        fill(&random, label, cells, most[strip]);
        for (int k = 0; k < used; k++) {
            source[k] = 1000 - strip * lanes - k;
            position[k] = strip * LANE_TOTALS_LANES + used - 1 - k;
            struct row_totals *const wanted = &expected[position[k]];
            *wanted = plain(label + k, count, lanes, shift, counted);
            if (spares_reciprocals)
                wanted->high = wanted->low = 0;
            if (wanted->farthest > largest || (wanted->farthest == largest && source[k] < from) ||
                from < 0) {
                largest = wanted->farthest;
                from = source[k];
            }
        }
        lane_totals_strip(t, used);
        lane_totals_add(t, label, count / 3);
        lane_totals_add(t, label + (size_t)(count / 3) * (size_t)lanes, count - count / 3);
        lane_totals_end(t, source, position, out);
        for (int k = 0; k < used; k++)
            right = right && same(&out[position[k]], &expected[position[k]]);
    }
    lane_totals_merge((const struct lane_totals *const *)own, 2, &all, bin);
    if (spares_reciprocals) {
        memset(counted, 0, sizeof counted);
        shift = 0;
    }
    CU_ASSERT(right);
    CU_ASSERT(all.largest == largest && all.from == from && all.shift == shift);
    CU_ASSERT(memcmp(bin, counted, sizeof bin) == 0);
    free(label);
    free(own[0]);
    free(own[1]);
}

static void test_lanes(void) {
    static const int32_t most[][3] = {
        {1, 1023, 1000}, {5, 1024, 3000}, {INF - 1, 7, INF - 1}, {70000, 5000000, 900}};
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        for (int k = 0; k < 4 && isa_is_supported((enum isa)isa); k++) {
            check_lanes((enum isa)isa, 16, 200, most[k], k % 2 > 0);
            check_lanes((enum isa)isa, 64, 7, most[k], false);
            check_lanes((enum isa)isa, 64, 9, most[k], true);
            check_lanes((enum isa)isa, 32, LANE_TOTALS_CHUNK * 3, most[k], false);
        }
    }
}

/* Computes some parts of the measures of some rows by `dissection`, with or without a proof. look:
 * a look at the graph; NULL: none. */
static void take_looked(const struct graph *g, int32_t most, const struct row_sources *sources,
                        unsigned parts, int threads, bool proves, const struct look *look,
                        struct measures *to, struct dissection_report *report) {
    const struct solver_options options = {.threads = threads};
    struct error err = {0};
    measures_init(to, g, 1);
    measures_choose(to, parts);
    struct proving_sink proving = {.threads = 0};
    if (proves)
        CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, g, NO_LIMIT, false, &to->sink, &err),
                              STATUS_OK);
    struct delivery delivery = {.graph = g,
                                .sources = *sources,
                                .limit = NO_LIMIT,
                                .sink = proves ? &proving.sink : &to->sink};
    const struct solver_task task = {.graph = g,
                                     .delivery = &delivery,
                                     .limit = NO_LIMIT,
                                     .repetitions = 1,
                                     .options = &options,
                                     .look = look};
    CU_ASSERT_EQUAL_FATAL(delivery_open(&delivery, 1, &err), STATUS_OK);
    CU_ASSERT_EQUAL(dissection_solve(&cpu_others, &task, most, report, &err), STATUS_OK);
    CU_ASSERT(delivery_sink_seconds(&delivery) > 0 || !proves);
    delivery_close(&delivery);
    proving_sink_close(&proving);
    CU_ASSERT_EQUAL(measures_finish(to, &err), STATUS_OK);
}

static void take_measures(const struct graph *g, int32_t most, const struct row_sources *sources,
                          unsigned parts, int threads, bool proves, struct measures *to,
                          struct dissection_report *report) {
    take_looked(g, most, sources, parts, threads, proves, NULL, to, report);
}

/* Checks some parts of the measures against rows. reduced: the engine must hand on totals, not
 * rows. */
static void check_parts(const struct graph *g, int32_t most, const struct row_sources *sources,
                        unsigned parts, int threads, bool reduced) {
    struct dissection_report report;
    struct measures m;
    take_measures(g, most, sources, parts, threads, false, &m, &report);
    CU_ASSERT_EQUAL(report.reduced, reduced);
    CU_ASSERT(measured_as_rows(&m, g, sources));
    measures_free(&m);
}

static void check_measures(const struct graph *g, int32_t most, const struct row_sources *sources,
                           int threads, bool reduced) {
    check_parts(g, most, sources, MEASURES_ALL, threads, reduced);
    check_parts(g, most, sources, 0, threads, true);
}

/* Returns a graph similar to roads: each vertex is joined to one of a few vertices before it. */
static struct graph tree_like(struct random *random, int32_t n, int32_t heaviest, bool both_ways) {
    struct edge *edges = malloc(sizeof *edges * 4 * (size_t)n);
    int64_t count = 0;
    for (int32_t v = 1; v < n; v++) {
        for (int k = 0; k < 2 && random_in(random, 0, 40) > 0; k++) {
            const int32_t u = random_in(random, v > 9 ? v - 9 : 0, v - 1);
            const int32_t weight = random_in(random, 0, heaviest);
            edges[count++] = (struct edge){u, v, weight};
            edges[count++] = (struct edge){v, u, both_ways ? weight : weight / 2};
        }
    }
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

/* Totals are enough, unless all reciprocals of a directed graph are wanted, because columns need
 * reciprocals as well. */
static void test_measures(void) {
    static const int32_t some[] = {7, 3, 90, 11};
    struct random random = {18};
    for (int round = 0; round < 24 && !skipped(); round++) {
        const bool both_ways = round % 3 != 0;
        const int32_t heaviest = (const int32_t[]){3, 1000, 1 << 20}[round / 3 % 3];
        struct graph g = tree_like(&random, random_in(&random, 100, 300), heaviest, both_ways);
        const struct row_sources all = {NULL, g.n}, few = {some, 4};
        const int32_t most = round % 4 == 0 ? 2 : g.n; /* with a core, or without */
        check_measures(&g, most, &all, 1 + round % 3, both_ways);
        check_measures(&g, most, &few, 1, true);
        graph_free(&g);
    }
}

/* Adds an edge in each direction, the lighter one down. */
static void join(struct random *random, struct edge *edges, int64_t *count, int32_t u, int32_t v,
                 bool both_ways) {
    const int32_t weight = random_in(random, both_ways, 1000);
    edges[(*count)++] = (struct edge){u, v, weight};
    edges[(*count)++] = (struct edge){v, u, both_ways ? weight : weight / 2};
}

/* Returns a graph of `n` vertices of roads and `hub` vertices that are joined at random, with each
 * other and with `degree` roads each. The last tenth of the roads is a component of its own. */
static struct graph roads_and_hub(struct random *random, int32_t n, int32_t hub, int32_t degree,
                                  int32_t ways_in, bool both_ways) {
    struct edge *const edges = malloc(sizeof *edges * 2 * (size_t)(2 * n + hub * degree + ways_in));
    int64_t count = 0;
    for (int32_t v = 1; v < n; v++) {
        for (int k = 0; k < 2 && random_in(random, 0, 40) > 0 && v != n / 10 * 9; k++)
            join(random, edges, &count,
                 random_in(random, v > 9 && v < n / 10 * 9 ? v - 9 : v - 1, v - 1), v, both_ways);
    }
    for (int32_t k = 0; k < hub * degree; k++)
        join(random, edges, &count, n + k % hub, n + random_in(random, 0, hub - 1), both_ways);
    for (int32_t k = 0; k < ways_in; k++)
        join(random, edges, &count, random_in(random, 0, n / 10 * 9 - 1),
             n + random_in(random, 0, hub - 1), both_ways);
    struct graph g = graph_of(n + hub, edges, count);
    free(edges);
    return g;
}

/* Sums of graphs with a core are found by classes if that is predicted to be faster, otherwise by
 * sweeps; with and without proofs. */
static void test_cores(void) {
    static const struct {
        int32_t n, hub, degree, ways_in;
    } cases[] = {{1600, 30, 6, 3}, {700, 100, 8, 100}, {400, 150, 4, 150}};
    struct random random = {61};
    int classes = 0, sweeps = 0, cores = 0;
    for (int k = 0; k < 6 && !skipped(); k++) {
        const bool both_ways = k % 2 == 0, proves = k % 4 == 0;
        struct graph g = roads_and_hub(&random, cases[k / 2].n, cases[k / 2].hub,
                                       cases[k / 2].degree, cases[k / 2].ways_in, both_ways);
        const struct row_sources all = {NULL, g.n};
        struct dissection_report report;
        struct measures m;
        take_measures(&g, -1, &all, 0, 1 + k % 3, proves, &m, &report);
        CU_ASSERT(measured_as_rows(&m, &g, &all));
        CU_ASSERT(!report.in_vain && report.classes == (k / 2 == 0));
        classes += report.classes && !report.in_vain && report.reduced;
        sweeps += !report.classes && report.reduced;
        cores += report.core > 0;
        measures_free(&m);
        graph_free(&g);
    }
    CU_ASSERT(skipped() || (classes > 0 && sweeps > 0 && cores > 0));
}

/* A look promises classes that the rows do not have, so sweeps over the core follow. */
static void test_in_vain(void) {
    const struct look_limits limits = {.other_s = HUGE_VAL, .slowness = 1, .threads = 1};
    struct random random = {61};
    for (int k = 0; k < 2 && !skipped(); k++) {
        struct graph g = roads_and_hub(&random, 500, 100, 3, 60, k == 0);
        const struct row_sources all = {NULL, g.n};
        struct dissection_report report;
        struct measures m;
        struct look look;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(look_at(&g, &core_costs, &limits, &look, &err), STATUS_OK);
        CU_ASSERT(look.found.core > 0 && look_is_whole(&look));
        look.found.sums_s = 1e-9;
        take_looked(&g, -1, &all, 0, 1, false, &look, &m, &report);
        CU_ASSERT(report.classes && report.in_vain && report.reduced);
        CU_ASSERT_EQUAL(report.core, look.found.core);
        CU_ASSERT(measured_as_rows(&m, &g, &all));
        measures_free(&m);
        look_free(&look);
        graph_free(&g);
    }
}

/* A line of vertices, whose distances are differences: forth[v] - forth[u], back[u] - back[v]. */
#ifdef APSP_SANITIZED
enum { LINE = 6000, LINES = 8 };
#else
enum { LINE = 12000, LINES = 13 };
#endif
struct line {
    int32_t forth[LINE], back[LINE];
    int32_t gap; /* the vertex without an edge to the one before it */
};

static bool same_totals(const struct line *line, int32_t v, bool inwards,
                        const struct vertex_totals *m) {
    const int32_t from = v < line->gap ? 0 : line->gap, to = v < line->gap ? line->gap : LINE;
    const int32_t *const below =
        inwards ? line->forth : line->back; /* v's paths to vertices below it */
    const int32_t *const above = inwards ? line->back : line->forth;
    int64_t sum = 0;
    int32_t farthest = 0;
    for (int32_t u = from; u < to; u++) {
        const int32_t distance = u < v ? below[v] - below[u] : above[u] - above[v];
        sum += distance;
        farthest = distance > farthest ? distance : farthest;
    }
    return m->sum == sum && m->eccentricity == farthest && m->reached == to - from;
}

/* Sums of proportional rows, and of columns, of a line: directed or not, whole or in two parts, for
 * all or half of its vertices, proved or not. */
static void test_proportional(void) {
    struct random random = {44};
    for (int round = 0; round < LINES && !skipped(); round++) {
        const bool both_ways = round % 2 == 0, all = round % 6 < 4, proves = round >= 6;
        const bool has_zero = round == 12; /* rows of this graph are proved only one by one */
        struct line *const line = calloc(1, sizeof *line);
        struct edge *const edges = calloc(2 * LINE, sizeof *edges);
        int32_t *const some = calloc(LINE / 2, sizeof *some);
        struct dissection_report report;
        struct measures m;
        int64_t count = 0;
        line->gap = round % 6 / 2 % 2 == 0 ? LINE : LINE / 3;
        for (int32_t v = 1; v < LINE; v++) {
            const int32_t weight = random_in(&random, proves && !has_zero, 1000);
            const int32_t back = both_ways ? weight : random_in(&random, proves && !has_zero, 1000);
            line->forth[v] = line->forth[v - 1] + weight;
            line->back[v] = line->back[v - 1] + back;
            if (v == line->gap)
                continue;
            edges[count++] = (struct edge){v - 1, v, weight};
            edges[count++] = (struct edge){v, v - 1, back};
        }
        for (int32_t k = 0; k < LINE / 2; k++)
            some[k] = (k * 7919 + 3) % LINE; /* 7919 is prime, so no vertex comes twice */
        struct graph g = graph_of(LINE, edges, count);
        const struct row_sources sources = {all ? NULL : some, all ? LINE : LINE / 2};
        take_measures(&g, -1, &sources, 0, 1 + round % 3, proves, &m, &report);
        CU_ASSERT_EQUAL(report.reduced, !has_zero);
        CU_ASSERT_EQUAL(m.in != NULL, all && !both_ways);
        int32_t from = LINE;
        for (int32_t p = 0; p < sources.count; p++) {
            CU_ASSERT(m.out[p].eccentricity <= m.pairs.largest);
            if (m.out[p].eccentricity == m.pairs.largest && row_source(&sources, p) < from)
                from = row_source(&sources, p);
        }
        CU_ASSERT_EQUAL(m.pairs.from, from);
        for (int32_t p = 0; p < sources.count; p += 1 + p % 5)
            CU_ASSERT(same_totals(line, row_source(&sources, p), false, &m.out[p]));
        for (int32_t v = 0; v < LINE && m.in != NULL; v += 1 + v % 5)
            CU_ASSERT(same_totals(line, v, true, &m.in[v]));
        measures_free(&m);
        graph_free(&g);
        free(line);
        free(edges);
        free(some);
    }
}

/* Returns whether a sink that proves sums of the graph `proves` takes sums found with the lengths
 * of another graph. */
static bool are_taken(const struct dissection *d, const struct graph *proves) {
    const struct solver_options options = {.threads = 1};
    const int32_t n = proves->n;
    struct measures m;
    struct proving_sink proving;
    struct error err = {0};
    bool taken;
    measures_init(&m, proves, 1);
    measures_choose(&m, 0);
    CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, proves, NO_LIMIT, false, &m.sink, &err),
                          STATUS_OK);
    struct delivery delivery = {
        .graph = proves, .sources = {NULL, n}, .limit = NO_LIMIT, .sink = &proving.sink};
    const struct solver_task task = {.graph = proves,
                                     .delivery = &delivery,
                                     .limit = NO_LIMIT,
                                     .repetitions = 1,
                                     .options = &options};
    CU_ASSERT_EQUAL_FATAL(delivery_open(&delivery, 1, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(delivery_begin(&delivery, 1, &err), STATUS_OK);
    CU_ASSERT_EQUAL(
        sums_take(&task, d, d->tree.vertex, d->tree.vertex, 1, isa_best(), &taken, &err),
        STATUS_OK);
    delivery_close(&delivery);
    proving_sink_close(&proving);
    measures_free(&m);
    return taken;
}

/* A sink takes sums only if they are those of its graph. */
static void test_refuted(void) {
    enum { N = 3000 };
    const struct dissection_options options = {.threads = 1, .isa = isa_best(), .most = N};
    struct edge *const edges = calloc(2 * N, sizeof *edges);
    struct dissection d;
    struct error err;
    int64_t count = 0;
    for (int32_t v = 1; v < N; v++) {
        edges[count++] = (struct edge){v - 1, v, 1 + v % 7};
        edges[count++] = (struct edge){v, v - 1, 1 + v % 5};
    }
    struct graph g = graph_of(N, edges, count);
    edges[N + 1].weight++; /* backwards: the farthest pair is still that of the way forth */
    struct graph other = graph_of(N, edges, count);
    if (!skipped()) {
        CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, &g, &options, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(dissection_finish(&d, NULL, &err), STATUS_OK);
        CU_ASSERT(are_taken(&d, &g));
        CU_ASSERT_FALSE(are_taken(&d, &other));
        dissection_free(&d);
    }
    graph_free(&g);
    graph_free(&other);
    free(edges);
}

/* The farthest pair of a row changes, so no other graph proves the row. */
static void test_target(void) {
    const struct edge edges[] = {{0, 1, 5}, {1, 2, 4}, {0, 3, 9}, {3, 4, 1}, {0, 5, 10}};
    const struct dissection_options options = {.threads = 1, .isa = isa_best(), .most = 6};
    struct dissection d;
    struct error err = {0};
    if (skipped())
        return;
    struct graph g = graph_of(6, edges, 5);
    CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, &g, &options, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(dissection_finish(&d, NULL, &err), STATUS_OK);
    for (int32_t weight = 4; weight <= 6; weight++) {
        struct edge others[5];
        memcpy(others, edges, sizeof others);
        others[0].weight = weight;
        struct graph other = graph_of(6, others, 5);
        const struct solver_task task = {.graph = &other};
        for (int32_t largest = 9; largest <= 11; largest++) {
            struct answer_totals totals = {.from = 0, .largest = largest};
            bool proved = true;
            CU_ASSERT_EQUAL(sums_find_target(&task, &d, &totals, &proved, &err), STATUS_OK);
            CU_ASSERT_EQUAL(totals.to, largest == 9 ? 2 : largest == 10 ? 4 : 6);
            CU_ASSERT_EQUAL(proved, weight == 5 && largest < 11);
            totals.to = -1;
            CU_ASSERT_EQUAL(sums_find_target(&task, &d, &totals, NULL, &err), STATUS_OK);
            CU_ASSERT_EQUAL(totals.to, largest == 9 ? 2 : largest == 10 ? 4 : 6);
        }
        graph_free(&other);
    }
    dissection_free(&d);
    graph_free(&g);
}

static void test_out_of_range(void) {
    const struct edge edges[] = {{0, 1, INF - 7}, {1, 0, INF - 7}, {1, 2, 6}, {2, 1, 6}};
    const struct row_sources all = {NULL, 3};
    struct graph g = graph_of(3, edges, 4);
    if (!skipped())
        check_parts(&g, g.n, &all, MEASURES_ALL, 1, false);
    if (!skipped())
        check_parts(&g, g.n, &all, 0, 1, false);
    graph_free(&g);
}

CU_TestInfo totals_tests[] = {
    {"labels side by side", test_lanes},
    {"measures of dissection", test_measures},
    {"sums of what has a core", test_cores},
    {"classes in vain", test_in_vain},
    {"measures of a line", test_proportional},
    {"sums of another graph", test_refuted},
    {"the farthest pair", test_target},
    {"measures of distances that may be out of range", test_out_of_range},
    CU_TEST_INFO_NULL,
};
