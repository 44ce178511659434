// SPDX-License-Identifier: MIT
/* The canonical form of a graph. graph.c includes this once for each type of edges, so it has no
 * guard. EDGE is the type, WEIGHTS the member of struct graph that holds their weights, OF(name)
 * the name with a suffix for the type. */

/* Stable counting sort of edges by one end. `first` (n + 1 entries) is scratch. If progress says to
 * stop, `out` is garbage. */
static void OF(sort_by_end)(const EDGE *in, EDGE *out, int64_t count, int32_t n, int64_t *first,
                            int by_head, const struct progress *progress) {
    memset(first, 0, ((size_t)n + 1) * sizeof *first);
    for (int64_t e = 0; e < count && progress_goes_on(progress); e++)
        first[(by_head ? in[e].to : in[e].from) + 1]++;
    for (int32_t x = 0; x < n; x++)
        first[x + 1] += first[x];
    for (int64_t e = 0; e < count && progress_goes_on(progress); e++)
        out[first[by_head ? in[e].to : in[e].from]++] = in[e];
}

static int64_t OF(append_reverses)(EDGE *edges, int64_t count) {
    int64_t end = count;
    for (int64_t e = 0; e < count; e++) {
        const EDGE edge = edges[e];
        if (edge.from != edge.to)
            edges[end++] = (EDGE){edge.to, edge.from, edge.weight};
    }
    return end;
}

/* Keeps, in place, those sorted edges that belong to the canonical form; returns their number. */
static int64_t OF(resolve)(EDGE *sorted, int64_t count) {
    int64_t m = 0;
    for (int64_t e = 0; e < count; e++) {
        const EDGE edge = sorted[e];
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
static void OF(fill_rows)(struct graph *g, const EDGE *resolved) {
    int32_t u = 0;
    g->first[0] = 0;
    for (int64_t e = 0; e < g->m; e++) {
        while (u < resolved[e].from)
            g->first[++u] = e;
        g->head[e] = resolved[e].to;
        g->WEIGHTS[e] = resolved[e].weight;
    }
    while (u < g->n)
        g->first[++u] = g->m;
}

/* Sorts edges by tail, then by head. It frees its scratch before rows exist, so that memory never
 * holds the edges twice and the rows. */
static enum status OF(sort_edges)(EDGE *edges, int32_t n, int64_t count,
                                  const struct progress *progress, struct error *err) {
    void *by_head = NULL, *first = NULL;
    enum status status;
    TRY(memory_alloc(&by_head, (size_t)count, sizeof *edges, "the edges", err));
    TRY(memory_alloc(&first, (size_t)n + 1, sizeof(int64_t), "the graph", err));
    OF(sort_by_end)(edges, by_head, count, n, first, 1, progress);
    OF(sort_by_end)(by_head, edges, count, n, first, 0, progress);
    if (!progress_goes_on(progress))
        status = progress_cancelled(err);
cleanup:
    memory_free(first);
    memory_free(by_head);
    return status;
}

static void OF(find_extremes)(struct graph *g) {
    if (g->m > 0)
        g->min_weight = g->max_weight = g->WEIGHTS[0];
    for (int64_t e = 1; e < g->m; e++) {
        if (g->WEIGHTS[e] < g->min_weight)
            g->min_weight = g->WEIGHTS[e];
        if (g->WEIGHTS[e] > g->max_weight)
            g->max_weight = g->WEIGHTS[e];
    }
}

/* `read`: the number of edges as the input counts them. */
static enum status OF(build)(struct graph *g, int32_t n, enum number_type type, EDGE *edges,
                             int64_t count, int64_t read, const struct progress *progress,
                             struct error *err) {
    *g = (struct graph){0};
    RETURN_ON_FAILURE(OF(sort_edges)(edges, n, count, progress, err));
    RETURN_ON_FAILURE(graph_alloc(g, n, OF(resolve)(edges, count), type, err));
    OF(fill_rows)(g, edges);

    g->edges_read = read;
    OF(find_extremes)(g);
    return STATUS_OK;
}
