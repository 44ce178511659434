// SPDX-License-Identifier: MIT
#include "flows/betweenness.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/exp_kernels.h" // exp_kernels
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default
#include "common/base/turns.h"
#include "common/graph/zones.h"   // struct zone_split
#include "elimination/order.h"    // order_is_available
#include "flows/by_elimination.h" // betweenness_by_elimination
#include "flows/flow_engine.h"    // struct flow_engine
#include "flows/pendant_trees.h"  // struct pendant_trees
#include "flows/source_rows.h"    // struct source_rows
#include "flows/tight_kernels.h"  // struct tight_edges
#include "solve/by_spacings.h"    // spacings_graph_make
#include "solve/dijkstra.h"       // dijkstra_order
#include "solve/narrowest.h"      // struct narrowest

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <string.h>

static const char *const way_names[] = {[BETWEENNESS_BY_ANY] = "auto",
                                        [BETWEENNESS_BY_SEARCHES] = "searches",
                                        [BETWEENNESS_BY_CLASSES] = "classes",
                                        [BETWEENNESS_BY_SWEEPS] = "sweeps"};

bool betweenness_way_find(const char *name, enum betweenness_way *way) {
    for (size_t k = 0; k < sizeof way_names / sizeof *way_names; k++) {
        *way = (enum betweenness_way)k;
        if (strcmp(name, way_names[k]) == 0)
            return true;
    }
    return false;
}

const char *betweenness_way_name(enum betweenness_way way) {
    return way_names[way];
}

const char *betweenness_engine_name(enum betweenness_way way, bool on_gpu) {
    return !on_gpu                         ? way_names[way]
           : way == BETWEENNESS_BY_CLASSES ? "classes on a GPU"
                                           : "searches on a GPU";
}

