// SPDX-License-Identifier: MIT
#include "common/rows/column_sink.h"

#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default, omp_get_thread_num

#include <string.h>

static size_t block_cells(int32_t targets) {
    return ROW_BLOCK_MAX * matrix_leading(targets);
}

static void free_selected(struct column_sink *s) {
    for (int t = 0; t < s->threads; t++)
        memory_free(s->selected[t]);
    memory_free(s->selected);
    s->selected = NULL;
    s->threads = 0;
}

static enum status alloc_selected(struct column_sink *s, int threads, struct error *err) {
    void *memory;
    free_selected(s);
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)threads, sizeof *s->selected, "selected columns", err));
    s->selected = memory;
    memset(s->selected, 0, (size_t)threads * sizeof *s->selected);
    s->threads = threads;
    for (int t = 0; t < threads; t++) {
        RETURN_ON_FAILURE(memory_alloc(&memory, block_cells(s->targets.count), sizeof(int32_t),
                                       "selected columns", err));
        s->selected[t] = memory;
    }
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct column_sink *const s = (struct column_sink *)self;
    (void)n, (void)with_pred;
    if (threads > s->threads) {
        const enum status status = alloc_selected(s, threads, err);
        if (status != STATUS_OK) {
            free_selected(s);
            return status;
        }
    }
    return s->to->begin != NULL
               ? s->to->begin(s->to, s->targets.count, type, sources, false, threads, err)
               : STATUS_OK;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct column_sink *const s = (struct column_sink *)self;
    int32_t *row = s->selected[omp_get_thread_num()];
    struct row_block narrow = *block;
    narrow.n = s->targets.count;
    narrow.pred = NULL;
    for (int32_t r = 0; r < block->count; r++, row += matrix_leading(narrow.n)) {
        for (int32_t k = 0; k < narrow.n; k++)
            row[k] = block->dist[r][row_source(&s->targets, k)];
        narrow.dist[r] = row;
    }
    return s->to->take(s->to, &narrow, err);
}

void column_sink_open(struct column_sink *sink, const struct row_sources *targets,
                      struct row_sink *to) {
    *sink =
        (struct column_sink){.sink = {.begin = begin, .take = take}, .to = to, .targets = *targets};
}

uint64_t column_sink_memory(int32_t targets, int threads) {
    return memory_times((uint64_t)threads_or_default(threads),
                        block_cells(targets) * sizeof(int32_t));
}

void column_sink_close(struct column_sink *s) {
    free_selected(s);
    *s = (struct column_sink){0};
}
