// SPDX-License-Identifier: MIT
/* Constants of label correcting that models of its time repeat, for both to include. */
#ifndef SEARCH_GPU_LABEL_CONSTANTS_H
#define SEARCH_GPU_LABEL_CONSTANTS_H

/* 16-bit labels. */
enum {
    NARROW_NO_PATH = 0x7fff,   /* what is as long does not fit */
    NARROW_VERTICES = 1 << 16, /* so many can be told apart beside a 16-bit weight */
};

/* Words of labels that a vertex has in shared memory, if there is room. */
enum { STRIP_WORDS = 4 };

#endif
