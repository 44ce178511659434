// SPDX-License-Identifier: MIT
#include "index/index_query.h"

#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "index/index_kernels.h" // INDEX_LANES
#include "index/index_parts.h"

#include <math.h>
#include <stdlib.h>

/* Orders struct index_target, which begins with its vertex, or vertices, by the index's order: a
 * vertex without entries, a root, comes before its subtree. */
static int compare_places(const void *a, const void *b, void *of) {
    const struct distance_index *const x = of;
    const struct index_vertex *const u = &x->vertex[0][*(const int32_t *)a];
    const struct index_vertex *const v = &x->vertex[0][*(const int32_t *)b];
    const uint64_t p = index_first_entry(u), q = index_first_entry(v);
    return p != q ? (p > q) - (p < q) : (u->labels > v->labels) - (u->labels < v->labels);
}

enum status index_targets_find(const struct distance_index *x, const int32_t *target, int32_t count,
                               struct index_targets *targets, struct error *err) {
    void *memory;
    *targets = (struct index_targets){.count = count};
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)count, sizeof *targets->target, "the targets", err));
    struct index_target *const t = targets->target = memory;
    for (int32_t c = 0; c < count; c++) {
        const int32_t v = target != NULL ? target[c] : x->order[c];
        if (!index_has_vertex(x, v))
            return index_damaged(err);
        t[c] = (struct index_target){.vertex = v, .column = target != NULL ? c : v};
    }
    if (target != NULL)
        qsort_r(t, (size_t)count, sizeof *t, compare_places, (void *)x);
    for (int32_t c = 1; c < count; c++)
        t[c].common = index_common(x, &x->vertex[0][t[c - 1].vertex], &x->vertex[0][t[c].vertex]);
    return STATUS_OK;
}

void index_targets_free(struct index_targets *targets) {
    memory_free(targets->target);
    *targets = (struct index_targets){0};
}

static inline void *row_at(void *rows, size_t row, size_t leading, enum number_type type) {
    return (char *)rows + row * leading * number_size(type);
}

/* Most sources of a table that are taken together. */
enum { GROUP = 16 * INDEX_LANES };

/* Finds a group of rows of a table; the sources are in the order of labels. */
static enum status table_group(const struct distance_index *x, const struct index_targets *targets,
                               const struct index_target *source, int32_t count, void *distance,
                               size_t leading, struct error *err) {
    int32_t vertex[GROUP];
    void *row[GROUP];
    for (int32_t s = 0; s < count; s++) {
        vertex[s] = source[s].vertex;
        row[s] = row_at(distance, (size_t)source[s].column, leading, index_type(x));
    }
    return index_find_rows(x, targets, vertex, count, row, err);
}

enum status index_table(const struct distance_index *x, const int32_t *source, int32_t source_count,
                        const int32_t *target, int32_t target_count, void *distance, size_t leading,
                        int threads, const struct progress *progress, struct error *err) {
    enum { STEPS = 16, SHARES = 4 };
    struct index_targets sources = {0}, targets = {0};
    struct lowest_failure failed;
    enum status status;
    lowest_failure_begin(&failed);
    TRY(index_targets_find(x, source, source_count, &sources, err));
    TRY(index_targets_find(x, target, target_count, &targets, err));
    threads = threads_worth(threads, (double)source_count * target_count * STEPS);
    const int32_t share = source_count / (threads * SHARES) / INDEX_LANES * INDEX_LANES;
    const int32_t group = share < INDEX_LANES ? INDEX_LANES : share < GROUP ? share : GROUP;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t first = 0; first < source_count; first += group) {
        const int32_t rest = source_count - first;
        struct error mine;
        if (!progress_goes_on(progress))
            continue;
        const enum status one = table_group(x, &targets, sources.target + first,
                                            rest < group ? rest : group, distance, leading, &mine);
        if (one != STATUS_OK)
            lowest_failure_note(&failed, first, one, &mine);
    }
    status =
        progress_goes_on(progress) ? lowest_failure_end(&failed, err) : progress_cancelled(err);
cleanup:
    index_targets_free(&sources);
    index_targets_free(&targets);
    return status;
}

/* Returns whether a row of real distances has none below every number, and no NaN: only a damaged
 * index has them, and nothing that measures rows expects them. */
static bool are_distances(const double *row, int32_t n) {
    bool are = true;
    for (int32_t v = 0; v < n; v++)
        are &= row[v] > -(double)INFINITY;
    return are;
}

/* Hands a block of rows on: those of the vertices order[first] and after. cells: one thread's
 * memory for a block. */
