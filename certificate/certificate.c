// SPDX-License-Identifier: MIT
#include "certificate/certificate.h"

#include "certificate/check_kernels.h"  // struct check_kernels, UNREACHABLE, is_light
#include "common/base/lowest_failure.h" // struct lowest_failure
#include "common/base/memory.h"         // memory_alloc
#include "common/base/number_text.h"    // number_text
#include "common/base/threads.h"        // threads_worth

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = CHECK_LANES };
_Static_assert((int)CERTIFICATE_ROWS == (int)CHECK_LANES, "a block is a strip");

/* Up to LANES rows of a block, one in each lane; lanes beyond count repeat the first row. Vertex v
 * has lanes dist[v * LANES] .. */
struct certificate_prover {
    const struct check_kernels *kernels;
    const struct graph *g, *in;     /* the graph and its reverse */
    const struct zone_split *split; /* the split that made g; NULL: no zones */
    /* LANES rows of the split graph, wide_cells(n) apart; nothing without zones. */
    void *wide;
    int32_t *wide_pred;
    double limit;                /* no finite distance may be larger; NO_LIMIT: there is no limit */
    bool has_heavy;              /* some int32 weights are not light */
    const void *const *dist_row; /* rows of distances, of the graph's type */
    int32_t *const *pred_row;    /* NULL in a distances-only result */
    const int32_t *source;
    int32_t count;
    void *dist;    /* n * LANES */
    int32_t *pred; /* n * LANES; NULL in a distances-only result */
    /* A strip is plain if no sum of a finite distance and a weight reaches what stands for "no
     * path" in its lanes and, of int32 numbers, no weight is below 0. The sum of that and a weight
     * is not below it, so (c) needs only the least sum over the edges into a vertex. */
    bool plain;
    /* Every finite distance of the strip is less than its sum with any weight: all weights are
     * positive, and none vanishes in rounding. */
    bool grows;
    void *weight_to;  /* n: weight of the edge from each vertex to the one being checked */
    int32_t *scratch; /* 2 n */
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

/* The numbers that distances may be. */
enum { RANGE_TEXT = 40 };
static const char *range_text(const struct graph *g, char text[RANGE_TEXT]) {
    if (g->semiring == SEMIRING_MAX_PRODUCT)
        snprintf(text, RANGE_TEXT, "[0, 1]");
    else if (g->semiring != SEMIRING_MIN_PLUS)
        snprintf(text, RANGE_TEXT, "[-INF, INF]");
    else if (g->type == NUMBER_INT32)
        snprintf(text, RANGE_TEXT, "(-%d, %d)", INF, INF);
    else
        snprintf(text, RANGE_TEXT, "%s, inf]", g->min_weight < 0 ? "(-inf" : "[0");
    return text;
}

/* Formats a refutation, except of a size, without the note on the numbers of vertices. */
static enum status describe(const struct graph *g, double limit, const struct refutation *r,
                            struct error *err) {
    const struct vertex_name from = graph_name(g, r->i), to = graph_name(g, r->j);
    const char *const i = from.text, *const j = to.text;
    char distance[NUMBER_TEXT_MAX], via_distance[NUMBER_TEXT_MAX], edge_weight[NUMBER_TEXT_MAX];
    char range[RANGE_TEXT], limit_text[NUMBER_TEXT_MAX], itself[NUMBER_TEXT_MAX];
    const char *const d = number_text(r->type, r->distance, distance);
    const char *const to_via = number_text(r->type, r->via_distance, via_distance);
    const char *const weight = number_text(r->type, r->weight, edge_weight);
    if (r->reason == REFUTED_PREDECESSOR_NO_VERTEX)
        return fail(err, STATUS_REFUTED,
                    "check (a): predecessor of (%s, %s) is %d in the result, not a vertex", i, j,
                    r->via);
    const struct vertex_name between = graph_name(g, r->via < 0 || r->via >= g->n ? 0 : r->via);
    const char *const via = between.text;
    switch (r->reason) {
    case REFUTED_RANGE:
        return fail(err, STATUS_REFUTED, "check (a): distance from %s to %s is %s, outside %s", i,
                    j, d, range_text(g, range));
    case REFUTED_BEYOND_LIMIT:
        return fail(err, STATUS_REFUTED,
                    "check (a): distance from %s to %s is %s, larger than the limit of %s", i, j, d,
                    limit_digits(limit, limit_text));
    case REFUTED_DIAGONAL_DISTANCE:
        return fail(err, STATUS_REFUTED, "check (a): distance from %s to itself is %s, not %s", i,
                    d, number_text(r->type, semiring_to_itself(g->semiring, r->type), itself));
    case REFUTED_DIAGONAL_PREDECESSOR:
        return fail(err, STATUS_REFUTED, "check (a): predecessor of (%s, %s) is %s, not -1", i, j,
                    via);
    case REFUTED_PREDECESSOR_MISSING:
        return fail(err, STATUS_REFUTED,
                    "check (a): distance from %s to %s is %s, but there is no predecessor", i, j,
                    d);
    case REFUTED_PREDECESSOR_OF_UNREACHABLE:
        return fail(err, STATUS_REFUTED,
                    "check (a): %s is unreachable from %s, but has predecessor %s", j, i, via);
    case REFUTED_PREDECESSOR_ITSELF:
        return fail(err, STATUS_REFUTED,
                    "check (b): predecessor of (%s, %s) is %s itself, but no shortest path uses an "
                    "edge %s -> %s",
                    i, j, via, via, j);
    case REFUTED_PREDECESSOR_NO_NEIGHBOUR:
        return fail(err, STATUS_REFUTED,
                    "check (b): predecessor of (%s, %s) is %s, but there is no edge %s -> %s", i, j,
                    via, via, j);
    case REFUTED_PREDECESSOR_UNREACHABLE:
        return fail(err, STATUS_REFUTED,
                    "check (b): predecessor of (%s, %s) is %s, which is unreachable from %s", i, j,
                    via, i);
    case REFUTED_PREDECESSOR_SUM:
        return fail(err, STATUS_REFUTED,
                    "check (b): distance from %s to %s is %s, but its predecessor %s is at "
                    "distance %s and edge %s -> %s weighs %s",
                    i, j, d, via, to_via, via, j, weight);
    case REFUTED_PREDECESSOR_CYCLE:
        return fail(err, STATUS_REFUTED,
                    "check (b): predecessors of (%s, %s) run in a cycle through %s and never "
                    "reach %s",
                    i, j, via, i);
    case REFUTED_NO_TIGHT_PATH:
        return fail(err, STATUS_REFUTED,
                    "check (b): no path of length %s leads from %s to %s over tight edges", d, i,
                    j);
    case REFUTED_REACHABLE:
        return fail(err, STATUS_REFUTED,
                    "check (c): %s is given as unreachable from %s%s, but %s is at distance %s "
                    "and edge %s -> %s weighs %s",
                    j, i, limit < NO_LIMIT ? " within the limit" : "", via, to_via, via, j, weight);
    case REFUTED_TOO_LONG:
        return fail(err, STATUS_REFUTED,
                    "check (c): distance from %s to %s is %s, but %s is at distance %s and "
                    "edge %s -> %s weighs %s",
                    i, j, d, via, to_via, via, j, weight);
    case REFUTED_PREDECESSOR_NO_VERTEX:
    case REFUTED_SIZE:
        break;
    }
    return STATUS_REFUTED;
}

static enum status say(const struct certificate_prover *s, struct error *err) {
    const struct refutation *const r = &s->found;
    struct error reason = {0};
    if (s->split != NULL && r->reason == REFUTED_PREDECESSOR_NO_NEIGHBOUR &&
        r->via < s->split->zones)
        fail(&reason, STATUS_REFUTED,
             "check (b): predecessor of (%s, %s) is %s, a zone, and no path leads through zones",
             graph_name(s->g, r->i).text, graph_name(s->g, r->j).text,
             graph_name(s->g, r->via).text);
    else
        describe(s->g, s->limit, r, &reason);
    return fail(err, STATUS_REFUTED, "%.900s%s%s", reason.text, semiring_phrase(s->g->semiring),
                graph_numbering(s->g));
}

/* Refutes entry j of the row in a lane, with `via` if the reason has one. */
static enum status refute(struct certificate_prover *s, enum refutation_reason reason, int lane,
                          int32_t j, int32_t via) {
    const enum number_type type = s->g->type;
    const double distance = number_at(type, s->dist_row[lane], j);
    s->found = (struct refutation){reason, s->source[lane], j, distance, via, 0, 0, type};
    return STATUS_REFUTED;
}

/* Refutes entry j of the row in a lane by an edge via -> j. */
static enum status refute_by_edge(struct certificate_prover *s, enum refutation_reason reason,
                                  int lane, int32_t j, int32_t via, double weight) {
    refute(s, reason, lane, j, via);
    s->found.via_distance = number_at(s->g->type, s->dist_row[lane], via);
    s->found.weight = weight;
    return STATUS_REFUTED;
}

/* Checks (c) for the heavy edges into v in 64 bits, and finds the lanes in which one is tight. The
 * strip is not plain. */
static void check_heavy_edges(const struct certificate_prover *s, int32_t v,
                              struct lane_flags *flags) {
    const struct graph *in = s->in;
    const int64_t most = s->limit < NO_LIMIT ? (int64_t)s->limit : INT64_MAX;
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
                through <= most && (to[lane] == UNREACHABLE || to[lane] > through);
            flags->tight[lane] |= to[lane] != UNREACHABLE && to[lane] == through;
        }
    }
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

