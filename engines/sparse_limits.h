// SPDX-License-Identifier: MIT
/* Constants of the kernels that the models repeat, for both to include. */
#ifndef ENGINES_SPARSE_LIMITS_H
#define ENGINES_SPARSE_LIMITS_H

/* With as many edges to a vertex or more, one thread is too slow for them. */
enum { MANY_EDGES = 4 };

#endif
