// SPDX-License-Identifier: MIT
/* Breadth-first search from 512 sources at a time, with a bit for each source (Then et al. 2014),
 * over edges that weigh a few levels each. Each vertex has a set of the sources that have reached
 * it. Over an edge of weight s pass the sources that were new at its tail s levels ago. A level is
 * found in the way that takes fewer edges: go over the vertices that some source has not reached,
 * and unite what comes from their in-neighbours (pull), or go over the vertices with new sources,
 * and add these to the out-neighbours (push). Compiled for each instruction set
 * (common/base/isa.h). */
#ifndef SEARCH_CPU_BFS_KERNELS_H
#define SEARCH_CPU_BFS_KERNELS_H

#include "common/base/bit_counts.h"   // struct bit_set, struct bit_counts
#include "common/base/isa.h"          // ISA_KERNELS, enum isa
#include "common/graph/weight_unit.h" // WEIGHT_STEPS_MOST
#include "search/cpu/bfs_graph.h"     // struct bfs_graph

#include <stdbool.h>
#include <stdint.h>

struct row_totals; /* see common/graph/row_block.h */

/* The sources that are new at vertices at one level. */
struct bfs_level {
    struct bit_set *set; /* by vertex, n entries: sources that reach it at this level */
    uint64_t *active;    /* a bit for each vertex: its set is valid and not empty */
};

/* A search from up to BIT_LANES sources. */
struct bfs {
    const struct bfs_graph *graph;
    struct bit_set *seen; /* by vertex, n entries: sources that have reached it so far */
    /* Between levels, ago[s], 1 <= s <= graph->steps, is level s - 1 before the last one; ago[0] is
     * memory for the next one. */
    struct bfs_level ago[WEIGHT_STEPS_MOST + 1];
    /* By level s from now: number of edges over which sources pass at that level; 0 beyond the last
     * step. */
    int64_t due[WEIGHT_STEPS_MOST + 2];
    uint64_t *touched;        /* a bit for each vertex; all 0 between levels */
    uint64_t *open;           /* a bit for each vertex: some source has not reached it */
    int64_t open_edges;       /* number of edges into open vertices */
    struct bit_counts counts; /* number of vertices that each source reaches at this level */
    /* Totals of columns, by number, to which the vertices reached at this level are added with this
     * distance and its reciprocal (high, low: see struct row_totals); NULL: not wanted. */
    struct row_totals *column;
    int32_t distance;
    int64_t high, low;
    /* Levels at which sources reach vertices: bit k of the level at vertex v is in slice[v * slices
     * + k] (certificate/level_proof.h); NULL: not kept. */
    struct bit_set *slice;
    int slices;
    int32_t level; /* number of levels since start */
    int32_t quiet; /* number of levels at the end at which no source was new */
};

struct bfs_kernels {
    /* Begins a search from `count` vertices, all different, given by their numbers. */
    void (*start)(struct bfs *s, const int32_t *source, int count);
    /* Finds the next level, at which perhaps nothing is new. Returns false if the search is over:
     * nothing was new at as many levels as an edge may weigh. */
    bool (*level)(struct bfs *s);
    /* Stores the number of vertices that each source has reached since the last call. */
    void (*take_counts)(struct bfs *s, int32_t count[BIT_LANES]);
};

ISA_KERNELS(bfs_kernels);

#endif
