// SPDX-License-Identifier: MIT
/* Measures: what is computed from the rows of an answer and kept instead of them, in memory O(n).
 *
 * Names are NetworkX's, and so are the values, with two rules for directed graphs. NetworkX takes
 * the eccentricity outwards (distances from the vertex), but centralities inwards (distances to the
 * vertex); here both directions are computed. And where NetworkX raises an exception because some
 * pair has no path, the value here is infinite, and reports also give the value among the pairs
 * that have a path.
 *
 * Measures of int32 distances use integer or fixed-point arithmetic without rounding until the end.
 * So results are the same bytes for every engine, any number of threads, and blocks of any size in
 * any order. A vertex reaches itself, at distance 0. Distances may be negative.
 *
 * Measures of real distances are the same bytes in all these cases, too. Eccentricities, the
 * diameter and counts are exact. Sums of distances and of reciprocals are fixed-point numbers of at
 * least 80 bits below the largest number that is added (real_sum.h): for fewer than 2^24 vertices,
 * each distance adds an error of at most 2^-80 times the largest number to a sum, before it is
 * rounded once. So sums of up to a million distances >= 0 are right to the last place of a double,
 * or next to it. If weights are above 2^900 / n or below 2^-900, distances or reciprocals below
 * 2^-874 add nothing.
 *
 * Lengths of other semirings than min-plus (semiring.h) have the measures that make sense without
 * sums of weights. Their eccentricity is the worst length between the vertex and another; that of a
 * vertex without any is its length to itself. The length of a vertex to itself adds nothing to a
 * sum.
 *
 * If distances have a limit, pairs beyond it are pairs without a path, and so all measures are of
 * the pairs within the limit. */
#ifndef MEASURES_MEASURES_H
#define MEASURES_MEASURES_H

#include "common/base/error.h"      // enum status, struct error
#include "common/graph/graph.h"     // struct graph
#include "common/graph/limit.h"     // NO_LIMIT
#include "common/graph/row_block.h" // struct row_sink
#include "measures/lengths.h"       // struct length_order
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

/* Totals of the finite int32 distances from a vertex, or to a vertex. */
struct vertex_totals {
    exact_sum reciprocals; /* the sum of the doubles nearest to 1 / d, d != 0, in units of 2^-82 */
    int64_t sum;           /* sum of the distances */
    int32_t reached;       /* number of vertices at finite distances, itself included */
    int32_t eccentricity;
};

/* Totals of the finite real distances from a vertex, or to a vertex. */
struct real_vertex_totals {
    /* sums of the distances, and of the doubles nearest to 1 / d, d != 0 */
    struct real_sum sum, reciprocals;
    double eccentricity;
    int32_t reached;
};

/* Distances between different vertices are counted in bins of equal width: the least power of two,
 * at least 1 if distances are integers, with which the bins between the least and the largest
 * distance, 0 included, are no more than MEASURES_BINS. So each bin counts a single distance if all
 * are integers in 0 .. MEASURES_BINS - 1. */
enum { MEASURES_BINS = 1024 };
struct distance_histogram {
    double width; /* width of a bin */
    double first; /* the least distance that is counted in bin 0; a multiple of the width */
    /* number of bins; 0: no pair has a path; otherwise bins 0 and bins - 1 are not empty */
    int32_t bins;
    int64_t count[MEASURES_BINS];
};

/* Measures of all pairs of a source and another vertex. */
struct pair_measures {
    int64_t pairs, without_path;
    /* exact sum of the distances of pairs with a path, if distances are integers */
    exact_sum sum;
    double real_sum; /* sum of these distances of any type, rounded */
    double average;  /* mean distance of pairs with a path; 0 if there are none */
    /* largest distance, 0 if none is positive; of another semiring, the worst length */
    double largest;
    int32_t from, to; /* the first pair at the largest distance, by source and then by target */
    struct distance_histogram histogram;
};

