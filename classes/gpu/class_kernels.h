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
#define class_name        BY_LENGTH(class_name)
#define class_add         BY_LENGTH(class_add)
#define class_take_values BY_LENGTH(class_take_values)
#define class_add_values  BY_LENGTH(class_add_values)

#ifdef __cplusplus
extern "C" {
#endif

struct class_region {
    int32_t own, width, start;
    int32_t portals; /* numbers below this are those of portals; 0: there are no regions inside */
    int32_t parent, first_child, children;
    int32_t first_own;    /* where its own vertices begin in `own` */
    const int32_t *outer; /* its boundary's numbers in the parent */
    path_length *down;    /* width x class_pitch(own): the distances from the boundary to own
                             vertices, through the region */
    path_length *up;      /* own x class_pitch(width): from own vertices to the boundary */
    path_length *all;     /* square, of class_size(): all distances among its vertices; NULL without
                             regions inside */
    /* The sources in it, and of each a row: the distances to the boundary, through the region. */
    int32_t first_source, sources;
    path_length *climbed;
    /* Its other rows are those of classes, which follow those of the sources. */
    int32_t classes;
    path_length *class_row;        /* classes x class_pitch(width): the distances to the boundary */
    struct gpu_class_total *total; /* of each class */
    double *value;           /* the numbers of each class, relative to its least distance from the
                                boundary; NULL unless they are wanted in place of totals */
    path_length *least;      /* that distance of each class */
    path_length *portal_row; /* rows x class_pitch(portals): the distances to portals */
    struct class_reference *reference; /* of each row of the parent */
    /* While classes are looked for: a table of 1 + mask slots, and the rows that classes are named
     * after, by their numbers. */
    uint64_t *slot;
    uint32_t mask;
    int32_t *named;
};

static CLASS_ANYWHERE inline int32_t class_size(const struct class_region *r) {
    return class_pitch(r->start + r->own);
}

/* An own vertex of a region. class_graph.own has them in the order of their positions. */
struct class_own {
    int64_t entry; /* index of its first entry */
    int32_t entries;
    int32_t number;
};

/* Numbers of rows in place of totals: of each row and for each decay, the sums over all targets t
 * of their masses times exp(-d(t) rate). Number j * masses + m has rate j and mass m. */
struct class_values {
    int32_t masses, decays;
    const double *mass; /* n x masses: those of each position */
    const double *rate; /* of each decay: 1 / decay of a length of 1 */
    double *value;      /* the numbers of each source, which kernels add to */
};

/* How many numbers a row has. */
static CLASS_ANYWHERE inline int64_t class_values_width(const struct class_values *v) {
    return (int64_t)v->masses * v->decays;
}

struct class_graph {
    const struct class_region *region;
    const struct class_own *own;
    const int32_t *position; /* of each own vertex, in the order of their numbers */
    /* An entry joins an own vertex to a higher one. `to` has the number of the higher one, `up` and
     * `down` the lengths to it and from it. */
    const int32_t *to;
    const path_length *up, *down;
    const int32_t *source;         /* index of the source at each position; -1: none */
    struct gpu_class_total *total; /* one for each source, which kernels add to */
    int32_t *classes;              /* number of classes of each region, counted by class_find */
    struct class_values values;    /* value: NULL unless numbers are wanted */
    path_length *label; /* if rows are proved, or numbers are wanted: room for all numbers of rows.
                           Then totals are not touched */
    int32_t largest;    /* class_size() + start of a region, at most */
};

/* Regions first .. first + count - 1; class_size() + start of each is `largest` at most. */
struct class_range {
    int32_t first, count, largest;
};

/* Stores what class_size() + start can be at most: the device has shared memory for no more. */
enum status class_largest(int32_t *largest, struct error *err);

/* Finds `down` and `up`, whatever other regions are. */
enum status class_close(const struct class_graph *g, struct class_range range, struct error *err);

/* Finds `all` of regions of one depth, of those around which it is known. */
enum status class_find_all(const struct class_graph *g, struct class_range range,
                           struct error *err);

/* Finds `climbed` of regions from that of the regions inside. */
enum status class_climb(const struct class_graph *g, const struct class_parts *parts,
                        struct error *err);

/* The same of those own vertices that are sources. */
enum status class_climb_own(const struct class_graph *g, struct class_range range,
                            struct error *err);

/* Finds rows of regions, from sources in a region inside; of classes; from own vertices: adds up
 * the distances to own vertices, or stores all as labels, and stores those to portals. */
enum status class_source_rows(const struct class_graph *g, const struct class_parts *parts,
                              struct error *err);
enum status class_class_rows(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err);
enum status class_own_rows(const struct class_graph *g, struct class_range range,
                           struct error *err);

/* The last of these, if labels are kept. Labels of own vertices that are no sources are garbage. */
enum status class_own_labels(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err);

/* Finds the classes in the regions inside: `reference`, `named` and g->classes. Parts are regions
 * with others inside, CLASS_ROWS rows a block; slots are 0. */
enum status class_find(const struct class_graph *g, const struct class_parts *parts,
                       struct error *err);

/* Copies to `class_row` the rows of classes. Parts are regions. */
enum status class_name(const struct class_graph *g, const struct class_parts *parts,
                       struct error *err);

/* Adds to the totals of rows those of their classes in the regions inside. Parts are regions. */
enum status class_add(const struct class_graph *g, const struct class_parts *parts,
                      struct error *err);

/* Adds to the numbers of rows whose labels are kept those over own vertices, and sets `least` of
 * classes. Sums are in the order of own vertices. Parts are those of the labels. */
enum status class_take_values(const struct class_graph *g, const struct class_parts *parts,
                              struct error *err);

/* Adds to the numbers of rows those of their classes in the regions inside, in the order of these.
 * Parts as for class_add. */
enum status class_add_values(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err);

#ifdef __cplusplus
}
#endif

#endif
