// SPDX-License-Identifier: MIT
/* Constants of label correcting, which the models of its time need, too. */
#ifndef SEARCH_GPU_LABEL_CONSTANTS_H
#define SEARCH_GPU_LABEL_CONSTANTS_H

/* Limits of 16-bit labels. */
enum {
    NARROW_NO_PATH = 0x7fff,   /* paths of this length or more do not fit */
    NARROW_VERTICES = 1 << 16, /* most vertices whose numbers fit next to a 16-bit weight */
};

/* Number of words of labels of a vertex in shared memory, if there is room. */
enum { STRIP_WORDS = 4 };

#endif