/* Measures of the graph, computed from all its rows without a limit. */
struct graph_measures {
    int32_t components;        /* number of strongly connected components; in an undirected graph,
                                  of connected ones */
    int32_t largest_component; /* number of vertices of the largest component */
    /* These are infinite unless there is one component. */
    double diameter, radius;             /* the worst and the best eccentricity */
    double average_shortest_path_length; /* mean over pairs of different vertices; 0 if n = 1 */
    exact_sum wiener_index; /* sum of int32 distances over pairs of vertices; unordered pairs if the
                               graph is undirected */
    double real_wiener_index; /* Wiener index of distances of any type, rounded */
    /* The mean of 1 / d over all pairs of different vertices; pairs without a path and pairs at
     * distance 0 add nothing. Always finite. 0 if n = 1. */
    double global_efficiency;
};

/* Parameters of sums of a graph's real distances: bits of a part (real_sum.h), and exponents of the
 * powers of two by which distances and reciprocals are multiplied. */
struct real_summing {
    int bits, distance, reciprocal;
};

/* Betweenness in addition to the measures of a graph (flows/measured.h). The arrays belong to the
 * caller. */
struct measured_flows {
    double *betweenness, *centrality; /* n, for vertices: betweenness in pairs as igraph scales it,
                                         centrality normalized as in NetworkX */
    int64_t edges;                    /* number of edges; an undirected graph has each once */
    int32_t *tail, *head;
    /* betweenness and centrality of each edge, `edges` entries */
    double *edge_betweenness, *edge_centrality;
    bool endpoints; /* a pair counts at its ends, too */
    /* Power of ten by which weights were multiplied to become integers, so that ties are decided
     * exactly; 1: weights were used as they are. */
    double times;
    double spacing;  /* grid spacing to which weights were rounded for betweenness alone; 0: they
                        were not rounded */
    const char *way; /* the algorithm that found the betweenness */
};

/* Returns by how much rounding may change a value of that size. of_sources: the sum of a pair from
 * each source, in the scale of the value. */
static inline double flow_tolerance(double value, double of_sources) {
    return 0x1p-40 * (fabs(value) + of_sources);
}

struct measures_thread;

struct measures {
    struct row_sink sink; /* the first member: a sink's pointer is that of its measures */
    const struct graph *graph;
    bool directed; /* some edge has no reverse of its weight */
    /* limit of the distances; the caller may set it after measures_init; NO_LIMIT: none */
    double limit;
    struct length_order order; /* order of the lengths of the graph's semiring */
    unsigned parts;            /* wanted parts, bits of parts.h */

    /* The members below are set by begin. `source` is a copy; NULL: all vertices in order, and
     * count = n. */
    enum number_type type; /* type of the distances, which is the graph's */
    int32_t n, count;
    int32_t *source;
    /* Totals of rows, `count` entries, by position in the answer. One of the two is NULL, by the
     * type. */
    struct vertex_totals *out;
    struct real_vertex_totals *real_out;
    struct real_summing summing;
    int threads;
    struct measures_thread **thread;
    /* the part of the graph that rows belong to; NULL: the whole graph */
    const struct row_part *part;

    /* Set by measures_finish: totals of columns, n entries; NULL unless the graph is directed and
     * all vertices are sources. In an undirected graph the totals of rows serve. */
    struct vertex_totals *in;
    struct real_vertex_totals *real_in;
    struct pair_measures pairs;
    struct graph_measures of_graph; /* valid only if measures_are_of_graph */

    /* Set by measures_add_flows; owned by the caller. NULL: there is no betweenness. */
    const struct measured_flows *flows;
    int32_t *row_vertex; /* n: sources, then all other vertices; NULL: all vertices in order, or
                            there is no betweenness */
};

/* Prepares the sink m->sink for answers to g, which the caller keeps until measures_free. Looks at
 * the graph on up to `threads` threads, or threads_or_default(0). */
void measures_init(struct measures *m, const struct graph *g, int threads);

/* Restricts the measures to some parts of MEASURES_ALL; to be called after measures_init, which
 * takes all. */
