// SPDX-License-Identifier: MIT
/* Random directed graphs with an exact number of edges. */
#ifndef GRAPHGEN_GENERATE_H
#define GRAPHGEN_GENERATE_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/output.h" // struct output
#include "graphgen/layout.h"    // struct graph_layout

#include <stdbool.h>
#include <stdint.h>

/* A random graph. All graphs of n vertices and `edges` distinct directed edges without self-loops
 * are equally likely for practical purposes, and weights are uniform in lowest .. highest. The same
 * description gives the same graph on every machine. */
struct graph_description {
    int32_t n;     /* number of vertices, 1 or more */
    int64_t edges; /* number of edges, 0 .. n (n - 1) */
    uint64_t seed;
    int32_t lowest, highest;
    int decimals; /* a weight w is written as w / 10^decimals, 0 .. LAYOUT_MAX_DECIMALS */
    /* Draws weights so that no cycle is negative: with random potentials h, no
     * weight is below h(u) - h(v). Needs highest >= 0. */
    bool no_negative_cycle;
};

/* n (n - 1), the number of possible edges. */
int64_t graph_pairs(int32_t n);

/* The position among all ordered pairs of the index-th edge, a permutation of
 * 0 .. graph_pairs(n) - 1 keyed by the seed. */
int64_t permute_pair(const struct graph_description *graph, int64_t index);

/* State from which uniform weights are drawn. */
struct weight_source {
    uint64_t key, potential_key;
    int32_t lowest, highest;
    bool no_negative_cycle;
};

/* Starts the weights of a description. */
void weights_start(struct weight_source *weights, const struct graph_description *graph);

/* The index-th weight, of an edge u -> v. */
int32_t weights_draw(const struct weight_source *weights, uint64_t index, int32_t u, int32_t v);

/* Draws and writes the graph, in memory that does not grow with its size. */
enum status graph_generate(const struct graph_description *graph, const struct graph_layout *layout,
                           struct output *out, struct error *err);

/* Finds the number of edges for n vertices and a density, or a class of the published schedule. A
 * density is written as "2%" or "0.02"; edges are rounded to the nearest number, half up, exactly.
 * For a class, "dense", "medium" or "sparse", it is the published |E| if n is a published |V|.
 * Between two published |V| the mean degree is interpolated, linear in n. Below the smallest |V|
 * the density is that of the smallest graph; above the largest |V| the density (dense) or mean
 * degree (the other classes) is that of the largest. Returns false if the text is none of these or
 * the density exceeds 1. */
bool density_edges(const char *text, int32_t n, int64_t *edges);

#endif
