// SPDX-License-Identifier: MIT
/* Threads that the system refuses are found before the first parallel region: OpenMP would end the
 * program there, with lines of its own. */
#ifndef CLI_START_THREADS_H
#define CLI_START_THREADS_H

#include "common/base/error.h" // enum status

#include <stdbool.h>

/* Starts as many threads as a parallel region of `threads` (0: one per core) has and a few more,
 * with stacks of OpenMP's size, and ends them. STATUS_NO_RESOURCE if the system refuses some of
 * them, and the user asked for the number. Otherwise parallel regions of the calling thread have
 * fewer from then on, and a line on stderr says so, unless `quiet`. Call it once, before the first
 * parallel region. Takes about 10 us for each thread. */
enum status start_threads(int threads, bool quiet, struct error *err);

#endif