static enum status give_block(const struct distance_index *x, const struct index_targets *targets,
                              void *cells, size_t leading, int32_t first, struct row_sink *sink,
                              struct error *err) {
    const int32_t rest = x->header.vertices - first;
    struct row_block block = {.n = x->header.vertices,
                              .count = rest < INDEX_LANES ? rest : INDEX_LANES,
                              .type = index_type(x)};
    for (int32_t r = 0; r < block.count; r++) {
        block.position[r] = block.source[r] = x->order[first + r];
        if (!index_has_vertex(x, block.source[r]))
            return index_damaged(err);
        block.cells[r] = row_at(cells, (size_t)r, leading, block.type);
    }
    RETURN_ON_FAILURE(index_find_rows(x, targets, block.source, block.count, block.cells, err));
    for (int32_t r = 0; r < block.count && block.type == NUMBER_FLOAT64; r++) {
        if (!are_distances(block.dist_f64[r], block.n))
            return index_damaged(err);
    }
    return sink->take(sink, &block, err);
}

enum status index_give_rows(const struct distance_index *x, struct row_sink *sink, int threads,
                            struct progress *progress, struct error *err) {
    const int32_t n = x->header.vertices;
    const size_t leading = ((size_t)n + 15) / 16 * 16;
    const struct row_sources all = {NULL, n};
    struct index_targets targets = {0};
    struct lowest_failure failed;
    int32_t done = 0;
    enum status status;
    lowest_failure_begin(&failed);
    threads = threads_worth(threads, (double)n * n);
    TRY(index_targets_find(x, NULL, n, &targets, err));
    TRY(sink->begin(sink, n, index_type(x), &all, false, threads, err));
#pragma omp parallel num_threads(threads)
    {
        struct error mine;
        void *cells;
        enum status here = memory_alloc(&cells, leading * INDEX_LANES, number_size(index_type(x)),
                                        "some rows", &mine);
        if (here != STATUS_OK)
            lowest_failure_note(&failed, 0, here, &mine);
#pragma omp for schedule(dynamic)
        for (int32_t first = 0; first < n; first += INDEX_LANES) {
            int32_t now;
            if (here != STATUS_OK || !progress_goes_on(progress))
                continue;
            here = give_block(x, &targets, cells, leading, first, sink, &mine);
            if (here != STATUS_OK)
                lowest_failure_note(&failed, first, here, &mine);
#pragma omp atomic capture
            now = done += INDEX_LANES;
            if (omp_get_thread_num() == 0)
                progress_report(progress, now < n ? now : n, n);
        }
        memory_free(cells);
    }
    status =
        progress_goes_on(progress) ? lowest_failure_end(&failed, err) : progress_cancelled(err);
cleanup:
    index_targets_free(&targets);
    return status;
}

/* Reader of rows for the certificate. */

static enum status reader_begin(struct row_reader *self, int threads, int32_t most,
                                struct error *err) {
    struct index_reader *const reader = (struct index_reader *)self;
    const size_t cells = ((size_t)self->n + 15) / 16 * 16;
    void *block;
    RETURN_ON_FAILURE(memory_alloc(&block, (size_t)threads, sizeof *reader->block, "rows", err));
    reader->block = block;
    reader->threads = threads;
    reader->most = most;
    for (int k = 0; k < threads; k++)
        reader->block[k] = NULL;
    for (int k = 0; k < threads; k++)
        RETURN_ON_FAILURE(memory_alloc(&reader->block[k], cells * (size_t)most,
                                       number_size(self->type), "some rows", err));
    return STATUS_OK;
}

static enum status reader_read(struct row_reader *self, int32_t first, int32_t count,
                               struct row_block *block, int32_t **pred_rows, struct error *err) {
    struct index_reader *const reader = (struct index_reader *)self;
    void *const cell = reader->block[omp_get_thread_num()];
    const size_t leading = ((size_t)self->n + 15) / 16 * 16;
    (void)pred_rows;
    *block = (struct row_block){.n = self->n, .count = count, .type = self->type};
    for (int32_t r = 0; r < count; r++) {
        block->position[r] = first + r;
        block->source[r] = row_source(&self->sources, first + r);
        block->cells[r] = row_at(cell, (size_t)r, leading, self->type);
    }
    return index_find_rows(reader->x, &reader->targets, block->source, count, block->cells, err);
}

enum status index_reader_open(struct index_reader *reader, const struct distance_index *x,
                              const struct row_sources *sources, struct error *err) {
    *reader = (struct index_reader){
        .reader = {.n = x->header.vertices,
                   .type = index_type(x),
                   .sources = {x->order, x->header.vertices},
                   .read = reader_read,
                   .begin = reader_begin},
        .x = x,
    };
    if (sources != NULL)
        reader->reader.sources = *sources;
    return index_targets_find(x, NULL, x->header.vertices, &reader->targets, err);
}

void index_reader_close(struct index_reader *reader) {
    for (int k = 0; k < reader->threads; k++)
        memory_free(reader->block[k]);
    memory_free(reader->block);
    index_targets_free(&reader->targets);
    *reader = (struct index_reader){0};
}
