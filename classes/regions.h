// SPDX-License-Identifier: MIT
/* An eliminated graph cut into nested regions.
 *
 * A region is a subtree of the elimination tree. All paths into it and out of it lead over its
 * boundary, the higher neighbours of its root. Region 0 is the whole graph, without a boundary. A
 * position belongs to the smallest region around it, and is an own position of that region.
 *
 * In a region its own positions have the local numbers 0 .. own - 1, ascending, and boundary vertex
 * b has the local number own + b. */
#ifndef CLASSES_REGIONS_H
#define CLASSES_REGIONS_H

#include "elimination/symbolic.h" // struct tree, struct structure

struct region {
    int32_t low, high;    /* the region has the positions low .. high - 1; the root is the last */
    int32_t parent;       /* the smallest region around this one, which has a lower number; -1:
                             region 0 */
    int32_t child;        /* the first region inside this one; -1: none */
    int32_t sibling;      /* the next region inside the same parent; -1: none */
    int32_t width;        /* number of vertices of the boundary */
    int32_t own;          /* number of own positions */
    int32_t first_own;    /* index in own_position of the first own position */
    int64_t outer;        /* index in `outer` and `outer_portal` at which the boundary begins */
    int32_t portals;      /* number of portals: vertices on this boundary or on those of regions
                             inside */
    int64_t first_portal; /* index in `portal` of the first portal */
};

struct regions {
    int32_t count;
    struct region *region;
    int32_t *of;           /* region that each position belongs to, n entries */
    int32_t *own_position; /* own positions of each region, ascending, region after region, n
                              entries */
    int32_t *own_number;   /* local number of each position in the region that it belongs to, n
                              entries */
    int32_t *local;        /* by entry of the structure: local number of the higher end in the
                              region of the lower end */
    int32_t *outer;        /* local numbers in the parent of each region's boundary */
    int32_t *outer_portal; /* portals of the parent that each region's boundary vertices are */
    int32_t *portal;       /* local numbers of each region's portals, the boundary first */
    int32_t largest;       /* most that own + width of a region is */
};

/* Options that say how a graph is cut. */
struct regions_options {
    int32_t leaf;  /* most positions of a region without others inside */
    int32_t ratio; /* rough factor from each level's largest size to the next outer level's, >= 2 */
    int32_t worth; /* fewest entries of a subtree that becomes a region, if its boundary is empty */
    int32_t worth_width; /* further entries that it needs for each vertex of its boundary */
};

/* Cuts a graph without a core in O(n + entries log(width)) time on up to `threads` threads, >= 1;
 * their number does not change the result. The caller frees *r with regions_free.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status regions_find(const struct tree *tree, const struct structure *structure,
                         const struct regions_options *options, int threads, struct regions *r,
                         struct error *err);

/* Does as regions_find, without the structure: sets only low, high, parent, child, sibling, width
 * and own of the regions, and `of`. O(n). */
enum status regions_outline(const struct tree *tree, const struct regions_options *options,
                            struct regions *r, struct error *err);

/* Returns how many of the ascending positions are below `other`, which may be the first position of
 * a region. */
int32_t positions_below(const int32_t *position, int32_t count, int32_t other);

/* Frees *r and zeroes it; safe on a zeroed struct. */
void regions_free(struct regions *r);

#endif
