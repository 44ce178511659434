// SPDX-License-Identifier: MIT
#include "search/cpu/source_order.h"

#include "common/base/memory.h" // memory_alloc

bool source_order_groups(int32_t n, int64_t m) {
    /* Most edges for each vertex with which sources are grouped; graphs with more have no long
     * paths. */
    enum { LONGEST_ROWS_TO_GROUP = 32 };
    return m / n <= LONGEST_ROWS_TO_GROUP;
}

enum status source_order_arrange(const struct ordered_graph *ordered,
                                 const struct row_sources *wanted, int lanes, int32_t *number,
                                 int32_t *position, struct error *err) {
    const int32_t n = ordered->n;
    int32_t *order, *position_of, arranged = 0;
    void *scratch = NULL;
    enum status status;
    TRY(memory_alloc(&scratch, 2 * (size_t)n, sizeof *order, "the order of sources", err));
    order = scratch;
    position_of = order + n;
    for (int32_t v = 0; v < n; v++) {
        order[v] = v;
        position_of[v] = -1;
    }
    if (source_order_groups(n, ordered->m))
        TRY(ordered_graph_group(ordered, lanes, order, err));
    for (int32_t p = 0; p < wanted->count; p++)
        position_of[ordered->number[row_source(wanted, p)]] = p;
    for (int32_t k = 0; k < n; k++) {
        if (position_of[order[k]] < 0)
            continue;
        number[arranged] = order[k];
        position[arranged++] = position_of[order[k]];
    }
cleanup:
    memory_free(scratch);
    return status;
}

uint64_t source_order_memory(int32_t n) {
    /* two arrays for the order, and two for the groups */
    return 4 * (uint64_t)n * sizeof(int32_t);
}
