// SPDX-License-Identifier: MIT
#include "flows/cpu_search_flows.h"

#include "common/base/exp_kernels.h" // exp_kernels
#include "common/base/isa.h"         // isa_choose
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default
#include "common/base/turns.h"
#include "flows/source_rows.h"   // struct source_rows
#include "flows/tight_kernels.h" // struct tight_edges
#include "solve/dijkstra.h"      // dijkstra_order

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <string.h>

/* Data that all threads share. */
struct flow_search {
    const struct cpu_search_flows_request *request;
    const struct graph *graph; /* the request's graph */
    bool is_real;              /* weights are of float64, otherwise of int32 */
    int32_t targets;           /* paths may end at the vertices below this number */
    bool ends;                 /* flow that ends and begins at each vertex is wanted */
    struct tight_edges in;     /* edges sorted by head */
    int64_t *edge;             /* by place in `in`: number of the edge in `graph`, m entries */
    void *in_memory;
    const struct tight_kernels *kernels;
    const struct exp_kernels *factors;
    struct source_rows_plan rows; /* if the graph is of int32 */
};

/* A vertex as seen from one source. */
struct seen {
    double to;        /* mass of the vertex as a target */
    double share;     /* flow through the vertex on the source's paths to other vertices */
    double paths;     /* number of shortest paths to the vertex; to be multiplied by 2^exponent */
    int32_t exponent; /* 0 unless the number of paths is beyond float64 */
};

/* An edge, and the flow over it from a group of sources. */
struct used {
    int32_t tail, head;
    double flow;
};

/* Memory of one thread; sums are those of one group of sources. */
struct flow_searcher {
    struct source_rows rows; /* if the graph is of int32 */
    struct dijkstra queue;   /* if the graph is of float64 */
    double *dist;            /* dist: distances if the graph is of float64; order: vertices in the
                                order of their distances; n entries each */
    int32_t *order;
    int32_t *key;                                         /* by vertex, n entries: number of
                                                             different distances below its own */
    struct seen *seen;                                    /* by vertex, n entries; `share` and
                                                             `paths` are 0 between sources */
    struct used *edge;                                    /* by place in `in`, m entries */
    double *vertex, *ends, *begins;                       /* sums of flow through each vertex, and
                                                             of what ends and begins there, n
                                                             entries each */
    tight_edge *tight;                                    /* memory for the tight edges of a row */
    tight_edge *scratch;                                  /* memory of the same size, for sorting
                                                             the tight edges */
    void *numbers, *integers, *vertices, *edges, *tights; /* memory of the arrays above */
    struct trip_totals totals;                            /* totals of the group of sources */
};

/* A source to search from. */
struct task {
    int32_t place;  /* number among the sources, or among the origins of trips */
    int32_t source; /* vertex at which the search begins */
    int32_t self;   /* the source as a target, to which it sends nothing; differs from `source` for
                       a split zone */
    double mass;    /* mass of the source */
};

// One source --------------------------------------------------------------------------------------

static int32_t place_of(tight_edge edge) {
    return (int32_t)(uint32_t)edge;
}

static uint32_t key_of(tight_edge edge) {
    return (uint32_t)(edge >> 32);
}

/* Sorts edges by keys up to `largest`, the lower digit first; equal keys keep their order. Returns
 * that of the two buffers in which the sorted edges are. Parts of the list are sorted side by side,
 * because in a list with many equal keys each edge waits for the one before it. */
