// SPDX-License-Identifier: MIT
/* Measures, however an engine hands on what they are made of, against those of rows. */
#ifndef TESTS_UNIT_MEASURED_H
#define TESTS_UNIT_MEASURED_H

#include "measures/measures.h" // struct measures

/* Returns whether measures that were finished are those of the reference's rows for the sources, in
 * the parts that they have. */
bool measured_as_rows(const struct measures *m, const struct graph *g,
                      const struct row_sources *sources);

/* The same of rows without the distances beyond a limit. */
bool measured_as_rows_within(const struct measures *m, const struct graph *g,
                             const struct row_sources *sources, double limit);

#endif
