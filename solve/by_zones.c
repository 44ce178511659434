// SPDX-License-Identifier: MIT
#include "solve/by_zones.h"

#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_alloc
#include "common/graph/zones.h" // struct zone_split

#include <omp.h>

/* A sink for the rows of the split graph. */
struct zone_sink {
    struct row_sink sink; /* the first member */
    struct row_sink *to;
    const struct zone_split *split;
    const struct row_sources *sources; /* sources in the graph with zones */
    char *row; /* for each thread, room for distances and predecessors of one row */
};

/* Returns the number of cells of a row, padded so that the next one begins a cache line. */
static size_t row_cells(const struct zone_sink *s) {
    return ((size_t)s->split->n + 15) / 16 * 16;
}

static size_t row_bytes(const struct zone_sink *s) {
    return row_cells(s) * (sizeof(double) + sizeof(int32_t));
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct zone_sink *const s = (struct zone_sink *)self;
    void *row;
    (void)n, (void)sources;
    memory_free(s->row);
    s->row = NULL;
    RETURN_ON_FAILURE(memory_alloc(&row, (size_t)threads, row_bytes(s), "rows of zones", err));
    s->row = row;
    return s->to->begin != NULL
               ? s->to->begin(s->to, s->split->n, type, s->sources, with_pred, threads, err)
               : STATUS_OK;
}

/* Hands on `count` rows of a block, from row `first` on, whose vertices are no zones. */
static enum status pass(const struct zone_sink *s, const struct row_block *block, int32_t first,
                        int32_t count, struct error *err) {
    struct row_block part = {.n = s->split->n,
                             .count = count,
                             .type = block->type,
                             .pred = block->pred != NULL ? block->pred + first : NULL};
    for (int32_t r = 0; r < count; r++) {
        part.position[r] = block->position[first + r];
        part.source[r] = block->source[first + r];
        part.cells[r] = block->cells[first + r];
    }
    return s->to->take(s->to, &part, err);
}

/* Hands on row r of a block, the row of a zone's origin. */
static enum status pass_zone(const struct zone_sink *s, const struct row_block *block, int32_t r,
                             struct error *err) {
    char *const own = s->row + (size_t)omp_get_thread_num() * row_bytes(s);
    int32_t *pred = (int32_t *)(own + row_cells(s) * sizeof(double));
    const int32_t z = s->split->vertex[block->source[r]];
    struct row_block row = {.n = s->split->n,
                            .count = 1,
                            .position = {block->position[r]},
                            .source = {z},
                            .type = block->type,
                            .cells = {own},
                            .pred = block->pred != NULL ? &pred : NULL};
    if (s->to->place != NULL)
        s->to->place(s->to, row.position[0], &row.cells[0], &pred);
    zone_split_join(s->split, z, block->type, block->cells[r],
                    block->pred != NULL ? block->pred[r] : NULL, row.cells[0],
                    block->pred != NULL ? pred : NULL);
    return s->to->take(s->to, &row, err);
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct zone_sink *const s = (const struct zone_sink *)self;
    const int32_t n = s->split->n;
    int32_t first = 0;
    for (int32_t r = 0; r <= block->count; r++) {
        if (r < block->count && block->source[r] < n)
            continue;
        if (r > first)
            RETURN_ON_FAILURE(pass(s, block, first, r - first, err));
        if (r < block->count)
            RETURN_ON_FAILURE(pass_zone(s, block, r, err));
        first = r + 1;
    }
    return STATUS_OK;
}

enum status solve_by_zones(const struct solver_variant *variant,
                           const struct solve_request *request, struct row_sink *sink,
                           struct timing *timing, struct error *err) {
    const double start = clock_seconds();
    const int32_t count = request->sources.count;
    struct zone_split split = {0};
    struct zone_sink zones = {.sink = {.take = take, .begin = begin},
                              .to = sink,
                              .split = &split,
                              .sources = &request->sources};
    struct solve_request inner = *request;
    void *memory = NULL;
    enum status status;
    TRY(zone_split_make(request->graph, &split, err));
    TRY(memory_alloc(&memory, (size_t)count, sizeof(int32_t), "the sources", err));
    int32_t *const source = memory;
    for (int32_t p = 0; p < count; p++)
        source[p] = zone_split_source(&split, row_source(&request->sources, p));
    inner.graph = &split.graph;
    inner.sources = (struct row_sources){source, count};
    inner.kept = NULL;
    const double split_s = clock_seconds() - start;
    TRY(solve_rows(variant, &inner, &zones.sink, timing, err));
    for (int r = 0; r < request->repetitions; r++) {
        timing[r].solve_s += split_s;
        timing[r].total_s += split_s;
    }
cleanup:
    memory_free(zones.row);
    memory_free(memory);
    zone_split_free(&split);
    return status;
}