static tight_edge *sort(tight_edge *edge, tight_edge *scratch, size_t count, uint32_t largest) {
    enum { PARTS = 4, DIGIT_BITS = 9, KEY_BITS = 32 };
    const int bits = largest > 0 ? KEY_BITS - __builtin_clz(largest) : 0;
    const int digits = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    const int width = digits > 0 ? (bits + digits - 1) / digits : 0;
    const uint32_t mask = ((uint32_t)1 << width) - 1;
    const size_t each = count / PARTS;
    for (int shift = 0; shift < digits * width; shift += width) {
        uint32_t place[PARTS][1 << DIGIT_BITS], before = 0;
        for (int part = 0; part < PARTS; part++)
            memset(place[part], 0, (mask + 1) * sizeof **place);
        for (size_t k = 0; k < each; k++) {
            for (size_t part = 0; part < PARTS; part++)
                place[part][key_of(edge[part * each + k]) >> shift & mask]++;
        }
        for (size_t k = PARTS * each; k < count; k++)
            place[PARTS - 1][key_of(edge[k]) >> shift & mask]++;
        for (uint32_t digit = 0; digit <= mask; digit++) {
            for (int part = 0; part < PARTS; part++) {
                const uint32_t own = place[part][digit];
                place[part][digit] = before;
                before += own;
            }
        }
        for (size_t k = 0; k < each; k++) {
            for (size_t part = 0; part < PARTS; part++) {
                const tight_edge next = edge[part * each + k];
                scratch[place[part][key_of(next) >> shift & mask]++] = next;
            }
        }
        for (size_t k = PARTS * each; k < count; k++)
            scratch[place[PARTS - 1][key_of(edge[k]) >> shift & mask]++] = edge[k];
        tight_edge *const sorted = scratch;
        scratch = edge;
        edge = sorted;
    }
    return edge;
}

/* Sets the key of every edge to that of its head. */
static void set_keys(const struct flow_search *s, const int32_t *key, tight_edge *tight,
                     size_t count) {
    for (size_t k = 0; k < count; k++) {
        const int32_t place = place_of(tight[k]);
        tight[k] = (tight_edge)(uint32_t)key[s->in.head[place]] << 32 | (uint32_t)place;
    }
}

/* Lists the tight edges of the distances in w->dist; stores the keys of their heads in w->key. */
static size_t list_f64(const struct flow_search *s, struct flow_searcher *w, int32_t reached) {
    const struct tight_edges *const in = &s->in;
    size_t count = 0;
    for (int32_t k = 0; k < reached; k++) {
        const int32_t v = w->order[k], before = w->order[k > 0 ? k - 1 : 0];
        w->key[v] = k == 0 ? 0 : w->key[before] + (w->dist[v] > w->dist[before]);
    }
    for (size_t at = 0; at < in->padded; at++) {
        const double to = w->dist[in->head[at]];
        w->tight[count] = (uint32_t)at;
        count += (size_t)((w->dist[in->tail[at]] + in->real_weight[at] == to) & (to < INFINITY));
    }
    set_keys(s, w->key, w->tight, count);
    return count;
}

/* Lists the tight edges so that each comes behind all tight edges into its tail, and those into one
 * head follow each other. row: distances, if the graph is of int32. *is_tree: no vertex has two
 * tight edges into it. */
static tight_edge *list_tight(const struct flow_search *s, struct flow_searcher *w,
                              const struct task *t, const int32_t *row, size_t *count,
                              bool *is_tree) {
    const int32_t n = s->graph->n, *key = row;
    tight_edge *tight = w->tight;
    int32_t reached = 0, largest = 0;
    if (s->is_real) {
        reached = dijkstra_order_f64(&w->queue, s->graph, t->source, w->dist, w->order);
        *count = list_f64(s, w, reached);
        key = w->key;
        largest = reached > 0 ? key[w->order[reached - 1]] : 0;
    } else {
        *count = s->kernels->list(&s->in, row, tight);
        reached = s->kernels->reached(row, n, &largest);
    }
    *is_tree = *count + 1 == (size_t)reached;
    if (s->request->rank != NULL) {
        set_keys(s, s->request->rank, tight, *count);
        tight = sort(tight, w->scratch, *count, (uint32_t)n);
        set_keys(s, key, tight, *count);
    }
    return sort(tight, tight == w->tight ? w->scratch : w->tight, *count, (uint32_t)largest);
}

/* Number of edges ahead of the current one whose memory is prefetched. */
enum { AHEAD = 16 };

