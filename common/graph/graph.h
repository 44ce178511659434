// SPDX-License-Identifier: MIT
/* The weighted directed graph that every program works on. */
#ifndef COMMON_GRAPH_GRAPH_H
#define COMMON_GRAPH_GRAPH_H

#include "common/base/error.h"     // enum status, struct error
#include "common/base/number.h"    // enum number_type
#include "common/base/progress.h"  // struct progress
#include "common/graph/matrix.h"   // struct matrix
#include "common/graph/names.h"    // struct vertex_names
#include "common/graph/semiring.h" // enum semiring

#include <stdbool.h>
#include <stdint.h>

/* Distance that stands for no path. INF + INF does not overflow an int32. */
#define INF (INT32_MAX / 2)

/* An edge between two vertices, which are numbered 0 .. n - 1. */
struct edge {
    int32_t from, to, weight;
};

/* An edge of a graph with real weights. */
struct real_edge {
    int32_t from, to;
    double weight;
};

/* Compressed sparse rows in canonical form: the edges of vertex u are first[u] .. first[u+1]-1, and
 * their heads strictly increase. The graph keeps only the lightest of parallel edges, and drops
 * self-loops of weight >= 0; negative ones stay, because they are negative cycles. Two files that
 * describe the same graph load into the same bytes.
 *
 * A graph has weights of one type. The length of a path is the sum of its weights from left to
 * right, which is rounded to the type after every addition, and a distance is the least length of
 * all paths. For another semiring (semiring.h), the graph keeps the best of parallel edges, and no
 * self-loops. */
struct graph {
    int32_t n;
    int64_t edges_read; /* number of edges as the input counts them */
    int64_t m;          /* number of edges kept */
    /* The first `zones` vertices are zones: a path may begin or end at a zone, but leads through
     * none (zones.h). 0: paths lead through all vertices. */
    int32_t zones;
    enum semiring semiring; /* semiring of the wanted paths; SEMIRING_MIN_PLUS: shortest paths */
    int64_t *first;         /* n + 1: edges first[u] .. first[u + 1] - 1 leave vertex u */
    int32_t *head;          /* m: head of each edge */
    enum number_type type;
    int32_t *weight;     /* m weights of an int32 graph; otherwise NULL */
    double *real_weight; /* m finite weights of a graph of another type, otherwise NULL; those of a
                            float32 graph are float32 numbers */
    double min_weight, max_weight; /* least and largest weight; 0 and 0 if m = 0 */
    /* A float64 graph on a grid (solve/grid.h): all weights are multiples of the spacing, a power
     * of two, and no distance is larger than `farthest`, which is below 2^52 spacings, so that the
     * sum of any two is exact. 0: it is on no known grid. */
    double spacing, farthest;
    /* A float64 graph that stands for one of integers below 2^53 that do not fit in int32. Its
     * results are integers, of a type called int64, and distances of 2^53 or more are refused.
     * false for an int32 graph. */
    bool integral;
    bool borrows; /* head and the weights are memory of the caller (graph_borrow_rows) */
    struct vertex_naming naming; /* names of vertices in messages and in the graph's file */
};

/* graph_name returns the name of vertex v in messages, as in the graph's file; the second function
 * returns the end of a message that numbers vertices. */
static inline struct vertex_name graph_name(const struct graph *g, int32_t v) {
    return naming_name(&g->naming, v);
}
static inline const char *graph_numbering(const struct graph *g) {
    return naming_remark(&g->naming);
}

/* Appends the reverse of each of `count` edges except self-loops, and returns the new count.
 * `edges` must have room for 2 * count edges. */
int64_t graph_append_reverses(struct edge *edges, int64_t count);
int64_t graph_append_reverses_real(struct real_edge *edges, int64_t count);

/* Allocates a graph of n vertices and m edges, whose rows, heads and weights are garbage. The
 * caller frees the graph with graph_free. */
enum status graph_alloc(struct graph *g, int32_t n, int64_t m, enum number_type type,
                        struct error *err);

/* Returns the weights, whatever their type. */
void *graph_weights(const struct graph *g);

/* Returns the type of the weights and distances in a word: int32, int64, float32 or float64. */
static inline const char *graph_type_name(const struct graph *g) {
    return g->integral ? INT64_NAME : number_name(g->type);
}

/* Returns the type as which numbers of the graph are written: integers without a decimal point. */
static inline enum number_type graph_written_type(const struct graph *g) {
    return g->integral ? NUMBER_INT32 : g->type;
}

/* Returns the weight of edge e, whatever its type. */
static inline double graph_weight(const struct graph *g, int64_t e) {
    return g->type == NUMBER_INT32 ? g->weight[e] : g->real_weight[e];
}

/* Builds the canonical form of `count` edges, whose ends must be in 0 .. n - 1. Overwrites `edges`,
 * which remain the caller's. The caller frees the graph with graph_free. */
enum status graph_build(struct graph *g, int32_t n, struct edge *edges, int64_t count,
                        struct error *err);

/* Does what graph_build does; STATUS_CANCELLED if progress says to stop. */
enum status graph_build_stoppable(struct graph *g, int32_t n, struct edge *edges, int64_t count,
                                  const struct progress *progress, struct error *err);