/* Data that all threads share. */
struct flow_search {
    const char *name;               /* word for what was requested, for messages */
    const struct graph *graph;      /* graph of int32 or float64 weights, without zones */
    const struct zone_split *split; /* which vertices of `graph` stand for a zone of the caller's
                                       graph; NULL: none */
    int32_t targets;                /* paths may end at the vertices below this number */
    double unit;                    /* factor from lengths in `graph` to lengths in the caller's
                                       graph */
    const struct row_sources *sources;
    const double *from_mass, *to_mass; /* mass of each vertex as a source and as a target, n entries
                                          each; NULL: all are 1 */
    /* Length over which flow falls to 1 / e, in weights of the caller's graph; 0: no decay. */
    double decay;
    double rate;               /* 1 / decay for a length of 1 in `graph`; 0: no decay */
    const struct trips *trips; /* trips to load instead of masses; NULL: masses count */
    bool endpoints;
    bool ends; /* flow that ends and begins at each vertex is wanted */
    bool is_real;
    bool is_breadth_first; /* all weights are equal, and are 1 in `graph` */
    int32_t *rank;         /* order of vertices in which edges of weight 0 lead upwards, n entries;
                              NULL: no such edges */
    struct tight_edges in; /* edges sorted by head */
    int64_t *edge;         /* by place in `in`: number of the edge in `graph`, m entries */
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
    if (s->rank != NULL) {
        set_keys(s, s->rank, tight, *count);
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
    return s->trips != NULL || v >= s->targets ? 0 : s->to_mass == NULL ? 1 : s->to_mass[v];
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
        s->factors->of_lengths(length, BLOCK, s->rate, factor);
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
    const int32_t n = s->graph->n;
    size_t count;
    bool is_tree;
    const tight_edge *const tight = list_tight(s, w, t, row, &count, &is_tree);
    if (s->rate > 0)
        decay_masses(s, w, row);
    /* A path from a split zone to itself would be a way round, but trips that stay there take
     * none. */
    const double to_self = s->rate > 0 ? mass_at(s, t->self) : w->seen[t->self].to;
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
    for (int32_t v = 0; v < n && s->endpoints; v++)
        w->vertex[v] += distance_to(s, w, row, v) < INFINITY ? t->mass * w->seen[v].to : 0;
    for (int32_t v = 0; v < n; v++) {
        w->vertex[v] += t->mass * w->seen[v].share;
        w->seen[v].share = 0;
        w->seen[v].paths = 0;
    }
    if (!s->endpoints)
        w->vertex[t->source] = at_source; /* paths do not lead through their own source */
    w->seen[t->self].to = to_self;
}

/* Adds up the totals of the trips of an origin, after the search from it. */
static void add_totals(const struct flow_search *s, struct flow_searcher *w, const struct task *t,
                       const int32_t *row) {
    const struct trips *const trips = s->trips;
    struct trip_totals *const sum = &w->totals;
    for (int64_t k = trips->first[t->place]; k < trips->first[t->place + 1]; k++) {
        const int32_t v = trips->to[k];
        const double count = trips->count[k], distance = distance_to(s, w, row, v);
        if (v == t->self) {
            sum->stay += count;
        } else if (distance < INFINITY) {
            sum->arrive += count;
            sum->length += count * (distance * s->unit);
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
    const struct trips *const trips = s->trips;
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

// The graph ---------------------------------------------------------------------------------------

/* Finds an order of the vertices in which edges of weight 0 lead upwards (Kahn 1962). */
static enum status find_rank(const struct graph *g, const char *what, int32_t **rank,
                             struct error *err) {
    const bool is_real = g->type != NUMBER_INT32;
    const size_t n = (size_t)g->n;
    void *memory;
    int32_t met = 0;
    if (g->m == 0 || g->min_weight > 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, 3 * sizeof(int32_t), "edges of weight 0", err));
    int32_t *const found = *rank = memory, *const before = found + n, *const queue = before + n;
    memset(before, 0, n * sizeof *before);
    for (int64_t e = 0; e < g->m; e++)
        before[g->head[e]] += is_real ? g->real_weight[e] == 0 : g->weight[e] == 0;
    for (int32_t v = 0; v < g->n; v++) {
        found[v] = -1;
        if (before[v] == 0)
            queue[met++] = v;
    }
    for (int32_t k = 0; k < met; k++) {
        found[queue[k]] = k;
        for (int64_t e = g->first[queue[k]]; e < g->first[queue[k] + 1]; e++) {
            if ((is_real ? g->real_weight[e] == 0 : g->weight[e] == 0) && --before[g->head[e]] == 0)
                queue[met++] = g->head[e];
        }
    }
    for (int32_t v = 0; v < g->n; v++) {
        if (found[v] < 0)
            return fail(err, STATUS_BAD_INPUT,
                        "%s: expected no cycle of weight 0, on which there is no number of "
                        "shortest paths, found one at %s or before it%s",
                        what, graph_name(g, v).text, graph_numbering(g));
    }
    return STATUS_OK;
}

/* Returns whether all weights are equal, so that breadth-first search finds shortest paths. */
static bool are_equal(const struct graph *g) {
    return g->m > 0 && g->min_weight == g->max_weight && g->min_weight > 0 && g->n <= INF;
}

/* Stores a graph with the same edges as g, all of whose weights are 1. */
static enum status make_ones(const struct graph *g, struct narrowest *own, struct error *err) {
    struct graph spaced = *g;
    own->graph = &own->own;
    own->unit = spaced.spacing = g->max_weight;
    if (g->type != NUMBER_INT32)
        return spacings_graph_make(&spaced, &own->own, err);
    RETURN_ON_FAILURE(graph_copy(g, &own->own, err));
    for (int64_t e = 0; e < g->m; e++)
        own->own.weight[e] = 1;
    return STATUS_OK;
}

/* Chooses the graph in the type that is the fastest. The caller frees *own. */
static enum status prepare(const struct graph *g, struct narrowest *own, struct flow_search *s,
                           struct error *err) {
    s->is_breadth_first = are_equal(g);
    RETURN_ON_FAILURE(s->is_breadth_first ? make_ones(g, own, err)
                                          : narrowest_choose(s->name, g, own, err));
    s->graph = own->graph;
    s->unit = own->unit;
    s->rate = s->decay > 0 ? decay_rate(own->unit, s->decay) : 0;
    s->is_real = s->graph->type != NUMBER_INT32;
    return find_rank(s->graph, s->name, &s->rank, err);
}

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
                    "%s: expected fewer than 2^31 - 16 edges, found %" PRId64, s->name, g->m);
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
                      struct betweenness *to) {
    for (int32_t v = 0; v < s->graph->n; v++)
        to->vertex[v] += w->vertex[v];
    for (int32_t v = 0; v < s->graph->n && s->ends; v++) {
        to->ends[v] += w->ends[v];
        to->begins[v] += w->begins[v];
    }
    for (int64_t e = 0; e < s->graph->m && to->edge != NULL; e++)
        to->edge[s->edge[e]] += w->edge[e].flow;
    to->totals.arrive += w->totals.arrive;
    to->totals.stay += w->totals.stay;
    to->totals.lost += w->totals.lost;
    to->totals.length += w->totals.length;
    if (to->totals.lost_pairs == 0) {
        to->totals.lost_from = w->totals.lost_from;
        to->totals.lost_to = w->totals.lost_to;
    }
    to->totals.lost_pairs += w->totals.lost_pairs;
}

/* Returns the number of searches. */
static int32_t count_tasks(const struct flow_search *s) {
    return s->trips != NULL ? s->trips->origins : s->sources->count;
}

static struct task task_of(const struct flow_search *s, int32_t place) {
    const int32_t self = s->trips != NULL ? s->trips->origin[place] : row_source(s->sources, place);
    return (struct task){.place = place,
                         .source = s->split != NULL ? zone_split_source(s->split, self) : self,
                         .self = self,
                         .mass = s->from_mass == NULL ? 1 : s->from_mass[self]};
}

/* Takes the next sources from place *next to `end`: as many as are searched from at a time, without
 * those of mass 0. Returns their number. */
static int32_t take_tasks(const struct flow_search *s, int32_t *next, int32_t end,
                          struct task *task) {
    const int32_t most = s->is_real ? 1 : source_rows_at_a_time(&s->rows);
    int32_t count = 0;
    for (; *next < end && count < most; (*next)++) {
        task[count] = task_of(s, *next);
        count += task[count].mass != 0;
    }
    return count;
}

/* Searches from the sources of a group, from place `first` to `end`. */
static void search_group(const struct flow_search *s, struct flow_searcher *w, int32_t first,
                         int32_t end, struct progress *progress) {
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
                progress_report(progress, first, count_tasks(s));
        }
    }
}

