// SPDX-License-Identifier: MIT
/* cuda_sparse on the host shim: every width of labels, lists of vertices that are too long, edges
 * that are sorted in several runs, deep graphs and what is done about them. */
#include "certificate/proving_sink.h" // struct proving_sink
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "solve/solve.h"              // solve, solve_rows
#include "tests/unit/support.h"

#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver
#include "cuda_runtime_api.h"              // the shim's controls
#include "engines/sparse_variants.h"       // cuda_sparse_solver
#include "gpu/gpu_solver.h"                // gpu_memory_needed

#include <stdlib.h>
#include <string.h>

enum { HOPPER = 9, SHARED_BYTES = 227 * 1024 }; /* of the shim's GPU */

/* Vertices one after the other in a circle, their names shuffled; and some edges across. */
static struct graph circle(struct random *random, int32_t n, int32_t heaviest, int64_t across) {
    struct edge *edges = malloc(sizeof *edges * ((size_t)n + (size_t)across));
    int32_t *name = malloc(sizeof *name * (size_t)n);
    CU_ASSERT_FATAL(edges != NULL && name != NULL);
    for (int32_t v = 0; v < n; v++) {
        const int32_t at = random_in(random, 0, v);
        name[v] = name[at];
        name[at] = v;
    }
    for (int32_t v = 0; v < n; v++)
        edges[v] = (struct edge){name[v], name[(v + 1) % n], random_in(random, 1, heaviest)};
    for (int64_t e = n; e < n + across; e++)
        edges[e] = (struct edge){random_in(random, 0, n - 1), random_in(random, 0, n - 1),
                                 random_in(random, 1, heaviest)};
    struct graph g = graph_of(n, edges, n + across);
    free(edges);
    free(name);
    return g;
}

