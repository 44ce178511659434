// SPDX-License-Identifier: MIT
/* Elimination, classes of rows and their proofs in float64, on a grid: rows and measures beside
 * Dijkstra's algorithm, on a CPU and on the host shim. Everything here is of the sources' second
 * form (common/base/length.h). */
#define LENGTH_F64

#include "certificate/gpu/gpu_lane_proof.h" // gpu_lane_proof_take
#include "certificate/proving_sink.h"       // struct proving_sink
#include "classes/sums.h"                   // sums_take
#include "common/graph/matrix_sink.h"       // matrix_sink_begin
#include "cuda_runtime_api.h"               // the shim's controls
#include "dissection/cpu.h"                 // dissection_solve
#include "dissection/gpu/gpu.h"             // cuda_dissection_solve
#include "dissection/gpu/totals.h"          // totals_in
#include "elimination/gpu/products.h"       // PRODUCT_LANES
#include "elimination/order.h"              // order_is_available
#include "engines/cpu_auto.h"               // cpu_others
#include "engines/sparse_model.h"           // cuda_sparse_others
#include "measures/measures.h"
#include "solve/delivery.h"
#include "solve/dijkstra.h"
#include "tests/unit/real_graphs.h"
#include "tests/unit/rows_here.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

/* The graph as one on a grid of that spacing, whose distances are too long for int32. */
static struct graph on_grid(int32_t n, double spacing, struct real_edge *edges, int64_t count) {
    struct graph g = graph_of_real(n, NUMBER_FLOAT64, edges, count);
    g.spacing = spacing;
    g.farthest = spacing * 0x1p51;
    return g;
}

/* Each vertex hangs on one of the last `width` before it, both ways, with weights of up to
 * 2^`bits` spacings, from 0 if `zeros`. */
static struct graph tree_like(struct random *random, int32_t n, int32_t width, double spacing,
                              int bits, bool zeros, bool both_alike) {
    struct real_edge *const edges = malloc(sizeof *edges * 4 * (size_t)n);
    int64_t count = 0;
    for (int32_t v = 1; v < 2 * n; v++) {
        const int32_t u = v < n ? v : random_in(random, 1, n - 1);
        const int32_t other = random_in(random, u - width > 0 ? u - width : 0, u - 1);
        const int64_t most = (int64_t)1 << bits;
        const int64_t weight = (int64_t)(random_unit(random) * (double)most) + !zeros;
        const int64_t back = (int64_t)(random_unit(random) * (double)most) + !zeros;
        edges[count++] = (struct real_edge){u, other, (double)weight * spacing};
        edges[count++] =
            (struct real_edge){other, u, (double)(both_alike ? weight : back) * spacing};
    }
    struct graph g = on_grid(n, spacing, edges, count);
    free(edges);
    return g;
}

/* Rows ------------------------------------------------------------------------------------------*/

/* Returns whether a row is right, and its predecessors are the tails of tight edges. */
static bool is_right(const struct graph *g, int32_t source, const double *dist, const int32_t *pred,
                     const double *expected) {
    for (int32_t v = 0; v < g->n; v++) {
        if (dist[v] != expected[v])
            return false;
        if (pred == NULL)
            continue;
        const bool has_pred = v != source && !isinf(expected[v]);
        const int64_t e = has_pred && pred[v] >= 0 ? graph_find_edge(g, pred[v], v) : -1;
        if (has_pred ? e < 0 || expected[pred[v]] + g->real_weight[e] != expected[v]
                     : pred[v] != -1)
            return false;
    }
    return true;
}