/* Searches from all sources. The sums of groups are added in the order of groups. */
static enum status search_all(struct flow_search *s, const struct betweenness_request *request,
                              struct betweenness *found, struct error *err) {
    const int32_t count = count_tasks(s), each = group_size(count);
    const int32_t groups = (count - 1) / each + 1;
    const int most = threads_or_default(request->threads), threads = most < groups ? most : groups;
    struct lowest_failure failed;
    struct turns turns;
    enum isa isa;
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    s->kernels = tight_kernels(isa);
    s->factors = exp_kernels(isa);
    RETURN_ON_FAILURE(find_in_edges(s, err));
    if (!s->is_real)
        RETURN_ON_FAILURE(source_rows_plan_make(&s->rows, s->graph, s->is_breadth_first, count,
                                                threads, request->progress, err));
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
                lowest_failure_allows(&failed, group) && progress_goes_on(request->progress);
            if (goes_on) {
                forget(s, &w);
                search_group(s, &w, first, end, request->progress);
            }
            turns_wait(&turns, group);
            if (goes_on)
                add_group(s, &w, found);
            turns_pass(&turns);
        }
        searcher_free(&w);
    }
    turns_end(&turns);
    RETURN_ON_FAILURE(lowest_failure_end(&failed, err));
    return progress_goes_on(request->progress) ? STATUS_OK : progress_cancelled(err);
}

/* Allocates `count` zeros if they are wanted. */
static enum status alloc_zeros(double **zeros, int64_t count, bool wanted, struct error *err) {
    const size_t numbers = (size_t)count;
    void *memory;
    if (!wanted)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, numbers, sizeof **zeros, "betweenness", err));
    *zeros = memset(memory, 0, numbers * sizeof **zeros);
    return STATUS_OK;
}

static enum status alloc(struct betweenness *found, const struct graph *g, bool edges, bool ends,
                         struct error *err) {
    RETURN_ON_FAILURE(alloc_zeros(&found->vertex, g->n, true, err));
    RETURN_ON_FAILURE(alloc_zeros(&found->edge, g->m, edges, err));
    RETURN_ON_FAILURE(alloc_zeros(&found->ends, g->n, ends, err));
    return alloc_zeros(&found->begins, g->n, ends, err);
}

