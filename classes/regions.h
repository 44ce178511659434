// SPDX-License-Identifier: MIT
/* An eliminated graph cut into nested regions.
 *
 * A region is a subtree of the elimination tree. All paths into it and out of it lead over its
 * boundary, the higher neighbours of its root. Region 0 is the whole graph, without a boundary. A
 * position belongs to the smallest region around it: to one, it is an own position.
 *
 * In a region its own positions have the local numbers 0 .. own - 1, ascending, and boundary vertex
 * b has the local number own + b. */
#ifndef CLASSES_REGIONS_H
#define CLASSES_REGIONS_H

#include "elimination/symbolic.h" // struct tree, struct structure

struct region {
    int32_t low, high; /* it has the positions low .. high - 1; the root is the last */
    int32_t parent;    /* the smallest region around it, which has a lower number; -1 of region 0 */
    int32_t child;     /* the first region inside, -1: there is none; */
    int32_t sibling;   /* the next one inside the parent, -1: there is none */
    int32_t width;     /* of the boundary */
    int32_t own;       /* how many positions it has itself, */
    int32_t first_own; /* and where they begin in own_position */
    int64_t outer;     /* where its boundary begins in `outer` and `outer_portal` */
    int32_t portals; /* how many vertices are on the boundaries of regions inside or on its own; */
    int64_t first_portal; /* where their list begins in `portal` */
};

struct regions {
    int32_t count;
    struct region *region;
    int32_t *of;           /* n: the region that each position belongs to */
    int32_t *own_position; /* n: the own positions of each region, ascending */
    int32_t *own_number;   /* n: the local number of each position in the region it belongs to */
    int32_t *local;        /* of each entry of the structure: the local number of its higher end, in
                              the region of its lower one */
    int32_t *outer;        /* of each region's boundary the local numbers in its parent, */
    int32_t *outer_portal; /* and which portals of the parent they are */
    int32_t *portal;       /* of each region the local numbers of its portals: its boundary first */
    int32_t largest;       /* own + width of a region, at most */
};

/* How a graph is cut. */
struct regions_options {
    int32_t leaf;  /* regions without others inside have up to so many positions; the limit of a */
    int32_t ratio; /* region is `ratio` >= 2 times that of those inside it */
    int32_t worth; /* a subtree is no region of its own if it has fewer entries than this, */
    int32_t worth_width; /* and this for each vertex of its boundary */
};

/* Cuts a graph without a core in O(n + entries). The caller frees *r with regions_free.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status regions_find(const struct tree *tree, const struct structure *structure,
                         const struct regions_options *options, struct regions *r,
                         struct error *err);

/* The same, but of the regions only low, high, parent, child, sibling, width and own, and of the
 * positions only in which region they lie: the structure need not be known. O(n). */
enum status regions_outline(const struct tree *tree, const struct regions_options *options,
                            struct regions *r, struct error *err);

/* The number of positions, which ascend, below another one: where those of a region begin. */
int32_t positions_below(const int32_t *position, int32_t count, int32_t other);

/* Safe on a zeroed struct; leaves it zeroed. */
void regions_free(struct regions *r);

#endif
