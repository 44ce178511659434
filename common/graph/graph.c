// SPDX-License-Identifier: MIT
#include "common/graph/graph.h"

#include "common/base/chunks.h"  // chunk_begin
#include "common/base/crc32.h"   // crc32_add
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth

#include <math.h>
#include <stdbool.h>
#include <string.h>

uint64_t graph_memory(int64_t n, int64_t m) {
    return graph_memory_of(NUMBER_INT32, n, m);
}

uint64_t graph_memory_of(enum number_type type, int64_t n, int64_t m) {
    const uint64_t edge =
        sizeof(int32_t) + (type == NUMBER_INT32 ? sizeof(int32_t) : sizeof(double));
    return memory_add(((uint64_t)n + 1) * sizeof(int64_t), memory_times((uint64_t)m, edge));
}

uint64_t graph_memory_to_build(int64_t n, int64_t edges) {
    return graph_memory_to_build_of(NUMBER_INT32, n, edges);
}

uint64_t graph_memory_to_build_of(enum number_type type, int64_t n, int64_t edges) {
    const uint64_t edge = type == NUMBER_INT32 ? sizeof(struct edge) : sizeof(struct real_edge);
    return memory_add(((uint64_t)n + 1) * sizeof(int64_t), memory_times((uint64_t)edges, 2 * edge));
}

void *graph_weights(const struct graph *g) {
    return g->type == NUMBER_INT32 ? (void *)g->weight : (void *)g->real_weight;
}

/* Returns the bytes of one weight. */
static size_t weight_bytes(const struct graph *g) {
    return g->type == NUMBER_INT32 ? sizeof *g->weight : sizeof *g->real_weight;
}

enum status graph_alloc(struct graph *g, int32_t n, int64_t m, enum number_type type,
                        struct error *err) {
    void *first = NULL, *head = NULL, *weight = NULL;
    const bool is_real = type != NUMBER_INT32;
    enum status status;
    TRY(memory_alloc(&first, (size_t)n + 1, sizeof *g->first, "the graph", err));
    TRY(memory_alloc(&head, (size_t)m, sizeof *g->head, "the graph", err));
    TRY(memory_alloc(&weight, (size_t)m, is_real ? sizeof *g->real_weight : sizeof *g->weight,
                     "the graph", err));
cleanup:
    *g = (struct graph){.n = n, .m = m, .first = first, .head = head, .type = type};
    if (is_real)
        g->real_weight = weight;
    else
        g->weight = weight;
    if (status != STATUS_OK)
        graph_free(g);
    return status;
}

/* Edges by ranges of their tails, so that threads sort them range by range. */
struct tail_buckets {
    int threads, chunks;
    int32_t n, count; /* numbers of vertices and of buckets; no buckets without edges */
    int shift;        /* a vertex is in the bucket of its number >> shift */
    int64_t *place;   /* chunks * count: place of the next edge of each chunk in each bucket */
    int64_t *first;   /* count + 1: place of the first edge of each bucket */
    int64_t *kept; /* count + 1: number of edges in each bucket that the graph keeps; later, in all
                      buckets before it */
};

static int32_t bucket_low(const struct tail_buckets *b, int32_t bucket) {
    return bucket < b->count ? bucket << b->shift : b->n;
}

static enum status buckets_alloc(struct tail_buckets *b, int32_t n, int64_t count,
                                 struct error *err) {
    /* the most buckets; the least binary logarithm of the vertices in a bucket */
    enum { MOST = 1024, LEAST = 6 };
    const int threads = threads_worth(0, (double)count);
    void *memory;
    *b = (struct tail_buckets){
        .threads = threads, .chunks = chunks_for(threads), .n = n, .shift = LEAST};
    while ((n - 1) >> b->shift >= MOST)
        b->shift++;
    b->count = count > 0 ? ((n - 1) >> b->shift) + 1 : 0;
    const size_t buckets = (size_t)b->count + 1;
    RETURN_ON_FAILURE(memory_alloc(&memory, ((size_t)b->chunks + 2) * buckets, sizeof(int64_t),
                                   "the graph", err));
    b->place = memory;
    b->first = b->place + (size_t)b->chunks * buckets;
    b->kept = b->first + buckets;
    return STATUS_OK;
}

static void buckets_free(struct tail_buckets *b) {
    memory_free(b->place);
}

/* Turns counts into places: edges of a bucket are next to each other, chunk by chunk. */
static void buckets_place(struct tail_buckets *b) {
    int64_t sum = 0;
    for (int32_t k = 0; k < b->count; k++) {
        b->first[k] = sum;
        for (int c = 0; c < b->chunks; c++) {
            int64_t *const place = &b->place[(size_t)c * (size_t)b->count + (size_t)k];
            const int64_t here = *place;
            *place = sum;
            sum += here;
        }
    }
    b->first[b->count] = sum;
}

