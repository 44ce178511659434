// SPDX-License-Identifier: MIT
#include "common/certificate/certificate.h"

#include "common/base/lowest_failure.h"       // struct lowest_failure
#include "common/base/memory.h"               // memory_alloc
#include "common/base/threads.h"              // threads_worth
#include "common/certificate/check_kernels.h" // struct check_kernels, UNREACHABLE, is_light

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = CHECK_LANES };
_Static_assert((int)CERTIFICATE_ROWS == (int)CHECK_LANES, "a block is a strip");

/* The weight that stands for "no edge". No certified distance can use an edge of this weight:
 * D[i][p] + INT32_MIN is below -INF for every D[i][p] < INF. */
#define NO_EDGE INT32_MIN

/* Up to LANES rows of a block, one in each lane; lanes beyond count repeat the first row. Vertex v
 * has lanes dist[v * LANES] .. */
struct certificate_prover {
    const struct check_kernels *kernels;
    const struct graph *g, *in;                 /* the graph and its reverse */
    int32_t limit;                              /* the largest finite distance; or NO_LIMIT */
    int64_t most;                               /* (c) is for sums up to this */
    int32_t *const *dist_row, *const *pred_row; /* pred_row is NULL in a distances-only result */
    const int32_t *source;
    int32_t count;
    int32_t *dist, *pred; /* n * LANES; pred NULL in a distances-only result */
    /* A strip is plain if no weight is below 0 and the sum of any finite distance and weight is
     * less than INF. INF plus a weight is not, so (c) needs only the least sum over the edges into
     * a vertex. */
    bool plain;
    int32_t unreachable; /* stands for D = INF: INF if the strip is plain, else UNREACHABLE */
    int32_t *weight_to;  /* n: weight of the edge from each vertex to the one being checked */
    int32_t *scratch;    /* 2 n */
    struct refutation found;
};

static const struct {
    char check;
    bool has_edge;
    const char *name;
} reasons[] = {
    [REFUTED_SIZE] = {'-', false, "size"},
    [REFUTED_RANGE] = {'a', false, "distance out of range"},
    [REFUTED_BEYOND_LIMIT] = {'a', false, "distance beyond the limit"},
    [REFUTED_DIAGONAL_DISTANCE] = {'a', false, "distance to itself"},
    [REFUTED_PREDECESSOR_NO_VERTEX] = {'a', false, "predecessor is no vertex"},
    [REFUTED_DIAGONAL_PREDECESSOR] = {'a', false, "predecessor of itself"},
    [REFUTED_PREDECESSOR_MISSING] = {'a', false, "no predecessor"},
    [REFUTED_PREDECESSOR_OF_UNREACHABLE] = {'a', false, "predecessor of unreachable"},
    [REFUTED_PREDECESSOR_ITSELF] = {'b', false, "predecessor is the vertex itself"},
    [REFUTED_PREDECESSOR_NO_NEIGHBOUR] = {'b', false, "predecessor is no neighbour"},
    [REFUTED_PREDECESSOR_UNREACHABLE] = {'b', false, "predecessor is unreachable"},
    [REFUTED_PREDECESSOR_SUM] = {'b', true, "distance is not that by its predecessor"},
    [REFUTED_PREDECESSOR_CYCLE] = {'b', false, "predecessors in a cycle"},
    [REFUTED_NO_TIGHT_PATH] = {'b', false, "no path of that length"},
    [REFUTED_REACHABLE] = {'c', true, "reachable after all"},
    [REFUTED_TOO_LONG] = {'c', true, "an edge is shorter"},
};

char refutation_check(enum refutation_reason reason) {
    return reasons[reason].check;
}

const char *refutation_name(enum refutation_reason reason) {
    return reasons[reason].name;
}

bool refutation_has_edge(enum refutation_reason reason) {
    return reasons[reason].has_edge;
}

