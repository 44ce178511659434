// SPDX-License-Identifier: MIT
/* Proves on the device that vertices are at the levels at which a breadth-first search from 1024
 * sources has put them, and counts what it has proved: the conditions of
 * certificate/level_proof.h, level by level. With F(l) the sets of the sources for which a vertex
 * is at level l, and N(l) the union of F(l - s) over its in-neighbours, the edges from which weigh
 * s levels,
 *
 * (a) F(0) is the vertex itself if that is a source;
 * (b) F(l) is a part of N(l), and of no two levels;
 * (c) N(l) is a part of F(0), ..., F(l) together.
 *
 * If F(0), ..., F(l) are all sources, (c) says nothing from there on, and (b) is shown by as many
 * in-neighbours as have what is new. N(l) is empty if the levels are that are as far below as edges
 * weigh, and then nothing follows.
 *
 * It shares with the solvers the loader and the calls of CUDA, and nothing else. */
#ifndef CERTIFICATE_GPU_GPU_LEVEL_PROOF_H
#define CERTIFICATE_GPU_GPU_LEVEL_PROOF_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct graph; /* common/graph/graph.h */

enum { LEVEL_PROOF_SOURCES = 1024, LEVEL_PROOF_STEPS = 16 };

/* Levels of all batches of a graph that are to be proved. */
struct gpu_level_claim {
    const struct graph *graph;
    int32_t unit, steps;   /* weights are 1 .. steps times the unit, LEVEL_PROOF_STEPS at most */
    const int32_t *place;  /* the place of each vertex */
    const int32_t *source; /* vertices, which differ: 1024 for each batch but the last one */
    int32_t sources;       /* number of sources */
    int32_t levels;        /* number of levels, from 0 on, that there can be */
    int32_t last;          /* the highest level that anybody asks for; may be more than there are */
    bool by_source, by_vertex; /* pairs are to be counted by their sources, by their targets */
};

/* A proof on one device. All arrays are in device memory, in one allocation. */
struct gpu_level_proof {
    bool is_ready;   /* the proof can prove levels of this graph */
    int32_t n;       /* number of vertices */
    int32_t sources; /* number of sources of all batches */
    int32_t levels;  /* number of levels that there can be */
    int32_t last;    /* the highest level that anybody asks for */
    int32_t steps;   /* the largest weight, in units */
    int32_t taken;   /* the last level of the batch that was checked; -1: none yet */
    void *memory;    /* the allocation that has all arrays */
    size_t bytes;    /* size of the allocation */
    int64_t *first;  /* n + 1: index of the first edge into the vertex at each place */
    int32_t *tail;   /* the place of the tail of each edge */
    uint8_t *weight; /* the weight of each edge in units; NULL if all are 1 */
    int32_t *vertex; /* the vertex at each place */
    int32_t *number; /* the number of the source at each place; negative: the vertex is none */
    int32_t hubs;    /* number of vertices of many edges, each of which a block takes */
    int32_t *hub;    /* the places of these vertices */
    uint32_t *seen;  /* a set for each place: the sources that have reached the vertex there so
                        far; bits of lanes without a source are set, too */
    uint32_t *open;  /* a bit for each place: some source has not reached the vertex there */
    /* Numbers of pairs at each level, of all batches: [level * sources_padded() + source] and
     * [level * n + vertex]. NULL: nobody wants them. */
    uint32_t *by_source, *by_vertex;
    int32_t *any;   /* for each level of the batch: not 0 if a vertex is there */
    int32_t *wrong; /* one number: not 0 if anything was wrong in any batch */
};

/* Returns the number of sources with those that fill up the last batch. */
static inline size_t sources_padded(int32_t sources) {
    return ((size_t)sources + LEVEL_PROOF_SOURCES - 1) / LEVEL_PROOF_SOURCES * LEVEL_PROOF_SOURCES;
}

/* Prepares to prove a claim on the current device. If it cannot, because places are not each number
 * below n once, a weight is not what is claimed, or for lack of memory on the device, is_ready is
 * false, which is no failure.
 * STATUS_NO_RESOURCE if CUDA fails or there is not enough memory. The caller frees with
 * gpu_level_proof_close, also after a failure. */
enum status gpu_level_proof_open(struct gpu_level_proof *proof, const struct gpu_level_claim *claim,
                                 struct error *err);
void gpu_level_proof_close(struct gpu_level_proof *proof);

/* A level of a batch whose sources are those from number `source` on. A set has 32 words. Those of
 * the last `ring` levels are there, more than an edge weighs, and those that were checked have not
 * changed. */
struct gpu_level {
    int32_t source;         /* number of the batch's first source */
    int32_t level;          /* number of the level */
    int32_t ring;           /* number of levels whose sets are there; ring * n is below 2^31 */
    const uint32_t *sets;   /* n sets for each of these levels, by place: those of level l begin
                               with set n * (l modulo ring) */
    const uint32_t *active; /* bitmaps of levels 0 .. level, a bit for each place: its set has a
                               meaning; other sets are empty */
};

/* Checks a level, which is 0 or that after the one before, and counts it. It works in the default
 * stream, and may return before it is done. */
enum status gpu_level_proof_take(struct gpu_level_proof *proof, const struct gpu_level *level,
                                 struct error *err);

/* Stores whether all levels since open are proved and nothing that was asked for follows in this
 * batch: nothing is at the last of them, as many as an edge may weigh, or the last one is `last`.
 * It waits for all that the default stream was asked for. */
enum status gpu_level_proof_end(const struct gpu_level_proof *proof, bool *proved,
                                struct error *err);

#ifdef __cplusplus
}
#endif

#endif
