// SPDX-License-Identifier: MIT
/* Solves a graph of several components one after the other, so that pairs of vertices without a
 * path cost nothing: time and memory go with the squares of the components' sizes instead of that
 * of the graph's.
 *
 * A part is one weakly connected component, or some small ones. Large parts are graphs of their
 * own, which the variant solves. Those of few vertices are searched from each source (dijkstra.h),
 * without the variant, which would take longer to begin. */
#ifndef SOLVE_BY_COMPONENTS_H
#define SOLVE_BY_COMPONENTS_H

#include "solve/solve.h" // struct solve_request

/* Parts of a graph. */
struct component_parts {
    int32_t count;
    int32_t largest;    /* the part that has the most vertices; */
    int32_t most;       /* so many */
    int32_t components; /* how many there are */
    double cells;       /* the sum of the squares of the parts' sizes, */
    double searched;    /* and of the sizes of those that are searched; */
    double reached;     /* the same of the components in these */
    int32_t *first;     /* count + 1: where the vertices of each part begin; */
    int32_t *vertex;    /* n, ascending in each part */
};

/* Finds the parts of g if the matrix of the graph is so much larger than those of the parts that it
 * pays to solve them one by one, and so many rows are wanted; otherwise parts->count is 1. O(n + m)
 * almost. The caller frees with component_parts_free. */
enum status component_parts_find(const struct graph *g, int32_t rows, struct component_parts *parts,
                                 struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void component_parts_free(struct component_parts *parts);

/* Tells whether a part of so many vertices is searched without the variant. */
bool component_is_small(int32_t vertices);

/* Does what solve_rows does, part by part, for a variant that has a name for searches
 * (solver_variant.searches). *done becomes false if an engine failed after it had delivered rows,
 * and another one took its part: the graph is to be solved whole then. */
enum status solve_by_components(const struct solver_variant *variant,
                                const struct solve_request *request,
                                const struct component_parts *parts, struct row_sink *sink,
                                struct timing *timing, bool *done, struct error *err);

#endif