/* on_gpu: NULL for the CPU. */
static void check_rows(const struct graph *g, int32_t most, bool with_pred,
                       const struct cuda_dissection_options *on_gpu) {
    const struct solver_options options = {.threads = 1 + (most & 1)};
    struct dissection_report report;
    struct cuda_dissection_report gpu_report;
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    struct matrix dist = {0}, pred = {0};
    struct matrix_task t;
    struct error err = {0};
    double expected[REAL_MAX_N];
    bool right = true;
    CU_ASSERT_FATAL(matrix_alloc_typed(&dist, NUMBER_FLOAT64, g->n, g->n, "D", &err) == STATUS_OK);
    CU_ASSERT_FATAL(matrix_alloc(&pred, g->n, "P", &err) == STATUS_OK);
    matrix_task_begin(&t, g, &options, &dist, with_pred ? &pred : NULL);
    if (on_gpu == NULL)
        CU_ASSERT_EQUAL_FATAL(dissection_solve(&cpu_others, &t.task, most, &report, &err),
                              STATUS_OK);
    if (on_gpu != NULL) {
        CU_ASSERT_EQUAL_FATAL(
            cuda_dissection_solve(&cuda_sparse_others, &t.task, on_gpu, &gpu_report, &times, &err),
            STATUS_OK);
        CU_ASSERT(gpu_report.dissected);
    }
    for (int32_t s = 0; s < g->n; s++) {
        search_real(g, s, expected, NULL);
        right = right && is_right(g, s, matrix_row_cells(&dist, s),
                                  with_pred ? matrix_row(&pred, s) : NULL, expected);
    }
    CU_ASSERT(right);
    matrix_task_end(&t);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* With cores of every size; spacings of all kinds; vertices that are not reached. */
static void test_rows(void) {
    struct random random = {.state = 2026};
    for (int round = 0; round < 40 && !skipped(); round++) {
        const int32_t n = random_in(&random, 1, 60);
        const double spacing = ldexp(1, (int[]){0, -40, -1000, 300}[round % 4]);
        const bool zeros = round % 5 == 4;
        struct graph g = tree_like(&random, n, random_in(&random, 1, 9), spacing, 40, zeros, false);
        for (int32_t most = -1; most <= n; most = most < 4 || most == n ? most + 1 : n)
            check_rows(&g, most, round % 2 == 0 && !zeros, NULL);
        graph_free(&g);
        struct graph any = random_real_graph(&random, n, 8, NUMBER_FLOAT64, EQUAL);
        for (int64_t e = 0; e < any.m; e++)
            any.real_weight[e] = spacing * random_in(&random, 1, 1 << 20);
        any.min_weight = spacing;
        any.max_weight = spacing * 0x1p20;
        any.spacing = spacing;
        any.farthest = spacing * 0x1p51;
        check_rows(&any, n, true, NULL);
        check_rows(&any, 2, true, NULL);
        graph_free(&any);
    }
}

/* On a GPU: labels of a batch together, and cell by cell where memory is short; tops of one level
 * and of several. */
static void test_rows_on_gpu(void) {
    static const struct cuda_dissection_options sizes[] = {
        {.leaf = 8, .middle = 30, .most = 500},
        {.leaf = 2, .middle = 3, .most = 500, .top = 20},
        {.leaf = 1, .middle = 2, .most = 500},
    };
    struct random random = {.state = 2027};
    for (int round = 0; round < 12 && !skipped(); round++) {
        const int32_t n = random_in(&random, 2, REAL_MAX_N);
        const double spacing = ldexp(1, (int[]){0, -40, -1000, 300}[round % 4]);
        struct graph g = tree_like(&random, n, random_in(&random, 1, 9), spacing, 44, false, false);
        if (round % 4 == 3) /* no room for the labels of all vertices */
            cuda_shim_set_memory((size_t)300 << 10);
        check_rows(&g, round, round % 3 != 1, &sizes[round % 3]);
        cuda_shim_set_memory((size_t)1 << 30);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        graph_free(&g);
    }
}

/* Rows of some sources in any order, for a sink that takes them where they are, proved or not: they
 * stay there, and are right, unless weights of 0 leave the proof of distances alone to the host. */
static void check_rows_here(const struct graph *g, const struct row_sources *sources,
                            bool with_pred, bool checks,
                            const struct cuda_dissection_options *sizes) {
    const struct solver_options options = {.threads = 2};
    const bool stays = !checks || g->min_weight > 0;
    struct rows_here rows = rows_here_of(g->n, NUMBER_FLOAT64);
    struct proving_sink proving;
    struct cuda_dissection_report report;
    double solve_s, expected[REAL_MAX_N];
    struct solver_times times = {.solve_s = &solve_s};
    struct error err = {0};
    bool right = true;
    CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, g, NO_LIMIT, with_pred, &rows.sink, &err),
                          STATUS_OK);
    struct delivery delivery = {.graph = g,
                                .sources = *sources,
                                .limit = NO_LIMIT,
                                .with_pred = with_pred,
                                .sink = checks ? &proving.sink : &rows.sink};
    const struct solver_task task = {.graph = g,
                                     .delivery = &delivery,
                                     .limit = NO_LIMIT,
                                     .predecessors = with_pred,
                                     .repetitions = 1,
                                     .options = &options};
    CU_ASSERT_EQUAL_FATAL(delivery_open(&delivery, 1, &err), STATUS_OK);
    CU_ASSERT_EQUAL(cuda_dissection_solve(&cuda_sparse_others, &task, sizes, &report, &times, &err),
                    STATUS_OK);
    CU_ASSERT(report.dissected && report.proved == (checks && stays));
    CU_ASSERT_EQUAL(rows.here, stays ? sources->count : 0);
    CU_ASSERT_EQUAL(rows.blocks > 0, !stays);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    for (int32_t p = 0; p < sources->count; p++) {
        const int32_t s = row_source(sources, p);
        search_real(g, s, expected, NULL);
        right = right && is_right(g, s, matrix_row_cells(&rows.dist, p),
                                  with_pred ? matrix_row(&rows.pred, p) : NULL, expected);
    }
    CU_ASSERT(right);
    delivery_close(&delivery);
    proving_sink_close(&proving);
    rows_here_free(&rows);
}

