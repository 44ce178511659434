// SPDX-License-Identifier: MIT
#include "elimination/pattern.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // chunk_begin, prefix_sums
#include "common/base/memory.h"      // memory_alloc

#include <stdbool.h>
#include <string.h>

enum { MOST = 256 }; /* largest number of chunks, and of ranges, of a pattern in the making */

uint64_t pattern_memory(int32_t n, int64_t m) {
    const uint64_t firsts = 2 * ((uint64_t)n + 1) * sizeof(int64_t);
    const uint64_t shared =
        m < block_sizes.thread_entries - (int64_t)n ? 0 : (MOST * MOST + 1) * sizeof(int64_t);
    return memory_add(firsts + shared, memory_times((uint64_t)m, 4 * sizeof(int32_t)));
}

struct arc {
    int32_t tail, head;
};

/* State while a pattern is found. Threads take chunks of tails; for the edges by their heads, they
 * take ranges of heads. */
struct pattern_making {
    const struct graph *g;
    int threads, chunks;      /* number of threads, and of chunks, which have about equal numbers of
                                 vertices + edges */
    int ranges, shift;        /* number of ranges of heads; vertex v is in range v >> shift */
    int64_t *pair_first;      /* index in `pair` at which the pairs of a range from a chunk begin,
                                 ranges * chunks + 1 entries; NULL: there is one chunk, which needs
                                 none */
    struct arc *pair;         /* edges ordered by ranges of their heads, in each range by tails, m
                                 entries */
    int64_t *in_first;        /* index in `tail` at which each vertex's tails begin, n + 1 entries;
                                 once tails are listed, at which they end */
    int32_t *tail;            /* tails of the edges into each vertex, ascending, m entries */
    int32_t *room;            /* neighbours, 2 m entries, those of chunk c from room_begin(c) on;
                                 NULL: the neighbours are the heads */
    int64_t *first;           /* `first` of the pattern; until the lengths of all chunks are known,
                                 counted from the beginning of each chunk */
    int64_t length[MOST + 1]; /* number of neighbours of each chunk; later, of all chunks before
                                 it */
};

/* Returns the first tail of chunk c. */
static int32_t first_tail(const struct pattern_making *m, int c) {
    const int64_t before = chunk_begin(m->g->n + m->g->m, m->chunks, c);
    int32_t low = 0, high = m->g->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (middle + m->g->first[middle] < before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the first edge of v whose head is `to` or higher. */
static int64_t seek(const struct graph *g, int32_t v, int32_t to) {
    int64_t low = g->first[v], high = g->first[v + 1];
    if (low == high || g->head[low] >= to)
        return low;
    if (g->head[high - 1] < to)
        return high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (g->head[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_edge(const struct graph *g, int32_t from, int32_t to) {
    const int64_t e = seek(g, from, to);
    return e < g->first[from + 1] && g->head[e] == to;
}

/* Returns whether the reverse of every edge from a chunk is an edge; if so, counts the neighbours.
 * Between two vertices of the chunk, tails come in increasing order, and so do the heads of the
 * edges of a vertex: next[v] is the edge of v whose reverse should come next. */
static bool is_symmetric(struct pattern_making *m, int c) {
    const struct graph *g = m->g;
    const int32_t begin = first_tail(m, c), end = first_tail(m, c + 1);
    int64_t *const next = m->first;
    bool is = true, loops = false;
    for (int32_t v = begin; v < end; v++)
        next[v] = seek(g, v, begin);
    for (int32_t u = begin; u < end && is; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            loops |= v == u;
            if (v < begin || v >= end) {
                is &= has_edge(g, v, u);
            } else {
                const int64_t reverse = next[v]++;
                is &= g->head[reverse < g->m ? reverse : 0] == u;
            }
        }
    }
    int64_t length = 0;
    for (int32_t v = begin; v < end && is; v++) {
        is = next[v] == seek(g, v, end);
        m->first[v] = length;
        length += g->first[v + 1] - g->first[v] - (loops && has_edge(g, v, v));
    }
    m->length[c] = length;
    return is;
}

/* Counts the edges of a chunk by the ranges of their heads, or stores them in `pair`. */
static void find_pairs(const struct pattern_making *m, int c, bool makes) {
    const struct graph *g = m->g;
    const int32_t end = first_tail(m, c + 1);
    int64_t at[MOST] = {0};
    for (int range = 0; makes && range < m->ranges; range++)
        at[range] = m->pair_first[range * m->chunks + c];
    for (int32_t u = first_tail(m, c); u < end; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            const int64_t to = at[v >> m->shift]++;
            if (makes)
                m->pair[to] = (struct arc){u, v};
        }
    }
    for (int range = 0; !makes && range < m->ranges; range++)
        m->pair_first[range * m->chunks + c] = at[range];
}

/* Sorts the edges by ranges of their heads, in each range by tails. */
static enum status sort_by_range(struct pattern_making *m, struct error *err) {
    const int counts = m->ranges * m->chunks;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)counts + 1, sizeof(int64_t),
                                   "the edges by their heads", err));
    m->pair_first = memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)m->g->m, sizeof *m->pair, "the edges by their heads", err));
    m->pair = memory;