/* Returns the predicted seconds of searches from all sources on the CPU. */
static double cpu_searches_s(const struct flow_search *s, int threads) {
    /* Nanoseconds on one thread of the work after a search, for each vertex and each edge. */
    const double vertex_ns = s->is_breadth_first ? 15 : 20, edge_ns = s->is_breadth_first ? 2.2 : 1;
    const struct graph *const g = s->graph;
    const double row_s = source_rows_seconds(g, s->is_breadth_first, count_tasks(s));
    return count_tasks(s) * (row_s + (vertex_ns * g->n + edge_ns * (double)g->m) * 1e-9) /
           threads_or_default(threads);
}

/* Asks the request's engine how long it takes for the searches. Infinite if it should not do them:
 * the CPU would be done before the engine has started, or the engine cannot do all that is
 * requested. */
static enum status ask_engine(const struct flow_search *s,
                              const struct betweenness_request *request,
                              struct search_flows_request *own, double *engine_s,
                              struct error *err) {
    const struct graph *const g = s->graph;
    const double cells = count_tasks(s) * ((double)g->n + (double)g->m);
    const int threads = threads_or_default(request->threads);
    *engine_s = (double)HUGE_VAL;
    if (request->engine == NULL || s->split != NULL || s->trips != NULL ||
        cells < (double)block_sizes.gpu_search_cells * threads)
        return STATUS_OK;
    *own = (struct search_flows_request){.graph = g,
                                         .weighted = !s->is_breadth_first,
                                         .sources = s->sources,
                                         .from_mass = s->from_mass,
                                         .to_mass = s->to_mass,
                                         .rate = s->rate,
                                         .endpoints = s->endpoints,
                                         .threads = threads,
                                         .device = request->device,
                                         .progress = request->progress};
    /* Breadth-first levels are found sooner and are no more than weighted ones, so that they
     * already rule out roads. */
    RETURN_ON_FAILURE(
        source_rows_levels(g, request->engine->searches->levels_most, &own->levels, err));
    *engine_s = request->engine->searches->seconds(own);
    if (!own->weighted || !isfinite(*engine_s))
        return STATUS_OK;
    RETURN_ON_FAILURE(source_rows_weighted_levels(g, &own->levels, err));
    *engine_s = request->engine->searches->seconds(own);
    return STATUS_OK;
}

/* Returns the sum of the lengths of all trips, from the flow over each edge. */
static double length_of(const struct graph *g, const double *edge) {
    double sum = 0;
    for (int64_t e = 0; e < g->m; e++)
        sum += edge[e] * graph_weight(g, e);
    return sum;
}

/* Returns the totals of pairs from the flow over each edge and what ends at each vertex. */
static struct trip_totals totals_of(const struct betweenness_request *request,
                                    const struct betweenness *found) {
    const struct graph *const g = request->graph;
    const int32_t targets = request->split != NULL ? request->zoned->n : g->n;
    struct trip_totals sum = {.lost_from = -1, .lost_to = -1};
    for (int32_t v = 0; v < targets; v++)
        sum.arrive += found->ends[v];
    for (int32_t p = 0; p < request->sources.count; p++) {
        const int32_t v = row_source(&request->sources, p);
        sum.stay += (request->from_mass == NULL ? 1 : request->from_mass[v]) *
                    (request->to_mass == NULL ? 1 : request->to_mass[v]);
    }
    sum.length = length_of(g, found->edge);
    return sum;
}

/* Searches on the request's engine. If the engine has too little memory or does not take the graph,
 * finds nothing and sets found->on_gpu to false. */
static enum status search_on_engine(const struct betweenness_request *request,
                                    const struct search_flows_request *own,
                                    struct betweenness *found, struct error *err) {
    const struct search_flows_sums sums = {found->vertex, found->edge, found->ends, found->begins};
    struct error mine;
    const enum status status = request->engine->searches->find(own, &sums, &mine);
    found->on_gpu = status == STATUS_OK;
    if (status == STATUS_OK || status == STATUS_NO_RESOURCE)
        return STATUS_OK;
    *err = mine;
    return status;
}

/* Finds the betweenness of vertices: the flow over the edges into each, without the flow that ends
 * there. */
