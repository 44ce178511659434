// SPDX-License-Identifier: MIT
/* The proof on the device, on the shim: it agrees with the certificate on right answers and on
 * corrupted ones, and what it refutes is refuted with the certificate's words. */
#include "certificate/gpu/gpu_lane_proof.h"
#include "certificate/gpu/gpu_proof.h"
#include "certificate/proving_sink.h"      // struct proving_sink
#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver
#include "cuda_runtime_api.h"              // the shim's controls
#include "engines/cpu_variants.h"          // cpu_solver
#include "engines/sparse_variants.h"       // cuda_sparse_solver
#include "gpu/gpu_solver.h"                // struct gpu_matrices
#include "solve/solve.h"                   // solve, solve_rows
#include "tests/mutants/mutants.h"
#include "tests/unit/real_graphs.h"
#include "tests/unit/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int told; /* answers that the device could tell about */

/* The device's verdict, by strips one after the other; the certificate's if the device cannot
 * tell. */
static enum status judge_on_device(const struct graph *g, double limit, const struct matrix *dist,
                                   const struct matrix *pred, int threads, struct error *err) {
    struct gpu_proof proof;
    bool proved = false;
    if (limit < NO_LIMIT) /* the device knows no limits */
        return mutants_certify(g, limit, dist, pred, threads, err);
    CU_ASSERT_EQUAL(gpu_proof_open(&proof, g, NULL, pred != NULL, err), STATUS_OK);
    const bool tells = proof.is_ready;
    const struct gpu_proof_rows rows = {dist->cells, pred != NULL ? pred->cell : NULL, NULL,
                                        dist->ld, g->n};
    proof.strips = 1;
    CU_ASSERT_EQUAL(gpu_proof_check(&proof, &rows, &proved, err), STATUS_OK);
    gpu_proof_close(&proof);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    CU_ASSERT(tells || !proved);
    told += tells;
    return !tells   ? mutants_certify(g, limit, dist, pred, threads, err)
           : proved ? STATUS_OK
                    : STATUS_REFUTED;
}

/* A graph of int32 as one of float64 on a grid, and a matrix of its distances. */
static struct graph as_real(const struct graph *g, double spacing) {
    struct real_edge *const edges = malloc(sizeof *edges * ((size_t)g->m + 1));
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            edges[e] = (struct real_edge){u, g->head[e], g->weight[e] * spacing};
    }
    struct graph real = graph_of_real(g->n, NUMBER_FLOAT64, edges, g->m);
    real.spacing = spacing;
    free(edges);
    return real;
}

static struct matrix distances_as_real(const struct matrix *dist, int32_t n, double spacing) {
    struct matrix real = {0};
    struct error err;
    CU_ASSERT_EQUAL_FATAL(matrix_alloc_typed(&real, NUMBER_FLOAT64, n, n, "D", &err), STATUS_OK);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            const int32_t d = matrix_row(dist, i)[j];
            set_real_cell(&real, i, j, d == INF ? HUGE_VAL : d * spacing);
        }
    }
    return real;
}

/* The same answer in float64. What int32 refutes as no distance, because it is above INF, may be
 * one there. */
static enum status judge_as_real(const struct graph *g, double limit, const struct matrix *dist,
                                 const struct matrix *pred, int threads, struct error *err) {
    const double spacing = 0x1p-40;
    if (limit < NO_LIMIT || dist->n != g->n)
        return mutants_certify(g, limit, dist, pred, threads, err);
    struct graph real = as_real(g, spacing);
    struct matrix real_dist = distances_as_real(dist, g->n, spacing);
    const enum status status = judge_on_device(&real, limit, &real_dist, pred, threads, err);
    matrix_free(&real_dist);
    graph_free(&real);
    return status;
}

static void judge_mutants(mutant_judge *judge) {
#ifdef APSP_SANITIZED
    enum { MUTANTS = 60 };
#else
    enum { MUTANTS = 700 };
#endif
    struct mutant_report report;
    told = 0;
    mutants_judge(6, MUTANTS, judge, &report);
    CU_ASSERT_EQUAL(report.all.escaped, 0);
    CU_ASSERT_EQUAL(report.all.slandered, 0);
    CU_ASSERT(report.all.accepted + report.all.unchanged > 0 && report.all.refuted_distance > 0);
#ifndef APSP_SANITIZED
    CU_ASSERT(report.all.refuted_edge > 0 && report.all.refuted_cycle > 0);
    CU_ASSERT(told > MUTANTS / 8); /* a third has a limit */
#endif
}

