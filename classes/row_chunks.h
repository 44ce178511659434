// SPDX-License-Identifier: MIT
/* Places of rows in chunks, which are never moved: the first chunk has room for 1 << bits rows, and
 * each further chunk for twice as many as the one before. */
#ifndef CLASSES_ROW_CHUNKS_H
#define CLASSES_ROW_CHUNKS_H

#include <stdint.h>

/* Returns the number of rows of a chunk. */
static inline int32_t row_chunk_room(int bits, int chunk) {
    return (int32_t)1 << (bits + chunk);
}

/* Returns the chunk that has a row. *before: number of rows in the chunks before it. */
static inline int row_chunk_of(int bits, int32_t row, int32_t *before) {
    const int chunk = 31 - __builtin_clz(((uint32_t)row >> bits) + 1);
    *before = row_chunk_room(bits, chunk) - row_chunk_room(bits, 0);
    return chunk;
}

#endif