static void sum_up(const struct graph *g, const double *edge, const double *ends,
                   const double *begins, bool endpoints, double *vertex) {
    for (int64_t e = 0; e < g->m; e++)
        vertex[g->head[e]] += edge[e];
    for (int32_t v = 0; v < g->n; v++) {
        const double through = vertex[v] - ends[v];
        vertex[v] = through > 0 ? through : 0;
        if (endpoints)
            vertex[v] += ends[v] + begins[v];
    }
}

/* Returns the reason why classes cannot be used, as far as it is seen without work; NULL: perhaps
 * they can. */
static const char *why_no_classes(const struct flow_search *s,
                                  const struct betweenness_request *request) {
    enum { FEW = 1000 }; /* fewest vertices */
    const bool is_free = request->way == BETWEENNESS_BY_ANY;
    return request->way == BETWEENNESS_BY_SEARCHES ? "searches are asked for"
           : s->rank != NULL                       ? "there are edges of weight 0"
           : s->split != NULL                      ? "there are zones"
           : !order_is_available()                 ? "this build has no orders of elimination"
           : is_free && s->graph->n < FEW
               ? "there are fewer than 1000 vertices outside of pendant trees"
               : NULL;
}

/* Chooses the way, and uses it unless it is by searches. found NULL: only plans. engine_s: seconds
 * that ask_engine() returned. */
static enum status choose(const struct flow_search *s, const struct betweenness_request *request,
                          double engine_s, struct betweenness_plan *plan, struct betweenness *found,
                          struct error *err) {
    const struct graph *const g = s->graph;
    const double searches_of_all_s =
        isfinite(engine_s) ? engine_s : cpu_searches_s(s, request->threads);
    struct betweenness_request own = *request;
    struct trip_totals totals = {0};
    double *edge = NULL, *ends = NULL, *begins = NULL;
    void *memory = NULL;
    enum isa isa;
    enum status status = STATUS_OK;
    *plan = (struct betweenness_plan){.way = BETWEENNESS_BY_SEARCHES,
                                      .not_classes = why_no_classes(s, request),
                                      .searches_on_gpu = isfinite(engine_s),
                                      .searches_s = searches_of_all_s,
                                      .sweeps_s = HUGE_VAL,
                                      .classes_s = HUGE_VAL};
    if (plan->not_classes != NULL)
        goto cleanup;
    if (request->way != BETWEENNESS_BY_ANY)
        plan->searches_s = HUGE_VAL;
    own.graph = g;
    own.decay = request->decay > 0 ? fmax(request->decay / s->unit, DBL_MIN) : 0;
    TRY(isa_choose(&isa, err));
    if (found != NULL) {
        const size_t numbers = (size_t)g->m + 2 * (size_t)g->n;
        TRY(memory_alloc(&memory, numbers, sizeof(double), "flows", err));
        edge = memset(memory, 0, numbers * sizeof(double));
        ends = edge + g->m;
        begins = ends + g->n;
    }
    TRY(betweenness_by_elimination(&own, isa, plan, edge, ends, begins, &totals, err));
    if (found == NULL || plan->way == BETWEENNESS_BY_SEARCHES)
        goto cleanup;
    sum_up(g, edge, ends, begins, request->endpoints, found->vertex);
    if (s->trips != NULL) {
        totals.length = length_of(request->graph, edge);
        found->totals = totals;
    }
    if (found->edge != NULL)
        memcpy(found->edge, edge, (size_t)g->m * sizeof *edge);
    if (found->ends != NULL) {
        memcpy(found->ends, ends, (size_t)g->n * sizeof *ends);
        memcpy(found->begins, begins, (size_t)g->n * sizeof *begins);
    }

cleanup:
    memory_free(memory);
    if (status == STATUS_NO_RESOURCE && request->way == BETWEENNESS_BY_ANY) {
        status = STATUS_OK; /* searches may have enough memory */
        plan->not_classes = "there is not enough memory";
    }
    plan->searches_s = searches_of_all_s;
    if (plan->way == BETWEENNESS_BY_SEARCHES) {
        plan->on_gpu = plan->searches_on_gpu;
        plan->memory = betweenness_memory(g->n, g->m, request->threads);
    }
    return status;
}

void betweenness_join_zones(const struct betweenness_request *request,
                            const struct betweenness *of_split, struct betweenness *of_zoned) {
    const struct graph *const g = request->zoned, *const split = request->graph;
    for (int32_t v = 0; v < g->n; v++) {
        const int32_t begins = zone_split_source(request->split, v);
        of_zoned->vertex[v] = of_split->vertex[v] + (begins != v ? of_split->vertex[begins] : 0);
        for (int64_t e = g->first[v]; e < g->first[v + 1] && of_zoned->edge != NULL; e++)
            of_zoned->edge[e] = of_split->edge[split->first[begins] + e - g->first[v]];
    }
}

