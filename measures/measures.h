// SPDX-License-Identifier: MIT
/* Measures: what is computed from the rows of an answer and kept instead of them, in memory O(n).
 *
 * Names are NetworkX's, and so are the values, with two rules for directed graphs. NetworkX takes
 * the eccentricity outwards (distances from the vertex), but centralities inwards (distances to the
 * vertex); here both directions are computed. And where NetworkX raises an exception because some
 * pair has no path, the value is infinite here, and said to be so, with what it is among the pairs
 * that have one.
 *
 * Of int32 distances everything is integer or fixed-point arithmetic without rounding until the
 * end, and so it is the same bytes for every engine, any number of threads, and blocks of any size
 * in any order. A vertex reaches itself, at distance 0. Distances may be negative.
 *
 * Of real distances the same bytes result, too. Eccentricities, the diameter and what is counted
 * are exact. Sums of distances and of reciprocals are fixed-point numbers of at least 80 bits below
 * the largest number that is added (real_sum.h): for fewer than 2^24 vertices a sum is wrong by at
 * most 2^-80 of that for each distance, before it is rounded once. So sums of up to a million
 * distances >= 0 are right to the last place of a double, or next to it. If weights are above 2^900
 * / n or below 2^-900, distances or reciprocals below 2^-874 add nothing.
 *
 * If distances have a limit, pairs beyond it are pairs without a path, and so all measures are of
 * the pairs within it. */
#ifndef MEASURES_MEASURES_H
#define MEASURES_MEASURES_H

#include "common/base/error.h"      // enum status, struct error
#include "common/graph/graph.h"     // struct graph
#include "common/graph/limit.h"     // NO_LIMIT
#include "common/graph/row_block.h" // struct row_sink
#include "measures/parts.h"         // MEASURES_ALL
#include "measures/real_sum.h"      // struct real_sum
#include "ranks/ranks.h"            // struct ranks

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Exact sums over many pairs. */
__extension__ typedef __int128 exact_sum;

/* The unit of sums of reciprocals is 2^-82: every double nearest to 1 / d, |d| < 2^30, is a
 * multiple of it. */
enum { RECIPROCAL_BITS = 82 };

/* Totals of the finite int32 distances from a vertex, or to it. */
struct vertex_totals {
    exact_sum reciprocals; /* the sum of the doubles nearest to 1 / d, d != 0, in units of 2^-82 */
    int64_t sum;           /* of distances */
    int32_t reached;       /* vertices, itself included */
    int32_t eccentricity;
};

/* The same over real distances. */
struct real_vertex_totals {
    struct real_sum sum, reciprocals; /* of distances; of the doubles nearest to 1 / d, d != 0 */
    double eccentricity;
    int32_t reached;
};

/* Distances between different vertices are counted in bins of equal width: the least power of two,
 * at least 1 if distances are integers, with which the bins between the least and the largest
 * distance, 0 included, are no more than MEASURES_BINS. So counts are of single distances if all
 * are integers in 0 .. MEASURES_BINS - 1. */
enum { MEASURES_BINS = 1024 };
struct distance_histogram {
    double width; /* of a bin */
    double first; /* the least distance that is counted in bin 0; a multiple of the width */
    int32_t bins; /* 0: no pair has a path; otherwise bins 0 and bins - 1 are not empty */
    int64_t count[MEASURES_BINS];
};

/* Measures of all pairs of a source and another vertex. */
struct pair_measures {
    int64_t pairs, without_path;
    exact_sum sum;    /* of the distances, integers, of those that have a path */
    double real_sum;  /* of distances of any type, rounded */
    double average;   /* sum over the number of those; 0 if there are none */
    double largest;   /* distance; 0 if none is positive */
    int32_t from, to; /* the first pair that has it, by source and then by target */
    struct distance_histogram histogram;
};

/* Measures of the graph, from all its rows, which have no limit. */
struct graph_measures {
    int32_t components;        /* number of strongly connected components; in an undirected graph,
                                  of connected ones */
    int32_t largest_component; /* number of vertices of the largest component */
    /* Distances between all vertices, which are infinite unless there is one component. */
    double diameter, radius;             /* the largest and the least eccentricity */
    double average_shortest_path_length; /* of pairs of different vertices; 0 if n = 1 */
    exact_sum wiener_index;              /* the sum of distances over pairs, unordered ones if
                                            the graph is undirected; of int32 distances */
    double real_wiener_index;            /* of distances of any type, rounded */
    /* The mean of 1 / d over all pairs of different vertices; pairs without path and pairs at
     * distance 0 add nothing. Always finite. 0 if n = 1. */
    double global_efficiency;
};

/* How sums of a graph's real distances are taken: the bits of a part (real_sum.h), and the
 * exponents of the powers of two that distances and reciprocals are multiplied by. */
struct real_summing {
    int bits, distance, reciprocal;
};

/* Betweenness beside the measures of a graph (flows/measured.h). The arrays belong to its owner. */
struct measured_flows {
    double *betweenness, *centrality; /* of vertices, n: pairs, as igraph scales them; normalized as
                                         NetworkX does it */
    int64_t edges;                    /* number of edges; an undirected graph has each once */
    int32_t *tail, *head;
    double *edge_betweenness, *edge_centrality; /* the same two of edges */
    bool endpoints;                             /* a pair counts at its ends, too */
    /* Where ties are told: weights times this power of ten are integers; 1: they are as they are.
     */
    double times;
    double spacing;  /* that weights were rounded to for betweenness alone; 0: they were not */
    const char *way; /* that found it */
};

