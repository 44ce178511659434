// SPDX-License-Identifier: MIT
/* A look at what the elimination of a graph's vertices would leave, before it is paid for, and the
 * order that it finds.
 *
 * The look goes as far as it can pay. The number of edges alone rules out most graphs that have
 * many. A breadth-first search tells how deep the graph is, and so how wide its separators are. A
 * start by minimum degree (minimum_degree.h) eliminates vertices with few neighbours, which of a
 * tree or a ring are all vertices. Approximate minimum degree (order.h) orders the rest if that is
 * predicted to save more time than it takes, or if it takes next to none of the time that the graph
 * takes in any case: only an order tells what is left, and an estimate from the width of levels may
 * be several times too high. Otherwise the elimination of vertices with few neighbours goes on for
 * a small share of the time that the graph takes in any case, and further if what it saves is worth
 * it; the vertices that are left then are a core without an order. */
#ifndef ELIMINATION_LOOK_H
#define ELIMINATION_LOOK_H

#include "elimination/pattern.h"  // struct pattern
#include "elimination/symbolic.h" // struct tree, struct core_costs
#include "solve/elimination.h"    // struct elimination_features

/* Time of the other way to solve the graph, with which a look compares an elimination, and the
 * threads that the look may use. */
struct look_limits {
    double other_s;  /* seconds that the best other way takes; HUGE_VAL: find the whole order */
    double slowness; /* seconds that all threads take for what core_costs counts as one second of
                        one thread */
    int threads;     /* number of threads, >= 1; a look uses fewer where more do not pay; the result
                        does not depend on it */
    bool only_features; /* the look does not cut the tree, which only look_again takes, if it finds
                           an order of all vertices */
    bool quick;         /* the order is to be found soon, rather than to leave little work: a GPU is
                           likely to do that */
};

struct look {
    struct pattern pattern;
    struct tree tree;  /* elimination tree; if `pays`, cut where the least time is predicted */
    struct tree whole; /* the tree before it was cut, if the order has all vertices and a core is
                          left; otherwise zeroed */
    bool pays;         /* the costs predict that some vertices are worth eliminating */
    double seconds;    /* seconds that the look took */
    struct elimination_features found;
};

/* Looks at g. With costs == NULL the order is complete and the tree not cut. Without AMD in this
 * build, nothing pays. Everything but `seconds` depends on the arguments only. The caller frees
 * *look with look_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status look_at(const struct graph *g, const struct core_costs *costs,
                    const struct look_limits *limits, struct look *look, struct error *err);

/* Returns whether a look has found an order of all vertices. */
bool look_is_whole(const struct look *look);

/* Returns the uncut elimination tree of a look that has found an order of all vertices. */
const struct tree *look_tree(const struct look *look);

/* Makes *look from the order of `other`, which has all vertices, by other costs. It has no pattern.
 * The caller frees *look with look_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status look_again(const struct look *other, const struct core_costs *costs, int threads,
                       struct look *look, struct error *err);

/* Returns the largest number of bytes that look_at takes, the look itself included. */
uint64_t look_memory(int32_t n, int64_t m);

/* Frees a look and zeroes the struct; safe on a zeroed struct. */
void look_free(struct look *look);

#endif
