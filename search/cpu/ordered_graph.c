// SPDX-License-Identifier: MIT
#include "search/cpu/ordered_graph.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "solve/prefix_sums.h"       // prefix_sums_of_counts

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Number of rows that a thread takes at a time. */
enum { ROWS_AT_A_TIME = 16 };

/* Sorts a short row by weight; stable. */
static void sort_short_row(struct ordered_edge *row, int64_t count) {
    for (int64_t e = 1; e < count; e++) {
        const struct ordered_edge edge = row[e];
        int64_t to = e;
        for (; to > 0 && row[to - 1].weight > edge.weight; to--)
            row[to] = row[to - 1];
        row[to] = edge;
    }
}

/* Sorts a row of any length by weight, by 8 bits of the weights at a time; weights are 0 ..
 * max_weight. spare: room for as many edges. */
static void sort_row(struct ordered_edge *row, int64_t count, int32_t max_weight,
                     struct ordered_edge *spare) {
    enum { SHORT = 32, BITS = 8, DIGITS = 1 << BITS };
    struct ordered_edge *from = row, *to = spare;
    if (count <= SHORT) {
        sort_short_row(row, count);
        return;
    }
    for (int shift = 0; shift < 31 && max_weight >> shift > 0; shift += BITS) {
        int64_t first[DIGITS + 1] = {0};
        for (int64_t e = 0; e < count; e++)
            first[(from[e].weight >> shift) % DIGITS + 1]++;
        for (int digit = 0; digit < DIGITS; digit++)
            first[digit + 1] += first[digit];
        for (int64_t e = 0; e < count; e++)
            to[first[(from[e].weight >> shift) % DIGITS]++] = from[e];
        struct ordered_edge *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != row)
        memcpy(row, from, (size_t)count * sizeof *row);
}

/* State of building an ordered graph. */
struct graph_ordering {
    const struct graph *g;
    struct ordered_graph *ordered;
    int threads;
    int chunks;                 /* number of chunks of tails, each with about as many edges */
    struct ordered_edge *rows;  /* out-edges of each vertex, sorted by weight, m entries; later
                                   scratch */
    struct ordered_edge *spare; /* scratch for sorting, m entries */
    int64_t *at;                /* index at which the next edge from a chunk to a vertex is stored,
                                   chunks x n */
    int32_t *path;              /* path of the depth-first search, n entries */
    int64_t *next;              /* next edge to try from each vertex on the path, n entries; -1:
                                   vertex not visited */
    const struct progress *progress;
};

