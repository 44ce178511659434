// SPDX-License-Identifier: MIT
#include "common/graph/graph.h"

#include "common/base/crc32.h"  // crc32_add
#include "common/base/memory.h" // memory_alloc

#include <string.h>

const char *graph_numbering(const struct graph *g) {
    return g->first_vertex == 0 ? "" : " (vertices are numbered from 1)";
}

uint64_t graph_memory(int64_t n, int64_t m) {
    const uint64_t edge = sizeof(int32_t) + sizeof(int32_t);
    return memory_add(((uint64_t)n + 1) * sizeof(int64_t), memory_times((uint64_t)m, edge));
}

uint64_t graph_memory_to_build(int64_t n, int64_t edges) {
    return memory_add(((uint64_t)n + 1) * sizeof(int64_t),
                      memory_times((uint64_t)edges, 2 * sizeof(struct edge)));
}

/* Stable counting sort of edges by one end. `first` (n + 1 entries) is scratch. If progress says to
 * stop, `out` is garbage. */
static void sort_by_end(const struct edge *in, struct edge *out, int64_t count, int32_t n,
                        int64_t *first, int by_head, const struct progress *progress) {
    memset(first, 0, ((size_t)n + 1) * sizeof *first);
    for (int64_t e = 0; e < count && progress_goes_on(progress); e++)
        first[(by_head ? in[e].to : in[e].from) + 1]++;
    for (int32_t x = 0; x < n; x++)
        first[x + 1] += first[x];
    for (int64_t e = 0; e < count && progress_goes_on(progress); e++)
        out[first[by_head ? in[e].to : in[e].from]++] = in[e];
}

static enum status alloc_rows(struct graph *g, int32_t n, int64_t m, struct error *err) {
    void *first = NULL, *head = NULL, *weight = NULL;
    enum status status;
    TRY(memory_alloc(&first, (size_t)n + 1, sizeof *g->first, "the graph", err));
    TRY(memory_alloc(&head, (size_t)m, sizeof *g->head, "the graph", err));
    TRY(memory_alloc(&weight, (size_t)m, sizeof *g->weight, "the graph", err));
cleanup:
    *g = (struct graph){.n = n, .m = m, .first = first, .head = head, .weight = weight};
    if (status != STATUS_OK)
        graph_free(g);
    return status;
}

/* Keeps, in place, those sorted edges that belong to the canonical form; returns their number. */
static int64_t resolve(struct edge *sorted, int64_t count) {
    int64_t m = 0;
    for (int64_t e = 0; e < count; e++) {
        const struct edge edge = sorted[e];
        if (edge.from == edge.to && edge.weight >= 0)
            continue;
        if (m > 0 && sorted[m - 1].from == edge.from && sorted[m - 1].to == edge.to) {
            if (edge.weight < sorted[m - 1].weight)
                sorted[m - 1].weight = edge.weight;
            continue;
        }
        sorted[m++] = edge;
    }
    return m;
}

/* Stores resolved edges as rows. */
static void fill_rows(struct graph *g, const struct edge *resolved) {
    int32_t u = 0;
    g->first[0] = 0;
    for (int64_t e = 0; e < g->m; e++) {
        while (u < resolved[e].from)
            g->first[++u] = e;
        g->head[e] = resolved[e].to;
        g->weight[e] = resolved[e].weight;
    }
    while (u < g->n)
        g->first[++u] = g->m;
}

int64_t graph_append_reverses(struct edge *edges, int64_t count) {
    int64_t end = count;
    for (int64_t e = 0; e < count; e++) {
        const struct edge edge = edges[e];
        if (edge.from != edge.to)
            edges[end++] = (struct edge){edge.to, edge.from, edge.weight};
    }
    return end;
}

enum status graph_build(struct graph *g, int32_t n, struct edge *edges, int64_t count,
                        struct error *err) {
    return graph_build_stoppable(g, n, edges, count, NULL, err);
}

/* Sorts edges by tail, then by head. It frees its scratch before rows exist, so that memory never
 * holds the edges twice and the rows. */
static enum status sort_edges(struct edge *edges, int32_t n, int64_t count,
                              const struct progress *progress, struct error *err) {
    void *by_head = NULL, *first = NULL;
    enum status status;
    TRY(memory_alloc(&by_head, (size_t)count, sizeof *edges, "the edges", err));
    TRY(memory_alloc(&first, (size_t)n + 1, sizeof(int64_t), "the graph", err));
    sort_by_end(edges, by_head, count, n, first, 1, progress);
    sort_by_end(by_head, edges, count, n, first, 0, progress);
    if (!progress_goes_on(progress))
        status = progress_cancelled(err);
cleanup:
    memory_free(first);
    memory_free(by_head);
    return status;
}