#pragma omp parallel for num_threads(m->threads) schedule(dynamic)
    for (int c = 0; c < m->chunks; c++)
        find_pairs(m, c, false);
    prefix_sums(m->pair_first, counts, 1);
#pragma omp parallel for num_threads(m->threads) schedule(dynamic)
    for (int c = 0; c < m->chunks; c++)
        find_pairs(m, c, true);
    return STATUS_OK;
}

/* Counts the tails of each vertex of a range, or lists them. */
static void take_range(const struct pattern_making *m, int range, bool lists) {
    const int64_t end = m->pair_first[(range + 1) * m->chunks];
    for (int64_t k = m->pair_first[range * m->chunks]; k < end; k++) {
        const int64_t to = m->in_first[m->pair[k].head]++;
        if (lists)
            m->tail[to] = m->pair[k].tail;
    }
}

static void count_tails(const struct pattern_making *m) {
    if (m->pair == NULL) {
        memset(m->in_first, 0, (size_t)m->g->n * sizeof *m->in_first);
        for (int64_t e = 0; e < m->g->m; e++)
            m->in_first[m->g->head[e]]++;
        return;
    }
#pragma omp parallel for num_threads(m->threads) schedule(dynamic)
    for (int range = 0; range < m->ranges; range++) {
        const int32_t begin = range << m->shift, left = m->g->n - begin;
        const size_t own = left < 1 << m->shift ? (size_t)left : (size_t)1 << m->shift;
        memset(m->in_first + begin, 0, own * sizeof *m->in_first);
        take_range(m, range, false);
    }
}

static void list_tails(const struct pattern_making *m) {
    if (m->pair == NULL) {
        for (int32_t u = 0; u < m->g->n; u++) {
            for (int64_t e = m->g->first[u]; e < m->g->first[u + 1]; e++)
                m->tail[m->in_first[m->g->head[e]]++] = u;
        }
        return;
    }
#pragma omp parallel for num_threads(m->threads) schedule(dynamic)
    for (int range = 0; range < m->ranges; range++)
        take_range(m, range, true);
}

static int64_t in_begin(const struct pattern_making *m, int32_t v) {
    return v > 0 ? m->in_first[v - 1] : 0;
}

static int64_t room_begin(const struct pattern_making *m, int c) {
    const int32_t begin = first_tail(m, c);
    return m->g->first[begin] + in_begin(m, begin);
}

/* Merges the heads and the tails of v into `to`, without duplicates and without v. Returns the
 * number of neighbours. */
static int64_t merge(const struct pattern_making *m, int32_t v, int32_t *to) {
    const int32_t *a = m->g->head + m->g->first[v], *const a_end = m->g->head + m->g->first[v + 1];
    const int32_t *b = m->tail + in_begin(m, v), *const b_end = m->tail + m->in_first[v];
    const int32_t *const start = to;
    while (a < a_end || b < b_end) {
        const int32_t x = a < a_end ? *a : INT32_MAX, y = b < b_end ? *b : INT32_MAX;
        const int32_t lower = x < y ? x : y;
        a += x == lower;
        b += y == lower;
        *to = lower;
        to += lower != v;
    }
    return to - start;
}

static void merge_chunk(struct pattern_making *m, int c) {
    const int32_t end = first_tail(m, c + 1);
    int32_t *const to = m->room + room_begin(m, c);
    int64_t length = 0;
    for (int32_t v = first_tail(m, c); v < end; v++) {
        m->first[v] = length;
        length += merge(m, v, to + length);
    }
    m->length[c] = length;
}

