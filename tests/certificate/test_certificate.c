// SPDX-License-Identifier: MIT
/* The checker's own test: right answers pass, every kind of wrong one is
 * refuted, and for the right reason. */
#include "certificate/certificate.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A graph and its exact solution, changed by a test and restored after it. */
struct case_data {
    struct graph g;
    struct matrix dist, pred;
};

static struct case_data solved(struct graph g) {
    struct case_data c = {.g = g};
    solve_reference(&g, &c.dist, &c.pred);
    return c;
}

static void release(struct case_data *c) {
    graph_free(&c->g);
    matrix_free(&c->dist);
    matrix_free(&c->pred);
}

static bool accepted(const struct case_data *c) {
    struct error err;
    return certify(&c->g, &c->dist, &c->pred, 2, &err) == STATUS_OK &&
           certify(&c->g, &c->dist, NULL, 2, &err) == STATUS_OK;
}

/* Refuted, with and, unless only the predecessors are wrong, without
 * predecessors; the message starts with one of the checks ("ab": (a) or (b)). */
static bool refuted(const struct case_data *c, const char *checks, bool only_pred) {
    struct error err = {0};
    if (certify(&c->g, &c->dist, &c->pred, 2, &err) != STATUS_REFUTED)
        return false;
    if (strncmp(err.text, "check (", 7) != 0 || strchr(checks, err.text[7]) == NULL) {
        printf("\n    expected check (%s), found \"%s\"\n", checks, err.text);
        return false;
    }
    return only_pred || certify(&c->g, &c->dist, NULL, 2, &err) == STATUS_REFUTED;
}

/* Sizes around the number of sources that are checked together. */
static const int32_t sizes[] = {1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 100, 131};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void for_each_case(void (*visit)(struct case_data *c, struct random *random)) {
    struct random random = {1};
    for (int s = 0; s < SIZES; s++) {
        for (int kind = 0; kind < WEIGHT_KINDS; kind++) {
            struct case_data c =
                solved(random_graph(&random, sizes[s], s % 2 == 0 ? 4 : 30, (enum weights)kind));
            visit(&c, &random);
            release(&c);
        }
    }
}

static void check_accepted(struct case_data *c, struct random *random) {
    (void)random;
    CU_ASSERT(accepted(c));
}

static void test_right_answers(void) {
    for_each_case(check_accepted);
}

/* One cell of D changed to `value` and back. */
static void try_distance(struct case_data *c, int32_t i, int32_t j, int32_t value,
                         const char *checks) {
    int32_t *cell = &matrix_row(&c->dist, i)[j];
    int32_t right = *cell;
    if (value == right)
        return;
    *cell = value;
    bool caught = refuted(c, checks, false);
    CU_ASSERT(caught);
    if (!caught)
        printf("\n    n = %d: D[%d][%d] = %d instead of %d passed\n", c->g.n, i, j, value, right);
    *cell = right;
}

static void check_distances(struct case_data *c, struct random *random) {
    enum { CELLS = 10 };
    for (int k = 0; k < CELLS; k++) {
        int32_t i = random_in(random, 0, c->g.n - 1), j = random_in(random, 0, c->g.n - 1);
        int32_t d = matrix_row(&c->dist, i)[j];
        if (i == j) {
            try_distance(c, i, j, 1, "a");
            try_distance(c, i, j, -1, "a");
            try_distance(c, i, j, INF, "a");
        } else if (d == INF) {
            try_distance(c, i, j, 7, "abc"); /* (a): it has no predecessor */
            try_distance(c, i, j, INF - 1, "abc");
        } else {
            try_distance(c, i, j, d + 1, "bc");
            try_distance(c, i, j, d - 1, "bc");
            try_distance(c, i, j, INF, "ac"); /* (a): it has a predecessor */
        }
        try_distance(c, i, j, INF + 1, "a");
        try_distance(c, i, j, INT32_MAX, "a");
        try_distance(c, i, j, -INF, "a");
        try_distance(c, i, j, INT32_MIN, "a");
    }
}

static void test_wrong_distances(void) {
    for_each_case(check_distances);
}