/* Replaces the values found for the graph with split zones by those of the graph with zones. */
static enum status join_zones(const struct betweenness_request *request, struct betweenness *found,
                              struct error *err) {
    struct betweenness joined = *found;
    joined.vertex = joined.edge = joined.ends = joined.begins = NULL;
    const enum status status = alloc(&joined, request->zoned, request->edges, false, err);
    if (status != STATUS_OK) {
        betweenness_free(&joined);
        return status;
    }
    betweenness_join_zones(request, found, &joined);
    betweenness_free(found);
    *found = joined;
    return STATUS_OK;
}

/* Chooses a way and, unless found is NULL, finds all but the totals of pairs by it. */
static enum status search_or_eliminate(const struct betweenness_request *request, const char *name,
                                       struct betweenness_plan *plan, struct betweenness *found,
                                       struct error *err) {
    const struct graph *const g = request->graph;
    struct flow_search s = {.name = name,
                            .split = request->split,
                            .targets = request->split != NULL ? request->zoned->n : g->n,
                            .sources = &request->sources,
                            .from_mass = request->from_mass,
                            .to_mass = request->to_mass,
                            .decay = request->decay,
                            .trips = request->trips,
                            .endpoints = request->endpoints,
                            .ends = request->ends};
    struct search_flows_request on_engine = {.graph = NULL};
    struct narrowest own = {.graph = NULL};
    double engine_s;
    enum status status;
    TRY(prepare(g, &own, &s, err));
    if (found != NULL)
        TRY(alloc(found, g, request->edges, request->ends, err));
    TRY(ask_engine(&s, request, &on_engine, &engine_s, err));
    TRY(choose(&s, request, engine_s, plan, found, err));
    if (found == NULL)
        goto cleanup;
    if (plan->way == BETWEENNESS_BY_SEARCHES && plan->on_gpu) {
        TRY(search_on_engine(request, &on_engine, found, err));
        if (!found->on_gpu) /* classes may take less time than the CPU's searches */
            TRY(choose(&s, request, HUGE_VAL, plan, found, err));
    }
    found->way = plan->way;
    found->on_gpu = plan->on_gpu;
    found->not_classes = plan->not_classes;
    if (plan->way == BETWEENNESS_BY_SEARCHES && !found->on_gpu)
        TRY(search_all(&s, request, found, err));
cleanup:
    source_rows_plan_free(&s.rows);
    narrowest_free(&own);
    memory_free(s.rank);
    memory_free(s.in_memory);
    return status;
}

/* Returns the word for what was requested, for messages. */
static const char *name_of(const struct betweenness_request *r) {
    return r->trips != NULL                                             ? "trips"
           : r->decay > 0 || r->from_mass != NULL || r->to_mass != NULL ? "flows"
                                                                        : "betweenness";
}

/* Does as search_or_eliminate for the rest of a graph, without its pendant trees, and finds the
 * flow in the trees. */
static enum status find_beside_trees(const struct betweenness_request *request,
                                     struct pendant_trees *trees, struct betweenness_plan *plan,
                                     struct betweenness *found, struct error *err) {
    const struct graph *const g = request->graph;
    struct betweenness_request own;
    struct betweenness of_rest = {.vertex = NULL};
    enum status status;
    *plan = (struct betweenness_plan){.way = BETWEENNESS_BY_SEARCHES,
                                      .not_classes = "nothing flows outside of pendant trees",
                                      .sweeps_s = HUGE_VAL,
                                      .classes_s = HUGE_VAL};
    TRY(pendant_trees_request(trees, request, &own, err));
    if (own.sources.count > 0)
        TRY(search_or_eliminate(&own, name_of(request), plan, found != NULL ? &of_rest : NULL,
                                err));
    else if (found != NULL)
        TRY(alloc(&of_rest, own.graph, true, true, err));
    plan->memory = memory_add(plan->memory, pendant_trees_memory(g->n, g->m));
    if (found == NULL)
        goto cleanup;
    TRY(alloc(found, g, request->edges, request->ends, err));
    found->way = plan->way;
    found->on_gpu = of_rest.on_gpu;
    found->not_classes = plan->not_classes;
    pendant_trees_join(trees, &of_rest, request->endpoints, found);
cleanup:
    betweenness_free(&of_rest);
    return status;
}

