// SPDX-License-Identifier: MIT
/* Proves all rows of an answer of which only one row of each class is there, as class_regions.h
 * says it, on a GPU, and sums up what it has proved.
 *
 * It shares with the solvers the loader and the calls of CUDA, and nothing else: numbers, edges and
 * whether the regions cover the graph it finds itself. Functions work in the default stream, and
 * may return before they are done. */
#ifndef CERTIFICATE_GPU_GPU_CLASS_PROOF_H
#define CERTIFICATE_GPU_GPU_CLASS_PROOF_H

#include "certificate/class_regions.h" // struct class_layout

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define gpu_class_proof_open    BY_LENGTH(gpu_class_proof_open)
#define gpu_class_proof_begin   BY_LENGTH(gpu_class_proof_begin)
#define gpu_class_proof_sources BY_LENGTH(gpu_class_proof_sources)
#define gpu_class_proof_take    BY_LENGTH(gpu_class_proof_take)
#define gpu_class_proof_refer   BY_LENGTH(gpu_class_proof_refer)
#define gpu_class_proof_add     BY_LENGTH(gpu_class_proof_add)
#define gpu_class_proof_finish  BY_LENGTH(gpu_class_proof_finish)
#define gpu_class_proof_end     BY_LENGTH(gpu_class_proof_end)
#define gpu_class_proof_close   BY_LENGTH(gpu_class_proof_close)

#ifdef __cplusplus
extern "C" {
#endif

struct graph; /* common/graph/graph.h */

/* Totals of a row, as in struct class_total. The sum of whole numbers in float64 is in two
 * parts, the upper of which is a multiple of 2^26: either is exact, whatever is added first. */
#ifdef LENGTH_F64
struct gpu_class_total {
    double upper, lower, farthest;
    int32_t reached;
};
#else
#define gpu_class_total class_total
#endif

/* Reference of a row of the region around: it is, but for `constant`, that of the class of row
 * `of`. A row of which of < 0 is the one that its class is named after, whose number is ~of. */
struct class_reference {
    int32_t of;
    path_length constant;
};

/* In place of `of`: there is no path into the region, or the source lies in it. */
#define CLASS_NONE INT32_MIN

/* The rows of a region: first those of the sources in it, then those of classes. Pitches are
 * multiples of 4. */
struct class_rows {
    int32_t first_source, sources, classes;
    path_length *source_row;       /* room for sources x start cells */
    const path_length *class_row;  /* distances to the boundary, classes x start cells */
    const path_length *portal_row; /* distances to the portals, a row of the portals' pitch for each
                                      source and each class */
    const struct class_reference *reference; /* reference of each row of the parent region */
    struct gpu_class_total *total;           /* totals of each class, which the proof sets */
    uint32_t *tight;                         /* rows x class_words(), 0: bits */
};

/* Rows of a region of which `blocks` blocks from number `block` on, up to that of the next part,
 * take CLASS_TILE each, from row `first` on: those of sources in the region `inside`, or of own
 * vertices, in the order of their numbers, or of classes. */
struct class_part {
    int32_t block, blocks, region, inside, first;
    int64_t cell; /* where the first block's labels begin: those of a number side by side */
};
enum { CLASS_TILE = 64, CLASS_OWN = -1, CLASS_CLASSES = -2 };

/* Behind the bits of a row come these marks: that it has been checked, and its references, and that
 * the totals of regions inside have been added. */
enum { CLASS_CHECKED, CLASS_REFERRED, CLASS_ADDED, CLASS_MARKS };
static CLASS_ANYWHERE inline int32_t class_words(const struct class_layout *r) {
    return (class_bits(r) + CLASS_MARKS - 1) / 32 + 1;
}

/* Number of rows that a block takes one by one. */
enum { CLASS_ROWS = 128 };

struct class_parts {
    const struct class_part *part; /* on the device */
    int32_t count, blocks;
};

struct gpu_class_proof {
    bool is_ready; /* it can prove rows of this graph */
    int32_t n;
    path_length largest;         /* a larger finite distance is not proved */
    int32_t most_words;          /* largest class_words() of any region */
    struct class_layout *region; /* region to edge: as in struct class_regions */
    int32_t *vertex, *outer;
    int64_t *first;
    struct class_edge *edge;
    int32_t *source;               /* number of the source that each vertex is; -1: none */
    int32_t *flag;                 /* one number; not 0: something is wrong */
    uint32_t *found;               /* one number: sources whose rows are complete */
    uint32_t sources;              /* number of sources that have to be complete */
    void *memory;                  /* the device memory that has all these arrays */
    size_t bytes;                  /* size of memory in bytes */
    const struct class_rows *rows; /* of each region: the caller's, on the device */
    struct gpu_class_total *total; /* of each source: the caller's, on the device, to add to */
};

/* Prepares to prove rows of g's answer, on the current device and up to `host_threads` >= 1
 * threads of the host. If it cannot, because of the weights, because the regions are not those of
 * this graph, or for lack of memory on the device, is_ready is false, which is no failure.
 * STATUS_NO_RESOURCE if CUDA fails or there is not enough memory. The caller frees with
 * gpu_class_proof_close, also after a failure. */
enum status gpu_class_proof_open(struct gpu_class_proof *proof, const struct graph *g,
                                 const struct class_layout *region, int32_t count,
                                 const int32_t *vertex, int host_threads, struct error *err);

/* Forgets what was wrong before. */
enum status gpu_class_proof_begin(struct gpu_class_proof *proof, struct error *err);

/* Says which vertices are sources 0 .. count - 1, on the host, from now on. */
enum status gpu_class_proof_sources(const struct gpu_class_proof *proof, const int32_t *vertex,
                                    int32_t count, struct error *err);

/* Checks rows, whose labels are those of all numbers, 64 rows side by side, and sums them up. The
 * rows of the region around have been checked. */
enum status gpu_class_proof_take(const struct gpu_class_proof *proof,
                                 const struct class_parts *parts, const path_length *label,
                                 struct error *err);

/* Checks the references from rows of regions, CLASS_ROWS a block. */
enum status gpu_class_proof_refer(const struct gpu_class_proof *proof,
                                  const struct class_parts *parts, struct error *err);

/* Checks that portals of regions are at tight edges, and adds the totals of regions inside, which
 * are complete. Parts as before. */
enum status gpu_class_proof_add(const struct gpu_class_proof *proof,
                                const struct class_parts *parts, struct error *err);

/* Says that so many sources have their totals. */
void gpu_class_proof_finish(struct gpu_class_proof *proof, int32_t sources);

/* Stores whether the totals of all sources since begin are proved, if those of each say that it
 * reaches itself at least; they count for nothing if not. It waits for all that the default stream
 * was asked for. */
enum status gpu_class_proof_end(const struct gpu_class_proof *proof, bool *proved,
                                struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void gpu_class_proof_close(struct gpu_class_proof *proof);

#ifdef __cplusplus
}
#endif

#endif