/* Counts the shortest paths from the source to each vertex. Returns false if float64 cannot. */
static bool count_paths(const struct flow_searcher *w, int32_t n, int32_t source,
                        const tight_edge *tight, size_t count) {
    struct seen *const seen = w->seen;
    double most = 0;
    seen[source].paths = 1;
    for (size_t k = 0; k < count; k++) {
        const struct used *const edge = &w->edge[place_of(tight[k])];
        __builtin_prefetch(&w->edge[place_of(tight[k + AHEAD < count ? k + AHEAD : k])]);
        seen[edge->head].paths += seen[edge->tail].paths;
    }
    for (int32_t v = 0; v < n; v++)
        most = seen[v].paths > most ? seen[v].paths : most;
    return most <= DBL_MAX;
}

/* Counts the shortest paths where float64 cannot hold their numbers: as paths * 2^exponent. */
static void count_many(const struct flow_searcher *w, int32_t n, int32_t source,
                       const tight_edge *tight, size_t count) {
    struct seen *const seen = w->seen;
    for (int32_t v = 0; v < n; v++) {
        seen[v].paths = v == source;
        seen[v].exponent = 0;
    }
    for (size_t k = 0; k < count; k++) {
        const struct used *const edge = &w->edge[place_of(tight[k])];
        const struct seen *const u = &seen[edge->tail];
        struct seen *const v = &seen[edge->head];
        if (v->paths == 0 || u->exponent > v->exponent) {
            v->paths = v->paths == 0 ? 0 : ldexp(v->paths, v->exponent - u->exponent);
            v->exponent = u->exponent;
        }
        v->paths += ldexp(u->paths, u->exponent - v->exponent);
        if (k + 1 == count || w->edge[place_of(tight[k + 1])].head != edge->head) {
            int shift;
            v->paths = frexp(v->paths, &shift);
            v->exponent += shift;
        }
    }
}

/* Functions that return the share of the paths to v that lead over a tight edge from u. If that is
 * the only edge into v: all. */
static inline double part_of_one(const struct seen *u, const struct seen *v) {
    (void)u, (void)v;
    return 1;
}

/* By numbers of paths. */
static inline double part_of_paths(const struct seen *u, const struct seen *v) {
    return u->paths / v->paths;
}

/* By numbers of paths that float64 cannot hold. */
static inline double part_of_many(const struct seen *u, const struct seen *v) {
    return ldexp(u->paths / v->paths, u->exponent - v->exponent);
}

/* Adds the share of each vertex to those of the vertices before it, from the farthest vertex on
 * (Brandes 2001). */
static inline void hand_back(const struct flow_searcher *w, double mass, const tight_edge *tight,
                             size_t count,
                             double (*part)(const struct seen *u, const struct seen *v)) {
    for (size_t k = count; k-- > 0;) {
        struct used *const edge = &w->edge[place_of(tight[k])];
        __builtin_prefetch(&w->edge[place_of(tight[k > AHEAD ? k - AHEAD : 0])], 1);
        struct seen *const u = &w->seen[edge->tail];
        const struct seen *const v = &w->seen[edge->head];
        const double own = part(u, v) * (v->to + v->share);
        u->share += own;
        edge->flow += mass * own;
    }
}

/* Returns the distance of a vertex; infinite if it is not reached. */
static double distance_to(const struct flow_search *s, const struct flow_searcher *w,
                          const int32_t *row, int32_t v) {
    return s->is_real ? w->dist[v] : row[v] < INF ? (double)row[v] : (double)INFINITY;
}

/* Returns the mass of a vertex as a target, without decay. The origin vertex of a split zone is no
 * target. */
static double mass_at(const struct flow_search *s, int32_t v) {
    const double *const to_mass = s->request->by.to_mass;
    return s->request->trips != NULL || v >= s->targets ? 0 : to_mass == NULL ? 1 : to_mass[v];
}

/* Sets the mass of each vertex as a target, decayed by its distance. */
static void decay_masses(const struct flow_search *s, struct flow_searcher *w, const int32_t *row) {
    enum { BLOCK = 8 * EXP_PAD };
    const int32_t n = s->targets;
    for (int32_t first = 0; first < n; first += BLOCK) {
        const int32_t count = n - first < BLOCK ? n - first : BLOCK;
        _Alignas(64) double length[BLOCK] = {0}, factor[BLOCK];
        for (int32_t k = 0; k < count; k++)
            length[k] = distance_to(s, w, row, first + k);
        s->factors->of_lengths(length, BLOCK, s->request->by.rate, factor);
        for (int32_t k = 0; k < count; k++)
            w->seen[first + k].to = factor[k] * mass_at(s, first + k);
    }
}

