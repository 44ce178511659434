// SPDX-License-Identifier: MIT
#include "common/rows/column_sink.h"

#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default, omp_get_thread_num

#include <string.h>

static uint64_t block_bytes(enum number_type type, int32_t targets) {
    return matrix_memory_typed(type, ROW_BLOCK_MAX, targets);
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
        RETURN_ON_FAILURE(memory_alloc(&memory, block_bytes(s->type, s->targets.count), 1,
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
    if (threads > s->threads || type != s->type) {
        s->type = type;
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

static void select_columns(const struct row_sources *targets, enum number_type type,
                           const void *from, void *to) {
    for (int32_t k = 0; k < targets->count && number_size(type) == sizeof(int32_t); k++)
        ((int32_t *)to)[k] = ((const int32_t *)from)[row_source(targets, k)];
    for (int32_t k = 0; k < targets->count && number_size(type) == sizeof(double); k++)
        ((double *)to)[k] = ((const double *)from)[row_source(targets, k)];
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct column_sink *const s = (struct column_sink *)self;
    char *row = s->selected[omp_get_thread_num()];
    const size_t row_bytes = matrix_leading(s->targets.count) * number_size(s->type);
    struct row_block narrow = *block;
    narrow.n = s->targets.count;
    narrow.pred = NULL;
    for (int32_t r = 0; r < block->count; r++, row += row_bytes) {
        select_columns(&s->targets, s->type, block->cells[r], row);
        narrow.cells[r] = row;
    }
    return s->to->take(s->to, &narrow, err);
}

void column_sink_open(struct column_sink *sink, const struct row_sources *targets,
                      struct row_sink *to) {
    *sink =
        (struct column_sink){.sink = {.begin = begin, .take = take}, .to = to, .targets = *targets};
}

uint64_t column_sink_memory(enum number_type type, int32_t targets, int threads) {
    return memory_times((uint64_t)threads_or_default(threads), block_bytes(type, targets));
}

void column_sink_close(struct column_sink *s) {
    free_selected(s);
    *s = (struct column_sink){0};
}
