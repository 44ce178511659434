// SPDX-License-Identifier: MIT
/* An eliminated graph whose entries know how many shortest paths they stand for.
 *
 * Over pairs of a distance and a number of shortest paths, where equal ways add their numbers,
 * every shortest path is counted once: it climbs from its source over the positions that are higher
 * than all before, and goes down over those that are higher than all behind. Flow on entries is
 * handed down to the graph's edges by the elimination backwards, as derivatives are by reverse-mode
 * differentiation (Baur and Strassen 1983): the flow on an entry is the derivative of the sum of
 * the logarithms of all numbers by the logarithm of the entry's. */
#ifndef FLOWS_COUNTED_H
#define FLOWS_COUNTED_H

#include "common/base/isa.h"      // enum isa
#include "common/base/length.h"   // BY_LENGTH
#include "common/base/progress.h" // struct progress
#include "elimination/symbolic.h" // struct tree, struct structure

#define counted_eliminate BY_LENGTH(counted_eliminate)

struct counted {
    struct tree tree;
    struct structure structure;
    /* Of each entry of the structure, up from its position and down to it: the length, in whole
     * numbers of the graph's unit and infinite if there is no path, and the number of paths. */
    double *up, *down, *up_paths, *down_paths;
};

struct counted_options {
    int threads; /* >= 1 */
    enum isa isa;
    double other_s;  /* seconds that the best other way takes */
    int32_t sources; /* rows that are wanted */
};

/* Eliminates all vertices of a graph whose weights are above 0, unless that cannot pay: then *pays
 * becomes false. Finds lengths, but not yet numbers. The caller frees with counted_free.
 * STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to stop. */
enum status counted_eliminate(const struct graph *g, const struct counted_options *options,
                              struct progress *progress, struct counted *c, bool *pays,
                              struct error *err);
#ifndef LENGTH_F64
/* The same for a graph on a grid. */
enum status counted_eliminate_f64(const struct graph *g, const struct counted_options *options,
                                  struct progress *progress, struct counted *c, bool *pays,
                                  struct error *err);
#endif

/* Finds the numbers. *fits becomes false if one is above `most`. O(n + m + the sum of the squares
 * of the positions' entries), as sharing. */
enum status counted_number(const struct graph *g, double most, enum isa isa, struct counted *c,
                           bool *fits, struct error *err);

/* Hands the flow on entries, up and down, on to those that edges are, on up to `threads` threads,
 * and adds to edge[e] what flows over edge e of the graph. */
enum status counted_share(const struct graph *g, const struct counted *c, int threads, enum isa isa,
                          double *up_flow, double *down_flow, double *edge, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void counted_free(struct counted *c);

#endif