static void test_rows_here(void) {
    static const int32_t wanted[] = {17, 3, 40, 4, 0};
    static const struct cuda_dissection_options sizes = {
        .leaf = 8, .middle = 30, .most = 500, .lanes = 512};
    struct random random = {.state = 2028};
    for (int round = 0; round < 8 && !skipped(); round++) {
        const int32_t n = random_in(&random, 41, REAL_MAX_N);
        const double spacing = ldexp(1, (int[]){0, -40, -1000, 300}[round % 4]);
        struct graph g = tree_like(&random, n, random_in(&random, 1, 9), spacing,
                                   round % 4 == 1 ? 1 : 44, round % 4 == 1, false);
        const struct row_sources all = {NULL, n}, some = {wanted, 5};
        for (int how = 0; how<4; how += g.min_weight> 0 ? 1 : 2)
            check_rows_here(&g, round % 2 == 0 ? &all : &some, how % 2 != 0, how / 2 != 0, &sizes);
        graph_free(&g);
    }
}

/* Measures --------------------------------------------------------------------------------------*/

__extension__ typedef unsigned __int128 exact;

struct expected {
    exact sum; /* spacings */
    double farthest;
    int32_t reached;
};

static void add(struct expected *to, double distance, double spacing) {
    if (isinf(distance))
        return;
    to->sum += (exact)(distance / spacing);
    to->farthest = distance > to->farthest ? distance : to->farthest;
    to->reached++;
}

static bool is_total(const struct any_totals *found, const struct expected *expected,
                     double spacing) {
    return found->reached == expected->reached && found->eccentricity == expected->farthest &&
           found->sum == (double)expected->sum * spacing;
}

/* Returns whether finished measures are those of all rows. */
static bool are_measures(const struct graph *g, const struct measures *m) {
    struct expected *const out = calloc(2 * (size_t)g->n, sizeof *out), *const in = out + g->n;
    double *const dist = malloc((size_t)g->n * sizeof *dist);
    struct dijkstra queue = {0};
    struct error err;
    double largest = 0;
    int32_t from = 0, to = 0;
    bool are = dijkstra_alloc(&queue, g->n, true, &err) == STATUS_OK;
    for (int32_t s = 0; s < g->n && are; s++) {
        dijkstra_run_f64(&queue, g, s, INFINITY, dist, NULL);
        for (int32_t v = 0; v < g->n; v++) {
            add(&out[s], dist[v], g->spacing);
            add(&in[v], dist[v], g->spacing);
            if (!isinf(dist[v]) && dist[v] > largest) {
                largest = dist[v];
                from = s;
                to = v;
            }
        }
    }
    for (int32_t v = 0; v < g->n && are; v++) {
        struct any_totals found = measures_totals(m, false, v);
        are = is_total(&found, &out[v], g->spacing);
        if (measures_have_in(m))
            found = measures_totals(m, true, v);
        are = are && is_total(&found, measures_have_in(m) ? &in[v] : &out[v], g->spacing);
    }
    are = are && m->pairs.largest == largest && m->pairs.from == from && m->pairs.to == to;
    dijkstra_free(&queue);
    free(dist);
    free(out);
    return are;
}