enum status graph_build_stoppable(struct graph *g, int32_t n, struct edge *edges, int64_t count,
                                  const struct progress *progress, struct error *err) {
    *g = (struct graph){0};
    RETURN_ON_FAILURE(sort_edges(edges, n, count, progress, err));
    RETURN_ON_FAILURE(alloc_rows(g, n, resolve(edges, count), err));
    fill_rows(g, edges);

    g->edges_read = count;
    if (g->m > 0)
        g->min_weight = g->max_weight = g->weight[0];
    for (int64_t e = 1; e < g->m; e++) {
        if (g->weight[e] < g->min_weight)
            g->min_weight = g->weight[e];
        if (g->weight[e] > g->max_weight)
            g->max_weight = g->weight[e];
    }
    return STATUS_OK;
}

enum status graph_copy(const struct graph *g, struct graph *copy, struct error *err) {
    RETURN_ON_FAILURE(alloc_rows(copy, g->n, g->m, err));
    copy->edges_read = g->edges_read;
    copy->first_vertex = g->first_vertex;
    copy->min_weight = g->min_weight;
    copy->max_weight = g->max_weight;
    memcpy(copy->first, g->first, ((size_t)g->n + 1) * sizeof *g->first);
    memcpy(copy->head, g->head, (size_t)g->m * sizeof *g->head);
    memcpy(copy->weight, g->weight, (size_t)g->m * sizeof *g->weight);
    return STATUS_OK;
}

enum status graph_reverse(const struct graph *g, struct graph *reversed, struct error *err) {
    RETURN_ON_FAILURE(alloc_rows(reversed, g->n, g->m, err));
    reversed->edges_read = g->edges_read;
    reversed->min_weight = g->min_weight;
    reversed->max_weight = g->max_weight;
    reversed->first_vertex = g->first_vertex;

    int64_t *first = reversed->first;
    memset(first, 0, ((size_t)g->n + 1) * sizeof *first);
    for (int64_t e = 0; e < g->m; e++)
        first[g->head[e] + 1]++;
    for (int32_t v = 0; v < g->n; v++)
        first[v + 1] += first[v];
    /* Filling moves each row's start to its end; shifting by one row after
     * that restores the starts. */
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int64_t at = first[g->head[e]]++;
            reversed->head[at] = u;
            reversed->weight[at] = g->weight[e];
        }
    }
    memmove(first + 1, first, (size_t)g->n * sizeof *first);
    first[0] = 0;
    return STATUS_OK;
}

int64_t graph_find_edge(const struct graph *g, int32_t u, int32_t v) {
    int64_t low = g->first[u], high = g->first[u + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (g->head[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->first[u + 1] && g->head[low] == v ? low : -1;
}

void graph_free(struct graph *g) {
    memory_free(g->first);
    memory_free(g->head);
    memory_free(g->weight);
    *g = (struct graph){0};
}

uint32_t graph_checksum(const struct graph *g) {
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                   "the checksum and .npy files are defined over little-endian integers");
    uint32_t crc = crc32_add(0, &g->n, sizeof g->n);
    crc = crc32_add(crc, g->first, ((size_t)g->n + 1) * sizeof *g->first);
    crc = crc32_add(crc, g->head, (size_t)g->m * sizeof *g->head);
    crc = crc32_add(crc, g->weight, (size_t)g->m * sizeof *g->weight);
    return (uint32_t)crc;
}

void graph_to_rows(const struct graph *g, int32_t i, int32_t *dist_row, int32_t *pred_row) {
    for (int32_t j = 0; j < g->n; j++)
        dist_row[j] = INF;
    if (pred_row != NULL)
        memset(pred_row, 0xff, (size_t)g->n * sizeof *pred_row); /* -1 */
    for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
        if (g->head[e] == i || g->weight[e] >= INF)
            continue;
        dist_row[g->head[e]] = g->weight[e];
        if (pred_row != NULL)
            pred_row[g->head[e]] = i;
    }
    dist_row[i] = 0;
}

void graph_to_matrices(const struct graph *g, struct matrix *dist, struct matrix *pred) {
    for (int32_t i = 0; i < g->n; i++)
        graph_to_rows(g, i, matrix_row(dist, i), pred != NULL ? matrix_row(pred, i) : NULL);
}