/* Formats a refutation, except of a size, without the note on the numbers of vertices. */
static enum status describe(const struct graph *g, int32_t limit, const struct refutation *r,
                            struct error *err) {
    const int32_t i = graph_number(g, r->i), j = graph_number(g, r->j);
    const int32_t d = r->distance, to_via = r->via_distance;
    if (r->reason == REFUTED_PREDECESSOR_NO_VERTEX)
        return fail(err, STATUS_REFUTED,
                    "check (a): predecessor of (%d, %d) is %d in the result, not a vertex", i, j,
                    r->via);
    const int32_t via = graph_number(g, r->via);
    switch (r->reason) {
    case REFUTED_RANGE:
        return fail(err, STATUS_REFUTED,
                    "check (a): distance from %d to %d is %d, outside (-%d, %d)", i, j, d, INF,
                    INF);
    case REFUTED_BEYOND_LIMIT:
        return fail(err, STATUS_REFUTED,
                    "check (a): distance from %d to %d is %d, larger than the limit of %d", i, j, d,
                    limit);
    case REFUTED_DIAGONAL_DISTANCE:
        return fail(err, STATUS_REFUTED, "check (a): distance from %d to itself is %d, not 0", i,
                    d);
    case REFUTED_DIAGONAL_PREDECESSOR:
        return fail(err, STATUS_REFUTED, "check (a): predecessor of (%d, %d) is %d, not -1", i, j,
                    via);
    case REFUTED_PREDECESSOR_MISSING:
        return fail(err, STATUS_REFUTED,
                    "check (a): distance from %d to %d is %d, but there is no predecessor", i, j,
                    d);
    case REFUTED_PREDECESSOR_OF_UNREACHABLE:
        return fail(err, STATUS_REFUTED,
                    "check (a): %d is unreachable from %d, but has predecessor %d", j, i, via);
    case REFUTED_PREDECESSOR_ITSELF:
        return fail(err, STATUS_REFUTED,
                    "check (b): predecessor of (%d, %d) is %d itself, but no shortest path uses an "
                    "edge %d -> %d",
                    i, j, via, via, j);
    case REFUTED_PREDECESSOR_NO_NEIGHBOUR:
        return fail(err, STATUS_REFUTED,
                    "check (b): predecessor of (%d, %d) is %d, but there is no edge %d -> %d", i, j,
                    via, via, j);
    case REFUTED_PREDECESSOR_UNREACHABLE:
        return fail(err, STATUS_REFUTED,
                    "check (b): predecessor of (%d, %d) is %d, which is unreachable from %d", i, j,
                    via, i);
    case REFUTED_PREDECESSOR_SUM:
        return fail(err, STATUS_REFUTED,
                    "check (b): distance from %d to %d is %d, but its predecessor %d is at "
                    "distance %d and edge %d -> %d weighs %d",
                    i, j, d, via, to_via, via, j, r->weight);
    case REFUTED_PREDECESSOR_CYCLE:
        return fail(err, STATUS_REFUTED,
                    "check (b): predecessors of (%d, %d) run in a cycle through %d and never "
                    "reach %d",
                    i, j, via, i);
    case REFUTED_NO_TIGHT_PATH:
        return fail(err, STATUS_REFUTED,
                    "check (b): no path of length %d leads from %d to %d over tight edges", d, i,
                    j);
    case REFUTED_REACHABLE:
        return fail(err, STATUS_REFUTED,
                    "check (c): %d is given as unreachable from %d%s, but %d is at distance %d "
                    "and edge %d -> %d weighs %d",
                    j, i, limit < NO_LIMIT ? " within the limit" : "", via, to_via, via, j,
                    r->weight);
    case REFUTED_TOO_LONG:
        return fail(err, STATUS_REFUTED,
                    "check (c): distance from %d to %d is %d, but %d is at distance %d and "
                    "edge %d -> %d weighs %d",
                    i, j, d, via, to_via, via, j, r->weight);
    case REFUTED_PREDECESSOR_NO_VERTEX:
    case REFUTED_SIZE:
        break;
    }
    return STATUS_REFUTED;
}

static enum status say(const struct certificate_prover *s, struct error *err) {
    struct error reason = {""};
    describe(s->g, s->limit, &s->found, &reason);
    return fail(err, STATUS_REFUTED, "%.900s%s", reason.text, graph_numbering(s->g));
}

/* Refutes entry j of the row in a lane, with `via` if the reason has one. */
static enum status refute(struct certificate_prover *s, enum refutation_reason reason, int lane,
                          int32_t j, int32_t via) {
    s->found = (struct refutation){reason, s->source[lane], j, s->dist_row[lane][j], via, 0, 0};
    return STATUS_REFUTED;
}