static void check_predecessors(struct case_data *c, struct random *random) {
    enum { CELLS = 10 };
    for (int k = 0; k < CELLS; k++) {
        int32_t i = random_in(random, 0, c->g.n - 1), j = random_in(random, 0, c->g.n - 1);
        int32_t *cell = &matrix_row(&c->pred, i)[j];
        const int32_t right = *cell;
        const int32_t wrong[] = {-2, c->g.n, INT32_MAX, INT32_MIN, i == j ? 0 : -1};
        for (int w = 0; w < 5; w++) {
            *cell = wrong[w];
            CU_ASSERT(right == wrong[w] || refuted(c, "a", true));
        }
        int32_t stranger = random_in(random, 0, c->g.n - 1);
        *cell = stranger;
        if (graph_find_edge(&c->g, stranger, j) < 0)
            CU_ASSERT(refuted(c, "ab", true));
        *cell = right;
    }
}

static void test_wrong_predecessors(void) {
    for_each_case(check_predecessors);
}

/* A predecessor that gives another path of the same length is as good. */
static void test_ties_pass(void) {
    const struct edge edges[] = {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}};
    struct case_data c = solved(graph_of(4, edges, 4));
    for (int32_t p = 1; p <= 2; p++) {
        matrix_row(&c.pred, 0)[3] = p;
        CU_ASSERT(accepted(&c));
    }
    matrix_row(&c.pred, 0)[3] = 0;
    CU_ASSERT(refuted(&c, "b", true));
    release(&c);
}

/* 1 and 2 at distance 1 from 0 over zero-weight edges, each the other's
 * predecessor: every equation of (b) holds, but no path leads to them. */
static void test_zero_weight_cycle(void) {
    const struct edge edges[] = {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}};
    struct case_data c = solved(graph_of(3, edges, 3));
    struct error err;
    CU_ASSERT(accepted(&c));
    matrix_row(&c.pred, 0)[1] = 2;
    CU_ASSERT_EQUAL(certify(&c.g, &c.dist, &c.pred, 1, &err), STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "run in a cycle"));
    /* Nothing leads into the cycle: distances alone must be refuted too. */
    const struct edge cut_off[] = {{1, 2, 0}, {2, 1, 0}};
    struct case_data lost = solved(graph_of(3, cut_off, 2));
    matrix_row(&lost.dist, 0)[1] = matrix_row(&lost.dist, 0)[2] = 5;
    matrix_row(&lost.pred, 0)[1] = 2;
    matrix_row(&lost.pred, 0)[2] = 1;
    CU_ASSERT_EQUAL(certify(&lost.g, &lost.dist, &lost.pred, 1, &err), STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "run in a cycle"));
    CU_ASSERT_EQUAL(certify(&lost.g, &lost.dist, NULL, 1, &err), STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "no path of length 5 leads from 0 to 1"));
    release(&c);
    release(&lost);
}

/* Distances of 2^30 given as "no path": INF <= 2^29 + 2^29 as numbers. */
static void test_overflow_as_unreachable(void) {
    const struct edge edges[] = {{0, 1, 1 << 29}, {1, 2, 1 << 29}};
    struct graph g = graph_of(3, edges, 2);
    struct matrix dist = new_matrix(3), pred = new_matrix(3);
    struct error err;
    graph_to_matrices(&g, &dist, &pred); /* D[0][2] stays INF */
    CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_REFUTED);
    CU_ASSERT_STRING_EQUAL(err.text, "check (c): 2 is given as unreachable from 0, but 1 is at "
                                     "distance 536870912 and edge 1 -> 2 weighs 536870912");
    CU_ASSERT_EQUAL(certify(&g, &dist, NULL, 1, &err), STATUS_REFUTED);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* Weights whose sums with distances leave 32 bits. */
static void test_heavy_edges(void) {
    const struct edge edges[] = {{0, 1, INT32_MAX},     {0, 2, 1}, {2, 1, 1},
                                 {1, 0, INT32_MAX - 1}, {1, 2, 3}, {2, 0, 4}};
    struct case_data c = solved(graph_of(3, edges, 6));
    CU_ASSERT(accepted(&c));
    try_distance(&c, 0, 1, 3, "bc");
    try_distance(&c, 0, 1, INF, "ac");
    release(&c);

    const struct edge negative[] = {{0, 1, INF - 1}, {1, 2, -INF - 5}, {2, 3, INF}};
    struct graph g = graph_of(4, negative, 3);
    struct matrix dist = new_matrix(4), pred = new_matrix(4);
    const int32_t distances[] = {0, INF - 1, -6, INF - 6};
    struct error err;
    for (int32_t i = 0; i < 4; i++) {
        for (int32_t j = 0; j < 4; j++) {
            matrix_row(&dist, i)[j] = i == 0 ? distances[j] : i == j ? 0 : INF;
            matrix_row(&pred, i)[j] = i == 0 ? j - 1 : -1;
        }
    }
    /* From 1 the distance is below -INF: this graph has no answer in range. */
    CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "check (c): 2 is given as unreachable from 1"));
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

