// SPDX-License-Identifier: MIT
#include "common/graph/edge_columns.h"

#include "common/base/memory.h" // memory_alloc

#include <float.h>
#include <math.h>
#include <string.h>

/* Returns whether the values of an edge of the list precede those that edge e has. */
static bool is_before(const struct edge_columns *columns, const double *values, int64_t e) {
    for (int c = 0; c < columns->count; c++) {
        if (values[c] != edge_columns_at(columns, c, e))
            return values[c] < edge_columns_at(columns, c, e);
    }
    return false;
}

enum status edge_columns_match(struct edge_columns *columns, const struct edge_list *list,
                               const void *ends, const struct graph *g, struct error *err) {
    const struct edge *const edges = ends;
    const struct real_edge *const real_edges = ends;
    const size_t count = (size_t)columns->count * (size_t)g->m;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, count, sizeof *columns->value, "columns", err));
    columns->value = memory;
    columns->m = g->m;
    for (size_t k = 0; k < count; k++)
        columns->value[k] = INFINITY;
    for (int64_t k = 0; k < list->count; k++) {
        const int32_t from = list->is_real ? real_edges[k].from : edges[k].from;
        const int32_t to = list->is_real ? real_edges[k].to : edges[k].to;
        const double weight =
            list->is_real ? number_rounded(g->type, real_edges[k].weight) : (double)edges[k].weight;
        const double *const values = list->extra + k * columns->count;
        const int64_t e = graph_find_edge(g, from, to);
        if (e < 0 || weight != graph_weight(g, e) || !is_before(columns, values, e))
            continue;
        for (int c = 0; c < columns->count; c++)
            columns->value[c * g->m + e] = values[c];
    }
    return edge_columns_check(columns, g->n, err);
}

enum status edge_columns_check(const struct edge_columns *columns, int32_t n, struct error *err) {
    const double most = DBL_MAX / 2 / (n > 0 ? n : 1);
    for (int64_t k = 0; k < columns->count * columns->m; k++) {
        double *const value = &columns->value[k];
        if (!(fabs(*value) <= most))
            return fail(err, STATUS_BAD_INPUT,
                        "column '%s': expected finite numbers of which %d add up to a "
                        "double, found %g",
                        columns->name[k / columns->m], n, *value);
        *value += 0.0; /* -0.0 becomes 0 */
    }
    return STATUS_OK;
}

void edge_columns_free(struct edge_columns *columns) {
    memory_free(columns->value);
    *columns = (struct edge_columns){0};
}
