// SPDX-License-Identifier: MIT
/* Numbers of a graph's edges in addition to their weights, such as kilometres if weights are
 * minutes: columns of the graph's file, which are summed along shortest paths. */
#ifndef COMMON_GRAPH_EDGE_COLUMNS_H
#define COMMON_GRAPH_EDGE_COLUMNS_H

#include "common/base/error.h"      // enum status, struct error
#include "common/graph/edge_list.h" // struct edge_list, EDGE_COLUMNS_MOST
#include "common/graph/graph.h"     // struct graph

#include <stdbool.h>
#include <stdint.h>

enum { EDGE_COLUMN_NAME = 64 }; /* bytes of a column's name, with the zero byte */

struct edge_columns {
    int count; /* number of columns; 0: there are none */
    char name[EDGE_COLUMNS_MOST][EDGE_COLUMN_NAME];
    int64_t m;     /* number of edges of the graph */
    double *value; /* count * m, finite, not -0.0: column c has value[c * m + e] for edge e */
};

/* Returns the value of edge e in a column. */
static inline double edge_columns_at(const struct edge_columns *columns, int column, int64_t e) {
    return columns->value[column * columns->m + e];
}

/* Stores the values of the edges of g, which was built from `list`; ends: a copy of the list's
 * edges made before. Of parallel edges, the lightest one counts; among equally light ones, the one
 * with the least value in the first column, then in the second, and so on. STATUS_BAD_INPUT if the
 * sum along a path could be too large for a double. The caller frees with edge_columns_free, also
 * after a failure. */
enum status edge_columns_match(struct edge_columns *columns, const struct edge_list *list,
                               const void *ends, const struct graph *g, struct error *err);

/* Checks values for m edges of a graph of n vertices that the caller has filled in:
 * STATUS_BAD_INPUT if one is not finite or a sum along a path could be too large for a double. -0.0
 * becomes 0. */
enum status edge_columns_check(const struct edge_columns *columns, int32_t n, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void edge_columns_free(struct edge_columns *columns);

#endif
