// SPDX-License-Identifier: MIT
#include "common/rows/measures.h"

#include "common/base/memory.h" // memory_alloc
#include "common/rows/components.h"
#include "common/rows/measures_kernels.h"

#include <math.h>
#include <omp.h>
#include <string.h>

_Static_assert((int)ROW_BLOCK_MAX <= (int)MAX_RECIPROCALS &&
                   (int)MEASURES_TILE <= (int)MAX_RECIPROCALS,
               "sums of reciprocals in doubles do not round");
_Static_assert(RECIPROCAL_HIGH_BITS == 41 && RECIPROCAL_BITS == 82, "the units in of_parts");

/* Counts of distances while more of them come: count[k] is that of the distances d with
 * d >> at.shift = at.first + k, but for those that are still in the counters. */
struct counts {
    int32_t least, farthest; /* of what was counted, and 0 */
    uint64_t pending;        /* what is in the counters, at most */
    int64_t count[MEASURES_BINS];
    struct tile_counters at;
};

/* What a thread has taken. */
struct measures_thread {
    const struct measures_kernels *kernels;
    struct vertex_measures *in; /* n; NULL if not wanted */
    int32_t largest, from, to;  /* the first pair at the largest distance; -1: none yet */
    bool used;                  /* the rest has content */
    struct counts counts;
    struct tile_columns columns;
};

static bool fits(int32_t least, int32_t farthest, int32_t shift) {
    return (int64_t)(farthest >> shift) - (least >> shift) < MEASURES_BINS;
}

/* The least width that holds all distances from least to farthest. */
static int32_t shift_for(int32_t least, int32_t farthest) {
    int32_t shift = 0;
    while (!fits(least, farthest, shift))
        shift++;
    return shift;
}

/* Adds counts of one width to an array of counts of another, not smaller. */
static void add_counts(const struct counts *from, int32_t shift, int32_t first, int64_t *to) {
    for (int32_t k = 0; k < MEASURES_BINS; k++) {
        if (from->count[k] != 0)
            to[((from->at.first + k) >> (shift - from->at.shift)) - first] += from->count[k];
    }
}

/* Moves what is in the counters to where it cannot overflow. */
static void empty_counters(struct counts *counts) {
    for (int32_t k = 0; k < MEASURES_BINS; k++) {
        for (int c = 0; c < MEASURES_COUNTERS; c++)
            counts->count[k] += counts->at.count[c][k];
    }
    memset(counts->at.count, 0, sizeof counts->at.count);
    counts->pending = 0;
}

/* Makes room for the distances of a tile: the bins become wider if they would be too many. */
static void widen(struct counts *counts, const struct tile_row *row) {
    struct tile_counters *at = &counts->at;
    counts->least = row->least < counts->least ? row->least : counts->least;
    counts->farthest = row->farthest > counts->farthest ? row->farthest : counts->farthest;
    const int32_t begin = counts->least >> at->shift, last = counts->farthest >> at->shift;
    if (begin >= at->first && (int64_t)last - at->first < MEASURES_BINS)
        return;
    int64_t wider[MEASURES_BINS] = {0};
    const int32_t shift = shift_for(counts->least, counts->farthest);
    const int32_t first = counts->least >> shift;
    empty_counters(counts);
    add_counts(counts, shift, first, wider);
    memcpy(counts->count, wider, sizeof wider);
    at->shift = shift;
    at->first = first;
}

/* The sum of reciprocals, from its two parts. */
static exact_sum of_parts(double high, double low) {
    const int64_t h = (int64_t)(high * 0x1p41);
    const int64_t l = (int64_t)(low * 0x1p82);
    return (exact_sum)h * ((int64_t)1 << RECIPROCAL_HIGH_BITS) + l;
}

static void add_vertex(struct vertex_measures *to, exact_sum harmonic, int64_t sum, int32_t reached,
                       int32_t farthest) {
    to->harmonic += harmonic;
    to->sum += sum;
    to->reached += reached;
    to->eccentricity = farthest > to->eccentricity ? farthest : to->eccentricity;
}

