// SPDX-License-Identifier: MIT
/* Constants of the kernels that the models repeat, for both to include. */
#ifndef CUDA_SPARSE_PARTS_LIMITS_H
#define CUDA_SPARSE_PARTS_LIMITS_H

/* With as many edges to a vertex or more, one thread is too slow for them. */
enum { MANY_EDGES = 4 };

#endif
