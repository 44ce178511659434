// SPDX-License-Identifier: MIT
/* A look at what the elimination of a graph's vertices would leave, before it is paid for, and the
 * order that it finds.
 *
 * The look goes as far as it can pay. The number of edges alone rules out most graphs that have
 * many. A search in breadth tells how deep the graph is, and so how wide its separators are. A
 * start by minimum degree (minimum_degree.h) eliminates what has few neighbours, and is the whole
 * order of a tree or a ring. Approximate minimum degree (order.h) orders the rest if that is
 * predicted to save more time than it takes, or takes next to none of the time that the graph takes
 * in any case: what an order leaves is known only then, and the width of levels may tell several
 * times too much. Otherwise vertices with few neighbours go on being
 * eliminated for a small share of the time that the graph takes in any case; what is left then is
 * a core without an order. */
#ifndef ELIMINATION_LOOK_H
#define ELIMINATION_LOOK_H

#include "elimination/pattern.h"  // struct pattern
#include "elimination/symbolic.h" // struct tree, struct core_costs
#include "solve/elimination.h"    // struct elimination_features

/* Times that a look compares an elimination with, and threads that it may use. */
struct look_limits {
    double other_s;  /* how long the best other way takes; HUGE_VAL: find the whole order */
    double slowness; /* seconds that all threads take for one second of a thread of core_costs'
                        machine */
    int threads;     /* >= 1, of which the look has no more than pay; they change nothing else */
};

struct look {
    struct pattern pattern;
    struct tree tree;  /* cut where that is predicted to take the least time, if `pays` */
    struct tree whole; /* the same before it was cut, if the order of all vertices was found and a
                          core is left */
    bool pays;         /* by the costs, something is worth eliminating */
    double seconds;    /* how long the look took */
    struct elimination_features found;
};

/* Looks at g. With costs == NULL the order is complete and the tree not cut. Without AMD in this
 * build, nothing pays. Everything but `seconds` depends on the arguments only. The caller frees
 * *look with look_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status look_at(const struct graph *g, const struct core_costs *costs,
                    const struct look_limits *limits, struct look *look, struct error *err);

/* Returns whether a look has found an order of all vertices. */
bool look_is_whole(const struct look *look);

/* Makes *look one by other costs with the order of another one that is whole, but without a
 * pattern. The caller frees *look with look_free. STATUS_NO_RESOURCE if there is not enough memory.
 */
enum status look_again(const struct look *other, const struct core_costs *costs, struct look *look,
                       struct error *err);

/* Returns how many bytes look_at takes at most; those of the look are among them. */
uint64_t look_memory(int32_t n, int64_t m);

/* Safe on a zeroed struct; leaves it zeroed. */
void look_free(struct look *look);

#endif
