// SPDX-License-Identifier: MIT
/* Sums of columns along shortest paths against Bellman and Ford's algorithm on vectors of a length
 * and sums, which knows no tight edges. */
#include "flows/along_sink.h"

#include "certificate/along_check.h"
#include "common/graph/graph_io.h"
#include "tests/unit/real_graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 14, MOST_COLUMNS = 3, NUMBERS = 1 + MOST_COLUMNS };

/* A length and sums, all exact; infinite if there is no path. */
struct label {
    double of[NUMBERS];
};

static bool is_less(const struct label *a, const struct label *b) {
    for (int k = 0; k < NUMBERS; k++) {
        if (a->of[k] != b->of[k])
            return a->of[k] < b->of[k];
    }
    return false;
}

/* Finds the least labels of all paths from s. False if there are none, because of a cycle. */
static bool find_labels(const struct graph *g, const struct edge_columns *columns, int32_t s,
                        struct label *label) {
    for (int32_t v = 0; v < g->n; v++) {
        for (int k = 0; k < NUMBERS; k++)
            label[v].of[k] = v == s ? 0 : INFINITY;
    }
    bool changed = true;
    for (int32_t pass = 0; pass <= g->n && changed; pass++) {
        changed = false;
        for (int32_t u = 0; u < g->n; u++) {
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                const int32_t v = g->head[e];
                struct label over = label[u];
                if (isinf(over.of[0]) || (u < g->zones && u != s) || (v == s && s < g->zones))
                    continue;
                over.of[0] += graph_weight(g, e);
                for (int c = 0; c < columns->count; c++)
                    over.of[1 + c] += edge_columns_at(columns, c, e);
                for (int k = 1 + columns->count; k < NUMBERS; k++)
                    over.of[k] = 0;
                if (!is_less(&over, &label[v]))
                    continue;
                label[v] = over;
                changed = true;
            }
        }
    }
    return !changed;
}

static struct edge_columns random_columns(struct random *random, const struct graph *g, int count,
                                          int32_t lowest, int32_t highest) {
    struct edge_columns columns = {.count = count, .m = g->m};
    columns.value = malloc((size_t)(count * g->m + 1) * sizeof(double));
    for (int c = 0; c < count; c++)
        snprintf(columns.name[c], EDGE_COLUMN_NAME, "column%d", c);
    for (int64_t k = 0; k < count * g->m; k++)
        columns.value[k] = random_in(random, lowest, highest);
    return columns;
}

/* Counts of the cases that the test has met, so that it notices if it meets none. */
struct met {
    int refused;
};

static enum status check(const struct along *a, int32_t s, const double *sum, const int32_t *to,
                         int64_t count) {
    struct error err;
    return along_check(a->graph, a->columns, s, a->dist, sum, to, count, a->order, a->waits, &err);
}

/* Every wrong sum of a right row is refuted. */
static void check_refuted(const struct along *a, struct random *random, int32_t s, double *sum) {
    const int64_t n = a->graph->n, cells = n * a->columns->count;
    const int64_t at = random_in(random, 0, (int32_t)cells - 1);
    const double right = sum[at];
    const double wrong[] = {right + 1, right - 1, isinf(right) ? 0 : INFINITY};
    for (size_t k = isinf(right) ? 2 : 0; k < 3; k++) {
        sum[at] = wrong[k];
        CU_ASSERT_EQUAL(check(a, s, sum, NULL, 0), STATUS_REFUTED);
    }
    sum[at] = right;
}

/* The sums of some vertices alone are the same ones, and are refuted if one is wrong or missing, of
 * those before them, too. */
static void check_narrowed(struct along *a, const struct graph *in, struct random *random,
                           int32_t s, const struct label *label) {
    const int32_t n = a->graph->n;
    double sum[MOST_N * MOST_COLUMNS];
    struct error err;
    int32_t to[3];
    for (int k = 0; k < 3; k++)
        to[k] = random_in(random, 0, n - 1);
    along_narrow(a, in, s, to, 3);
    CU_ASSERT_EQUAL_FATAL(along_row(a, s, sum, &err), STATUS_OK);
    for (int32_t v = 0; v < n; v++)
        a->dist[v] = label[v].of[0];
    for (int k = 0; k < 3 * a->columns->count; k++) {
        const int32_t c = k / 3, v = to[k % 3];
        CU_ASSERT_EQUAL(sum[c * n + v], label[v].of[1 + c]);
    }
    CU_ASSERT_EQUAL(check(a, s, sum, to, 3), STATUS_OK);
    for (int32_t v = 0; v < n; v++) {
        if (isinf(sum[v]))
            continue;
        for (double wrong = -1; wrong <= 1; wrong += 2) {
            sum[v] += wrong;
            CU_ASSERT_EQUAL(check(a, s, sum, to, 3), STATUS_REFUTED);
            sum[v] -= wrong;
        }
        double others[MOST_COLUMNS] = {0};
        for (int c = 0; c < a->columns->count; c++) {
            others[c] = sum[c * n + v];
            sum[c * n + v] = INFINITY;
        }
        CU_ASSERT_EQUAL(check(a, s, sum, to, 3), STATUS_REFUTED);
        for (int c = 0; c < a->columns->count; c++)
            sum[c * n + v] = others[c];
    }
}

