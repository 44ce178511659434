// SPDX-License-Identifier: MIT
#include "flows/along_sink.h"

#include "certificate/along_check.h" // along_check
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_or_default

#include <math.h>
#include <omp.h>

struct along_thread {
    struct along along;
    double *sum; /* sums of each column by vertex, columns x n */
};

static void free_threads(struct along_sink *s) {
    for (int t = 0; t < s->threads; t++) {
        along_close(&s->thread[t].along);
        memory_free(s->thread[t].sum);
    }
    memory_free(s->thread);
    s->thread = NULL;
    s->threads = 0;
}

static enum status alloc_threads(struct along_sink *s, int threads, struct error *err) {
    void *memory;
    free_threads(s);
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)threads, sizeof *s->thread, "sums along paths", err));
    s->thread = memory;
    for (int t = 0; t < threads; t++)
        s->thread[t] = (struct along_thread){0};
    s->threads = threads;
    for (int t = 0; t < threads; t++) {
        struct along_thread *const thread = &s->thread[t];
        RETURN_ON_FAILURE(along_open(&thread->along, s->graph, s->columns, err));
        RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)s->graph->n * (size_t)s->columns->count,
                                       sizeof(double), "sums along paths", err));
        thread->sum = memory;
    }
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct along_sink *const s = (struct along_sink *)self;
    if (threads > s->threads)
        RETURN_ON_FAILURE(alloc_threads(s, threads, err));
    for (int c = 0; c < s->columns->count; c++) {
        struct row_sink *const of = s->of[c];
        if (of->begin != NULL)
            RETURN_ON_FAILURE(of->begin(of, n, NUMBER_FLOAT64, sources, false, threads, err));
    }
    return s->to->begin != NULL ? s->to->begin(s->to, n, type, sources, with_pred, threads, err)
                                : STATUS_OK;
}

static void take_distances(double *to, const struct row_block *block, int32_t row) {
    for (int32_t v = 0; v < block->n; v++)
        to[v] = block->type == NUMBER_FLOAT64   ? block->dist_f64[row][v]
                : block->type == NUMBER_FLOAT32 ? (double)block->dist_f32[row][v]
                : block->dist[row][v] == INF    ? (double)INFINITY
                                                : block->dist[row][v];
}

static enum status take_row(const struct along_sink *s, const struct row_block *block, int32_t row,
                            struct error *err) {
    struct along_thread *const t = &s->thread[omp_get_thread_num()];
    struct along *const a = &t->along;
    struct row_block one = {.n = block->n, .count = 1, .type = NUMBER_FLOAT64};
    one.position[0] = block->position[row];
    one.source[0] = block->source[row];
    take_distances(a->dist, block, row);
    const int32_t *to = NULL;
    int64_t count = 0;
    if (s->in != NULL) {
        to = s->to_vertex + s->first[block->position[row]];
        count = s->first[block->position[row] + 1] - s->first[block->position[row]];
        along_narrow(a, s->in, block->source[row], to, count);
    }
    RETURN_ON_FAILURE(along_row(a, block->source[row], t->sum, err));
    if (s->check) {
        take_distances(a->dist, block, row);
        RETURN_ON_FAILURE(along_check(s->graph, s->columns, block->source[row], a->dist, t->sum, to,
                                      count, a->order, a->waits, err));
    }
    for (int c = 0; c < s->columns->count; c++) {
        one.dist_f64[0] = t->sum + (size_t)c * (size_t)block->n;
        RETURN_ON_FAILURE(s->of[c]->take(s->of[c], &one, err));
    }
    return STATUS_OK;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct along_sink *const s = (struct along_sink *)self;
    for (int32_t row = 0; row < block->count; row++)
        RETURN_ON_FAILURE(take_row(s, block, row, err));
    return s->to->take(s->to, block, err);
}

void along_sink_open(struct along_sink *sink, const struct graph *g,
                     const struct edge_columns *columns, bool check, struct row_sink *to,
                     struct row_sink *const *of) {
    *sink = (struct along_sink){.sink = {.begin = begin, .take = take},
                                .graph = g,
                                .columns = columns,
                                .check = check,
                                .to = to};
    for (int c = 0; c < columns->count; c++)
        sink->of[c] = of[c];
}

void along_sink_narrow(struct along_sink *sink, const struct graph *in, const int64_t *first,
                       const int32_t *to) {
    sink->in = in;
    sink->first = first;
    sink->to_vertex = to;
}

uint64_t along_sink_memory(int32_t n, int columns, int threads) {
    const uint64_t row = along_memory(n) + (uint64_t)columns * (uint64_t)n * sizeof(double);
    return memory_times(row, (uint64_t)threads_or_default(threads));
}

void along_sink_close(struct along_sink *sink) {
    free_threads(sink);
    *sink = (struct along_sink){0};
}