/* Builds a graph of a real type, as graph_build does. Weights are rounded to the type; edges of
 * infinite weight are dropped, and -0.0 becomes 0. The weights must not be NaN. */
enum status graph_build_real(struct graph *g, int32_t n, enum number_type type,
                             struct real_edge *edges, int64_t count,
                             const struct progress *progress, struct error *err);

/* Builds a graph of another semiring, as graph_build and graph_build_real do: an int32 graph from
 * `edges`, or one of a real type from `real_edges`; the other pointer is NULL. */
enum status graph_build_semiring(struct graph *g, int32_t n, enum semiring semiring,
                                 enum number_type type, struct edge *edges,
                                 struct real_edge *real_edges, int64_t count,
                                 const struct progress *progress, struct error *err);

/* Returns whether the edges first[v] .. first[v + 1] - 1 of each vertex v have ascending heads, and
 * whether the weights in real_weight, unless it is NULL, are finite. */
bool graph_rows_are_ascending(int32_t n, const int64_t *first, const int32_t *head,
                              const double *real_weight);

/* Makes the canonical form of edges in rows, whose ends are in 0 .. n - 1: a graph of int32 or, if
 * real_weight is not NULL, float64. Takes no memory besides the graph's. The caller frees it with
 * graph_free. */
enum status graph_from_rows(struct graph *g, int32_t n, const int64_t *first, const int32_t *head,
                            const int32_t *weight, const double *real_weight, struct error *err);

/* Makes the graph that graph_from_rows makes in the memory of these arrays, of which only `first`
 * is copied. They are overwritten, must stay until graph_free, which does not free them, and count
 * as held memory. After a failure they are garbage. */
enum status graph_borrow_rows(struct graph *g, int32_t n, const int64_t *first, int32_t *head,
                              int32_t *weight, double *real_weight, struct error *err);

/* The first two functions return the bytes of a graph, the others the most bytes that graph_build
 * holds, `edges` included; UINT64_MAX if the number overflows. */
uint64_t graph_memory(int64_t n, int64_t m);
uint64_t graph_memory_of(enum number_type type, int64_t n, int64_t m);
uint64_t graph_memory_to_build(int64_t n, int64_t edges);
uint64_t graph_memory_to_build_of(enum number_type type, int64_t n, int64_t edges);

/* Copies a graph. The caller frees *copy with graph_free. */
enum status graph_copy(const struct graph *g, struct graph *copy, struct error *err);

/* graph_count_up_to returns how many edges weigh at most `most`; graph_copy_up_to makes the graph
 * of these edges, which the caller frees with graph_free. */
int64_t graph_count_up_to(const struct graph *g, double most);
enum status graph_copy_up_to(const struct graph *g, double most, struct graph *copy,
                             struct error *err);

/* Makes the graph of all n vertices with those edges whose tails are marked. The caller frees it
 * with graph_free. */
enum status graph_copy_of_tails(const struct graph *g, const bool *marked, struct graph *copy,
                                struct error *err);

/* Makes a float64 graph with the edges and weights of g; it is integral if g is int32. The caller
 * frees it with graph_free. */
enum status graph_widen(const struct graph *g, struct graph *wide, struct error *err);

/* Makes the graph with every edge reversed: rows of `reversed` are in-edges of g. Messages number
 * its vertices as those of g. The caller frees it with graph_free. */
enum status graph_reverse(const struct graph *g, struct graph *reversed, struct error *err);

/* Returns whether some edge has no reverse of the same weight; self-loops do not count. Looks each
 * reverse up on up to `threads` threads, or threads_or_default(0). */
bool graph_is_directed(const struct graph *g, int threads);

/* Makes the part of g that consists of `count` ascending vertices, which become 0 .. count - 1.
 * number: room for a number of each vertex of g, 0 or left by an earlier call. Edges to other
 * vertices are left out; one of them is stored in *leaves, or -1. The part refers to `vertex` in
 * messages; the caller frees it with graph_free. O(count and their edges). */
enum status graph_part(const struct graph *g, const int32_t *vertex, int32_t count, int32_t *number,
                       struct graph *part, int64_t *leaves, struct error *err);

/* Returns the vertex with the most edges that leave it; the first one of several. */
int32_t graph_hub(const struct graph *g);

/* Returns the index of edge u -> v in head and weight; -1: there is none. O(log degree). */
int64_t graph_find_edge(const struct graph *g, int32_t u, int32_t v);

/* Safe on a zeroed struct; leaves it zeroed. */
void graph_free(struct graph *g);

/* Returns the CRC-32 of the canonical form. It is the same for every file format and order of
 * edges, and for an integral float64 graph as for the int32 graph if weights fit. Result files
 * identify their graph by it, which is no proof. */
uint32_t graph_checksum(const struct graph *g);

/* Fills the matrices that Floyd-Warshall starts from, both n x n. dist is 0 on the diagonal, the
 * weight if there is an edge, INF elsewhere; pred (unless NULL) is i if there is an edge i -> j, -1
 * elsewhere. Weights must be >= 0; INF and more become INF (range.h). */
void graph_to_matrices(const struct graph *g, struct matrix *dist, struct matrix *pred);

/* Fills row i of the matrices that graph_to_matrices fills; pred_row may be NULL. */
void graph_to_rows(const struct graph *g, int32_t i, int32_t *dist_row, int32_t *pred_row);

#endif
