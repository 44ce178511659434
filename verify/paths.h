// SPDX-License-Identifier: MIT
/* The shortest paths that verify tells: as text, as DOT for Graphviz, or as members of
 * the answer of --json. Of proved results only. Text and DOT number vertices as messages do
 * (graph_number), --json from 0. */
#ifndef VERIFY_PATHS_H
#define VERIFY_PATHS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph, struct matrix

#include <jansson.h>

/* The shortest paths from one vertex. */
struct tree {
    const struct graph *graph;
    int32_t from;
    const int32_t *dist; /* row `from` of the distances */
    int32_t *parent;     /* n; certificate_tree */
    int32_t *edges;      /* n: of the path to each vertex; -1: there is none */
    int32_t *path;       /* n: room for one */
};

/* Of a proved result (pred may be NULL: certificate_tree). Freed with tree_free, also after a
 * failure. */
enum status tree_find(const struct graph *g, const struct matrix *dist, const struct matrix *pred,
                      int32_t from, struct tree *tree, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void tree_free(struct tree *tree);

/* The path to one vertex, edge by edge, on stdout; or as an object, in whose list of edges are at
 * most n - 1. */
void path_print(const struct tree *tree, int32_t to);
json_t *path_answer(const struct tree *tree, int32_t to);

/* All of them, a line for each vertex; or as an object with n vertices. */
void tree_print(const struct tree *tree);
json_t *tree_answer(const struct tree *tree);

/* The tree as a digraph, on stdout: vertices with their distances, edges with their weights. */
void tree_print_dot(const struct tree *tree);

#endif
