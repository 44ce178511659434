// SPDX-License-Identifier: MIT
/* Kernels of Brandes' algorithm for graphs without weights, from groups of 64 sources: a lane of a
 * warp has two of them. A warp takes a vertex, a block each vertex with very many edges. A batch is
 * some groups side by side, so that few warps wait for the last one of a level.
 *
 * Forwards, level by level, a vertex unites what has come to its in-neighbours at the level before
 * and adds up their numbers of paths. Backwards, from the deepest level on, it adds up what a path
 * brings that goes on to its out-neighbours at the next level: (mass + share) / paths of each.
 * Times its own number of paths, that is its share. Sums are in the order of edges, so that they
 * have the same bits in every run. */
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
    FLOW_SOURCES = 64, /* sources of a group */
    FLOW_SETS = FLOW_SOURCES / 32,
    FLOW_HUB = 256 /* edges of a vertex for which a block is worth it */
};

/* A bit for each source of a group: source s is bit s % 32 of word s / 32. */
struct source_set {
    uint32_t word[FLOW_SETS];
} __attribute__((aligned(8)));

/* Lists of edges of the vertices: of those into them, or out of them. */
struct edge_lists {
    const int64_t *first; /* n + 1 */
    const int32_t *end;   /* m: the other end of each edge */
    const int32_t *hub;   /* `hubs` vertices of FLOW_HUB edges or more */
    int32_t hubs;
};

/* Arrays in device memory. Vertices have numbers (search/cpu/bfs_graph.h), those of most edges
 * first. Each group has its own part of the arrays behind `endpoints`, one after the other. */
struct search_flows {
    int32_t n, levels; /* most levels that there is room for, level 0 included */
    int32_t groups;    /* of a batch */
    int32_t sources;   /* of all batches */
    int64_t m;
    double paths_most; /* numbers of paths are below it, or too many */
    struct edge_lists in, out;
    const int32_t *source;    /* sources */
    const double *from;       /* by source: its mass, above 0 */
    const double *to;         /* n: masses */
    bool endpoints;           /* pairs count at their ends, too */
    struct source_set *come;  /* n: sources whose search has come */
    struct source_set *fresh; /* [level * n + vertex]: sources whose search comes at this level */
    int32_t *any;   /* levels + 1: something is new at this level; the last: too many paths */
    double *paths;  /* [vertex * 64 + source]: number of paths, then what a path brings */
    double *vertex; /* n: sums of shares times masses of sources */
    double *edge;   /* m sums, by edge out of a vertex; NULL: nobody wants them */
};

/* Begins the batch of the sources from place `first` on. Like those below it works in the default
 * stream, and may return before it is done. */
enum status search_flows_begin(const struct search_flows *s, int32_t first, struct error *err);

/* Finds what is new at a level, 1 .. levels - 1, after the one before. */
enum status search_flows_forwards(const struct search_flows *s, int32_t level, int32_t first,
                                  struct error *err);

/* Adds up shares of the vertices at a level, after the one behind it. is_last: there is none. */
enum status search_flows_backwards(const struct search_flows *s, int32_t level, int32_t first,
                                   bool is_last, struct error *err);

/* Adds up the sums of all groups, in their order, to those of the first. */
enum status search_flows_join(const struct search_flows *s, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
