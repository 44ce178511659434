// SPDX-License-Identifier: MIT
/* The graph that is left once the cells of a pattern have eliminated vertices, each its own
 * (cell_order.h). Vertices that are left are joined by the edges of the pattern, and where
 * eliminated ones have joined them all to each other, by cliques. */
#ifndef ELIMINATION_REMAINDER_H
#define ELIMINATION_REMAINDER_H

#include "elimination/pattern.h" // struct pattern

/* The result of a cell. */
struct cell_result {
    int32_t eliminated;     /* number of its vertices that are eliminated */
    int32_t *clique;        /* one after the other, their sizes first: vertices of the pattern that
                               are joined through the eliminated ones */
    int64_t cliques_length; /* length of `clique` */
};

struct remainder_request {
    const struct pattern *pattern;
    int threads;
    int32_t cells;
    const struct cell_result *found; /* cells */
    const uint8_t *is_left;          /* n of the pattern: not 0 if the vertex is left */
};

struct remainder {
    int32_t n;
    int32_t *vertex;       /* n, ascending: vertices of the pattern */
    int32_t *number;       /* by vertices of the pattern: number of each that is left among these */
    int64_t *first_clique; /* n + 1: vertex v is in the cliques first_clique[v] .. first_clique[v +
                              1] - 1 */
    const int32_t **clique; /* first_clique[n]: by vertices of the pattern; its size first */
    struct pattern pattern; /* of the vertices that are left, by their numbers */
    void *memory;
};

/* Finds the remainder after `eliminated` vertices in all. The caller frees it, also after a
 * failure: STATUS_NO_RESOURCE if there is no memory. It points to the cliques of the request. */
enum status remainder_find(const struct remainder_request *of, int32_t eliminated,
                           struct remainder *r, struct error *err);
void remainder_free(struct remainder *r);

#endif
