// SPDX-License-Identifier: MIT
/* Random graphs that are cut into nested regions, as proofs of classes of rows take them
 * (certificate/class_regions.h). */
#ifndef TESTS_UNIT_CLASS_CUTS_H
#define TESTS_UNIT_CLASS_CUTS_H

#include "certificate/class_regions.h" // struct class_layout
#include "tests/unit/support.h"        // struct random

/* Region AROUND has the vertices of PORTALS and OTHERS, LEFT those of LEFT_PORTALS and LEFT_OTHERS,
 * RIGHT and INSIDE those of the groups of their names. INSIDE lies in LEFT. Sources are numbered in
 * the order of the groups. */
enum { AROUND, LEFT, RIGHT, INSIDE, REGIONS };
enum {
    GROUP_INSIDE,
    GROUP_LEFT_PORTALS,
    GROUP_LEFT_OTHERS,
    GROUP_RIGHT,
    GROUP_PORTALS,
    GROUP_OTHERS,
    GROUPS
};

struct shape {
    int32_t size[GROUPS];
    int32_t count;               /* regions */
    int percent, edges, sources; /* of portals on a boundary, of pairs, of vertices */
    int32_t lightest, heaviest;
};

struct cut {
    int32_t n, count, numbers;
    int32_t begin[GROUPS + 1]; /* of each group in `at` */
    int32_t *at;               /* all vertices, by groups */
    int32_t *vertex;           /* as class_regions_find takes them */
    struct class_layout layout[REGIONS];
};

/* Abort if memory is out. */
void *must_have(void *memory);
int32_t *new_cells(int64_t count);

void shuffle(struct random *random, int32_t *list, int32_t count);

/* All four regions, a few vertices in each. */
extern const struct shape plain_shape;
struct shape random_shape(struct random *random, int round);

struct cut cut_of(struct random *random, const struct shape *shape);
void cut_free(struct cut *c);

/* A random graph whose edges lead where regions let them. */
struct graph cut_graph(const struct cut *c, struct random *random, const struct shape *shape);

/* The same graph with one more edge or, if `left_out` is the number of one, one less. */
struct graph changed_graph(const struct graph *g, const struct edge *more, int64_t left_out);

/* Region AROUND has the portal 0, from which edges lead to 1 in LEFT and to 2 in RIGHT. `at` has
 * room for 3 vertices, `vertex` for SMALL_NUMBERS. */
enum { SMALL_NUMBERS = 20, LEFT_OWN = 8, RIGHT_OWN = 16 };
struct cut small_cut(int32_t *at, int32_t *vertex);
struct graph small_graph(void);

/* All distances, INF if there is no path or none that short; *farthest is the largest. */
int32_t *distances_of(const struct graph *g, int64_t *farthest);

#endif
