// SPDX-License-Identifier: MIT
#include "engines/limited_features.h"

#include "common/base/memory.h" // memory_alloc
#include "cpu/parts/min_plus.h" // INF16
#include "solve/dijkstra.h"     // dijkstra_order, dijkstra_run_f64

/* How many vertices are within the limit. scratch: 8 bytes for each. */
static int32_t within(const struct dijkstra *queue, const struct graph *g, int32_t source,
                      double limit, void *scratch) {
    int32_t *const integers = scratch, count = 0;
    const double *const reals = scratch;
    if (g->type == NUMBER_INT32)
        return dijkstra_order(queue, g, source, limit_no_path(limit), integers, integers + g->n);
    dijkstra_run_f64(queue, g, source, limit_beyond(NUMBER_FLOAT64, limit), scratch, NULL);
    for (int32_t v = 0; v < g->n; v++)
        count += reals[v] <= limit;
    return count;
}

enum status features_limit(const struct graph *g, double limit, int32_t sources,
                           struct features *features, struct error *err) {
    enum { SEARCHES = 4 };
    struct dijkstra queue = {0};
    void *scratch = NULL;
    enum status status = STATUS_OK;
    if (limit == NO_LIMIT)
        return STATUS_OK;
    TRY(memory_alloc(&scratch, (size_t)g->n, 2 * sizeof(int32_t), "a look at the graph", err));
    TRY(dijkstra_alloc(&queue, g->n, g->type != NUMBER_INT32, err));
    const int32_t searches = sources < SEARCHES ? sources : SEARCHES;
    double reached = 0;
    for (int32_t s = 0; s < searches; s++) {
        const int32_t source = (int32_t)((int64_t)s * g->n / searches);
        reached += within(&queue, g, source, limit, scratch);
    }
    const double reach = reached / searches / g->n;
    features->reach = reach < features->reach ? reach : features->reach;
    if (g->type == NUMBER_INT32 && limit < INF16)
        features->narrow = features->bounded = true;
cleanup:
    dijkstra_free(&queue);
    memory_free(scratch);
    return status;
}
