// SPDX-License-Identifier: MIT
/* Loops that threads share by chunks of what is next to each other. */
#ifndef COMMON_BASE_CHUNKS_H
#define COMMON_BASE_CHUNKS_H

#include <stdint.h>

/* Returns where chunk c of `chunks` begins among `count` items, of which chunks get as many; c may
 * be `chunks`. */
static inline int64_t chunk_begin(int64_t count, int chunks, int c) {
    const int64_t each = count / chunks, more = count % chunks;
    return each * c + (more < c ? more : c);
}

/* Returns how many threads, of up to `threads` >= 1, get so much of the work that it pays for
 * their start. */
static inline int threads_paid(int threads, int64_t work, int64_t pays) {
    const int64_t most = 1 + work / pays;
    return threads < most ? threads : (int)most;
}

/* Returns into how many chunks to cut a loop whose items may take times that differ: with one
 * thread there is nothing to balance. */
static inline int chunks_for(int threads) {
    enum { EACH = 4 };
    return threads > 1 ? EACH * threads : 1;
}

/* Replaces count[0 .. n - 1] by the sum of those before it, and stores the sum of all in count[n].
 */
void prefix_sums(int64_t *count, int64_t n, int threads);

#endif