/* Vertices begin .. of rows first .. last - 1 of a block: one tile. */
static void take_tile(struct measures_thread *thread, const struct row_block *block, int32_t first,
                      int32_t last, int32_t begin, struct vertex_measures *of_row) {
    const int32_t width = MEASURES_TILE < block->n - begin ? MEASURES_TILE : block->n - begin;
    const int32_t whole = (width + MEASURES_GRANULE - 1) / MEASURES_GRANULE * MEASURES_GRANULE;
    struct tile_columns *columns = thread->in != NULL ? &thread->columns : NULL;
    struct counts *counts = &thread->counts;
    if (columns != NULL)
        memset(columns, 0, sizeof *columns);
    for (int32_t r = first; r < last; r++) {
        _Alignas(64) int32_t end_of_row[MEASURES_TILE];
        const int32_t *dist = block->dist[r] + begin;
        struct tile_row row;
        if (whole != width) { /* what follows the end has no meaning */
            memcpy(end_of_row, dist, (size_t)width * sizeof *dist);
            for (int32_t k = width; k < whole; k++)
                end_of_row[k] = INF;
            dist = end_of_row;
        }
        thread->kernels->add_distances(dist, whole, &row, columns);
        widen(counts, &row);
        if (counts->pending > UINT32_MAX - MEASURES_TILE)
            empty_counters(counts);
        counts->pending += MEASURES_TILE;
        thread->kernels->add_reciprocals(dist, whole, &row, columns, &counts->at);
        add_vertex(&of_row[r], of_parts(row.high, row.low), row.sum, row.reached, row.farthest);
    }
    for (int32_t k = 0; k < width && columns != NULL; k++)
        add_vertex(&thread->in[begin + k], of_parts(columns->high[k], columns->low[k]),
                   columns->sum[k], columns->reached[k], columns->farthest[k]);
}

/* Whether a pair comes before the largest of a thread: at a larger distance, or at the same one
 * from an earlier source. */
static bool precedes(int32_t distance, int32_t from, const struct measures_thread *other) {
    return distance != other->largest ? distance > other->largest : from < other->from;
}

static void look_for_largest(struct measures_thread *thread, int32_t source, int32_t farthest,
                             const int32_t *dist, int32_t n) {
    int32_t to = 0;
    if (!precedes(farthest, source, thread))
        return;
    while (to < n - 1 && dist[to] != farthest)
        to++;
    thread->largest = farthest;
    thread->from = source;
    thread->to = to;
}

static void start(struct measures_thread *thread, int32_t n) {
    memset(&thread->counts, 0, sizeof thread->counts);
    if (thread->in != NULL)
        memset(thread->in, 0, (size_t)n * sizeof *thread->in);
    thread->used = true;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    (void)err;
    struct measures *m = (struct measures *)self;
    struct measures_thread *thread = m->thread[omp_get_thread_num()];
    struct vertex_measures of_row[ROW_BLOCK_MAX] = {0};
    if (!thread->used) /* by the thread itself, so that its memory is near it */
        start(thread, m->n);
    /* All rows at a time if their columns are added up, otherwise as they lie in memory. */
    const int32_t rows = thread->in != NULL ? block->count : 1;
    for (int32_t r = 0; r < block->count; r += rows) {
        for (int32_t begin = 0; begin < block->n; begin += MEASURES_TILE)
            take_tile(thread, block, r, r + rows, begin, of_row);
    }
    for (int32_t r = 0; r < block->count; r++) {
        m->out[block->position[r]] = of_row[r];
        look_for_largest(thread, block->source[r], of_row[r].eccentricity, block->dist[r],
                         block->n);
    }
    return STATUS_OK;
}

static exact_sum harmonic_of(const struct row_totals *t) {
    return (exact_sum)t->high * ((int64_t)1 << RECIPROCAL_HIGH_BITS) + t->low;
}

static enum status take_totals(struct row_sink *self, const struct answer_totals *totals,
                               struct error *err) {
    (void)err;
    struct measures *m = (struct measures *)self;
    struct measures_thread *thread = m->thread[0];
    struct counts *counts = &thread->counts;
    start(thread, m->n);
    thread->largest = totals->largest;
    thread->from = totals->from;
    thread->to = totals->to;
    for (int32_t p = 0; p < m->count; p++) {
        const struct row_totals *t = &totals->out[p];
        add_vertex(&m->out[p], harmonic_of(t), t->sum, t->reached, t->farthest);
    }
    for (int32_t v = 0; v < m->n && thread->in != NULL; v++) {
        const struct row_totals *t = &totals->in[v];
        add_vertex(&thread->in[v], harmonic_of(t), t->sum, t->reached, t->farthest);
    }
    counts->farthest = thread->largest;
    counts->at.shift = shift_for(0, counts->farthest);
    for (int32_t k = 0; k < totals->bins; k++) {
        if (totals->count[k] > 0)
            counts->count[k >> (counts->at.shift - totals->shift)] += totals->count[k];
    }
    return STATUS_OK;
}

static void forget(struct measures *m) {
    for (int t = 0; t < m->threads && m->thread != NULL; t++) {
        if (m->thread[t] != NULL)
            memory_free(m->thread[t]->in);
        memory_free(m->thread[t]);
    }
    memory_free(m->thread);
    memory_free(m->source);
    memory_free(m->out);
    memory_free(m->in);
    *m = (struct measures){
        .sink = m->sink, .graph = m->graph, .directed = m->directed, .limit = m->limit};
}

