// SPDX-License-Identifier: MIT
/* All pairs by elimination: Floyd and Warshall's algorithm that knows the graph's structure.
 *
 * Vertices are eliminated in an order that keeps the fill small (order.h, symbolic.h, eliminate.h);
 * then one sweep (sweep.h) for each strip of sources finds their distances by nnz(L)/n relaxations
 * a pair, where nnz(L) is the number of edges that the elimination leaves. The elimination may stop
 * at a core, whose distances the caller finds in another way.
 * (Sao, Kannan, Gera and Vuduc 2020; Delling, Goldberg, Nowatzyk and Werneck 2011.)
 *
 *     dissection_prepare(&d, g, &options, progress, err)
 *     dissection_finish(&d, distances of d.core or NULL, err)
 *     for each thread: dissection_workspace_alloc(&w, &d, err)
 *         for each strip: dissection_strip(&w, sources, count, label)
 *
 * A dissection does not change while it is used: any number of threads may, each with a workspace
 * of its own. */
#ifndef ELIMINATION_DISSECTION_H
#define ELIMINATION_DISSECTION_H

#include "elimination/eliminate.h" // struct lengths
#include "elimination/look.h"      // struct look
#include "elimination/sweep.h"     // struct sweep, struct sweep_taker

#define dissection_prepare          BY_LENGTH(dissection_prepare)
#define dissection_finish           BY_LENGTH(dissection_finish)
#define dissection_workspace_alloc  BY_LENGTH(dissection_workspace_alloc)
#define dissection_workspace_free   BY_LENGTH(dissection_workspace_free)
#define dissection_workspace_memory BY_LENGTH(dissection_workspace_memory)
#define dissection_lanes            BY_LENGTH(dissection_lanes)
#define dissection_strip            BY_LENGTH(dissection_strip)
#define dissection_pass             BY_LENGTH(dissection_pass)
#define dissection_reverse          BY_LENGTH(dissection_reverse)
#define dissection_free             BY_LENGTH(dissection_free)

struct dissection_options {
    int threads; /* >= 1, for all but sweeps */
    enum isa isa;
    const struct core_costs *costs; /* by which a core is chosen; NULL: there is none */
    const struct look *look;        /* NULL; or a look at the graph, which the caller keeps as long
                                       as the dissection, */
    bool other_costs;               /* by other costs: only a whole order is of use, which is cut
                                       anew. Otherwise by these */
    int32_t most;                   /* or, if >= 0: no position with more higher neighbours is
                                       eliminated, whatever that costs */
};

struct dissection {
    bool pays;      /* false: by the costs, nothing is worth eliminating, and nothing else is set */
    bool is_signed; /* there are weights below 0 */
    int threads;    /* those of the options, for all that follows */
    struct look look; /* unless the caller has one */
    struct tree tree; /* that of the look */
    struct structure structure;
    struct lengths lengths;
    struct schedule schedule;
    int32_t *place; /* n: where among the labels of a strip those of each vertex are */
    const struct sweep_kernels *kernels;
    struct graph core;           /* what the elimination leaves; n = 0 if nothing. Its vertex c is
                                    that at position tree.fringe + c */
    struct matrix *among;        /* the core's distances, the caller's; NULL before they are set */
    int64_t *potential;          /* NULL if no weight is below 0; otherwise see below */
    double looked_s;             /* how long the caller's look took, if its order is used */
    double order_s, eliminate_s; /* how long the order took, and all that followed it */
};

/* Orders and eliminates g. Weights may be below 0 if eliminate_takes() says so;
 * STATUS_NEGATIVE_CYCLE if a negative cycle is found, which one that lies in the core is not.
 * STATUS_NO_RESOURCE if there is not enough memory or this build has no AMD, STATUS_CANCELLED if
 * progress, which may be NULL, says to stop. The caller frees *d with dissection_free and keeps g
 * until then. */
enum status dissection_prepare(struct dissection *d, const struct graph *g,
                               const struct dissection_options *options, struct progress *progress,
                               struct error *err);

/* Prepares for sweeps. among: the core's distances, by its numbers, INF if there is no path,
 * otherwise below INF; NULL if there is no core. The matrix stays the caller's, who keeps it as
 * long as sweeps use it.
 *
 * If weights are below 0, this finds potentials h, by vertex, from all lengths, and makes these and
 * the core's distances non-negative by them; what sweeps find for s and v is then the distance +
 * h(s) - h(v). O(entries + core^2). STATUS_NO_RESOURCE if there is not enough memory. */
enum status dissection_finish(struct dissection *d, struct matrix *among, struct error *err);

/* Memory that one thread needs. */
struct dissection_workspace {
    const struct dissection *d;
    struct sweep sweep;
    void *numbers, *labels; /* all arrays of the sweep */
    bool *is_marked;        /* n */
};

/* Allocates it. The caller frees with dissection_workspace_free, which is safe on a zeroed struct.
 */
enum status dissection_workspace_alloc(struct dissection_workspace *w, const struct dissection *d,
                                       struct error *err);
void dissection_workspace_free(struct dissection_workspace *w);

/* Returns how many bytes a workspace takes at most. */
uint64_t dissection_workspace_memory(int32_t n);

/* Returns how many sources a strip has at most: the kernels' lanes. Sources next to each other in
 * the order of tree.position share most of the work up; other sources are found as well. */
int dissection_lanes(const struct dissection *d);

/* Finds the distances from source[0 .. count - 1], 1 <= count <= lanes, to all vertices:
 * label[d->place[v] * lanes + k] is the one from source[k] to vertex v, min(distance, INF). `label`
 * has n * lanes cells, 64-byte aligned. */
void dissection_strip(struct dissection_workspace *w, const int32_t *source, int count,
                      path_length *label);

/* Has a taker take the labels that dissection_strip would find, by their places, without storing
 * them. Lanes from `count` on repeat the first source. */
void dissection_pass(struct dissection_workspace *w, const int32_t *source, int count,
                     struct sweep_taker *taker);

/* Makes a finished dissection, of weights that are not below 0, one of the reversed graph: what
 * sweeps find for s and v is then the distance from v to s. Transposes the core's distances, and
 * makes workspaces invalid. STATUS_NO_RESOURCE if there is not enough memory: then it may only be
 * freed. */
enum status dissection_reverse(struct dissection *d, struct error *err);

/* Frees it; that is safe on a zeroed struct, and leaves it zeroed. */
void dissection_free(struct dissection *d);

#endif
