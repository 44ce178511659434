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
    int threads; /* number of threads, >= 1, for everything but sweeps, whose threads are the
                    caller's */
    enum isa isa;
    const struct core_costs *costs; /* costs that choose where the elimination stops; NULL: all
                                       vertices are eliminated */
    const struct look *look;        /* a look at the graph, which the caller keeps as long as the
                                       dissection; NULL: none */
    bool other_costs;               /* true: the look was taken with costs other than `costs`, so
                                       its order is used only if it is whole, and its tree is cut
                                       anew; false: it was taken with `costs` */
    int32_t most;                   /* most higher neighbours that an eliminated position may have,
                                       whatever that costs (`look` is not used then); < 0: the costs
                                       decide */
};

struct dissection {
    bool pays;        /* false: the costs predict that no vertex is worth eliminating, and nothing
                         else is set */
    bool is_signed;   /* some weight is below 0 */
    int threads;      /* number of threads for everything but sweeps */
    struct look look; /* the dissection's own look; zeroed if the caller's look is used */
    struct tree tree; /* tree of the order that the look found */
    struct structure structure;
    struct lengths lengths;
    struct schedule schedule;
    int32_t *place; /* n entries by vertex: position of the vertex's labels among the labels of a
                       strip */
    const struct sweep_kernels *kernels;
    struct graph core;           /* graph of the vertices that are not eliminated; core vertex c has
                                    the position tree.fringe + c; n = 0: all are eliminated */
    struct matrix *among;        /* distances in the core, the caller's matrix; NULL: not set yet,
                                    or no core */
    int64_t *potential;          /* potential of each vertex (dissection_finish), n entries; NULL:
                                    no weight is below 0 */
    double looked_s;             /* seconds that the caller's look took; 0: its order is not used */
    double order_s, eliminate_s; /* seconds that the order took, and that all steps after it took */
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

/* Memory of one thread for its sweeps. */
struct dissection_workspace {
    const struct dissection *d;
    struct sweep sweep;
    void *numbers, *labels; /* memory of all arrays of the sweep */
    bool *is_marked;        /* by position, n entries: the position is in the sweep's list of marked
                               positions */
};

/* Allocates a workspace. The caller frees it with dissection_workspace_free, which is safe on a
 * zeroed struct. */
enum status dissection_workspace_alloc(struct dissection_workspace *w, const struct dissection *d,
                                       struct error *err);
void dissection_workspace_free(struct dissection_workspace *w);

/* Returns how many bytes a workspace takes at most. */
uint64_t dissection_workspace_memory(int32_t n);

/* Returns the largest number of sources of a strip, which is the kernels' number of lanes. A strip
 * may have any sources; sources with neighbouring positions (tree.position) share most of the work
 * of the sweep upwards. */
int dissection_lanes(const struct dissection *d);

/* Finds the distances from source[0 .. count - 1], 1 <= count <= lanes, to all vertices:
 * label[d->place[v] * lanes + k] is the one from source[k] to vertex v, min(distance, INF). `label`
 * has n * lanes cells, 64-byte aligned. */
void dissection_strip(struct dissection_workspace *w, const int32_t *source, int count,
                      path_length *label);

/* Finds the labels that dissection_strip would find and hands them to a taker, in the order of
 * their places, without storing them. Lanes from `count` on repeat the first source. */
void dissection_pass(struct dissection_workspace *w, const int32_t *source, int count,
                     struct sweep_taker *taker);

/* Makes a finished dissection, of weights that are not below 0, one of the reversed graph: what
 * sweeps find for s and v is then the distance from v to s. Transposes the core's distances, and
 * makes workspaces invalid. STATUS_NO_RESOURCE if there is not enough memory: then it may only be
 * freed. */
enum status dissection_reverse(struct dissection *d, struct error *err);

/* Frees a dissection and zeroes the struct; safe on a zeroed struct. */
void dissection_free(struct dissection *d);

#endif