static enum status alloc_thread(struct measures *m, int t, const struct measures_kernels *best,
                                struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, 1, sizeof *m->thread[t], "measures of a thread", err));
    m->thread[t] = memory;
    m->thread[t]->kernels = best;
    m->thread[t]->in = NULL;
    m->thread[t]->used = false;
    m->thread[t]->largest = -1;
    m->thread[t]->from = m->thread[t]->to = 0;
    if (!m->sink.wants_columns)
        return STATUS_OK;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)m->n, sizeof *m->in, "measures of a thread", err));
    m->thread[t]->in = memory;
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct measures *m = (struct measures *)self;
    void *memory;
    enum isa isa;
    (void)type, (void)with_pred;
    forget(m);
    m->n = n;
    m->count = sources->count;
    self->wants_columns = m->directed && sources->source == NULL;
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    if (sources->source != NULL) {
        const size_t count = (size_t)sources->count;
        RETURN_ON_FAILURE(memory_alloc(&memory, count, sizeof *m->source, "sources", err));
        m->source = memory;
        memcpy(m->source, sources->source, count * sizeof *m->source);
    }
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)sources->count, sizeof *m->out, "measures", err));
    m->out = memory;
    memset(m->out, 0, (size_t)sources->count * sizeof *m->out);
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)threads, sizeof *m->thread, "measures of threads", err));
    m->thread = memory;
    memset(memory, 0, (size_t)threads * sizeof *m->thread);
    m->threads = threads;
    for (int t = 0; t < threads; t++)
        RETURN_ON_FAILURE(alloc_thread(m, t, measures_kernels(isa), err));
    return STATUS_OK;
}

uint64_t measures_memory(int32_t n, int32_t count, bool all, bool directed, int threads) {
    const uint64_t vertex = sizeof(struct vertex_measures);
    const uint64_t inwards = all && directed ? memory_times((uint64_t)n, vertex) : 0;
    const uint64_t thread = memory_add(sizeof(struct measures_thread), inwards);
    const uint64_t of_sources = memory_times((uint64_t)count, vertex + (all ? 0 : sizeof(int32_t)));
    const uint64_t to_finish = all ? components_memory(n) : 0;
    return memory_add(memory_add(of_sources, to_finish), memory_times((uint64_t)threads, thread));
}

/* Whether some edge has no reverse of the same weight. Tails come in increasing order, and so do
 * the heads of the edges of a vertex: next[v] is the edge of v whose reverse should come next. All
 * those to lower vertices must have come when it is the turn of v. */
static enum status find_directed(const struct graph *g, bool *directed, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)g->n, sizeof *g->first, "edges", err));
    int64_t *const next = memory;
    memcpy(next, g->first, (size_t)g->n * sizeof *next);
    *directed = false;
    for (int32_t u = 0; u < g->n && !*directed; u++) {
        const int64_t end = g->first[u + 1];
        int64_t e = next[u];
        *directed = e < end && g->head[e] < u;
        for (; e < end && !*directed; e++) {
            const int32_t v = g->head[e];
            if (v == u)
                continue;
            const int64_t reverse = next[v]++;
            *directed = reverse >= g->first[v + 1] || g->head[reverse] != u ||
                        g->weight[reverse] != g->weight[e];
        }
    }
    memory_free(next);
    return STATUS_OK;
}

enum status measures_init(struct measures *m, const struct graph *g, struct error *err) {
    *m = (struct measures){.sink = {.begin = begin, .take = take, .take_totals = take_totals},
                           .graph = g,
                           .limit = NO_LIMIT};
    return find_directed(g, &m->directed, err);
}

void measures_free(struct measures *m) {
    forget(m);
    *m = (struct measures){0};
}

double measures_closeness(const struct vertex_measures *v, int32_t n) {
    const double others = v->reached - 1;
    return v->sum > 0 ? others / (double)v->sum * (others / (n - 1)) : 0;
}

double measures_harmonic(const struct vertex_measures *v) {
    return ldexp((double)v->harmonic, -RECIPROCAL_BITS);
}

/* a / b, b in 1 .. 2^62, rounded once: a quotient of at least 62 bits, the last of which is set if
 * anything is left. */
static double quotient(exact_sum a, int64_t b) {
    const exact_sum most = (exact_sum)1 << 124;
    exact_sum magnitude = a < 0 ? -a : a;
    int shift = 0;
    for (; magnitude != 0 && magnitude < most; shift++)
        magnitude *= 2;
    const exact_sum whole = magnitude / b | (magnitude % b != 0);
    return ldexp(a < 0 ? -(double)whole : (double)whole, -shift);
}

/* The sum of all harmonic measures of rows, rounded once. One exact_sum could be too small for it:
 * it is high * 2^41 + low. */
