// SPDX-License-Identifier: MIT
#include "measures/measures.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // threads_paid
#include "common/base/memory.h"      // memory_alloc
#include "measures/components.h"
#include "measures/measures_kernels.h"
#include "measures/real_measures.h"
#include "measures/reciprocals.h" // MAX_RECIPROCALS

#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)ROW_BLOCK_MAX <= (int)MAX_RECIPROCALS &&
                   (int)MEASURES_TILE <= (int)MAX_RECIPROCALS,
               "sums of reciprocals in doubles do not round");
_Static_assert(RECIPROCAL_HIGH_BITS == 41 && RECIPROCAL_BITS == 82, "the units in of_parts");

/* A histogram to which distances are still added: count[k] is the number of distances d with d >>
 * at.shift = at.first + k, without those still in the counters. */
struct distance_counts {
    int32_t least, farthest; /* least and largest of 0 and all distances counted */
    uint64_t pending;        /* an upper bound of the counts in the counters */
    int64_t count[MEASURES_BINS];
    struct tile_counters at;
};

/* Totals of the rows that a thread has taken. */
struct measures_thread {
    /* largest distance, and the first pair that has it; -1: none yet */
    double largest;
    int32_t from, to;
    bool used; /* the members below have been initialized */
    bool spares_reciprocals;
    union { /* by the type of the distances */
        struct {
            const struct measures_kernels *kernels;
            struct vertex_totals *in; /* n: totals of the columns; NULL: not wanted */
            struct distance_counts counts;
            struct tile_columns columns;
        };
        struct real_thread real;
    };
};

/* Returns the size of a thread's struct for distances of that type. */
static size_t thread_size(enum number_type type) {
    return type == NUMBER_INT32
               ? offsetof(struct measures_thread, columns) + sizeof(struct tile_columns)
               : offsetof(struct measures_thread, real) + sizeof(struct real_thread);
}

static bool fits(int32_t least, int32_t farthest, int32_t shift) {
    return (int64_t)(farthest >> shift) - (least >> shift) < MEASURES_BINS;
}

/* Returns the least shift, with which bins hold all distances from least to farthest. */
static int32_t shift_for(int32_t least, int32_t farthest) {
    int32_t shift = 0;
    while (!fits(least, farthest, shift))
        shift++;
    return shift;
}

/* Adds the counts of bins of one width to bins of another width, which is not smaller. */
static void add_counts(const struct distance_counts *from, int32_t shift, int32_t first,
                       int64_t *to) {
    for (int32_t k = 0; k < MEASURES_BINS; k++) {
        if (from->count[k] != 0)
            to[((from->at.first + k) >> (shift - from->at.shift)) - first] += from->count[k];
    }
}

/* Moves the counters' counts to 64-bit counts, which cannot overflow. */
static void empty_counters(struct distance_counts *counts) {
    for (int32_t k = 0; k < MEASURES_BINS; k++) {
        for (int c = 0; c < MEASURES_COUNTERS; c++)
            counts->count[k] += counts->at.count[c][k];
    }
    memset(counts->at.count, 0, sizeof counts->at.count);
    counts->pending = 0;
}

