// SPDX-License-Identifier: MIT
/* Dijkstra's algorithm with another operation in place of the sum (semiring.h): the greater weight
 * of min-max, the lesser one of max-min, the product of max-product. No edge makes a path better,
 * so the best vertex that is left is settled; those that are as good as the one before need no
 * queue. A vertex is found from one that is settled, so predecessors lead to the source, also along
 * edges that leave lengths as they are. The same search with the weight itself as the length is
 * Prim's algorithm. (Dijkstra 1959; Pollack 1960; Prim 1957.) */
#ifndef SEMIRING_SEARCH_H
#define SEMIRING_SEARCH_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

/* A graph of min-max, max-min or max-product, and what all threads need of it. */
struct search_graph {
    const struct graph *g; /* the caller's */
    int64_t *first;        /* n + 1: the edges that are searched, in rows */
    int32_t *head;         /* of each of them */
    void *key; /* of their weights (keys.h), of 64 bits for float64; of max-product the weights */
    bool has_own_edges; /* rows and weights are not those of g */
};

/* The caller frees it with search_graph_close, also after a failure. */
enum status search_graph_open(struct search_graph *graph, const struct graph *g, struct error *err);
void search_graph_close(struct search_graph *graph);

/* Leaves out edges that no search needs. Of min-max and max-min: if better edges lead from the tail
 * of one to its head, so do those of them that stay. They are looked for among the best 2 n edges,
 * the best 4 n, and so on, as strongly connected components; O(m + n). Of max-product, if there are
 * many: edges that weigh less than every length by way of one vertex, the hub; two searches. */
enum status search_graph_thin(struct search_graph *graph, const struct progress *progress,
                              struct error *err);

/* One thread's memory. */
struct search {
    const struct search_graph *graph;
    void *heap;                      /* n entries: a vertex and its length */
    int32_t *position;               /* n: the place of each vertex in the heap */
    int32_t *stack;                  /* n: vertices as good as the one that was settled */
    void *length;                    /* n keys or, of max-product, float64 numbers */
    const struct progress *progress; /* may be NULL; if it says to stop, a search leaves garbage */
};

/* The caller frees it with search_free, also after a failure. */
enum status search_alloc(struct search *search, const struct search_graph *graph,
                         const struct progress *progress, struct error *err);
void search_free(struct search *search);

/* Writes the best lengths of paths from the source to dist[0 .. n - 1], of the graph's type, and
 * unless pred is NULL the predecessors, -1 for the source and what it does not reach.
 * O((n + m) log n). */
void search_row(const struct search *search, int32_t source, void *dist, int32_t *pred);

/* Joins vertices of a symmetric graph of min-max or max-min to a spanning tree of the component of
 * `first`, by the best edge that leads to a new one. Writes them to vertex[0 ..] as they come, the
 * keys of these edges to search->length[0 ..] in the same order, the key of no path for the first
 * one, and their other ends to parent[v], -1 for the first one. Returns the number of vertices.
 * `reached` (n keys) holds the largest keys before the first call, and may be used for other
 * components after it. */
int32_t search_tree(const struct search *search, int32_t first, void *reached, int32_t *vertex,
                    int32_t *parent);

/* Return how many bytes search_graph_open and search_graph_thin take, and search_alloc, at most. */
uint64_t search_graph_memory(enum number_type type, int32_t n, int64_t m);
uint64_t search_memory(int32_t n);

#endif