static double sum_harmonic(const struct measures *m) {
    const exact_sum unit = (exact_sum)1 << RECIPROCAL_HIGH_BITS;
    exact_sum high = 0, low = 0;
    for (int32_t p = 0; p < m->count; p++) {
        high += m->out[p].harmonic >> RECIPROCAL_HIGH_BITS;
        low += m->out[p].harmonic & (unit - 1);
    }
    high += low >> RECIPROCAL_HIGH_BITS;
    low &= unit - 1;
    const exact_sum most = (exact_sum)1 << (126 - RECIPROCAL_HIGH_BITS);
    if (high < most && high > -most)
        return ldexp((double)(high * unit + low), -RECIPROCAL_BITS);
    return ldexp((double)(high | (low != 0)), -(RECIPROCAL_BITS - RECIPROCAL_HIGH_BITS));
}

/* All threads' columns. */
static void merge_columns(struct measures *m) {
    struct vertex_measures *into = NULL;
    for (int t = 0; t < m->threads; t++) {
        struct measures_thread *thread = m->thread[t];
        if (!thread->used || thread->in == NULL)
            continue;
        if (into == NULL) {
            into = thread->in;
            m->in = into;
            thread->in = NULL;
            continue;
        }
#pragma omp parallel for schedule(static) num_threads(m->threads)
        for (int32_t v = 0; v < m->n; v++)
            add_vertex(&into[v], thread->in[v].harmonic, thread->in[v].sum, thread->in[v].reached,
                       thread->in[v].eccentricity);
    }
}

static void merge_histograms(const struct measures *m, struct distance_histogram *histogram) {
    int32_t least = 0, farthest = 0, begin = 0, end = MEASURES_BINS;
    for (int t = 0; t < m->threads; t++) {
        struct counts *counts = &m->thread[t]->counts;
        if (!m->thread[t]->used)
            continue;
        empty_counters(counts);
        least = counts->least < least ? counts->least : least;
        farthest = counts->farthest > farthest ? counts->farthest : farthest;
    }
    int64_t count[MEASURES_BINS] = {0};
    const int32_t shift = shift_for(least, farthest), first = least >> shift;
    for (int t = 0; t < m->threads; t++) {
        if (m->thread[t]->used)
            add_counts(&m->thread[t]->counts, shift, first, count);
    }
    count[-first] -= m->count; /* each source itself */
    while (begin < end && count[begin] == 0)
        begin++;
    while (begin < end && count[end - 1] == 0)
        end--;
    *histogram = (struct distance_histogram){.width = 1 << shift, .bins = end - begin};
    histogram->first = end == begin ? 0 : (first + begin) * histogram->width;
    memcpy(histogram->count, count + begin, (size_t)(end - begin) * sizeof *count);
}

static void finish_pairs(const struct measures *m, struct pair_measures *pairs) {
    int64_t with_path = 0;
    pairs->pairs = (int64_t)m->count * (m->n - 1);
    for (int32_t p = 0; p < m->count; p++) {
        pairs->sum += m->out[p].sum;
        with_path += m->out[p].reached - 1;
    }
    pairs->without_path = pairs->pairs - with_path;
    pairs->average = with_path > 0 ? quotient(pairs->sum, with_path) : 0;
    const struct measures_thread *best = m->thread[0];
    for (int t = 1; t < m->threads; t++) {
        const struct measures_thread *thread = m->thread[t];
        if (precedes(thread->largest, thread->from, best))
            best = thread;
    }
    pairs->largest = best->largest;
    pairs->from = best->from;
    pairs->to = best->to;
    merge_histograms(m, &pairs->histogram);
}

static enum status finish_graph(const struct measures *m, struct graph_measures *of_graph,
                                struct error *err) {
    *of_graph = (struct graph_measures){.components = 1, .largest_component = m->n};
    if (m->pairs.without_path > 0)
        RETURN_ON_FAILURE(
            components_find(m->graph, &of_graph->components, &of_graph->largest_component, err));
    of_graph->diameter = m->pairs.largest;
    of_graph->radius = m->out[0].eccentricity;
    for (int32_t v = 1; v < m->n; v++) {
        if (m->out[v].eccentricity < of_graph->radius)
            of_graph->radius = m->out[v].eccentricity;
    }
    of_graph->average_shortest_path_length = m->pairs.average;
    of_graph->wiener_index = m->directed ? m->pairs.sum : m->pairs.sum / 2;
    of_graph->global_efficiency = m->n > 1 ? sum_harmonic(m) / (double)m->pairs.pairs : 0;
    return STATUS_OK;
}

enum status measures_finish(struct measures *m, struct error *err) {
    merge_columns(m);
    finish_pairs(m, &m->pairs);
    return measures_are_of_graph(m) ? finish_graph(m, &m->of_graph, err) : STATUS_OK;
}
