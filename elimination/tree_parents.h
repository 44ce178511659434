// SPDX-License-Identifier: MIT
/* The parents of an elimination tree (Liu 1986): each vertex in turn becomes the parent of the
 * roots that it is joined to through lower vertices. Threads take runs of vertices that are not
 * joined to each other, and parts of the last run. */
#ifndef ELIMINATION_TREE_PARENTS_H
#define ELIMINATION_TREE_PARENTS_H

#include "elimination/symbolic.h" // struct tree, struct order_runs

/* A position in the caller's order. */
struct node {
    union {
        int32_t ancestor; /* an ancestor, as a shortcut on the way up; -1 at a root of the part that
                             is looked at so far */
        int32_t end;      /* end of the places for the subtree of the node's next lower child */
    };
    int32_t parent; /* parent's position in the caller's order; -1: a root */
    int32_t size;   /* number of nodes of its subtree */
    union {
        int32_t next;  /* next one among the parent's children from other runs; -1: the last */
        int32_t place; /* position in the tree */
    };
};

enum { NODE_ARRAYS = sizeof(struct node) / sizeof(int32_t) };

struct tree_building {
    const struct pattern *pattern;
    const int32_t *vertex; /* caller's order */
    const struct order_runs *runs;
    int threads;
    struct tree *tree;
    struct node *node;
    int32_t *end;   /* by run: end of the places of the trees of this run's roots and of all runs
                       before */
    int32_t *child; /* by node, n entries: one of its children from other runs; -1: none */
    int32_t *room;  /* n numbers of scratch */
};

/* Finds parents, sizes, and children from other runs. b->tree->position has the positions in the
 * caller's order. Overwrites b->room. */
void tree_find_parents(const struct tree_building *b);

#endif
