// SPDX-License-Identifier: MIT
/* Blocked Floyd-Warshall on a matrix of cells of either width: distances only, in place. */
#ifndef CPU_PARTS_CLOSURE_H
#define CPU_PARTS_CLOSURE_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress
#include "cpu/parts/min_plus.h"   // struct min_plus

#include <stddef.h>

/* Memory for closure_find on matrices of n rows by at most `threads` threads, each page touched by
 * the thread that will use it first; some 3 KiB for each row. To be released with
 * memory_free(). Fails with STATUS_NO_RESOURCE where memory is out. */
enum status closure_workspace(void **workspace, int32_t n, int threads, struct error *err);

/* Bytes of it. */
size_t closure_memory(int32_t n, int threads);

/* Turns the n x n lengths at `cells`, row-major with leading dimension ld (in cells), zero on the
 * diagonal and nowhere negative, into distances; those of "no path" or more become "no path". The
 * result does not depend on the number of threads. Source: the blocked algorithm of Venkataraman,
 * Sahni and Mukhopadhyaya (2003). Where progress says to stop, the cells are garbage. */
void closure_find(const struct min_plus *kernel, void *cells, size_t ld, int32_t n, int threads,
                  void *workspace, struct progress *progress);

#endif