static void test_mutants(void) {
    judge_mutants(judge_on_device);
}

static void test_real_mutants(void) {
    judge_mutants(judge_as_real);
}

/* Rows side by side, two lanes for each source, and what the proof sums up of them. */
struct lanes {
    struct gpu_lanes rows;
    int32_t *vertex, *cell, *source;
    void *totals;
};

enum { SLOTS = 3 };

/* Columns come in an order that is not that of the vertices. */
static struct lanes lanes_of(const struct matrix *dist, int32_t n, bool all_finite) {
    const size_t lanes = ((size_t)n / PROOF_LANES + 1) * PROOF_LANES;
    struct lanes l = {.vertex = malloc((size_t)n * sizeof(int32_t)),
                      .cell = malloc((size_t)n * lanes * sizeof(int32_t)),
                      .source = malloc(lanes * sizeof(int32_t)),
                      .totals = calloc(lanes * 4 + SLOTS * (size_t)TOTALS_BINS, sizeof(uint64_t))};
    uint64_t *const totals = l.totals;
    CU_ASSERT_FATAL(l.vertex != NULL && l.cell != NULL && l.source != NULL && totals != NULL);
    for (int32_t c = 0; c < n; c++)
        l.vertex[c] = n - 1 - c;
    for (size_t k = 0; k < lanes; k++) {
        l.source[k] = (int32_t)k < n ? (int32_t)k : n - 1;
        for (int32_t c = 0; c < n; c++)
            l.cell[(size_t)c * lanes + k] = matrix_row(dist, l.source[k])[l.vertex[c]];
    }
    l.rows = (struct gpu_lanes){.dist = l.cell,
                                .source = l.source,
                                .count = n,
                                .lanes = (int32_t)lanes,
                                .all_finite = all_finite,
                                .slots = SLOTS,
                                .totals = {.sum = totals,
                                           .high = (int64_t *)(totals + lanes),
                                           .low = (int64_t *)(totals + 2 * lanes),
                                           .reached = (int32_t *)(totals + 3 * lanes),
                                           .count = totals + 4 * lanes,
                                           .shift = 1}};
    l.rows.totals.farthest = l.rows.totals.reached + lanes;
    return l;
}

static void free_lanes(struct lanes *l) {
    free(l->vertex);
    free(l->cell);
    free(l->source);
    free(l->totals);
}

/* Returns whether lanes are proved; *is_ready: whether the device can tell. */
static bool lanes_are_proved(const struct graph *g, const struct lanes *l, bool *is_ready) {
    struct gpu_lane_proof proof;
    struct error err;
    bool proved = false;
    CU_ASSERT_EQUAL(gpu_lane_proof_open(&proof, g, l->vertex, &err), STATUS_OK);
    *is_ready = proof.is_ready;
    if (proof.is_ready) {
        CU_ASSERT_EQUAL(gpu_lane_proof_begin(&proof, &err), STATUS_OK);
        CU_ASSERT_EQUAL(gpu_lane_proof_take(&proof, &l->rows, &err), STATUS_OK);
        CU_ASSERT_EQUAL(gpu_lane_proof_end(&proof, &proved, &err), STATUS_OK);
    }
    gpu_lane_proof_close(&proof);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    return proved;
}

/* The device's verdict on distances; the certificate's if the device cannot tell, also because a
 * distance is so long that a weight may lead out of range. */
static enum status judge_lanes(const struct graph *g, double limit, const struct matrix *dist,
                               const struct matrix *pred, int threads, struct error *err) {
    bool is_ready = false, is_proved = false, is_long = false;
    for (int32_t i = 0; i < g->n && g->m > 0; i++) {
        for (int32_t j = 0; j < g->n; j++)
            is_long |=
                matrix_row(dist, i)[j] < INF && matrix_row(dist, i)[j] + g->max_weight >= INF;
    }
    if (limit == NO_LIMIT && pred == NULL && dist->n == g->n) {
        struct lanes l = lanes_of(dist, g->n, false);
        is_proved = lanes_are_proved(g, &l, &is_ready);
        free_lanes(&l);
    }
    CU_ASSERT(!is_long || !is_proved);
    told += is_ready && !is_long;
    return !is_ready || is_long ? mutants_certify(g, limit, dist, pred, threads, err)
           : is_proved          ? STATUS_OK
                                : STATUS_REFUTED;
}

