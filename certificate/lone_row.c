// SPDX-License-Identifier: MIT
#include "certificate/lone_row.h"

#include "common/base/memory.h" // memory_alloc
#include "common/graph/graph.h" // struct graph, INF

#include <string.h>

/* Returns whether rows of the graph can be proved: a vertex at the end of a tight edge is then at
 * the end of a path of such edges from the source, for weights above 0 leave no cycle of them. */
static bool can_prove(const struct graph *g) {
    return g->type == NUMBER_INT32 && g->semiring == SEMIRING_MIN_PLUS && g->zones == 0 &&
           (g->m == 0 || g->min_weight > 0);
}

/* Returns whether the source is at distance 0 and no distance is above INF. Others are above 0 if
 * the path of tight edges is there. */
static bool are_in_range(const int32_t *dist, int32_t n, int32_t source) {
    bool are = dist[source] == 0;
    for (int32_t v = 0; v < n; v++)
        are = are && dist[v] <= INF;
    return are;
}

/* Returns whether no edge leads to a vertex by a path that is shorter than its distance, and marks
 * the vertices to which one leads by a path as long as that. */
static bool are_least(const struct graph *g, const int32_t *dist, bool *is_reached) {
    bool are = true;
    for (int32_t u = 0; u < g->n; u++) {
        if (dist[u] == INF)
            continue;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t sum = (int64_t)dist[u] + g->weight[e];
            const int32_t v = g->head[e];
            are = are && sum >= dist[v];
            if (sum == dist[v])
                is_reached[v] = true;
        }
    }
    return are;
}

enum status lone_row_prove(const struct graph *g, int32_t source, const int32_t *dist, bool *proved,
                           struct error *err) {
    void *memory;
    *proved = can_prove(g) && are_in_range(dist, g->n, source);
    if (!*proved)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)g->n, sizeof(bool), "the proof of a row", err));
    bool *const is_reached = memset(memory, 0, (size_t)g->n * sizeof(bool));
    *proved = are_least(g, dist, is_reached);
    for (int32_t v = 0; v < g->n; v++)
        *proved = *proved && (is_reached[v] || v == source || dist[v] == INF);
    memory_free(memory);
    return STATUS_OK;
}
