// SPDX-License-Identifier: MIT
/* The device's part of proportional.h: rows of nested regions (classes/regions.h) and their
 * classes.
 *
 * In a region, vertices have numbers: those of its boundary come first, own vertices from `start`
 * on, portals before others. Numbers in between stand for no vertex, and cells there are
 * LENGTH_INF. Matrices are row-major, and their pitches multiples of 4. Regions are numbered by
 * their depth, so that those inside a region follow one another.
 *
 * Functions work in the default stream and may return before they are done. */
#ifndef CLASSES_GPU_CLASS_KERNELS_H
#define CLASSES_GPU_CLASS_KERNELS_H

#include "certificate/gpu/gpu_class_proof.h" // struct gpu_class_total, struct class_part
#include "common/base/error.h"               // enum status

#include <stddef.h>
#include <stdint.h>

#define class_largest     BY_LENGTH(class_largest)
#define class_close       BY_LENGTH(class_close)
#define class_find_all    BY_LENGTH(class_find_all)
#define class_climb       BY_LENGTH(class_climb)
#define class_climb_own   BY_LENGTH(class_climb_own)
#define class_source_rows BY_LENGTH(class_source_rows)
#define class_class_rows  BY_LENGTH(class_class_rows)
#define class_own_rows    BY_LENGTH(class_own_rows)
#define class_own_labels  BY_LENGTH(class_own_labels)
#define class_find        BY_LENGTH(class_find)
#define class_find_rows   BY_LENGTH(class_find_rows)
#define class_name        BY_LENGTH(class_name)
#define class_add         BY_LENGTH(class_add)
#define class_take_values BY_LENGTH(class_take_values)
#define class_add_values  BY_LENGTH(class_add_values)