static void test_lane_mutants(void) {
#ifdef APSP_SANITIZED
    enum { MUTANTS = 40 };
#else
    enum { MUTANTS = 400 };
#endif
    struct mutant_report report;
    told = 0;
    mutants_judge(8, MUTANTS, judge_lanes, &report);
    CU_ASSERT_EQUAL(report.all.escaped, 0);
    CU_ASSERT_EQUAL(report.all.slandered, 0);
    CU_ASSERT(told >
              MUTANTS / 16); /* half have predecessors, a third has a limit, some weights 0 */
}

/* A graph and its right answer. */
struct answer {
    struct graph g;
    struct matrix dist, pred;
};

static struct answer answer_to(struct graph g) {
    const struct solver_options options = {.threads = 1};
    struct answer a = {g, new_matrix(g.n), new_matrix(g.n)};
    struct timing timing;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(solve(solver_find(&cpu_solver, "johnson"), &a.g, &options, &a.dist,
                                &a.pred, NULL, 1, &timing, &err),
                          STATUS_OK);
    return a;
}

static void free_answer(struct answer *a) {
    graph_free(&a->g);
    matrix_free(&a->dist);
    matrix_free(&a->pred);
}

static bool is_proved(const struct answer *a, const struct gpu_proof_rows *rows, int32_t strips) {
    struct gpu_proof proof;
    struct error err;
    bool proved = false;
    CU_ASSERT_EQUAL(gpu_proof_open(&proof, &a->g, NULL, rows->pred != NULL, &err), STATUS_OK);
    proof.strips = strips < proof.strips ? strips : proof.strips;
    CU_ASSERT_EQUAL(gpu_proof_check(&proof, rows, &proved, &err), STATUS_OK);
    gpu_proof_close(&proof);
    return proved;
}

/* Rows of some vertices in any order; each of their cells counts, with one strip at a time and with
 * several. */
static void test_rows_of_sources(void) {
    enum { N = 270, STRIPS = 3, ROW = 261 };
    struct random random = {21};
    struct answer a = answer_to(random_graph(&random, N, 3, WEIGHTS_POSITIVE));
    int32_t *const dist = malloc(sizeof *dist * N * a.dist.ld), *const pred = malloc(sizeof *pred *
                                                                                     N * a.dist.ld);
    int32_t source[N];
    CU_ASSERT_FATAL(dist != NULL && pred != NULL);
    for (int32_t r = 0; r < N; r++) {
        source[r] = (int32_t)((int64_t)r * 77 % N);
        memcpy(dist + (size_t)r * a.dist.ld, matrix_row(&a.dist, source[r]), N * sizeof *dist);
        memcpy(pred + (size_t)r * a.dist.ld, matrix_row(&a.pred, source[r]), N * sizeof *pred);
    }
    const struct gpu_proof_rows rows = {dist, pred, source, a.dist.ld, N};
    const struct gpu_proof_rows distances = {dist, NULL, source, a.dist.ld, N};
    const struct gpu_proof_rows few = {dist, pred, source, a.dist.ld, ROW};
    for (int32_t strips = 1; strips <= STRIPS; strips += STRIPS - 1) {
        CU_ASSERT(is_proved(&a, &rows, strips));
        CU_ASSERT(is_proved(&a, &distances, strips));
        int32_t *const cell = dist + (size_t)ROW * a.dist.ld + 100;
        for (int change = -1; change <= 1; change += 2) {
            *cell += change;
            CU_ASSERT_FALSE(is_proved(&a, &rows, strips));
            CU_ASSERT_FALSE(is_proved(&a, &distances, strips));
            CU_ASSERT(is_proved(&a, &few, strips)); /* the wrong row is not among them */
            *cell -= change;
        }
    }
    free(dist);
    free(pred);
    free_answer(&a);
}

