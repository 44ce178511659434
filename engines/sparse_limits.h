// SPDX-License-Identifier: MIT
/* Constants that kernels and their models share. */
#ifndef ENGINES_SPARSE_LIMITS_H
#define ENGINES_SPARSE_LIMITS_H

/* From this number of edges per vertex on, one thread is too slow for the edges of a vertex. */
enum { MANY_EDGES = 4 };

#endif
