// SPDX-License-Identifier: MIT
/* Parts of measures: those that take longer than all others. Parts that need every distance, not
 * only sums of rows, may be left out; parts that need flows along shortest paths are computed only
 * on request. */
#ifndef MEASURES_PARTS_H
#define MEASURES_PARTS_H

#include <stdbool.h>

/* Bits for parts, equal to those of libapsp's apsp_measure_part. The tables (table.h) say which
 * measures belong to a part. */
enum {
    MEASURES_HARMONIC = 1,  /* sums of reciprocals of distances */
    MEASURES_HISTOGRAM = 2, /* counts of distances */
    /* betweenness, which does not follow from rows: only if it was asked for */
    MEASURES_FLOWS = 4,
    MEASURES_ALL = MEASURES_HARMONIC | MEASURES_HISTOGRAM
};

/* Bytes of a text that lists the names of all parts, or the words that are expected for one. */
enum { MEASURES_PARTS_TEXT = 80 };

/* Finds the parts in a list of names, "a,b", in any order; returns false if an item is no name of a
 * part. */
bool measures_parts_find(const char *list, unsigned *parts);

/* Writes the names of some parts, separated by `between`: "a,b". Returns `text`. */
const char *measures_parts_text(unsigned parts, const char *between,
                                char text[MEASURES_PARTS_TEXT]);

/* Writes the words that measures_parts_find takes, for messages: "a, b or a,b". Returns `text`. */
const char *measures_parts_expected(char text[MEASURES_PARTS_TEXT]);

#endif