/* Each cell counts, tiles with few and with many edges, and totals are those of the rows. */
static void test_lanes(void) {
    enum { N = 150, HUB = 149 };
    struct random random = {24};
    struct edge *const edges = malloc(sizeof *edges * 12 * N);
    int64_t count = 0;
    CU_ASSERT_FATAL(edges != NULL);
    for (int32_t v = 0; v < N; v++) { /* all are reached from all; the hub's edges fill a tile */
        edges[count++] = (struct edge){v, (v + 1) % N, random_in(&random, 1, 50)};
        edges[count++] = (struct edge){v, HUB, random_in(&random, 1, 90)};
        for (int k = 0; k < 9; k++)
            edges[count++] = (struct edge){v, random_in(&random, 90, N - 1), 60};
    }
    struct answer a = answer_to(graph_of(N, edges, count));
    for (int all_finite = 0; all_finite <= 1; all_finite++) {
        struct lanes l = lanes_of(&a.dist, N, all_finite);
        bool is_ready;
        CU_ASSERT(lanes_are_proved(&a.g, &l, &is_ready) && is_ready);
        const struct gpu_totals *const t = &l.rows.totals;
        int64_t counted = 0, near = 0, expected_near = 0;
        for (int32_t s = 0; s < N; s++) {
            int64_t sum = all_finite; /* sources come as 1 */
            int32_t farthest = 0;
            for (int32_t v = 0; v < N; v++) {
                const int32_t distance = matrix_row(&a.dist, s)[v];
                sum += distance;
                farthest = distance > farthest ? distance : farthest;
                expected_near += distance >> 1 == 3;
            }
            CU_ASSERT((int64_t)t->sum[s] == sum && t->farthest[s] == farthest);
            CU_ASSERT_EQUAL(t->reached[s], all_finite ? 0 : N);
        }
        for (int k = 0; k < SLOTS * TOTALS_BINS; k++) {
            counted += (int64_t)t->count[k];
            near += k % TOTALS_BINS == 3 ? (int64_t)t->count[k] : 0;
        }
        CU_ASSERT(counted == N * N && near == expected_near);
        for (int k = 0; k < 40; k++) {
            int32_t *const cell = &l.cell[(int64_t)random_in(&random, 0, N - 1) * l.rows.lanes +
                                          random_in(&random, 0, N - 1)];
            const int32_t right = *cell, change[] = {right + 1, right - 1, INF, INT32_MIN};
            *cell = change[k % 4];
            CU_ASSERT_FALSE(lanes_are_proved(&a.g, &l, &is_ready));
            *cell = right;
        }
        l.vertex[1] = l.vertex[0]; /* a column is missing */
        CU_ASSERT(!lanes_are_proved(&a.g, &l, &is_ready) && !is_ready);
        free_lanes(&l);
    }
    free(edges);
    free_answer(&a);
}

/* A vertex that only a path out of range reaches is not proved to have none. */
static void test_out_of_range(void) {
    enum { WEIGHT = 5 };
    struct graph g = graph_of(3, (struct edge[]){{0, 1, INF - WEIGHT}, {1, 2, WEIGHT}}, 2);
    struct matrix dist = new_matrix(3);
    bool is_ready;
    for (int32_t s = 0; s < 3; s++) {
        for (int32_t v = 0; v < 3; v++)
            matrix_row(&dist, s)[v] = s == v ? 0 : INF;
    }
    matrix_row(&dist, 0)[1] = INF - WEIGHT;
    matrix_row(&dist, 1)[2] = WEIGHT;
    struct lanes l = lanes_of(&dist, 3, false);
    CU_ASSERT_FALSE(lanes_are_proved(&g, &l, &is_ready));
    CU_ASSERT(is_ready);
    free_lanes(&l);
    matrix_free(&dist);
    graph_free(&g);
}

/* Returns whether the device tells about a graph, and proves its distances. */
static bool tells(const struct graph *g, const struct matrix *dist, bool *proved) {
    const struct gpu_proof_rows rows = {dist->cells, NULL, NULL, dist->ld, g->n};
    struct gpu_proof proof;
    struct error err;
    CU_ASSERT_EQUAL(gpu_proof_open(&proof, g, NULL, false, &err), STATUS_OK);
    const bool is_ready = proof.is_ready;
    CU_ASSERT_EQUAL(gpu_proof_check(&proof, &rows, proved, &err), STATUS_OK);
    gpu_proof_close(&proof);
    return is_ready;
}

/* Real weights are for the device if they are on a grid, and sums exact: not the neighbours of
 * numbers, no number that stands for none, no distance to which a weight may be added in vain. */
