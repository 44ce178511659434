// SPDX-License-Identifier: MIT
#include "solve/wide_distances.h"

#include "common/base/chunks.h"   // threads_paid
#include "common/base/memory.h"   // memory_alloc
#include "common/base/threads.h"  // threads_or_default
#include "common/graph/limit.h"   // NO_LIMIT
#include "solve/dijkstra.h"       // dijkstra_run
#include "solve/distance_bound.h" // distance_bound_is_below
#include "solve/fewest_edges.h"   // fewest_edges_are_below

#include <math.h>
#include <stddef.h>

/* Returns whether distances may be long, and finding out is cheap or likely to confirm it. If the
 * longest path has few of the vertices, distances are a small part of n times the mean weight. */
static bool is_worth_a_look(const struct graph *g, int threads) {
    enum { FEW_EDGES = 1 << 16, PART = 8 };
    if ((int64_t)g->max_weight * (g->n - 1) < INF)
        return false;
    if (g->m <= FEW_EDGES)
        return true;
    int64_t sum = 0;
    threads = threads_paid(threads_or_default(threads), g->m, block_sizes.thread_entries);
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
    for (int64_t e = 0; e < g->m; e++)
        sum += g->weight[e];
    return (double)sum / (double)g->m * g->n >= PART * (double)INF;
}

/* Returns whether a distance was cut off at INF: an edge leads from a vertex that was reached to
 * one that was not. */
static bool is_cut(const struct graph *g, const int32_t *dist) {
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1] && dist[u] < INF; e++) {
            if (dist[g->head[e]] == INF)
                return true;
        }
    }
    return false;
}

static int32_t farthest_of(const int32_t *dist, int32_t n) {
    int32_t farthest = 0, most = -1;
    for (int32_t v = 0; v < n; v++) {
        if (dist[v] < INF && dist[v] > most) {
            farthest = v;
            most = dist[v];
        }
    }
    return farthest;
}

enum status wide_distances_find(const struct graph *g, const struct row_sources *sources,
                                int threads, bool *wide, struct error *err) {
    enum { SEARCHES = 2 };
    const int searches = sources->source == NULL ? SEARCHES : 1;
    struct dijkstra queue = {0};
    int32_t from = row_source(sources, 0);
    void *memory = NULL;
    bool below;
    enum status status = STATUS_OK;
    *wide = false;
    if (g->min_weight < 0 || !is_worth_a_look(g, threads))
        return STATUS_OK;
    RETURN_ON_FAILURE(fewest_edges_are_below(g, from, INF, threads, &below, err));
    if (below)
        return STATUS_OK;
    TRY(memory_alloc(&memory, (size_t)g->n, sizeof(int32_t), "a look at the distances", err));
    int32_t *const dist = memory;
    TRY(dijkstra_alloc(&queue, g->n, false, err));
    for (int k = 0; k < searches && !*wide; k++) {
        dijkstra_run(&queue, g, from, INF, dist, NULL);
        *wide = is_cut(g, dist);
        from = farthest_of(dist, g->n);
    }
cleanup:
    dijkstra_free(&queue);
    memory_free(memory);
    return status;
}

bool wide_distances_may_help(const struct graph *g) {
    return g->type == NUMBER_INT32 && (g->min_weight < 0 || !distance_bound_is_below(g, INF));
}

bool wide_distances_may_round(const struct graph *g, double limit) {
    const double heaviest = fmax(fabs(g->min_weight), fabs(g->max_weight));
    return g->integral && g->spacing == 0 && !(limit < INTEGERS_MOST) &&
           heaviest * (g->n - 1.0) >= INTEGERS_MOST;
}

enum status wide_distances_check(const struct graph *g, int32_t source, bool backward,
                                 const double *dist, int32_t n, struct error *err) {
    for (int32_t v = 0; v < n; v++) {
        if (fabs(dist[v]) < INTEGERS_MOST || isinf(dist[v]))
            continue;
        return fail(err, STATUS_BAD_INPUT,
                    "the distance from %s to %s is beyond 2^53, up to which integers are exact; "
                    "--type float64 rounds sums%s",
                    graph_name(g, backward ? v : source).text,
                    graph_name(g, backward ? source : v).text, graph_numbering(g));
    }
    return STATUS_OK;
}

static enum status check_rows(struct row_sink *self, const struct row_block *block,
                              struct error *err) {
    const struct integer_sink *const s =
        (const struct integer_sink *)((const char *)self - offsetof(struct integer_sink, check));
    for (int32_t r = 0; r < block->count; r++)
        RETURN_ON_FAILURE(wide_distances_check(s->graph, block->source[r], false,
                                               block->dist_f64[r], block->n, err));
    return STATUS_OK;
}

void integer_sink_begin(struct integer_sink *sink, const struct graph *g, struct row_sink *to) {
    sink->check = (struct row_sink){.take = check_rows};
    sink->graph = g;
    row_tee_begin(&sink->tee, &sink->check, to);
}
