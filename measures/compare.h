// SPDX-License-Identifier: MIT
/* Compares files of measures with measures computed anew. */
#ifndef MEASURES_COMPARE_H
#define MEASURES_COMPARE_H

#include "measures/measures.h" // struct measures
#include "measures/read.h"     // struct measures_file

/* Compares finished measures with what files say, number by number. The measures have the files'
 * number of vertices, sources and parts. Returns STATUS_REFUTED for the first number that differs,
 * with a message of its place, the expected and the found number; STATUS_BAD_INPUT if a field is no
 * number. */
enum status measures_compare(const struct measures_file *file, const struct measures *m,
                             struct error *err);

#endif