/* Adds the flow from a source that ends at each vertex, and all that begins at the source. */
static void add_ends(const struct flow_search *s, struct flow_searcher *w, const struct task *t,
                     const int32_t *row) {
    double all = 0;
    for (int32_t v = 0; v < s->targets; v++) {
        const double to = distance_to(s, w, row, v) < INFINITY ? w->seen[v].to : 0;
        w->ends[v] += t->mass * to;
        all += to;
    }
    w->begins[t->source] += t->mass * all;
}

/* Adds the dependencies of one source. row: its distances, if the graph is of int32; otherwise they
 * are in w->dist. */
static void add_source(const struct flow_search *s, struct flow_searcher *w, const struct task *t,
                       const int32_t *row) {
    const bool decays = s->request->by.rate > 0, endpoints = s->request->by.endpoints;
    const int32_t n = s->graph->n;
    size_t count;
    bool is_tree;
    const tight_edge *const tight = list_tight(s, w, t, row, &count, &is_tree);
    if (decays)
        decay_masses(s, w, row);
    /* A path from a split zone to itself would be a way round, but trips that stay there take
     * none. */
    const double to_self = decays ? mass_at(s, t->self) : w->seen[t->self].to;
    const double at_source = w->vertex[t->source];
    w->seen[t->self].to = 0;
    if (s->ends)
        add_ends(s, w, t, row);
    if (is_tree) {
        hand_back(w, t->mass, tight, count, part_of_one);
    } else if (count_paths(w, n, t->source, tight, count)) {
        hand_back(w, t->mass, tight, count, part_of_paths);
    } else {
        count_many(w, n, t->source, tight, count);
        hand_back(w, t->mass, tight, count, part_of_many);
    }
    for (int32_t v = 0; v < n && endpoints; v++)
        w->vertex[v] += distance_to(s, w, row, v) < INFINITY ? t->mass * w->seen[v].to : 0;
    for (int32_t v = 0; v < n; v++) {
        w->vertex[v] += t->mass * w->seen[v].share;
        w->seen[v].share = 0;
        w->seen[v].paths = 0;
    }
    if (!endpoints)
        w->vertex[t->source] = at_source; /* paths do not lead through their own source */
    w->seen[t->self].to = to_self;
}

/* Adds up the totals of the trips of an origin, after the search from it. */
static void add_totals(const struct flow_search *s, struct flow_searcher *w, const struct task *t,
                       const int32_t *row) {
    const struct trips *const trips = s->request->trips;
    struct trip_totals *const sum = &w->totals;
    for (int64_t k = trips->first[t->place]; k < trips->first[t->place + 1]; k++) {
        const int32_t v = trips->to[k];
        const double count = trips->count[k], distance = distance_to(s, w, row, v);
        if (v == t->self) {
            sum->stay += count;
        } else if (distance < INFINITY) {
            sum->arrive += count;
            sum->length += count * (distance * s->request->unit);
        } else {
            sum->lost += count;
            if (sum->lost_pairs++ == 0) {
                sum->lost_from = t->self;
                sum->lost_to = v;
            }
        }
    }
}

/* Adds one source, or the trips from one origin. */
static void add_task(const struct flow_search *s, struct flow_searcher *w, const struct task *t,
                     const int32_t *row) {
    const struct trips *const trips = s->request->trips;
    if (trips == NULL) {
        add_source(s, w, t, row);
        return;
    }
    for (int64_t k = trips->first[t->place]; k < trips->first[t->place + 1]; k++)
        w->seen[trips->to[k]].to = trips->count[k];
    add_source(s, w, t, row);
    add_totals(s, w, t, row);
    for (int64_t k = trips->first[t->place]; k < trips->first[t->place + 1]; k++)
        w->seen[trips->to[k]].to = 0;
}

// Edges by head -----------------------------------------------------------------------------------

