// SPDX-License-Identifier: MIT
/* The canonical form of a graph. graph.c includes this once for each type of edges, so it has no
 * guard. EDGE is the type, WEIGHTS the member of struct graph that holds their weights, OF(name)
 * the name with a suffix for the type. */

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

/* Puts the edges into buckets by their tails, each chunk at the places in b->place. */
static void OF(distribute)(const EDGE *in, EDGE *out, int64_t count, const struct tail_buckets *b,
                           const struct progress *progress) {
#pragma omp parallel for num_threads(b->threads) schedule(static, 1)
    for (int c = 0; c < b->chunks; c++) {
        int64_t *const place = b->place + (size_t)c * (size_t)b->count;
        const int64_t end = chunk_begin(count, b->chunks, c + 1);
        for (int64_t e = chunk_begin(count, b->chunks, c); e < end && progress_goes_on(progress);
             e++)
            out[place[in[e].from >> b->shift]++] = in[e];
    }
}

/* Counts the edges in each bucket, for each chunk. */
static void OF(count_edges)(const EDGE *in, int64_t count, const struct tail_buckets *b) {
#pragma omp parallel for num_threads(b->threads) schedule(static, 1)
    for (int c = 0; c < b->chunks; c++) {
        int64_t *const place = b->place + (size_t)c * (size_t)b->count;
        const int64_t end = chunk_begin(count, b->chunks, c + 1);
        memset(place, 0, (size_t)b->count * sizeof *place);
        for (int64_t e = chunk_begin(count, b->chunks, c); e < end; e++)
            place[in[e].from >> b->shift]++;
    }
}

/* Sorts the edges of a long row by the bytes of their heads, which are less than n. */
static void OF(sort_long_row)(EDGE *row, EDGE *scratch, int64_t length, int32_t n) {
    enum { BITS = 8, DIGITS = 1 << BITS };
    EDGE *from = row, *to = scratch;
    for (int shift = 0; (n - 1) >> shift > 0 && shift < 32; shift += BITS) {
        int64_t place[DIGITS] = {0}, sum = 0;
        for (int64_t e = 0; e < length; e++)
            place[from[e].to >> shift & (DIGITS - 1)]++;
        for (int d = 0; d < DIGITS; d++) {
            const int64_t here = place[d];
            place[d] = sum;
            sum += here;
        }
        for (int64_t e = 0; e < length; e++)
            to[place[from[e].to >> shift & (DIGITS - 1)]++] = from[e];
        EDGE *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != row)
        memcpy(row, from, (size_t)length * sizeof *row);
}

static void OF(sort_row)(EDGE *row, EDGE *scratch, int64_t length, int32_t n) {
    enum { SHORT = 32 };
    int64_t ascending = 1;
    while (ascending < length && row[ascending - 1].to <= row[ascending].to)
        ascending++;
    if (ascending < length && length > SHORT) {
        OF(sort_long_row)(row, scratch, length, n);
        return;
    }
    for (int64_t k = ascending; k < length; k++) {
        const EDGE moved = row[k];
        int64_t at = k;
        for (; at > 0 && row[at - 1].to > moved.to; at--)
            row[at] = row[at - 1];
        row[at] = moved;
    }
}

/* Sorts a bucket's edges by tail, then by head, from `in` to `out`, which it also uses as scratch;
 * returns the number of edges that belong to the canonical form, which come first. end: n numbers
 * of scratch. */
static int64_t OF(sort_bucket)(EDGE *in, EDGE *out, int64_t count, int32_t low, int32_t high,
                               int32_t n, int64_t *end) {
    int64_t sum = 0;
    memset(end + low, 0, (size_t)(high - low) * sizeof *end);
    for (int64_t e = 0; e < count; e++)
        end[in[e].from]++;
    for (int32_t v = low; v < high; v++) {
        const int64_t here = end[v];
        end[v] = sum;
        sum += here;
    }
    for (int64_t e = 0; e < count; e++)
        out[end[in[e].from]++] = in[e];
    for (int32_t v = low; v < high; v++) {
        const int64_t begin = v > low ? end[v - 1] : 0;
        OF(sort_row)(out + begin, in, end[v] - begin, n);
    }
    return OF(resolve)(out, count);
}

