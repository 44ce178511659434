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

/* REAL_STRIP_BYTES: bytes of a vertex's labels, two cache lines. REAL_MAX_LANES: the most lanes in
 * them. */
enum { REAL_STRIP_BYTES = 128, REAL_MAX_LANES = REAL_STRIP_BYTES / (int)sizeof(float) };

/* Number of trees that are looked for together: the bytes of a vertex's labels have room for two
 * integers of each. */
enum { REAL_TREES = REAL_STRIP_BYTES / 2 / (int)sizeof(int32_t) };

/* A graph laid out for strips: the edges into the vertex with number k are first[k] .. first[k + 1]
 * - 1, sorted by weight, then by tail. */
struct real_edges {
    const struct graph *g; /* a graph of a real type */
    int32_t *vertex;       /* n: the vertex behind each number */
    int32_t *number;       /* n: the number of each vertex */
    int64_t *first;        /* n + 1: index of the first edge into each number */
    int32_t *tail;         /* m: number of the vertex at the tail of each edge */
    void *weight;          /* m: weights, of the graph's type */
    int32_t *coarse;       /* m: integer weights in the order of `weight`; NULL: none */
    int64_t *out_first;    /* n + 1: index of the first edge out of each number */
    int32_t *out_head;     /* m: heads of the edges out, by weight for each tail */
    void *out_weight;      /* m: weights of the edges out, of the graph's type */
    bool is_signed;        /* some weights are below 0 */
    bool is_symmetric;     /* each edge has a reverse of its weight: out_head is tail, out_weight is
                              weight */
};

struct real_strip {
    const struct real_edges *edges;
    const struct progress *progress; /* if it says to stop, the members below are garbage */
    const int32_t *source;           /* source vertex of each lane, `count` entries */
    int32_t count;                   /* number of lanes in use, 1 .. lanes */
    /* Labels and predecessors: a row of lanes for each number of a vertex; both have as many bytes.
     */
    void *label, *pred;
    /* n, by number: 1 if labels of a tail of the vertex's edges may have changed since the vertex
     * was relaxed. While labels are corrected in order, by place: 1 if labels of the vertex at that
     * place have changed since its edges were relaxed. */
    uint8_t *pending;
    int32_t *order; /* n: numbers of the vertices in the order in which edges are relaxed */
    int32_t *place; /* n: place of each number in `order` */
    bool is_near;   /* most labels are distances already: correct() tracks changes from the start */
    int64_t work;   /* number of edges relaxed, plus a few for each vertex */
    int64_t sweeps;
    bool settled; /* no edge improves a label */
};

struct real_kernel {
    int lanes;

    /* Sets the labels of the sources themselves to 0 and all others to infinity. Lanes from `count`
     * on repeat the lanes before. */
    void (*start)(struct real_strip *s);

    /* Replaces labels beyond `limit` by `with`. */
    void (*replace)(struct real_strip *s, double limit, double with);

    /* Sets s->work and s->sweeps to 0, and relaxes edges until no label changes, until s->work
     * exceeds `work`, or for `sweeps` sweeps. Sets s->settled in the first case. */
    void (*correct)(struct real_strip *s, int64_t work, int64_t sweeps);

    /* Relaxes edges until no label changes or s->work exceeds `work`; s->settled is true in the
     * first case. Starts at the sources, and always takes the first vertex in s->order whose labels
     * have changed, as Dijkstra's algorithm takes the nearest. One order serves all lanes, so it
     * must be nearly right for each: sources must be neighbours. Only sources may have labels that
     * lower others. Not for weights below 0. */
    void (*correct_in_order)(struct real_strip *s, int64_t work);

    /* Stores the least number of each column of `count` rows of n numbers. */
    void (*least_of_rows)(int32_t *const *row, int32_t count, int32_t n, int32_t *least);

    /* Stores a key for each number: the larger the least label of the vertex, the larger the key.
     */
    void (*rank)(const struct real_strip *s, uint32_t *key);

    /* Fills pred from settled labels: a tail that is nearer to the source and whose edge is tight,
     * or -1 if there is none. Stores for each of s->count lanes how many vertices with a finite
     * label got none, the source included. Not for weights below 0. */
    void (*find_predecessors)(const struct real_strip *s, int32_t *without);

    /* Looks for the trees of shortest paths of the coarse graph from `count` lanes, REAL_TREES at
     * most; near: the coarse distances of each lane, by vertex. The trees overwrite the labels. An
     * edge is in a tree if it is tight and comes from a smaller coarse distance. */
    void (*find_trees)(const struct real_strip *s, int32_t *const *near, int32_t count);

    /* Stores the real lengths of the paths in a lane's tree in a row of the graph's type, by
     * number. The lane is among those of the last find_trees, whose first lane is a multiple of
     * REAL_TREES. s->order must sort the numbers by the lane's coarse distances. A length is
     * infinite if the tree lacks the vertex, and may be infinite if the order is not quite right.
     */
    void (*approach)(const struct real_strip *s, int lane, void *row);

    /* Reads the labels of `count` lanes, each from its row, by number or by vertex. The other lanes
     * repeat these. */
    void (*read)(struct real_strip *s, void *const *rows, bool by_number);
    /* Writes the labels or the predecessors of each of `count` lanes to its row, by vertex, and
     * overwrites the row's padding to 16 cells. Rows begin at cache lines, as labels do. */
    void (*write)(const struct real_strip *s, void *const *rows);
    void (*write_pred)(const struct real_strip *s, int32_t *const *rows);
};

struct real_kernels {
    const struct real_kernel *f32, *f64;
};

ISA_KERNELS(real_kernels);

#endif
