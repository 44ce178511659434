// SPDX-License-Identifier: MIT
/* Graphs of many components, solved one by one, against the same graphs solved whole. */
#include "solve/by_components.h"

#include "certificate/proving_sink.h"
#include "common/rows/npz_sink.h"
#include "common/rows/result_io.h"
#include "engines/cpu_variants.h" // cpu_solver
#include "measures/compare.h"
#include "measures/write.h"
#include "tests/unit/real_graphs.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1100 };

/* Vertices in random order: components of 500 and 230, small ones, and some alone. */
static struct graph many_components(struct random *random, enum number_type type, bool directed) {
    static const int32_t sizes[] = {500, 230, 65, 40, 128, 3, 1, 7, 1, 2, 20, 1};
    struct real_edge edges[4 * N];
    int32_t vertex[N] = {0}, first = 0;
    int64_t count = 0;
    for (int32_t v = 0; v < N; v++) {
        const int32_t at = random_in(random, 0, v);
        vertex[v] = vertex[at];
        vertex[at] = v;
    }
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; first += sizes[c++]) {
        for (int32_t k = 1; k < sizes[c]; k++) {
            const int32_t v = vertex[first + k];
            const int32_t tree = vertex[first + random_in(random, k / 2, k - 1)];
            const int32_t other = vertex[first + random_in(random, 0, sizes[c] - 1)];
            const bool real = type != NUMBER_INT32;
            const double more = real ? random_unit(random) : 0;
            edges[count++] = (struct real_edge){tree, v, random_in(random, 0, 9) + more};
            edges[count++] = (struct real_edge){v, other, random_in(random, 1, 50) + more};
        }
    }
    if (!directed)
        count = graph_append_reverses_real(edges, count);
    if (type != NUMBER_INT32)
        return graph_of_real(N, type, edges, count);
    struct edge integral[4 * N];
    for (int64_t e = 0; e < count; e++)
        integral[e] = (struct edge){edges[e].from, edges[e].to, (int32_t)edges[e].weight};
    return graph_of(N, integral, count);
}

/* A variant that solves components one by one, or whole graphs. */
static struct solver_variant variant_of(const char *name, bool by_components) {
    struct solver_variant variant = *solver_find(&cpu_solver, name);
    variant.searches = by_components ? "johnson" : NULL;
    return variant;
}

static enum status solve_in_a_second(const struct solver_variant *variant,
                                     const struct solver_task *task, struct solver_times *times,
                                     struct error *err) {
    const enum status status = solver_find(&cpu_solver, "auto")->solve(variant, task, times, err);
    times->solve_s[0] = 1;
    return status;
}

struct wanted {
    struct row_sources sources;
    double limit;
    bool predecessors;
};

static enum status solve_into(const struct solver_variant *variant, const struct graph *g,
                              const struct wanted *wanted, struct row_sink *sink,
                              struct error *err) {
    const struct solver_options options = {.threads = g->type == NUMBER_INT32 ? 2 : 1};
    const struct solve_request request = {.graph = g,
                                          .sources = wanted->sources,
                                          .limit = wanted->limit,
                                          .predecessors = wanted->predecessors,
                                          .options = &options,
                                          .repetitions = 1};
    struct timing timing;
    return solve_rows(variant, &request, sink, &timing, err);
}

/* Checks rows that were proved part by part, and predecessors, against the certificate of the whole
 * graph. */
