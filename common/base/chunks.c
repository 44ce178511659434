// SPDX-License-Identifier: MIT
#include "common/base/chunks.h"

#include <string.h>

void prefix_sums(int64_t *count, int64_t n, int threads) {
    enum { MOST = 256 };
    int64_t before[MOST + 1] = {0}; /* before[c]: sum of the counts in chunks 0 .. c - 1 */
    const int chunks = threads < MOST ? threads : MOST;
#pragma omp parallel for num_threads(chunks) schedule(static, 1)
    for (int c = 0; c < chunks - 1; c++) {
        int64_t sum = 0;
        for (int64_t k = chunk_begin(n, chunks, c); k < chunk_begin(n, chunks, c + 1); k++)
            sum += count[k];
        before[c + 1] = sum;
    }
    for (int c = 1; c < chunks; c++)
        before[c] += before[c - 1];
#pragma omp parallel for num_threads(chunks) schedule(static, 1)
    for (int c = 0; c < chunks; c++) {
        int64_t sum = before[c];
        for (int64_t k = chunk_begin(n, chunks, c); k < chunk_begin(n, chunks, c + 1); k++) {
            const int64_t own = count[k];
            count[k] = sum;
            sum += own;
        }
        if (c == chunks - 1)
            count[n] = sum;
    }
}

/* BYTES_EACH: number of bytes to copy or clear that pay for the start of a thread. */
enum { BYTES_EACH = 1 << 20 };

void copy_together(void *to, const void *from, size_t bytes, int threads) {
    const int chunks = threads_paid(threads, (int64_t)bytes, BYTES_EACH);
#pragma omp parallel for num_threads(chunks) schedule(static)
    for (int c = 0; c < chunks; c++) {
        const int64_t begin = chunk_begin((int64_t)bytes, chunks, c),
                      end = chunk_begin((int64_t)bytes, chunks, c + 1);
        memcpy((char *)to + begin, (const char *)from + begin, (size_t)(end - begin));
    }
}

void clear_together(void *to, size_t bytes, int threads) {
    const int chunks = threads_paid(threads, (int64_t)bytes, BYTES_EACH);
#pragma omp parallel for num_threads(chunks) schedule(static)
    for (int c = 0; c < chunks; c++) {
        const int64_t begin = chunk_begin((int64_t)bytes, chunks, c),
                      end = chunk_begin((int64_t)bytes, chunks, c + 1);
        memset((char *)to + begin, 0, (size_t)(end - begin));
    }
}
