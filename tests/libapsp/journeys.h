// SPDX-License-Identifier: MIT
/* Threads that use libapsp at the same time; nothing but apsp.h is needed. */
#ifndef TESTS_LIBAPSP_JOURNEYS_H
#define TESTS_LIBAPSP_JOURNEYS_H

#include <stdbool.h>

/* One thread for each of `count` engines (NULL: the library's choice) makes graphs, solves and
 * proves them, writes the results to files whose names begin with `path`, reads and proves those.
 * False if anything fails. */
bool journeys_arrive(const char *path, const char *const *with, int count);

#endif
