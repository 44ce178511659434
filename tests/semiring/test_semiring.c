// SPDX-License-Identifier: MIT
/* Other semirings than min-plus: answers are those of the definition, and the certificate accepts
 * an answer if and only if it is right. The reference relaxes the edges as they were given,
 * parallel ones and loops included, and knows neither the canonical graph nor the engine. */
#include "certificate/certificate.h"
#include "certificate/gpu/gpu_proof.h"
#include "common/base/memory.h"      // memory_held
#include "elimination/order.h"       // order_is_available
#include "engines/auto.h"            // apsp_solver
#include "engines/sparse_variants.h" // cuda_semiring_variant
#include "semiring/by_elimination.h" // eliminated_edges_make
#include "semiring/variant.h"
#include "solve/solve.h"
#include "tests/engines/preference.h"
#include "tests/unit/real_graphs.h" // real_cell, set_real_cell
#include "tests/unit/support.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 70, MOST_M = 16 * MOST_N };

/* A graph as it was given, and its answer by definition. */
struct subject {
    enum semiring semiring;
    enum number_type type;
    int32_t n;
    int64_t m;
    struct real_edge edge[MOST_M];
    double length[MOST_N][MOST_N];
};

static double join(const struct subject *s, double length, double weight) {
    return s->semiring == SEMIRING_MIN_MAX   ? fmax(length, weight)
           : s->semiring == SEMIRING_MAX_MIN ? fmin(length, weight)
           : s->type == NUMBER_FLOAT32       ? (double)((float)length * (float)weight)
                                             : length * weight;
}

static bool is_better(const struct subject *s, double a, double b) {
    return s->semiring == SEMIRING_MIN_MAX ? a < b : a > b;
}

static double infinite(const struct subject *s) {
    return s->type == NUMBER_INT32 ? 1073741823 : (double)INFINITY;
}

static double to_itself(const struct subject *s) {
    return s->semiring == SEMIRING_MAX_PRODUCT ? 1
           : s->semiring == SEMIRING_MAX_MIN   ? infinite(s)
                                               : -infinite(s);
}

static double no_path(const struct subject *s) {
    return s->semiring == SEMIRING_MAX_PRODUCT ? 0 : -to_itself(s);
}

/* Finds the best lengths of walks from every vertex by relaxing, because rounding keeps the order
 * of lengths. */
static void find_lengths(struct subject *s) {
    for (int32_t i = 0; i < s->n; i++) {
        double *const length = s->length[i];
        for (int32_t v = 0; v < s->n; v++)
            length[v] = v == i ? to_itself(s) : no_path(s);
        for (bool changes = true; changes;) {
            changes = false;
            for (int64_t e = 0; e < s->m; e++) {
                const double through = join(s, length[s->edge[e].from], s->edge[e].weight);
                if (!is_better(s, through, length[s->edge[e].to]))
                    continue;
                length[s->edge[e].to] = through;
                changes = true;
            }
        }
    }
}

/* Returns a random weight of `kinds` + 1 different ones; few of them make many ties. */
static double some_weight(struct random *random, const struct subject *s, int32_t kinds) {
    const int32_t k = random_in(random, 0, kinds);
    if (s->semiring == SEMIRING_MAX_PRODUCT)
        return number_rounded(s->type,
                              k == 0 && random_in(random, 0, 3) > 0 ? 1 : (double)k / kinds);
    return s->type == NUMBER_INT32 ? k - kinds / 2 : number_rounded(s->type, (k - kinds / 2) / 7.0);
}

static void make_subject(struct random *random, struct subject *s) {
    static const int32_t kinds[] = {1, 3, 20, 1000000};
    s->semiring = (enum semiring)random_in(random, SEMIRING_MIN_MAX, SEMIRING_MAX_PRODUCT);
    s->type =
        (enum number_type)random_in(random, s->semiring == SEMIRING_MAX_PRODUCT, NUMBER_FLOAT64);
    s->n = random_in(random, 1, random_in(random, 0, 7) > 0 ? 11 : MOST_N);
    const bool is_symmetric = random_in(random, 0, 1) == 1;
    const int32_t count = random_in(random, 0, (random_in(random, 0, 2) > 0 ? 3 : 8) * s->n),
                  kind = kinds[random_in(random, 0, 3)];
    s->m = 0;
    for (int32_t e = 0; e < count; e++) {
        const struct real_edge edge = {random_in(random, 0, s->n - 1),
                                       random_in(random, 0, s->n - 1),
                                       some_weight(random, s, kind)};
        s->edge[s->m++] = edge;
        if (is_symmetric)
            s->edge[s->m++] = (struct real_edge){edge.to, edge.from, edge.weight};
    }
    find_lengths(s);
}