/* A sink for sums, behind a proof if they are to be proved. */
struct summing {
    struct measures m;
    struct proving_sink proving;
    struct delivery delivery;
};

static void begin(struct summing *s, const struct graph *g, bool proves) {
    struct error err = {0};
    measures_init(&s->m, g, 1);
    measures_choose(&s->m, 0);
    CU_ASSERT_EQUAL_FATAL(proving_sink_open(&s->proving, g, NO_LIMIT, false, &s->m.sink, &err),
                          STATUS_OK);
    s->delivery = (struct delivery){.graph = g,
                                    .sources = {NULL, g->n},
                                    .limit = NO_LIMIT,
                                    .sink = proves ? &s->proving.sink : &s->m.sink};
    CU_ASSERT_EQUAL_FATAL(delivery_open(&s->delivery, 1, &err), STATUS_OK);
}

static void end(struct summing *s) {
    delivery_close(&s->delivery);
    proving_sink_close(&s->proving);
    measures_free(&s->m);
}

/* Returns whether sums that are found with the lengths of d are taken as those of g, and are right
 * then. */
static bool are_taken(const struct dissection *d, const struct graph *g, bool proves, int threads) {
    const struct solver_options options = {.threads = threads};
    struct summing s;
    struct error err = {0};
    bool taken;
    begin(&s, g, proves);
    const struct solver_task task = {.graph = g,
                                     .delivery = &s.delivery,
                                     .limit = NO_LIMIT,
                                     .repetitions = 1,
                                     .options = &options};
    CU_ASSERT_EQUAL_FATAL(delivery_begin(&s.delivery, threads, &err), STATUS_OK);
    CU_ASSERT_EQUAL(
        sums_take(&task, d, d->tree.vertex, d->tree.vertex, threads, isa_best(), &taken, &err),
        STATUS_OK);
    if (taken && proves) {
        CU_ASSERT_EQUAL(measures_finish(&s.m, &err), STATUS_OK);
        CU_ASSERT(are_measures(g, &s.m));
    }
    end(&s);
    return taken;
}

/* The answer of an engine that is asked for sums. */
static void check_sums(const struct graph *g, bool proves, bool on_gpu) {
    static const struct regions_options nested = {.leaf = 8, .ratio = 3, .worth = 20};
    const struct cuda_dissection_options cut = {.most = g->n, .regions = &nested};
    const struct solver_options options = {.threads = 2};
    struct dissection_report report = {0};
    struct cuda_dissection_report gpu_report = {0};
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    struct summing s;
    struct error err = {0};
    begin(&s, g, proves);
    const struct solver_task task = {.graph = g,
                                     .delivery = &s.delivery,
                                     .limit = NO_LIMIT,
                                     .repetitions = 1,
                                     .options = &options};
    if (on_gpu) {
        CU_ASSERT_EQUAL(
            cuda_dissection_solve(&cuda_sparse_others, &task, &cut, &gpu_report, &times, &err),
            STATUS_OK);
        CU_ASSERT(gpu_report.proportional && gpu_report.proved == proves);
    } else {
        CU_ASSERT_EQUAL(dissection_solve(&cpu_others, &task, -1, &report, &err), STATUS_OK);
        CU_ASSERT(report.reduced);
    }
    CU_ASSERT_EQUAL(measures_finish(&s.m, &err), STATUS_OK);
    CU_ASSERT(are_measures(g, &s.m));
    end(&s);
}

