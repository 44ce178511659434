// SPDX-License-Identifier: MIT
/* What proving a result does to many cells at a time (certificate.c), once for each
 * instruction set. */
#ifndef COMMON_CERTIFICATE_CHECK_KERNELS_H
#define COMMON_CERTIFICATE_CHECK_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS, enum isa
#include "common/graph/graph.h" // INF

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sources are checked so many at a time, their rows transposed, so that one edge is checked for all
 * of them with a few vector instructions, and a strip of a few thousand vertices stays in the
 * second-level cache: vertex v has the lanes dist[v * CHECK_LANES] .. */
enum { CHECK_LANES = 32 };

/* D = INF inside a strip that is not plain (certificate.c). Above every sum of a finite distance
 * and a weight below 2^30, so that "finite" and "not too long" are one comparison. */
#define UNREACHABLE INT32_MAX

/* Whether a weight, added to a distance, fits in 32 bits. */
static inline bool is_light(int32_t weight) {
    return weight <= INF && weight >= -INF;
}

/* Which lanes something holds in, for one vertex. */
struct lane_flags {
    int32_t violated[CHECK_LANES]; /* check (c) fails for an edge into the vertex */
    int32_t tight[CHECK_LANES];    /* an edge into the vertex ends a shortest path */
};

/* Edges that lead to one vertex. */
struct edges_from {
    const int32_t *tail, *weight;
    int64_t count;
};

struct check_kernels {
    /* Check (a) of row i; pred is NULL where there are distances only. */
    bool (*row_is_sound)(const int32_t *dist, const int32_t *pred, int32_t n, int32_t i);

    /* Set the flags of the vertex with the lanes `to`: in a plain strip; and in any, where edges
     * that are not light are passed over. */
    void (*check_plain_edges)(const int32_t *dist, const struct edges_from *edges,
                              const int32_t *to, struct lane_flags *flags);
    void (*check_light_edges)(const int32_t *dist, const struct edges_from *edges,
                              const int32_t *to, struct lane_flags *flags);
};

ISA_KERNELS(check_kernels);

#endif
