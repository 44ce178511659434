// SPDX-License-Identifier: MIT
/* Dijkstra's algorithm with another operation in place of the sum (semiring.h): the greater weight
 * of min-max, the lesser one of max-min, the product of max-product. No edge makes a path better,
 * so the best vertex that is left can be settled; vertices as good as the one settled last need no
 * queue. A vertex is found from a settled one, so predecessors lead to the source, even along edges
 * that do not change lengths. The same search with the weight itself as the length is Prim's
 * algorithm. (Dijkstra 1959; Pollack 1960; Prim 1957.) */
#ifndef SEMIRING_SEARCH_H
#define SEMIRING_SEARCH_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

/* A graph of min-max, max-min or max-product, prepared for searches; threads share it. */
struct search_graph {
    const struct graph *g; /* owned by the caller */
    /* n + 1: edges first[v] .. first[v + 1] - 1 lead from v and are searched */
    int64_t *first;
    int32_t *head; /* head of each edge that is searched */
    void *key;     /* for min-max and max-min, keys of the edges' weights (keys.h), of 64 bits for
                      float64; for max-product, the weights */
    bool has_own_edges; /* rows and weights are not shared with g */
};

/* Prepares a graph. The caller frees it with search_graph_close, also after a failure. */
enum status search_graph_open(struct search_graph *graph, const struct graph *g, struct error *err);
void search_graph_close(struct search_graph *graph);

/* Leaves out edges that no search needs. For min-max and max-min, these are edges whose tail and
 * head are also joined by a path of better edges that stay. They are looked for among the best 2 n
 * edges, the best 4 n, and so on, as strongly connected components; O(m + n). For max-product with
 * many edges, these are edges that weigh less than every length by way of one vertex, the hub; that
 * takes two searches. */
enum status search_graph_thin(struct search_graph *graph, const struct progress *progress,
                              struct error *err);

/* Memory of one thread's searches. */
struct search {
    const struct search_graph *graph;
    void *heap;        /* n entries, each a vertex and its length */
    int32_t *position; /* n: place of each vertex in the heap */
    int32_t *stack;    /* n: vertices as good as the one settled last */
    void *length;      /* n lengths: keys or, for max-product, float64 numbers */
    /* NULL: a search never stops early; if it says to stop, a search leaves garbage */
    const struct progress *progress;
};

/* Allocates the memory. The caller frees it with search_free, also after a failure. */
enum status search_alloc(struct search *search, const struct search_graph *graph,
                         const struct progress *progress, struct error *err);
void search_free(struct search *search);

/* Writes the best lengths of paths from the source to dist[0 .. n - 1], of the graph's type, and
 * unless pred is NULL the predecessors; -1 for the source and for vertices that it does not reach.
 * O((n + m) log n). */
void search_row(const struct search *search, int32_t source, void *dist, int32_t *pred);

/* Joins vertices of a symmetric graph of min-max or max-min to a spanning tree of the component of
 * `first`, each by the best edge that leads to a new vertex. Writes the vertices to vertex[0 ..] in
 * the order of joining, the keys of the edges that join them to search->length[0 ..] in this order,
 * and the other ends of these edges to parent[v]. The first vertex has the key of no path, and
 * parent -1. Returns the number of vertices. `reached` (n keys) holds the largest keys before the
 * first call, and may be used for other components after it. */
int32_t search_tree(const struct search *search, int32_t first, void *reached, int32_t *vertex,
                    int32_t *parent);

/* search_graph_memory returns how many bytes search_graph_open and search_graph_thin take at most,
 * and search_memory those of search_alloc. */
uint64_t search_graph_memory(enum number_type type, int32_t n, int64_t m);
uint64_t search_memory(int32_t n);

#endif