#define EDGE     struct edge
#define WEIGHTS  weight
#define OF(name) name
#include "common/graph/graph_build.h"
#undef EDGE
#undef WEIGHTS
#undef OF

#define EDGE     struct real_edge
#define WEIGHTS  real_weight
#define OF(name) name##_real
#include "common/graph/graph_build.h"

static void find_extremes_of(struct graph *g) {
    if (g->type == NUMBER_INT32)
        find_extremes(g);
    else
        find_extremes_real(g);
}

int64_t graph_append_reverses(struct edge *edges, int64_t count) {
    return append_reverses(edges, count);
}

int64_t graph_append_reverses_real(struct real_edge *edges, int64_t count) {
    return append_reverses_real(edges, count);
}

enum status graph_build(struct graph *g, int32_t n, struct edge *edges, int64_t count,
                        struct error *err) {
    return graph_build_stoppable(g, n, edges, count, NULL, err);
}

enum status graph_build_stoppable(struct graph *g, int32_t n, struct edge *edges, int64_t count,
                                  const struct progress *progress, struct error *err) {
    return build(g, n, NUMBER_INT32, edges, count, count, progress, err);
}

/* Rounds the weights to the type and drops edges of infinite weight; returns how many are left. */
static int64_t round_weights(enum number_type type, struct real_edge *edges, int64_t count) {
    int64_t left = 0;
    for (int64_t e = 0; e < count; e++) {
        const double weight = number_rounded(type, edges[e].weight);
        if (isinf(weight))
            continue;
        edges[left] = edges[e];
        edges[left++].weight = weight + 0.0; /* -0 becomes 0 */
    }
    return left;
}

enum status graph_build_real(struct graph *g, int32_t n, enum number_type type,
                             struct real_edge *edges, int64_t count,
                             const struct progress *progress, struct error *err) {
    return build_real(g, n, type, edges, round_weights(type, edges, count), count, progress, err);
}

/* Negates weights: builders keep the lightest of parallel edges, and self-loops below 0, so in
 * negated weights they keep the heaviest. The least int32 has no negative, and gets a number beyond
 * INF instead. */
static void negate(struct edge *edges, int64_t count) {
    for (int64_t e = 0; e < count; e++)
        edges[e].weight = edges[e].weight == INT32_MIN ? INT32_MAX : -edges[e].weight;
}

static void negate_real(struct real_edge *edges, int64_t count) {
    for (int64_t e = 0; e < count; e++)
        edges[e].weight = -edges[e].weight;
}

/* Gives self-loops weights for which builders drop them. */
static void lift_loops(struct edge *edges, struct real_edge *real_edges, int64_t count) {
    for (int64_t e = 0; e < count; e++) {
        if (edges != NULL && edges[e].from == edges[e].to)
            edges[e].weight = 0;
        if (real_edges != NULL && real_edges[e].from == real_edges[e].to)
            real_edges[e].weight = 0;
    }
}

enum status graph_build_semiring(struct graph *g, int32_t n, enum semiring semiring,
                                 enum number_type type, struct edge *edges,
                                 struct real_edge *real_edges, int64_t count,
                                 const struct progress *progress, struct error *err) {
    const bool wants_greatest = semiring_wants_greatest(semiring), is_real = type != NUMBER_INT32;
    if (wants_greatest && is_real)
        negate_real(real_edges, count);
    else if (wants_greatest)
        negate(edges, count);
    lift_loops(edges, real_edges, count);
    RETURN_ON_FAILURE(is_real ? graph_build_real(g, n, type, real_edges, count, progress, err)
                              : graph_build_stoppable(g, n, edges, count, progress, err));
    g->semiring = semiring;
    for (int64_t e = 0; e < g->m && wants_greatest; e++) {
        if (!is_real)
            g->weight[e] = -g->weight[e];
        else
            g->real_weight[e] = 0.0 - g->real_weight[e]; /* the difference is not -0.0 */
    }
    find_extremes_of(g);
    return STATUS_OK;
}

bool graph_rows_are_ascending(int32_t n, const int64_t *first, const int32_t *head,
                              const double *real_weight) {
    for (int32_t v = 0; v < n; v++) {
        for (int64_t e = first[v]; e < first[v + 1]; e++) {
            if (e > first[v] && head[e] <= head[e - 1])
                return false;
            if (real_weight != NULL && !isfinite(real_weight[e]))
                return false;
        }
    }
    return true;
}