/* A line, on which classes pay; where sums of single rows pass 2^53 spacings. */
static void test_sums(void) {
    struct random random = {.state = 7};
    for (int round = 0; round < 4 && !skipped(); round++) {
        struct graph g = tree_like(&random, 3000, 3, ldexp(1, -30), 40, false, round % 2 == 0);
        check_sums(&g, round / 2 == 0, false);
        graph_free(&g);
    }
}

static void test_sums_on_gpu(void) {
    struct random random = {.state = 8};
    for (int round = 0; round < 6 && !skipped(); round++) {
        struct graph g = tree_like(&random, 90 + 40 * round, 3 + round, ldexp(1, 20 * round - 30),
                                   round % 3 == 0 ? 4 : 42, false, round % 2 == 0);
        check_sums(&g, false, true);
        check_sums(&g, true, true);
        graph_free(&g);
    }
}

/* All measures of rows that Dijkstra's algorithm finds. */
static void measure_rows(const struct graph *g, const struct row_sources *sources,
                         struct measures *m) {
    struct matrix dist = {0};
    struct dijkstra queue = {0};
    struct error err = {0};
    CU_ASSERT_FATAL(matrix_alloc_typed(&dist, NUMBER_FLOAT64, g->n, g->n, "D", &err) == STATUS_OK);
    CU_ASSERT_FATAL(dijkstra_alloc(&queue, g->n, true, &err) == STATUS_OK);
    for (int32_t p = 0; p < sources->count; p++)
        dijkstra_run_f64(&queue, g, row_source(sources, p), INFINITY, matrix_row_cells(&dist, p),
                         NULL);
    dijkstra_free(&queue);
    measures_init(m, g, 1);
    CU_ASSERT_EQUAL(row_sink_take_matrices(&m->sink, sources, &dist, NULL, 1, &err), STATUS_OK);
    CU_ASSERT_EQUAL(measures_finish(m, &err), STATUS_OK);
    matrix_free(&dist);
}

static bool same_sums(const struct real_vertex_totals *a, const struct real_vertex_totals *b,
                      int bits) {
    return a->reached == b->reached && a->eccentricity == b->eccentricity &&
           real_sum_value(&a->sum, bits) == real_sum_value(&b->sum, bits) &&
           a->reciprocals.level == b->reciprocals.level &&
           memcmp(a->reciprocals.part, b->reciprocals.part, sizeof a->reciprocals.part) == 0;
}

static bool same_measures(const struct measures *a, const struct measures *b) {
    const struct distance_histogram *const h = &a->pairs.histogram, *const k = &b->pairs.histogram;
    bool same = a->pairs.largest == b->pairs.largest && a->pairs.from == b->pairs.from &&
                a->pairs.to == b->pairs.to && (a->real_in != NULL) == (b->real_in != NULL);
    for (int32_t p = 0; p < a->count && same; p++)
        same = same_sums(&a->real_out[p], &b->real_out[p], a->summing.bits);
    for (int32_t v = 0; v < a->n && same && a->real_in != NULL; v++)
        same = same_sums(&a->real_in[v], &b->real_in[v], a->summing.bits);
    return same && h->width == k->width && h->first == k->first && h->bins == k->bins &&
           memcmp(h->count, k->count, (size_t)h->bins * sizeof *h->count) == 0;
}

/* All measures by totals, which are proved if `proves`, against those of rows. on_gpu: NULL for the
 * CPU, which eliminates up to `most` vertices and proves rows only; on as many GPUs as threads. */
