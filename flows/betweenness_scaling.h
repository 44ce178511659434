// SPDX-License-Identifier: MIT
/* Betweenness as NetworkX and igraph scale it, from sums over ordered pairs. */
#ifndef FLOWS_BETWEENNESS_SCALING_H
#define FLOWS_BETWEENNESS_SCALING_H

#include <stdbool.h>
#include <stdint.h>

struct betweenness_scaling {
    int32_t n;           /* number of vertices of the graph */
    int32_t sources;     /* number of vertices that paths begin at */
    bool all, directed;  /* all: all vertices are sources; directed: some edge has no reverse of the
                            same weight */
    bool with_endpoints; /* a pair also counts at its own two vertices, as for the edges of its
                            paths */
};

/* Returns the factor of a value as igraph scales it: an undirected pair counts once, and a sample
 * of sources stands for all vertices. of_source: the value is that of a source of the sample, which
 * has no pairs with itself. NaN for the only source. */
double betweenness_factor(const struct betweenness_scaling *s, bool of_source);

/* Returns the factor of a value as NetworkX 3.6 normalizes it: divided by the number of pairs that
 * may count. */
double betweenness_centrality_factor(const struct betweenness_scaling *s, bool of_source);

#endif