/* Finds the neighbours of each chunk from heads and tails. */
static enum status merge_all(struct pattern_making *m, struct error *err) {
    const size_t n = (size_t)m->g->n, edges = (size_t)m->g->m;
    void *memory;
    if (m->chunks > 1)
        RETURN_ON_FAILURE(sort_by_range(m, err));
    RETURN_ON_FAILURE(
        memory_alloc(&memory, n + 1, sizeof(int64_t), "the edges by their heads", err));
    m->in_first = memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, edges, sizeof(int32_t), "the edges by their heads", err));
    m->tail = memory;
    count_tails(m);
    prefix_sums(m->in_first, m->g->n, m->threads);
    list_tails(m);
    memory_free(m->pair);
    m->pair = NULL;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, edges, 2 * sizeof(int32_t), "the pattern of the graph", err));
    m->room = memory;
#pragma omp parallel for num_threads(m->threads) schedule(dynamic)
    for (int c = 0; c < m->chunks; c++)
        merge_chunk(m, c);
    memory_free(m->tail);
    m->tail = NULL;
    return STATUS_OK;
}

/* Copies the neighbours of a chunk to where they belong. */
static void place_chunk(const struct pattern_making *m, int c, int32_t *neighbour) {
    const struct graph *g = m->g;
    const int32_t begin = first_tail(m, c), end = first_tail(m, c + 1);
    const int64_t length = m->length[c + 1] - m->length[c];
    int32_t *to = neighbour + m->length[c];
    for (int32_t v = begin; v < end; v++)
        m->first[v] += m->length[c];
    if (m->room != NULL || length == g->first[end] - g->first[begin]) {
        memcpy(to, m->room != NULL ? m->room + room_begin(m, c) : g->head + g->first[begin],
               (size_t)length * sizeof *to);
        return;
    }
    for (int32_t v = begin; v < end; v++) {
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            if (g->head[e] != v)
                *to++ = g->head[e];
        }
    }
}

/* Puts the neighbours of all chunks together. */
static enum status place_all(struct pattern_making *m, struct pattern *pattern, struct error *err) {
    void *memory;
    prefix_sums(m->length, m->chunks, 1);
    m->first[m->g->n] = m->length[m->chunks];
    if (m->room != NULL && m->chunks == 1) {
        pattern->neighbour = m->room;
        m->room = NULL;
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)m->length[m->chunks], sizeof(int32_t),
                                   "the pattern of the graph", err));
    pattern->neighbour = memory;
#pragma omp parallel for num_threads(m->threads) schedule(dynamic)
    for (int c = 0; c < m->chunks; c++)
        place_chunk(m, c, pattern->neighbour);
    return STATUS_OK;
}

enum status pattern_find(const struct graph *g, int threads, struct pattern *pattern,
                         struct error *err) {
    struct pattern_making m = {
        .g = g, .threads = threads_paid(threads, g->n + g->m, block_sizes.thread_entries)};
    void *memory;
    bool symmetric = true;
    enum status status;
    *pattern = (struct pattern){.n = g->n};
    m.chunks = chunks_for(m.threads) < MOST ? chunks_for(m.threads) : MOST;
    while ((g->n - 1) >> m.shift >= m.chunks)
        m.shift++;
    m.ranges = ((g->n - 1) >> m.shift) + 1;
    TRY(memory_alloc(&memory, (size_t)g->n + 1, sizeof(int64_t), "the pattern of the graph", err));
    pattern->first = m.first = memory;
#pragma omp parallel for num_threads(m.threads) schedule(dynamic) reduction(&& : symmetric)
    for (int c = 0; c < m.chunks; c++)
        symmetric = is_symmetric(&m, c) && symmetric;
    if (!symmetric)
        TRY(merge_all(&m, err));
    status = place_all(&m, pattern, err);

cleanup:
    memory_free(m.pair_first);
    memory_free(m.pair);
    memory_free(m.in_first);
    memory_free(m.tail);
    memory_free(m.room);
    if (status != STATUS_OK)
        pattern_free(pattern);
    return status;
}

void pattern_free(struct pattern *pattern) {
    memory_free(pattern->first);
    memory_free(pattern->neighbour);
    *pattern = (struct pattern){0};
}