#define PASTE(name, suffix)  PASTE_(name, suffix)
#define PASTE_(name, suffix) name##suffix

#define FOR_SEMIRING             "certificate/certificate_type.h"
#define SUM_OF(a, b)             ((SUM)(a) + (SUM)(b))
#define PRODUCT_OF(a, b)         ((SUM)(a) * (SUM)(b))
#define LESSER_OF(a, b)          ((SUM)(a) < (SUM)(b) ? (SUM)(a) : (SUM)(b))
#define GREATER_OF(a, b)         ((SUM)(a) > (SUM)(b) ? (SUM)(a) : (SUM)(b))
#define REFUTES_SUM(through, to) ((to) > (through))
/* No real number is below 0 unless a weight is. */
#define LOWEST_SUM(g)            ((g)->type != NUMBER_INT32 && (g)->min_weight >= 0 ? 0 : LEAST)

/* No certified distance can use an edge of the weight that stands for no edge: its sum with any
 * distance below INF is below -INF. */
#define CELL                int32_t
#define SUM                 int64_t
#define WEIGHT              int32_t
#define WEIGHTS             weight
#define INFINITE            INF
#define HAS_PRODUCTS        0
#define UNREACHED           UNREACHABLE
#define LEAST               (-INF + 1)
#define BEYOND              INT32_MAX
#define BEFORE(d)           ((d)-1)
#define NO_EDGE             INT32_MIN
#define HALF_EPSILON        0.0
#define IS_NEGATIVE_ZERO(d) false
#define OF_TYPE(name)       PASTE(name, _i32)
#include "certificate/each_semiring.h"

