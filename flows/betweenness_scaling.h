// SPDX-License-Identifier: MIT
/* Betweenness in the scales of NetworkX and igraph, from sums over ordered pairs. */
#ifndef FLOWS_BETWEENNESS_SCALING_H
#define FLOWS_BETWEENNESS_SCALING_H

#include <stdbool.h>
#include <stdint.h>

struct betweenness_scaling {
    int32_t n;           /* vertices of the graph */
    int32_t sources;     /* number of vertices that paths begin at */
    bool all, directed;  /* all vertices are sources; some edge has no reverse of its weight */
    bool with_endpoints; /* a pair counts at its ends, too, as it does for the edges of its paths */
};

/* Returns the factor of a value as igraph scales it: an undirected pair counts once, and a sample
 * of sources stands for all vertices. `of_source`: the value is that of a source of the sample,
 * which has no pairs with itself; NaN if it is the only one. */
double betweenness_factor(const struct betweenness_scaling *s, bool of_source);

/* Returns the factor of the same value as NetworkX 3.6 normalizes it: divided by the number of
 * pairs that may count. */
double betweenness_centrality_factor(const struct betweenness_scaling *s, bool of_source);

#endif
