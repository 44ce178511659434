// SPDX-License-Identifier: MIT
/* Label correcting with real weights, from a strip of sources. The labels of a vertex, upper bounds
 * of its distances from all sources of the strip, are side by side, one lane for each source, and
 * one vector instruction relaxes an edge for as many sources as a register has lanes. (Yanagisawa
 * 2010; search/cpu/strip.h has it for integers.)
 *
 * A label is always the length of a path, summed from its source on, or larger. So once no edge
 * improves a label, labels are distances as graph.h defines them, whatever they began with. */
#ifndef SOLVE_REAL_STRIP_H
#define SOLVE_REAL_STRIP_H

#include "common/base/isa.h"      // ISA_KERNELS, enum isa
#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

#include <stdbool.h>

/* The bytes of a vertex's labels, two cache lines, and the lanes that they have at most. */
enum { REAL_STRIP_BYTES = 128, REAL_MAX_LANES = REAL_STRIP_BYTES / (int)sizeof(float) };

/* How many trees are looked for together: two integers for each have room in those bytes. */
enum { REAL_TREES = REAL_STRIP_BYTES / 2 / (int)sizeof(int32_t) };

/* A graph laid out for strips: the edges into the vertex with number k are first[k] .. first[k + 1]
 * - 1, sorted by weight, then by tail. */
struct real_edges {
    const struct graph *g; /* of a real type */
    int32_t *vertex;       /* n: the vertex behind each number */
    int32_t *number;       /* n: the number of each vertex */
    int64_t *first;        /* n + 1 */
    int32_t *tail;         /* m: the number of the vertex at the edge's other end */
    void *weight;          /* m, of the graph's type */
    int32_t *coarse;       /* m: weights of integers in the same order; NULL if there are none */
    int64_t *out_first;    /* n + 1: the edges from each number, sorted by weight: */
    int32_t *out_head;     /* m: their heads, */
    void *out_weight;      /* m: and their weights, of the graph's type */
    bool is_signed;        /* some weights are below 0 */
    bool is_symmetric;     /* each edge has a reverse of its weight: out_head is tail, and
                              out_weight is weight */
};

struct real_strip {
    const struct real_edges *edges;
    const struct progress *progress; /* if it says to stop, all below is garbage */
    const int32_t *source;           /* vertices: the sources of the lanes */
    int32_t count;                   /* 1 .. lanes */
    /* A row of lanes for each number: labels, and predecessors, which have as many bytes. */
    void *label, *pred;
    /* n, of each number: 1 if a tail's labels may have changed since the vertex was relaxed. While
     * labels are corrected in order, of each place: 1 if the labels of the vertex there have
     * changed since its edges were relaxed. */
    uint8_t *pending;
    int32_t *order; /* n: the numbers in an order in which edges are relaxed */
    int32_t *place; /* n: where each number stands in it */
    bool is_near;   /* most labels are distances: correct() tracks changes from the beginning */
    int64_t work;   /* edges relaxed, and a few more for each vertex */
    int64_t sweeps;
    bool settled; /* no edge improves a label */
};

struct real_kernel {
    int lanes;

    /* Sets the labels of the sources themselves to 0 and all others to infinity. Lanes from `count`
     * on repeat the lanes before. */
    void (*start)(struct real_strip *s);

    /* Replaces the labels beyond a limit. */
    void (*replace)(struct real_strip *s, double limit, double with);

    /* Sets s->work and s->sweeps to 0, and relaxes edges until no label changes, until s->work
     * exceeds `work`, or for `sweeps` sweeps. Sets s->settled in the first case. */
    void (*correct)(struct real_strip *s, int64_t work, int64_t sweeps);

    /* Relaxes edges until no label changes or s->work exceeds `work`; s->settled says which. It
     * begins at the sources, and of the vertices whose labels have changed it always takes the one
     * that s->order has first, as Dijkstra's algorithm takes the nearest. One order serves all
     * lanes, so it must be nearly right for each: sources must be neighbours. Only sources may have
     * labels that lower others. Not for weights below 0. */
    void (*correct_in_order)(struct real_strip *s, int64_t work);

    /* Stores the least number of each column of some rows of n. */
    void (*least_of_rows)(int32_t *const *row, int32_t count, int32_t n, int32_t *least);

    /* Stores for each number a key, which is the larger, the larger the least of its labels is. */
    void (*rank)(const struct real_strip *s, uint32_t *key);

    /* Fills pred from settled labels with a tail that is nearer to the source and whose edge is
     * tight, or with -1 if there is none. Stores for each of s->count lanes how many vertices that
     * have a finite label got none; the source is one of them. Not for weights below 0. */
    void (*find_predecessors)(const struct real_strip *s, int32_t *without);

    /* Looks for the trees of shortest paths of the coarse graph from `count` lanes, REAL_TREES at
     * most, of which near has the coarse distances, by vertex. It keeps what it finds in place of
     * labels. An edge is in a tree if it is tight and comes from a smaller coarse distance. */
    void (*find_trees)(const struct real_strip *s, int32_t *const *near, int32_t count);

    /* Stores in a row of the graph's type, by number, the real lengths of the paths in the tree of
     * a lane, of those looked for last, which began at a multiple of REAL_TREES. s->order sorts the
     * numbers by the lane's coarse distances; a length is infinite if the tree does not have the
     * vertex, and may be if the order is only nearly right. */
    void (*approach)(const struct real_strip *s, int lane, void *row);

    /* Reads the labels of all lanes from a row for each of `count`, by number or by vertex. Lanes
     * from there on repeat the lanes before. */
    void (*read)(struct real_strip *s, void *const *rows, bool by_number);
    /* Writes the labels of each of `count` lanes, or its predecessors, to a row, by vertex, and
     * overwrites its padding to 16 cells. Rows begin at lines of the cache, as labels do. */
    void (*write)(const struct real_strip *s, void *const *rows);
    void (*write_pred)(const struct real_strip *s, int32_t *const *rows);
};

struct real_kernels {
    const struct real_kernel *f32, *f64;
};

ISA_KERNELS(real_kernels);

#endif
