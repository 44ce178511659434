// SPDX-License-Identifier: MIT
#include "elimination/tree_sources.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // threads_paid
#include "common/base/memory.h"      // memory_alloc

#include <string.h>

static void list_all(const struct tree *tree, int threads, int32_t *position, int32_t *row) {
#pragma omp parallel for schedule(static)                                                          \
    num_threads(threads_paid(threads, tree->n, block_sizes.thread_entries))
    for (int32_t at = 0; at < tree->n; at++) {
        if (position != NULL)
            position[at] = at;
        row[at] = tree->vertex[at];
    }
}

enum status tree_sources_list(const struct tree *tree, const struct row_sources *sources,
                              int threads, int32_t *position, int32_t *row, struct error *err) {
    void *memory;
    if (sources->source == NULL) {
        list_all(tree, threads, position, row);
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)tree->n, sizeof(int32_t), "the sources", err));
    int32_t *const row_at = memory; /* by position: row of the source there; -1: no source */
    memset(row_at, 0xff, (size_t)tree->n * sizeof *row_at);
    for (int32_t r = 0; r < sources->count; r++)
        row_at[tree->position[sources->source[r]]] = r;
    for (int32_t at = 0, count = 0; at < tree->n; at++) {
        if (row_at[at] < 0)
            continue;
        if (position != NULL)
            position[count] = at;
        row[count++] = row_at[at];
    }
    memory_free(memory);
    return STATUS_OK;
}
