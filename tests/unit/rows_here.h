// SPDX-License-Identifier: MIT
/* A sink that copies rows into matrices, from blocks or from where the shim of CUDA has them. */
#ifndef TESTS_UNIT_ROWS_HERE_H
#define TESTS_UNIT_ROWS_HERE_H

#include "common/graph/matrix.h"    // struct matrix
#include "common/graph/row_block.h" // struct row_sink

struct rows_here {
    struct row_sink sink; /* the first member */
    struct matrix dist, pred;
    int32_t here, blocks; /* number of rows that were on the device; of blocks that were not */
};

/* Returns a sink for answers of n rows at most. Aborts if memory is out. */
struct rows_here rows_here_of(int32_t n, enum number_type type);

void rows_here_free(struct rows_here *r);

#endif