/* Makes room for distances: the bins become wider if there would be too many. */
static void widen(struct distance_counts *counts, int32_t least, int32_t farthest) {
    struct tile_counters *at = &counts->at;
    counts->least = least < counts->least ? least : counts->least;
    counts->farthest = farthest > counts->farthest ? farthest : counts->farthest;
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

/* Returns the sum of reciprocals that has these two parts. */
static exact_sum of_parts(double high, double low) {
    const int64_t h = (int64_t)(high * 0x1p41);
    const int64_t l = (int64_t)(low * 0x1p82);
    return (exact_sum)h * ((int64_t)1 << RECIPROCAL_HIGH_BITS) + l;
}

DEFINE_LENGTHS_TO_NUMBERS(lengths_to_numbers, int32_t, INF)

static void add_vertex(const struct length_order *order, struct vertex_totals *to,
                       exact_sum reciprocals, int64_t sum, int32_t reached, int32_t farthest) {
    to->reciprocals += reciprocals;
    to->sum += sum;
    to->reached += reached;
    to->eccentricity = (int32_t)worse_length(order, farthest, to->eccentricity);
}

/* Adds the reciprocals of a tile, and counts its distances. */
static void add_reciprocals(struct measures_thread *thread, const int32_t *dist, int32_t width,
                            struct tile_row *row, struct tile_columns *columns) {
    struct distance_counts *const counts = &thread->counts;
    widen(counts, row->least, row->farthest);
    if (counts->pending > UINT32_MAX - MEASURES_TILE)
        empty_counters(counts);
    counts->pending += MEASURES_TILE;
    thread->kernels->add_reciprocals(dist, width, row, columns, &counts->at);
}

/* Takes one tile: vertices begin .. of rows first .. last - 1 of a block of a part. */
static void take_tile(struct measures_thread *thread, const struct length_order *order,
                      const struct row_part *part, const struct row_block *block, int32_t first,
                      int32_t last, int32_t begin, struct vertex_totals *of_row) {
    const int32_t left = block->n - begin,
                  width = left < block_sizes.columns ? left : block_sizes.columns;
    const int32_t whole = (width + MEASURES_GRANULE - 1) / MEASURES_GRANULE * MEASURES_GRANULE;
    struct tile_columns *columns = thread->in != NULL ? &thread->columns : NULL;
    int32_t worst[MEASURES_TILE]; /* worst lengths of the columns; only of other semirings */
    for (int32_t k = 0; k < width && !order->is_sum; k++)
        worst[k] = (int32_t)order->to_itself;
    if (columns != NULL)
        memset(columns, 0, sizeof *columns);
    for (int32_t r = first; r < last; r++) {
        _Alignas(64) int32_t end_of_row[MEASURES_TILE];
        const int32_t *dist = block->dist[r] + begin;
        struct tile_row row;
        int32_t worst_of_row = (int32_t)order->to_itself;
        /* pads the tile, because cells after the end of a row are undefined */
        if (whole != width || !order->is_sum) {
            memcpy(end_of_row, dist, (size_t)width * sizeof *dist);
            for (int32_t k = width; k < whole; k++)
                end_of_row[k] = INF;
            dist = end_of_row;
        }
        if (!order->is_sum)
            lengths_to_numbers(order, end_of_row, width, (int64_t)block->source[r] - begin,
                               &worst_of_row, worst);
        thread->kernels->add_distances(dist, whole, &row, columns);
        if (thread->spares_reciprocals)
            row.high = row.low = 0;
        else
            add_reciprocals(thread, dist, whole, &row, columns);
        add_vertex(order, &of_row[r], of_parts(row.high, row.low), row.sum, row.reached,
                   order->is_sum ? row.farthest : worst_of_row);
    }
    for (int32_t k = 0; k < width && columns != NULL; k++)
        add_vertex(order, &thread->in[row_part_vertex(part, begin + k)],
                   of_parts(columns->high[k], columns->low[k]), columns->sum[k],
                   columns->reached[k], order->is_sum ? columns->farthest[k] : worst[k]);
}

/* Returns whether a pair precedes the largest pair of a thread: its distance is larger, or equal
 * and from an earlier source. */
static bool precedes(const struct length_order *order, double distance, int32_t from,
                     const struct measures_thread *other) {
    return distance != other->largest ? is_worse(order, distance, other->largest)
                                      : from < other->from;
}

static void look_for_largest(struct measures_thread *thread, const struct length_order *order,
                             const struct row_part *part, double farthest,
                             const struct row_block *block, int32_t r) {
    const int32_t source = row_part_vertex(part, block->source[r]);
    int32_t to = 0;
    if (!precedes(order, farthest, source, thread))
        return;
    while (to < block->n && (number_at(block->type, block->cells[r], to) != farthest ||
                             (to == block->source[r] && !order->is_sum)))
        to++;
    if (to == block->n) /* of another semiring, and no other vertex is reached */
        return;
    thread->largest = farthest;
    thread->from = source;
    /* the lowest vertex of the graph, as vertices of a part ascend */
    thread->to = row_part_vertex(part, to);
}

static void start(struct measures_thread *thread, const struct length_order *order, int32_t n) {
    memset(&thread->counts, 0, sizeof thread->counts);
    if (thread->in != NULL)
        memset(thread->in, 0, (size_t)n * sizeof *thread->in);
    for (int32_t v = 0; v < n && thread->in != NULL && !order->is_sum; v++)
        thread->in[v].eccentricity = (int32_t)order->to_itself;
    thread->used = true;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    (void)err;
    struct measures *m = (struct measures *)self;
    struct measures_thread *thread = m->thread[omp_get_thread_num()];
    struct vertex_totals of_row[ROW_BLOCK_MAX] = {0};
    for (int32_t r = 0; r < block->count; r++)
        of_row[r].eccentricity = (int32_t)m->order.to_itself;
    if (!thread->used) /* first use by the thread itself, so that its memory is near it */
        start(thread, &m->order, m->n);
    /* Takes all rows at a time if columns are added up, otherwise one by one, in the order of
     * memory. */
    const int32_t rows = thread->in != NULL ? block->count : 1;
    for (int32_t r = 0; r < block->count; r += rows) {
        for (int32_t begin = 0; begin < block->n; begin += block_sizes.columns)
            take_tile(thread, &m->order, m->part, block, r, r + rows, begin, of_row);
    }
    for (int32_t r = 0; r < block->count; r++) {
        m->out[row_part_position(m->part, block->position[r])] = of_row[r];
        look_for_largest(thread, &m->order, m->part, of_row[r].eccentricity, block, r);
    }
    return STATUS_OK;
}

static enum status take_real(struct row_sink *self, const struct row_block *block,
                             struct error *err) {
    (void)err;
    struct measures *m = (struct measures *)self;
    struct measures_thread *thread = m->thread[omp_get_thread_num()];
    struct real_vertex_totals of_row[ROW_BLOCK_MAX];
    if (!thread->used) /* first use by the thread itself, so that its memory is near it */
        real_thread_forget(&thread->real, m->n);
    thread->used = true;
    real_thread_take(&thread->real, m->part, block, of_row);
    for (int32_t r = 0; r < block->count; r++) {
        m->real_out[row_part_position(m->part, block->position[r])] = of_row[r];
        look_for_largest(thread, &m->order, m->part, of_row[r].eccentricity, block, r);
    }
    return STATUS_OK;
}

/* Returns the number of threads for a loop that takes a step for each vertex. */
static int threads_for(const struct measures *m, int32_t vertices) {
    return threads_paid(m->threads, vertices, block_sizes.thread_steps);
}

static exact_sum reciprocals_of(const struct row_totals *t) {
    return (exact_sum)t->high * ((int64_t)1 << RECIPROCAL_HIGH_BITS) + t->low;
}

static void take_grid_totals(struct measures *m, const struct answer_totals *totals, int32_t rows,
                             int32_t n) {
    const struct row_part *const part = m->part;
    struct real_vertex_totals *const in = m->thread[0]->real.in;
#pragma omp parallel for schedule(static) num_threads(threads_for(m, rows))
    for (int32_t p = 0; p < rows; p++)
        m->real_out[row_part_position(part, p)] =
            real_vertex_on_grid(&totals->grid_out[p], totals->spacing, &m->summing);
    for (int32_t v = 0; v < n && in != NULL; v++) {
        const struct real_vertex_totals own =
            real_vertex_on_grid(&totals->grid_in[v], totals->spacing, &m->summing);
        real_vertex_add(&m->order, &in[row_part_vertex(part, v)], &own);
    }
    if (!m->sink.spares_reciprocals)
        real_counts_add(&m->thread[0]->real.counts, totals);
}

static enum status take_totals(struct row_sink *self, const struct answer_totals *totals,
                               struct error *err) {
    (void)err;
    struct measures *m = (struct measures *)self;
    const struct row_part *const part = m->part;
    const int32_t n = part != NULL ? part->n : m->n, rows = part != NULL ? part->count : m->count;
    struct measures_thread *thread = m->thread[0];
    struct distance_counts *counts = &thread->counts;
    if (!thread->used && m->type == NUMBER_INT32)
        start(thread, &m->order, m->n);
    else if (!thread->used)
        real_thread_forget(&thread->real, m->n);
    thread->used = true;
    if (totals->from >= 0 &&
        precedes(&m->order, totals->largest, row_part_vertex(part, totals->from), thread)) {
        thread->largest = totals->largest;
        thread->from = row_part_vertex(part, totals->from);
        thread->to = row_part_vertex(part, totals->to);
    }
    if (m->type != NUMBER_INT32) {
        take_grid_totals(m, totals, rows, n);
        return STATUS_OK;
    }
#pragma omp parallel for schedule(static) num_threads(threads_for(m, rows))
    for (int32_t p = 0; p < rows; p++) {
        const struct row_totals *t = &totals->out[p];
        add_vertex(&m->order, &m->out[row_part_position(part, p)], reciprocals_of(t), t->sum,
                   t->reached, t->farthest);
    }
    const int32_t columns = thread->in != NULL ? n : 0;
#pragma omp parallel for schedule(static) num_threads(threads_for(m, columns))
    for (int32_t v = 0; v < columns; v++) {
        const struct row_totals *t = &totals->in[v];
        add_vertex(&m->order, &thread->in[row_part_vertex(part, v)], reciprocals_of(t), t->sum,
                   t->reached, t->farthest);
    }
    widen(counts, 0, (int32_t)totals->largest);
    for (int32_t k = 0; k < totals->bins; k++) {
        if (totals->count[k] > 0)
            counts->count[(k >> (counts->at.shift - totals->shift)) - counts->at.first] +=
                totals->count[k];
    }
    return STATUS_OK;
}

static enum status begin_part(struct row_sink *self, const struct row_part *part,
                              struct error *err) {
    (void)err;
    ((struct measures *)self)->part = part;
    return STATUS_OK;
}

static void forget(struct measures *m) {
    for (int t = 0; t < m->threads && m->thread != NULL; t++) {
        if (m->thread[t] != NULL)
            memory_free(m->type == NUMBER_INT32 ? (void *)m->thread[t]->in
                                                : (void *)m->thread[t]->real.in);
        memory_free(m->thread[t]);
    }
    memory_free(m->thread);
    memory_free(m->source);
    memory_free(m->row_vertex);
    memory_free(m->out);
    memory_free(m->in);
    memory_free(m->real_out);
    memory_free(m->real_in);
    *m = (struct measures){.sink = m->sink,
                           .graph = m->graph,
                           .directed = m->directed,
                           .limit = m->limit,
                           .order = m->order,
                           .parts = m->parts,
                           .summing = m->summing};
}

static size_t vertex_size(enum number_type type) {
    return type == NUMBER_INT32 ? sizeof(struct vertex_totals) : sizeof(struct real_vertex_totals);
}

static enum status alloc_thread(struct measures *m, int t, enum isa isa, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, 1, thread_size(m->type), "measures of a thread", err));
    struct measures_thread *const thread = memory;
    m->thread[t] = thread;
    thread->used = false;
    thread->spares_reciprocals = m->sink.spares_reciprocals;
    thread->largest = m->order.is_sum ? -1 : m->order.greatest_is_best ? HUGE_VAL : -HUGE_VAL;
    thread->from = thread->to = 0;
    if (m->type == NUMBER_INT32) {
        thread->kernels = measures_kernels(isa);
        thread->in = NULL;
    } else {
        real_thread_init(&thread->real, real_measures_kernels(isa), &m->summing, &m->order,
                         thread->spares_reciprocals);
    }
    if (!m->sink.wants_columns)
        return STATUS_OK;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)m->n, vertex_size(m->type), "measures of a thread", err));
    if (m->type == NUMBER_INT32)
        thread->in = memory;
    else
        thread->real.in = memory;
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct measures *m = (struct measures *)self;
    void *memory;
    enum isa isa;
    (void)with_pred;
    forget(m);
    if (type != m->graph->type)
        return fail(err, STATUS_BAD_INPUT,
                    "expected distances of type %s, as the graph's, found %s",
                    number_name(m->graph->type), number_name(type));
    m->type = type;
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
        memory_alloc(&memory, (size_t)sources->count, vertex_size(type), "measures", err));
    clear_together(memory, (size_t)sources->count * vertex_size(type), threads);
    if (type == NUMBER_INT32)
        m->out = memory;
    else
        m->real_out = memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)threads, sizeof *m->thread, "measures of threads", err));
    m->thread = memory;
    memset(memory, 0, (size_t)threads * sizeof *m->thread);
    m->threads = threads;
    for (int t = 0; t < threads; t++)
        RETURN_ON_FAILURE(alloc_thread(m, t, isa, err));
    return STATUS_OK;
}

