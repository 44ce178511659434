// SPDX-License-Identifier: MIT
/* Random directed graphs with an exact number of edges. */
#ifndef GRAPHGEN_GENERATE_H
#define GRAPHGEN_GENERATE_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/output.h" // struct output

#include <stdbool.h>
#include <stdint.h>

/* All graphs of n vertices and `edges` distinct directed edges without
 * self-loops are equally likely for practical purposes, weights uniform in
 * lowest .. highest. The same description gives the same graph everywhere. */
struct graph_description {
    int32_t n;     /* >= 1 */
    int64_t edges; /* 0 .. n (n - 1) */
    uint64_t seed;
    int32_t lowest, highest;
    /* Draws weights so that no cycle is negative: with random potentials h, no
     * weight is below h(u) - h(v). Needs highest >= 0. */
    bool no_negative_cycle;
};

/* n (n - 1), the number of possible edges. */
int64_t graph_pairs(int32_t n);

/* The position among all ordered pairs of the index-th edge, a permutation of
 * 0 .. graph_pairs(n) - 1 keyed by the seed: a Feistel network over the next
 * power of two, walked until it falls inside (Black and Rogaway 2002). */
int64_t permute_pair(const struct graph_description *graph, int64_t index);

/* How a file lays a graph out; what the formats are is said in common/graph/graph_io.h. */
struct graph_layout {
    const char *name; /* the value of --format */
    const char *head; /* what stands before the edges; $n, $m: |V|, |E| */
    const char *edge; /* a line; $u, $v, $w: tail, head, weight */
    bool sized;       /* the head has |V| */
    int32_t first;    /* number of the first vertex */
};

/* For help and messages. METIS has no layout: its graphs are undirected. */
#define GRAPH_LAYOUTS "text|gr|mtx|wel|snap|csv|tntp"

/* The layout of that name, or NULL. */
const struct graph_layout *graph_layout_find(const char *name);

/* Writes the graph in memory that does not grow with it. Where the layout does not
 * record |V| and no edge touches the last vertex, a self-loop of weight 0, which
 * means nothing, does so at the end. */
enum status graph_generate(const struct graph_description *graph, const struct graph_layout *layout,
                           struct output *out, struct error *err);

/* Number of edges for a density written as "2%" or "0.02", rounded to the
 * nearest edge (half up, exactly), or for a class of the published schedule,
 * "dense", "medium" or "sparse": the published |E| where n is a published |V|;
 * between two of them a mean degree between theirs, linear in n; below the
 * smallest its density; above the largest its density (dense) or its mean
 * degree. False where the text is none of these or the density exceeds 1. */
bool density_edges(const char *text, int32_t n, int64_t *edges);

#endif