/* Refutes it by an edge via -> j. */
static enum status refute_by_edge(struct certificate_prover *s, enum refutation_reason reason,
                                  int lane, int32_t j, int32_t via, int32_t weight) {
    refute(s, reason, lane, j, via);
    s->found.via_distance = s->dist_row[lane][via];
    s->found.weight = weight;
    return STATUS_REFUTED;
}

static enum status refute_entry(struct certificate_prover *s, int lane, int32_t j) {
    const int32_t i = s->source[lane], d = s->dist_row[lane][j];
    if (d > INF || d <= -INF)
        return refute(s, REFUTED_RANGE, lane, j, -1);
    if (d > s->limit && d < INF)
        return refute(s, REFUTED_BEYOND_LIMIT, lane, j, -1);
    if (i == j && d != 0)
        return refute(s, REFUTED_DIAGONAL_DISTANCE, lane, j, -1);
    const int32_t p = s->pred_row[lane][j];
    return refute(s,
                  p < -1 || p >= s->g->n ? REFUTED_PREDECESSOR_NO_VERTEX
                  : i == j               ? REFUTED_DIAGONAL_PREDECESSOR
                  : p == -1              ? REFUTED_PREDECESSOR_MISSING
                                         : REFUTED_PREDECESSOR_OF_UNREACHABLE,
                  lane, j, p);
}

static bool entry_is_sound(const struct certificate_prover *s, int lane, int32_t j) {
    const int32_t i = s->source[lane], d = s->dist_row[lane][j];
    if ((d > s->limit && d != INF) || d <= -INF || (i == j && d != 0))
        return false;
    if (s->pred_row == NULL)
        return true;
    const int32_t p = s->pred_row[lane][j];
    return p >= -1 && p < s->g->n && (p == -1) == (d == INF || i == j);
}

static enum status check_entries(struct certificate_prover *s) {
    for (int lane = 0; lane < s->count; lane++) {
        const int32_t *pred = s->pred_row != NULL ? s->pred_row[lane] : NULL;
        if (s->kernels->row_is_sound(s->dist_row[lane], pred, s->g->n, s->source[lane], s->limit))
            continue;
        for (int32_t j = 0; j < s->g->n; j++) {
            if (!entry_is_sound(s, lane, j))
                return refute_entry(s, lane, j);
        }
    }
    return STATUS_OK;
}

/* Transposes `count` rows of n entries. */
static void transpose(int32_t *const *rows, int32_t n, int32_t count, int32_t *lanes) {
    enum { BLOCK = 16 }; /* columns at a time: one cache line of every row */
    for (int32_t block = 0; block < n; block += BLOCK) {
        int32_t width = n - block < BLOCK ? n - block : BLOCK;
        for (int lane = 0; lane < LANES; lane++) {
            const int32_t *row = rows[lane < count ? lane : 0] + block;
            int32_t *to = lanes + (size_t)block * LANES + lane;
            for (int32_t j = 0; j < width; j++)
                to[j * LANES] = row[j];
        }
    }
}

/* Checks (c) for the heavy edges into v in 64 bits, and finds the lanes in which one is tight. */
static void check_heavy_edges(const struct certificate_prover *s, int32_t v,
                              struct lane_flags *flags) {
    const struct graph *in = s->in;
    const int32_t *dist = s->dist;
    const int32_t *to = dist + (size_t)v * LANES;
    for (int64_t e = in->first[v]; e < in->first[v + 1]; e++) {
        const int32_t *from = dist + (size_t)in->head[e] * LANES;
        if (is_light(in->weight[e]))
            continue;
        for (int lane = 0; lane < LANES; lane++) {
            if (from[lane] == UNREACHABLE)
                continue;
            int64_t through = (int64_t)from[lane] + in->weight[e];
            flags->violated[lane] |=
                through <= s->most && (to[lane] == UNREACHABLE || to[lane] > through);
            flags->tight[lane] |= to[lane] != UNREACHABLE && to[lane] == through;
        }
    }
}

