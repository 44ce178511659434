// SPDX-License-Identifier: MIT
/* Lengths of any semiring (common/graph/semiring.h) as numbers that measures are taken of. In other
 * semirings than min-plus the length of a source to itself is no number, so that it counts 0 in
 * sums and histograms, and the worst length is that to another vertex. */
#ifndef MEASURES_LENGTHS_H
#define MEASURES_LENGTHS_H

#include "common/graph/graph.h"    // struct graph
#include "common/graph/semiring.h" // semiring_to_itself

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* How the lengths of a graph are ordered, and which of them are no numbers. */
struct length_order {
    bool is_sum;           /* lengths are sums of weights (min-plus) */
    bool greatest_is_best; /* otherwise the least is */
    double no_path;   /* the length where there is no path; larger or smaller than all others */
    double to_itself; /* the best length: 0 of sums */
};

static inline struct length_order length_order_of(const struct graph *g) {
    return (struct length_order){
        g->semiring == SEMIRING_MIN_PLUS, semiring_wants_greatest(g->semiring),
        semiring_no_path(g->semiring, g->type), semiring_to_itself(g->semiring, g->type)};
}

/* Returns whether one length is worse than another. */
static inline bool is_worse(const struct length_order *order, double length, double other) {
    return order->greatest_is_best ? length < other : length > other;
}

static inline double worse_length(const struct length_order *order, double length, double other) {
    return is_worse(order, length, other) ? length : other;
}

/* Defines a function that turns lengths of a type, to the vertices of a tile, into numbers for
 * sums: `infinite` for no path, 0 for the source, which is vertex `own` of the tile or none. *worst
 * and the worst length of each column become the worse of themselves and the lengths to other
 * vertices. */
#define DEFINE_LENGTHS_TO_NUMBERS(name, type, infinite)                                            \
    static void name(const struct length_order *order, type *cell, int32_t width, int64_t own,     \
                     type *worst, type *column) {                                                  \
        const type no_path = (type)order->no_path, to_itself = (type)order->to_itself;             \
        type most = *worst;                                                                        \
        if (order->greatest_is_best) {                                                             \
            for (int32_t k = 0; k < width; k++) {                                                  \
                const type length = cell[k] != no_path ? cell[k] : to_itself;                      \
                most = length < most ? length : most;                                              \
                column[k] = length < column[k] ? length : column[k];                               \
            }                                                                                      \
        } else {                                                                                   \
            for (int32_t k = 0; k < width; k++) {                                                  \
                const type length = cell[k] != no_path ? cell[k] : to_itself;                      \
                most = length > most ? length : most;                                              \
                column[k] = length > column[k] ? length : column[k];                               \
            }                                                                                      \
        }                                                                                          \
        for (int32_t k = 0; k < width; k++)                                                        \
            cell[k] = cell[k] != no_path ? cell[k] : (infinite);                                   \
        if (own >= 0 && own < width)                                                               \
            cell[own] = 0;                                                                         \
        *worst = most;                                                                             \
    }

#endif