static void check_row(struct along *a, const struct graph *in, struct random *random, int32_t s,
                      struct met *met) {
    const struct graph *const g = a->graph;
    struct label label[MOST_N];
    double sum[MOST_N * MOST_COLUMNS];
    struct error err;
    const bool exist = find_labels(g, a->columns, s, label);
    for (int32_t v = 0; v < g->n; v++)
        a->dist[v] = label[v].of[0];
    const enum status status = along_row(a, s, sum, &err);
    if (!exist) {
        met->refused++;
        CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "no least sum"));
        return;
    }
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    for (int32_t v = 0; v < g->n; v++) {
        for (int c = 0; c < a->columns->count; c++)
            CU_ASSERT_EQUAL(sum[c * g->n + v], label[v].of[1 + c]);
    }
    CU_ASSERT_EQUAL(check(a, s, sum, NULL, 0), STATUS_OK);
    check_refuted(a, random, s, sum);
    check_narrowed(a, in, random, s, label);
}

/* Returns whether the distances of a graph exist. */
static bool has_distances(const struct graph *g) {
    const struct edge_columns none = {.count = 0};
    struct label label[MOST_N];
    for (int32_t s = 0; s < g->n; s++) {
        if (!find_labels(g, &none, s, label))
            return false;
    }
    return true;
}

