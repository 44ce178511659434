// SPDX-License-Identifier: MIT
/* Negative edges. Potentials h with w(u, v) + h(u) - h(v) >= 0 for every edge are
 * found, or a negative cycle; reweighting by them once, as Johnson's
 * algorithm does, gives every solver non-negative input and leaves the shortest
 * paths the same. (Johnson 1977; Cormen et al., chapters 24.1 and 25.3.) */
#ifndef SOLVE_POTENTIALS_H
#define SOLVE_POTENTIALS_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

/* A cycle v[0] -> v[1] -> ... -> v[length - 1] -> v[0]. */
struct cycle {
    int32_t *vertices;
    int32_t length;
    int64_t weight;     /* sum of its weights, if they are integers */
    double real_weight; /* their exact sum, rounded once, if they are real */
};

/* Writes "weight -2 and 3 edges: 1 -> 2 -> 0 -> 1" for messages, and returns text. Vertices are
 * named as in the graph's file; for a long cycle only those at both ends. */
const char *cycle_text(const struct graph *g, const struct cycle *cycle, char *text, size_t size);

/* Fails with STATUS_NEGATIVE_CYCLE and a message that names the cycle, whatever type weights have.
 */
enum status cycle_refuse(const struct graph *g, const struct cycle *cycle, struct error *err);

/* Fills potential[0 .. n-1], all <= 0: the distances from a source with an edge of weight 0 to
 * every vertex. If the graph has a negative cycle: STATUS_NEGATIVE_CYCLE, the message names it, and
 * *cycle holds it (the caller frees cycle->vertices with memory_free()). The potentials and the
 * cycle depend on nothing but g. Label correcting (bellman_ford.h) and, if that does not end soon,
 * scaling (scaling.h): O(sqrt(n) m log W) at worst for weights >= -W. progress may be NULL; it is
 * not told of a search that takes milliseconds. */
enum status potentials_find(const struct graph *g, int64_t *potential, struct cycle *cycle,
                            struct progress *progress, struct error *err);

/* Makes the graph with weights w(u, v) + h(u) - h(v). A sum that does not fit in an int32 becomes
 * INT32_MAX, which solvers read as "no edge"; range.h finds out whether that changed a distance.
 * The caller frees it with graph_free. */
enum status potentials_reweight(const struct graph *g, const int64_t *potential,
                                struct graph *reduced, struct error *err);

/* Computes the reduced weights w(u, v) + h(u) - h(v) in 64 bits, where every sum fits, in the order
 * of g's edges. The caller frees *weight with memory_free(). */
enum status potentials_weights(const struct graph *g, const int64_t *potential, int64_t **weight,
                               struct error *err);

/* Turns the distances from vertex i in the reweighted graph into those in the original graph, in
 * place: row[j] += h(j) - h(i) if it is finite. STATUS_BAD_INPUT if a distance falls outside (-INF,
 * INF). */
enum status potentials_restore_in_place(const struct graph *g, const int64_t *potential, int32_t i,
                                        int32_t *row, struct error *err);

/* Does what potentials_restore_in_place does for n distances of 64 bits, INT64_MAX if there is no
 * path, and writes the result to `row`. */
enum status potentials_restore_row(const struct graph *g, const int64_t *potential, int32_t i,
                                   const int64_t *distance, int32_t *row, struct error *err);

#endif
