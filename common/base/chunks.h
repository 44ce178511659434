// SPDX-License-Identifier: MIT
/* Splits loops into chunks of consecutive items, which threads share. */
#ifndef COMMON_BASE_CHUNKS_H
#define COMMON_BASE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the number of the first item of chunk c, where `count` items are cut into `chunks` whose
 * sizes differ by one at most. Returns `count` for c == chunks, so that a chunk ends where the next
 * one begins. */
static inline int64_t chunk_begin(int64_t count, int chunks, int c) {
    const int64_t each = count / chunks, more = count % chunks;
    return each * c + (more < c ? more : c);
}

/* Returns the number of threads, up to `threads` >= 1, such that each gets at least `pays` units of
 * the work, which pay for its start. */
static inline int threads_paid(int threads, int64_t work, int64_t pays) {
    const int64_t most = 1 + work / pays;
    return threads < most ? threads : (int)most;
}

/* Returns the number of chunks for a loop whose items take different times: several for each
 * thread, or one if there is one thread. */
static inline int chunks_for(int threads) {
    enum { EACH = 4 };
    return threads > 1 ? EACH * threads : 1;
}

/* copy_together copies `bytes` bytes, clear_together sets them to 0, on up to `threads` >= 1
 * threads. Threads pay where memory is new, because the system makes its pages at the first touch.
 */
void copy_together(void *to, const void *from, size_t bytes, int threads);
void clear_together(void *to, size_t bytes, int threads);

/* Replaces each of count[0 .. n - 1] by the sum of the counts before it, and stores the sum of all
 * in count[n]. */
void prefix_sums(int64_t *count, int64_t n, int threads);

#endif