static enum status refute_edge(struct certificate_prover *s, int32_t v, int lane) {
    const int32_t to = s->dist[(size_t)v * LANES + (size_t)lane];
    for (int64_t e = s->in->first[v]; e < s->in->first[v + 1]; e++) {
        int32_t u = s->in->head[e], w = s->in->weight[e];
        int32_t from = s->dist[(size_t)u * LANES + (size_t)lane];
        if (from == s->unreachable || (int64_t)from + w > s->most)
            continue;
        if (to == s->unreachable)
            return refute_by_edge(s, REFUTED_REACHABLE, lane, v, u, w);
        if (to > (int64_t)from + w)
            return refute_by_edge(s, REFUTED_TOO_LONG, lane, v, u, w);
    }
    return refute(s, REFUTED_TOO_LONG, lane, v, v); /* not reached: a distance was too long */
}

/* Checks (c) for the edges into v and, without predecessors, that an edge into v is tight. */
static enum status check_edges_into(struct certificate_prover *s, int32_t v) {
    const int64_t first = s->in->first[v];
    const struct edges_from edges = {s->in->head + first, s->in->weight + first,
                                     s->in->first[v + 1] - first};
    const int32_t *to = s->dist + (size_t)v * LANES;
    struct lane_flags flags = {0};
    /* Sums over light edges are at most INT32_MAX. */
    const int32_t most = s->most < INT32_MAX ? (int32_t)s->most : INT32_MAX;
    if (s->plain)
        s->kernels->check_plain_edges(s->dist, &edges, to, most, &flags);
    else
        s->kernels->check_light_edges(s->dist, &edges, to, most, &flags);
    if (!is_light((int32_t)s->g->max_weight) || !is_light((int32_t)s->g->min_weight))
        check_heavy_edges(s, v, &flags);
    for (int lane = 0; lane < s->count; lane++) {
        if (flags.violated[lane])
            return refute_edge(s, v, lane);
    }
    for (int lane = 0; lane < s->count && s->pred == NULL; lane++) {
        if (!flags.tight[lane] && to[lane] != s->unreachable && v != s->source[lane])
            return refute(s, REFUTED_NO_TIGHT_PATH, lane, v, -1);
    }
    return STATUS_OK;
}

/* check_predecessors_of for one lane. */
static enum status check_predecessor(struct certificate_prover *s, int32_t v, int lane) {
    const int32_t p = s->pred[(size_t)v * LANES + (size_t)lane];
    if (p < 0)
        return STATUS_OK;
    const int32_t to = s->dist[(size_t)v * LANES + (size_t)lane];
    const int32_t from = s->dist[(size_t)p * LANES + (size_t)lane], weight = s->weight_to[p];
    if (p == v)
        return refute(s, REFUTED_PREDECESSOR_ITSELF, lane, v, p);
    if (weight == NO_EDGE)
        return refute(s, REFUTED_PREDECESSOR_NO_NEIGHBOUR, lane, v, p);
    if (from == s->unreachable)
        return refute(s, REFUTED_PREDECESSOR_UNREACHABLE, lane, v, p);
    if (to != (int64_t)from + weight)
        return refute_by_edge(s, REFUTED_PREDECESSOR_SUM, lane, v, p, weight);
    return STATUS_OK;
}

/* Checks (b) except its last clause: the last edge of every path to v exists and accounts for the
 * difference. weight_to holds NO_EDGE before and after. */
static enum status check_predecessors_of(struct certificate_prover *s, int32_t v) {
    enum status status = STATUS_OK;
    for (int64_t e = s->in->first[v]; e < s->in->first[v + 1]; e++)
        s->weight_to[s->in->head[e]] = s->in->weight[e];
    for (int lane = 0; lane < s->count && status == STATUS_OK; lane++)
        status = check_predecessor(s, v, lane);
    for (int64_t e = s->in->first[v]; e < s->in->first[v + 1]; e++)
        s->weight_to[s->in->head[e]] = NO_EDGE;
    return status;
}

/* Checks the last clause of (b) for one source: predecessors form a tree rooted at i. It visits
 * every vertex once: `walk` holds the walk that met it. */
static enum status check_tree(struct certificate_prover *s, int lane) {
    const int32_t i = s->source[lane];
    int32_t *walk = s->scratch;
    for (int32_t v = 0; v < s->g->n; v++)
        walk[v] = -1;
    walk[i] = s->g->n; /* known to reach the source */
    for (int32_t j = 0; j < s->g->n; j++) {
        int32_t v = j;
        while (v >= 0 && walk[v] < 0) {
            walk[v] = j;
            v = s->pred[(size_t)v * LANES + (size_t)lane];
        }
        if (v >= 0 && walk[v] == j)
            return refute(s, REFUTED_PREDECESSOR_CYCLE, lane, j, v);
    }
    return STATUS_OK;
}

