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

/* What is to be proved. */
struct gpu_level_claim {
    const struct graph *graph;
    int32_t unit, steps;   /* weights are 1 .. steps times the unit, LEVEL_PROOF_STEPS at most */
    const int32_t *place;  /* the place of each vertex */
    const int32_t *source; /* vertices, which differ: 1024 for each batch but the last one */
    int32_t sources;
    int32_t levels;            /* levels are below this; */
    int32_t last;              /* and nobody asks for those above this one, if there are any */
    bool by_source, by_vertex; /* pairs are to be counted by their sources, by their targets */
};

/* Arrays in device memory. */
struct gpu_level_proof {
    bool is_ready; /* it can prove levels of this graph */
    int32_t n, sources, levels, last, hubs, steps;
    int32_t taken; /* the last level that was checked; -1 */
    void *memory;  /* for all that follows; */
    size_t bytes;  /* so many */
    int64_t *first;
    int32_t *tail;   /* places of the in-neighbours of the vertex at place k: tail[first[k]] .. */
    uint8_t *weight; /* of these edges, in units; NULL if all are 1 */
    int32_t *vertex; /* at each place */
    int32_t *number; /* which of the sources is at each place; negative: none */
    int32_t *hub;    /* `hubs` places of vertices of many edges, which a block takes each */
    uint32_t *seen;  /* n sets, by place: levels so far, and the lanes that have no source */
    uint32_t *open;  /* a bit for each place: some source has not reached the vertex there */
    /* Unless NULL, pairs at a level, of all batches: [level * sources_padded() + source] and
     * [level * n + vertex]. */
    uint32_t *by_source, *by_vertex;
    int32_t *any;   /* of each level: whether a vertex is there */
    int32_t *wrong; /* whether anything is */
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
    int32_t source, level;
    int32_t ring;           /* levels; ring * n is below 2^31 */
    const uint32_t *sets;   /* of level l, by place, n of them from n * (l modulo ring) on */
    const uint32_t *active; /* bitmaps of levels 0 .. level: the set of a place has a meaning;
                               others are empty */
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