static void check_graph(struct graph *g, struct random *random, int32_t lowest, int32_t highest,
                        struct met *met) {
    struct edge_columns columns =
        random_columns(random, g, random_in(random, 1, MOST_COLUMNS), lowest, highest);
    struct along along;
    struct graph in;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(along_open(&along, g, &columns, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(graph_reverse(g, &in, &err), STATUS_OK);
    for (int32_t s = 0; s < g->n && has_distances(g); s++)
        check_row(&along, &in, random, s, met);
    along_close(&along);
    edge_columns_free(&columns);
    graph_free(&in);
    graph_free(g);
}

static void test_random(void) {
    struct random random = {.state = 71};
    struct met met = {0};
    for (int round = 0; round < 1500; round++) {
        const int32_t n = random_in(&random, 1, MOST_N);
        const enum weights weights = (enum weights)random_in(&random, 0, WEIGHT_KINDS - 1);
        const int percent = random_in(&random, 5, 60);
        struct graph g = random_graph(&random, n, percent, weights);
        if (weights != WEIGHTS_NEGATIVE && random_in(&random, 0, 2) == 0)
            g.zones = random_in(&random, 0, n);
        const int32_t lowest = random_in(&random, 0, 3) == 0 ? -1 : 0;
        check_graph(&g, &random, lowest, random_in(&random, 0, 3), &met);
    }
    CU_ASSERT(met.refused > 20);
}

/* Few weights below 0 beside 0 and 1: cycles of weight 0 that have both. */
static void test_negative_ties(void) {
    struct random random = {.state = 72};
    struct met met = {0};
    for (int round = 0; round < 1500; round++) {
        const int32_t n = random_in(&random, 2, 8);
        struct edge edges[24];
        const int32_t count = random_in(&random, 1, 24);
        for (int32_t k = 0; k < count; k++)
            edges[k] = (struct edge){random_in(&random, 0, n - 1), random_in(&random, 0, n - 1),
                                     random_in(&random, 0, 9) == 0 ? -1 : random_in(&random, 0, 2)};
        struct graph g = graph_of(n, edges, count);
        check_graph(&g, &random, 0, 2, &met);
    }
}

/* Real sums are rounded from left to right, so a path is followed to the bit. */
static void test_real(void) {
    struct random random = {.state = 73};
    for (int round = 0; round < 300; round++) {
        const int32_t n = random_in(&random, 2, 40);
        const enum number_type type = round % 2 == 0 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
        struct graph g = random_real_graph(&random, n, 20, type,
                                           (enum real_kind)random_in(&random, 0, REAL_KINDS - 1));
        struct edge_columns columns = random_columns(&random, &g, 2, 0, 1000);
        struct along along;
        struct error err;
        double sum[2 * 40];
        for (int64_t k = 0; k < 2 * g.m; k++)
            columns.value[k] /= 10;
        CU_ASSERT_EQUAL_FATAL(along_open(&along, &g, &columns, &err), STATUS_OK);
        for (int32_t s = 0; s < n; s++) {
            search_real(&g, s, along.dist, NULL);
            CU_ASSERT_EQUAL_FATAL(along_row(&along, s, sum, &err), STATUS_OK);
            CU_ASSERT_EQUAL(check(&along, s, sum, NULL, 0), STATUS_OK);
        }
        along_close(&along);
        edge_columns_free(&columns);
        graph_free(&g);
    }
}

/* Distances that are those of no path are refused. */
static void test_wrong_distances(void) {
    struct graph g = graph_of(3, (struct edge[]){{0, 1, 1}, {1, 2, 1}}, 2);
    struct random random = {.state = 74};
    struct edge_columns columns = random_columns(&random, &g, 1, 0, 2);
    struct along along;
    struct error err;
    double sum[3];
    CU_ASSERT_EQUAL_FATAL(along_open(&along, &g, &columns, &err), STATUS_OK);
    memcpy(along.dist, (double[]){0, 1, 3}, 3 * sizeof(double));
    CU_ASSERT_EQUAL(along_row(&along, 0, sum, &err), STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "from 0 to 2"));
    along_close(&along);
    edge_columns_free(&columns);
    graph_free(&g);
}

/* Reads a table of edges between few vertices, many of them parallel, whose values are kept in the
 * order of the file; every edge has the least values of the lightest ones. */
static void check_table(struct random *random, bool undirected, enum reading_type type) {
    enum { ROWS = 40, VERTICES = 4 };
    char text[ROWS * 32 + 64];
    int32_t row[ROWS][5];
    char *end = text + sprintf(text, "u,v,w,x,y\n");
    for (int k = 0; k < ROWS; k++) {
        row[k][0] = k < VERTICES ? k : random_in(random, 0, VERTICES - 1);
        row[k][1] = random_in(random, 0, VERTICES - 1);
        for (int c = 2; c < 5; c++)
            row[k][c] = random_in(random, 0, c == 2 ? 2 : 3);
        end +=
            sprintf(end, "%d,%d,%d,%d,%d\n", row[k][0], row[k][1], row[k][2], row[k][3], row[k][4]);
    }
    struct edge_columns columns;
    const struct graph_reading how = {
        .along = "5, X", .columns = &columns, .undirected = undirected, .type = type};
    struct graph g;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(graph_read_as(temporary_file(text, (size_t)(end - text)), &how, &g, &err),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(columns.count, 2);
    CU_ASSERT_STRING_EQUAL(columns.name[0], "y");
    CU_ASSERT_STRING_EQUAL(columns.name[1], "x");
    for (int32_t u = 0; u < g.n; u++) {
        for (int64_t e = g.first[u]; e < g.first[u + 1]; e++) {
            struct label least = {{INFINITY, INFINITY, INFINITY, 0}};
            for (int k = 0; k < ROWS; k++) {
                const struct label own = {{row[k][2], row[k][4], row[k][3], 0}};
                if (((row[k][0] == u && row[k][1] == g.head[e]) ||
                     (undirected && row[k][1] == u && row[k][0] == g.head[e])) &&
                    is_less(&own, &least))
                    least = own;
            }
            CU_ASSERT_EQUAL(graph_weight(&g, e), least.of[0]);
            CU_ASSERT_EQUAL(edge_columns_at(&columns, 0, e), least.of[1]);
            CU_ASSERT_EQUAL(edge_columns_at(&columns, 1, e), least.of[2]);
        }
    }
    edge_columns_free(&columns);
    graph_free(&g);
}

static void test_tables(void) {
    struct random random = {.state = 75};
    for (int round = 0; round < 60; round++)
        check_table(&random, round % 2 == 1,
                    round % 3 == 0   ? READ_BY_WEIGHTS
                    : round % 3 == 1 ? READ_FLOAT32
                                     : READ_FLOAT64);
}

CU_TestInfo along_tests[] = {
    {"random graphs", test_random},
    {"weights below 0 and ties", test_negative_ties},
    {"real weights", test_real},
    {"wrong distances", test_wrong_distances},
    {"parallel edges of tables", test_tables},
    CU_TEST_INFO_NULL,
};
