// SPDX-License-Identifier: MIT
#include "common/rows/pair_sink.h"

#include "common/graph/graph.h" // INF

#include <math.h>

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    (void)self, (void)n, (void)type, (void)sources, (void)with_pred, (void)threads, (void)err;
    return STATUS_OK;
}

static double cell(const struct row_block *block, int32_t row, int32_t v) {
    switch (block->type) {
    case NUMBER_FLOAT32:
        return (double)block->dist_f32[row][v];
    case NUMBER_FLOAT64:
        return block->dist_f64[row][v];
    default:
        return block->dist[row][v] == INF    ? (double)INFINITY
               : block->dist[row][v] == -INF ? -(double)INFINITY
                                             : block->dist[row][v];
    }
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct pair_sink *const s = (struct pair_sink *)self;
    (void)err;
    for (int32_t row = 0; row < block->count; row++) {
        const int32_t position = block->position[row];
        for (int64_t k = s->first[position]; k < s->first[position + 1]; k++)
            s->distance[k] = cell(block, row, s->to[k]);
    }
    return STATUS_OK;
}

void pair_sink_open(struct pair_sink *sink, const int64_t *first, const int32_t *to,
                    double *distance) {
    *sink = (struct pair_sink){
        .sink = {.begin = begin, .take = take}, .first = first, .to = to, .distance = distance};
}
