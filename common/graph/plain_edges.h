// SPDX-License-Identifier: MIT
/* The fast path of reading edges. Nearly all lines of nearly all files are plain: "u v", "u v w" or
 * "a u v w", with single separators and a line feed. Threads take such lines off the buffer of a
 * source; readers.c reads all others, one by one, and explains mistakes. Both give the same edge.
 */
#ifndef COMMON_GRAPH_PLAIN_EDGES_H
#define COMMON_GRAPH_PLAIN_EDGES_H

#include "common/base/number.h"      // enum number_type
#include "common/base/text_source.h" // struct text_source
#include "common/graph/readers.h"    // struct edge_syntax

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which lines are plain: ends are numbers of at most seven digits, without zeros in front if the
 * syntax has names. Weights are integers of at most seven digits and, if is_real, other numbers
 * that are neither zero nor so large that an integer of that size would be rounded or long. */
struct plain_edges {
    const struct edge_syntax *syntax; /* which has a separator */
    int32_t n;                        /* vertices */
    bool is_real;                     /* edges are struct real_edge, otherwise struct edge */
    enum number_type type;            /* to which weights are rounded, if is_real */
    double lowest, highest;           /* weights that are allowed, if is_real */
    int threads;                      /* threads that may take part, from 1 */
    size_t window; /* bytes that several threads try at a time: SIZE_MAX at first, fewer
                      after a line that is not plain */
};

/* Takes edges off the front of what is in the source's buffer and stores them in `edges`, up to
 * `room` of them, until it meets a line that is not plain or may not be there completely. Returns
 * their number, which depends on the buffer, not on the number of threads. Needs no memory. */
int64_t plain_edges_take(struct plain_edges *plain, struct text_source *source, void *edges,
                         int64_t room);

#endif
