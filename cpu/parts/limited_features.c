// SPDX-License-Identifier: MIT
#include "cpu/parts/limited_features.h"

#include "common/base/memory.h"    // memory_alloc
#include "common/solve/dijkstra.h" // dijkstra_order
#include "cpu/parts/min_plus.h"    // INF16

enum status features_limit(const struct graph *g, double limit, int32_t sources,
                           struct features *features, struct error *err) {
    enum { SEARCHES = 4 };
    struct dijkstra queue = {0};
    void *scratch = NULL;
    enum status status = STATUS_OK;
    if (limit == NO_LIMIT || g->type != NUMBER_INT32) /* real engines do not stop there */
        return STATUS_OK;
    TRY(memory_alloc(&scratch, 2 * (size_t)g->n, sizeof(int32_t), "a look at the graph", err));
    TRY(dijkstra_alloc(&queue, g->n, false, err));
    int32_t *const dist = scratch, *const order = dist + g->n;
    const int32_t searches = sources < SEARCHES ? sources : SEARCHES;
    double reached = 0;
    for (int32_t s = 0; s < searches; s++) {
        const int32_t source = (int32_t)((int64_t)s * g->n / searches);
        reached += dijkstra_order(&queue, g, source, limit_no_path(limit), dist, order);
    }
    const double reach = reached / searches / g->n;
    features->reach = reach < features->reach ? reach : features->reach;
    features->narrow = features->narrow || limit < INF16;
cleanup:
    dijkstra_free(&queue);
    memory_free(scratch);
    return status;
}