/* Returns whether the graph may be without its pendant trees: all weights are above 0, so that
 * there is no cycle of weight 0 to refuse, and products of the sums of masses are finite. */
static bool may_cut_trees(const struct betweenness_request *request) {
    const double most = 0x1p500;
    const int32_t n = request->graph->n;
    double from = 0, to = 0;
    for (int32_t v = 0; v < n && request->from_mass != NULL; v++)
        from += request->from_mass[v];
    for (int32_t v = 0; v < n && request->to_mass != NULL; v++)
        to += request->to_mass[v];
    return !request->keeps_trees && request->split == NULL && request->trips == NULL &&
           request->graph->min_weight > 0 && from <= most && to <= most;
}

static enum status check(const struct graph *g, const char *what, struct error *err) {
    RETURN_ON_FAILURE(
        narrowest_check(what, g, "distances, and measures without betweenness,", "ties", err));
    return g->zones > 0 ? fail(err, STATUS_BAD_INPUT,
                               "%s: expected a graph without zones, found one with %d, which are "
                               "to be split",
                               what, g->zones)
                        : STATUS_OK;
}

/* Chooses a way and, unless found is NULL, finds the betweenness by it. */
static enum status plan_and_find(const struct betweenness_request *asked,
                                 struct betweenness_plan *plan, struct betweenness *found,
                                 struct error *err) {
    const bool totals = asked->totals && asked->trips == NULL;
    struct betweenness_request request = *asked;
    struct pendant_trees trees = {.count = 0};
    enum status status;
    request.ends = asked->ends || totals; /* totals are found from what ends and what flows */
    request.edges = asked->edges || totals;
    TRY(check(asked->graph, name_of(asked), err));
    if (may_cut_trees(asked))
        TRY(pendant_trees_cut(&trees, asked->graph, threads_or_default(asked->threads), err));
    TRY(trees.count > 0 ? find_beside_trees(&request, &trees, plan, found, err)
                        : search_or_eliminate(&request, name_of(asked), plan, found, err));
    if (found == NULL)
        goto cleanup;
    if (totals)
        found->totals = totals_of(asked, found);
    if (asked->split != NULL)
        TRY(join_zones(asked, found, err));
    if (!asked->edges) {
        memory_free(found->edge);
        found->edge = NULL;
    }
cleanup:
    pendant_trees_free(&trees);
    return status;
}

enum status betweenness_find(const struct betweenness_request *request, struct betweenness *found,
                             struct error *err) {
    struct betweenness_plan plan;
    *found = (struct betweenness){.totals = {.lost_from = -1, .lost_to = -1}};
    const enum status status = plan_and_find(request, &plan, found, err);
    if (status != STATUS_OK)
        betweenness_free(found);
    return status;
}

enum status betweenness_plan_make(const struct betweenness_request *request,
                                  struct betweenness_plan *plan, struct error *err) {
    return plan_and_find(request, plan, NULL, err);
}

uint64_t betweenness_memory(int32_t n, int64_t m, int threads) {
    const int most = threads_or_default(threads);
    const uint64_t vertices = memory_add(
        memory_times((uint64_t)n, 4 * sizeof(double) + 2 * sizeof(int32_t) + sizeof(struct seen)),
        source_rows_memory(n));
    const uint64_t edges =
        memory_times((uint64_t)m + 2 * TIGHT_PAD, sizeof(struct used) + 2 * sizeof(tight_edge));
    const uint64_t each = memory_add(vertices, edges);
    const uint64_t shared = memory_add(memory_times((uint64_t)m, 2 * sizeof(double) + 16),
                                       memory_times((uint64_t)n, 4 * sizeof(double)));
    return memory_add(memory_add(memory_times(each, (uint64_t)most), shared),
                      memory_add(graph_memory(n, m), source_rows_plan_memory(n, m, most)));
}

void betweenness_free(struct betweenness *b) {
    memory_free(b->vertex);
    memory_free(b->edge);
    memory_free(b->ends);
    memory_free(b->begins);
    *b = (struct betweenness){0};
}
