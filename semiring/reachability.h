// SPDX-License-Identifier: MIT
/* Lengths of min-max and max-min from up to 64 sources at a time, as reachability in a graph that
 * grows. Edges join the graph one by one, from the best weight to the worst. The best length from a
 * source to a vertex is the weight of the edge whose joining lets the source reach the vertex: the
 * edges before do not suffice, and no path needs a worse one. Each vertex has the set of sources
 * that reach it, a bit each, so that a few instructions pass on what 64 searches would. An edge
 * passes on only what is news at its head, so all sets grow in O(m) steps a source at most, without
 * a queue of priorities. (Pollack 1960; Ibaraki and Katoh 1983 for sets that grow
 * with the graph; Then et al. 2014 for a bit a source.) */
#ifndef SEMIRING_REACHABILITY_H
#define SEMIRING_REACHABILITY_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_block
#include "semiring/search.h"        // struct search_graph

/* Edges of a graph of min-max or max-min in the order of joining; threads share them. */
struct joining_edges {
    const struct graph *g; /* owned by the caller */
    int64_t m;             /* number of edges */
    void *key;             /* m: key of each edge's weight (keys.h), ascending; of 64 bits for
                              float64 */
    int32_t *tail;         /* m: tail of each edge */
    int32_t *head;         /* m: heads, tail by tail; of one tail in the order of joining */
    int64_t *first;        /* n: index in `head` of the first head of edges from each vertex */
};

/* Puts the edges that `graph` searches in order. The caller frees them with joining_edges_free,
 * also after a failure. O(m log m). */
enum status joining_edges_make(struct joining_edges *edges, const struct search_graph *graph,
                               struct error *err);
void joining_edges_free(struct joining_edges *edges);

/* Memory of one thread. */
struct reachability {
    const struct joining_edges *edges;
    uint64_t *reached; /* n: set of the sources that reach each vertex, a bit for each row of the
                          block */
    uint64_t *news;    /* n: set of the sources that reach each vertex and that its edges have not
                          passed on yet */
    int32_t *queue;    /* n: ring of the vertices whose `news` is not empty */
    int32_t *joined;   /* n: number of edges from each vertex that have joined the graph */
    /* NULL: rows are always finished; if it says to stop, rows are garbage */
    const struct progress *progress;
};

/* Allocates the memory. The caller frees it with reachability_free, also after a failure. */
enum status reachability_alloc(struct reachability *s, const struct joining_edges *edges,
                               const struct progress *progress, struct error *err);
void reachability_free(struct reachability *s);

/* Fills the rows of block->source, as search_row does. */
void reachability_rows(const struct reachability *s, const struct row_block *block);

/* joining_edges_memory returns how many bytes joining_edges_make takes at most, and
 * reachability_memory those of reachability_alloc. */
uint64_t joining_edges_memory(enum number_type type, int32_t n, int64_t m);
uint64_t reachability_memory(int32_t n);

#endif
