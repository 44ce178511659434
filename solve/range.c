// SPDX-License-Identifier: MIT
#include "solve/range.h"

#include "common/base/atomics.h" // atomic_raise
#include "common/base/chunks.h"  // threads_paid
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "solve/range_kernels.h" // range_kernels

#include <string.h>

bool range_is_below(const struct graph *g, int32_t limit, int threads) {
    /* The cheap bound comes first: a path has at most n - 1 edges of at most max_weight each. The
     * other one takes the heaviest edge into each vertex. */
    if ((int64_t)g->max_weight * (g->n - 1) < limit)
        return true;
    void *memory;
    struct error ignored;
    if (memory_alloc(&memory, (size_t)g->n, sizeof(int32_t), "the range check", &ignored) !=
        STATUS_OK)
        return false; /* false means "not known", so a lack of memory is no failure */
    int32_t *heaviest = memory;
    int64_t sum = 0;
    int32_t lightest = INT32_MAX;
    threads = threads_paid(threads_or_default(threads), g->n + g->m, block_sizes.thread_entries);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int32_t v = 0; v < g->n; v++)
            heaviest[v] = 0;
#pragma omp for schedule(static)
        for (int64_t e = 0; e < g->m; e++)
            atomic_raise(&heaviest[g->head[e]], g->weight[e]);
#pragma omp for schedule(static) reduction(+ : sum) reduction(min : lightest)
        for (int32_t v = 0; v < g->n; v++) {
            sum += heaviest[v];
            lightest = heaviest[v] < lightest ? heaviest[v] : lightest;
        }
    }
    memory_free(heaviest);
    return sum - lightest < limit;
}

/* Sets bit r of reached[v] if the distance in row r is finite, and clears the others. */
static void collect_finite_in(const struct row_block *block, uint64_t *reached) {
    memset(reached, 0, (size_t)block->n * sizeof *reached);
    for (int32_t r = 0; r < block->count; r++) {
        for (int32_t v = 0; v < block->n; v++)
            reached[v] |= (uint64_t)(block->dist[r][v] < INF) << r;
    }
}

/* Finds the first edge that leads from a finite distance to INF in one of 64 rows. */
static bool find_cut_from(const struct graph *g, const uint64_t *finite, int32_t *row,
                          int32_t *to) {
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const uint64_t lost = finite[u] & ~finite[g->head[e]];
            if (lost == 0)
                continue;
            *row = __builtin_ctzll(lost);
            *to = g->head[e];
            return true;
        }
    }
    return false;
}

/* Returns the number of threads, no more than there are strips. */
static int threads_for(int32_t n, int threads) {
    enum { CELLS_A_STEP = 8 };
    const int32_t strips = (n - 1) / ROW_BLOCK_MAX + 1;
    threads = threads_worth(threads, (double)n * n / CELLS_A_STEP);
    return threads < strips ? threads : strips;
}

uint64_t range_memory(int32_t n, int threads) {
    return (uint64_t)threads_for(n, threads) * (uint64_t)n * sizeof(uint64_t);
}

enum status range_find_cut(const struct graph *g, const struct row_sources *sources,
                           const struct matrix *dist, int32_t largest, int32_t limit, int threads,
                           const struct progress *progress, int32_t *from, int32_t *to,
                           struct error *err) {
    const int32_t strips = (sources->count + ROW_BLOCK_MAX - 1) / ROW_BLOCK_MAX;
    int32_t first_cut = strips;
    *from = *to = -1;
    threads = threads_for(g->n, threads);
    if ((double)largest + g->max_weight < limit)
        return STATUS_OK;

    void *scratch;
    enum status status = memory_alloc(&scratch, (size_t)threads * (size_t)g->n, sizeof(uint64_t),
                                      "the range check", err);
    if (status != STATUS_OK)
        return status;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t strip = 0; strip < strips; strip++) {
        uint64_t *finite = (uint64_t *)scratch + (size_t)omp_get_thread_num() * (size_t)g->n;
        struct row_block block;
        int32_t *pred_rows[ROW_BLOCK_MAX];
        int32_t found, i, j;
#pragma omp atomic read
        found = first_cut;
        if (strip > found || !progress_goes_on(progress))
            continue;
        row_block_of_matrices(&block, pred_rows, sources, dist, NULL, strip * ROW_BLOCK_MAX,
                              ROW_BLOCK_MAX, false);
        collect_finite_in(&block, finite);
        if (!find_cut_from(g, finite, &i, &j))
            continue;
#pragma omp critical
        if (strip < first_cut) {
#pragma omp atomic write
            first_cut = strip;
            *from = block.source[i];
            *to = j;
        }
    }
    memory_free(scratch);
    return STATUS_OK;
}

static int32_t largest_finite_in(const struct row_block *block, enum isa isa) {
    const struct range_kernels *const kernels = range_kernels(isa);
    int32_t largest = 0;
    for (int32_t r = 0; r < block->count; r++)
        largest = kernels->largest_finite(block->dist[r], (size_t)block->n, largest);
    return largest;
}

void range_find_cut_in(const struct graph *g, const struct row_block *block, enum isa isa,
                       uint64_t *reached, int32_t *row, int32_t *to) {
    *row = *to = -1;
    if ((double)largest_finite_in(block, isa) + g->max_weight < INF)
        return;
    collect_finite_in(block, reached);
    find_cut_from(g, reached, row, to);
}

enum status range_refuse(const struct graph *g, int32_t from, int32_t to, bool reweighted,
                         struct error *err) {
    return range_refused(
        fail(err, STATUS_BAD_INPUT,
             "%sthe distance from %s to %s is out of range: %d or more%s" RANGE_ADVICE,
             reweighted ? "with weights made non-negative, " : "", graph_name(g, from).text,
             graph_name(g, to).text, INF, graph_numbering(g)),
        err);
}