/* Weights of graphs are finite. Sums are rounded to the type. */
#define CELL                float
#define SUM                 float
#define WEIGHT              double
#define WEIGHTS             real_weight
#define INFINITE            INFINITY
#define HAS_PRODUCTS        1
#define UNREACHED           INFINITY
#define LEAST               (-FLT_MAX)
#define BEYOND              INFINITY
#define BEFORE(d)           nextafterf(d, 0)
#define NO_EDGE             ((double)INFINITY)
#define HALF_EPSILON        0x1p-24
#define IS_NEGATIVE_ZERO(d) ((d) == 0 && signbit(d))
#define OF_TYPE(name)       PASTE(name, _f32)
#include "certificate/each_semiring.h"

#define CELL                double
#define SUM                 double
#define WEIGHT              double
#define WEIGHTS             real_weight
#define INFINITE            ((double)INFINITY)
#define HAS_PRODUCTS        1
#define UNREACHED           ((double)INFINITY)
#define LEAST               (-DBL_MAX)
#define BEYOND              ((double)INFINITY)
#define BEFORE(d)           nextafter(d, 0)
#define NO_EDGE             ((double)INFINITY)
#define HALF_EPSILON        0x1p-53
#define IS_NEGATIVE_ZERO(d) ((d) == 0 && signbit(d))
#define OF_TYPE(name)       PASTE(name, _f64)
#include "certificate/each_semiring.h"

