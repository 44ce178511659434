// SPDX-License-Identifier: MIT
/* Betweenness: how many shortest paths lead through each vertex and over each edge.
 *
 * Each pair of a source and a target counts once, and is divided among its shortest paths. So the
 * betweenness of an edge is the sum over all pairs of the share of their shortest paths that use
 * the edge. The betweenness of a vertex is the same sum for the paths that lead through it without
 * beginning or ending there (Freeman 1977; Brandes 2001 and 2008). With masses, the pair of s and t
 * counts from_mass[s] * to_mass[t] times, as traffic from s to t that takes all shortest paths
 * alike. With a decay, that is multiplied by exp(-d(s, t) / decay) (a gravity model: Wilson 1971).
 * Values are sums of float64 shares in an order that depends on the graph and the sources alone:
 * any number of threads finds the same bits. */
#ifndef FLOWS_BETWEENNESS_H
#define FLOWS_BETWEENNESS_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sources
#include "common/graph/zones.h"     // struct zone_split
#include "flows/trips.h"            // struct trips

struct flow_engine; /* see flow_engine.h */

/* Ways to find betweenness. */
enum betweenness_way {
    BETWEENNESS_BY_ANY,      /* the way that is predicted to be the fastest */
    BETWEENNESS_BY_SEARCHES, /* Brandes' algorithm */
    BETWEENNESS_BY_CLASSES,  /* elimination and classes of rows, if they can be used */
    BETWEENNESS_BY_SWEEPS,   /* elimination and sweeps from some sources at a time, if they can be
                                used */
};

/* Finds the way with a name: "auto", "searches", "classes" or "sweeps". Returns false if there is
 * none. */
bool betweenness_way_find(const char *name, enum betweenness_way *way);
const char *betweenness_way_name(enum betweenness_way way);

/* Returns the name of a way for reports, which say whether it ran on a GPU. */
const char *betweenness_engine_name(enum betweenness_way way, bool on_gpu);

struct betweenness_request {
    const struct graph *graph; /* graph without zones */
    /* `split` relates the vertices of `graph` to those of `zoned`, whose zones are split in
     * `graph`; sources, masses, trips and results are then those of `zoned`. NULL: they are those
     * of `graph`. */
    const struct zone_split *split;
    const struct graph *zoned;
    struct row_sources sources;        /* sources of the pairs; all vertices are targets */
    const double *from_mass, *to_mass; /* mass of each vertex as a source and as a target, n entries
                                          each, finite, >= 0; NULL: all are 1 */
    double decay;                      /* DECAY_LEAST .. DECAY_MOST, in the weights of `graph`; 0:
                                          no decay */
    const struct trips *trips; /* trips to load instead of sources, masses and decay; NULL: none */
    bool endpoints;            /* a pair also counts at its own two vertices */
    bool edges;                /* values of edges are wanted */
    bool ends;                 /* flow that ends and begins at each vertex is wanted, without zones
                                  and trips */
    bool totals;               /* totals of pairs are wanted; totals of trips are always found */
    bool keeps_trees;          /* pendant trees stay a part of the graph: the same values, in more
                                  time */
    enum betweenness_way way;
    int threads;                      /* number of threads; 0: one for each core */
    const struct flow_engine *engine; /* engine on a GPU that may be used for large graphs; NULL:
                                         only the CPU */
    int device;                       /* number of the engine's GPU */
    struct progress *progress;        /* counts sources; may be NULL */
};

/* Totals of trips; pairs with masses are trips, too. */
struct trip_totals {
    double arrive; /* number of trips that have a path to another vertex */
    double stay;   /* number of trips that end at the vertex where they begin */
    double lost;   /* number of trips without a path; 0 for pairs */
    double length; /* sum of the lengths of all trips that arrive */
    int64_t lost_pairs;
    int32_t lost_from, lost_to; /* first pair of vertices whose trips have no path; -1: none */
};

/* Results. In an undirected graph each pair counts twice, once from either end. */
struct betweenness {
    struct trip_totals totals;
    double *vertex;           /* value of each vertex, n entries */
    double *edge;             /* value of each edge, by its number in the graph, m entries; NULL:
                                 not wanted */
    double *ends, *begins;    /* flow that ends and begins at each vertex, n entries each; NULL: not
                                 wanted */
    enum betweenness_way way; /* way that was used */
    bool on_gpu;              /* the request's engine found the values */
    const char *not_classes;  /* reason why classes could not be used; NULL: they could */
};

/* Plan of betweenness_find for a request. The way is used that is predicted to take the least time,
 * unless the request names one. */
struct betweenness_plan {
    enum betweenness_way way; /* way that is used */
    bool on_gpu;              /* the request's engine is used */
    bool searches_on_gpu;     /* searches would run on the request's engine, in searches_s */
    const char *not_classes;  /* reason why classes cannot be used; NULL: they can */
    double searches_s;        /* predicted seconds of searches */
    double eliminate_s;       /* seconds that the elimination took, which is needed to predict
                                 classes and sweeps */
    double sweeps_s;          /* predicted seconds of sweeps after the elimination; infinite: not
                                 predicted */
    double classes_s;         /* predicted seconds of classes after the elimination; infinite: not
                                 predicted */
    uint64_t memory;          /* most bytes of main memory that this way takes, without the graph */
};

/* Finds the way that betweenness_find would use, and the time and memory that it is predicted to
 * take. Eliminates the graph if that may pay, and counts the classes of some sources. Fails as
 * betweenness_find. If a path count turns out to be beyond float64 only later, betweenness_find
 * uses searches in spite of the plan. */
enum status betweenness_plan_make(const struct betweenness_request *request,
                                  struct betweenness_plan *plan, struct error *err);

/* Finds the betweenness of a graph whose weights are integers or, on a grid, float64
 * (solve/grid.h), all of 0 or more. O(sources * (m + n log n)). STATUS_BAD_INPUT for weights below
 * 0, real ones that are on no grid, distances of 2^52 or more, and a cycle of weight 0, on which
 * there is no number of shortest paths; STATUS_NO_RESOURCE if there is not enough memory, and for
 * searches in graphs of about 2^31 edges or more; STATUS_CANCELLED if progress says to stop. The
 * caller frees *found with betweenness_free. */
enum status betweenness_find(const struct betweenness_request *request, struct betweenness *found,
                             struct error *err);

/* Adds of_split, the values of a request's graph whose zones are split, to of_zoned, those of its
 * graph with zones: vertex and, unless of_zoned->edge is NULL, edge. */
void betweenness_join_zones(const struct betweenness_request *request,
                            const struct betweenness *of_split, struct betweenness *of_zoned);

/* Returns the largest number of bytes that betweenness_find takes by searches. */
uint64_t betweenness_memory(int32_t n, int64_t m, int threads);

/* Frees *b and zeroes it; safe on a zeroed struct and after a failure. */
void betweenness_free(struct betweenness *b);

#endif