/* Stores the canonical form of rows in g, which has room for them or shares their memory. */
static void keep_rows(struct graph *g, const int64_t *first, const int32_t *head,
                      const int32_t *weight, const double *real_weight) {
    int64_t kept = 0;
    g->edges_read = first[g->n];
    for (int32_t v = 0; v < g->n; v++) {
        g->first[v] = kept;
        for (int64_t e = first[v]; e < first[v + 1]; e++) {
            if (head[e] == v && (real_weight != NULL ? real_weight[e] >= 0 : weight[e] >= 0))
                continue;
            g->head[kept] = head[e];
            if (real_weight != NULL)
                g->real_weight[kept++] = real_weight[e] + 0.0; /* -0 becomes 0 */
            else
                g->weight[kept++] = weight[e];
        }
    }
    g->first[g->n] = g->m = kept;
    find_extremes_of(g);
}

static enum number_type type_of_rows(const double *real_weight) {
    return real_weight != NULL ? NUMBER_FLOAT64 : NUMBER_INT32;
}

enum status graph_from_rows(struct graph *g, int32_t n, const int64_t *first, const int32_t *head,
                            const int32_t *weight, const double *real_weight, struct error *err) {
    RETURN_ON_FAILURE(graph_alloc(g, n, first[n], type_of_rows(real_weight), err));
    keep_rows(g, first, head, weight, real_weight);
    return STATUS_OK;
}

/* Returns the bytes of the edges that a graph borrows. */
static size_t borrowed_bytes(const struct graph *g) {
    return (size_t)g->m * (sizeof *g->head + weight_bytes(g));
}

enum status graph_borrow_rows(struct graph *g, int32_t n, const int64_t *first, int32_t *head,
                              int32_t *weight, double *real_weight, struct error *err) {
    void *own = NULL;
    enum status status;
    *g = (struct graph){0};
    TRY(memory_alloc(&own, (size_t)n + 1, sizeof *g->first, "the graph", err));
    *g = (struct graph){.n = n,
                        .first = own,
                        .head = head,
                        .type = type_of_rows(real_weight),
                        .weight = weight,
                        .real_weight = real_weight,
                        .borrows = true};
    keep_rows(g, first, head, weight, real_weight);
    TRY(memory_reserve(borrowed_bytes(g), "the graph", err));
    return STATUS_OK;
cleanup:
    memory_free(own);
    *g = (struct graph){0};
    return status;
}

enum status graph_copy(const struct graph *g, struct graph *copy, struct error *err) {
    RETURN_ON_FAILURE(graph_alloc(copy, g->n, g->m, g->type, err));
    copy->edges_read = g->edges_read;
    copy->naming = naming_share(&g->naming);
    copy->zones = g->zones;
    copy->semiring = g->semiring;
    copy->spacing = g->spacing;
    copy->farthest = g->farthest;
    copy->integral = g->integral;
    copy->min_weight = g->min_weight;
    copy->max_weight = g->max_weight;
    memcpy(copy->first, g->first, ((size_t)g->n + 1) * sizeof *g->first);
    memcpy(copy->head, g->head, (size_t)g->m * sizeof *g->head);
    memcpy(graph_weights(copy), graph_weights(g), (size_t)g->m * weight_bytes(g));
    return STATUS_OK;
}

int64_t graph_count_up_to(const struct graph *g, double most) {
    int64_t count = 0;
    for (int64_t e = 0; e < g->m; e++)
        count += graph_weight(g, e) <= most;
    return count;
}

/* Makes the graph of those `count` edges that weigh at most `most` and whose tails are marked;
 * marked is NULL if all are. */
static enum status copy_some(const struct graph *g, int64_t count, double most, const bool *marked,
                             struct graph *copy, struct error *err) {
    int64_t kept = 0;
    RETURN_ON_FAILURE(graph_alloc(copy, g->n, count, g->type, err));
    copy->edges_read = g->edges_read;
    copy->naming = naming_share(&g->naming);
    copy->zones = g->zones;
    copy->semiring = g->semiring;
    copy->spacing = g->spacing;
    copy->farthest = g->farthest;
    for (int32_t v = 0; v < g->n; v++) {
        copy->first[v] = kept;
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            if (!(graph_weight(g, e) <= most) || (marked != NULL && !marked[v]))
                continue;
            copy->head[kept] = g->head[e];
            if (g->type == NUMBER_INT32)
                copy->weight[kept++] = g->weight[e];
            else
                copy->real_weight[kept++] = g->real_weight[e];
        }
    }
    copy->first[g->n] = kept;
    find_extremes_of(copy);
    return STATUS_OK;
}

