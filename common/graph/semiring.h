// SPDX-License-Identifier: MIT
/* Semirings: how weights make the length of a path, and which length is the best.
 *
 * A semiring has two operations. One joins the weights along a path to its length, from left to
 * right; the other chooses the best of two lengths. Sums of which the least counts are the usual
 * one. Whatever the semiring, the best length of a path to itself, over no edge, is the number that
 * joining leaves as it is, and the length of "no path" is worse than all others. (Mohri 2002,
 * Semiring frameworks and algorithms for shortest-distance problems; Pollack 1960 for capacities.)
 *
 *               joins       chooses    to itself   no path
 *   min-plus    sum         least      0           INF
 *   min-max     greatest    least      -INF        INF
 *   max-min     least       greatest   INF         -INF
 *   max-product product     greatest   1           0
 *
 * In real types INF is infinity. Products are rounded to the type after every multiplication. */
#ifndef COMMON_GRAPH_SEMIRING_H
#define COMMON_GRAPH_SEMIRING_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/number.h" // enum number_type

#include <stdbool.h>

struct graph; /* graph.h */

enum semiring {
    SEMIRING_MIN_PLUS,
    SEMIRING_MIN_MAX,     /* the least of the greatest weights: the lowest pass */
    SEMIRING_MAX_MIN,     /* the greatest of the least weights: the widest path */
    SEMIRING_MAX_PRODUCT, /* the greatest product of weights in 0 .. 1: the most reliable path */
    SEMIRINGS
};

/* The names of all semirings, for messages. */
#define SEMIRING_NAMES "min-plus, min-max, max-min or max-product"

/* Returns the name of a semiring, as in options and files. */
const char *semiring_name(enum semiring semiring);

/* Returns the words that end a statement about lengths: " in NAME"; "" for min-plus. */
const char *semiring_phrase(enum semiring semiring);

/* Returns the semiring of that name; SEMIRINGS if there is none. */
enum semiring semiring_find(const char *name);

/* Returns whether the greatest length is the best; otherwise the least is. */
static inline bool semiring_wants_greatest(enum semiring semiring) {
    return semiring >= SEMIRING_MAX_MIN;
}

/* Return the length from a vertex to itself, and the length of no path. */
double semiring_to_itself(enum semiring semiring, enum number_type type);
double semiring_no_path(enum semiring semiring, enum number_type type);

/* Returns STATUS_BAD_INPUT if the graph's semiring is not min-plus and does not allow the graph:
 * integer weights of INF or more, or of -INF or less; weights of max-product outside 0 .. 1, or of
 * integers; zones. */
enum status semiring_check_graph(const struct graph *g, struct error *err);

#endif