enum { SOURCES = 67 }; /* more than are checked together */
/* Sources at the ends of groups that are checked together, of vectors and of matrices. */
static const int32_t tried[] = {0, 3, 4, 15, 16, 31, 32, 63, 64, SOURCES - 1};
enum { TRIED = sizeof tried / sizeof *tried };

/* A graph of one edge, the answer to it with `distance` at its cell. */
static enum status judge_one_edge(int32_t from, int32_t to, int32_t weight, int32_t distance,
                                  bool with_pred) {
    const struct edge edge = {from, to, weight};
    struct graph g = graph_of(SOURCES, &edge, 1);
    struct matrix dist = new_matrix(SOURCES), pred = new_matrix(SOURCES);
    struct error err;
    for (int32_t i = 0; i < SOURCES; i++) {
        for (int32_t j = 0; j < SOURCES; j++) {
            matrix_row(&dist, i)[j] = i == j ? 0 : INF;
            matrix_row(&pred, i)[j] = -1;
        }
    }
    matrix_row(&dist, from)[to] = distance;
    matrix_row(&pred, from)[to] = distance < INF ? from : -1;
    const enum status status = certify(&g, &dist, with_pred ? &pred : NULL, 1, &err);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
    return status;
}

/* From any source, an edge of a weight that is no distance cannot be left out, and one that just
 * is a distance is one. */
static void test_limits_of_weights(void) {
    static const int32_t beyond[] = {INF, INF + 1, INT32_MAX, -INF, -INF - 1, INT32_MIN};
    for (int k = 0; k < TRIED; k++) {
        const int32_t i = tried[k], j = (i + 1) % SOURCES;
        for (int with_pred = 0; with_pred <= 1; with_pred++) {
            for (size_t w = 0; w < sizeof beyond / sizeof *beyond; w++)
                CU_ASSERT_EQUAL(judge_one_edge(i, j, beyond[w], INF, with_pred), STATUS_REFUTED);
            CU_ASSERT_EQUAL(judge_one_edge(i, j, INF - 1, INF - 1, with_pred), STATUS_OK);
            CU_ASSERT_EQUAL(judge_one_edge(i, j, INF - 1, INF, with_pred), STATUS_REFUTED);
            CU_ASSERT_EQUAL(judge_one_edge(i, j, 1 - INF, 1 - INF, with_pred), STATUS_OK);
        }
    }
}

static void try_predecessor_of_any(struct case_data *c, int32_t i, int32_t j, int32_t value) {
    int32_t *cell = &matrix_row(&c->pred, i)[j];
    const int32_t right = *cell;
    *cell = value;
    CU_ASSERT(refuted(c, "a", true));
    *cell = right;
}

/* Check (a) holds of any source: on the diagonal, with a path and without. */
static void test_entries(void) {
    struct edge edges[SOURCES];
    for (int32_t v = 0; v < SOURCES; v++) /* two cycles, of even and odd vertices */
        edges[v] = (struct edge){v, v + 2 < SOURCES ? v + 2 : v % 2, 5};
    struct case_data c = solved(graph_of(SOURCES, edges, SOURCES));
    CU_ASSERT(accepted(&c));
    for (int k = 0; k < TRIED; k++) {
        const int32_t i = tried[k];
        const int32_t reached = (i + 4) % SOURCES < i ? i % 2 : i + 2 < SOURCES ? i + 2 : i % 2;
        const int32_t unreached = i % 2 == 0 ? SOURCES - 2 : SOURCES - 1;
        try_distance(&c, i, i, 1, "a");
        try_distance(&c, i, i, INF, "a");
        try_predecessor_of_any(&c, i, i, i);
        try_predecessor_of_any(&c, i, reached, -1);
        try_predecessor_of_any(&c, i, reached, SOURCES);
        try_predecessor_of_any(&c, i, reached, -2);
        try_predecessor_of_any(&c, i, unreached, i);
    }
    release(&c);
}

