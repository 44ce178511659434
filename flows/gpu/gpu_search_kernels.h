// SPDX-License-Identifier: MIT
/* Kernels of Brandes' algorithm. They search from groups of 64 sources, two for each lane of a
 * warp. A warp takes a vertex; a whole block takes a vertex with very many edges. A batch is some
 * groups that run at the same time, so that few warps wait for the last one of a level.
 *
 * In a graph with weights, labels are corrected first, round by round, until they are the
 * distances: a vertex pulls from in-neighbours whose labels sank in the round before. Most edges
 * are too heavy for that: the least of the labels that sank plus the weight is no less than the
 * largest label of the vertex. They are passed over by two numbers in place of rows, the more of
 * them the more alike the sources of a group are. Then an edge is tight for the sources for which
 * it ends a shortest path to its head. A vertex has the level of the most edges of a shortest path,
 * so that tight edges lead from lower levels to higher ones.
 *
 * Forwards, level by level, a vertex adds up the numbers of paths of its in-neighbours: without
 * weights, for the sources that have come to these at the level before; with weights, over tight
 * edges, for the sources that have come to the tails of all of them. Backwards, from the deepest
 * level on, it adds up (mass + share) / paths of each out-neighbour at the next level or behind a
 * tight edge, which is what a path brings back from there. This sum times the vertex's own number
 * of paths is its share. Sums are in the order of edges, so that they have the same bits in every
 * run. */
#ifndef FLOWS_GPU_GPU_SEARCH_KERNELS_H
#define FLOWS_GPU_GPU_SEARCH_KERNELS_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FLOW_SOURCES = 64, /* number of sources of a group */
    FLOW_SETS = FLOW_SOURCES / 32,
    FLOW_HUB = 256 /* fewest edges of a vertex that a whole block takes */
};

/* A bit for each source of a group: source s is bit s % 32 of word s / 32. */
struct source_set {
    uint32_t word[FLOW_SETS];
} __attribute__((aligned(8)));

/* The edges into each vertex, or out of each vertex. */
struct edge_lists {
    const int64_t *first; /* index in `end` at which each vertex's edges begin, n + 1 entries */
    const int32_t *end;   /* other end of each edge, m entries */
    const int32_t *hub;   /* the vertices with FLOW_HUB edges or more, `hubs` entries */
    int32_t hubs;
};

/* Arrays of a graph with weights, in device memory; all are NULL for one without. Those declared
 * after `place` have a part for each group, one after the other. */
struct search_lengths {
    /* Weight of each edge into a vertex, m entries, of one of two types; the other is NULL. Weights
     * of int32 are at most INF, and distances below it. */
    const int32_t *weight;
    const double *real_weight;
    const int64_t *place; /* index among the edges out of each edge in, m entries */
    /* Labels in the type of weights; INF or infinite stands for no path. */
    void *dist;  /* [vertex * 64 + source]: label, at last the distance */
    void *least; /* [round % 2 * n + vertex]: least of the labels that sank in the round; at last
                    the first n entries are the least distances */
    void *most;  /* by vertex, n entries: largest label; at last the largest distance of those that
                    have a path */
    struct source_set *sunk; /* [round % 2 * n + vertex]: sources for which the vertex's label sank
                                in the round */
    /* By edge in and by edge out, m entries each: sources for which the edge is tight. */
    struct source_set *tight_in, *tight_out;
    int32_t *any; /* by round, levels + 1 entries: not 0 if labels sank in it */
};

/* Arrays in device memory. Vertices are numbered anew, those with most edges first
 * (search/cpu/bfs_graph.h). The arrays declared after `endpoints` have a part for each group, one
 * after the other. */
struct search_flows {
    int32_t n, levels; /* number of vertices, and number of levels that there is room for, level 0
                          included */
    int32_t groups;    /* number of groups of a batch */
    int32_t sources;   /* number of sources of all batches */
    int64_t m;
    double paths_most; /* numbers of paths must be below this */
    double to_least;   /* decayed masses of targets above 0 must be this or more */
    double rate;       /* masses of targets decay by exp(-distance * rate); 0: no decay */
    struct edge_lists in, out;
    const int32_t *source;       /* vertex of each source */
    const double *from;          /* mass of each source, > 0 */
    const double *to;            /* mass of each vertex as a target, n entries */
    bool endpoints;              /* a pair also counts at its own two vertices */
    struct source_set *come;     /* by vertex, n entries: sources whose search has come to it; with
                                    weights, those that have a path to it */
    struct source_set *at_level; /* [level * n + vertex]: sources whose search comes to the vertex
                                    at this level; with weights, at this level or before */
    int32_t *any;   /* by level: not 0 if vertices are new at it; entry `levels`: not 0 if
                       there are too many paths, or masses are too small */
    double *paths;  /* [vertex * 64 + source]: number of paths; later, what each path
                       brings back */
    double *vertex; /* sum of shares times masses of sources for each vertex, n entries */
    double *edge;   /* sum of flow over each edge out of a vertex, m entries; NULL: not
                       wanted */
    double *ends;   /* sum of flow that ends at each vertex, n entries, and of flow that begins
                       there, n entries; NULL: not wanted */
    struct search_lengths lengths;
};

/* Begins the batch of the sources from place `first` on. This function and the next ones work in
 * the default stream and may return before they are done. */
enum status search_flows_begin(const struct search_flows *s, int32_t first, struct error *err);

/* Does a round of label correcting in a graph with weights, 1 .. levels - 1; the round before must
 * be done. Where the last of these rounds changes labels, there are more levels than room. */
enum status search_flows_round(const struct search_flows *s, int32_t round, int32_t first,
                               struct error *err);

/* Finds the tight edges of the distances, and the sources that come to each vertex. */
enum status search_flows_tight(const struct search_flows *s, int32_t first, struct error *err);

/* Finds the vertices that are new at a level, 1 .. levels - 1; the level before must be done. */
enum status search_flows_forwards(const struct search_flows *s, int32_t level, int32_t first,
                                  struct error *err);

/* Finds the shares of the vertices at a level; the next level must be done. is_last: there is no
 * next level. */
enum status search_flows_backwards(const struct search_flows *s, int32_t level, int32_t first,
                                   bool is_last, struct error *err);

/* Adds the sums of all groups, in their order, to those of the first. */
enum status search_flows_join(const struct search_flows *s, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
