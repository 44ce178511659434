// SPDX-License-Identifier: MIT
/* The fast path of reading edges. Nearly all lines of nearly all files are plain: "u v", "u v w" or
 * "a u v w", with single separators and a line feed. Threads take plain lines off the buffer of a
 * source; readers.c reads all other lines one by one, and explains mistakes. Both ways give the
 * same edge. */
#ifndef COMMON_GRAPH_PLAIN_EDGES_H
#define COMMON_GRAPH_PLAIN_EDGES_H

#include "common/base/number.h"      // enum number_type
#include "common/base/text_source.h" // struct text_source
#include "common/graph/readers.h"    // struct edge_syntax

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Conditions for plain lines. Ends are numbers below 2^31, without leading zeros if the syntax has
 * names. Weights are integers of at most seven digits or, if is_real, numbers other
 * than zero that are small enough that an integer of their size would be neither rounded nor int64.
 */
struct plain_edges {
    const struct edge_syntax *syntax; /* syntax of the edges; it has a separator */
    int32_t n;                        /* number of vertices */
    bool is_real;                     /* edges are struct real_edge, otherwise struct edge */
    enum number_type type;            /* type to which weights are rounded, if is_real */
    double lowest, highest;           /* range of the weights that are allowed, if is_real */
    int threads;                      /* the most threads that may take part, from 1 */
    size_t window; /* bytes that several threads try at a time: SIZE_MAX at first, less after a line
                      that is not plain */
};

/* Takes edges off the front of the source's buffer and stores up to `room` edges in `edges`, until
 * it meets a line that is not plain or may be incomplete. Returns their number, which depends on
 * the buffer, not on the number of threads. Allocates no memory. */
int64_t plain_edges_take(struct plain_edges *plain, struct text_source *source, void *edges,
                         int64_t room);

#endif