uint64_t measures_memory(enum number_type type, int32_t n, int32_t count, bool all, bool directed,
                         int threads) {
    const uint64_t vertex = vertex_size(type);
    const uint64_t inwards = all && directed ? memory_times((uint64_t)n, vertex) : 0;
    const uint64_t thread = memory_add(thread_size(type), inwards);
    const uint64_t of_sources = memory_times((uint64_t)count, vertex + (all ? 0 : sizeof(int32_t)));
    const uint64_t to_finish = all ? components_memory(n) : 0;
    return memory_add(memory_add(of_sources, to_finish), memory_times((uint64_t)threads, thread));
}

void measures_init(struct measures *m, const struct graph *g, int threads) {
    *m = (struct measures){.sink = {.begin = begin,
                                    .begin_part = begin_part,
                                    .take = take,
                                    .take_totals = take_totals},
                           .graph = g,
                           .limit = NO_LIMIT,
                           .order = length_order_of(g),
                           .parts = MEASURES_ALL,
                           .directed = graph_is_directed(g, threads)};
    if (g->type != NUMBER_INT32) {
        m->sink.take = take_real;
        m->summing = real_summing_for(g);
        if (m->summing.reciprocal == 0 && m->summing.distance == 0)
            m->sink.reciprocal_bits = m->summing.bits;
    }
}