static void check_all_measures(const struct graph *g, const struct row_sources *sources,
                               int32_t most, int threads,
                               const struct cuda_dissection_options *on_gpu, bool proves) {
    const struct solver_options options = {
        .threads = threads, .device_count = on_gpu != NULL ? threads : 0, .devices = {1, 0}};
    struct measures by_rows, m;
    struct proving_sink proving;
    struct dissection_report report = {0};
    struct cuda_dissection_report gpu_report = {0};
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    struct error err = {0};
    measure_rows(g, sources, &by_rows);
    measures_init(&m, g, 1);
    CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, g, NO_LIMIT, false, &m.sink, &err),
                          STATUS_OK);
    struct delivery delivery = {.graph = g,
                                .sources = *sources,
                                .limit = NO_LIMIT,
                                .sink = proves ? &proving.sink : &m.sink};
    const struct solver_task task = {.graph = g,
                                     .delivery = &delivery,
                                     .limit = NO_LIMIT,
                                     .repetitions = 1,
                                     .options = &options};
    CU_ASSERT_EQUAL_FATAL(delivery_open(&delivery, 1, &err), STATUS_OK);
    if (on_gpu == NULL)
        CU_ASSERT_EQUAL(dissection_solve(&cpu_others, &task, most, &report, &err), STATUS_OK);
    if (on_gpu != NULL)
        CU_ASSERT_EQUAL(
            cuda_dissection_solve(&cuda_sparse_others, &task, on_gpu, &gpu_report, &times, &err),
            STATUS_OK);
    CU_ASSERT(report.reduced || gpu_report.reduced);
    CU_ASSERT_EQUAL(gpu_report.proved, proves);
    delivery_close(&delivery);
    proving_sink_close(&proving);
    CU_ASSERT_EQUAL(measures_finish(&m, &err), STATUS_OK);
    CU_ASSERT(same_measures(&m, &by_rows));
    measures_free(&m);
    measures_free(&by_rows);
}

/* Distances of a few spacings and of many; ways there and back alike or not; few rows and all; with
 * a core and without. */
static void check_lanes(void) {
    static const int32_t some[] = {7, 3, 40, 11};
    struct random random = {.state = 12};
    for (int round = 0; round < 12 && !skipped(); round++) {
        const int32_t n = round == 0 ? 2 : random_in(&random, 41, REAL_MAX_N);
        const int bits = (int[]){3, 9, 20, 43}[round % 4];
        const double spacing = ldexp(1, (int[]){0, -33, -300, 300, 7}[round % 5]);
        struct graph g =
            tree_like(&random, n, 5, spacing, bits, round % 3 == 2, round / 2 % 2 == 0);
        const struct row_sources all = {NULL, n}, few = {some, 4};
        check_all_measures(&g, &all, round % 3 == 0 ? 2 : n, 1 + round % 3, NULL, false);
        if (n > 40)
            check_all_measures(&g, &few, n, 1, NULL, false);
        graph_free(&g);
    }
}

/* A distance of 1 and others from 2^30 or 2^46 on: reciprocals have digits of many levels, and
 * those of a source begin with one of three. */
static void check_far_apart(void) {
    struct real_edge edges[16];
    for (int far = 0; far < 2 && !skipped(); far++) {
        int64_t count = 0;
        for (int32_t v = 0; v < 6; v++) {
            const double weight = v == 0 ? 1 : v < 5 || !far ? 0x1p30 + 3 * v : 0x1p46 - 3;
            edges[count++] = (struct real_edge){v, v + 1, weight};
            edges[count++] = (struct real_edge){v + 1, v, weight};
        }
        struct graph g = on_grid(8, 1, edges, count); /* vertex 7 is alone */
        const struct row_sources all = {NULL, 8};
        check_all_measures(&g, &all, 8, 2, NULL, false);
        graph_free(&g);
    }
}

static void test_all_measures(void) {
    on_every_isa(check_lanes);
    on_every_isa(check_far_apart);
}

/* On a GPU: tops of one tile and of several, and of levels; columns, and few rows; sources for two
 * GPUs. */