/* Returns the first tail of a chunk; n for chunk `chunks`. */
static int32_t chunk_start(const struct graph_ordering *l, int chunk) {
    const int64_t edge = l->g->m / l->chunks * chunk;
    int32_t low = 0,
            high = l->g->n; /* search for the first vertex whose row starts at `edge` or later */
    if (chunk == l->chunks)
        return l->g->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (l->g->first[middle] < edge)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sort_rows(const struct graph_ordering *l) {
    const struct graph *g = l->g;
#pragma omp parallel for num_threads(l->threads) schedule(dynamic, ROWS_AT_A_TIME)
    for (int32_t u = 0; u < g->n; u++) {
        if (!progress_goes_on(l->progress))
            continue;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            l->rows[e] = (struct ordered_edge){g->head[e], g->weight[e]};
        sort_row(l->rows + g->first[u], g->first[u + 1] - g->first[u], (int32_t)g->max_weight,
                 l->spare + g->first[u]);
    }
}

static void fill_out(const struct graph_ordering *l) {
    struct ordered_graph *ordered = l->ordered;
    ordered->out_first[0] = 0;
    for (int32_t k = 0; k < ordered->n; k++) {
        const int64_t *row = l->g->first + ordered->vertex[k];
        ordered->out_first[k + 1] = ordered->out_first[k] + row[1] - row[0];
    }
#pragma omp parallel for num_threads(l->threads) schedule(dynamic, ROWS_AT_A_TIME)
    for (int32_t k = 0; k < ordered->n; k++) {
        if (!progress_goes_on(l->progress))
            continue;
        const struct ordered_edge *row = l->rows + l->g->first[ordered->vertex[k]];
        for (int64_t e = ordered->out_first[k]; e < ordered->out_first[k + 1]; e++, row++)
            ordered->out[e] = (struct ordered_edge){ordered->number[row->end], row->weight};
    }
}

/* Fills in the edges by head. Uses l->rows as scratch. */
static void fill_in(const struct graph_ordering *l) {
    const struct graph *g = l->g;
    struct ordered_graph *ordered = l->ordered;
#pragma omp parallel num_threads(l->threads)
    {
#pragma omp for
        for (int chunk = 0; chunk < l->chunks; chunk++) {
            int64_t *count = l->at + (int64_t)chunk * g->n;
            memset(count, 0, (size_t)g->n * sizeof *count);
            const int64_t end = g->first[chunk_start(l, chunk + 1)];
            for (int64_t e = g->first[chunk_start(l, chunk)];
                 e < end && progress_goes_on(l->progress); e++)
                count[g->head[e]]++;
        }
#pragma omp single
        prefix_sums_of_counts(l->at, l->chunks, ordered->vertex, ordered->n, ordered->in_first);
#pragma omp for
        for (int chunk = 0; chunk < l->chunks; chunk++) {
            int64_t *at = l->at + (int64_t)chunk * g->n;
            const int32_t end = chunk_start(l, chunk + 1);
            for (int32_t u = chunk_start(l, chunk); u < end && progress_goes_on(l->progress); u++)
                for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
                    ordered->in[at[g->head[e]]++] =
                        (struct ordered_edge){ordered->number[u], g->weight[e]};
        }
#pragma omp for schedule(dynamic, ROWS_AT_A_TIME)
        for (int32_t k = 0; k < g->n; k++) {
            if (!progress_goes_on(l->progress))
                continue;
            const int64_t first = ordered->in_first[k], end = ordered->in_first[k + 1];
            sort_row(ordered->in + first, end - first, (int32_t)g->max_weight, l->rows + first);
            for (int64_t e = first; e < end; e++)
                ordered->in_tail[e] = ordered->vertex[ordered->in[e].end];
        }
    }
}

/* Numbers the vertices by a depth-first search in l->rows. When every vertex has been visited, only
 * the vertices on the path have no number yet. */
static void number_vertices(const struct graph_ordering *l) {
    struct ordered_graph *ordered = l->ordered;
    const int64_t *first = l->g->first;
    const int32_t n = ordered->n;
    int32_t left = n; /* number of vertices without a number; numbers are given from the highest
                         down */
    int32_t met = 0;
    for (int32_t v = 0; v < n; v++)
        l->next[v] = -1; /* not visited */
    for (int32_t start = 0; start < n; start++) {
        if (l->next[start] >= 0)
            continue;
        int32_t depth = 0;
        l->next[start] = first[start];
        l->path[depth++] = start;
        met++;
        while (depth > 0) {
            const int32_t v = l->path[depth - 1];
            if (!progress_goes_on(l->progress))
                return;
            if (met == n || l->next[v] == first[v + 1]) {
                ordered->vertex[--left] = v;
                depth--;
                continue;
            }
            const int32_t to = l->rows[l->next[v]++].end;
            if (l->next[to] < 0) {
                l->next[to] = first[to];
                l->path[depth++] = to;
                met++;
            }
        }
    }
    for (int32_t k = 0; k < n; k++)
        ordered->number[ordered->vertex[k]] = k;
}

/* Lays out the graph step by step. A step that is told to stop leaves its work unfinished, so the
 * next one must not begin. */
static enum status lay_out(const struct graph_ordering *l, struct error *err) {
    void (*const steps[])(const struct graph_ordering *l) = {sort_rows, number_vertices, fill_out,
                                                             fill_in};
    const size_t wanted = l->ordered->in != NULL ? sizeof steps / sizeof *steps : 2;
    for (size_t s = 0; s < wanted; s++) {
        steps[s](l);
        if (!progress_goes_on(l->progress))
            return progress_cancelled(err);
    }
    return STATUS_OK;
}

/* Allocates an ordered graph with the two lists of vertices, which are not set. The caller frees it
 * with ordered_graph_free. what: as in memory_alloc. */
static enum status alloc_numbers(const struct graph *g, const char *what,
                                 struct ordered_graph *ordered, struct error *err) {
    void *vertices = NULL;
    *ordered = (struct ordered_graph){.n = g->n, .m = g->m};
    RETURN_ON_FAILURE(
        memory_alloc(&vertices, 2 * (size_t)g->n, sizeof *ordered->vertex, what, err));
    ordered->vertex = vertices;
    ordered->number = ordered->vertex + g->n;
    return STATUS_OK;
}

static enum status ordered_graph_alloc(const struct graph *g, struct ordered_graph *ordered,
                                       struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    const char *const what = "the ordered graph";
    enum status status = STATUS_OK;
    void *starts = NULL, *edges = NULL, *tails = NULL;
    TRY(alloc_numbers(g, what, ordered, err));
    TRY(memory_alloc(&starts, 2 * (n + 1), sizeof *ordered->in_first, what, err));
    TRY(memory_alloc(&edges, 2 * m, sizeof *ordered->in, what, err));
    TRY(memory_alloc(&tails, m, sizeof *ordered->in_tail, what, err));
cleanup:
    ordered->in_first = starts;
    ordered->in = edges;
    ordered->in_tail = tails;
    if (status != STATUS_OK)
        return status;
    ordered->out_first = ordered->in_first + n + 1;
    ordered->out = ordered->in + m;
    return STATUS_OK;
}

/* Returns the number of chunks: so few that their counts take no more memory than the edges and a
 * row of vertices. */
static int chunks_of(int32_t n, int64_t m, int threads) {
    return m / n < threads - 1 ? (int)(m / n) + 1 : threads;
}

static int threads_for(int64_t m, int threads) {
    const int worth =
        m / block_sizes.thread_edges < threads ? (int)(m / block_sizes.thread_edges) : threads;
    return worth > 1 ? worth : 1;
}

uint64_t ordered_graph_memory(int32_t n, int64_t m) {
    const uint64_t vertex = 2 * (sizeof(int32_t) + sizeof(int64_t));
    return (uint64_t)n * vertex + (uint64_t)m * (2 * sizeof(struct ordered_edge) + sizeof(int32_t));
}

uint64_t ordered_graph_memory_to_build(int32_t n, int64_t m, int threads) {
    const uint64_t chunks = (uint64_t)chunks_of(n, m, threads_for(m, threads));
    return ordered_graph_memory(n, m) + (uint64_t)m * sizeof(struct ordered_edge) +
           (uint64_t)n * ((chunks + 1) * sizeof(int64_t) + sizeof(int32_t));
}

enum status ordered_graph_build(const struct graph *g, int threads, const struct progress *progress,
                                struct ordered_graph *ordered, struct error *err) {
    const char *const what = "the ordered graph";
    void *rows = NULL, *at = NULL, *path = NULL, *next = NULL;
    struct graph_ordering layout = {
        .g = g, .ordered = ordered, .threads = threads_for(g->m, threads), .progress = progress};
    const size_t n = (size_t)g->n;
    enum status status = STATUS_OK;
    layout.chunks = chunks_of(g->n, g->m, layout.threads);
    TRY(ordered_graph_alloc(g, ordered, err));
    TRY(memory_alloc(&rows, (size_t)g->m, sizeof(struct ordered_edge), what, err));
    TRY(memory_alloc(&at, (size_t)layout.chunks * n, sizeof(int64_t), what, err));
    TRY(memory_alloc(&path, n, sizeof(int32_t), what, err));
    TRY(memory_alloc(&next, n, sizeof(int64_t), what, err));
    layout.rows = rows;
    layout.spare = ordered->out;
    layout.at = at;
    layout.path = path;
    layout.next = next;
    TRY(lay_out(&layout, err));
cleanup:
    memory_free(rows);
    memory_free(at);
    memory_free(path);
    memory_free(next);
    if (status != STATUS_OK)
        ordered_graph_free(ordered);
    return status;
}

uint64_t ordered_graph_memory_to_number(int32_t n, int64_t m) {
    return (uint64_t)m * 2 * sizeof(struct ordered_edge) +
           (uint64_t)n * (sizeof(int64_t) + 3 * sizeof(int32_t));
}

enum status ordered_graph_number(const struct graph *g, int threads,
                                 const struct progress *progress, struct ordered_graph *ordered,
                                 struct error *err) {
    const char *const what = "the order of vertices";
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *rows = NULL, *path = NULL, *next = NULL;
    enum status status;
    TRY(alloc_numbers(g, what, ordered, err));
    TRY(memory_alloc(&rows, 2 * m, sizeof(struct ordered_edge), what, err));
    TRY(memory_alloc(&path, n, sizeof(int32_t), what, err));
    TRY(memory_alloc(&next, n, sizeof(int64_t), what, err));
    const struct graph_ordering layout = {.g = g,
                                          .ordered = ordered,
                                          .threads = threads_for(g->m, threads),
                                          .rows = rows,
                                          .spare = (struct ordered_edge *)rows + m,
                                          .path = path,
                                          .next = next,
                                          .progress = progress};
    TRY(lay_out(&layout, err));
cleanup:
    memory_free(rows);
    memory_free(path);
    memory_free(next);
    if (status != STATUS_OK)
        ordered_graph_free(ordered);
    return status;
}

/* Returns the nearest of the vertices to which an edge leads from v and that were not visited; -1:
 * none. */
static int32_t nearest_unmet(const struct graph *g, int32_t v, const bool *met) {
    int32_t nearest = -1;
    double least = INFINITY;
    for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
        if (g->real_weight[e] < least && !met[g->head[e]]) {
            least = g->real_weight[e];
            nearest = g->head[e];
        }
    }
    return nearest;
}

