// SPDX-License-Identifier: MIT
/* Pendant trees of a graph, each of which hangs on the rest by one vertex, for flows along shortest
 * paths.
 *
 * All paths between a vertex of such a tree and one outside lead over the vertex on which the tree
 * hangs. So trees are cut off, and that vertex gets their masses, decayed by the way there. The
 * flow in the rest stays the same, and the flow in the trees follows from masses alone (Baglioni,
 * Geraci, Pellegrini and Lastres 2012; Sariyuce, Saule, Kaya and Catalyurek 2012). */
#ifndef FLOWS_PENDANT_TREES_H
#define FLOWS_PENDANT_TREES_H

#include "flows/betweenness.h" // struct betweenness_request, struct betweenness

struct pendant_vertex; /* see pendant_trees.c */

struct pendant_trees {
    const struct graph *graph;
    struct graph rest;              /* graph of the vertices that are not cut off, and of the edges
                                       between them */
    int32_t *vertex;                /* vertex of `graph` for each of `rest`, ascending */
    struct pendant_vertex *pendant; /* vertices that are cut off, each before its parent */
    int32_t count;                  /* number of vertices that are cut off; 0: `graph` is used as
                                       it is, and no other field is set */
    double *from, *to; /* by vertex of `graph`: mass as a source and as a target, of the
                          vertex and of what hangs on it */
    double *in, *out;  /* by vertex of `graph`: decayed masses of other vertices, as sources
                          that reach the vertex and as targets that it reaches */
    int32_t *source;   /* sources in the rest, ascending */
    double *rest_from, *rest_to; /* masses by vertex of `rest` */
    void *masses;                /* memory of the arrays of float64 */
};

/* Cuts the pendant trees off a graph whose weights are above 0, if that makes it notably smaller.
 * threads: number of threads. The caller frees *t with pendant_trees_free, also after a failure,
 * and keeps g until then. STATUS_NO_RESOURCE if there is not enough memory. */
enum status pendant_trees_cut(struct pendant_trees *t, const struct graph *g, int threads,
                              struct error *err);

/* Makes the request for the flow in the rest, with edges, ends and begins but without endpoints and
 * totals. `whole` is for the graph, without zones and trips, and with masses whose sums are finite.
 * of_rest->sources.count 0: nothing flows in the rest. *of_rest refers to *t. */
enum status pendant_trees_request(struct pendant_trees *t, const struct betweenness_request *whole,
                                  struct betweenness_request *of_rest, struct error *err);

/* Adds to the zeroed values of `whole` those found for the rest, and the flow in the trees; fields
 * of `whole` that are NULL are not wanted. To be called once after pendant_trees_request. */
void pendant_trees_join(struct pendant_trees *t, const struct betweenness *of_rest, bool endpoints,
                        struct betweenness *whole);

/* Returns the most bytes of the trees of a graph, and of its rest. */
uint64_t pendant_trees_memory(int32_t n, int64_t m);

/* Frees *t and zeroes it; safe on a zeroed struct. */
void pendant_trees_free(struct pendant_trees *t);

#endif
