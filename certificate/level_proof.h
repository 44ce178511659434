// SPDX-License-Identifier: MIT
/* The proof of levels. A level is the length, in units, of a shortest path to a vertex, in a graph
 * whose weights are small multiples of the unit. The proof checks the levels that a search has
 * found from up to 512 sources, each of which has a lane. It shares the loader with the solvers and
 * nothing else.
 *
 * A level has a few bits. Slice k is the set of the lanes in which bit k of the level is 1; all
 * bits are 1 if there is no path. Levels are right if in every lane
 *
 * (a) the source, and no other vertex, is at level 0;
 * (b) every other vertex at a level has an in-edge from a vertex that is as many levels below as
 *     the edge weighs;
 * (c) no edge leads from a vertex at a level to one that is more levels above than the edge weighs,
 *     or to one without a path.
 *
 * By (a) and (b) a path of that length leads to each vertex, by (a) and (c) none that is shorter.
 * If levels end at a last one, (c) lets an edge lead to a vertex without a path if the level of the
 * vertex would be above the last one.
 */
#ifndef CERTIFICATE_LEVEL_PROOF_H
#define CERTIFICATE_LEVEL_PROOF_H

#include "common/base/bit_counts.h" // struct bit_set, struct bit_counts
#include "common/base/isa.h"        // enum isa
#include "common/graph/graph.h"     // struct graph

#include <stdbool.h>

struct row_totals; /* common/graph/row_block.h */

/* LEVEL_SLICES: largest number of bits of a level; LEVELS_MOST: largest number of levels. */
enum { LEVEL_SLICES = 6, LEVELS_MOST = (1 << LEVEL_SLICES) - 2 };

/* Returns the number of levels, from 0 on, that fit in `slices` bits if an edge weighs up to
 * `steps` units. The largest number stands for no path, and the `steps` numbers below it are not
 * used, so that no level plus the weight of an edge is the largest number. The result may be
 * below 1. */
static inline int32_t levels_of(int slices, int32_t steps) {
    return (1 << slices) - 1 - steps;
}

/* The data that all threads read. */
struct level_proof {
    int32_t n;
    struct graph in; /* the in-edges of each vertex of the loaded graph, weights in units */
    int32_t
        steps; /* the largest weight in units; 0: nothing can be proved, a weight is no multiple */
    int32_t last; /* the highest level that counts: vertices above it are without a path */
    enum isa isa;
};

/* Prepares to prove levels of an int32 graph, if all of its weights are multiples of `unit` > 0.
 * `last` is the highest level that is wanted; INT32_MAX: all levels are. The caller closes the
 * proof with level_proof_close, also after a failure. */
enum status level_proof_open(struct level_proof *proof, const struct graph *g, int32_t unit,
                             int32_t last, enum isa isa, struct error *err);
void level_proof_close(struct level_proof *proof);

/* Levels of all vertices from `count` sources, 1 .. BIT_LANES: slice[place[v] * slices + k] has bit
 * k of the levels of vertex v. Lanes from `count` on have no meaning. */
struct level_block {
    const struct bit_set *slice;
    int slices; /* number of bits of a level, 2 .. LEVEL_SLICES */
    const int32_t *place;
    const int32_t *source; /* the vertex that is the source of each lane; no two are the same */
    int count;
};

/* The distance of a level, and the reciprocal of the distance in two parts as in struct row_totals.
 */
struct level_value {
    int32_t distance;
    int64_t high, low;
};

/* The buffers of one thread. */
struct level_prover {
    int32_t *lane; /* n: the lane of each vertex that is a source; -1 for others */
    /* For each level the number of vertices that each lane has at the level, in the last proof. */
    struct bit_counts counts[LEVELS_MOST];
    /* Unless NULL: the totals of the columns of all blocks, by vertex, and the values of levels. */
    struct row_totals *column;
    const struct level_value *value;
};

/* The caller frees it, also after a failure. */
enum status level_prover_alloc(struct level_prover **prover, const struct level_proof *proof,
                               struct error *err);
void level_prover_free(struct level_prover *prover);

/* Returns whether the levels are right. If they are, it has added them to prover->column, and
 * level_prover_count stores how many vertices each of the block's sources has at a level; it may be
 * called once for each level from 0 to levels_of(slices, steps) - 1. If a level is wrong, the
 * totals in prover->column are garbage. */
bool level_prover_prove(struct level_prover *prover, const struct level_proof *proof,
                        const struct level_block *block);
void level_prover_count(struct level_prover *prover, const struct level_proof *proof, int32_t level,
                        int32_t count[BIT_LANES]);

#endif