/* Edges from all vertices to the first and back. */
static struct graph star(int32_t n, int32_t heaviest) {
    struct random random = {12};
    struct edge *edges = malloc(sizeof *edges * 2 * (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t v = 1; v < n; v++) {
        edges[2 * v - 2] = (struct edge){v, 0, random_in(&random, 1, heaviest)};
        edges[2 * v - 1] = (struct edge){0, v, random_in(&random, 1, heaviest)};
    }
    struct graph g = graph_of(n, edges, 2 * n - 2);
    free(edges);
    return g;
}

static void keep_choice(void *to, const char *variant, const char *why) {
    (void)why;
    *(const char **)to = variant;
}

/* Solves with and without predecessors, has the certificate judge both, and tells what was
 * chosen. dist and pred keep the results. */
static const char *chosen(const char *variant, const struct graph *g, struct matrix *dist,
                          struct matrix *pred) {
    const char *chosen = "";
    const struct solver_options options = {.on_choice = keep_choice, .callback_context = &chosen};
    for (int with_pred = 0; with_pred <= 1; with_pred++) {
        struct matrix *wanted = with_pred ? pred : NULL;
        struct timing timing;
        struct error err = {0};
        memset(dist->cell, 0x5a, sizeof(int32_t) * (size_t)g->n * dist->ld);
        memset(pred->cell, 0x5a, sizeof(int32_t) * (size_t)g->n * pred->ld);
        CU_ASSERT_EQUAL(solve(solver_find(&cuda_sparse_solver, variant), g, &options, dist, wanted,
                              NULL, 1, &timing, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(certify(g, dist, wanted, 1, &err), STATUS_OK);
    }
    return chosen;
}

static void check(const char *variant, const struct graph *g, const char *choice) {
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    CU_ASSERT_STRING_EQUAL(chosen(variant, g, &dist, &pred), choice);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* So much shared memory that four words of labels to a vertex fit, two, one, half a word, none.
 * A dense graph, which has no worklist, and a sparse one; short distances and long ones. */
static void test_widths(void) {
    enum { N = 100, WORKLIST = 2 * 16 + 2 * 2048 };
    static const int words_twice[] = {8, 4, 2, 1, 0};
    struct random random = {10};
    struct graph graphs[] = {
        random_graph(&random, N, 30, WEIGHTS_POSITIVE),
        random_graph(&random, N, 30, WEIGHTS_LARGE),
        circle(&random, N, 100, N),
        circle(&random, N, 1 << 20, N),
    };
    for (int k = 0; k < (int)(sizeof graphs / sizeof *graphs); k++) {
        for (int w = 0; w < (int)(sizeof words_twice / sizeof *words_twice); w++) {
            const int labels = (N * 2 * words_twice[w] + 15) / 16 * 16;
            cuda_shim_set_capability(HOPPER, labels + (k >= 2 ? WORKLIST : 0));
            check("multisource", &graphs[k], "");
        }
        graph_free(&graphs[k]);
    }
    cuda_shim_set_capability(HOPPER, SHARED_BYTES);
}

/* A circle with detours: edges from every vertex to the next, and heavier ones to those behind. */
static struct graph band(int32_t n, int32_t width, int32_t heavy) {
    struct edge *edges = malloc(sizeof *edges * (size_t)n * (size_t)width);
    int64_t count = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t v = 0; v < n; v++) {
        for (int32_t next = 1; next <= width; next++)
            edges[count++] = (struct edge){v, (v + next) % n, next == 1 ? 1 : heavy};
    }
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

/* More than a hundred sweeps: `multisource` goes through with it, `auto` does not; to the same
 * predecessors. In any order of threads. */
static void check_deep(const struct graph *g, const char *choice) {
    static const char *const others[] = {"queued", "auto"};
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    struct matrix other_dist = new_matrix(g->n), other_pred = new_matrix(g->n);
    for (enum cuda_shim_order order = CUDA_SHIM_ASCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        cuda_shim_set_order(order);
        CU_ASSERT_STRING_EQUAL(chosen("multisource", g, &dist, &pred), "");
        for (int k = 0; k < 2; k++) {
            CU_ASSERT_STRING_EQUAL(chosen(others[k], g, &other_dist, &other_pred),
                                   k == 0 ? "" : choice);
            CU_ASSERT(same_matrix(&dist, &other_dist) && same_matrix(&pred, &other_pred));
        }
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&other_dist);
    matrix_free(&other_pred);
}

static void test_deep(void) {
    struct random random = {11};
    struct graph graphs[] = {
        circle(&random, 150, 9, 0),
        circle(&random, 150, 1 << 20, 0),
    };
    cuda_shim_set_multiprocessors(3); /* so that the budget is that of `resident` */
    for (int k = 0; k < (int)(sizeof graphs / sizeof *graphs); k++) {
        check_deep(&graphs[k], "queued");
        graph_free(&graphs[k]);
    }
    cuda_shim_set_multiprocessors(2);
}

/* Too many edges for a queue. */
static void test_deep_and_wide(void) {
    struct graph g = band(150, 4, 1000);
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    cuda_shim_set_order(CUDA_SHIM_DESCENDING); /* against the direction of the edges */
    cuda_shim_set_multiprocessors(3);          /* so that the budget is that of `resident` */
    const char *const choice = chosen("auto", &g, &dist, &pred);
    CU_ASSERT_PTR_NOT_NULL(solver_find(&cuda_blocked_solver, choice));
    cuda_shim_set_multiprocessors(2);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* If the clock runs fast, a queue takes too long as well. The weights are too heavy for 16 bits,
 * after which the blocked solver would make the matrices anew itself. */
static void test_out_of_time(void) {
    struct random random = {14};
    struct graph g = circle(&random, 100, 1 << 20, 0);
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    cuda_shim_set_clock(1 << 20);
    const char *const choice = chosen("auto", &g, &dist, &pred);
    CU_ASSERT_PTR_NOT_NULL(solver_find(&cuda_blocked_solver, choice));
    cuda_shim_set_clock(1);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* More vertices have something to do than the list has places; if the clock runs fast, they are
 * in queues that take more memory than the blocked solver. */
static void test_long_worklist(void) {
    struct random random = {13};
    struct graph g = circle(&random, 2100, 9, 2100);
    check("multisource", &g, "");
    cuda_shim_set_clock(1 << 20);
    check("auto", &g, "queued");
    cuda_shim_set_clock(1);
    graph_free(&g);
}

/* More edges into a vertex than are sorted at once, short and long ones. */
static void test_many_edges(void) {
    for (int heavy = 0; heavy <= 1; heavy++) {
        struct graph g = star(1100, heavy ? 1 << 20 : 100);
        check("auto", &g, "multisource");
        graph_free(&g);
    }
}

/* Distances around the longest that 16 bits hold. */
static void test_almost_too_long(void) {
    for (int32_t last = 0x7ffb - 100; last <= 0x8001 - 100; last++) {
        const struct edge edges[] = {
            {0, 1, 50}, {1, 2, 50}, {2, 3, last / 2}, {3, 4, last - last / 2}};
        struct graph g = graph_of(5, edges, 4);
        check("multisource", &g, "");
        graph_free(&g);
    }
}

/* Solves for some sources, `rows` at a time, into the first rows of dist and pred. */
static enum status solve_some(const struct solver_variant *variant, const struct graph *g,
                              const struct row_sources *sources, int rows, int repetitions,
                              struct matrix *dist, struct matrix *pred, struct error *err) {
    const struct solver_options options = {.threads = 2, .rows = rows};
    const struct solve_request request = {.graph = g,
                                          .sources = *sources,
                                          .limit = NO_LIMIT,
                                          .predecessors = pred != NULL,
                                          .options = &options,
                                          .repetitions = repetitions};
    struct timing timing[3];
    struct matrix_sink sink;
    matrix_sink_begin(&sink, dist, pred);
    return solve_rows(variant, &request, &sink.sink, timing, err);
}

/* The rows of some sources in blocks of any size, in memory for the matrix or for blocks, are those
 * of the whole answer. */
static void check_blocks(const struct solver_variant *variant, const struct graph *g) {
    static const int rows[] = {7, 1000};
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n), some = new_matrix(g->n),
                  some_pred = new_matrix(g->n);
    const struct row_sources all = {NULL, g->n};
    int32_t *source = malloc(sizeof *source * (size_t)g->n);
    struct error err = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    for (int32_t p = 0; p < g->n; p++)
        source[p] = g->n - 1 - p;
    CU_ASSERT_EQUAL(solve_some(variant, g, &all, 0, 1, &dist, &pred, &err), STATUS_OK);
    CU_ASSERT_EQUAL(certify(g, &dist, &pred, 1, &err), STATUS_OK);
    for (int k = 0; k < 2; k++) {
        for (int32_t count = g->n; count > 0; count /= 20) {
            const struct row_sources reversed = {source, count};
            bool same = true;
            memset(some.cell, 0x5a, sizeof(int32_t) * (size_t)g->n * some.ld);
            memset(some_pred.cell, 0x5a, sizeof(int32_t) * (size_t)g->n * some.ld);
            CU_ASSERT_EQUAL(solve_some(variant, g, &reversed, rows[k], k % 2 == 0 ? 1 : 2, &some,
                                       &some_pred, &err),
                            STATUS_OK);
            for (int32_t p = 0; p < count; p++) {
                const size_t bytes = (size_t)g->n * sizeof(int32_t);
                same &= memcmp(matrix_row(&some, p), matrix_row(&dist, source[p]), bytes) == 0;
                same &= memcmp(matrix_row(&some_pred, p), matrix_row(&pred, source[p]), bytes) == 0;
            }
            CU_ASSERT(same);
        }
        CU_ASSERT_EQUAL(solve_some(variant, g, &all, rows[k], 1, &some, &some_pred, &err),
                        STATUS_OK);
        CU_ASSERT(same_matrix(&some, &dist) && same_matrix(&some_pred, &pred));
    }
    free(source);
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&some);
    matrix_free(&some_pred);
}

static void test_blocks(void) {
    enum { N = 45 };
    struct random random = {15};
    struct graph graphs[] = {
        random_graph(&random, N, 20, WEIGHTS_ZERO),
        random_graph(&random, N, 4, WEIGHTS_LARGE),
        random_graph(&random, N, 20, WEIGHTS_NEGATIVE),
        circle(&random, N, 1 << 20, 0),
    };
    for (int k = 0; k < (int)(sizeof graphs / sizeof *graphs); k++) {
        for (size_t v = 0; v < cuda_sparse_solver.variant_count; v++)
            check_blocks(&cuda_sparse_solver.variants[v], &graphs[k]);
        graph_free(&graphs[k]);
    }
}

/* A path there and back, every other edge of weight zero. */
static struct graph path_with_zeros(int32_t n) {
    struct edge *edges = malloc(sizeof *edges * 2 * (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t v = 0; v + 1 < n; v++) {
        const int32_t weight = v % 2 == 0 ? 0 : 1 << 20;
        edges[2 * v] = (struct edge){v, v + 1, weight};
        edges[2 * v + 1] = (struct edge){v + 1, v, weight};
    }
    struct graph g = graph_of(n, edges, 2 * n - 2);
    free(edges);
    return g;
}

/* A sink that looks where blocks are in the memory of the GPU. */
struct places {
    struct row_sink sink; /* the first member */
    const void *last;
    int blocks, moves;
};

static enum status look_where(struct row_sink *self, const struct device_rows *rows,
                              struct error *err) {
    struct places *const p = (struct places *)self;
    (void)err;
    p->blocks++;
    p->moves += rows->dist != p->last;
    p->last = rows->dist;
    return STATUS_OK;
}

static enum status take_none(struct row_sink *self, const struct row_block *block,
                             struct error *err) {
    (void)self, (void)block;
    return fail(err, STATUS_BAD_INPUT, "rows on the host");
}

/* While a block is handed on, the next one is solved, in another place. */
static void test_places(void) {
    const struct solver_options options = {.rows = 7};
    const struct edge edges[] = {{0, 1, 5}, {1, 2, 6}, {2, 0, 7}};
    struct graph g = graph_of(60, edges, 3);
    int32_t source[50];
    for (int32_t p = 0; p < 50; p++)
        source[p] = p;
    struct places places = {.sink = {.take = take_none, .take_device = look_where}};
    const struct solve_request request = {.graph = &g,
                                          .sources = {source, 50},
                                          .limit = NO_LIMIT,
                                          .options = &options,
                                          .repetitions = 1};
    struct timing timing;
    struct error err;
    CU_ASSERT_EQUAL(solve_rows(solver_find(&cuda_sparse_solver, "multisource"), &request,
                               &places.sink, &timing, &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL(places.blocks, 8);
    CU_ASSERT_EQUAL(places.moves, 8);
    graph_free(&g);
}

static enum status take_no_totals(struct row_sink *self, const struct answer_totals *totals,
                                  struct error *err) {
    (void)self, (void)totals;
    return fail(err, STATUS_BAD_INPUT, "totals, which say nothing of predecessors");
}

/* Rows that are proved on the GPU stay there if a sink behind the proof wants them there. Totals
 * never stand for rows with predecessors. */
static void test_proved_places(void) {
    static const char *const variants[] = {"multisource", "dissection"};
    struct graph g = path_with_zeros(60);
    for (int k = 0; k < 2; k++) {
        struct places places = {.sink = {.take = take_none, .take_device = look_where}};
        struct row_sink totals;
        struct proving_sink proof;
        const struct solver_options options = {0};
        const struct solve_request request = {.graph = &g,
                                              .sources = {NULL, 60},
                                              .limit = NO_LIMIT,
                                              .predecessors = true,
                                              .options = &options,
                                              .repetitions = 1};
        const struct solver_variant *variant = solver_find(&cuda_sparse_solver, variants[k]);
        struct timing timing;
        struct error err;
        row_drop_begin(&totals, 0);
        totals.take_totals = take_no_totals;
        for (int t = 0; t < 2; t++) {
            struct row_sink *const to = t == 0 && k == 0 ? &places.sink : &totals;
            CU_ASSERT_EQUAL(proving_sink_open(&proof, &g, NO_LIMIT, true, to, &err), STATUS_OK);
            CU_ASSERT_EQUAL(solve_rows(variant, &request, &proof.sink, &timing, &err), STATUS_OK);
            proving_sink_close(&proof);
        }
        CU_ASSERT_EQUAL(places.blocks > 0, k == 0);
    }
    graph_free(&g);
}

/* A sink behind a proof, and counts of what it gets of a solve with a limit. */
struct near_rows {
    struct row_sink sink; /* the first member */
    int32_t limit, rows, proved;
    int64_t cut, wrong;
};

static enum status take_near(struct row_sink *self, const struct row_block *block,
                             struct error *err) {
    struct near_rows *const near = (struct near_rows *)self;
    (void)err;
#pragma omp critical
    {
        near->rows += block->count;
        near->proved += block->proved ? block->count : 0;
        for (int32_t r = 0; r < block->count; r++) {
            for (int32_t v = 0; v < block->n; v++) {
                const int32_t distance = block->dist[r][v];
                near->cut += distance == INF;
                near->wrong += distance < INF && distance > near->limit;
                near->wrong += distance == INF && block->pred[r][v] != -1;
            }
        }
    }
    return STATUS_OK;
}

/* Rows are proved on the GPU before they are cut off at the limit. */
static void test_proofs_with_a_limit(void) {
    static const char *const variants[] = {"multisource", "dissection"};
    const struct solver_options options = {0};
    struct random random = {19};
    struct graph g = random_graph(&random, 150, 3, WEIGHTS_POSITIVE);
    for (int k = 0; k < 2; k++) {
        struct near_rows near = {.sink = {.take = take_near}, .limit = 120};
        const struct solve_request request = {.graph = &g,
                                              .sources = {NULL, 150},
                                              .limit = 120,
                                              .predecessors = true,
                                              .options = &options,
                                              .repetitions = 1};
        struct proving_sink proof;
        struct timing timing;
        struct error err;
        CU_ASSERT_EQUAL(proving_sink_open(&proof, &g, 120, true, &near.sink, &err), STATUS_OK);
        CU_ASSERT_EQUAL(solve_rows(solver_find(&cuda_sparse_solver, variants[k]), &request,
                                   &proof.sink, &timing, &err),
                        STATUS_OK);
        proving_sink_close(&proof);
        CU_ASSERT(near.rows == 150 && near.proved == 150);
        CU_ASSERT(near.cut > 0 && near.wrong == 0);
    }
    graph_free(&g);
}

/* Where time flies, `auto` gives label correcting up in a block, wherever it is. */
static void test_blocks_out_of_time(void) {
    struct graph g = path_with_zeros(60);
    for (int multiprocessors = 1; multiprocessors <= 64; multiprocessors *= 8) {
        cuda_shim_set_multiprocessors(multiprocessors);
        cuda_shim_set_clock(1 << (multiprocessors > 8 ? 20 : 6));
        check_blocks(solver_find(&cuda_sparse_solver, "auto"), &g);
    }
    cuda_shim_set_clock(1);
    cuda_shim_set_multiprocessors(2);
    graph_free(&g);
}

/* A GPU with too little memory for the matrix solves blocks, of all rows too. */
static void test_little_memory(void) {
    struct random random = {17};
    struct graph g = random_graph(&random, 200, 1, WEIGHTS_POSITIVE);
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n), whole = new_matrix(g.n),
                  whole_pred = new_matrix(g.n);
    const struct row_sources all = {NULL, g.n};
    struct error err = {0};
    for (size_t v = 0; v < cuda_sparse_solver.variant_count; v++) {
        const struct solver_variant *variant = &cuda_sparse_solver.variants[v];
        if (variant->launch == NULL) /* it plans its memory itself */
            continue;
        CU_ASSERT_EQUAL(solve_some(variant, &g, &all, 0, 1, &whole, &whole_pred, &err), STATUS_OK);
        cuda_shim_set_memory(gpu_memory_needed(variant, NUMBER_INT32, g.n, g.m, true));
        CU_ASSERT_EQUAL(solve_some(variant, &g, &all, 0, 1, &dist, &pred, &err), STATUS_OK);
        cuda_shim_set_memory(gpu_memory_needed(variant, NUMBER_INT32, g.n, g.m, true) - 1);
        CU_ASSERT_EQUAL(solve_some(variant, &g, &all, 0, 1, &dist, &pred, &err),
                        STATUS_NO_RESOURCE);
        cuda_shim_set_memory((size_t)1 << 30);
        CU_ASSERT(same_matrix(&dist, &whole) && same_matrix(&pred, &whole_pred));
    }
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&whole);
    matrix_free(&whole_pred);
}

/* Every CUDA call in turn goes wrong while blocks are solved and copied at the same time. */
static void test_blocks_failing(void) {
    enum { N = 14 };
    struct random random = {18};
    struct graph g = random_graph(&random, N, 30, WEIGHTS_ZERO);
    struct matrix dist = new_matrix(N), pred = new_matrix(N);
    const struct row_sources all = {NULL, N};
    int call = 1, spared = 0; /* calls whose failure does not matter: of pinned memory */
    for (bool failed = true; failed; call++) {
        struct error err = {0};
        cuda_shim_fail_after(call);
        const enum status status = solve_some(solver_find(&cuda_sparse_solver, "multisource"), &g,
                                              &all, 6, 1, &dist, &pred, &err);
        failed = cuda_shim_fail_after(0) == 0;
        CU_ASSERT(status == STATUS_OK || (failed && status == STATUS_NO_RESOURCE));
        CU_ASSERT_EQUAL(strstr(err.text, "unknown error") != NULL, status != STATUS_OK);
        spared += failed && status == STATUS_OK;
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        CU_ASSERT_EQUAL(cuda_shim_pending(), 0);
    }
    CU_ASSERT(call > 60 && spared <= 1);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

CU_TestInfo sparse_tests[] = {
    {"labels of every width", test_widths},
    {"deep graphs", test_deep},
    {"deep graphs of more edges", test_deep_and_wide},
    {"deep graphs and no time", test_out_of_time},
    {"more vertices than a worklist lists", test_long_worklist},
    {"more edges than are sorted at once", test_many_edges},
    {"distances that almost need 32 bits", test_almost_too_long},
    {"blocks of some rows", test_blocks},
    {"blocks of deep graphs and no time", test_blocks_out_of_time},
    {"places of blocks", test_places},
    {"places of proved blocks", test_proved_places},
    {"proofs of rows with a limit", test_proofs_with_a_limit},
    {"blocks if the matrix does not fit", test_little_memory},
    {"blocks and every CUDA call failing", test_blocks_failing},
    CU_TEST_INFO_NULL,
};
