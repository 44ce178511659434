// SPDX-License-Identifier: MIT
/* The regions of an answer of which only one row of each class is there, as its proofs see them,
 * for graphs whose weights are in 1 .. INF or, on a grid, whole numbers of its spacings above 0.
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

/* Totals of a row: over the own vertices of a region, or over all inside, too. */
struct class_total {
    path_length_sum sum;
    int32_t reached;
    path_length farthest;
};

/* A region; those inside follow one another, and have higher numbers. */
struct class_layout {
    int32_t own, width, start;
    int32_t portals; /* numbers below this are those of portals; 0: there are no regions inside */
    int32_t parent, first_child, children;
    int64_t first; /* where its vertices begin in `vertex`, by their numbers; -1 stands for none.
                      Those of the next region follow */
};

#if defined(__CUDACC__) || defined(__HIPCC__)
#define CLASS_ANYWHERE __host__ __device__
#else
#define CLASS_ANYWHERE
#endif

static CLASS_ANYWHERE inline int32_t class_pitch(int32_t cells) {
    return (cells + 3) / 4 * 4;
}

/* How many numbers a region has. */
static CLASS_ANYWHERE inline int32_t class_numbers(const struct class_layout *r) {
    return class_pitch(r->start + r->own);
}

/* Returns of how many of the first numbers, those of portals or of the boundary, a proof notes
 * whether a row has a tight edge into them. */
static CLASS_ANYWHERE inline int32_t class_bits(const struct class_layout *r) {
    return r->children > 0 ? r->portals : r->width;
}

struct class_edge {
    int32_t tail; /* its number in the region */
    path_length weight;
};

/* Regions of a graph, as a proof finds them. */
struct class_regions {
    int32_t n, count;
    int64_t numbers;             /* of all regions */
    path_length largest;         /* a larger finite distance cannot be proved */
    struct class_layout *region; /* count; */
    int32_t *vertex;             /* of each number; */
    int32_t *outer; /* which number it has in the region around, if it is on the boundary; */
    int64_t *first; /* edges into it are first[x] .. first[x + 1] - 1 */
    struct class_edge *edge;
    int32_t *owner;  /* of each vertex: whose own it is, */
    int32_t *number; /* and its number there */
};

/* Finds the edges of a graph's regions. *are_its: whether these are regions of the graph, which
 * cover it and all of its edges, each once, and weights are as above. The caller frees with
 * class_regions_free, also after a failure. STATUS_NO_RESOURCE if there is not enough memory. */
enum status class_regions_find(struct class_regions *r, const struct graph *g,
                               const struct class_layout *region, int32_t count,
                               const int32_t *vertex, bool *are_its, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void class_regions_free(struct class_regions *r);

#ifdef __cplusplus
}
#endif

#endif
