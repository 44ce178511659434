// SPDX-License-Identifier: MIT
/* The prefix sum on all cores, and the proof of an answer. */
#include "common/base/chunks.h"  // chunk_begin
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default
#include "contest/prefix_sum/problem.h"

enum status prefix_sum_cpu(const struct values *input, struct values *output, int threads,
                           struct error *err) {
    const int chunks = threads_worth(threads, (double)input->count);
    const int32_t *const x = input->entries;
    int64_t *const y = output->entries, count = input->count;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)chunks, sizeof(int64_t), "the sums of chunks", err));
    int64_t *const before = memory;
#pragma omp parallel for num_threads(chunks) schedule(static, 1)
    for (int c = 0; c < chunks; c++) {
        int64_t sum = 0;
        for (int64_t k = chunk_begin(count, chunks, c); k < chunk_begin(count, chunks, c + 1); k++)
            sum += x[k];
        before[c] = sum;
    }
    int64_t total = 0;
    for (int c = 0; c < chunks; c++) {
        const int64_t sum = before[c];
        before[c] = total;
        total += sum;
    }
#pragma omp parallel for num_threads(chunks) schedule(static, 1)
    for (int c = 0; c < chunks; c++) {
        int64_t sum = before[c];
        for (int64_t k = chunk_begin(count, chunks, c); k < chunk_begin(count, chunks, c + 1); k++)
            y[k] = sum += x[k];
    }
    memory_free(memory);
    return STATUS_OK;
}

enum status prefix_sum_check(const struct values *input, const struct values *output,
                             double error_bound, int threads, struct error *err) {
    const int32_t *const x = input->entries;
    const int64_t *const y = output->entries, count = input->count;
    int64_t wrong = count; /* first wrong entry; count: none is wrong */
    (void)error_bound;
    /* Differences are checked modulo 2^64, which is enough because all sums fit. */
#pragma omp parallel for num_threads(threads_or_default(threads)) reduction(min : wrong)
    for (int64_t k = 0; k < count; k++) {
        const uint64_t before = k > 0 ? (uint64_t)y[k - 1] : 0;
        if (k < wrong && (uint64_t)y[k] - before != (uint64_t)(int64_t)x[k])
            wrong = k;
    }
    if (wrong == count)
        return STATUS_OK;
    return fail(err, STATUS_REFUTED, "refuted: entry %lld, from 0: expected %lld, found %lld",
                (long long)wrong,
                (long long)((wrong > 0 ? (uint64_t)y[wrong - 1] : 0) + (uint64_t)(int64_t)x[wrong]),
                (long long)y[wrong]);
}