static void test_all_measures_on_gpu(void) {
    enum { FOR_TWO = PRODUCT_LANES + 90 };
    static const struct cuda_dissection_options sizes[] = {
        {.leaf = 8, .middle = 30, .most = FOR_TWO, .lanes = PRODUCT_LANES},
        {.leaf = 1, .middle = 2, .most = FOR_TWO, .lanes = PRODUCT_LANES, .top = 20},
        {.leaf = 1, .middle = 2, .most = FOR_TWO, .lanes = PRODUCT_LANES},
    };
    static const int32_t some[] = {7, 3, 40, 11};
    struct random random = {.state = 13};
    cuda_shim_set_devices(2);
    for (int round = 0; round < 12 && !skipped(); round++) {
        const int gpus = 1 + round / 2 % 2;
        const int32_t n = gpus == 2 && round < 8 ? FOR_TWO : random_in(&random, 41, 300);
        const int32_t width = round % 3 == 2 ? 30 : 5;
        const int bits = (int[]){3, 9, 20, 43}[round % 4];
        const double spacing = ldexp(1, (int[]){0, -33, -300, 300, 7}[round % 5]);
        struct graph g = tree_like(&random, n, width, spacing, bits, false, round / 2 % 2 == 0);
        const struct row_sources all = {NULL, n}, few = {some, 4};
        g.farthest = g.max_weight * n;
        check_all_measures(&g, &all, 0, gpus, &sizes[round % 3], round % 2 == 0);
        check_all_measures(&g, &few, 0, 1, &sizes[round % 3], round % 2 == 1);
        graph_free(&g);
    }
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    cuda_shim_set_devices(1);
}

/* Sums are taken only if they are those of the graph: one spacing at one edge is noticed. */
static void test_refuted(void) {
    enum { N = 3000 };
    const struct dissection_options options = {.threads = 1, .isa = isa_best(), .most = N};
    struct real_edge *const edges = calloc(2 * N, sizeof *edges), *const copy =
                                                                      calloc(2 * N, sizeof *copy);
    const double spacing = ldexp(1, -8);
    struct dissection d;
    struct error err;
    int64_t count = 0;
    for (int32_t v = 1; v < N; v++) {
        const double weight = spacing * (0x1p38 + v % 7);
        edges[count++] = (struct real_edge){v - 1, v, weight};
        edges[count++] = (struct real_edge){v, v - 1, spacing * (0x1p37 + v % 5)};
    }
    for (int64_t e = 0; e < count; e++)
        copy[e] = edges[e];
    struct graph g = on_grid(N, spacing, edges, count);
    for (int change = -1; change <= 1 && !skipped(); change++) {
        struct real_edge *const changed = calloc(2 * N, sizeof *changed);
        for (int64_t e = 0; e < count; e++)
            changed[e] = copy[e];
        changed[N + 1].weight += change * spacing;
        struct graph other = on_grid(N, spacing, changed, count);
        CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, &g, &options, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(dissection_finish(&d, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(are_taken(&d, &other, true, 1), change == 0);
        CU_ASSERT(are_taken(&d, &other, false, 2));
        dissection_free(&d);
        graph_free(&other);
        free(changed);
    }
    /* Half a spacing is no weight of the grid: nothing is proved of such a graph, not even the sums
     * that are its own. */
    if (!skipped()) {
        copy[5].weight += spacing / 2;
        struct graph off = on_grid(N, spacing, copy, count);
        for (int own = 0; own < 2; own++) {
            CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, own ? &off : &g, &options, NULL, &err),
                                  STATUS_OK);
            CU_ASSERT_EQUAL_FATAL(dissection_finish(&d, NULL, &err), STATUS_OK);
            CU_ASSERT_FALSE(are_taken(&d, &off, true, 1));
            dissection_free(&d);
        }
        graph_free(&off);
    }
    graph_free(&g);
    free(edges);
    free(copy);
}

/* Rows side by side, as a GPU proves them; columns in an order of their own. */
enum { LANES_N = 100, LANES_SLOTS = 3 };
struct lanes {
    int32_t vertex[LANES_N], source[PROOF_LANES];
    double cell[LANES_N * PROOF_LANES];
    double totals[PROOF_LANES * (TOTALS_BYTES / sizeof(double) + 1)];
    uint64_t count[LANES_SLOTS * TOTALS_BINS];
};

static void fill_lanes(struct lanes *l, const struct graph *g) {
    double dist[REAL_MAX_N];
    for (int32_t c = 0; c < g->n; c++)
        l->vertex[c] = g->n - 1 - c;
    for (int32_t k = 0; k < PROOF_LANES; k++) {
        l->source[k] = k < g->n ? k : g->n - 1;
        search_real(g, l->source[k], dist, NULL);
        for (int32_t c = 0; c < g->n; c++)
            l->cell[c * PROOF_LANES + k] = dist[l->vertex[c]] / g->spacing;
    }
}

