// SPDX-License-Identifier: MIT
#include "tests/unit/real_graphs.h"

#include <math.h>
#include <stdlib.h>

double random_unit(struct random *random) {
    return (double)(random_word(random) >> 11) * 0x1p-53;
}

double random_weight(struct random *random, enum real_kind kind) {
    const double u = random_unit(random);
    switch (kind) {
    case UNIFORM:
        return u;
    case LOG_UNIFORM:
        return pow(10, 20 * u - 10);
    case DYADIC:
        return floor(u * 64) / 8;
    case EQUAL:
        return 0.1;
    case TINY_BESIDE_HUGE:
        return random_in(random, 0, 1) == 0 ? 1e-12 * u : 1e9 * u;
    default:
        return random_in(random, 0, 2) == 0 ? 0 : u;
    }
}

struct graph random_real_graph(struct random *random, int32_t n, int percent, enum number_type type,
                               enum real_kind kind) {
    struct real_edge *const edges = malloc((size_t)n * (size_t)n * sizeof *edges);
    struct graph g;
    struct error err;
    int64_t count = 0;
    for (int32_t u = 0; u < n; u++) {
        for (int32_t v = 0; v < n; v++) {
            if (u != v && random_in(random, 0, 99) < percent)
                edges[count++] = (struct real_edge){u, v, random_weight(random, kind)};
        }
    }
    if (graph_build_real(&g, n, type, edges, count, NULL, &err) != STATUS_OK)
        abort();
    free(edges);
    return g;
}

struct graph graph_of_real(int32_t n, enum number_type type, struct real_edge *edges,
                           int64_t count) {
    struct graph g;
    struct error err;
    if (graph_build_real(&g, n, type, edges, count, NULL, &err) != STATUS_OK)
        abort();
    return g;
}

double rounded(enum number_type type, double sum) {
    volatile const float narrow = (float)sum;
    return type == NUMBER_FLOAT32 ? (double)narrow : sum;
}

void search_real(const struct graph *g, int32_t source, double *dist, int32_t *pred) {
    bool done[REAL_MAX_N] = {false};
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = INFINITY;
    for (int32_t v = 0; v < g->n && pred != NULL; v++)
        pred[v] = -1;
    dist[source] = 0;
    for (;;) {
        int32_t u = -1;
        for (int32_t v = 0; v < g->n; v++) {
            if (!done[v] && !isinf(dist[v]) && (u < 0 || dist[v] < dist[u]))
                u = v;
        }
        if (u < 0)
            return;
        done[u] = true;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const double through = rounded(g->type, dist[u] + g->real_weight[e]);
            if (!(through < dist[g->head[e]]))
                continue;
            dist[g->head[e]] = through;
            if (pred != NULL)
                pred[g->head[e]] = u;
        }
    }
}

double real_cell(const struct matrix *m, int32_t i, int32_t j) {
    const size_t at = (size_t)i * m->ld + (size_t)j;
    return m->type == NUMBER_FLOAT32 ? (double)m->cell_f32[at] : m->cell_f64[at];
}

void set_real_cell(struct matrix *m, int32_t i, int32_t j, double value) {
    const size_t at = (size_t)i * m->ld + (size_t)j;
    if (m->type == NUMBER_FLOAT32)
        m->cell_f32[at] = (float)value;
    else
        m->cell_f64[at] = value;
}

void solve_real(const struct graph *g, struct matrix *dist, struct matrix *pred) {
    struct error err;
    double row[REAL_MAX_N];
    if (matrix_alloc_typed(dist, g->type, g->n, g->n, "D", &err) != STATUS_OK)
        abort();
    *pred = new_matrix(g->n);
    for (int32_t i = 0; i < g->n; i++) {
        search_real(g, i, row, matrix_row(pred, i));
        for (int32_t j = 0; j < g->n; j++)
            set_real_cell(dist, i, j, row[j]);
    }
}