/* Searches from i over tight edges: parent[v] is the vertex from which the search reached v, or -1
 * for i and if it did not. queue: scratch, n. */
static void search_tight(const struct graph *g, const int32_t *row, int32_t i, int32_t *parent,
                         int32_t *queue) {
    int32_t head = 0, tail = 0;
    for (int32_t v = 0; v < g->n; v++)
        parent[v] = -1;
    queue[tail++] = i;
    while (head < tail) {
        int32_t u = queue[head++];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int32_t v = g->head[e];
            if (v != i && parent[v] < 0 && row[v] != INF &&
                row[v] == (int64_t)row[u] + g->weight[e]) {
                parent[v] = u;
                queue[tail++] = v;
            }
        }
    }
}

/* Checks the last clause without predecessors: the search reaches every finite distance. */
static enum status check_tight_reach(struct certificate_prover *s, int lane) {
    const int32_t i = s->source[lane], n = s->g->n;
    const int32_t *row = s->dist_row[lane];
    int32_t *parent = s->scratch;
    search_tight(s->g, row, i, parent, s->scratch + n);
    for (int32_t j = 0; j < n; j++) {
        if (row[j] != INF && j != i && parent[j] < 0)
            return refute(s, REFUTED_NO_TIGHT_PATH, lane, j, -1);
    }
    return STATUS_OK;
}

/* Finds out whether the strip is plain, and sets the value that stands for INF. */
static void choose_unreachable(struct certificate_prover *s) {
    const size_t cells = (size_t)s->g->n * LANES;
    int32_t largest = 0;
    for (size_t k = 0; k < cells; k++) {
        const int32_t finite = s->dist[k] < INF ? s->dist[k] : 0;
        largest = finite > largest ? finite : largest;
    }
    s->plain = s->g->min_weight >= 0 && (int64_t)largest + s->g->max_weight < INF;
    s->unreachable = s->plain ? INF : UNREACHABLE;
    for (size_t k = 0; k < cells && !s->plain; k++)
        s->dist[k] = s->dist[k] == INF ? UNREACHABLE : s->dist[k];
}

static enum status check_strip(struct certificate_prover *s) {
    RETURN_ON_FAILURE(check_entries(s));
    transpose(s->dist_row, s->g->n, s->count, s->dist);
    choose_unreachable(s);
    if (s->pred != NULL)
        transpose(s->pred_row, s->g->n, s->count, s->pred);
    for (int32_t v = 0; v < s->g->n; v++) {
        RETURN_ON_FAILURE(check_edges_into(s, v));
        if (s->pred != NULL)
            RETURN_ON_FAILURE(check_predecessors_of(s, v));
    }
    /* If all weights are positive, distances decrease strictly along predecessors and tight edges,
     * so every chain ends, and only the source can end it. */
    for (int lane = 0; lane < s->count && s->g->min_weight <= 0; lane++)
        RETURN_ON_FAILURE(s->pred != NULL ? check_tree(s, lane) : check_tight_reach(s, lane));
    return STATUS_OK;
}

/* The size of a thread's buffers, in int32. */
static size_t strip_numbers(size_t n, bool with_pred) {
    return n * LANES * (with_pred ? 2 : 1) + 3 * n;
}

int certificate_threads(int32_t n, int64_t m, int32_t rows, int threads) {
    const int32_t strips = (rows - 1) / LANES + 1;
    threads = threads_worth(threads, (double)rows * ((double)n + (double)m) / 4);
    return threads < strips ? threads : strips;
}

uint64_t certificate_memory(int32_t n, int64_t m, int32_t rows, bool with_pred, int threads) {
    return memory_add(graph_memory(n, m), (uint64_t)certificate_threads(n, m, rows, threads) *
                                              strip_numbers((size_t)n, with_pred) *
                                              sizeof(int32_t));
}