static bool are_proved(struct lanes *l, const struct graph *g, bool *is_ready) {
    struct gpu_lane_proof proof;
    struct error err;
    bool proved = false;
    struct gpu_lanes rows = {.dist = l->cell,
                             .source = l->source,
                             .count = g->n,
                             .lanes = PROOF_LANES,
                             .totals = totals_in(l->totals, PROOF_LANES),
                             .slots = LANES_SLOTS};
    rows.totals.count = l->count;
    CU_ASSERT_EQUAL(gpu_lane_proof_open(&proof, g, l->vertex, &err), STATUS_OK);
    *is_ready = proof.is_ready;
    if (proof.is_ready) {
        CU_ASSERT_EQUAL(gpu_lane_proof_begin(&proof, &err), STATUS_OK);
        CU_ASSERT_EQUAL(gpu_lane_proof_take(&proof, &rows, &err), STATUS_OK);
        CU_ASSERT_EQUAL(gpu_lane_proof_end(&proof, &proved, &err), STATUS_OK);
    }
    gpu_lane_proof_close(&proof);
    return proved;
}

/* One spacing at one cell is noticed, and what is no distance at all. */
static void test_proof_by_lanes(void) {
    struct random random = {.state = 3};
    struct lanes *const l = calloc(1, sizeof *l);
    const double spacing = ldexp(1, -20);
    struct graph g = tree_like(&random, LANES_N, 9, spacing, 44, false, false);
    bool is_ready;
    fill_lanes(l, &g);
    CU_ASSERT(are_proved(l, &g, &is_ready) && is_ready);
    for (int k = 0; k < 60; k++) {
        double *const cell = &l->cell[random_in(&random, 0, g.n - 1) * PROOF_LANES +
                                      random_in(&random, 0, PROOF_LANES - 1)];
        const double right = *cell;
        *cell = (double[]){right + 1, right - 1, right + 0.5, INFINITY, -INFINITY, NAN}[k % 6];
        CU_ASSERT_FALSE(are_proved(l, &g, &is_ready));
        *cell = right;
    }
    const double weight = g.real_weight[7];
    for (int k = 0; k < 3; k++) { /* of no grid, 0, and so heavy that sums are rounded */
        g.real_weight[7] = (double[]){weight + spacing / 2, 0, 0x1p53 * spacing}[k];
        CU_ASSERT(!are_proved(l, &g, &is_ready) && !is_ready);
    }
    graph_free(&g);
    free(l);
}

/* A distance is proved up to 2^53 spacings less the heaviest weight. */
static void test_proof_of_long_lanes(void) {
    struct lanes *const l = calloc(1, sizeof *l);
    for (int beyond = 0; beyond < 2; beyond++) {
        struct real_edge edges[] = {{0, 1, 0x1p52}, {1, 2, beyond}, {0, 3, 0x1p52 - 1}};
        edges[1].weight += 1;
        edges[0].weight -= 1;
        struct graph g = on_grid(4, 1, edges, 3);
        bool is_ready;
        g.max_weight = 0x1p52;
        fill_lanes(l, &g);
        CU_ASSERT_EQUAL(are_proved(l, &g, &is_ready), !beyond);
        CU_ASSERT(is_ready);
        graph_free(&g);
    }
    free(l);
}

CU_TestInfo on_grid_tests[] = {
    {"rows", test_rows},
    {"rows on a GPU", test_rows_on_gpu},
    {"rows that stay on a GPU", test_rows_here},
    {"sums of proportional rows", test_sums},
    {"the same on a GPU", test_sums_on_gpu},
    {"all measures, by lanes", test_all_measures},
    {"all measures on a GPU", test_all_measures_on_gpu},
    {"sums of another graph", test_refuted},
    {"a proof by lanes", test_proof_by_lanes},
    {"a proof of long distances", test_proof_of_long_lanes},
    CU_TEST_INFO_NULL,
};
