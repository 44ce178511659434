// SPDX-License-Identifier: MIT
/* The rows of a region in strips that are found together.
 *
 * A region (regions.h) has a row for each source in it, in the order of sources, followed by a row
 * for each class. All rows of a strip are of one kind. */
#ifndef CLASSES_STRIPS_H
#define CLASSES_STRIPS_H

#include "classes/regions.h"   // struct regions
#include "common/base/error.h" // enum status

/* Values of row_strip.child that are no region. OF_OWN: the sources are own positions of the
 * region; OF_CLASSES: the rows are those of classes. */
enum { OF_OWN = -1, OF_CLASSES = -2 };

struct row_strip {
    int32_t child; /* region inside that has the sources; OF_OWN or OF_CLASSES: see there */
    int32_t first; /* number of the first row: among all sources, in strips.own, or among the
                      classes */
    int32_t count; /* number of rows */
};

struct strips {
    struct row_strip *strip;
    int32_t count;   /* number of strips */
    int32_t *own;    /* numbers of the sources that are own positions of the region */
    int32_t first;   /* the region has the sources first .. first + sources - 1 */
    int32_t sources; /* number of the region's sources */
};

/* Lists the strips of region k, of up to `lanes` rows. source: all `sources` positions, which
 * ascend. The caller frees *to with strips_free, also after a failure. STATUS_NO_RESOURCE if there
 * is not enough memory. */
enum status strips_list(const struct regions *r, int32_t k, const int32_t *source, int32_t sources,
                        int32_t classes, int32_t lanes, struct strips *to, struct error *err);

/* Sets row[0 .. count - 1] to the numbers of a strip's rows in the region. */
void strip_rows(const struct strips *strips, const struct row_strip *strip, int32_t *row);

/* Frees *strips and zeroes it; safe on a zeroed struct. */
void strips_free(struct strips *strips);

#endif