/* By how much rounding may change a value of that size; `of_sources` is what a pair from each
 * source adds up to, in the same scale. */
static inline double flow_tolerance(double value, double of_sources) {
    return 0x1p-40 * (fabs(value) + of_sources);
}

struct measures_thread;

struct measures {
    struct row_sink sink; /* the first member: a sink's pointer is that of its measures */
    const struct graph *graph;
    bool directed;  /* some edge has no reverse of its weight */
    double limit;   /* of the distances: NO_LIMIT unless the caller sets it after measures_init */
    unsigned parts; /* bits of parts.h */

    /* Since begin. `source` is a copy; NULL: all vertices in order, and count = n. */
    enum number_type type; /* of the distances, which is the graph's */
    int32_t n, count;
    int32_t *source;
    /* count of them, by position in the answer; one is NULL, by the type */
    struct vertex_totals *out;
    struct real_vertex_totals *real_out;
    struct real_summing summing;
    int threads;
    struct measures_thread **thread;
    const struct row_part *part; /* that rows are of; NULL: of the whole graph */

    /* Since measures_finish: n of them; NULL unless the graph is directed and all vertices are
     * sources. Undirected graphs have in out what they have in in. */
    struct vertex_totals *in;
    struct real_vertex_totals *real_in;
    struct pair_measures pairs;
    struct graph_measures of_graph; /* only if measures_are_of_graph */

    /* Since measures_add_flows; the caller's. NULL: there is no betweenness. */
    const struct measured_flows *flows;
    int32_t *row_vertex; /* n: sources, then all others; NULL: all vertices in order, or no flows */
};

/* Prepares the sink m->sink for answers to g, which the caller keeps until measures_free. O(n + m),
 * one thread. */
enum status measures_init(struct measures *m, const struct graph *g, struct error *err);

/* Leaves out all parts but some; after measures_init, which takes them all. */
void measures_choose(struct measures *m, unsigned parts);

/* Gives rank 0 what the other ranks have taken of the same answer; after the last row was taken,
 * for all ranks to call. Only rank 0 may then finish. */
enum status measures_gather(struct measures *m, const struct ranks *ranks, struct error *err);

/* Computes what depends on all rows; after the last was taken, once. */
enum status measures_finish(struct measures *m, struct error *err);

/* Adds betweenness to finished measures: the part MEASURES_FLOWS. */
enum status measures_add_flows(struct measures *m, const struct measured_flows *flows,
                               struct error *err);

/* Safe on a zeroed struct and after a failure; leaves it zeroed. */
void measures_free(struct measures *m);

/* Bytes that begin allocates for so many sources (n for all vertices), and measures_finish. */
uint64_t measures_memory(enum number_type type, int32_t n, int32_t count, bool all, bool directed,
                         int threads);

/* Returns whether the rows say anything about the graph: all of them are there, without a limit. */
static inline bool measures_are_of_graph(const struct measures *m) {
    return m->source == NULL && m->limit == NO_LIMIT;
}

/* Returns whether distances are integers: int32, or those of an integral graph. */
static inline bool measures_are_integral(const struct measures *m) {
    return m->type == NUMBER_INT32 || m->graph->integral;
}

/* The type as which distances are written. */
static inline enum number_type measures_written_type(const struct measures *m) {
    return graph_written_type(m->graph);
}

/* The vertex at a position. */
static inline int32_t measures_source(const struct measures *m, int32_t position) {
    return m->source != NULL ? m->source[position] : position;
}

/* Totals of the distances of a vertex, of any type: from these its measures follow (table.h). */
struct any_totals {
    int32_t n;           /* vertices of the graph */
    int32_t reached;     /* vertices, itself included */
    exact_sum exact_sum; /* of distances; 0 unless they are integers */
    double sum;          /* of distances, rounded once */
    double eccentricity;
    double betweenness, centrality; /* of struct measured_flows; 0 if there are none */
    double reciprocals; /* the sum of the doubles nearest to 1 / d, d != 0, rounded once: Python's
                           math.fsum(1 / d for each d). Without meaning if no part needs it */
};

/* Returns the totals of the source at a position; or, inwards, of a vertex, if m has in or
 * real_in. */
struct any_totals measures_totals(const struct measures *m, bool inwards, int32_t position);
double measures_eccentricity(const struct measures *m, int32_t position);

/* Rows of a table of vertices, and the vertex of a row. With betweenness all vertices have one, and
 * those that are no sources follow these, of whose distances they have none. */
static inline int32_t measures_rows(const struct measures *m) {
    return m->flows != NULL ? m->n : m->count;
}
static inline int32_t measures_row_vertex(const struct measures *m, int32_t row) {
    return m->row_vertex != NULL ? m->row_vertex[row] : measures_source(m, row);
}

/* Returns whether there are measures inwards. */
static inline bool measures_have_in(const struct measures *m) {
    return m->in != NULL || m->real_in != NULL;
}

#endif