static void test_real_weights(void) {
    static const int32_t vertex[] = {0, 1, 2};
    const struct real_edge edges[] = {{0, 1, 1.5}, {1, 2, 2.25}};
    struct real_edge copy[] = {edges[0], edges[1]};
    struct graph g = graph_of_real(3, NUMBER_FLOAT64, copy, 2);
    struct matrix dist, pred;
    struct gpu_lane_proof lane_proof;
    struct error err;
    bool proved;
    solve_real(&g, &dist, &pred);
    CU_ASSERT(!tells(&g, &dist, &proved) && !proved);
    CU_ASSERT_EQUAL(gpu_lane_proof_open(&lane_proof, &g, vertex, &err), STATUS_OK);
    CU_ASSERT_FALSE(lane_proof.is_ready);
    gpu_lane_proof_close(&lane_proof);
    g.spacing = 0.5;
    CU_ASSERT_FALSE(tells(&g, &dist, &proved));
    g.spacing = 0.25;
    CU_ASSERT(tells(&g, &dist, &proved) && proved);
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t j = 0; j < 3; j++) {
            const double right = real_cell(&dist, i, j);
            const double wrong[] = {nextafter(right, -1),
                                    nextafter(right, 9),
                                    -right,
                                    NAN,
                                    0x1p52,
                                    -HUGE_VAL,
                                    HUGE_VAL};
            for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
                set_real_cell(&dist, i, j, wrong[k]);
                CU_ASSERT(tells(&g, &dist, &proved));
                CU_ASSERT_EQUAL(proved, memcmp(&wrong[k], &right, sizeof right) == 0);
            }
            set_real_cell(&dist, i, j, right);
        }
    }
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* A circle of three whose edges become so heavy that a third one would be added in vain. */
static void test_rounded_sums(void) {
    const double heavy = 0x1p51;
    struct graph g = graph_of_real(
        3, NUMBER_FLOAT64,
        (struct real_edge[]){{0, 1, heavy}, {1, 2, heavy}, {2, 0, heavy}, {0, 2, 1}}, 4);
    struct matrix dist, pred;
    bool proved;
    solve_real(&g, &dist, &pred);
    g.spacing = 1;
    CU_ASSERT(tells(&g, &dist, &proved) && proved);
    for (int64_t e = 0; e < g.m; e++)
        g.real_weight[e] = 0x1p52;
    g.min_weight = g.max_weight = 0x1p52;
    matrix_free(&dist);
    matrix_free(&pred);
    solve_real(&g, &dist, &pred);
    CU_ASSERT(tells(&g, &dist, &proved) && !proved);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* Weights that the device does not take: it cannot tell, and nothing goes wrong. */
static void test_not_ready(void) {
    static const struct edge edges[2][2] = {{{0, 1, -1}, {1, 2, 3}}, {{0, 1, 2}, {1, 2, INF + 1}}};
    for (int k = 0; k < 2; k++) {
        struct answer a = {graph_of(3, edges[k], 2), new_matrix(3), new_matrix(3)};
        struct gpu_proof proof;
        struct error err;
        bool proved = true;
        const struct gpu_proof_rows rows = {a.dist.cell, a.pred.cell, NULL, a.dist.ld, 3};
        CU_ASSERT_EQUAL(gpu_proof_open(&proof, &a.g, NULL, true, &err), STATUS_OK);
        CU_ASSERT_FALSE(proof.is_ready);
        CU_ASSERT_EQUAL(gpu_proof_check(&proof, &rows, &proved, &err), STATUS_OK);
        CU_ASSERT_FALSE(proved);
        gpu_proof_close(&proof);
        free_answer(&a);
    }
}

/* A sink that proves, around one that counts which rows came proved. */
struct counting_sink {
    struct row_sink sink; /* the first member */
    int32_t rows, proved;
};

static enum status count(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct counting_sink *const sink = (struct counting_sink *)self;
    (void)err;
#pragma omp atomic
    sink->rows += block->count;
#pragma omp atomic
    sink->proved += block->proved ? block->count : 0;
    return STATUS_OK;
}

/* Solves all rows or half of them into a sink that proves; returns how many rows the device has
 * proved, or -1 if a row is missing. */
static int32_t rows_proved(const struct solver_variant *variant, const struct graph *g, bool half,
                           enum status *status, struct error *err) {
    const struct solver_options options = {.threads = 2, .rows = 20};
    struct counting_sink counting = {.sink = {.take = count}};
    struct proving_sink proving;
    struct timing timing;
    int32_t source[300];
    for (int32_t p = 0; p < g->n; p++)
        source[p] = g->n - 1 - p;
    const struct solve_request request = {.graph = g,
                                          .sources = {half ? source : NULL, half ? g->n / 2 : g->n},
                                          .limit = NO_LIMIT,
                                          .predecessors = true,
                                          .options = &options,
                                          .repetitions = 1};
    CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, g, NO_LIMIT, true, &counting.sink, err),
                          STATUS_OK);
    *status = solve_rows(variant, &request, &proving.sink, &timing, err);
    proving_sink_close(&proving);
    return counting.rows == request.sources.count ? counting.proved : -1;
}

/* Potentials are believed only if they leave no weight below 0, and rows are those of the weights
 * that they leave. */
