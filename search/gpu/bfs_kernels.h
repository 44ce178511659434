// SPDX-License-Identifier: MIT
/* Breadth-first search on a GPU from 1024 sources at a time, with a bit for each source: each
 * vertex has a set of 128 bytes of the sources that have reached it, one word for each lane of a
 * warp. A warp takes some vertices; a whole block takes a vertex with very many edges. Edges weigh
 * a few levels each: over an edge of weight s pass the sources that were new at its tail s levels
 * before. At each level a warp unites the sets that pass over a vertex's edges; it skips neighbours
 * without new sources, and stops when all sources have come. */
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
    BFS_SOURCES = GPU_SET_LANES, /* number of sources of a batch */
    BFS_SET_WORDS = GPU_SET_WORDS,
    BFS_HUB = 512,        /* fewest edges into a vertex that a whole block takes */
    BFS_MOST_LEVELS = 62, /* a search with more levels is given up */
};

/* Some vertices of one word of a bitmap: for each bit of `vertices` that is set, vertex word * 32 +
 * bit. */
struct bfs_unit {
    int32_t word;
    uint32_t vertices;
};

/* A search on one device. Arrays are in device memory. Vertices are numbered anew, those with most
 * edges first (search/cpu/bfs_graph.h). A bitmap has a bit for each vertex. */
struct gpu_bfs {
    int32_t n;                   /* number of vertices */
    int32_t steps;               /* largest weight, in levels */
    int32_t hubs;                /* number of vertices with BFS_HUB edges or more, each of which a
                                    block takes */
    const int32_t *hub;          /* these vertices, `hubs` entries */
    int32_t units;               /* number of units of the other vertices that have edges; a warp
                                    takes a unit */
    const struct bfs_unit *unit; /* the units, `units` entries */
    const int64_t *first;        /* index at which the edges into each vertex v begin:
                                    first[v * steps], n * steps + 1 entries */
    const int32_t *tail;         /* tail of each edge */
    const uint8_t *weight;       /* weight of each edge in levels; NULL: all are 1 */
    uint32_t *seen;              /* a set for each vertex: the sources that have reached it; bits
                                    of lanes without a source are set, too */
    uint32_t *fresh;             /* set of each vertex for each of the last steps + 1 levels:
                                    sources that are new at it; the sets of level l begin with
                                    number n * (l modulo (steps + 1)), which is below 2^31 */
    uint32_t *active;            /* bitmap of each level 0 .. BFS_MOST_LEVELS: some source is new at
                                    the vertex */
    uint32_t *open;              /* bitmap: some source has not come to the vertex */
    int32_t *any;                /* by level: not 0 if some source is new at some vertex */
    size_t words;                /* number of words of a bitmap */
    int32_t sources;             /* number of sources of all batches */
    const int32_t *number;       /* number of each vertex among the sources; negative: it is no
                                    source */
    /* Number of pairs at each level, of all batches: by source [level * pitch + source], and by
     * target [level * n + vertex]; NULL: not wanted. */
    uint32_t *by_source, *by_vertex;
    size_t pitch; /* number of sources, including those that fill up the last batch */
};

/* Begins the batch of sources from number `source` on, a multiple of BFS_SOURCES; keeps only the
 * counts of the batch before. This function and the next one work in the default stream and may
 * return before they are done. */
enum status gpu_bfs_begin(const struct gpu_bfs *b, int32_t source, struct error *err);

/* Finds a level, 1 .. BFS_MOST_LEVELS, of the batch; the level before must be found. Does nothing
 * if no source was new at the last `steps` levels. */
enum status gpu_bfs_level(const struct gpu_bfs *b, int32_t source, int32_t level,
                          struct error *err);

#ifdef __cplusplus
}
#endif

#endif