enum status graph_copy_up_to(const struct graph *g, double most, struct graph *copy,
                             struct error *err) {
    return copy_some(g, graph_count_up_to(g, most), most, NULL, copy, err);
}

enum status graph_copy_of_tails(const struct graph *g, const bool *marked, struct graph *copy,
                                struct error *err) {
    int64_t count = 0;
    for (int32_t v = 0; v < g->n; v++)
        count += marked[v] ? g->first[v + 1] - g->first[v] : 0;
    return copy_some(g, count, g->max_weight, marked, copy, err);
}

enum status graph_widen(const struct graph *g, struct graph *wide, struct error *err) {
    RETURN_ON_FAILURE(graph_alloc(wide, g->n, g->m, NUMBER_FLOAT64, err));
    wide->edges_read = g->edges_read;
    wide->naming = naming_share(&g->naming);
    wide->zones = g->zones;
    wide->integral = g->semiring == SEMIRING_MIN_PLUS && (g->integral || g->type == NUMBER_INT32);
    wide->semiring = g->semiring;
    wide->min_weight = g->min_weight;
    wide->max_weight = g->max_weight;
    memcpy(wide->first, g->first, ((size_t)g->n + 1) * sizeof *g->first);
    memcpy(wide->head, g->head, (size_t)g->m * sizeof *g->head);
    for (int64_t e = 0; e < g->m; e++)
        wide->real_weight[e] = graph_weight(g, e);
    return STATUS_OK;
}

enum status graph_reverse(const struct graph *g, struct graph *reversed, struct error *err) {
    RETURN_ON_FAILURE(graph_alloc(reversed, g->n, g->m, g->type, err));
    reversed->edges_read = g->edges_read;
    reversed->min_weight = g->min_weight;
    reversed->max_weight = g->max_weight;
    reversed->naming = naming_share(&g->naming);
    reversed->zones = g->zones;
    reversed->semiring = g->semiring;
    reversed->spacing = g->spacing;
    reversed->farthest = g->farthest;

    int64_t *first = reversed->first;
    memset(first, 0, ((size_t)g->n + 1) * sizeof *first);
    for (int64_t e = 0; e < g->m; e++)
        first[g->head[e] + 1]++;
    for (int32_t v = 0; v < g->n; v++)
        first[v + 1] += first[v];
    /* Filling has moved each row's start to its end; shifting by one row restores the starts. */
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int64_t at = first[g->head[e]]++;
            reversed->head[at] = u;
            if (g->type == NUMBER_INT32)
                reversed->weight[at] = g->weight[e];
            else
                reversed->real_weight[at] = g->real_weight[e];
        }
    }
    memmove(first + 1, first, (size_t)g->n * sizeof *first);
    first[0] = 0;
    return STATUS_OK;
}

static bool same_weight(const struct graph *g, int64_t a, int64_t b) {
    return g->type == NUMBER_INT32 ? g->weight[a] == g->weight[b]
                                   : g->real_weight[a] == g->real_weight[b];
}

/* Returns whether an edge of u to a lower vertex has no reverse of the same weight. If not, adds
 * the number of edges to higher vertices to *rising and subtracts the number of those to lower
 * ones. */
static bool falls_alone(const struct graph *g, int32_t u, int64_t *rising) {
    const int64_t first = g->first[u], end = g->first[u + 1];
    int64_t e = first;
    for (; e < end && g->head[e] < u; e++) {
        const int64_t reverse = graph_find_edge(g, g->head[e], u);
        if (reverse < 0 || !same_weight(g, reverse, e))
            return true;
    }
    const bool has_loop = e < end && g->head[e] == u;
    *rising += end - e - has_loop - (e - first);
    return false;
}

/* Where each edge to a lower vertex has its reverse, an edge to a higher one that has none makes
 * these more. */
bool graph_is_directed(const struct graph *g, int threads) {
    bool directed = false;
    int64_t rising = 0;
    threads = threads_paid(threads_or_default(threads), g->n + g->m, block_sizes.thread_entries);
    const int chunks = chunks_for(threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : rising)
    for (int c = 0; c < chunks; c++) {
        const int32_t end = (int32_t)chunk_begin(g->n, chunks, c + 1);
        bool found = false;
        for (int32_t u = (int32_t)chunk_begin(g->n, chunks, c); u < end && !found; u++) {
#pragma omp atomic read
            found = directed;
            found = found || falls_alone(g, u, &rising);
        }
        if (found) {
#pragma omp atomic write
            directed = true;
        }
    }
    return directed || rising != 0;
}

