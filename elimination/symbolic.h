// SPDX-License-Identifier: MIT
/* Symbolic elimination: what an elimination in a given order leaves, before a weight is looked at.
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
    int32_t fringe;    /* n if there is no core */
    int32_t *vertex;   /* n: the vertex at each position */
    int32_t *position; /* n: the position of each vertex */
    int32_t *parent;   /* n: -1 at a root, which a position is too if its parent is in the core;
                          -1 in the core */
    int32_t *count;    /* n: how many higher neighbours a position has; of the core: see above */
    int32_t *depth;    /* n: 0 at a root, whose children have 1; 0 in the core */
    int32_t height;    /* the largest depth and one */
    int64_t entries;   /* sum of the fringe's counts */
    void *all;         /* the memory of all arrays */
};

/* Costs of a relaxation here and of other ways, in nanoseconds on one thread: they decide where an
 * elimination stops. */
struct core_costs {
    double sweep;       /* an entry, for one source */
    double vertex;      /* a vertex of the fringe, for one source, beside its entries */
    double elimination; /* a pair of higher neighbours */
    double extension;   /* a relaxation from the boundary of a source's piece to the core */
    double pair;        /* a pair of vertices of the core, at most */
    double closure;     /* a relaxation, if the core is closed by Floyd and Warshall's algorithm */
    int64_t entries;    /* no more than these may be left, and */
    int32_t core;       /* no larger a core but all vertices: memory sets such limits */
    int32_t rows;       /* sources that are wanted; 0: all */
};

extern const struct core_costs core_costs;

/* Runs of an order, by layers, that can be looked at at the same time: two runs of a layer are
 * joined neither by an edge nor by a path through earlier layers. So each subtree that earlier
 * layers have is joined to one run of a layer at most. */
struct order_runs {
    int32_t layers;
    int32_t *layer; /* layers + 1: number of the first run of each layer; last, number of runs */
    int32_t *first; /* layer[layers] + 1: the first position of each run, ascending, and n; no run
                       is empty */
};

/* Builds the tree of an elimination of all vertices in the order vertex[0 .. n-1], which it changes
 * to an equivalent one. runs: those of that order; NULL: none are known, and one thread finds the
 * parents. threads: >= 1, of which it takes no more than pay; neither changes the tree. O(m
 * alpha(n)) time, O(n) memory: the costs are known before they are paid. (Liu 1990; Gilbert, Ng and
 * Peyton 1994.) The caller frees it with tree_free. */
enum status tree_build(const struct pattern *pattern, const int32_t *vertex,
                       const struct order_runs *runs, int threads, struct tree *tree,
                       struct error *err);

/* Makes room for n positions, which are garbage. The caller frees it with tree_free. */
enum status tree_alloc(struct tree *tree, int32_t n, struct error *err);

/* Copies a tree that has not been cut. The caller frees *copy with tree_free. */
enum status tree_copy(const struct tree *tree, struct tree *copy, struct error *err);

/* Stops the elimination before the positions that have more than `most` higher neighbours, and
 * before all of their ancestors. */
enum status tree_cut(struct tree *tree, int32_t most, struct error *err);

/* Finds the `most` for tree_cut, among those up to `known`, by which all pairs are predicted to
 * take the least time; n if there should be no core, -1 if nothing should be eliminated.
 * *predicted_ns: that time, on one thread. */
enum status tree_choose_cut(const struct tree *tree, const struct core_costs *costs, int32_t known,
                            int32_t *most, double *predicted_ns, struct error *err);

/* Returns how many bytes building, choosing and cutting take at most; those of the tree are among
 * them. */
uint64_t tree_memory(int32_t n);

/* Safe on a zeroed struct; leaves it zeroed. */
void tree_free(struct tree *tree);

/* Which positions are joined. The higher neighbours of position v are higher[first[v]] ..
 * higher[first[v + 1] - 1], ascending. */
struct structure {
    int64_t *first;  /* n + 1 */
    int32_t *higher; /* first[n] */
};

/* Takes about as long as there are entries, in the lists of positions and of their children; with a
 * core, and for each piece of the fringe the square of the size of its boundary. threads: >= 1, of
 * which it takes no more than pay; they do not change the structure. The caller frees it with
 * structure_free. */
enum status structure_find(const struct pattern *pattern, const struct tree *tree, int threads,
                           struct structure *structure, struct error *err);

/* The first entry from `at` on, and before `end`, that joins to `wanted`, which one does. */
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

/* Safe on a zeroed struct; leaves it zeroed. */
void structure_free(struct structure *structure);

#endif
