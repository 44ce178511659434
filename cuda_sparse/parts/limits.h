// SPDX-License-Identifier: MIT
/* Constants of the kernels that the models repeat, for both to include. */
#ifndef CUDA_SPARSE_PARTS_LIMITS_H
#define CUDA_SPARSE_PARTS_LIMITS_H

/* 16-bit labels. */
enum {
    NARROW_NO_PATH = 0x7fff,   /* what is as long does not fit */
    NARROW_VERTICES = 1 << 16, /* so many can be told apart beside a 16-bit weight */
};

enum {
    STRIP_WORDS = 4, /* of labels that a vertex has in shared memory, if there is room */
    /* With as many edges to a vertex or more, one thread is too slow for them. */
    MANY_EDGES = 4,
};

#endif