/* Makes the list of edges sorted by head, then by tail. */
static enum status find_in_edges(struct flow_search *s, struct error *err) {
    const struct graph *const g = s->graph;
    const size_t m = (size_t)g->m, padded = (m + TIGHT_PAD - 1) / TIGHT_PAD * TIGHT_PAD;
    const size_t numbers = (size_t)g->n + 1 + m;
    const size_t bytes =
        numbers * sizeof(int64_t) +
        padded * (2 * sizeof(int32_t) + (s->is_real ? sizeof(double) : sizeof(int32_t)));
    void *memory;
    if (g->m > INT32_MAX - TIGHT_PAD)
        return fail(err, STATUS_NO_RESOURCE,
                    "%s: expected fewer than 2^31 - 16 edges, found %" PRId64, s->request->name,
                    g->m);
    RETURN_ON_FAILURE(memory_alloc(&memory, bytes, 1, "edges by head", err));
    s->in_memory = memory;
    int64_t *const next = memset(memory, 0, bytes);
    s->edge = next + g->n + 1;
    void *const weights = s->edge + m, *const ends =
                                           (char *)memory + bytes - padded * 2 * sizeof(int32_t);
    int32_t *const tail = ends, *const head = tail + padded;
    int32_t *const weight = s->is_real ? NULL : weights;
    double *const real_weight = s->is_real ? weights : NULL;
    s->in = (struct tight_edges){
        .padded = padded, .tail = tail, .head = head, .weight = weight, .real_weight = real_weight};
    for (int64_t e = 0; e < g->m; e++)
        next[g->head[e] + 1]++;
    for (int32_t v = 0; v < g->n; v++)
        next[v + 1] += next[v];
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t at = next[g->head[e]]++;
            tail[at] = u;
            head[at] = g->head[e];
            s->edge[at] = e;
            if (s->is_real)
                real_weight[at] = g->real_weight[e];
            else
                weight[at] = g->weight[e];
        }
    }
    for (size_t at = m; at < padded; at++) { /* fills up with loops of weight > 0, which are never
                                                tight */
        if (s->is_real)
            real_weight[at] = INFINITY;
        else
            weight[at] = 1;
    }
    return STATUS_OK;
}

// Threads -----------------------------------------------------------------------------------------

/* Returns the number of sources of a group. The values of a group are summed first, and groups are
 * added in their order, so that sums do not depend on threads. With many sources, the size of a
 * group is a multiple of the number of sources that are searched from at a time. */
static int32_t group_size(int32_t sources) {
    enum { GROUPS = 256, FEW = 1024, LEAST = 16 };
    const int32_t each = (sources - 1) / GROUPS + 1;
    return sources < FEW ? LEAST : ((each - 1) / SOURCE_ROWS + 1) * SOURCE_ROWS;
}

static void searcher_free(struct flow_searcher *w) {
    source_rows_free(&w->rows);
    dijkstra_free(&w->queue);
    memory_free(w->numbers);
    memory_free(w->integers);
    memory_free(w->vertices);
    memory_free(w->edges);
    memory_free(w->tights);
}

static enum status searcher_alloc(struct flow_searcher *w, struct flow_search *s,
                                  struct error *err) {
    static const char what[] = "betweenness";
    const size_t n = (size_t)s->graph->n, m = s->in.padded;
    *w = (struct flow_searcher){.dist = NULL};
    if (s->is_real)
        RETURN_ON_FAILURE(dijkstra_alloc(&w->queue, s->graph->n, true, err));
    else
        RETURN_ON_FAILURE(source_rows_alloc(&w->rows, &s->rows, err));
    RETURN_ON_FAILURE(memory_alloc(&w->numbers, n, 4 * sizeof(double), what, err));
    RETURN_ON_FAILURE(memory_alloc(&w->integers, n, 2 * sizeof(int32_t), what, err));
    RETURN_ON_FAILURE(memory_alloc(&w->vertices, n, sizeof *w->seen, what, err));
    RETURN_ON_FAILURE(memory_alloc(&w->edges, m, sizeof *w->edge, what, err));
    RETURN_ON_FAILURE(
        memory_alloc(&w->tights, 2 * (m + TIGHT_PAD), sizeof(tight_edge), "tight edges", err));
    w->dist = w->numbers;
    w->vertex = w->dist + n;
    w->ends = w->vertex + n;
    w->begins = w->ends + n;
    w->order = w->integers;
    w->key = w->order + n;
    w->seen = w->vertices;
    w->edge = w->edges;
    w->tight = w->tights;
    w->scratch = w->tight + m + TIGHT_PAD;
    for (size_t v = 0; v < n; v++)
        w->seen[v] = (struct seen){.to = mass_at(s, (int32_t)v)};
    for (size_t at = 0; at < m; at++)
        w->edge[at] = (struct used){.tail = s->in.tail[at], .head = s->in.head[at]};
    return STATUS_OK;
}