void measures_choose(struct measures *m, unsigned parts) {
    m->parts = parts;
    m->sink.spares_reciprocals =
        (parts & (m->order.is_sum ? MEASURES_ALL : MEASURES_HISTOGRAM)) == 0;
}

void measures_free(struct measures *m) {
    forget(m);
    *m = (struct measures){0};
}

static void add_betweenness(const struct measures *m, int32_t v, struct any_totals *totals) {
    totals->betweenness = m->flows->betweenness[v];
    totals->centrality = m->flows->centrality[v];
}

/* Returns a sum of integers below 2^53; all their digits are at the levels of the sum. */
static exact_sum integer_of(struct binary_number number) {
    return number.exponent >= 0 ? number.value << number.exponent
                                : number.value >> -number.exponent;
}

static exact_sum exact_of(const struct real_sum *sum, int bits) {
    struct wide_sum wide = {.level = REAL_SUM_EMPTY};
    wide_sum_add(&wide, sum);
    return integer_of(wide_sum_number(&wide, bits));
}

struct any_totals measures_totals(const struct measures *m, bool inwards, int32_t position) {
    struct any_totals totals = {.n = m->n};
    if (position >= m->count) { /* a vertex that is no source has only betweenness */
        add_betweenness(m, measures_row_vertex(m, position), &totals);
        return totals;
    }
    if (m->type == NUMBER_INT32) {
        const struct vertex_totals *const v = &(inwards ? m->in : m->out)[position];
        totals =
            (struct any_totals){.reached = v->reached,
                                .exact_sum = v->sum,
                                .sum = (double)v->sum,
                                .eccentricity = v->eccentricity,
                                .reciprocals = ldexp((double)v->reciprocals, -RECIPROCAL_BITS)};
        if (!m->order.is_sum && v->eccentricity == m->order.to_itself)
            totals.eccentricity = copysign(HUGE_VAL, totals.eccentricity);
    } else {
        const struct real_vertex_totals *const v = &(inwards ? m->real_in : m->real_out)[position];
        const int bits = m->summing.bits;
        totals = (struct any_totals){
            .reached = v->reached,
            .exact_sum = m->graph->integral ? exact_of(&v->sum, bits) : 0,
            .sum = ldexp(real_sum_value(&v->sum, bits), -m->summing.distance),
            .eccentricity = v->eccentricity,
            .reciprocals = ldexp(real_sum_value(&v->reciprocals, bits), -m->summing.reciprocal)};
    }
    totals.n = m->n;
    if (m->flows != NULL)
        add_betweenness(m, measures_source(m, position), &totals);
    return totals;
}

