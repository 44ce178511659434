// SPDX-License-Identifier: MIT
/* Symbolic elimination: the edges that an elimination in a given order makes, found without the
 * weights.
 *
 * Vertices have positions 0 .. n-1 in the order of elimination. Eliminating a vertex joins its
 * remaining neighbours, which all have higher positions. The lowest of them is its parent in the
 * elimination tree, and all of them are its ancestors (Liu 1990).
 *
 * The elimination may stop: the positions below `fringe` are eliminated, the others are the core,
 * whose vertices keep an edge for every path through the fringe. With a core, "higher neighbours"
 * of a fringe position are ancestors in the fringe and vertices of the core. */
#ifndef ELIMINATION_SYMBOLIC_H
#define ELIMINATION_SYMBOLIC_H

#include "elimination/pattern.h" // struct pattern

/* Positions are a postorder of the tree: the descendants of a position lie directly below it. */
struct tree {
    int32_t n;
    int32_t fringe;    /* number of positions that are eliminated; n: there is no core */
    int32_t *vertex;   /* by position, n entries: the vertex there */
    int32_t *position; /* by vertex, n entries: its position */
    int32_t *parent;   /* by position, n entries: the parent in the fringe; -1 at a root, which is
                          also a position whose parent is in the core; -1 in the core */
    int32_t *count;    /* by position, n entries: number of higher neighbours; of core positions,
                          structure_find sets it */
    int32_t *depth;    /* by position, n entries: depth in the tree, 0 at a root; 0 in the core */
    int32_t height;    /* the largest depth + 1 */
    int64_t entries;   /* sum of `count` over the fringe */
    void *all;         /* memory of all arrays */
};

/* Costs in nanoseconds on one thread, which decide where an elimination stops. */
struct core_costs {
    double sweep;       /* a relaxation in a sweep: one entry for one source */
    double vertex;      /* one vertex of the fringe for one source, in addition to its entries */
    double elimination; /* one pair of higher neighbours of an eliminated vertex */
    double extension;   /* a relaxation from the boundary of a source's piece to the core */
    double pair;        /* one pair of core vertices, at most, in the way that finds the core's
                           distances */
    double closure;     /* a relaxation in the core, if Floyd and Warshall's algorithm finds its
                           distances */
    int64_t entries;    /* limit that memory sets, not a cost: most entries that an elimination may
                           leave */
    int32_t core;       /* limit that memory sets, not a cost: most vertices of a core, unless all
                           vertices are the core */
    int32_t rows;       /* number of sources that are wanted; 0: all */
};

extern const struct core_costs core_costs;

/* Runs are ranges of an order that threads can look at at the same time, layer by layer: two runs
 * of a layer are joined neither by an edge nor by a path through earlier layers. So each subtree of
 * earlier layers is joined to at most one run of a layer. */
struct order_runs {
    int32_t layers;
    int32_t *layer; /* layers + 1 entries: number of the first run of each layer; the last entry is
                       the number of runs */
    int32_t *first; /* layer[layers] + 1 entries: first position of each run, ascending; the last
                       entry is n; no run is empty */
};

/* Builds the tree of an elimination of all vertices in the order vertex[0 .. n-1], which it changes
 * to an equivalent one. runs: the runs of that order; NULL: none are known, and one thread finds
 * the parents. threads: >= 1; fewer are used where more do not pay. Neither `runs` nor `threads`
 * changes the tree. O(m alpha(n)) time, O(n) memory, so the costs of an elimination are known
 * before it is done. (Liu 1990; Gilbert, Ng and Peyton 1994.) The caller frees it with
 * tree_free. */
enum status tree_build(const struct pattern *pattern, const int32_t *vertex,
                       const struct order_runs *runs, int threads, struct tree *tree,
                       struct error *err);

/* Allocates the arrays of a tree of n positions; they hold garbage. The caller frees the tree with
 * tree_free. */
enum status tree_alloc(struct tree *tree, int32_t n, struct error *err);

/* Copies a tree that has not been cut. The caller frees *copy with tree_free. */
enum status tree_copy(const struct tree *tree, int threads, struct tree *copy, struct error *err);

/* Stops the elimination before the positions that have more than `most` higher neighbours, and
 * before all of their ancestors. */
enum status tree_cut(struct tree *tree, int32_t most, struct error *err);

/* Returns the sum, over all positions, of the number of pairs of a position's higher neighbours. */
int64_t tree_pairs(const struct tree *tree);

/* Where a tree should be cut. */
struct tree_choice {
    int32_t most;    /* argument of tree_cut; n: there should be no core; -1: nothing should be
                        eliminated */
    int32_t fringe;  /* number of positions that the cut tree eliminates */
    int64_t entries; /* number of higher neighbours of those positions, added up */
    double ns;       /* predicted nanoseconds of all pairs on one thread */
};

/* Finds the cut by which all pairs are predicted to take the least time, among those before
 * positions with more than 0 .. known higher neighbours. The choice does not depend on the number
 * of threads >= 1. STATUS_NO_RESOURCE if there is not enough memory. */
enum status tree_choose_cut(const struct tree *tree, const struct core_costs *costs, int32_t known,
                            int threads, struct tree_choice *choice, struct error *err);

/* Returns the largest number of bytes that building, choosing and cutting a tree take, the tree
 * itself included. */
uint64_t tree_memory(int32_t n);

/* Frees a tree and zeroes the struct; safe on a zeroed struct. */
void tree_free(struct tree *tree);

/* The edges of an eliminated graph. The higher neighbours of position v are higher[first[v]] ..
 * higher[first[v + 1] - 1], ascending. */
struct structure {
    int64_t *first;  /* n + 1 entries: index in higher at which each position's neighbours begin */
    int32_t *higher; /* first[n] entries */
};

/* Finds the structure. The time is proportional to the number of entries in the lists of positions
 * and of their children; with a core, also to the sum of the squares of the pieces' boundaries.
 * threads: >= 1; fewer are used where more do not pay, and the structure does not depend on them.
 * The caller frees it with structure_free. */
enum status structure_find(const struct pattern *pattern, const struct tree *tree, int threads,
                           struct structure *structure, struct error *err);

/* Returns the first entry at or behind `at` and before `end` that leads to `wanted`; there must be
 * one. */
static inline int64_t structure_seek(const int32_t *higher, int64_t at, int64_t end,
                                     int32_t wanted) {
    enum { NEAR = 8 };
    for (int k = 0; k < NEAR; k++, at++) {
        if (higher[at] >= wanted)
            return at;
    }
    while (at < end) {
        const int64_t middle = at + (end - at) / 2;
        if (higher[middle] < wanted)
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

/* Frees a structure and zeroes the struct; safe on a zeroed struct. */
void structure_free(struct structure *structure);

#endif
