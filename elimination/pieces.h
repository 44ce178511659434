// SPDX-License-Identifier: MIT
/* An eliminated graph cut into pieces, by which a sweep becomes products of matrices over (min, +).
 *
 * A leaf piece is a subtree of the elimination tree of up to `leaf` positions. A middle piece is a
 * subtree of up to `middle` positions without its leaf pieces. The rest of the tree is the top. All
 * paths into a subtree lead over its boundary, the higher neighbours of its root. So the distances
 * from sources outside to a piece's own vertices are the (min, +) product of two matrices: the
 * distances to the boundary, and the distances from the boundary through the piece.
 *
 * A place is a number of a vertex: the vertices of the top come first, then those of the middle
 * pieces, piece by piece, then those of the leaf pieces. So the boundaries have the lowest
 * places. */
#ifndef ELIMINATION_PIECES_H
#define ELIMINATION_PIECES_H

#include "common/graph/graph.h"    // struct graph
#include "elimination/eliminate.h" // struct tree, struct structure, struct lengths

#define pieces_find     BY_LENGTH(pieces_find)
#define pieces_memory   BY_LENGTH(pieces_memory)
#define pieces_free     BY_LENGTH(pieces_free)
#define pieces_top_find BY_LENGTH(pieces_top_find)
#define pieces_top_free BY_LENGTH(pieces_top_free)

struct piece {
    int32_t low, high; /* the piece's subtree has the positions low .. high - 1 */
    int32_t own;       /* number of the piece's own vertices, which are in the order of their
                          positions */
    int32_t place;     /* place of the first own vertex; the others follow it */
    int32_t width;     /* number of vertices of the piece's boundary */
    int32_t above;     /* number of the middle piece around a leaf piece; -1: none */
    int64_t boundary;  /* index in `boundary` and `inner` at which the piece's boundary begins */
    int64_t entry;     /* index in `entry` at which the piece's entries begin */
    int64_t entries;   /* number of the piece's entries */
};

/* An entry of the eliminated graph inside a piece. Numbers below `own` are the piece's own
 * vertices, own + b is vertex b of its boundary; `from` is below `to`. */
struct piece_entry {
    int32_t from, to;
    path_length up, down; /* lengths from `from` to `to`, and from `to` to `from` */
};

struct pieces {
    int32_t n, top, middle;    /* number of vertices, of vertices in the top, and of vertices in
                                  middle pieces */
    int32_t *place;            /* by position, n entries: place */
    int32_t *vertex;           /* by place, n entries: vertex */
    int32_t *position;         /* by place, n entries: position */
    int32_t *outermost;        /* by position, n entries: number of the largest piece around it; -1:
                                  it is in the top */
    struct piece *piece;       /* `count` pieces: leaf pieces, then middle pieces, each kind in the
                                  order of positions */
    int32_t leaves, count;     /* number of leaf pieces, and of all pieces */
    int32_t *boundary;         /* places of each piece's boundary, in the order of their positions,
                                  piece after piece */
    int32_t *inner;            /* parallel to `boundary`: the number that a boundary vertex of a
                                  leaf piece has in the piece above, numbered as in that piece's
                                  entries; -1: there is no piece above */
    int64_t boundaries;        /* number of entries of `boundary`, of all pieces together */
    struct piece_entry *entry; /* entries of each piece, ascending by `from`, piece after piece */
    int64_t entries;           /* number of entries of all pieces together */
};

/* Largest numbers of positions of a subtree: `leaf` of one that is a leaf piece, `middle` of one
 * that is a middle piece with its leaf pieces; leaf <= middle. */
struct pieces_options {
    int32_t leaf, middle;
};

/* Cuts an eliminated graph into pieces in O(n + entries), on up to `threads` >= 1 threads; it uses
 * fewer where more do not pay, and the pieces do not depend on them. The caller frees *p with
 * pieces_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status pieces_find(const struct tree *tree, const struct structure *structure,
                        const struct lengths *lengths, const struct pieces_options *options,
                        int threads, struct pieces *p, struct error *err);

/* Returns the largest number of bytes that pieces_find takes for `entries` entries of the fringe
 * and the core together. */
uint64_t pieces_memory(int32_t n, int64_t entries);

/* Frees pieces and zeroes the struct; safe on a zeroed struct. */
void pieces_free(struct pieces *p);

/* The top as an eliminated graph, which can be cut into pieces in turn. Both its positions and its
 * vertices are the places of `struct pieces`. */
struct pieces_top {
    struct tree tree; /* tree of the top; depths are not set */
    struct structure structure;
    struct lengths lengths;
};

/* Finds the top in time O(its entries), on up to `threads` >= 1 threads. p->top is not 0. The
 * caller frees *top with pieces_top_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status pieces_top_find(const struct tree *tree, const struct structure *structure,
                            const struct lengths *lengths, const struct pieces *p, int threads,
                            struct pieces_top *top, struct error *err);

#ifndef LENGTH_F64

/* Makes a graph of the top's entries; its distances are the distances in the top. The caller frees
 * *g with graph_free. */
enum status pieces_top_graph(const struct pieces_top *top, struct graph *g, struct error *err);

#endif

/* Frees a top and zeroes the struct; safe on a zeroed struct. */
void pieces_top_free(struct pieces_top *top);

#endif