static void check_rows(const struct graph *g, const struct solver_variant *whole,
                       const struct solver_variant *parts, const struct wanted *wanted) {
    const int32_t rows = wanted->sources.count;
    struct matrix dist[2], pred[2];
    struct matrix_sink sink[2];
    struct proving_sink proof;
    struct refutation refutation;
    struct error err;
    bool same = true;
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL_FATAL(matrix_alloc_typed(&dist[k], g->type, rows, N, "", &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(matrix_alloc_rows(&pred[k], rows, N, "", &err), STATUS_OK);
        matrix_sink_begin(&sink[k], &dist[k], wanted->predecessors ? &pred[k] : NULL);
    }
    CU_ASSERT_EQUAL(solve_into(whole, g, wanted, &sink[0].sink, &err), STATUS_OK);
    CU_ASSERT_EQUAL(
        proving_sink_open(&proof, g, wanted->limit, wanted->predecessors, &sink[1].sink, &err),
        STATUS_OK);
    CU_ASSERT_EQUAL(solve_into(parts, g, wanted, &proof.sink, &err), STATUS_OK);
    CU_ASSERT_PTR_NOT_NULL(proof.number); /* the proof was made by parts */
    for (int32_t r = 0; r < rows; r++)
        same = same && memcmp(matrix_row_cells(&dist[0], r), matrix_row_cells(&dist[1], r),
                              (size_t)N * number_size(g->type)) == 0;
    CU_ASSERT(same);
    CU_ASSERT_EQUAL(certify_rows(g, &wanted->sources, wanted->limit, &dist[1],
                                 wanted->predecessors ? &pred[1] : NULL, 2, NULL, &refutation,
                                 &err),
                    STATUS_OK);
    proving_sink_close(&proof);
    for (int k = 0; k < 2; k++) {
        matrix_free(&dist[k]);
        matrix_free(&pred[k]);
    }
}

/* Checks that measures found by parts are those of the whole graph: all measures, or those for
 * which sums are enough. */
static void check_measures(const struct graph *g, const struct solver_variant *whole,
                           const struct solver_variant *parts, const struct wanted *wanted,
                           unsigned chosen) {
    struct measures m[2];
    struct proving_sink proof;
    struct measures_file file;
    struct error err;
    const char *const prefix = temporary_path();
    for (int k = 0; k < 2; k++) {
        measures_init(&m[k], g, 1);
        measures_choose(&m[k], chosen);
        m[k].limit = wanted->limit;
    }
    CU_ASSERT_EQUAL(solve_into(whole, g, wanted, &m[0].sink, &err), STATUS_OK);
    CU_ASSERT_EQUAL(proving_sink_open(&proof, g, wanted->limit, false, &m[1].sink, &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL(solve_into(parts, g, wanted, &proof.sink, &err), STATUS_OK);
    CU_ASSERT_PTR_NOT_NULL(proof.number); /* the proof was made by parts */
    for (int k = 0; k < 2; k++)
        CU_ASSERT_EQUAL(measures_finish(&m[k], &err), STATUS_OK);
    CU_ASSERT_EQUAL(measures_write(prefix, &m[0], &(struct provenance){.program = "cpu"}, &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(measures_read(prefix, &file, &err), STATUS_OK);
    CU_ASSERT_EQUAL(measures_compare(&file, &m[1], &err), STATUS_OK);
    measures_file_free(&file);
    proving_sink_close(&proof);
    measures_free(&m[0]);
    measures_free(&m[1]);
}

/* Combines number types, directions, variants, limits, sets of sources and sets of measures. */
static void test_same_answers(void) {
    static const struct {
        enum number_type type;
        bool directed;
        const char *variant;
        double limit;
        bool some; /* only some vertices are sources */
        unsigned measures;
    } cases[] = {
        {NUMBER_INT32, true, "auto", NO_LIMIT, false, MEASURES_ALL},
        {NUMBER_INT32, false, "dissection", NO_LIMIT, false, 0},
        {NUMBER_INT32, true, "dissection", 17, true, MEASURES_ALL},
        {NUMBER_FLOAT32, false, "auto", NO_LIMIT, true, MEASURES_ALL},
        {NUMBER_FLOAT64, true, "auto", 17, false, MEASURES_ALL},
    };
    const struct solver_variant whole = variant_of("johnson", false);
    struct random random = {5};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct graph g = many_components(&random, cases[k].type, cases[k].directed);
        const struct solver_variant parts = variant_of(cases[k].variant, true);
        int32_t some[N / 2], count = 0;
        for (int32_t v = N - 1; v >= 0 && count < N / 2; v--) {
            if (random_in(&random, 0, 2) > 0)
                some[count++] = v;
        }
        struct wanted wanted = {
            {cases[k].some ? some : NULL, cases[k].some ? count : N}, cases[k].limit, false};
        check_measures(&g, &whole, &parts, &wanted, cases[k].measures);
        wanted.predecessors = true;
        check_rows(&g, &whole, &parts, &wanted);
        graph_free(&g);
    }
}

/* Acts like an engine that fails at its last row and another one that replaces it. */
static enum status solve_twice(const struct solver_variant *variant, const struct solver_task *task,
                               struct solver_times *times, struct error *err) {
    const struct solver_variant *const johnson = solver_find(&cpu_solver, "johnson");
    (void)variant;
    RETURN_ON_FAILURE(johnson->solve(johnson, task, times, err));
    return johnson->solve(johnson, task, times, err);
}

/* Nothing counts twice in a part that an engine had begun to deliver before it failed. */
static void test_replaced(void) {
    struct random random = {7};
    struct graph g = many_components(&random, NUMBER_INT32, true);
    const struct solver_variant whole = variant_of("johnson", false);
    struct solver_variant twice = variant_of("johnson", true);
    const struct wanted all = {{NULL, N}, NO_LIMIT, false};
    twice.solve = solve_twice;
    check_measures(&g, &whole, &twice, &all, MEASURES_ALL);
    graph_free(&g);
}

/* Stores finite distances only, as sparse rows. The answer is produced twice; the first one is
 * forgotten. */
static void test_sparse(void) {
    static const struct solver_options options = {.threads = 1};
    struct random random = {6};
    struct graph g = many_components(&random, NUMBER_INT32, true);
    struct solver_variant variant = variant_of("auto", true);
    const struct result_layout layout = {
        .n = N, .sources = {NULL, N}, .targets = {NULL, N}, .limit = NO_LIMIT, .type = NPY_INT32};
    const struct solve_request request = {.graph = &g,
                                          .sources = layout.sources,
                                          .limit = NO_LIMIT,
                                          .options = &options,
                                          .repetitions = 2};
    struct npz_sink sink;
    const struct solver_variant whole = variant_of("johnson", false);
    struct matrix dist = new_matrix(N);
    struct matrix_sink reference;
    struct timing timings[2];
    struct error err;
    int64_t wrong = 0, finite = 0, kept = 0;
    matrix_sink_begin(&reference, &dist, NULL);
    CU_ASSERT_EQUAL(solve_into(&whole, &g, &(struct wanted){layout.sources, NO_LIMIT, false},
                               &reference.sink, &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(npz_sink_open(&sink, temporary_path(), &layout, &err), STATUS_OK);
    variant.solve = solve_in_a_second;
    CU_ASSERT_EQUAL(solve_rows(&variant, &request, &sink.sink, timings, &err), STATUS_OK);
    for (int r = 0; r < 2; r++)
        CU_ASSERT(timings[r].solve_s >= 2 && timings[r].total_s >= 2); /* two parts are solved */
    for (int32_t i = 0; i < N; i++) {
        const struct npz_row *const row = &sink.row[i];
        kept += row->count;
        for (int32_t j = 0; j < N; j++)
            finite += matrix_row(&dist, i)[j] < INF;
        for (int32_t k = 0; k < row->count; k++)
            wrong += matrix_row(&dist, i)[row->columns[k]] != row->columns[row->count + k] ||
                     (k > 0 && row->columns[k] <= row->columns[k - 1]);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(finite, kept);
    npz_sink_close(&sink);
    matrix_free(&dist);
    graph_free(&g);
}

/* A failure in a part names vertices as the whole graph does. */
static void test_far(void) {
    const struct edge edges[] = {{400, 401, INF - 1}, {401, 402, 1}};
    struct graph g = graph_of(N, edges, 2);
    const struct solver_variant variant = variant_of("auto", true);
    const struct wanted all = {{NULL, N}, NO_LIMIT, false};
    struct matrix dist = new_matrix(N);
    struct matrix_sink sink;
    struct error err = {0};
    int64_t number[N];
    for (int32_t v = 0; v < N; v++)
        number[v] = 10 * v + 7;
    CU_ASSERT_EQUAL(names_of_numbers(&g.naming.names, number, N, &err), STATUS_OK);
    matrix_sink_begin(&sink, &dist, NULL);
    CU_ASSERT_EQUAL(solve_into(&variant, &g, &all, &sink.sink, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "from 4007 to 4027"));
    matrix_free(&dist);
    graph_free(&g);
}

/* The proof relies on no claim about what a part is or about its rows. */
static void test_refuted(void) {
    const struct edge edges[] = {{4, 2, 3}, {2, 5, 1}};
    const int32_t vertices[] = {2, 4, 5}, position[] = {2, 4, 5};
    const struct row_sources sources = {NULL, 6};
    struct graph g = graph_of(6, edges, 2);
    struct row_part part = {2, vertices, 2, position};
    _Alignas(64) int32_t row[16] = {3, 0, 4};
    struct row_block block = {.n = 3, .count = 1, .position = {1}, .source = {1}, .dist = {row}};
    struct row_sink drop;
    struct proving_sink proof;
    struct error err;
    row_drop_begin(&drop, 0);
    CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proof, &g, NO_LIMIT, false, &drop, &err), STATUS_OK);
    struct row_sink *const sink = &proof.sink;
    CU_ASSERT_EQUAL(sink->begin(sink, 6, NUMBER_INT32, &sources, false, 1, &err), STATUS_OK);
    CU_ASSERT_EQUAL(sink->begin_part(sink, &part, &err), STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "leads to 5"));
    part = (struct row_part){3, vertices, 3, position};
    CU_ASSERT_EQUAL(sink->begin_part(sink, &part, &err), STATUS_OK);
    CU_ASSERT_EQUAL(sink->take(sink, &block, &err), STATUS_OK);
    row[2] = 5;
    CU_ASSERT_EQUAL(sink->take(sink, &block, &err), STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "edge 2 -> 5"));
    proving_sink_close(&proof);
    graph_free(&g);
}

CU_TestInfo by_components_tests[] = {
    {"the same answers, measures and proofs as of the whole graph", test_same_answers},
    {"an engine that another one replaces", test_replaced},
    {"a sparse matrix", test_sparse},
    {"a distance that is out of range", test_far},
    {"parts and rows that are wrong are refuted", test_refuted},
    CU_TEST_INFO_NULL,
};