enum status certificate_open(struct certificate *certificate, const struct graph *g, int32_t limit,
                             bool with_pred, struct error *err) {
    *certificate = (struct certificate){.g = g, .limit = limit, .with_pred = with_pred};
    RETURN_ON_FAILURE(limit_check(g, limit, err));
    RETURN_ON_FAILURE(isa_choose(&certificate->isa, err));
    return graph_reverse(g, &certificate->in, err);
}

void certificate_close(struct certificate *certificate) {
    graph_free(&certificate->in);
    *certificate = (struct certificate){0};
}

enum status certificate_prover_alloc(const struct certificate *certificate,
                                     struct certificate_prover **prover, struct error *err) {
    const size_t n = (size_t)certificate->g->n, cells = n * LANES;
    const size_t numbers = strip_numbers(n, certificate->with_pred);
    void *memory;
    const size_t lines = (sizeof **prover + 63) / 64 * 64; /* vectors are aligned */
    RETURN_ON_FAILURE(
        memory_alloc(&memory, lines + numbers * sizeof(int32_t), 1, "the certificate", err));
    struct certificate_prover *const s = memory;
    *s = (struct certificate_prover){.kernels = check_kernels(certificate->isa),
                                     .g = certificate->g,
                                     .in = &certificate->in,
                                     .limit = certificate->limit,
                                     .most = certificate->limit < NO_LIMIT ? certificate->limit
                                                                           : INT64_MAX};
    s->dist = (int32_t *)((char *)memory + lines);
    s->pred = certificate->with_pred ? s->dist + cells : NULL;
    s->weight_to = s->dist + cells * (certificate->with_pred ? 2 : 1);
    s->scratch = s->weight_to + n;
    for (size_t v = 0; v < n; v++)
        s->weight_to[v] = NO_EDGE;
    *prover = s;
    return STATUS_OK;
}

void certificate_prover_free(struct certificate_prover *prover) {
    memory_free(prover);
}

enum status certificate_prove(struct certificate_prover *prover, const struct row_block *block,
                              struct refutation *refutation, struct error *err) {
    for (int32_t first = 0; first < block->count; first += LANES) {
        prover->dist_row = block->dist + first;
        prover->pred_row = block->pred != NULL ? block->pred + first : NULL;
        prover->source = block->source + first;
        prover->count = block->count - first < LANES ? block->count - first : LANES;
        if (check_strip(prover) == STATUS_OK)
            continue;
        *refutation = prover->found;
        return say(prover, err);
    }
    return STATUS_OK;
}

/* A proof on several threads. */
struct proof {
    struct row_reader *rows;
    int32_t strips, strips_done;
    struct lowest_failure unread, refuted; /* strips that could not be read, or be proved */
    struct refutation refutation;          /* of the lowest strip that could not */
};

static void note_refuted(struct proof *p, int32_t strip, const struct refutation *refutation,
                         const struct error *why) {
#pragma omp critical
    if (lowest_failure_note(&p->refuted, strip, STATUS_REFUTED, why))
        p->refutation = *refutation;
}

/* Reads a strip, and proves it unless a lower one is wrong. */
static void prove_strip(struct proof *p, struct certificate_prover *prover, int32_t strip) {
    const int32_t first = strip * LANES, left = p->rows->sources.count - first;
    int32_t *pred_rows[ROW_BLOCK_MAX];
    struct row_block block;
    struct refutation found;
    struct error why;
    const bool matters = lowest_failure_allows(&p->refuted, strip);
    if (!lowest_failure_allows(&p->unread, strip) || (!matters && p->rows->end == NULL))
        return;
    const enum status read =
        p->rows->read(p->rows, first, left < LANES ? left : LANES, &block, pred_rows, &why);
    if (read != STATUS_OK)
        lowest_failure_note(&p->unread, strip, read, &why);
    else if (matters && certificate_prove(prover, &block, &found, &why) != STATUS_OK)
        note_refuted(p, strip, &found, &why);
}

static void report_rows(struct progress *progress, int32_t strips, int32_t rows) {
    const int64_t done = (int64_t)strips * LANES;
    progress_report(progress, done < rows ? done : rows, rows);
}

