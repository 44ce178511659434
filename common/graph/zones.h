// SPDX-License-Identifier: MIT
/* Zones of a network: vertices at which a path may begin or end, but through which no path leads
 * (struct graph). For a graph with zones, a graph without zones that has the same distances is
 * solved: there each zone is two vertices, one with only entering edges and one with only leaving
 * edges. */
#ifndef COMMON_GRAPH_ZONES_H
#define COMMON_GRAPH_ZONES_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_block

/* The graph with each zone z split: vertex z keeps the edges into z, and vertex n + z, the origin,
 * has those out of z. The row of the origin differs from that of z in three things: the cell of z
 * is the length of a round trip and not 0, predecessors are the origin and not z, and there are
 * cells of the origins. */
struct zone_split {
    /* n + zones vertices, no zones; messages name an origin as its zone */
    struct graph graph;
    int32_t n, zones; /* numbers of vertices and zones of the graph that was split */
    int32_t *vertex;  /* n + zones: vertex of the original graph for each vertex */
};

/* Splits the zones of g, which has at least one. O(n + m). The caller frees with zone_split_free.
 */
enum status zone_split_make(const struct graph *g, struct zone_split *split, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void zone_split_free(struct zone_split *split);

/* Returns the vertex of the split graph whose row stands for the row of v. */
static inline int32_t zone_split_source(const struct zone_split *split, int32_t v) {
    return v < split->zones ? split->n + v : v;
}

/* Makes the row of zone z from its origin's row: n cells of dist and, unless pred is NULL, of pred,
 * from rows of n + zones cells. Both rows may be the same memory. */
void zone_split_join(const struct zone_split *split, int32_t z, enum number_type type,
                     const void *from_dist, const int32_t *from_pred, void *dist, int32_t *pred);

/* Makes a row of the split graph from a row of v that is claimed to be right, for a proof: dist
 * and, unless pred is NULL, pred get n + zones cells. in: the split graph reversed. The round trip
 * of a zone, which its row does not contain, becomes the shortest one by the row; lengths beyond
 * the limit count as no path. */
void zone_split_claim(const struct zone_split *split, const struct graph *in, int32_t v,
                      double limit, const void *from_dist, const int32_t *from_pred, void *dist,
                      int32_t *pred);

#endif