static void forget(const struct flow_search *s, struct flow_searcher *w) {
    memset(w->vertex, 0, (s->ends ? 3 : 1) * (size_t)s->graph->n * sizeof *w->vertex);
    w->totals = (struct trip_totals){.lost_from = -1, .lost_to = -1};
    for (size_t at = 0; at < s->in.padded; at++)
        w->edge[at].flow = 0;
}

static void add_group(const struct flow_search *s, const struct flow_searcher *w,
                      const struct search_flows_sums *to, struct trip_totals *totals) {
    for (int32_t v = 0; v < s->graph->n; v++)
        to->vertex[v] += w->vertex[v];
    for (int32_t v = 0; v < s->graph->n && s->ends; v++) {
        to->ends[v] += w->ends[v];
        to->begins[v] += w->begins[v];
    }
    for (int64_t e = 0; e < s->graph->m && to->edge != NULL; e++)
        to->edge[s->edge[e]] += w->edge[e].flow;
    totals->arrive += w->totals.arrive;
    totals->stay += w->totals.stay;
    totals->lost += w->totals.lost;
    totals->length += w->totals.length;
    if (totals->lost_pairs == 0) {
        totals->lost_from = w->totals.lost_from;
        totals->lost_to = w->totals.lost_to;
    }
    totals->lost_pairs += w->totals.lost_pairs;
}

/* Returns the number of searches. */
static int32_t count_tasks(const struct cpu_search_flows_request *r) {
    return r->trips != NULL ? r->trips->origins : r->by.sources->count;
}

static struct task task_of(const struct cpu_search_flows_request *r, int32_t place) {
    const int32_t self =
        r->trips != NULL ? r->trips->origin[place] : row_source(r->by.sources, place);
    return (struct task){.place = place,
                         .source = r->split != NULL ? zone_split_source(r->split, self) : self,
                         .self = self,
                         .mass = r->by.from_mass == NULL ? 1 : r->by.from_mass[self]};
}

/* Takes the next sources from place *next to `end`: as many as are searched from at a time, without
 * those of mass 0. Returns their number. */
static int32_t take_tasks(const struct flow_search *s, int32_t *next, int32_t end,
                          struct task *task) {
    const int32_t most = s->is_real ? 1 : source_rows_at_a_time(&s->rows);
    int32_t count = 0;
    for (; *next < end && count < most; (*next)++) {
        task[count] = task_of(s->request, *next);
        count += task[count].mass != 0;
    }
    return count;
}

/* Searches from the sources of a group, from place `first` to `end`. */
static void search_group(const struct flow_search *s, struct flow_searcher *w, int32_t first,
                         int32_t end) {
    struct progress *const progress = s->request->by.progress;
    for (int32_t next = first; next < end && progress_goes_on(progress);) {
        struct task task[SOURCE_ROWS];
        int32_t source[SOURCE_ROWS];
        const int32_t count = take_tasks(s, &next, end, task);
        for (int32_t k = 0; k < count; k++)
            source[k] = task[k].source;
        if (!s->is_real && count > 0)
            source_rows_find(&w->rows, source, count);
        for (int32_t k = 0; k < count && progress_goes_on(progress); k++) {
            add_task(s, w, &task[k], s->is_real ? NULL : w->rows.row[k]);
            if (omp_get_thread_num() == 0)
                progress_report(progress, first, count_tasks(s->request));
        }
    }
}