static void prove_strips(struct proof *p, const struct certificate *certificate, int threads,
                         struct progress *progress) {
#pragma omp parallel num_threads(threads)
    {
        struct certificate_prover *prover = NULL;
        struct error mine;
        const enum status allocated = certificate_prover_alloc(certificate, &prover, &mine);
        if (allocated != STATUS_OK)
            lowest_failure_note(&p->unread, 0, allocated, &mine);
#pragma omp for schedule(dynamic)
        for (int32_t strip = 0; strip < p->strips; strip++) {
            int32_t done;
            if (allocated != STATUS_OK || !progress_goes_on(progress))
                continue;
            prove_strip(p, prover, strip);
#pragma omp atomic capture
            done = ++p->strips_done;
            if (omp_get_thread_num() == 0)
                report_rows(progress, done, p->rows->sources.count);
        }
        certificate_prover_free(prover);
    }
}

enum status certify_reader(const struct graph *g, struct row_reader *rows, int32_t limit,
                           int threads, struct progress *progress, struct refutation *refutation,
                           struct error *err) {
    struct certificate certificate = {0};
    const int32_t strips = (rows->sources.count - 1) / LANES + 1;
    struct proof proof = {.rows = rows, .strips = strips};
    enum status status = STATUS_OK;
    *refutation = (struct refutation){REFUTED_SIZE, -1, -1, 0, -1, 0, 0};
    if (rows->n != g->n)
        return fail(err, STATUS_REFUTED, "the result has %d vertices, the graph %d", rows->n, g->n);
    threads = certificate_threads(g->n, g->m, rows->sources.count, threads);
    TRY(certificate_open(&certificate, g, limit, rows->with_pred, err));
    if (rows->begin != NULL)
        TRY(rows->begin(rows, threads, LANES, err));
    lowest_failure_begin(&proof.unread);
    lowest_failure_begin(&proof.refuted);
    prove_strips(&proof, &certificate, threads, progress);
    if (!progress_goes_on(progress)) /* strips were skipped */
        TRY(progress_cancelled(err));
    TRY(lowest_failure_end(&proof.unread, err));
    if (rows->end != NULL)
        TRY(rows->end(rows, err));
    status = lowest_failure_end(&proof.refuted, err);
    if (status != STATUS_OK)
        *refutation = proof.refutation;
cleanup:
    certificate_close(&certificate);
    return status;
}

enum status certify_rows(const struct graph *g, const struct row_sources *sources, int32_t limit,
                         const struct matrix *dist, const struct matrix *pred, int threads,
                         struct progress *progress, struct refutation *refutation,
                         struct error *err) {
    struct matrix_reader reader;
    matrix_reader_begin(&reader, sources, dist, pred);
    return certify_reader(g, &reader.reader, limit, threads, progress, refutation, err);
}

enum status certify_or_refute(const struct graph *g, const struct matrix *dist,
                              const struct matrix *pred, int threads, struct progress *progress,
                              struct refutation *refutation, struct error *err) {
    const struct row_sources all = {NULL, dist->n};
    struct refutation unused;
    return certify_rows(g, &all, NO_LIMIT, dist, pred, threads, progress,
                        refutation != NULL ? refutation : &unused, err);
}

enum status certificate_tree(const struct graph *g, int32_t i, const int32_t *dist,
                             const int32_t *pred, int32_t *parent, struct error *err) {
    if (pred != NULL) {
        memcpy(parent, pred, (size_t)g->n * sizeof *parent);
        return STATUS_OK;
    }
    void *queue;
    enum status status = memory_alloc(&queue, (size_t)g->n, sizeof *parent, "the paths", err);
    if (status != STATUS_OK)
        return status;
    search_tight(g, dist, i, parent, queue);
    memory_free(queue);
    return STATUS_OK;
}

void certificate_path_in(const int32_t *parent, int32_t i, int32_t j, int32_t *path,
                         int32_t *length) {
    *length = 0;
    if (i != j && parent[j] < 0)
        return;
    for (int32_t v = j; v >= 0; v = parent[v])
        path[(*length)++] = v;
    for (int32_t left = 0, right = *length - 1; left < right; left++, right--) {
        int32_t swapped = path[left];
        path[left] = path[right];
        path[right] = swapped;
    }
}

void certificate_path(const struct matrix *pred, int32_t i, int32_t j, int32_t *path,
                      int32_t *length) {
    certificate_path_in(matrix_row(pred, i), i, j, path, length);
}
