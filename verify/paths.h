// SPDX-License-Identifier: MIT
/* The shortest paths that verify prints from proved results: as text, as DOT for Graphviz, or as
 * members of the answer of --json. Text and DOT call vertices as messages do (graph_name);
 * --json numbers them from 0 and has their names beside. */
#ifndef VERIFY_PATHS_H
#define VERIFY_PATHS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph, struct matrix

struct json_writer;

/* The shortest paths from one vertex. */
struct path_tree {
    const struct graph *graph;
    int32_t from;
    const void *dist; /* the distances from it, by the type of the graph */
    int32_t *parent;  /* n, from certificate_tree */
    double limit;     /* paths beyond it were not looked for; NO_LIMIT for none */
    int32_t *edges;   /* n: the number of edges on the path to each vertex; -1: no path */
    int32_t *path;    /* n: scratch for one path */
};

/* Finds the tree from one vertex in its proved row, which has that limit or NO_LIMIT; pred may be
 * NULL (certificate_tree). The caller frees it with path_tree_free, also after a failure. */
enum status path_tree_find(const struct graph *g, int32_t from, double limit, const void *dist,
                           const int32_t *pred, struct path_tree *tree, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void path_tree_free(struct path_tree *tree);

/* Prints the path to one vertex on stdout, edge by edge; or writes it as the member "path" of an
 * answer, an object with a list of at most n - 1 edges. */
void path_print(const struct path_tree *tree, int32_t to);
void path_answer(struct json_writer *w, const struct path_tree *tree, int32_t to);

/* Prints all paths on stdout, a line for each vertex; or writes them as the member "from" of an
 * answer, an object with n vertices. */
void path_tree_print(const struct path_tree *tree);
void path_tree_answer(struct json_writer *w, const struct path_tree *tree);

/* Prints the tree as a digraph on stdout: vertices with their distances, edges with their weights.
 */
void path_tree_print_dot(const struct path_tree *tree);

#endif
