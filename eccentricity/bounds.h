// SPDX-License-Identifier: MIT
/* Bounds of eccentricities, and what rows of distances say of them. With e(v) the eccentricity of
 * v, the triangle inequality gives for a searched vertex s
 *
 *     e(v) <= d(v, s) + e(s)     if s reaches all that v reaches: if they reach each other;
 *     e(v) >= e(s) - d(s, v)     if they reach each other;
 *     e(v) >= d(v, s)            if v reaches s.
 *
 * For the largest distance less is needed. A pair (s, t) that is farther apart than all that is
 * known has s among some vertices S, and t among some T, all others being bounded already. So only
 *
 *     d(s, t) <= d(s, c) + max over T of d(c, t)     for s in S, if s and c reach each other,
 *
 * and the same to each t in T, matter; S and T shrink together (Crescenzi et al., "On computing the
 * diameter of real-world undirected graphs", 2013, has this for one c).
 *
 * The same holds with the mean over several c, and so to be far from one of them is not enough.
 *
 * A vertex in a component of its own has e(v) <= max over its edges v -> u of w(v, u) + e(u).
 *
 * Lengths of paths of real weights are rounded after every addition. A distance of at most k edges
 * is within a factor 1 +- k u of the one without rounding, where u is half the distance from 1 to
 * the next number, and so bounds are given up a little, unless sums are exact. What is found from a
 * vertex itself is its eccentricity, to the last bit. */
#ifndef ECCENTRICITY_BOUNDS_H
#define ECCENTRICITY_BOUNDS_H

#include "common/graph/graph.h"       // struct graph
#include "eccentricity/search_rows.h" // struct search_row

struct bounds {
    const struct graph *graph;
    bool directed;
    bool exact;         /* sums of weights are exact */
    double slack;       /* factor >= 1 for rounding: upper bounds are multiplied by it, lower bounds
                           divided */
    int32_t components; /* number of strongly connected components */
    int32_t *component; /* number of each vertex's strongly connected component, n entries; NULL:
                           there is one, or the graph is undirected */
    int32_t *alone;     /* in a directed graph: vertices that are components of their own, in an
                           order in which their edges lead to earlier components, alone_count
                           entries */
    int32_t alone_count;
    double *lower, *upper; /* bounds of the eccentricity of each vertex, n entries each */
    /* Upper bounds of the distances from each vertex, and to each vertex, in pairs that are farther
     * apart than `largest`, n entries each. A vertex whose bound is not above `largest` is in no
     * such pair. Both are one array for an undirected graph. */
    double *from_upper, *to_upper;
    /* Sums of the distances from each vertex to the landmarks, and from the landmarks to each
     * vertex, n entries each; infinite: no path. Landmarks are some searched vertices of one
     * component. Both are one array for an undirected graph. */
    double *to_landmarks, *from_landmarks;
    int32_t landmarks;     /* number of landmarks */
    int32_t landmark;      /* one of the landmarks; undefined without landmarks */
    double landmark_least; /* least eccentricity of a landmark */
    double unit;           /* all distances are multiples of this; 0: unknown */
    bool *searched;        /* by vertex, n entries: lower and upper are the eccentricity found by a
                              search */
    int32_t sources;       /* number of vertices searched */
    double largest;        /* largest eccentricity of a searched vertex; -1: none is searched */
    double least;          /* least eccentricity of a searched vertex; infinite: none is searched */
    int32_t from, to;      /* a pair at the largest distance: the source that was searched first,
                              and its lowest target; -1: no pair */
    int32_t central;       /* first searched source with the least eccentricity; -1: none */
};

/* Begins with the bounds that need no search. O(n + m). The caller keeps the graph, and frees *b
 * with bounds_close, also after a failure. */
enum status bounds_open(struct bounds *b, const struct graph *g, bool directed, struct error *err);

/* Returns whether a vertex that has not been searched may have a distance above the largest known
 * one. */
static inline bool bounds_may_be_largest(const struct bounds *b, int32_t v) {
    return b->from_upper[v] > b->largest;
}

/* Takes the rows of search_rows_run in their order, on at most `most` threads. */
void bounds_take(struct bounds *b, const struct search_row *rows, int32_t count, int most);

/* Frees *b and zeroes it; safe on a zeroed struct. */
void bounds_close(struct bounds *b);

#endif