/* Searches from all sources. The sums of groups are added in the order of groups. */
static enum status search_all(struct flow_search *s, const struct search_flows_sums *sums,
                              struct trip_totals *totals, struct error *err) {
    const struct search_flows_request *const by = &s->request->by;
    const int32_t count = count_tasks(s->request), each = group_size(count);
    const int32_t groups = (count - 1) / each + 1;
    const int most = threads_or_default(by->threads), threads = most < groups ? most : groups;
    struct lowest_failure failed;
    struct turns turns;
    enum isa isa;
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    s->kernels = tight_kernels(isa);
    s->factors = exp_kernels(isa);
    RETURN_ON_FAILURE(find_in_edges(s, err));
    if (!s->is_real)
        RETURN_ON_FAILURE(source_rows_plan_make(&s->rows, s->graph, !by->weighted, count, threads,
                                                by->progress, err));
    lowest_failure_begin(&failed);
    turns_begin(&turns);
#pragma omp parallel num_threads(threads)
    {
        struct flow_searcher w;
        struct error mine;
        const enum status own = searcher_alloc(&w, s, &mine);
        if (own != STATUS_OK)
            lowest_failure_note(&failed, -1, own, &mine);
#pragma omp barrier
#pragma omp for schedule(monotonic : dynamic, 1)
        for (int32_t group = 0; group < groups; group++) {
            const int32_t first = group * each;
            const int32_t end = count - first < each ? count : first + each;
            const bool goes_on =
                lowest_failure_allows(&failed, group) && progress_goes_on(by->progress);
            if (goes_on) {
                forget(s, &w);
                search_group(s, &w, first, end);
            }
            turns_wait(&turns, group);
            if (goes_on)
                add_group(s, &w, sums, totals);
            turns_pass(&turns);
        }
        searcher_free(&w);
    }
    turns_end(&turns);
    RETURN_ON_FAILURE(lowest_failure_end(&failed, err));
    return progress_goes_on(by->progress) ? STATUS_OK : progress_cancelled(err);
}

enum status cpu_search_flows_find(const struct cpu_search_flows_request *r,
                                  const struct search_flows_sums *sums, struct trip_totals *totals,
                                  struct error *err) {
    const struct graph *const g = r->by.graph;
    struct flow_search s = {.request = r,
                            .graph = g,
                            .is_real = g->type != NUMBER_INT32,
                            .targets = r->split != NULL ? r->split->n : g->n,
                            .ends = sums->ends != NULL};
    const enum status status = search_all(&s, sums, totals, err);
    source_rows_plan_free(&s.rows);
    memory_free(s.in_memory);
    return status;
}

// Predictions -------------------------------------------------------------------------------------

double cpu_search_flows_seconds(const struct cpu_search_flows_request *r) {
    /* Nanoseconds on one thread of the work after a search, for each vertex and each edge. */
    const double vertex_ns = r->by.weighted ? 20 : 15, edge_ns = r->by.weighted ? 1 : 2.2;
    const struct graph *const g = r->by.graph;
    const double row_s = source_rows_seconds(g, !r->by.weighted, count_tasks(r));
    return count_tasks(r) * (row_s + (vertex_ns * g->n + edge_ns * (double)g->m) * 1e-9) /
           threads_or_default(r->by.threads);
}

uint64_t cpu_search_flows_memory(int32_t n, int64_t m, int threads) {
    const int most = threads_or_default(threads);
    const uint64_t vertices = memory_add(
        memory_times((uint64_t)n, 4 * sizeof(double) + 2 * sizeof(int32_t) + sizeof(struct seen)),
        source_rows_memory(n));
    const uint64_t edges =
        memory_times((uint64_t)m + 2 * TIGHT_PAD, sizeof(struct used) + 2 * sizeof(tight_edge));
    const uint64_t each = memory_add(vertices, edges);
    const uint64_t in = memory_add(
        memory_times((uint64_t)m, 2 * sizeof(int32_t) + sizeof(double) + sizeof(int64_t)),
        memory_times((uint64_t)n, sizeof(int64_t)));
    return memory_add(memory_add(memory_times(each, (uint64_t)most), in),
                      source_rows_plan_memory(n, m, most));
}