static void check_unsolved(struct case_data *c, struct random *random) {
    (void)random;
    struct matrix dist = new_matrix(c->g.n), pred = new_matrix(c->g.n);
    if (c->g.min_weight >= 0) {
        graph_to_matrices(&c->g, &dist, &pred);
        struct error err;
        bool solved_already = same_matrix(&dist, &c->dist);
        CU_ASSERT_EQUAL(certify(&c->g, &dist, &pred, 2, &err),
                        solved_already ? STATUS_OK : STATUS_REFUTED);
    }
    matrix_free(&dist);
    matrix_free(&pred);
}

static void test_unsolved_input(void) {
    for_each_case(check_unsolved);
}

static void check_swapped_rows(struct case_data *c, struct random *random) {
    if (c->g.n < 2)
        return;
    int32_t i = random_in(random, 0, c->g.n - 1);
    int32_t j = (i + 1) % c->g.n;
    for (int32_t v = 0; v < c->g.n; v++) {
        int32_t *a = &matrix_row(&c->dist, i)[v], *b = &matrix_row(&c->dist, j)[v], t = *a;
        *a = *b;
        *b = t;
        a = &matrix_row(&c->pred, i)[v];
        b = &matrix_row(&c->pred, j)[v];
        t = *a;
        *a = *b;
        *b = t;
    }
    struct error err;
    /* Rows can be equal only if each vertex is at distance 0 from the other. */
    struct matrix dist, pred;
    solve_reference(&c->g, &dist, &pred);
    bool equal = same_matrix(&dist, &c->dist) && same_matrix(&pred, &c->pred);
    CU_ASSERT_EQUAL(certify(&c->g, &c->dist, &c->pred, 2, &err) == STATUS_REFUTED, !equal);
    matrix_free(&dist);
    matrix_free(&pred);
}

static void test_swapped_rows(void) {
    for_each_case(check_swapped_rows);
}

static void test_other_graph(void) {
    struct random random = {2};
    struct error err;
    for (int32_t n = 5; n < 80; n += 10) {
        struct case_data one = solved(random_graph(&random, n, 30, WEIGHTS_POSITIVE));
        struct case_data other = solved(random_graph(&random, n, 30, WEIGHTS_POSITIVE));
        CU_ASSERT_EQUAL(certify(&one.g, &other.dist, &other.pred, 2, &err), STATUS_REFUTED);
        CU_ASSERT_EQUAL(certify(&one.g, &other.dist, NULL, 2, &err), STATUS_REFUTED);
        release(&one);
        release(&other);
    }
    struct case_data small = solved(graph_of(2, NULL, 0)), large = solved(graph_of(3, NULL, 0));
    CU_ASSERT_EQUAL(certify(&small.g, &large.dist, &large.pred, 1, &err), STATUS_REFUTED);
    CU_ASSERT_STRING_EQUAL(err.text, "the result has 3 vertices, the graph 2");
    release(&small);
    release(&large);
}

/* No result is right for a graph with a negative cycle. */
static void test_negative_cycle(void) {
    const struct edge edges[] = {{0, 1, 2}, {1, 0, -3}, {2, 2, -1}};
    for (int first = 0; first <= 2; first += 2) {
        struct graph g = graph_of(3, edges + first, first == 0 ? 2 : 1);
        struct matrix dist = new_matrix(3), pred = new_matrix(3);
        struct error err;
        for (int32_t c = 0; c < 9; c++) {
            matrix_row(&dist, c / 3)[c % 3] = c % 4 == 0 ? 0 : INF;
            matrix_row(&pred, c / 3)[c % 3] = -1;
        }
        CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_REFUTED);
        graph_free(&g);
        matrix_free(&dist);
        matrix_free(&pred);
    }
}

/* Many cells wrong: the same one is named whatever the number of threads. */
static void test_same_refutation_at_any_thread_count(void) {
    struct random random = {3};
    struct case_data c = solved(random_graph(&random, 300, 20, WEIGHTS_POSITIVE));
    for (int k = 0; k < 50; k++)
        matrix_row(&c.dist, random_in(&random, 0, 299))[random_in(&random, 0, 299)] = 1000;
    struct error one, many;
    CU_ASSERT_EQUAL(certify(&c.g, &c.dist, &c.pred, 1, &one), STATUS_REFUTED);
    for (int threads = 2; threads <= 8; threads++) {
        CU_ASSERT_EQUAL(certify(&c.g, &c.dist, &c.pred, threads, &many), STATUS_REFUTED);
        CU_ASSERT_STRING_EQUAL(one.text, many.text);
    }
    release(&c);
}

