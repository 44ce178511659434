// SPDX-License-Identifier: MIT
/* Parts of measures: those that take longer than all others. What needs every distance rather than
 * its row's sum may be left out, and what flows along shortest paths is there if it is asked for.
 */
#ifndef MEASURES_PARTS_H
#define MEASURES_PARTS_H

#include <stdbool.h>

/* Bits, which are those of libapsp's apsp_measure_part. The tables (table.h) say which measures are
 * in a part. */
enum {
    MEASURES_HARMONIC = 1,  /* sums of reciprocals of distances */
    MEASURES_HISTOGRAM = 2, /* counts of distances */
    MEASURES_FLOWS = 4,     /* betweenness, which no row says: there only if it was asked for */
    MEASURES_ALL = MEASURES_HARMONIC | MEASURES_HISTOGRAM
};

/* Room for a list of the names of all parts, and for what is expected of one. */
enum { MEASURES_PARTS_TEXT = 80 };

/* The parts of a list of names, "a,b", in any order; false if something in it is no name. */
bool measures_parts_find(const char *list, unsigned *parts);

/* The names of some parts with a text between two of them: "a,b". Returns `text`. */
const char *measures_parts_text(unsigned parts, const char *between,
                                char text[MEASURES_PARTS_TEXT]);

/* Writes the words that measures_parts_find takes, for messages: "a, b or a,b". Returns `text`. */
const char *measures_parts_expected(char text[MEASURES_PARTS_TEXT]);

#endif
