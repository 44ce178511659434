// SPDX-License-Identifier: MIT
/* The parts of a proof (certificate.c) that process many cells at a time, compiled once for each
 * instruction set. */
#ifndef CERTIFICATE_CHECK_KERNELS_H
#define CERTIFICATE_CHECK_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS, enum isa
#include "common/graph/graph.h" // INF

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of sources that the proof checks at a time. It transposes their rows, so that a few vector
 * instructions check one edge for all of these sources. A strip of a few thousand vertices stays in
 * the second-level cache. Vertex v has the lanes dist[v * CHECK_LANES + 0 .. CHECK_LANES - 1]. */
enum { CHECK_LANES = 32 };

/* Stands for D = INF inside a strip of int32 distances that is not plain (certificate_type.h). It
 * is above every sum of a finite distance and a weight below 2^30, so one comparison tests "finite"
 * and "not too long". */
#define UNREACHABLE INT32_MAX

/* Returns whether a weight, added to a distance, fits in 32 bits. */
static inline bool is_light(int32_t weight) {
    return weight <= INF && weight >= -INF;
}

/* Flags of the lanes of one vertex; not 0 means yes. */
struct lane_flags {
    int32_t violated[CHECK_LANES]; /* check (c) fails for an edge into the vertex */
    int32_t tight[CHECK_LANES];    /* an edge into the vertex ends a shortest path */
};

/* Edges into one vertex: weight if the graph's weights are int32, otherwise real_weight. */
struct edges_from {
    const int32_t *tail;
    union {
        const int32_t *weight;
        const double *real_weight;
    };
    int64_t count; /* number of edges */
};

/* The functions for distances of one type. */
#define CHECK_FUNCTIONS(cell)                                                                      \
    struct {                                                                                       \
        /* Checks (a) for row i: distances other than "no path" are in least .. most. pred is      \
         * NULL if there are distances only. */                                                    \
        bool (*row_is_sound)(const cell *dist, const int32_t *pred, int32_t n, int32_t i,          \
                             cell least, cell most);                                               \
        /* Set the flags of the vertex with the lanes `to`; only sums up to `most` violate (c).    \
         * check_plain_edges is for plain strips. check_light_edges, which only min-plus has, is   \
         * for any strip and skips edges that are not light. */                                    \
        void (*check_plain_edges)(const cell *dist, const struct edges_from *edges,                \
                                  const cell *to, cell most, struct lane_flags *flags);            \
        void (*check_light_edges)(const cell *dist, const struct edges_from *edges,                \
                                  const cell *to, cell most, struct lane_flags *flags);            \
    }

struct check_kernels {
    CHECK_FUNCTIONS(int32_t) of_i32;
    CHECK_FUNCTIONS(float) of_f32;
    CHECK_FUNCTIONS(double) of_f64;
    /* functions of other semirings (semiring.h), whose strips are all plain */
    CHECK_FUNCTIONS(int32_t) of_min_max_i32, of_max_min_i32;
    CHECK_FUNCTIONS(float) of_min_max_f32, of_max_min_f32, of_max_product_f32;
    CHECK_FUNCTIONS(double) of_min_max_f64, of_max_min_f64, of_max_product_f64;
};

ISA_KERNELS(check_kernels);

#endif
