// SPDX-License-Identifier: MIT
/* The shortest paths that verify prints from proved results: as text, as DOT for Graphviz, or as
 * members of the answer of --json. Text and DOT name vertices as messages do (graph_name); --json
 * numbers them from 0 and gives names, too. */
#ifndef VERIFY_PATHS_H
#define VERIFY_PATHS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph, struct matrix

struct json_writer;

/* The shortest paths from one vertex. */
struct path_tree {
    const struct graph *graph;
    int32_t from;
    const void *dist; /* distances from `from`, n entries of the graph's type */
    int32_t *parent;  /* parent of each vertex in the tree, n entries, from certificate_tree */
    double limit;     /* limit beyond which no paths were searched; NO_LIMIT: none */
    int32_t *edges;   /* number of edges on the path to each vertex, n entries; -1: no path */
    int32_t *path;    /* scratch for the vertices of one path, n entries */
};

/* Finds the tree of paths from one vertex in its proved row, with the limit of that row or
 * NO_LIMIT; pred may be NULL (certificate_tree). The caller frees it with path_tree_free, also
 * after a failure. */
enum status path_tree_find(const struct graph *g, int32_t from, double limit, const void *dist,
                           const int32_t *pred, struct path_tree *tree, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void path_tree_free(struct path_tree *tree);

/* path_print prints the path to one vertex on stdout, edge by edge; path_answer writes it as the
 * member "path" of an answer, an object with a list of at most n - 1 edges. */
void path_print(const struct path_tree *tree, int32_t to);
void path_answer(struct json_writer *w, const struct path_tree *tree, int32_t to);

/* path_tree_print prints all paths on stdout, a line for each vertex; path_tree_answer writes them
 * as the member "from" of an answer, an object with n vertices. */
void path_tree_print(const struct path_tree *tree);
void path_tree_answer(struct json_writer *w, const struct path_tree *tree);

/* Prints the tree as a digraph on stdout: vertices with their distances, edges with their weights.
 */
void path_tree_print_dot(const struct path_tree *tree);

#endif