#ifdef __cplusplus
extern "C" {
#endif

struct class_region {
    int32_t own, width, start;
    int32_t portals; /* numbers below this one are portals' or the boundary's; 0: there are no
                        regions inside */
    int32_t parent, first_child, children;
    int32_t first_own;    /* index in `own` of its first own vertex */
    const int32_t *outer; /* numbers in the parent of the vertices of its boundary */
    path_length *down;    /* distances from the boundary to own vertices through the region, width x
                             class_pitch(own) */
    path_length *up;      /* distances from own vertices to the boundary through the region, own x
                             class_pitch(width) */
    path_length *all;     /* distances between all its vertices, square, class_size() rows; NULL: no
                             regions inside */
    /* The sources in the region, and a row for each in `climbed`: the distances to the boundary
     * through the region. */
    int32_t first_source, sources;
    path_length *climbed;
    /* The classes of the region. Their rows follow the rows of the sources. */
    int32_t classes;
    path_length *class_row;            /* distances to the boundary, classes x class_pitch(width) */
    struct gpu_class_total *total;     /* totals of each class */
    double *value;                     /* numbers of each class, relative to its least distance from
                                          the boundary; NULL: totals are wanted instead */
    path_length *least;                /* least distance of each class from the boundary */
    path_length *portal_row;           /* distances to portals, rows x class_pitch(portals) */
    struct class_reference *reference; /* class of each row of the parent */
    /* Only while classes are looked for: a table of 1 + mask slots, more than the region around has
     * rows, and for each class the number of the row that stands for it. A slot has that number + 1
     * in the bits of the mask, and others of the row's hash; 0: it is free. */
    uint32_t *slot;
    uint32_t mask;
    int32_t *named;
};

static CLASS_ANYWHERE inline int32_t class_size(const struct class_region *r) {
    return class_pitch(r->start + r->own);
}

/* An own vertex of a region. class_graph.own has the own vertices of a region in the order of their
 * positions. */
struct class_own {
    int64_t entry; /* index of its first entry */
    int32_t entries;
    int32_t number;
};

/* Numbers that each row has in place of totals: for each mass and each decay, the sum over all
 * targets t of the mass of t times exp(-d(t) rate). Number j * masses + m has rate j and mass m. */
struct class_values {
    int32_t masses, decays;
    const double *mass; /* masses of each position, n x masses */
    const double *rate; /* rate of each decay, per unit of length */
    double *value;      /* numbers of each source, to which kernels add */
};

/* Returns how many numbers a row has. */
static CLASS_ANYWHERE inline int64_t class_values_width(const struct class_values *v) {
    return (int64_t)v->masses * v->decays;
}

struct class_graph {
    const struct class_region *region;
    const struct class_own *own;
    const int32_t *position; /* position of each own vertex, in the order of the vertices'
                                numbers */
    /* Entries, each of which joins an own vertex to a higher one. to: number of the higher one; up,
     * down: lengths to it and from it. */
    const int32_t *to;
    const path_length *up, *down;
    const int32_t *source;         /* index of the source at each position; -1: none */
    struct gpu_class_total *total; /* totals of each source, to which kernels add */
    int32_t *classes;              /* number of classes of each region; class_find counts them */
    struct class_values values;    /* numbers of rows; value is NULL if totals are wanted */
    path_length *label;            /* labels of rows, if rows are proved or numbers are wanted; then
                                      totals are not touched. NULL: labels are not kept */
    int32_t largest;               /* most that class_size() + start of a region is */
};

/* The regions first .. first + count - 1. `largest` is at least class_size() + start of each. */
struct class_range {
    int32_t first, count, largest;
};

/* Stores the most that class_size() + start of a region may be; the device has shared memory for no
 * more. */
enum status class_largest(int32_t *largest, struct error *err);

/* Finds `down` and `up` of regions. Needs nothing of other regions. */
enum status class_close(const struct class_graph *g, struct class_range range, struct error *err);

/* Finds `all` of regions of one depth. The regions around them must have it. */
enum status class_find_all(const struct class_graph *g, struct class_range range,
                           struct error *err);

/* Finds `climbed` of regions for sources in the regions inside, from their `climbed`. */
enum status class_climb(const struct class_graph *g, const struct class_parts *parts,
                        struct error *err);

/* Finds `climbed` of regions for sources that are own vertices. */
enum status class_climb_own(const struct class_graph *g, struct class_range range,
                            struct error *err);

/* Functions that find rows of regions: from sources in a region inside, of classes, and from own
 * vertices. They add up the distances to own vertices, or store all distances as labels; they store
 * the distances to portals. */
enum status class_source_rows(const struct class_graph *g, const struct class_parts *parts,
                              struct error *err);
enum status class_class_rows(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err);
enum status class_own_rows(const struct class_graph *g, struct class_range range,
                           struct error *err);

/* Does as class_own_rows if labels are kept. Labels of own vertices that are no sources are
 * garbage. */
enum status class_own_labels(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err);

/* Numbers of rows that a block of class_find may take: the most, a CLASS_FIND_RATIO-th of that, and
 * so on down to the fewest. */
enum { CLASS_FIND_MOST = 32, CLASS_FIND_RATIO = 4, CLASS_FIND_FEWEST = 2 };

/* Returns how many rows of a region a block of class_find takes; the longer the rows, the fewer.
 * Stores the bytes of shared memory that these rows take. */
int32_t class_find_rows(const struct class_region *r, size_t *bytes);

/* Finds the classes of rows in the regions inside: sets `reference`, `named` and g->classes. Parts
 * are regions with others inside. A block takes `rows` rows, for which it needs up to `bytes` bytes
 * of shared memory (class_find_rows). All slots must be 0. */
enum status class_find(const struct class_graph *g, const struct class_parts *parts, int32_t rows,
                       size_t bytes, struct error *err);

/* Copies the rows of classes to `class_row`. Parts are regions. */
enum status class_name(const struct class_graph *g, const struct class_parts *parts,
                       struct error *err);

/* Adds to the totals of each row the totals of its classes in the regions inside. Parts are
 * regions. */
enum status class_add(const struct class_graph *g, const struct class_parts *parts,
                      struct error *err);

/* Adds to the numbers of rows whose labels are kept the sums over own vertices, in the order of own
 * vertices, and sets `least` of classes. Parts are those of the labels. */
enum status class_take_values(const struct class_graph *g, const struct class_parts *parts,
                              struct error *err);

/* Adds to the numbers of each row the numbers of its classes in the regions inside, in the order of
 * the regions. Parts as for class_add. */
enum status class_add_values(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err);

#ifdef __cplusplus
}
#endif

#endif
