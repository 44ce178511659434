// SPDX-License-Identifier: MIT
/* The closure of a matrix of lengths over (min, +), that is, its matrix of distances: blocked
 * Floyd-Warshall in place on 16-bit or 32-bit cells, without predecessors. */
#ifndef CPU_PARTS_CLOSURE_H
#define CPU_PARTS_CLOSURE_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress
#include "cpu/parts/min_plus.h"   // struct min_plus

#include <stddef.h>

/* Allocates the memory of closure_find for matrices of n rows and at most `threads` threads, some
 * 3 KiB for each row. The thread that will use a page is the first to touch it. The caller frees
 * with memory_free(). Returns STATUS_NO_RESOURCE if there is not enough memory. */
enum status closure_workspace(void **workspace, int32_t n, int threads, struct error *err);

/* The bytes of memory that closure_workspace allocates. */
size_t closure_memory(int32_t n, int threads);

/* Turns the n x n lengths at `cells`, row-major with leading dimension ld (in cells), into
 * distances. Lengths are 0 on the diagonal and never negative; distances of "no path" or more
 * become "no path". The result does not depend on the number of threads. If progress says to stop,
 * the cells are garbage. (Venkataraman, Sahni and Mukhopadhyaya 2003.) */
void closure_find(const struct min_plus *kernel, void *cells, size_t ld, int32_t n, int threads,
                  void *workspace, struct progress *progress);

#endif
