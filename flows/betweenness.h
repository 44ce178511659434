// SPDX-License-Identifier: MIT
/* Betweenness: how many shortest paths lead through each vertex and over each edge.
 *
 * Each pair of a source and a target counts once, and is divided among its shortest paths. So the
 * betweenness of an edge is the sum over pairs of the share of their shortest paths that use it,
 * and that of a vertex the same of paths that lead through it and neither begin nor end there
 * (Freeman 1977; Brandes 2001 and 2008). With masses, the pair of s and t counts from_mass[s] *
 * to_mass[t] times, as traffic from s to t that takes all shortest paths alike, and with a
 * decay exp(-d(s, t) / decay) times that (a gravity model: Wilson 1971). Values are sums of float64
 * shares in an order that depends on the graph and the sources alone: any number of threads finds
 * the same bits. */
#ifndef FLOWS_BETWEENNESS_H
#define FLOWS_BETWEENNESS_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sources
#include "common/graph/zones.h"     // struct zone_split
#include "flows/trips.h"            // struct trips

struct flow_engine; /* flow_engine.h */

/* Ways to find it. */
enum betweenness_way {
    BETWEENNESS_BY_ANY,      /* the one that is predicted to be the fastest */
    BETWEENNESS_BY_SEARCHES, /* Brandes' algorithm */
    BETWEENNESS_BY_CLASSES,  /* elimination and classes of rows, where that is possible */
};

/* Finds the way with a name: "auto", "searches" or "classes". Returns false if there is none. */
bool betweenness_way_find(const char *name, enum betweenness_way *way);
const char *betweenness_way_name(enum betweenness_way way);

/* The same for reports, which say whether a GPU took it. */
const char *betweenness_engine_name(enum betweenness_way way, bool on_gpu);

struct betweenness_request {
    const struct graph *graph; /* without zones */
    /* How its vertices are those of `zoned`, whose zones are split there: sources, masses, trips
     * and what is found are of that one. NULL: they are of `graph`. */
    const struct zone_split *split;
    const struct graph *zoned;
    struct row_sources sources;        /* pairs have these sources, and all vertices as targets */
    const double *from_mass, *to_mass; /* n each, finite, 0 or more; NULL: all are 1 */
    double decay; /* DECAY_LEAST .. DECAY_MOST, in the weights of `graph`; 0: there is none */
    const struct trips
        *trips;     /* pairs are these instead, without sources, masses and decay; NULL */
    bool endpoints; /* a vertex gets the pairs that it is an end of, too */
    bool edges;     /* values of edges are wanted, too */
    bool totals;    /* totals of pairs are wanted, too; those of trips always are */
    enum betweenness_way way;
    int threads;                      /* 0: one per core */
    const struct flow_engine *engine; /* one on a GPU, for large graphs; NULL: the CPU */
    int device;                       /* number of that GPU */
    struct progress *progress;        /* may be NULL; counts sources */
};

/* Where trips go; pairs with masses are trips, too. */
struct trip_totals {
    double arrive; /* trips that have a path to another vertex */
    double stay;   /* trips to the vertex where they begin */
    double lost;   /* trips without a path; 0 for pairs */
    double length; /* the sum of the lengths of all trips that arrive */
    int64_t lost_pairs;
    int32_t lost_from, lost_to; /* the first pair of these; -1: there is none */
};

/* An undirected graph has every pair twice, from either end. */
struct betweenness {
    struct trip_totals totals;
    double *vertex;           /* n */
    double *edge;             /* m, by edge of the graph; NULL unless wanted */
    enum betweenness_way way; /* that was taken */
    bool on_gpu;              /* the request's engine found it */
    const char *not_classes;  /* why classes could not be taken; NULL: they could */
};

/* Plan of betweenness_find for a request. It takes classes if they are predicted to take less
 * than searches, unless a way is asked for. */
struct betweenness_plan {
    enum betweenness_way way; /* that is taken */
    bool on_gpu;              /* the request's engine takes it */
    bool searches_on_gpu;     /* that engine would take searches, in searches_s */
    const char *not_classes;  /* why classes cannot be taken; NULL: they can */
    double searches_s;        /* predicted seconds of searches */
    double eliminate_s; /* seconds that elimination took, which a prediction of classes needs */
    double classes_s;   /* predicted seconds of classes after it; infinite: not predicted */
    uint64_t memory;    /* bytes of main memory that this way takes at most, without the graph */
};

/* Finds what betweenness_find would do, and what it is predicted to take. Eliminates the graph if
 * that may pay, and counts the classes of some sources. Fails as betweenness_find. A path count
 * that turns out to be beyond float64 only in the end still makes that take searches. */
enum status betweenness_plan_make(const struct betweenness_request *request,
                                  struct betweenness_plan *plan, struct error *err);

/* Finds the betweenness of a graph whose weights are integers or, on a grid, float64
 * (solve/grid.h), all of 0 or more. O(sources * (m + n log n)). STATUS_BAD_INPUT for weights below
 * 0, real ones that are on no grid, distances of 2^52 or more, and a cycle of weight 0, on which
 * there is no number of shortest paths; STATUS_NO_RESOURCE if there is not enough memory, and for
 * searches in graphs of about 2^31 edges or more; STATUS_CANCELLED if progress says to stop. The
 * caller frees with betweenness_free. */
enum status betweenness_find(const struct betweenness_request *request, struct betweenness *found,
                             struct error *err);

/* Adds up the values of a request's graph, whose zones are split, to those of its graph with zones:
 * vertex and, unless of_zoned->edge is NULL, edge. */
void betweenness_join_zones(const struct betweenness_request *request,
                            const struct betweenness *of_split, struct betweenness *of_zoned);

/* Bytes that betweenness_find takes at most by searches. */
uint64_t betweenness_memory(int32_t n, int64_t m, int threads);

/* Safe on a zeroed struct, and after a failure; leaves it zeroed. */
void betweenness_free(struct betweenness *b);

#endif