/* Sorts edges by tail, then by head, and keeps those of the canonical form, which come first in
 * each bucket. Frees its scratch before rows exist, so that memory never holds two copies of the
 * edges and the rows. */
static enum status OF(sort_edges)(EDGE *edges, int32_t n, int64_t count, struct tail_buckets *b,
                                  const struct progress *progress, struct error *err) {
    void *apart = NULL, *ends = NULL;
    enum status status;
    TRY(memory_alloc(&apart, (size_t)count, sizeof *edges, "the edges", err));
    TRY(memory_alloc(&ends, (size_t)n, sizeof(int64_t), "the graph", err));
    EDGE *const by_bucket = apart;
    int64_t *const end = ends;
    OF(count_edges)(edges, count, b);
    buckets_place(b);
    OF(distribute)(edges, by_bucket, count, b, progress);
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 1)
    for (int32_t k = 0; k < b->count; k++) {
        if (progress_goes_on(progress))
            b->kept[k] = OF(sort_bucket)(by_bucket + b->first[k], edges + b->first[k],
                                         b->first[k + 1] - b->first[k], bucket_low(b, k),
                                         bucket_low(b, k + 1), n, end);
    }
    if (!progress_goes_on(progress))
        status = progress_cancelled(err);
cleanup:
    memory_free(apart);
    memory_free(ends);
    return status;
}

/* Stores the edges of a bucket as rows, from index `at` on. */
static void OF(fill_rows)(struct graph *g, const EDGE *resolved, int64_t count, int64_t at,
                          int32_t low, int32_t high) {
    int32_t v = low;
    for (int64_t e = 0; e < count; e++) {
        while (v <= resolved[e].from)
            g->first[v++] = at + e;
        g->head[at + e] = resolved[e].to;
        g->WEIGHTS[at + e] = resolved[e].weight;
    }
    while (v < high)
        g->first[v++] = at + count;
}

static void OF(find_extremes)(struct graph *g) {
    if (g->m > 0)
        g->min_weight = g->max_weight = g->WEIGHTS[0];
    double least = g->min_weight, most = g->max_weight;
#pragma omp parallel for num_threads(threads_worth(0, (double)g->m)) schedule(static)              \
    reduction(min                                                                                  \
              : least) reduction(max                                                               \
                                 : most)
    for (int64_t e = 1; e < g->m; e++) {
        least = g->WEIGHTS[e] < least ? g->WEIGHTS[e] : least;
        most = g->WEIGHTS[e] > most ? g->WEIGHTS[e] : most;
    }
    g->min_weight = least;
    g->max_weight = most;
}

/* read: the number of edges as the input counts them. */
static enum status OF(build)(struct graph *g, int32_t n, enum number_type type, EDGE *edges,
                             int64_t count, int64_t read, const struct progress *progress,
                             struct error *err) {
    struct tail_buckets b;
    enum status status;
    *g = (struct graph){0};
    TRY(buckets_alloc(&b, n, count, err));
    TRY(OF(sort_edges)(edges, n, count, &b, progress, err));
    prefix_sums(b.kept, b.count, 1);
    const int64_t m = b.kept[b.count];
    TRY(graph_alloc(g, n, m, type, err));
#pragma omp parallel for num_threads(b.threads) schedule(dynamic, 1)
    for (int32_t k = 0; k < b.count; k++)
        OF(fill_rows)
    (g, edges + b.first[k], b.kept[k + 1] - b.kept[k], b.kept[k], bucket_low(&b, k),
     bucket_low(&b, k + 1));
    if (b.count == 0)
        memset(g->first, 0, ((size_t)n + 1) * sizeof *g->first);
    g->first[n] = m;
    g->edges_read = read;
    OF(find_extremes)(g);

cleanup:
    buckets_free(&b);
    return status;
}
