// SPDX-License-Identifier: MIT
/* An eliminated graph cut into pieces, by which a sweep becomes products of matrices over (min, +).
 *
 * A leaf piece is a subtree of the elimination tree of up to `leaf` positions. A middle piece is
 * what leaf pieces leave of a subtree of up to `middle` positions. The rest is the top. All paths
 * into a subtree lead over its boundary, the higher neighbours of its root. So if the distances
 * from the boundary to a piece's own vertices through the piece are known, the distances from all
 * sources outside are those to the boundary times these.
 *
 * A place is a number of a vertex: those of the top come first, then those of the middle pieces,
 * piece by piece, then those of the leaf pieces. So the boundaries have the lowest places. */
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
    int32_t low, high; /* its subtree has the positions low .. high - 1 */
    int32_t own;       /* how many vertices it has itself, in the order of their positions, */
    int32_t place;     /* the first one's place; those of the others follow */
    int32_t width;     /* how many vertices its boundary has */
    int32_t above;     /* the middle piece around a leaf piece; -1: there is none */
    int64_t boundary;  /* where they begin in `boundary` and `inner` */
    int64_t entry;     /* where its entries begin, */
    int64_t entries;   /* and how many there are */
};

/* An entry of the eliminated graph inside a piece, where a number below `own` stands for an own
 * vertex, and own + b for vertex b of the boundary: `from` is below `to`. */
struct piece_entry {
    int32_t from, to;
    path_length up, down; /* the lengths from `from` to `to`, and back */
};

struct pieces {
    int32_t n, top, middle; /* vertices, in the top, in middle pieces */
    int32_t *place;         /* n: of each position */
    int32_t *vertex;        /* n: at each place, */
    int32_t *position;      /* n: and the position there */
    int32_t *outermost;     /* n: the largest piece around each position; -1 in the top */
    struct piece *piece;    /* leaf pieces, then middle pieces; of each kind by their positions */
    int32_t leaves, count;  /* leaf pieces; all pieces */
    int32_t *boundary;      /* of each piece the places of its boundary, ascending positions */
    int32_t *inner;         /* of a leaf piece's boundary the numbers in the piece above, as in its
                               entries */
    int64_t boundaries;     /* in all */
    struct piece_entry *entry; /* of each piece, ascending `from` */
    int64_t entries;           /* in all */
};

/* How many positions a subtree has that is one leaf piece, and one with its middle piece, at most;
 * leaf <= middle. */
struct pieces_options {
    int32_t leaf, middle;
};

/* Cuts an eliminated graph into pieces in O(n + entries), on up to `threads` >= 1 threads, of which
 * it takes no more than pay; they change nothing else. The caller frees *p with pieces_free.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status pieces_find(const struct tree *tree, const struct structure *structure,
                        const struct lengths *lengths, const struct pieces_options *options,
                        int threads, struct pieces *p, struct error *err);

/* Returns how many bytes pieces_find takes at most for so many entries of the fringe and of the
 * core. */
uint64_t pieces_memory(int32_t n, int64_t entries);

/* Safe on a zeroed struct; leaves it zeroed. */
void pieces_free(struct pieces *p);

/* The top as an eliminated graph of its own, of which pieces can be found in turn. Its positions
 * and its vertices are the places. */
struct pieces_top {
    struct tree tree; /* without depths */
    struct structure structure;
    struct lengths lengths;
};

/* Finds the top in O(its entries), on threads as above. p->top is not 0. The caller frees *top with
 * pieces_top_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status pieces_top_find(const struct tree *tree, const struct structure *structure,
                            const struct lengths *lengths, const struct pieces *p, int threads,
                            struct pieces_top *top, struct error *err);

#ifndef LENGTH_F64

/* Makes a graph of its edges, which have the distances among the top. The caller frees *g with
 * graph_free. */
enum status pieces_top_graph(const struct pieces_top *top, struct graph *g, struct error *err);

#endif

/* Safe on a zeroed struct; leaves it zeroed. */
void pieces_top_free(struct pieces_top *top);

#endif