void measures_choose(struct measures *m, unsigned parts);

/* Gives rank 0 what the other ranks have taken of the same answer. All ranks call it after the last
 * row was taken; then only rank 0 may finish. */
enum status measures_gather(struct measures *m, const struct ranks *ranks, struct error *err);

/* Computes what depends on all rows; to be called once, after the last row was taken. */
enum status measures_finish(struct measures *m, struct error *err);

/* Adds betweenness, the part MEASURES_FLOWS, to finished measures. */
enum status measures_add_flows(struct measures *m, const struct measured_flows *flows,
                               struct error *err);

/* Safe on a zeroed struct and after a failure; leaves it zeroed. */
void measures_free(struct measures *m);

/* Returns how many bytes begin and measures_finish allocate for that number of sources (n if
 * `all`). */
uint64_t measures_memory(enum number_type type, int32_t n, int32_t count, bool all, bool directed,
                         int threads);

/* Returns whether the rows suffice for measures of the graph: all rows are there, without a limit.
 */
static inline bool measures_are_of_graph(const struct measures *m) {
    return m->source == NULL && m->limit == NO_LIMIT;
}

/* Returns whether distances are integers: int32, or those of an integral graph. */
static inline bool measures_are_integral(const struct measures *m) {
    return m->type == NUMBER_INT32 || m->graph->integral;
}

/* Returns the type as which distances are written to files. */
static inline enum number_type measures_written_type(const struct measures *m) {
    return graph_written_type(m->graph);
}

/* Returns whether some pair of different vertices has a path. */
static inline bool measures_have_paths(const struct measures *m) {
    return m->pairs.without_path < m->pairs.pairs;
}

/* Returns whether pairs.largest is a length: sums have that of a vertex to itself, 0, if no pair
 * has a path. */
static inline bool measures_have_largest(const struct measures *m) {
    return m->order.is_sum || measures_have_paths(m);
}

/* Returns the source at a position of the answer. */
static inline int32_t measures_source(const struct measures *m, int32_t position) {
    return m->source != NULL ? m->source[position] : position;
}

/* Totals of the distances of a vertex, for distances of any type; its measures follow from them
 * (table.h). */
struct any_totals {
    int32_t n;           /* number of vertices of the graph */
    int32_t reached;     /* number of vertices at finite distances, itself included */
    exact_sum exact_sum; /* sum of distances if they are integers; otherwise 0 */
    double sum;          /* sum of distances, rounded once */
    double eccentricity; /* infinite for a vertex without a path, in min-max and max-min */
    double betweenness, centrality; /* as in struct measured_flows; 0 if there are none */
    double reciprocals; /* the sum of the doubles nearest to 1 / d, d != 0, rounded once: Python's
                           math.fsum(1 / d for each d). Undefined if no part needs it. */
};

/* Returns the totals of the source at a position; or, if inwards, of the vertex with that number,
 * provided that m has totals of columns. */
struct any_totals measures_totals(const struct measures *m, bool inwards, int32_t position);
double measures_eccentricity(const struct measures *m, int32_t position);

/* Stores in `vertex` the first `room` vertices with an eccentricity, ascending; returns how many
 * vertices have it. All vertices must be sources. */
int32_t measures_find_vertices(const struct measures *m, double eccentricity, int32_t *vertex,
                               int32_t room);

/* measures_rows returns the number of rows in the table of vertices, and measures_row_vertex the
 * vertex of a row. With betweenness, vertices that are no sources follow the sources, without
 * measures of distances. */
static inline int32_t measures_rows(const struct measures *m) {
    return m->flows != NULL ? m->n : m->count;
}
static inline int32_t measures_row_vertex(const struct measures *m, int32_t row) {
    return m->row_vertex != NULL ? m->row_vertex[row] : measures_source(m, row);
}

/* Returns whether there are measures of distances to vertices. */
static inline bool measures_have_in(const struct measures *m) {
    return m->in != NULL || m->real_in != NULL;
}

#endif