static struct graph graph_of_subject(const struct subject *s) {
    struct edge edges[MOST_M];
    struct real_edge real_edges[MOST_M];
    struct graph g;
    struct error err;
    memcpy(real_edges, s->edge, sizeof real_edges);
    for (int64_t e = 0; e < s->m; e++)
        edges[e] = (struct edge){s->edge[e].from, s->edge[e].to, (int32_t)s->edge[e].weight};
    if (graph_build_semiring(&g, s->n, s->semiring, s->type, edges, real_edges, s->m, NULL, &err) !=
        STATUS_OK)
        abort();
    return g;
}

static double cell(const struct matrix *m, int32_t i, int32_t j) {
    return number_at(m->type, matrix_row_cells(m, i), j);
}

static void set_cell(struct matrix *m, int32_t i, int32_t j, double number) {
    if (m->type == NUMBER_INT32)
        matrix_row(m, i)[j] = (int32_t)number;
    else
        set_real_cell(m, i, j, number);
}

/* Returns whether a predecessor is the tail of a tight edge of the graph. */
static bool is_tight(const struct subject *s, int32_t i, int32_t p, int32_t j) {
    for (int64_t e = 0; e < s->m; e++) {
        if (s->edge[e].from == p && s->edge[e].to == j && p != j &&
            join(s, s->length[i][p], s->edge[e].weight) == s->length[i][j])
            return true;
    }
    return false;
}

/* Returns whether row i has the right lengths and, unless pred is NULL, describes best paths. */
static bool row_is_right(const struct subject *s, const struct matrix *dist, const int32_t *pred,
                         int32_t i) {
    for (int32_t j = 0; j < s->n; j++) {
        const bool has_none = j == i || s->length[i][j] == no_path(s);
        int32_t v = j, steps = 0;
        if (cell(dist, i, j) != s->length[i][j])
            return false;
        if (pred == NULL)
            continue;
        if (has_none ? pred[j] != -1
                     : pred[j] < 0 || pred[j] >= s->n || !is_tight(s, i, pred[j], j))
            return false;
        while (v != i && pred[v] >= 0 && pred[v] < s->n && steps++ < s->n)
            v = pred[v];
        if (!has_none && v != i)
            return false;
    }
    return true;
}

/* Changes one or more entries of row i. */
static void spoil(struct random *random, const struct subject *s, struct matrix *dist,
                  int32_t *pred, int32_t i) {
    const int32_t j = random_in(random, 0, s->n - 1), other = random_in(random, 0, s->n - 1);
    if (s->m == 0)
        return;
    const struct real_edge *const edge = &s->edge[random_in(random, 0, (int32_t)s->m - 1)];
    const int32_t u = edge->from, v = edge->to;
    switch (random_in(random, 0, 5)) {
    case 0:
        set_cell(dist, i, j, cell(dist, i, other));
        break;
    case 1:
        set_cell(dist, i, j, random_in(random, 0, 1) == 1 ? edge->weight : no_path(s));
        break;
    case 2:
        pred[j] = random_in(random, -1, s->n);
        break;
    case 3: /* along an edge, which is often right */
        pred[v] = u;
        break;
    case 4: /* the ends of an edge are predecessors of each other */
        pred[v] = u;
        pred[u] = v;
        break;
    default: /* also with better lengths than they should have */
        pred[v] = u;
        pred[u] = v;
        set_cell(dist, i, u, join(s, to_itself(s), edge->weight));
        set_cell(dist, i, v, join(s, to_itself(s), edge->weight));
    }
}

/* Counts of the cases that the test has covered. told: right answers without predecessors that a
 * GPU has proved. */
struct seen {
    int right, wrong, cycles, no_tight_path, told;
};

/* A GPU proves products, if predecessors show that tight edges lead to the source or all tails are
 * nearer to it, and nothing that is wrong. */