static void test_potentials(void) {
    static const struct {
        int64_t potential[3];
        bool ready, proved;
    } cases[] = {
        {{0, -4, -1}, true, true},  /* weights 0 and 0 */
        {{10, 6, 9}, true, true},   /* the same */
        {{0, -5, -2}, true, false}, /* 1 and 0 */
        {{0, -3, 0}, false, false}, /* -1 and 0 */
        {{0, -4, 9}, false, false}, /* 0 and -10 */
        {{0, -4 - (INT64_C(1) << 31), -1}, false, false},
    };
    struct graph g = graph_of(3, (struct edge[]){{0, 1, -4}, {1, 2, 3}}, 2);
    struct answer a = {g, new_matrix(3), new_matrix(3)};
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t j = 0; j < 3; j++) {
            matrix_row(&a.dist, i)[j] = i <= j ? 0 : INF;
            matrix_row(&a.pred, i)[j] = i < j ? j - 1 : -1;
        }
    }
    const struct gpu_proof_rows rows = {a.dist.cell, a.pred.cell, NULL, a.dist.ld, 3};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gpu_proof proof;
        struct error err;
        bool proved = false;
        CU_ASSERT_EQUAL(gpu_proof_open(&proof, &g, cases[k].potential, true, &err), STATUS_OK);
        CU_ASSERT_EQUAL(proof.is_ready, cases[k].ready);
        CU_ASSERT_EQUAL(gpu_proof_check(&proof, &rows, &proved, &err), STATUS_OK);
        CU_ASSERT_EQUAL(proved, cases[k].proved);
        gpu_proof_close(&proof);
    }
    free_answer(&a);
}

/* Rows come proved from the device, whole and in blocks, those of graphs with negative weights too.
 */
static void test_rows_come_proved(void) {
    enum { N = 60 };
    const struct solver_variant *const variants[] = {
        solver_find(&cuda_sparse_solver, "multisource"), solver_find(&cuda_sparse_solver, "auto"),
        solver_find(&cuda_blocked_solver, "tile32")};
    struct random random = {22};
    for (int kind = 0; kind < WEIGHT_KINDS; kind++) {
        struct graph g = random_graph(&random, N, 8, (enum weights)kind);
        for (int v = 0; v < 3; v++) {
            for (int half = 0; half <= 1; half++) {
                struct error err;
                enum status status;
                const int32_t wanted = half ? N / 2 : N;
                CU_ASSERT_EQUAL(rows_proved(variants[v], &g, half, &status, &err), wanted);
                CU_ASSERT_EQUAL(status, STATUS_OK);
            }
        }
        graph_free(&g);
    }
}

/* The right answer but for one distance. */
static enum status launch_wrongly(const struct gpu_matrices *m, struct progress *progress,
                                  struct error *err) {
    RETURN_ON_FAILURE(solver_find(&cuda_sparse_solver, "multisource")->launch(m, progress, err));
    for (int32_t r = 0; r < m->rows && !m->warm_up; r++) {
        if (m->source[r] == 33)
            m->dist[(size_t)r * m->ld + 5]++;
    }
    return STATUS_OK;
}

/* A wrong row is named as without a GPU. */
static void test_refuted(void) {
    enum { N = 60 };
    struct random random = {23};
    struct graph g = random_graph(&random, N, 30, WEIGHTS_POSITIVE);
    struct solver_variant wrong = *solver_find(&cuda_sparse_solver, "multisource");
    struct error err;
    enum status status;
    wrong.launch = launch_wrongly;
    CU_ASSERT_EQUAL(rows_proved(&wrong, &g, false, &status, &err), -1);
    CU_ASSERT_EQUAL(status, STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "distance from 33 to 5 is"));
    graph_free(&g);
}

CU_TestInfo gpu_proof_tests[] = {
    {"corrupted answers are refuted, equally good ones accepted", test_mutants},
    {"the same on a grid", test_real_mutants},
    {"rows of some sources", test_rows_of_sources},
    {"corrupted rows side by side are refuted, others accepted", test_lane_mutants},
    {"cells, totals and columns of rows side by side", test_lanes},
    {"weights that the device leaves to the host", test_not_ready},
    {"real weights", test_real_weights},
    {"sums that would be rounded", test_rounded_sums},
    {"potentials", test_potentials},
    {"paths out of range", test_out_of_range},
    {"rows come proved from the device", test_rows_come_proved},
    {"a refuted row is named by the certificate", test_refuted},
    CU_TEST_INFO_NULL,
};