#define CHECKS(suffix)                                                                             \
    { check_strip_##suffix, forget_weights_##suffix, search_tight_##suffix }

static const struct checks {
    enum status (*check_strip)(struct certificate_prover *s);
    void (*forget_weights)(struct certificate_prover *s);
    void (*search_tight)(const struct graph *g, const void *dist, int32_t i, int32_t *parent,
                         int32_t *queue);
} checks[SEMIRINGS][NUMBER_TYPES] = {
    [SEMIRING_MIN_PLUS] = {[NUMBER_INT32] = CHECKS(i32),
                           [NUMBER_FLOAT32] = CHECKS(f32),
                           [NUMBER_FLOAT64] = CHECKS(f64)},
    [SEMIRING_MIN_MAX] = {[NUMBER_INT32] = CHECKS(min_max_i32),
                          [NUMBER_FLOAT32] = CHECKS(min_max_f32),
                          [NUMBER_FLOAT64] = CHECKS(min_max_f64)},
    [SEMIRING_MAX_MIN] = {[NUMBER_INT32] = CHECKS(max_min_i32),
                          [NUMBER_FLOAT32] = CHECKS(max_min_f32),
                          [NUMBER_FLOAT64] = CHECKS(max_min_f64)},
    [SEMIRING_MAX_PRODUCT] =
        {[NUMBER_FLOAT32] = CHECKS(max_product_f32), [NUMBER_FLOAT64] = CHECKS(max_product_f64)},
};

static const struct checks *checks_of(const struct graph *g) {
    return &checks[g->semiring][g->type];
}

/* The parts of a thread's buffers, in bytes. */
struct strip_parts {
    size_t wide, wide_pred, dist, weight_to, pred, scratch;
};

/* Cells of a row of the split graph, which begins on a line of the cache. */
static size_t wide_cells(size_t n) {
    return (n + 15) / 16 * 16;
}

static struct strip_parts strip_parts(enum number_type type, size_t n, bool with_pred,
                                      bool with_zones) {
    const size_t wide = with_zones ? wide_cells(n) * LANES : 0;
    return (struct strip_parts){.wide = wide * number_size(type),
                                .wide_pred = with_pred ? wide * sizeof(int32_t) : 0,
                                .dist = n * LANES * number_size(type),
                                .weight_to =
                                    n * (type == NUMBER_INT32 ? sizeof(int32_t) : sizeof(double)),
                                .pred = with_pred ? n * LANES * sizeof(int32_t) : 0,
                                .scratch = 2 * n * sizeof(int32_t)};
}

static size_t strip_bytes(const struct strip_parts *parts) {
    return parts->wide + parts->wide_pred + parts->dist + parts->weight_to + parts->pred +
           parts->scratch;
}

int certificate_threads(int32_t n, int64_t m, int32_t rows, int threads) {
    const int32_t strips = (rows - 1) / LANES + 1;
    threads = threads_worth(threads, (double)rows * ((double)n + (double)m) / 4);
    return threads < strips ? threads : strips;
}

uint64_t certificate_memory(enum number_type type, int32_t n, int64_t m, int32_t rows,
                            bool with_pred, int threads) {
    const struct strip_parts parts = strip_parts(type, (size_t)n, with_pred, false);
    return memory_add(graph_memory_of(type, n, m),
                      (uint64_t)certificate_threads(n, m, rows, threads) * strip_bytes(&parts));
}

enum status certificate_check(const struct graph *g, double limit, struct error *err) {
    const double own = limit_for(g->type, limit);
    RETURN_ON_FAILURE(semiring_check_graph(g, err));
    if (g->semiring != SEMIRING_MIN_PLUS && own < NO_LIMIT)
        return fail(err, STATUS_BAD_INPUT, "%s: expected no limit on lengths, found one",
                    semiring_name(g->semiring));
    return limit_check(g, own, err);
}

enum status certificate_open(struct certificate *certificate, const struct graph *g, double limit,
                             bool with_pred, struct error *err) {
    *certificate =
        (struct certificate){.g = g, .limit = limit_for(g->type, limit), .with_pred = with_pred};
    RETURN_ON_FAILURE(certificate_check(g, limit, err));
    RETURN_ON_FAILURE(isa_choose(&certificate->isa, err));
    if (g->zones > 0) {
        RETURN_ON_FAILURE(zone_split_make(g, &certificate->split, err));
        certificate->g = &certificate->split.graph;
    }
    return graph_reverse(certificate->g, &certificate->in, err);
}

void certificate_close(struct certificate *certificate) {
    graph_free(&certificate->in);
    zone_split_free(&certificate->split);
    *certificate = (struct certificate){0};
}

enum status certificate_prover_alloc(const struct certificate *certificate,
                                     struct certificate_prover **prover, struct error *err) {
    const struct graph *const g = certificate->g;
    const bool with_zones = certificate->split.zones > 0;
    const struct strip_parts parts =
        strip_parts(g->type, (size_t)g->n, certificate->with_pred, with_zones);
    void *memory;
    const size_t lines = (sizeof **prover + 63) / 64 * 64; /* vectors are aligned */
    RETURN_ON_FAILURE(
        memory_alloc(&memory, lines + strip_bytes(&parts), 1, "the certificate", err));
    struct certificate_prover *const s = memory;
    *s = (struct certificate_prover){
        .kernels = check_kernels(certificate->isa),
        .g = g,
        .in = &certificate->in,
        .split = with_zones ? &certificate->split : NULL,
        .limit = certificate->limit,
        .has_heavy = g->type == NUMBER_INT32 && g->semiring == SEMIRING_MIN_PLUS &&
                     (!is_light((int32_t)g->max_weight) || !is_light((int32_t)g->min_weight))};
    s->wide = (char *)memory + lines;
    s->wide_pred = (int32_t *)((char *)s->wide + parts.wide);
    char *const at = (char *)memory + lines + parts.wide + parts.wide_pred;
    s->dist = at;
    s->weight_to = at + parts.dist;
    s->pred = parts.pred > 0 ? (int32_t *)(at + parts.dist + parts.weight_to) : NULL;
    s->scratch = (int32_t *)(at + parts.dist + parts.weight_to + parts.pred);
    checks_of(g)->forget_weights(s);
    *prover = s;
    return STATUS_OK;
}

void certificate_prover_free(struct certificate_prover *prover) {
    memory_free(prover);
}

/* Checks what the row of the split graph does not show: predecessors that are origins' numbers, and
 * the cell of a zone in its own row. */
static enum status check_before_split(struct certificate_prover *s, int lane) {
    const int32_t z = s->source[lane];
    for (int32_t v = 0; v < s->split->n && s->pred_row != NULL; v++) {
        if (s->pred_row[lane][v] >= s->split->n)
            return refute(s, REFUTED_PREDECESSOR_NO_VERTEX, lane, v, s->pred_row[lane][v]);
    }
    if (z >= s->split->zones)
        return STATUS_OK;
    const double d = number_at(s->g->type, s->dist_row[lane], z);
    if (!(d == 0) || signbit(d))
        return refute(s, REFUTED_DIAGONAL_DISTANCE, lane, z, -1);
    if (s->pred_row != NULL && s->pred_row[lane][z] != -1)
        return refute(s, REFUTED_DIAGONAL_PREDECESSOR, lane, z, s->pred_row[lane][z]);
    return STATUS_OK;
}

/* Checks a strip of a graph with zones as one of the split graph. */
static enum status check_split_strip(struct certificate_prover *s) {
    const size_t cells = wide_cells((size_t)s->g->n), size = number_size(s->g->type);
    const void *dist[LANES];
    int32_t *pred[LANES], source[LANES];
    for (int lane = 0; lane < s->count; lane++) {
        RETURN_ON_FAILURE(check_before_split(s, lane));
        void *const to = (char *)s->wide + (size_t)lane * cells * size;
        pred[lane] = s->pred_row != NULL ? s->wide_pred + (size_t)lane * cells : NULL;
        zone_split_claim(s->split, s->in, s->source[lane], s->limit, s->dist_row[lane],
                         s->pred_row != NULL ? s->pred_row[lane] : NULL, to, pred[lane]);
        dist[lane] = to;
        source[lane] = zone_split_source(s->split, s->source[lane]);
    }
    s->dist_row = dist;
    s->pred_row = s->pred_row != NULL ? pred : NULL;
    s->source = source;
    const enum status status = checks_of(s->g)->check_strip(s);
    s->dist_row = NULL;
    s->pred_row = NULL;
    s->source = NULL;
    return status;
}

/* Gives vertices of a refutation the numbers of the graph with zones. */
static void name_in_given(const struct zone_split *split, struct refutation *r) {
    r->i = split->vertex[r->i];
    r->j = split->vertex[r->j];
    if (r->via >= split->n && r->reason != REFUTED_PREDECESSOR_NO_VERTEX)
        r->via = split->vertex[r->via];
}

enum status certificate_prove(struct certificate_prover *prover, const struct row_block *block,
                              struct refutation *refutation, struct error *err) {
    const struct zone_split *const split = prover->split;
    for (int32_t first = 0; first < block->count; first += LANES) {
        prover->dist_row = (const void *const *)block->cells + first;
        prover->pred_row = block->pred != NULL ? block->pred + first : NULL;
        prover->source = block->source + first;
        prover->count = block->count - first < LANES ? block->count - first : LANES;
        if ((split != NULL ? check_split_strip(prover)
                           : checks_of(prover->g)->check_strip(prover)) == STATUS_OK)
            continue;
        *refutation = prover->found;
        const enum status status = say(prover, err);
        if (split != NULL)
            name_in_given(split, refutation);
        return status;
    }
    return STATUS_OK;
}

/* A proof on several threads. */
struct proof {
    struct row_reader *rows;
    int32_t strips, strips_done;
    struct lowest_failure unread, refuted; /* strips that could not be read, or be proved */
    struct refutation refutation;          /* why the lowest refuted strip is wrong */
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

enum status certify_reader(const struct graph *g, struct row_reader *rows, double limit,
                           int threads, struct progress *progress, struct refutation *refutation,
                           struct error *err) {
    struct certificate certificate = {0};
    const int32_t strips = (rows->sources.count - 1) / LANES + 1;
    struct proof proof = {.rows = rows, .strips = strips};
    enum status status = STATUS_OK;
    *refutation = (struct refutation){REFUTED_SIZE, -1, -1, 0, -1, 0, 0, g->type};
    if (rows->n != g->n)
        return fail(err, STATUS_REFUTED, "the result has %d vertices, the graph %d", rows->n, g->n);
    if (rows->type != g->type)
        return fail(err, STATUS_BAD_INPUT,
                    "expected distances of type %s, as the graph's, found %s", number_name(g->type),
                    number_name(rows->type));
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

enum status certify_rows(const struct graph *g, const struct row_sources *sources, double limit,
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

enum status certificate_tree(const struct graph *g, int32_t i, const void *dist,
                             const int32_t *pred, int32_t *parent, struct error *err) {
    if (pred != NULL) {
        memcpy(parent, pred, (size_t)g->n * sizeof *parent);
        return STATUS_OK;
    }
    void *queue;
    enum status status = memory_alloc(&queue, (size_t)g->n, sizeof *parent, "the paths", err);
    if (status != STATUS_OK)
        return status;
    checks_of(g)->search_tight(g, dist, i, parent, queue);
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
