// SPDX-License-Identifier: MIT
#include "common/rows/rest_sink.h"

#include "common/base/block_sizes.h"    // block_sizes
#include "common/base/lowest_failure.h" // struct lowest_failure
#include "common/base/memory.h"         // memory_alloc
#include "common/base/threads.h"        // threads_or_default
#include "common/graph/matrix.h"        // struct matrix
#include "common/rows/npy_file.h"       // struct npy_file

/* Returns how many kept rows are read at a time: many if they are short. */
static int32_t rows_at_a_time(int32_t n) {
    const int32_t rows = block_sizes.rest_cells / n;
    return rows < 1 ? 1 : rows < ROW_BLOCK_MAX ? rows : ROW_BLOCK_MAX;
}

/* Memory into which one thread reads kept rows. */
struct kept_reader {
    struct matrix dist, pred;
    void *room; /* room for a row in the file's type; NULL: not needed */
    struct row_block block;
    int32_t *pred_rows[ROW_BLOCK_MAX];
};

static enum status reader_alloc(struct kept_reader *r, const struct npy_file *dist, bool with_pred,
                                struct error *err) {
    const int32_t n = dist->n, rows = rows_at_a_time(n);
    const size_t room = npy_file_row_room(dist);
    *r = (struct kept_reader){.block = {.n = n, .type = dist->as}};
    RETURN_ON_FAILURE(matrix_alloc_typed(&r->dist, dist->as, rows, n, "kept rows", err));
    if (with_pred)
        RETURN_ON_FAILURE(matrix_alloc_rows(&r->pred, rows, n, "kept rows", err));
    if (room > 0)
        RETURN_ON_FAILURE(memory_alloc(&r->room, room, 1, "kept rows", err));
    r->block.pred = with_pred ? r->pred_rows : NULL;
    for (int32_t row = 0; row < rows; row++) {
        r->block.cells[row] = matrix_row_cells(&r->dist, row);
        r->pred_rows[row] = with_pred ? matrix_row(&r->pred, row) : NULL;
    }
    return STATUS_OK;
}

static void reader_free(struct kept_reader *r) {
    matrix_free(&r->dist);
    matrix_free(&r->pred);
    memory_free(r->room);
}

/* Hands on those rows that are kept, of at most rows_at_a_time rows from row `first` on. */
static enum status hand_on(const struct rest_sink *rest, const struct npy_file *files,
                           struct kept_reader *r, int32_t first, struct error *err) {
    struct row_block *const block = &r->block;
    const int32_t step = rows_at_a_time(block->n);
    block->count = 0;
    for (int32_t row = first; row < rest->all.count && row - first < step; row++) {
        const int32_t at = block->count;
        if (!rest->partial->is_kept[row])
            continue;
        RETURN_ON_FAILURE(npy_file_read_row(&files[0], row, r->room, block->cells[at], err));
        if (block->pred != NULL)
            RETURN_ON_FAILURE(npy_file_read_row(&files[1], row, r->room, block->pred[at], err));
        block->position[at] = row;
        block->source[at] = row_source(&rest->all, row);
        block->count++;
    }
    if (block->count == 0)
        return STATUS_OK;
    const enum status status = rest->to->take(rest->to, block, err);
    if (status == STATUS_REFUTED) {
        const struct error before = *err;
        fail(err, status, "%.400s keeps a wrong row: %.500s (remove the folder to begin anew)",
             rest->partial->path, before.text);
    }
    return status;
}

/* Hands on all kept rows of open files. */
static enum status hand_all_on(const struct rest_sink *rest, const struct npy_file *files,
                               bool with_pred, int threads, struct error *err) {
    const int32_t rows = rest->all.count, step = rows_at_a_time(files->n);
    struct lowest_failure failed; /* the failure at the lowest first row of a step */
    lowest_failure_begin(&failed);
#pragma omp parallel num_threads(threads)
    {
        struct kept_reader reader;
        struct error mine;
        const enum status allocated = reader_alloc(&reader, files, with_pred, &mine);
#pragma omp for schedule(dynamic)
        for (int32_t first = 0; first < rows; first += step) {
            if (!lowest_failure_allows(&failed, first))
                continue;
            const enum status taken =
                allocated != STATUS_OK ? allocated : hand_on(rest, files, &reader, first, &mine);
            if (taken != STATUS_OK)
                lowest_failure_note(&failed, first, taken, &mine);
        }
        reader_free(&reader);
    }
    return lowest_failure_end(&failed, err);
}

static enum status hand_kept_on(const struct rest_sink *rest, enum number_type type, bool with_pred,
                                int threads, struct error *err) {
    struct npy_file files[PARTIAL_MATRICES] = {{0}, {0}};
    enum status status = STATUS_OK;
    for (int m = 0; m < (with_pred ? 2 : 1); m++) {
        const struct partial_matrix *const matrix = &rest->partial->matrix[m];
        TRY(npy_file_open(&files[m], matrix->fd, matrix->path, NPY_ROWS, m == 0,
                          m == 0 ? type : NUMBER_INT32, err));
    }
    status = hand_all_on(rest, files, with_pred, threads, err);
cleanup:
    for (int m = 0; m < PARTIAL_MATRICES; m++)
        npy_file_close(&files[m]);
    return status;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    const struct rest_sink *const rest = (const struct rest_sink *)self;
    (void)sources;
    if (rest->to->begin != NULL)
        RETURN_ON_FAILURE(rest->to->begin(rest->to, n, type, &rest->all, with_pred, threads, err));
    return rest->hands_kept_on && rest->partial->kept > 0
               ? hand_kept_on(rest, type, with_pred, threads, err)
               : STATUS_OK;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct rest_sink *const rest = (const struct rest_sink *)self;
    struct row_block whole = *block;
    for (int32_t r = 0; r < block->count; r++)
        whole.position[r] = rest->partial->missing[block->position[r]];
    return rest->to->take(rest->to, &whole, err);
}

enum status rest_sink_init(struct rest_sink *rest, const struct partial *partial,
                           const struct row_sources *all, struct row_sink *to, bool hands_kept_on,
                           struct error *err) {
    void *memory;
    *rest = (struct rest_sink){.sink = {.begin = begin, .take = take},
                               .sources = *all,
                               .to = to,
                               .partial = partial,
                               .all = *all,
                               .hands_kept_on = hands_kept_on};
    if (partial->kept == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)partial->left + 1, sizeof(int32_t),
                                   "the sources of other rows", err));
    rest->source = memory;
    for (int32_t k = 0; k < partial->left; k++)
        rest->source[k] = row_source(all, partial->missing[k]);
    rest->sources = (struct row_sources){rest->source, partial->left};
    return STATUS_OK;
}

void rest_sink_free(struct rest_sink *rest) {
    memory_free(rest->source);
    *rest = (struct rest_sink){0};
}

uint64_t rest_sink_memory(enum number_type type, int32_t n, int32_t rows, bool with_pred,
                          bool hands_kept_on, int threads) {
    const uint64_t sources = (uint64_t)rows * sizeof(int32_t);
    const uint64_t matrices = with_pred ? 2 : 1;
    const int32_t step = rows_at_a_time(n);
    const uint64_t reader = matrix_memory_of_answer(type, step, n, with_pred);
    return sources + (hands_kept_on ? matrices * npy_file_memory(rows) +
                                          (uint64_t)threads_or_default(threads) * reader
                                    : 0);
}
