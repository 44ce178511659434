// SPDX-License-Identifier: MIT
#include "libapsp/sum_sinks.h"

#include "common/base/memory.h" // memory_alloc
#include "libapsp/objects.h"    // check_range

#include <stdio.h>
#include <string.h>

_Static_assert((int)APSP_ALONG_MAX == (int)EDGE_COLUMNS_MOST, "the same limit");

enum status sum_sinks_take(struct sum_sinks *sums, const apsp_request *request,
                           const struct graph *g, struct error *err) {
    struct edge_columns *const columns = &sums->columns;
    const bool given = request->along != NULL;
    void *memory;
    *sums = (struct sum_sinks){.columns = {.m = g->m}};
    RETURN_ON_FAILURE(
        check_range("along_count", request->along_count, given, given ? APSP_ALONG_MAX : 0, err));
    if (!given)
        return STATUS_OK;
    if (g->semiring != SEMIRING_MIN_PLUS)
        return fail(err, STATUS_BAD_INPUT, "along: expected none with %s",
                    semiring_name(g->semiring));
    if (request->sums == NULL)
        return fail(err, STATUS_BAD_INPUT, "sums: expected an array for what adds up, found NULL");
    const size_t count = (size_t)request->along_count * (size_t)g->m;
    RETURN_ON_FAILURE(memory_alloc(&memory, count, sizeof(double), "columns of edges", err));
    columns->value = memory;
    if (count > 0)
        memcpy(columns->value, request->along, count * sizeof(double));
    columns->count = request->along_count;
    for (int c = 0; c < columns->count; c++)
        snprintf(columns->name[c], EDGE_COLUMN_NAME, "along %d", c);
    return edge_columns_check(columns, g->n, err);
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct sum_sink *const s = (struct sum_sink *)self;
    (void)err;
    for (int32_t row = 0; row < block->count; row++)
        memcpy(s->sums + (size_t)block->position[row] * (size_t)s->n, block->dist_f64[row],
               (size_t)s->n * sizeof(double));
    return STATUS_OK;
}

void sum_sinks_open(struct sum_sinks *sums, const apsp_request *request, const struct graph *g,
                    int32_t first, int32_t rows, struct row_sink *to) {
    struct row_sink *of[EDGE_COLUMNS_MOST];
    along_sink_close(&sums->along);
    for (int c = 0; c < sums->columns.count; c++) {
        const size_t row = (size_t)c * (size_t)rows + (size_t)first;
        sums->of[c] = (struct sum_sink){
            .sink = {.take = take}, .sums = request->sums + row * (size_t)g->n, .n = g->n};
        of[c] = &sums->of[c].sink;
    }
    along_sink_open(&sums->along, g, &sums->columns, request->check != 0, to, of);
}

uint64_t sum_sinks_memory(const apsp_request *request, const struct graph *g, int threads) {
    if (request->along == NULL)
        return 0;
    return memory_add(memory_times((uint64_t)request->along_count * sizeof(double), (uint64_t)g->m),
                      along_sink_memory(g->n, request->along_count, threads));
}

void sum_sinks_close(struct sum_sinks *sums) {
    along_sink_close(&sums->along);
    edge_columns_free(&sums->columns);
}
