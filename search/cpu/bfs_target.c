// SPDX-License-Identifier: MIT
#include "search/cpu/bfs_target.h"

#include "certificate/lone_row.h" // lone_row_prove
#include "common/base/memory.h"   // memory_alloc
#include "ranks/largest.h"        // ranks_largest
#include "search/cpu/bfs_rows.h"  // bfs_rows_find
#include "solve/delivery.h"       // struct delivery
#include "solve/dijkstra.h"       // dijkstra_run

static enum status search(const struct graph *g, int32_t weight, struct row_block *block,
                          struct error *err) {
    struct bfs_rows levels = {0};
    struct dijkstra queue = {0};
    enum status status;
    if (weight > 0) {
        TRY(bfs_rows_alloc(&levels, g->n, err));
        bfs_rows_find(&levels, g, weight, INF, block);
    } else {
        TRY(dijkstra_alloc(&queue, g->n, false, err));
        dijkstra_run(&queue, g, block->source[0], INF, block->dist[0], NULL);
    }
cleanup:
    bfs_rows_free(&levels);
    dijkstra_free(&queue);
    return status;
}

enum status bfs_target_find(const struct graph *g, int32_t weight, const struct graph *proves,
                            struct answer_totals *totals, bool *found, struct error *err) {
    const size_t cells = ((size_t)g->n + 15) / 16 * 16;
    struct row_block block = {.n = g->n, .count = 1, .source = {totals->from}};
    void *row = NULL;
    enum status status = STATUS_OK;
    TRY(memory_alloc(&row, cells, sizeof(int32_t), "a row", err));
    block.dist[0] = row;
    TRY(search(g, weight, &block, err));
    totals->to = 0;
    while (totals->to < g->n && block.dist[0][totals->to] != totals->largest)
        totals->to++;
    *found = totals->to < g->n;
    if (*found && proves != NULL)
        TRY(lone_row_prove(proves, totals->from, block.dist[0], found, err));
cleanup:
    memory_free(row);
    return status;
}

enum status bfs_target_agree(const struct delivery *delivery, const struct graph *g, int32_t weight,
                             struct answer_totals *totals, bool *right, struct error *err) {
    const struct ranks *const ranks = ranks_or_alone(delivery->ranks);
    const int32_t own = (int32_t)totals->largest;
    path_length largest = own;
    RETURN_ON_FAILURE(ranks_largest(ranks, &largest, err));
    if (totals->from < 0 || own < largest)
        totals->from = g->n;
    RETURN_ON_FAILURE(ranks_first_source(ranks, g->n, &totals->from, err));
    totals->largest = largest;
    *right = true;
    if (totals->from >= 0)
        RETURN_ON_FAILURE(bfs_target_find(g, weight, delivery->sink->proves, totals, right, err));
    return ranks_all(ranks, right, err);
}
