// SPDX-License-Identifier: MIT
/* Solves a graph of several components one after the other, so that pairs of vertices without a
 * path cost nothing: time and memory go with the squares of the components' sizes instead of that
 * of the graph's.
 *
 * A part is one weakly connected component, or several small ones. The variant solves large parts
 * as graphs of their own. Parts of few vertices are searched from each source (dijkstra.h), because
 * the variant would take longer to start. */
#ifndef SOLVE_BY_COMPONENTS_H
#define SOLVE_BY_COMPONENTS_H

#include "solve/solve.h" // struct solve_request

/* The parts of a graph. */
struct component_parts {
    int32_t count;
    int32_t largest;    /* number of the part that has the most vertices */
    int32_t most;       /* number of vertices of part `largest` */
    int32_t components; /* number of weakly connected components of the graph */
    double cells;       /* sum of the squares of the sizes of all parts: cells of their matrices */
    double searched;    /* sum of the squares of the sizes of the parts that are searched */
    double reached;     /* sum of the squares of the sizes of the components that are searched */
    int32_t *first;     /* count + 1: vertices first[p] .. first[p + 1] - 1 in `vertex` are those of
                           part p */
    int32_t *vertex;    /* n: vertices by part, ascending in each part */
};

/* Finds the parts of g if it pays to solve them one by one: if their matrices together are much
 * smaller than the matrix of g, and the number of wanted rows is large. Otherwise parts->count
 * is 1. Almost O(n + m). The caller frees with component_parts_free. */
enum status component_parts_find(const struct graph *g, int32_t rows, struct component_parts *parts,
                                 struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void component_parts_free(struct component_parts *parts);

/* Tells whether a part of that size is searched without the variant. */
bool component_is_small(int32_t vertices);

/* Does what solve_rows does, part by part, for a variant that has a name for searches
 * (solver_variant.searches). *done becomes false if an engine failed after it had delivered rows,
 * and another engine took over: then the caller has to solve the graph as a whole. */
enum status solve_by_components(const struct solver_variant *variant,
                                const struct solve_request *request,
                                const struct component_parts *parts, struct row_sink *sink,
                                struct timing *timing, bool *done, struct error *err);

#endif
