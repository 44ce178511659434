// SPDX-License-Identifier: MIT
/* Zones of a network: vertices at which a path may begin or end, but through which no path leads
 * (struct graph). A graph without zones that has the same distances stands for one with zones: each
 * zone is two vertices there, one that edges only enter and one that they only leave. */
#ifndef COMMON_GRAPH_ZONES_H
#define COMMON_GRAPH_ZONES_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_block

/* The graph with each zone z split: vertex z keeps the edges into z, and vertex n + z, the origin,
 * has those out of z. The row of the origin is that of z but for three things: the cell of z is the
 * length of a round trip where the row of z has 0, predecessors name the origin where they are z,
 * and there are cells of the origins. */
struct zone_split {
    struct graph graph; /* n + zones vertices, no zones; messages call an origin what they call z */
    int32_t n, zones;   /* of the graph that was split */
    int32_t *vertex;    /* n + zones: the vertex of that graph */
};

/* Splits the zones of g, which has some. O(n + m). The caller frees with zone_split_free. */
enum status zone_split_make(const struct graph *g, struct zone_split *split, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void zone_split_free(struct zone_split *split);

/* The vertex of the split graph whose row stands for that of v. */
static inline int32_t zone_split_source(const struct zone_split *split, int32_t v) {
    return v < split->zones ? split->n + v : v;
}

/* Makes the row of zone z of its origin's row: n cells of dist and, unless pred is NULL, of pred,
 * from one of n + zones. The rows may be the same. */
void zone_split_join(const struct zone_split *split, int32_t z, enum number_type type,
                     const void *from_dist, const int32_t *from_pred, void *dist, int32_t *pred);

/* Makes a row of the split graph of a row of v that somebody claims to be right, for a proof: dist
 * and, unless pred is NULL, pred get n + zones cells. `in` is the split graph reversed. The round
 * trip of a zone, which its row does not tell, becomes the shortest one that the row has; lengths
 * beyond the limit are none. */
void zone_split_claim(const struct zone_split *split, const struct graph *in, int32_t v,
                      double limit, const void *from_dist, const int32_t *from_pred, void *dist,
                      int32_t *pred);

#endif