enum status graph_part(const struct graph *g, const int32_t *vertex, int32_t count, int32_t *number,
                       struct graph *part, int64_t *leaves, struct error *err) {
    int64_t m = 0;
    *leaves = -1;
    for (int32_t k = 0; k < count; k++) {
        number[vertex[k]] = k;
        m += g->first[vertex[k] + 1] - g->first[vertex[k]];
    }
    RETURN_ON_FAILURE(graph_alloc(part, count, m, g->type, err));
    part->naming = naming_of_part(&g->naming, vertex);
    part->semiring = g->semiring;
    part->spacing = g->spacing;
    part->farthest = g->farthest;
    m = 0;
    for (int32_t k = 0; k < count; k++) {
        part->first[k] = m;
        for (int64_t e = g->first[vertex[k]]; e < g->first[vertex[k] + 1]; e++) {
            const int32_t to = number[g->head[e]];
            if (to >= count || vertex[to] != g->head[e]) {
                *leaves = e;
                continue;
            }
            part->head[m] = to;
            if (g->type == NUMBER_INT32)
                part->weight[m++] = g->weight[e];
            else
                part->real_weight[m++] = g->real_weight[e];
        }
    }
    part->first[count] = part->m = part->edges_read = m;
    find_extremes_of(part);
    return STATUS_OK;
}

int32_t graph_hub(const struct graph *g) {
    int32_t hub = 0;
    for (int32_t v = 1; v < g->n; v++) {
        if (g->first[v + 1] - g->first[v] > g->first[hub + 1] - g->first[hub])
            hub = v;
    }
    return hub;
}

/* Narrows *low .. *high - 1, ascending heads one of which may be v, to fewer that have it then.
 * Begins where v would be if heads were spread evenly, and doubles its steps. */
static void narrow(const struct graph *g, int32_t v, int64_t *low, int64_t *high) {
    const int64_t at = *low + (int64_t)((double)(*high - *low) / g->n * v);
    int64_t step = 1;
    if (g->head[at] < v) {
        for (*low = at + 1; at + step < *high && g->head[at + step] < v; step *= 2)
            *low = at + step + 1;
        *high = at + step < *high ? at + step + 1 : *high;
    } else {
        for (*high = at + 1; at - step >= *low && g->head[at - step] >= v; step *= 2)
            *high = at - step + 1;
        *low = at - step >= *low ? at - step + 1 : *low;
    }
}

int64_t graph_find_edge(const struct graph *g, int32_t u, int32_t v) {
    enum { MANY = 16 };
    int64_t low = g->first[u], high = g->first[u + 1];
    if (high - low >= MANY)
        narrow(g, v, &low, &high);
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
    if (g->borrows) {
        memory_release(borrowed_bytes(g));
    } else {
        memory_free(g->head);
        memory_free(graph_weights(g));
    }
    naming_free(&g->naming);
    *g = (struct graph){0};
}

/* Adds integer weights to a checksum as numbers of 32 bits. */
static uint32_t add_narrow_weights(const struct graph *g, uint32_t crc) {
    enum { SOME = 1024 };
    int32_t some[SOME];
    for (int64_t e = 0; e < g->m; e += SOME) {
        const int count = g->m - e < SOME ? (int)(g->m - e) : SOME;
        for (int k = 0; k < count; k++)
            some[k] = (int32_t)g->real_weight[e + k];
        crc = crc32_add(crc, some, (size_t)count * sizeof *some);
    }
    return crc;
}

uint32_t graph_checksum(const struct graph *g) {
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                   "the checksum and .npy files are defined over little-endian integers");
    uint32_t crc = crc32_add(0, &g->n, sizeof g->n);
    if (g->zones > 0)
        crc = crc32_add(crc, &g->zones, sizeof g->zones);
    crc = crc32_add(crc, g->first, ((size_t)g->n + 1) * sizeof *g->first);
    crc = crc32_add(crc, g->head, (size_t)g->m * sizeof *g->head);
    if (g->integral && g->min_weight >= INT32_MIN && g->max_weight <= INT32_MAX)
        return add_narrow_weights(g, crc);
    crc = crc32_add(crc, graph_weights(g), (size_t)g->m * weight_bytes(g));
    if (g->type != NUMBER_INT32) /* equal weights of different types may have different sums */
        crc = crc32_add(crc, number_name(g->type), strlen(number_name(g->type)));
    return (uint32_t)crc;
}

void graph_to_rows(const struct graph *g, int32_t i, int32_t *dist_row, int32_t *pred_row) {
    for (int32_t j = 0; j < g->n; j++)
        dist_row[j] = INF;
    if (pred_row != NULL)
        memset(pred_row, 0xff, (size_t)g->n * sizeof *pred_row); /* sets all to -1 */
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
