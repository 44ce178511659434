// SPDX-License-Identifier: MIT
/* Breadth-first search on a GPU from 1024 sources at a time, a bit for each: what a vertex is
 * reached by is a set of 128 bytes, a word of it for each lane of a warp. A warp takes some
 * vertices, a block each vertex with very many edges. Edges weigh a few levels each, and over one
 * that weighs s comes what was new at its tail s levels before. At each level a warp unites the
 * sets of what comes, passes over neighbours from which nothing does, and stops when all sources
 * have come. */
#ifndef SEARCH_GPU_BFS_KERNELS_H
#define SEARCH_GPU_BFS_KERNELS_H

#include "common/base/error.h"   // enum status, struct error
#include "measures/set_counts.h" // GPU_SET_LANES

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BFS_SOURCES = GPU_SET_LANES, /* sources of a batch */
    BFS_SET_WORDS = GPU_SET_WORDS,
    BFS_HUB = 512,        /* edges into a vertex for which a block is worth it */
    BFS_MOST_LEVELS = 62, /* a deeper search is given up */
};

/* Some vertices of one word of a bitmap: word * 32 + bit for each bit that is set. */
struct bfs_unit {
    int32_t word;
    uint32_t vertices;
};

/* A search on one device. Arrays are in device memory. Vertices have numbers
 * (search/cpu/bfs_graph.h), those of most edges first. A bitmap has a bit for each vertex. */
struct gpu_bfs {
    int32_t n;                   /* number of vertices */
    int32_t steps;               /* the largest weight, in levels */
    int32_t hubs;                /* number of vertices of BFS_HUB edges or more, a block for each */
    const int32_t *hub;          /* these vertices */
    int32_t units;               /* number of units of other vertices with edges, a warp for each */
    const struct bfs_unit *unit; /* these units */
    const int64_t *first;        /* n * steps + 1: edges into v begin at first[v * steps] */
    const int32_t *tail;         /* the tail of each edge */
    const uint8_t *weight;       /* the weight of each edge in levels; NULL if all are 1 */
    uint32_t *seen;              /* n sets: sources that have come so far, and lanes without one */
    uint32_t *fresh; /* n sets for each of the last steps + 1 levels: sources that came there; those
                        of level l begin with set n * (l modulo (steps + 1)), below 2^31 */
    uint32_t *active;      /* bitmaps of levels 0 .. BFS_MOST_LEVELS: some source came there */
    uint32_t *open;        /* a bitmap: some source has not come */
    int32_t *any;          /* for each level: not 0 if some source came to some vertex there */
    size_t words;          /* number of words of a bitmap */
    int32_t sources;       /* number of sources of all batches */
    const int32_t *number; /* the number of each vertex among the sources; negative: it is none */
    /* Numbers of pairs at each level, of all batches: [level * pitch + source] and
     * [level * n + vertex]. NULL: nobody wants them. */
    uint32_t *by_source, *by_vertex;
    size_t pitch; /* number of sources, with those that fill up the last batch */
};

/* Begins a batch at the sources from number `source` on, a multiple of BFS_SOURCES; forgets the one
 * before but for its counts. Like the next one it works in the default stream, and may return
 * before it is done. */
enum status gpu_bfs_begin(const struct gpu_bfs *b, int32_t source, struct error *err);

/* Finds a level, 1 .. BFS_MOST_LEVELS, of that batch after the one before. If nothing was new at
 * the last `steps` levels, it does nothing. */
enum status gpu_bfs_level(const struct gpu_bfs *b, int32_t source, int32_t level,
                          struct error *err);

#ifdef __cplusplus
}
#endif

#endif