uint64_t ordered_graph_memory_to_number_dense(int32_t n) {
    return (uint64_t)n * (3 * sizeof(int32_t) + sizeof(bool));
}

enum status ordered_graph_number_dense(const struct graph *g, const struct progress *progress,
                                       struct ordered_graph *ordered, struct error *err) {
    const char *const what = "the order of vertices";
    const size_t n = (size_t)g->n;
    void *paths = NULL, *marks = NULL;
    int32_t left = g->n, found = 0; /* number of vertices without a number, and of vertices
                                       visited */
    enum status status;
    TRY(alloc_numbers(g, what, ordered, err));
    TRY(memory_alloc(&paths, n, sizeof(int32_t), what, err));
    TRY(memory_alloc(&marks, n, sizeof(bool), what, err));
    int32_t *const path = paths;
    bool *const met = marks;
    memset(met, 0, n * sizeof *met);
    for (int32_t start = 0, depth = 0; start < g->n; start++) {
        int32_t to = met[start] ? -1 : start;
        while (to >= 0 || depth > 0) {
            if (!progress_goes_on(progress))
                TRY(progress_cancelled(err));
            if (to >= 0) {
                met[to] = true;
                found++;
                path[depth++] = to;
            } else {
                ordered->vertex[--left] = path[--depth];
            }
            to = depth > 0 && found < g->n ? nearest_unmet(g, path[depth - 1], met) : -1;
        }
    }
    for (int32_t k = 0; k < g->n; k++)
        ordered->number[ordered->vertex[k]] = k;
cleanup:
    memory_free(paths);
    memory_free(marks);
    if (status != STATUS_OK)
        ordered_graph_free(ordered);
    return status;
}

