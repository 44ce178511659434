// SPDX-License-Identifier: MIT
/* Softmax in long double on all cores, and the check of an answer against it. */
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_or_default
#include "contest/softmax/problem.h"

#include <math.h>

/* The largest x, and the sum of all powers, which is NaN if a power is. */
struct softmax_totals {
    float largest;
    long double sum;
};

static int64_t chunks_of(int64_t count) {
    return (count + block_sizes.softmax_numbers - 1) / block_sizes.softmax_numbers;
}

static int64_t chunk_end(int64_t count, int64_t c) {
    return (c + 1) * block_sizes.softmax_numbers < count ? (c + 1) * block_sizes.softmax_numbers
                                                         : count;
}

static long double power(float x, float largest) {
    return expl((long double)x - (long double)largest);
}

static enum status find_totals(const struct values *input, int threads,
                               struct softmax_totals *totals, struct error *err) {
    const float *const x = input->entries;
    const int64_t count = input->count, chunks = chunks_of(count);
    float largest = -INFINITY;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)chunks, sizeof(long double), "the sums of chunks", err));
    long double *const sums = memory;
    threads = threads_worth(threads, 64 * (double)count);
#pragma omp parallel for num_threads(threads) reduction(max : largest)
    for (int64_t k = 0; k < count; k++)
        largest = x[k] > largest ? x[k] : largest;
#pragma omp parallel for num_threads(threads)
    for (int64_t c = 0; c < chunks; c++) {
        sums[c] = 0;
        for (int64_t k = c * block_sizes.softmax_numbers; k < chunk_end(count, c); k++)
            sums[c] += power(x[k], largest);
    }
    *totals = (struct softmax_totals){largest, 0};
    for (int64_t c = 0; c < chunks; c++)
        totals->sum += sums[c];
    memory_free(memory);
    return STATUS_OK;
}

enum status softmax_cpu(const struct values *input, struct values *output, int threads,
                        struct error *err) {
    const float *const x = input->entries;
    float *const y = output->entries;
    const int64_t count = input->count;
    struct softmax_totals totals;
    RETURN_ON_FAILURE(find_totals(input, threads, &totals, err));
#pragma omp parallel for num_threads(threads_worth(threads, 64 * (double)count))
    for (int64_t k = 0; k < count; k++)
        y[k] = (float)(power(x[k], totals.largest) / totals.sum);
    return STATUS_OK;
}

/* Returns whether the difference of the found and the expected entry is within the bound. Only NaN
 * is near NaN. */
static bool is_near(float found, long double expected, double error_bound) {
    if (isnan(expected))
        return isnan(found) != 0;
    return fabsl((long double)found - expected) <=
           (long double)error_bound * expected + (long double)SOFTMAX_TINY;
}

enum status softmax_check(const struct values *input, const struct values *output,
                          double error_bound, int threads, struct error *err) {
    const float *const x = input->entries, *const y = output->entries;
    const int64_t count = input->count;
    struct softmax_totals totals;
    int64_t wrong = count; /* first wrong entry; count: none is wrong */
    double sum = 0;
    RETURN_ON_FAILURE(find_totals(input, threads, &totals, err));
#pragma omp parallel for num_threads(threads_worth(threads, 64 * (double)count))                   \
    reduction(min : wrong) reduction(+ : sum)
    for (int64_t k = 0; k < count; k++) {
        const long double expected = power(x[k], totals.largest) / totals.sum;
        sum += (double)y[k];
        if (k < wrong && !is_near(y[k], expected, error_bound))
            wrong = k;
    }
    if (wrong < count)
        return fail(err, STATUS_REFUTED,
                    "refuted: entry %lld, from 0: expected %.12Lg, within %g of it, found %.9g",
                    (long long)wrong, power(x[wrong], totals.largest) / totals.sum, error_bound,
                    (double)y[wrong]);
    /* The bound of the sum follows from that of the entries; double adds 10^8 entries with an error
     * below 10^-8. */
    const double allowed = error_bound + 2e-8;
    if (!isnan(totals.sum) && fabs(sum - 1) > allowed)
        return fail(err, STATUS_REFUTED, "refuted: expected a sum within %g of 1, found %.12g",
                    allowed, sum);
    return STATUS_OK;
}