double measures_eccentricity(const struct measures *m, int32_t position) {
    return m->type == NUMBER_INT32 ? m->out[position].eccentricity
                                   : m->real_out[position].eccentricity;
}

/* Puts the vertices of begin .. end - 1 with an eccentricity into `vertex`, or only counts them if
 * it is NULL. Stops at `room` vertices; returns how many it has met. */
static int32_t list_vertices(const struct measures *m, double eccentricity, int32_t begin,
                             int32_t end, int32_t *vertex, int32_t room) {
    int32_t count = 0;
    for (int32_t v = begin; v < end && count < room; v++) {
        if (measures_eccentricity(m, v) != eccentricity)
            continue;
        if (vertex != NULL)
            vertex[count] = v;
        count++;
    }
    return count;
}

int32_t measures_find_vertices(const struct measures *m, double eccentricity, int32_t *vertex,
                               int32_t room) {
    enum { CHUNKS = 256 };
    int32_t first[CHUNKS + 1]; /* index of the first vertex of each chunk in the list of all */
    const int threads = m->threads > 1 ? threads_for(m, m->n) : 1;
    first[0] = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int c = 0; c < CHUNKS; c++)
        first[c + 1] = list_vertices(m, eccentricity, (int32_t)chunk_begin(m->n, CHUNKS, c),
                                     (int32_t)chunk_begin(m->n, CHUNKS, c + 1), NULL, INT32_MAX);
    for (int c = 0; c < CHUNKS; c++)
        first[c + 1] += first[c];
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int c = 0; c < CHUNKS; c++) {
        const int32_t end = first[c + 1] < room ? first[c + 1] : room;
        if (first[c] < end)
            list_vertices(m, eccentricity, (int32_t)chunk_begin(m->n, CHUNKS, c), m->n,
                          vertex + first[c], end - first[c]);
    }
    return first[CHUNKS];
}

static int32_t reached_from(const struct measures *m, int32_t position) {
    return m->type == NUMBER_INT32 ? m->out[position].reached : m->real_out[position].reached;
}