/* The contents that a refutation must have. */
struct expected {
    enum refutation_reason reason;
    int32_t i, j;
    double distance;
    int32_t via;
    double via_distance, weight;
};

static bool is_as_expected(const struct refutation *r, const struct expected *e,
                           enum number_type type) {
    return r->reason == e->reason && r->i == e->i && r->j == e->j && r->distance == e->distance &&
           r->via == e->via && r->via_distance == e->via_distance && r->weight == e->weight &&
           r->type == type;
}

/* Every reason, with the numbers that show it. */
static void test_refutations(void) {
    const struct edge edges[] = {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}, {0, 3, 9}, {2, 3, 4}};
    const struct {
        bool pred; /* a predecessor is wrong, otherwise a distance */
        bool only_dist;
        int32_t i, j, wrong;
        char check;
        struct expected expected;
    } cases[] = {
        {false, false, 0, 3, INF + 1, 'a', {REFUTED_RANGE, 0, 3, INF + 1, -1, 0, 0}},
        {false, false, 2, 2, 1, 'a', {REFUTED_DIAGONAL_DISTANCE, 2, 2, 1, -1, 0, 0}},
        {true, false, 0, 3, 5, 'a', {REFUTED_PREDECESSOR_NO_VERTEX, 0, 3, 5, 5, 0, 0}},
        {true, false, 1, 1, 0, 'a', {REFUTED_DIAGONAL_PREDECESSOR, 1, 1, 0, 0, 0, 0}},
        {true, false, 0, 3, -1, 'a', {REFUTED_PREDECESSOR_MISSING, 0, 3, 5, -1, 0, 0}},
        {true, false, 0, 4, 3, 'a', {REFUTED_PREDECESSOR_OF_UNREACHABLE, 0, 4, INF, 3, 0, 0}},
        {true, false, 0, 3, 1, 'b', {REFUTED_PREDECESSOR_NO_NEIGHBOUR, 0, 3, 5, 1, 0, 0}},
        {true, false, 1, 3, 0, 'b', {REFUTED_PREDECESSOR_UNREACHABLE, 1, 3, 4, 0, 0, 0}},
        {true, false, 0, 3, 0, 'b', {REFUTED_PREDECESSOR_SUM, 0, 3, 5, 0, 0, 9}},
        {true, false, 0, 1, 2, 'b', {REFUTED_PREDECESSOR_CYCLE, 0, 1, 1, 1, 0, 0}},
        {false, true, 0, 3, 4, 'b', {REFUTED_NO_TIGHT_PATH, 0, 3, 4, -1, 0, 0}},
        {false, true, 0, 3, INF, 'c', {REFUTED_REACHABLE, 0, 3, INF, 0, 0, 9}},
        {false, false, 0, 3, 6, 'c', {REFUTED_TOO_LONG, 0, 3, 6, 2, 1, 4}},
    };
    struct case_data c = solved(graph_of(5, edges, 5));
    CU_ASSERT(accepted(&c));
    for (size_t t = 0; t < sizeof cases / sizeof *cases; t++) {
        const struct expected *expected = &cases[t].expected;
        int32_t *cell = &matrix_row(cases[t].pred ? &c.pred : &c.dist, cases[t].i)[cases[t].j];
        const int32_t right = *cell;
        struct refutation found;
        struct error err, alone;
        *cell = cases[t].wrong;
        const struct matrix *pred = cases[t].only_dist ? NULL : &c.pred;
        CU_ASSERT_EQUAL(certify_or_refute(&c.g, &c.dist, pred, 1, NULL, &found, &err),
                        STATUS_REFUTED);
        CU_ASSERT_EQUAL(certify(&c.g, &c.dist, pred, 1, &alone), STATUS_REFUTED);
        CU_ASSERT_STRING_EQUAL(err.text, alone.text);
        CU_ASSERT(is_as_expected(&found, expected, NUMBER_INT32));
        CU_ASSERT_EQUAL(err.text[7], cases[t].check);
        CU_ASSERT_EQUAL(refutation_check(found.reason), cases[t].check);
        CU_ASSERT(strlen(refutation_name(found.reason)) > 0);
        CU_ASSERT_EQUAL(refutation_has_edge(found.reason), expected->weight != 0);
        *cell = right;
    }
    struct matrix none = new_matrix(1);
    struct refutation found;
    struct error err;
    CU_ASSERT_EQUAL(certify_or_refute(&c.g, &none, NULL, 1, NULL, &found, &err), STATUS_REFUTED);
    CU_ASSERT_EQUAL(found.reason, REFUTED_SIZE);
    CU_ASSERT_EQUAL(refutation_check(found.reason), '-');
    matrix_free(&none);
    release(&c);
}

