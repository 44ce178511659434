// SPDX-License-Identifier: MIT
/* The text of PREFIX.edges.csv: the betweenness of edges. Each row has the names of an edge's ends.
 */
#ifndef MEASURES_EDGES_CSV_H
#define MEASURES_EDGES_CSV_H

#include "common/graph/names.h" // struct vertex_naming
#include "measures/measures.h"  // struct measures

#include <stddef.h>
#include <stdint.h>

#define EDGES_CSV_HEAD "source,target,betweenness,edge_betweenness_centrality\n"

/* Returns the most bytes of a row, with its line feed. */
size_t edges_csv_row_size(const struct vertex_naming *naming);

/* Writes one of m->flows->edges rows, of at most edges_csv_row_size() bytes; returns its length. */
int edges_csv_row(const struct measures *m, const struct vertex_naming *naming, int64_t row,
                  char *to);

#endif
