// SPDX-License-Identifier: MIT
#include "tests/unit/eliminated.h"

#include <stdlib.h>

static struct row_totals totals_of(const int32_t *dist, int32_t n) {
    struct row_totals totals = {0};
    for (int32_t v = 0; v < n; v++) {
        if (dist[v] >= INF)
            continue;
        totals.sum += dist[v];
        totals.reached++;
        totals.farthest = dist[v] > totals.farthest ? dist[v] : totals.farthest;
    }
    return totals;
}

void eliminated_begin(struct eliminated *e, const struct graph *g) {
    const struct dissection_options options = {.threads = 1, .isa = ISA_PORTABLE, .most = g->n};
    struct matrix pred;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(dissection_prepare(&e->d, g, &options, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(graph_reverse(g, &e->graph[1], &err), STATUS_OK);
    e->graph[0] = *g;
    for (int k = 0; k < 2; k++) {
        solve_reference(&e->graph[k], &e->dist[k], &pred);
        matrix_free(&pred);
    }
}

void eliminated_begin_large(struct eliminated *e, const struct graph *g) {
    const struct dissection_options options = {.threads = 1, .isa = isa_best(), .most = g->n};
    struct dissection_workspace w = {0};
    struct error err;
    *e = (struct eliminated){.graph = {*g}};
    CU_ASSERT_EQUAL_FATAL(dissection_prepare(&e->d, g, &options, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(dissection_finish(&e->d, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(dissection_workspace_alloc(&w, &e->d, &err), STATUS_OK);
    e->dist[0] = new_matrix(g->n);
    const size_t lanes = (size_t)dissection_lanes(&e->d);
    int32_t *label = aligned_alloc(64, (size_t)g->n * lanes * sizeof *label);
    for (int32_t v = 0; v < g->n; v++) {
        dissection_strip(&w, &v, 1, label);
        for (int32_t u = 0; u < g->n; u++)
            matrix_row(&e->dist[0], v)[u] = label[(size_t)e->d.place[u] * lanes];
    }
    free(label);
    dissection_workspace_free(&w);
}

void eliminated_end(struct eliminated *e) {
    matrix_free(&e->dist[0]);
    matrix_free(&e->dist[1]);
    graph_free(&e->graph[1]);
    dissection_free(&e->d);
}

struct proportional_graph eliminated_graph(const struct eliminated *e, bool reversed) {
    const struct lengths *const lengths = &e->d.lengths;
    return (struct proportional_graph){
        &e->d.tree,
        &e->d.structure,
        {reversed ? lengths->down : lengths->up, reversed ? lengths->up : lengths->down}};
}

int32_t some_positions(int32_t n, int32_t apart, int32_t *source) {
    int32_t count = 0;
    for (int32_t at = apart / 2; at < n; at += apart)
        source[count++] = at;
    return count;
}

bool totals_are(const struct eliminated *e, bool reversed, const int32_t *source, int32_t count,
                const struct row_totals *out) {
    const struct tree *const tree = &e->d.tree;
    for (int32_t k = 0; k < count; k++) {
        const int32_t *const row = matrix_row(&e->dist[reversed], tree->vertex[source[k]]);
        const struct row_totals expected = totals_of(row, tree->n);
        if (out[k].sum != expected.sum || out[k].reached != expected.reached ||
            out[k].farthest != expected.farthest || out[k].high != 0 || out[k].low != 0)
            return false;
    }
    return true;
}

struct graph long_path(int32_t n, int32_t every) {
    struct random random = {7};
    struct edge *edges = malloc(sizeof *edges * 4 * (size_t)n);
    int64_t count = 0;
    for (int32_t v = 1; v < n; v++) {
        const int32_t ends[] = {v - 1, v > 40 ? v - random_in(&random, 2, 40) : 0};
        for (int k = 0; k < 1 + (v % every == 0); k++) {
            const int32_t weight = random_in(&random, 1, 1000);
            edges[count++] = (struct edge){ends[k], v, weight};
            edges[count++] = (struct edge){v, ends[k], weight};
        }
    }
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}
