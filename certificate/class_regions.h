// SPDX-License-Identifier: MIT
/* The regions of an answer of which only one row of each class exists, as its proofs see them, for
 * graphs whose weights are in 1 .. INF or, on a grid, whole numbers of its spacings above 0.
 *
 * The vertices are divided among nested regions. All edges into and out of a region and those
 * inside it lead to its own vertices, to those of regions inside or to its boundary. In a region,
 * its boundary has the numbers 0 .. width - 1 and its own vertices those from `start` on, portals
 * first: those that are on boundaries of regions inside. A region has a row of distances to its
 * numbers for each source in it, and one for each class of other sources. A reference says that the
 * row of the region around is, in the region, that of a class and a constant. So the distance from
 * a source to a vertex is what the references from its row in the outermost region lead to, plus
 * the constants; where there is no reference, no path leads into the region. The rows of a source
 * in the regions that it lies in are those of the source itself.
 *
 * All distances are right if each source reaches something, itself, and if for each row,
 *   - it has the distances to the boundary that all rows have that refer to it, but for their
 *     constants: then conditions on vertices of a region and its boundary hold for all of these
 *     sources if they hold for the row, as constants do not change differences;
 *   - every own vertex is at the least of INF and of all sums of an edge into it and the distance
 *     of its tail, but for the source, which is at 0: conditions (a) to (c) of certificate.h, if
 *     weights are above 0 and no finite distance and weight add up to INF. Tails may be in regions
 *     inside: a portal is not farther than each of these edges says, which is checked there, and
 *     one of all edges is tight, which is noted for each vertex of a boundary and handed on to the
 *     region around.
 *
 * class_proof.h checks this on a CPU, certificate/gpu/gpu_class_proof.h on a GPU. */
#ifndef CERTIFICATE_CLASS_REGIONS_H
#define CERTIFICATE_CLASS_REGIONS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/length.h" // length

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define class_regions_find BY_LENGTH(class_regions_find)
#define class_regions_free BY_LENGTH(class_regions_free)

#ifdef __cplusplus
extern "C" {
#endif

struct graph; /* common/graph/graph.h */

/* Totals of a row, over the own vertices of a region alone or also over the vertices of all regions
 * inside it. */
struct class_total {
    path_length_sum sum;  /* sum of the finite distances */
    int32_t reached;      /* number of finite distances */
    path_length farthest; /* largest finite distance */
};

/* A region. The regions inside it follow one another and come later in the array. */
struct class_layout {
    /* Number of own vertices; number of vertices on the boundary, which have the numbers
     * 0 .. width - 1; number of the first own vertex. */
    int32_t own, width, start;
    int32_t portals; /* numbers below this are those of portals; 0: there are no regions inside */
    /* Index of the region around (-1: this is the outermost region); index of the first region
     * inside; number of regions inside. */
    int32_t parent, first_child, children;
    int64_t first; /* index in `vertex` of the region's number 0. Entries that stand for no vertex
                      are -1; the next region begins after class_numbers() entries */
};

#if defined(__CUDACC__) || defined(__HIPCC__)
#define CLASS_ANYWHERE __host__ __device__
#else
#define CLASS_ANYWHERE
#endif

/* Returns the number of cells rounded up to a multiple of 4. */
static CLASS_ANYWHERE inline int32_t class_pitch(int32_t cells) {
    return (cells + 3) / 4 * 4;
}

/* Returns how many numbers a region has, with those that stand for no vertex. */
static CLASS_ANYWHERE inline int32_t class_numbers(const struct class_layout *r) {
    return class_pitch(r->start + r->own);
}

/* Returns for how many of the lowest numbers, up to the last portal or boundary vertex, a proof
 * notes whether a row has a tight edge into the vertex. */
static CLASS_ANYWHERE inline int32_t class_bits(const struct class_layout *r) {
    return r->children > 0 ? r->portals : r->width;
}

struct class_edge {
    int32_t tail; /* number of the tail in the region */
    path_length weight;
};

/* Regions of a graph, as a proof finds them. */
struct class_regions {
    int32_t n, count;            /* number of vertices; number of regions */
    int64_t numbers;             /* how many numbers all regions have together */
    path_length largest;         /* a larger finite distance cannot be proved */
    struct class_layout *region; /* count regions */
    int32_t *vertex;             /* vertex of each number; -1: none */
    int32_t *outer; /* for numbers on a boundary: number of the vertex in the region around */
    int64_t
        *first; /* edges into the vertex of number x: edge[first[x]] .. edge[first[x + 1] - 1] */
    struct class_edge *edge;
    int32_t *owner;  /* region of which each vertex is an own vertex */
    int32_t *number; /* number of each vertex in its owner */
};

/* Finds the edges of a graph's regions on up to `threads` >= 1 threads. Stores in *are_its whether
 * the regions cover each vertex and each edge of the graph once, and the weights are as the head of
 * this file says. The caller frees with class_regions_free, also after a failure.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status class_regions_find(struct class_regions *r, const struct graph *g,
                               const struct class_layout *region, int32_t count,
                               const int32_t *vertex, int threads, bool *are_its,
                               struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void class_regions_free(struct class_regions *r);

#ifdef __cplusplus
}
#endif

#endif
