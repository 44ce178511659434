// SPDX-License-Identifier: MIT
/* The graph that is left once each cluster of a pattern has eliminated vertices of its own
 * (cluster_order.h). Two vertices that are left are joined by an edge of the pattern, or are in a
 * clique: a set of vertices that an eliminated vertex has joined to each other. */
#ifndef ELIMINATION_REMAINDER_H
#define ELIMINATION_REMAINDER_H

#include "elimination/pattern.h"        // struct pattern
#include "elimination/quotient_order.h" // struct clique_graph

/* Outcome of the elimination in a cluster. */
struct cluster_result {
    int32_t eliminated;     /* number of the cluster's vertices that are eliminated */
    int32_t *clique;        /* cliques one after the other, the size of each before its vertices;
                               vertices of the pattern */
    int64_t cliques_length; /* number of entries of `clique` */
};

struct remainder_request {
    const struct pattern *pattern;
    int threads;
    int32_t clusters;
    const struct cluster_result *found; /* result of each cluster, `clusters` entries */
    const uint8_t *is_left;             /* by vertex of the pattern: not 0 if the vertex is left */
};

struct remainder {
    struct clique_graph graph; /* vertices that are left, numbered in ascending order */
    int32_t *vertex;           /* vertex of the pattern for each vertex of the graph, graph.n
                                  entries */
    void *memory;              /* memory of `vertex` */
};

/* Finds the remainder; `eliminated` is the number of eliminated vertices of all clusters. The
 * caller frees it with remainder_free, also after a failure: STATUS_NO_RESOURCE if there is not
 * enough memory. */
enum status remainder_find(const struct remainder_request *of, int32_t eliminated,
                           struct remainder *r, struct error *err);
void remainder_free(struct remainder *r);

#endif