void ordered_graph_free(struct ordered_graph *ordered) {
    memory_free(ordered->vertex); /* the same memory has the array behind it; so have the next
                                     two */
    memory_free(ordered->in_first);
    memory_free(ordered->in);
    memory_free(ordered->in_tail);
    *ordered = (struct ordered_graph){0};
}

/* A breadth-first search over edges in both directions. */
struct group_search {
    int32_t *queue;
    int32_t *met_by; /* last group whose search met each vertex; TAKEN: the vertex is in a group */
    int32_t head, tail;
};

enum { NEVER = -1, TAKEN = -2 };

static void meet(struct group_search *s, int32_t v, int32_t group) {
    if (s->met_by[v] == TAKEN || s->met_by[v] == group)
        return;
    s->met_by[v] = group;
    s->queue[s->tail++] = v;
}

enum status ordered_graph_group(const struct ordered_graph *ordered, int32_t size, int32_t *order,
                                struct error *err) {
    const int32_t n = ordered->n;
    int32_t count = 0, seed = 0;
    void *scratch;
    RETURN_ON_FAILURE(
        memory_alloc(&scratch, 2 * (size_t)n, sizeof(int32_t), "the groups of sources", err));
    struct group_search s = {.queue = scratch, .met_by = (int32_t *)scratch + n};
    for (int32_t v = 0; v < n; v++)
        s.met_by[v] = NEVER;
    for (int32_t group = 0; count < n; group++) {
        const int32_t end = n - count < size ? n : count + size;
        /* A vertex that the last search met but did not take is a neighbour of those that it
         * took. */
        int32_t beside = s.tail > s.head ? s.queue[s.head] : NEVER;
        s.head = s.tail = 0;
        while (count < end) {
            if (s.head == s.tail) {
                while (s.met_by[seed] == TAKEN)
                    seed++;
                meet(&s, beside >= 0 ? beside : seed, group);
                beside = NEVER;
            }
            const int32_t v = s.queue[s.head++];
            s.met_by[v] = TAKEN;
            order[count++] = v;
            for (int64_t e = ordered->out_first[v]; e < ordered->out_first[v + 1]; e++)
                meet(&s, ordered->out[e].end, group);
            for (int64_t e = ordered->in_first[v]; e < ordered->in_first[v + 1]; e++)
                meet(&s, ordered->in[e].end, group);
        }
    }
    memory_free(scratch);
    return STATUS_OK;
}
