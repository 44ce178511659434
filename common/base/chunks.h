// SPDX-License-Identifier: MIT
/* Loops that threads share by chunks of what is next to each other. */
#ifndef COMMON_BASE_CHUNKS_H
#define COMMON_BASE_CHUNKS_H

#include <stdint.h>

/* Returns the number of the first item of chunk c, where `count` items are cut into `chunks` whose
 * sizes differ by one at most. Returns `count` for c == chunks, so that a chunk ends where the next
 * one begins. */
static inline int64_t chunk_begin(int64_t count, int chunks, int c) {
    const int64_t each = count / chunks, more = count % chunks;
    return each * c + (more < c ? more : c);
}

/* Returns the number of threads, up to `threads` >= 1, of which each gets enough to pay for its
 * start: `pays` units of the work. */
static inline int threads_paid(int threads, int64_t work, int64_t pays) {
    const int64_t most = 1 + work / pays;
    return threads < most ? threads : (int)most;
}

/* Returns the number of chunks for a loop whose items take unlike times: several for each thread,
 * or one if there is one thread. */
static inline int chunks_for(int threads) {
    enum { EACH = 4 };
    return threads > 1 ? EACH * threads : 1;
}

/* Replaces each of count[0 .. n - 1] by the sum of those before it, and stores the sum of all in
 * count[n]. */
void prefix_sums(int64_t *count, int64_t n, int threads);

#endif