static void judge_on_device(const struct subject *s, const struct graph *g,
                            const struct matrix *dist, const struct matrix *pred, bool is_right,
                            struct seen *seen) {
    const bool is_product = s->semiring == SEMIRING_MAX_PRODUCT;
    const struct gpu_proof_rows rows = {dist->cell, pred != NULL ? pred->cell : NULL, NULL,
                                        dist->ld, s->n};
    struct gpu_proof proof;
    struct error err;
    bool is_proved;
    CU_ASSERT_FATAL(pred == NULL || pred->ld == dist->ld);
    CU_ASSERT_EQUAL(gpu_proof_open(&proof, g, NULL, pred != NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(proof.is_ready, is_product);
    CU_ASSERT_EQUAL(gpu_proof_check(&proof, &rows, &is_proved, &err), STATUS_OK);
    CU_ASSERT(is_right || !is_proved);
    CU_ASSERT(is_proved || !is_right || !is_product || pred == NULL);
    seen->told += is_proved && pred == NULL;
    gpu_proof_close(&proof);
}

static void judge(const struct subject *s, const struct graph *g, const struct matrix *dist,
                  const struct matrix *pred, bool on_device, struct seen *seen) {
    const struct row_sources all = {NULL, s->n};
    for (int with_pred = 0; with_pred < 2; with_pred++) {
        struct refutation found;
        struct error err;
        bool is_right = true;
        const enum status status =
            certify_rows(g, &all, NO_LIMIT, dist, with_pred ? pred : NULL, 1, NULL, &found, &err);
        for (int32_t i = 0; i < s->n; i++)
            is_right = is_right && row_is_right(s, dist, with_pred ? matrix_row(pred, i) : NULL, i);
        CU_ASSERT_EQUAL(status, is_right ? STATUS_OK : STATUS_REFUTED);
        if (on_device)
            judge_on_device(s, g, dist, with_pred ? pred : NULL, is_right, seen);
        seen->right += is_right;
        seen->wrong += !is_right;
        seen->cycles += !is_right && found.reason == REFUTED_PREDECESSOR_CYCLE;
        seen->no_tight_path += !is_right && found.reason == REFUTED_NO_TIGHT_PATH;
    }
}

/* Solves the graph by a variant. The caller frees both matrices. */
static void solve_by(const struct solver_variant *variant, const struct graph *g,
                     struct matrix *dist, struct matrix *pred) {
    static const struct solver_options options = {.threads = 1};
    struct timing timing;
    struct error err;
    if (matrix_alloc_typed(dist, g->type, g->n, g->n, "a test", &err) != STATUS_OK)
        abort();
    *pred = new_matrix(g->n);
    CU_ASSERT_EQUAL_FATAL(solve(variant, g, &options, dist, pred, NULL, 1, &timing, &err),
                          STATUS_OK);
}

static void check_subject(const struct solver_variant *variant, struct random *random,
                          struct seen *seen) {
    enum { SPOILED = 12 };
    struct subject s;
    struct matrix dist, pred;
    make_subject(random, &s);
    struct graph g = graph_of_subject(&s);
    for (int32_t v = 0; v < s.n; v++)
        CU_ASSERT_TRUE(graph_find_edge(&g, v, v) < 0);
    solve_by(variant, &g, &dist, &pred);
    for (int32_t i = 0; i < s.n; i++)
        CU_ASSERT_TRUE(row_is_right(&s, &dist, matrix_row(&pred, i), i));
    const bool on_device = variant == &cuda_semiring_variant;
    judge(&s, &g, &dist, &pred, on_device, seen);
    for (int k = 0; k < SPOILED; k++) {
        const int32_t i = random_in(random, 0, s.n - 1);
        double row[MOST_N];
        int32_t before[MOST_N];
        memcpy(before, matrix_row(&pred, i), (size_t)s.n * sizeof *before);
        for (int32_t j = 0; j < s.n; j++)
            row[j] = cell(&dist, i, j);
        spoil(random, &s, &dist, matrix_row(&pred, i), i);
        judge(&s, &g, &dist, &pred, on_device, seen);
        memcpy(matrix_row(&pred, i), before, (size_t)s.n * sizeof *before);
        for (int32_t j = 0; j < s.n; j++)
            set_cell(&dist, i, j, row[j]);
    }
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

/* Finds every second row by elimination, from the last vertex on, and returns whether they are
 * right; true if there are no edges. */
static bool is_right_by_elimination(const struct subject *s, const struct search_graph *graph,
                                    struct matrix *dist) {
    int32_t sources[MOST_N], count = 0;
    for (int32_t v = s->n - 1; v >= 0; v -= 2)
        sources[count++] = v;
    const struct elimination_wish wish = {
        .sources = {sources, count}, .other_s = (double)INFINITY, .threads = 1, .room = UINT64_MAX};
    struct eliminated_edges edges;
    struct eliminated_rows rows = {0};
    struct row_block block = {0};
    struct error err;
    bool pays, is_right = true;
    if (eliminated_edges_make(&edges, graph, &wish, &pays, &err) != STATUS_OK)
        abort();
    CU_ASSERT_EQUAL(pays, graph->first[s->n] > 0);
    if (pays && eliminated_rows_alloc(&rows, &edges, &err) != STATUS_OK)
        abort();
    const int32_t most = pays ? eliminated_rows_at_a_time(&edges) : 0;
    for (int32_t k = 0; k < count && pays; k++) {
        const int32_t source = sources[edges.order[k]];
        block.source[block.count] = source;
        block.cells[block.count++] = matrix_row_cells(dist, source);
        if (block.count < most && k + 1 < count)
            continue;
        eliminated_rows_find(&rows, &block);
        block.count = 0;
    }
    for (int32_t k = 0; k < count && pays; k++)
        is_right = is_right && row_is_right(s, dist, NULL, sources[k]);
    eliminated_rows_free(&rows);
    eliminated_edges_free(&edges);
    return is_right;
}

/* Without memory for an elimination, there is none. */
static void check_no_room(const struct search_graph *graph) {
    const struct elimination_wish wish = {
        .sources = {NULL, graph->g->n}, .other_s = (double)INFINITY, .threads = 1, .room = 1000};
    struct eliminated_edges edges;
    struct error err;
    bool pays;
    CU_ASSERT_EQUAL(eliminated_edges_make(&edges, graph, &wish, &pays, &err), STATUS_OK);
    CU_ASSERT_FALSE(pays);
    eliminated_edges_free(&edges);
}

/* The elimination finds what the definition says, of graphs of any size. */
static void check_eliminations(int count, uint64_t seed) {
    struct random random = {seed};
    for (int k = 0; k < count; k++) {
        struct subject s;
        struct search_graph graph;
        struct matrix dist;
        struct error err;
        make_subject(&random, &s);
        if (s.semiring == SEMIRING_MAX_PRODUCT)
            continue;
        struct graph g = graph_of_subject(&s);
        if (matrix_alloc_typed(&dist, s.type, s.n, s.n, "a test", &err) != STATUS_OK ||
            search_graph_open(&graph, &g, &err) != STATUS_OK)
            abort();
        CU_ASSERT_TRUE(is_right_by_elimination(&s, &graph, &dist));
        check_no_room(&graph);
        search_graph_close(&graph);
        matrix_free(&dist);
        graph_free(&g);
    }
}

static void check_eliminations_on_isa(void) {
    check_eliminations(1000, 4);
}

static void test_eliminations(void) {
    if (order_is_available())
        on_every_isa(check_eliminations_on_isa);
}

static void check_many(const struct solver_variant *variant, int count, uint64_t seed) {
    struct random random = {seed};
    struct seen seen = {0};
    for (int k = 0; k < count; k++)
        check_subject(variant, &random, &seen);
    CU_ASSERT(seen.right > count && seen.wrong > count);
    CU_ASSERT(seen.cycles > count / 10);
    CU_ASSERT(seen.no_tight_path > count / 10);
    CU_ASSERT_EQUAL(seen.told > count / 10, variant == &cuda_semiring_variant);
}

static void test_definition(void) {
    check_many(&semiring_variant, 3000, 1);
}

static void check_on_isa(void) {
    check_many(&semiring_variant, 200, 2);
}

static void test_instruction_sets(void) {
    on_every_isa(check_on_isa);
}

/* A graph of several strips of sources, with hubs and long paths. */
static struct graph larger_graph(struct random *random, enum semiring semiring,
                                 enum number_type type) {
    enum { N = 331, EDGES = 5 * N };
    struct edge edges[EDGES];
    struct real_edge real_edges[EDGES];
    struct graph g;
    struct error err;
    for (int32_t e = 0; e < EDGES; e++) {
        const int32_t from = e < N ? e : random_in(random, 0, N - 1);
        const int32_t to = e < N ? (e + 1) % N : random_in(random, 0, random_in(random, 0, N - 1));
        const int32_t weight = random_in(random, 0, 1000);
        edges[e] = (struct edge){from, to, weight - 500};
        real_edges[e] = (struct real_edge){
            from, to, number_rounded(type, weight / (semiring == SEMIRING_MAX_PRODUCT ? 1e3 : 7))};
    }
    if (graph_build_semiring(&g, N, semiring, type, edges, real_edges, EDGES, NULL, &err) !=
        STATUS_OK)
        abort();
    return g;
}

/* A GPU finds what the CPU finds, with labels in shared memory and outside it. */
static void check_larger(void) {
    struct random random = {5};
    for (enum semiring semiring = SEMIRING_MIN_MAX; semiring < SEMIRINGS; semiring++) {
        for (enum number_type type = semiring == SEMIRING_MAX_PRODUCT; type <= NUMBER_FLOAT64;
             type++) {
            struct graph g = larger_graph(&random, semiring, type);
            struct matrix expected, dist, pred;
            const struct row_sources all = {NULL, g.n};
            struct refutation found;
            struct error err;
            solve_by(&semiring_variant, &g, &expected, &pred);
            matrix_free(&pred);
            solve_by(&cuda_semiring_variant, &g, &dist, &pred);
            for (int32_t v = 0; v < g.n; v++)
                CU_ASSERT_EQUAL(memcmp(matrix_row_cells(&dist, v), matrix_row_cells(&expected, v),
                                       (size_t)g.n * number_size(g.type)),
                                0);
            CU_ASSERT_EQUAL(certify_rows(&g, &all, NO_LIMIT, &dist, &pred, 1, NULL, &found, &err),
                            STATUS_OK);
            matrix_free(&expected);
            matrix_free(&dist);
            matrix_free(&pred);
            graph_free(&g);
        }
    }
}

static void test_gpu(void) {
    check_many(&cuda_semiring_variant, 300, 6);
    check_larger();
#ifndef DEVICE_TESTS
    cuda_shim_set_capability(9, 2048); /* bytes that no strip fits in */
    check_larger();
    cuda_shim_set_capability(9, 227 << 10);
#endif
}

/* Names of the way that was chosen and of the variant that failed before; "": none. */
struct chosen {
    char way[32], failed[32];
};

static void note_choice(void *to, const char *way, const char *why) {
    struct chosen *const chosen = to;
    (void)why;
    snprintf(chosen->way, sizeof chosen->way, "%s", way);
}

static void note_failure(void *to, const char *failed, const char *reason, const char *next) {
    struct chosen *const chosen = to;
    (void)reason, (void)next;
    snprintf(chosen->failed, sizeof chosen->failed, "%s", failed);
}

/* Solves for distances as apsp does, and checks that they are `expected`. */
static struct chosen solve_as_apsp(const struct graph *g, const struct matrix *expected) {
    struct chosen chosen = {"", ""};
    const struct solver_options options = {.threads = 1,
                                           .on_choice = note_choice,
                                           .on_failure = note_failure,
                                           .callback_context = &chosen};
    struct matrix dist;
    struct timing timing[2];
    struct error err;
    if (matrix_alloc_typed(&dist, g->type, g->n, g->n, "a test", &err) != STATUS_OK)
        abort();
    CU_ASSERT_EQUAL(solve(apsp_solver.semirings, g, &options, &dist, NULL, NULL, 2, timing, &err),
                    STATUS_OK);
    for (int32_t v = 0; v < g->n; v++)
        CU_ASSERT_EQUAL(memcmp(matrix_row_cells(&dist, v), matrix_row_cells(expected, v),
                               (size_t)g->n * number_size(g->type)),
                        0);
    CU_ASSERT_EQUAL(timing[1].transfer_s > 0, strcmp(chosen.way, "multisource") == 0);
    matrix_free(&dist);
    return chosen;
}

/* apsp leaves rows to a GPU that is predicted to be sooner, and finds them itself if it fails. */
static void test_offers(void) {
    struct random random = {7};
    for (enum semiring semiring = SEMIRING_MIN_MAX; semiring < SEMIRINGS; semiring++) {
        struct graph g = larger_graph(&random, semiring, NUMBER_FLOAT64);
        struct matrix expected, pred;
        struct chosen chosen;
        solve_by(&semiring_variant, &g, &expected, &pred);
        prefer(true);
        chosen = solve_as_apsp(&g, &expected);
        CU_ASSERT_STRING_EQUAL(chosen.way, "multisource");
#ifndef DEVICE_TESTS
        cuda_shim_fail_after(9);
        chosen = solve_as_apsp(&g, &expected);
        CU_ASSERT_EQUAL(cuda_shim_fail_after(0), 0);
        CU_ASSERT_STRING_EQUAL(chosen.failed, "semiring");
#endif
        prefer(false);
        chosen = solve_as_apsp(&g, &expected);
        CU_ASSERT_STRING_NOT_EQUAL(chosen.way, "multisource");
        prefer_nothing();
        matrix_free(&expected);
        matrix_free(&pred);
        graph_free(&g);
    }
    CU_ASSERT_PTR_EQUAL(semiring_expected(SEMIRING_MAX_PRODUCT, 100000, 1000000, 100000, 1),
                        &cuda_semiring_variant);
    CU_ASSERT_PTR_NULL(semiring_expected(SEMIRING_MAX_PRODUCT, 100, 1000, 100, 1));
    CU_ASSERT_PTR_NULL(semiring_expected(SEMIRING_MIN_MAX, 100000, 1000000, 100000, 1));
}

static enum status take_nothing(struct row_sink *self, const struct row_block *block,
                                struct error *err) {
    (void)self, (void)block, (void)err;
    return STATUS_OK;
}

/* A solve takes at most the memory that is declared, on any number of threads. Without predecessors
 * an elimination is thought of, for which there is no room. */
static void test_memory(void) {
    enum { N = 20000, EDGES = 3 * N, SOURCES = 96 };
    struct random random = {3};
    struct edge *const edges = malloc(EDGES * sizeof *edges);
    if (edges == NULL)
        abort();
    for (int e = 0; e < EDGES; e++)
        edges[e] = (struct edge){random_in(&random, 0, N - 1), random_in(&random, 0, N - 1),
                                 random_in(&random, 1, 100)};
    struct graph g = graph_of(N, edges, EDGES);
    free(edges);
    g.semiring = SEMIRING_MIN_MAX;
    for (int threads = 1; threads < 5; threads++) {
        const bool predecessors = threads % 2 == 1;
        const struct solver_options options = {.threads = threads};
        const struct solve_size size = {&g, SOURCES, threads, predecessors, .matrices = false};
        const uint64_t most = memory_held() + solve_memory(&semiring_variant, &size);
        int32_t sources[SOURCES];
        for (int32_t k = 0; k < SOURCES; k++)
            sources[k] = k;
        const struct solve_request request = {.graph = &g,
                                              .sources = {sources, SOURCES},
                                              .limit = NO_LIMIT,
                                              .predecessors = predecessors,
                                              .options = &options,
                                              .repetitions = 1};
        struct row_sink sink = {.take = take_nothing};
        struct timing timing;
        struct error err;
        char limit[32];
        snprintf(limit, sizeof limit, "%llu", (unsigned long long)most);
        setenv("APSP_MEMORY_LIMIT", limit, 1);
        CU_ASSERT_EQUAL(solve_rows(&semiring_variant, &request, &sink, &timing, &err), STATUS_OK);
        unsetenv("APSP_MEMORY_LIMIT");
    }
    graph_free(&g);
}

/* A solver or certificate for one semiring refuses a graph of another, and limits, which need sums.
 */
static void test_refusals(void) {
    static const struct solver_options options = {.threads = 1};
    const struct edge edges[] = {{0, 1, 5}};
    struct graph g = graph_of(2, edges, 1);
    struct matrix dist = new_matrix(2);
    struct timing timing;
    struct refutation found;
    struct error err;
    const struct row_sources all = {NULL, 2};
    CU_ASSERT_EQUAL(solve(&semiring_variant, &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                    STATUS_BAD_INPUT);
    g.semiring = SEMIRING_MAX_PRODUCT;
    CU_ASSERT_EQUAL(solve(&semiring_variant, &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                    STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(certify_rows(&g, &all, NO_LIMIT, &dist, NULL, 1, NULL, &found, &err),
                    STATUS_BAD_INPUT);
    g.semiring = SEMIRING_MIN_MAX;
    CU_ASSERT_EQUAL(certify_rows(&g, &all, 3, &dist, NULL, 1, NULL, &found, &err),
                    STATUS_BAD_INPUT);
    g.weight[0] = INF;
    g.max_weight = INF;
    CU_ASSERT_EQUAL(solve(&semiring_variant, &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                    STATUS_BAD_INPUT);
    graph_free(&g);
    matrix_free(&dist);
}

CU_TestInfo semiring_tests[] = {
    {"answers and verdicts are those of the definition", test_definition},
    {"so they are with every instruction set", test_instruction_sets},
    {"eliminations find what the definition says", test_eliminations},
    {"so they are on a GPU", test_gpu},
    {"a GPU is offered what it finds sooner", test_offers},
    {"what it takes", test_memory},
    {"what is not of a semiring is refused", test_refusals},
    CU_TEST_INFO_NULL,
};