/* Returns whether row 0 of an answer on three vertices with a limit is right: the definition, path
 * by path, of which there are two to each vertex. */
static bool row_is_right(int64_t weight[3][3], int32_t limit, const int32_t *dist,
                         const int32_t *pred) {
    for (int32_t j = 1; j <= 2; j++) {
        const int32_t k = 3 - j;
        const int64_t round_k = weight[0][k] + weight[k][j];
        const int64_t d = weight[0][j] < round_k ? weight[0][j] : round_k;
        if (dist[j] != (d <= limit ? d : INF))
            return false;
        if (pred == NULL || d > limit) {
            if (pred != NULL && pred[j] != -1)
                return false;
            continue;
        }
        if (pred[j] != (pred[j] == k ? k : 0) || (pred[j] == k ? round_k : weight[0][j]) != d ||
            (pred[j] == k && pred[k] == j))
            return false;
    }
    return dist[0] == 0 && (pred == NULL || pred[0] == -1);
}

struct row {
    int32_t dist[16], pred[16];
};

/* Judges a row from vertex 0. */
static bool judged_rightly(struct certificate_prover *prover, int64_t weight[3][3], int32_t limit,
                           struct row *row, bool with_pred) {
    int32_t *preds[] = {row->pred};
    const struct row_block block = {
        .n = 3, .count = 1, .dist = {row->dist}, .pred = with_pred ? preds : NULL};
    struct refutation refutation;
    struct error err;
    const enum status status = certificate_prove(prover, &block, &refutation, &err);
    const bool right = row_is_right(weight, limit, row->dist, with_pred ? row->pred : NULL);
    return status == (right ? STATUS_OK : STATUS_REFUTED);
}

