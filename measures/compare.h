// SPDX-License-Identifier: MIT
/* Compares what files of measures say with measures. */
#ifndef MEASURES_COMPARE_H
#define MEASURES_COMPARE_H

#include "measures/measures.h" // struct measures
#include "measures/read.h"     // struct measures_file

/* Compares finished measures of the same number of vertices, the same sources and the same parts,
 * computed anew, with what files say, number by number. STATUS_REFUTED for the first that differs,
 * with its place, what was expected and what was found; STATUS_BAD_INPUT if something is no number.
 */
enum status measures_compare(const struct measures_file *file, const struct measures *m,
                             struct error *err);

#endif
