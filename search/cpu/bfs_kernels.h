// SPDX-License-Identifier: MIT
/* Breadth-first search from 512 sources at a time, a bit for each (Then et al. 2014), of edges that
 * weigh a few levels each. A vertex has a set of the sources that have reached it. Over an edge
 * that weighs s comes what was new at its tail s levels ago. A level goes over the vertices that
 * some source has not reached and unites what comes from their in-neighbours (pull), or over what
 * was new and adds it to the out-neighbours (push), whichever has fewer edges. It is compiled for
 * each instruction set (common/base/isa.h). */
#ifndef SEARCH_CPU_BFS_KERNELS_H
#define SEARCH_CPU_BFS_KERNELS_H

#include "common/base/bit_counts.h"   // struct bit_set, struct bit_counts
#include "common/base/isa.h"          // ISA_KERNELS, enum isa
#include "common/graph/weight_unit.h" // WEIGHT_STEPS_MOST
#include "search/cpu/bfs_graph.h"     // struct bfs_graph

#include <stdbool.h>
#include <stdint.h>

struct row_totals; /* common/graph/row_block.h */

/* The news of a level. */
struct bfs_level {
    struct bit_set *set; /* n: the sources that reach each vertex there */
    uint64_t *active;    /* a bit for each vertex: its set is not empty, and not stale */
};

/* A search from up to BIT_LANES sources. */
struct bfs {
    const struct bfs_graph *graph;
    struct bit_set *seen; /* n: reached so far */
    /* Between levels ago[s], 1 <= s <= graph->steps, is the level s - 1 before the last one, and
     * ago[0] has room for the next one. */
    struct bfs_level ago[WEIGHT_STEPS_MOST + 1];
    /* Edges between levels over which something comes at the s-th level from now; 0 behind the last
     * step. */
    int64_t due[WEIGHT_STEPS_MOST + 2];
    uint64_t *touched;        /* a bit for each vertex; all are 0 between levels */
    uint64_t *open;           /* a bit for each vertex that a source has not reached */
    int64_t open_edges;       /* into open vertices */
    struct bit_counts counts; /* number of vertices that each source reaches at this level */
    /* Unless NULL, the totals of columns, by number, take what is reached at this level: this
     * distance, and 1 over it in the parts of struct row_totals. */
    struct row_totals *column;
    int32_t distance;
    int64_t high, low;
    /* Unless NULL, bit k of the level at which sources reach vertex v is kept in slice[v * slices +
     * k] (certificate/level_proof.h). */
    struct bit_set *slice;
    int slices;
    int32_t level; /* since start */
    int32_t quiet; /* levels up to the last one at which nothing was new */
};

struct bfs_kernels {
    /* Begins at the vertices of `count` numbers, which differ. */
    void (*start)(struct bfs *s, const int32_t *source, int count);
    /* Finds what is at the next level, which may be nothing. Returns false if nothing will come any
     * more: nothing was new at as many levels as an edge may weigh. */
    bool (*level)(struct bfs *s);
    /* Stores how many vertices each source has reached since the last call. */
    void (*take_counts)(struct bfs *s, int32_t count[BIT_LANES]);
};

ISA_KERNELS(bfs_kernels);

#endif