/* All rows of distances, and all predecessors of the right one. */
static bool rows_judged_rightly(const struct graph *g, int64_t weight[3][3], int32_t limit) {
    static const int32_t values[] = {0, 1, 2, 3, 4, INF - 1, INF};
    enum { VALUES = sizeof values / sizeof *values };
    struct certificate certificate[2];
    struct certificate_prover *prover[2];
    struct error err;
    struct row row = {{0}, {-1}};
    bool right = true;
    for (int with_pred = 0; with_pred <= 1; with_pred++) {
        CU_ASSERT_EQUAL_FATAL(certificate_open(&certificate[with_pred], g, limit, with_pred, &err),
                              STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(
            certificate_prover_alloc(&certificate[with_pred], &prover[with_pred], &err), STATUS_OK);
    }
    for (int k = 0; k < VALUES * VALUES && right; k++) {
        row.dist[1] = values[k / VALUES];
        row.dist[2] = values[k % VALUES];
        right = judged_rightly(prover[0], weight, limit, &row, false);
        if (!row_is_right(weight, limit, row.dist, NULL))
            continue;
        for (int p = 0; p < 16 && right; p++) {
            row.pred[1] = p / 4 - 1;
            row.pred[2] = p % 4 - 1;
            right = judged_rightly(prover[1], weight, limit, &row, true);
        }
    }
    for (int with_pred = 0; with_pred <= 1; with_pred++) {
        certificate_prover_free(prover[with_pred]);
        certificate_close(&certificate[with_pred]);
    }
    return right;
}

/* Every graph on three vertices with edges of three weights: short ones, and ones whose sums with
 * distances are at the limits of 30 and 32 bits. */
static void test_all_limited_rows(void) {
    static const int32_t weights[][3] = {{0, 1, 2}, {0, 1, INF - 1}, {0, 1, INT32_MAX}};
    static const int32_t limits[] = {0, 1, 2, INF - 1};
    enum { EDGES = 6, GRAPHS = 1 << 2 * EDGES };
    static const int32_t from[EDGES] = {0, 0, 1, 1, 2, 2}, to[EDGES] = {1, 2, 0, 2, 0, 1};
    int wrong = 0;
    for (size_t set = 0; set < sizeof weights / sizeof *weights; set++) {
        for (int number = 0; number < GRAPHS; number++) {
            int64_t weight[3][3];
            struct edge edges[EDGES];
            int64_t count = 0;
            for (int e = 0; e < EDGES; e++) {
                const int digit = number >> 2 * e & 3;
                weight[from[e]][to[e]] = digit == 3 ? INT64_MAX / 4 : weights[set][digit];
                if (digit < 3)
                    edges[count++] = (struct edge){from[e], to[e], weights[set][digit]};
            }
            /* Edges into the source decide nothing: let them be alike. */
            if ((number >> 4 & 3) != (number >> 8 & 3))
                continue;
            struct graph g = graph_of(3, edges, count);
            for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
                wrong += !rows_judged_rightly(&g, weight, limits[k]);
            graph_free(&g);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Leaves out what is beyond the limit. */
static void cut_off(struct case_data *c, int32_t limit) {
    for (int32_t i = 0; i < c->g.n; i++) {
        for (int32_t j = 0; j < c->g.n; j++) {
            if (matrix_row(&c->dist, i)[j] > limit) {
                matrix_row(&c->dist, i)[j] = INF;
                matrix_row(&c->pred, i)[j] = -1;
            }
        }
    }
}

static enum status judge_limited(const struct case_data *c, double limit, bool with_pred,
                                 struct refutation *found, struct error *err) {
    const struct row_sources all = {NULL, c->g.n};
    return certify_rows(&c->g, &all, limit, &c->dist, with_pred ? &c->pred : NULL, 2, NULL, found,
                        err);
}

/* The answer with one limit is that with another one only if no distance is between them. */
static void check_limits(struct case_data *c, struct random *random) {
    if (c->g.min_weight < 0)
        return;
    const int32_t i = random_in(random, 0, c->g.n - 1), j = random_in(random, 0, c->g.n - 1);
    const int32_t d = matrix_row(&c->dist, i)[j], limit = d == INF ? 40 : d;
    struct refutation found;
    struct error err;
    cut_off(c, limit);
    for (int with_pred = 0; with_pred <= 1; with_pred++) {
        CU_ASSERT_EQUAL(judge_limited(c, limit, with_pred, &found, &err), STATUS_OK);
        if (d == INF || d == 0)
            continue;
        CU_ASSERT_EQUAL(judge_limited(c, limit - 1, with_pred, &found, &err), STATUS_REFUTED);
        CU_ASSERT_EQUAL(found.reason, REFUTED_BEYOND_LIMIT);
    }
}

static void test_limits(void) {
    for_each_case(check_limits);
}

/* Refutations that only answers with a limit have; with weights below 0 there is no limit. */
static void test_refutations_of_limits(void) {
    const struct edge edges[] = {{0, 1, 3}, {1, 2, 4}}, negative[] = {{0, 1, -1}};
    const struct expected beyond = {REFUTED_BEYOND_LIMIT, 0, 2, 7, -1, 0, 0},
                          reachable = {REFUTED_REACHABLE, 0, 2, INF, 1, 3, 4};
    struct case_data c = solved(graph_of(3, edges, 2)), below = solved(graph_of(2, negative, 1));
    struct refutation found;
    struct error err;
    CU_ASSERT_EQUAL(judge_limited(&c, 6, true, &found, &err), STATUS_REFUTED);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "check (a): distance from 0 to 2 is 7, larger than the limit of 6");
    CU_ASSERT(is_as_expected(&found, &beyond, NUMBER_INT32));
    cut_off(&c, 6);
    CU_ASSERT_EQUAL(judge_limited(&c, 7, true, &found, &err), STATUS_REFUTED);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "check (c): 2 is given as unreachable from 0 within the limit, "
                           "but 1 is at distance 3 and edge 1 -> 2 weighs 4");
    CU_ASSERT(is_as_expected(&found, &reachable, NUMBER_INT32));
    CU_ASSERT_EQUAL(judge_limited(&below, 6, true, &found, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "a limit of 6 on distances: expected weights of 0 or more, found -1");
    CU_ASSERT_EQUAL(judge_limited(&below, NO_LIMIT, true, &found, &err), STATUS_OK);
    release(&c);
    release(&below);
}

/* A path leads from i to j, over edges that add up to the distance. */
static void check_path(const struct case_data *c, int32_t i, int32_t j, const int32_t *path,
                       int32_t length) {
    if (matrix_row(&c->dist, i)[j] == INF) {
        CU_ASSERT_EQUAL(length, 0);
        return;
    }
    int64_t sum = 0;
    CU_ASSERT_FATAL(length >= 1 && length <= c->g.n);
    CU_ASSERT(path[0] == i && path[length - 1] == j);
    for (int32_t step = 0; step + 1 < length; step++) {
        int64_t edge = graph_find_edge(&c->g, path[step], path[step + 1]);
        CU_ASSERT_FATAL(edge >= 0);
        sum += c->g.weight[edge];
    }
    CU_ASSERT_EQUAL(sum, matrix_row(&c->dist, i)[j]);
}

static void check_trees(struct case_data *c, struct random *random) {
    (void)random;
    const size_t n = (size_t)c->g.n;
    int32_t *parent = malloc(sizeof *parent * n), *path = malloc(sizeof *path * n);
    struct error err;
    for (int32_t i = 0; i < c->g.n; i++) {
        CU_ASSERT_EQUAL(certificate_tree(&c->g, i, matrix_row(&c->dist, i), matrix_row(&c->pred, i),
                                         parent, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(memcmp(parent, matrix_row(&c->pred, i), n * sizeof *parent), 0);
        CU_ASSERT_EQUAL(certificate_tree(&c->g, i, matrix_row(&c->dist, i), NULL, parent, &err),
                        STATUS_OK);
        for (int32_t j = 0; j < c->g.n; j++) {
            int32_t length;
            certificate_path_in(parent, i, j, path, &length);
            check_path(c, i, j, path, length);
        }
    }
    free(parent);
    free(path);
}

/* Trees of results with and without predecessors. */
static void test_trees(void) {
    for_each_case(check_trees);
}

static void check_paths(struct case_data *c, struct random *random) {
    enum { PAIRS = 20 };
    int32_t *path = malloc(sizeof *path * (size_t)c->g.n);
    for (int k = 0; k < PAIRS; k++) {
        int32_t i = random_in(random, 0, c->g.n - 1), j = random_in(random, 0, c->g.n - 1);
        int32_t length;
        certificate_path(&c->pred, i, j, path, &length);
        check_path(c, i, j, path, length);
    }
    free(path);
}

static void test_paths(void) {
    for_each_case(check_paths);
}

static void check_verdicts(void) {
    test_right_answers();
    test_overflow_as_unreachable();
    test_heavy_edges();
    test_limits_of_weights();
    test_entries();
    test_other_graph();
    test_limits();
}

static void test_instruction_sets(void) {
    on_every_isa(check_verdicts);
    const struct graph g = {0};
    const struct matrix none = {0};
    struct error err;
    setenv("APSP_SIMD", "mmx", 1);
    CU_ASSERT_EQUAL(certify(&g, &none, NULL, 1, &err), STATUS_BAD_INPUT);
    unsetenv("APSP_SIMD");
}

CU_TestInfo certificate_tests[] = {
    {"right answers pass", test_right_answers},
    {"wrong distances", test_wrong_distances},
    {"wrong predecessors", test_wrong_predecessors},
    {"tied predecessors pass", test_ties_pass},
    {"predecessor cycle through zero weights", test_zero_weight_cycle},
    {"overflowed distance given as unreachable", test_overflow_as_unreachable},
    {"weights beyond 2^30", test_heavy_edges},
    {"weights at the limits, from any source", test_limits_of_weights},
    {"entries that check (a) refutes, of any source", test_entries},
    {"input returned unsolved", test_unsolved_input},
    {"rows swapped", test_swapped_rows},
    {"the right answer to another graph", test_other_graph},
    {"negative cycle", test_negative_cycle},
    {"same refutation at any thread count", test_same_refutation_at_any_thread_count},
    {"what a refutation names", test_refutations},
    {"all rows of all graphs on 3 vertices, with any limit", test_all_limited_rows},
    {"right answers with a limit", test_limits},
    {"what refutes answers with a limit", test_refutations_of_limits},
    {"trees of paths, with and without predecessors", test_trees},
    {"paths", test_paths},
    {"the same with every instruction set", test_instruction_sets},
    CU_TEST_INFO_NULL,
};