/* Returns a / b, b in 1 .. 2^62, rounded once: divides to at least 62 bits, and sets the last bit
 * if there is a remainder. */
static double quotient(exact_sum a, int64_t b) {
    const exact_sum most = (exact_sum)1 << 124;
    exact_sum magnitude = a < 0 ? -a : a;
    int shift = 0;
    for (; magnitude != 0 && magnitude < most; shift++)
        magnitude *= 2;
    const exact_sum whole = magnitude / b | (magnitude % b != 0);
    return ldexp(a < 0 ? -(double)whole : (double)whole, -shift);
}

/* Returns the sum of all distances of all rows, or of all their reciprocals. */
static struct binary_number sum_real(const struct measures *m, bool reciprocals) {
    struct wide_sum sum = {.level = REAL_SUM_EMPTY};
    for (int32_t p = 0; p < m->count; p++)
        wide_sum_add(&sum, reciprocals ? &m->real_out[p].reciprocals : &m->real_out[p].sum);
    struct binary_number number = wide_sum_number(&sum, m->summing.bits);
    number.exponent -= reciprocals ? m->summing.reciprocal : m->summing.distance;
    return number;
}

/* Returns the sum of all reciprocals of all distances, rounded once. An exact_sum could be too
 * small for it, so it is high * 2^41 + low. */
static double sum_reciprocals(const struct measures *m) {
    if (m->type != NUMBER_INT32) {
        const struct binary_number sum = sum_real(m, true);
        return ldexp((double)sum.value, sum.exponent);
    }
    const exact_sum unit = (exact_sum)1 << RECIPROCAL_HIGH_BITS;
    exact_sum high = 0, low = 0;
    for (int32_t p = 0; p < m->count; p++) {
        high += m->out[p].reciprocals >> RECIPROCAL_HIGH_BITS;
        low += m->out[p].reciprocals & (unit - 1);
    }
    high += low >> RECIPROCAL_HIGH_BITS;
    low &= unit - 1;
    const exact_sum most = (exact_sum)1 << (126 - RECIPROCAL_HIGH_BITS);
    if (high < most && high > -most)
        return ldexp((double)(high * unit + low), -RECIPROCAL_BITS);
    return ldexp((double)(high | (low != 0)), -(RECIPROCAL_BITS - RECIPROCAL_HIGH_BITS));
}

/* Adds up the columns of all threads. */
static void merge_columns(struct measures *m) {
    struct vertex_totals *into = NULL;
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
            add_vertex(&m->order, &into[v], thread->in[v].reciprocals, thread->in[v].sum,
                       thread->in[v].reached, thread->in[v].eccentricity);
    }
}

/* Adds up the columns of real distances of all threads. */
static void merge_real_columns(struct measures *m) {
    for (int t = 0; t < m->threads; t++) {
        struct real_thread *const thread = &m->thread[t]->real;
        if (!m->thread[t]->used || thread->in == NULL)
            continue;
        if (m->real_in == NULL) {
            m->real_in = thread->in;
            thread->in = NULL;
            continue;
        }
#pragma omp parallel for schedule(static) num_threads(m->threads)
        for (int32_t v = 0; v < m->n; v++)
            real_vertex_add(&m->order, &m->real_in[v], &thread->in[v]);
    }
}

static enum status merge_real_histograms(const struct measures *m,
                                         struct distance_histogram *histogram, struct error *err) {
    const struct real_counts **counts;
    void *memory;
    int used = 0;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)m->threads, sizeof *counts, "measures of threads", err));
    counts = memory;
    for (int t = 0; t < m->threads; t++) {
        if (m->thread[t]->used)
            counts[used++] = &m->thread[t]->real.counts;
    }
    real_counts_merge(counts, used, m->count, histogram);
    memory_free(memory);
    return STATUS_OK;
}

static void merge_histograms(const struct measures *m, struct distance_histogram *histogram) {
    int32_t least = 0, farthest = 0, begin = 0, end = MEASURES_BINS;
    for (int t = 0; t < m->threads; t++) {
        struct distance_counts *counts = &m->thread[t]->counts;
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
    count[-first] -= m->count; /* leaves out the distance of each source to itself */
    while (begin < end && count[begin] == 0)
        begin++;
    while (begin < end && count[end - 1] == 0)
        end--;
    *histogram = (struct distance_histogram){.width = 1 << shift, .bins = end - begin};
    histogram->first = end == begin ? 0 : (first + begin) * histogram->width;
    memcpy(histogram->count, count + begin, (size_t)(end - begin) * sizeof *count);
}

/* Computes the sum of all distances, and their mean. */
static void finish_sums(const struct measures *m, struct pair_measures *pairs, int64_t with_path) {
    struct binary_number sum = {0, 0};
    if (m->type == NUMBER_INT32) {
        const int64_t unit = (int64_t)1 << 32;
        int64_t high = 0, low = 0; /* number of units in all rows' sums, and the sum of the rests */
#pragma omp parallel for schedule(static) num_threads(threads_for(m, m->count)) reduction(+ : high, low)
        for (int32_t p = 0; p < m->count; p++) {
            high += m->out[p].sum >> 32;
            low += m->out[p].sum & (unit - 1);
        }
        pairs->sum = (exact_sum)high * unit + low;
        sum.value = pairs->sum;
    } else {
        sum = sum_real(m, false);
        pairs->sum = m->graph->integral ? integer_of(sum) : 0;
    }
    pairs->real_sum = ldexp((double)sum.value, sum.exponent);
    pairs->average = with_path > 0 ? ldexp(quotient(sum.value, with_path), sum.exponent) : 0;
}

static enum status finish_pairs(const struct measures *m, struct pair_measures *pairs,
                                struct error *err) {
    int64_t with_path = 0;
    pairs->pairs = (int64_t)m->count * (m->n - 1);
#pragma omp parallel for schedule(static) num_threads(threads_for(m, m->count)) reduction(+ : with_path)
    for (int32_t p = 0; p < m->count; p++)
        with_path += reached_from(m, p) - 1;
    pairs->without_path = pairs->pairs - with_path;
    finish_sums(m, pairs, with_path);
    const struct measures_thread *best = m->thread[0];
    for (int t = 1; t < m->threads; t++) {
        const struct measures_thread *thread = m->thread[t];
        if (precedes(&m->order, thread->largest, thread->from, best))
            best = thread;
    }
    pairs->largest = best->largest;
    pairs->from = best->from;
    pairs->to = best->to;
    if ((m->parts & MEASURES_HISTOGRAM) == 0)
        return STATUS_OK;
    if (m->type != NUMBER_INT32)
        return merge_real_histograms(m, &pairs->histogram, err);
    merge_histograms(m, &pairs->histogram);
    return STATUS_OK;
}

static enum status finish_graph(const struct measures *m, struct graph_measures *of_graph,
                                struct error *err) {
    *of_graph = (struct graph_measures){.components = 1, .largest_component = m->n};
    if (m->pairs.without_path > 0)
        RETURN_ON_FAILURE(
            components_find(m->graph, &of_graph->components, &of_graph->largest_component, err));
    of_graph->diameter = measures_have_largest(m) ? m->pairs.largest : m->order.to_itself;
    double radius = measures_eccentricity(m, 0);
    const double sign = m->order.greatest_is_best ? -1 : 1;
    radius *= sign;
#pragma omp parallel for schedule(static) num_threads(threads_for(m, m->n)) reduction(min : radius)
    for (int32_t v = 1; v < m->n; v++) {
        const double eccentricity = sign * measures_eccentricity(m, v);
        radius = eccentricity < radius ? eccentricity : radius;
    }
    of_graph->radius = sign * radius;
    of_graph->average_shortest_path_length = m->pairs.average;
    of_graph->wiener_index = m->directed ? m->pairs.sum : m->pairs.sum / 2;
    of_graph->real_wiener_index = m->directed ? m->pairs.real_sum : m->pairs.real_sum / 2;
    of_graph->global_efficiency = m->n > 1 ? sum_reciprocals(m) / (double)m->pairs.pairs : 0;
    if ((m->parts & MEASURES_HARMONIC) == 0)
        of_graph->global_efficiency = NAN;
    return STATUS_OK;
}

/* Adds up the columns of all threads, unless that has been done. */
static void merge(struct measures *m) {
    if (m->in != NULL || m->real_in != NULL)
        return;
    if (m->type == NUMBER_INT32)
        merge_columns(m);
    else
        merge_real_columns(m);
}

/* Takes rows that another rank has summed up. A row that reaches no vertex is not that rank's. */
static enum status take_rows(void *self, int rank, size_t first, size_t count, const void *data,
                             struct error *err) {
    struct measures *const m = self;
    (void)rank, (void)err;
    for (size_t k = 0; k < count; k++) {
        if (m->type == NUMBER_INT32) {
            const struct vertex_totals *const theirs = (const struct vertex_totals *)data + k;
            m->out[first + k] = theirs->reached > 0 ? *theirs : m->out[first + k];
        } else {
            const struct real_vertex_totals *const theirs =
                (const struct real_vertex_totals *)data + k;
            m->real_out[first + k] = theirs->reached > 0 ? *theirs : m->real_out[first + k];
        }
    }
    return STATUS_OK;
}

/* Takes columns that another rank has added up. */
static enum status take_columns(void *self, int rank, size_t first, size_t count, const void *data,
                                struct error *err) {
    struct measures *const m = self;
    (void)rank, (void)err;
    for (size_t k = 0; k < count; k++) {
        if (m->type == NUMBER_INT32) {
            const struct vertex_totals *const theirs = (const struct vertex_totals *)data + k;
            add_vertex(&m->order, &m->in[first + k], theirs->reciprocals, theirs->sum,
                       theirs->reached, theirs->eccentricity);
        } else {
            real_vertex_add(&m->order, &m->real_in[first + k],
                            (const struct real_vertex_totals *)data + k);
        }
    }
    return STATUS_OK;
}

/* Takes a thread's totals from another rank as another thread of this process, without its columns.
 */
static enum status take_thread(void *self, int rank, size_t first, size_t count, const void *data,
                               struct error *err) {
    struct measures *const m = self;
    void *threads = m->thread, *thread;
    (void)rank, (void)first;
    for (size_t k = 0; k < count; k++) {
        RETURN_ON_FAILURE(memory_resize(&threads, (size_t)m->threads + 1, sizeof *m->thread,
                                        "measures of threads", err));
        m->thread = threads;
        RETURN_ON_FAILURE(
            memory_alloc(&thread, 1, thread_size(m->type), "measures of a thread", err));
        memcpy(thread, (const char *)data + k * thread_size(m->type), thread_size(m->type));
        m->thread[m->threads] = thread;
        if (m->type == NUMBER_INT32)
            m->thread[m->threads]->in = NULL;
        else
            m->thread[m->threads]->real.in = NULL;
        m->threads++;
    }
    return STATUS_OK;
}

enum status measures_gather(struct measures *m, const struct ranks *ranks, struct error *err) {
    const size_t size = vertex_size(m->type);
    const bool real = m->type != NUMBER_INT32;
    if (ranks->count == 1)
        return STATUS_OK;
    if (!m->thread[0]->used) { /* every rank sends columns */
        if (real)
            real_thread_forget(&m->thread[0]->real, m->n);
        else
            start(m->thread[0], &m->order, m->n);
        m->thread[0]->used = true;
    }
    merge(m);
    const void *const out = real ? (void *)m->real_out : (void *)m->out;
    const void *const in = real ? (void *)m->real_in : (void *)m->in;
    RETURN_ON_FAILURE(ranks_gather(ranks, out, (size_t)m->count, size, take_rows, m, err));
    if (m->sink.wants_columns)
        RETURN_ON_FAILURE(ranks_gather(ranks, in, (size_t)m->n, size, take_columns, m, err));
    const int own = m->threads;
    int least = -own; /* minus the most threads of a rank, since a rank with fewer rows may have
                         fewer threads */
    RETURN_ON_FAILURE(ranks_least(ranks, &least, err));
    enum status status = STATUS_OK;
    /* goes on after a failure at rank 0, since the other ranks still send */
    for (int t = 0; t < -least; t++) {
        struct error why;
        const enum status taken = ranks_gather(ranks, m->thread[t < own ? t : 0], t < own,
                                               thread_size(m->type), take_thread, m, &why);
        if (status == STATUS_OK && taken != STATUS_OK)
            *err = why;
        status = status == STATUS_OK ? taken : status;
    }
    return status;
}

enum status measures_add_flows(struct measures *m, const struct measured_flows *flows,
                               struct error *err) {
    void *memory;
    m->flows = flows;
    m->parts |= MEASURES_FLOWS;
    if (m->source == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)m->n, sizeof *m->row_vertex, "rows of a table", err));
    m->row_vertex = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)m->n, sizeof(bool), "rows of a table", err));
    bool *const is_source = memset(memory, 0, (size_t)m->n * sizeof(bool));
    int32_t rows = 0;
    for (; rows < m->count; rows++) {
        m->row_vertex[rows] = m->source[rows];
        is_source[m->source[rows]] = true;
    }
    for (int32_t v = 0; v < m->n; v++) {
        if (!is_source[v])
            m->row_vertex[rows++] = v;
    }
    memory_free(is_source);
    return STATUS_OK;
}

enum status measures_finish(struct measures *m, struct error *err) {
    merge(m);
    RETURN_ON_FAILURE(finish_pairs(m, &m->pairs, err));
    return measures_are_of_graph(m) ? finish_graph(m, &m->of_graph, err) : STATUS_OK;
}
