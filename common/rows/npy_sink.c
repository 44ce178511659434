// SPDX-License-Identifier: MIT
#include "common/rows/npy_sink.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add, crc32_join
#include "common/base/memory.h"      // memory_alloc
#include "common/base/number_text.h" // number_text
#include "common/base/threads.h"     // threads_or_default
#include "common/rows/result_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DIST = NPY_DIST, PRED = NPY_PRED };

/* Rows shorter than block_sizes.short_row_bytes are copied together before they are written,
 * because a system call takes longer than the copy. */

static bool converts(const struct result_layout *layout, enum number_type from, int file) {
    return file == DIST && npy_type_converts(layout->type, from);
}

static size_t row_bytes(const struct result_layout *layout, int file) {
    return (size_t)layout->targets.count * npy_types[file == DIST ? layout->type : NPY_INT32].size;
}

/* Returns how many rows of a file are written together from a thread's buffer; 0: rows are written
 * from their own place. */
static size_t rows_packed(const struct result_layout *layout, enum number_type from, int file) {
    return row_bytes(layout, file) < block_sizes.short_row_bytes ? ROW_BLOCK_MAX
                                                                 : converts(layout, from, file);
}

/* Returns the bytes of a thread's buffer. */
static size_t packed_bytes(const struct result_layout *layout, enum number_type from) {
    const size_t dist = rows_packed(layout, from, DIST) * row_bytes(layout, DIST);
    const size_t pred =
        layout->with_pred ? rows_packed(layout, from, PRED) * row_bytes(layout, PRED) : 0;
    return dist > pred ? dist : pred;
}

static void free_packed(struct npy_sink *s) {
    for (int t = 0; t < s->threads; t++)
        memory_free(s->packed[t]);
    memory_free(s->packed);
    s->packed = NULL;
    s->threads = 0;
}

static enum status alloc_packed(struct npy_sink *s, int threads, struct error *err) {
    void *memory;
    free_packed(s);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)threads, sizeof *s->packed, "the files", err));
    s->packed = memory;
    memset(s->packed, 0, (size_t)threads * sizeof *s->packed);
    s->threads = threads;
    for (int t = 0; t < threads; t++) {
        RETURN_ON_FAILURE(
            memory_alloc(&memory, packed_bytes(&s->layout, s->from), 1, "a buffer to write", err));
        s->packed[t] = memory;
    }
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct npy_sink *const s = (struct npy_sink *)self;
    (void)n, (void)sources, (void)with_pred;
    s->from = type;
    if (s->partial != NULL)
        RETURN_ON_FAILURE(partial_begin(s->partial, err));
    if (packed_bytes(&s->layout, type) == 0 || threads <= s->threads)
        return STATUS_OK;
    const enum status status = alloc_packed(s, threads, err);
    if (status != STATUS_OK)
        free_packed(s);
    return status;
}

/* Converts a row of distances. */
static enum status convert(const struct npy_sink *s, int32_t source, const void *dist, char *to,
                           struct error *err) {
    const struct result_layout *const layout = &s->layout;
    const struct npy_type_facts *const type = &npy_types[layout->type];
    const int32_t count = layout->targets.count;
    const int32_t j = npy_type_convert(layout->type, s->isa, s->from, dist, count, to);
    char found[NUMBER_TEXT_MAX];
    if (j == count)
        return STATUS_OK;
    const bool is_narrow = npy_type_is_narrow(layout->type);
    return fail(err, STATUS_BAD_INPUT,
                "the distance from %s to %s is %s, and %s holds %s%lld: take --format npy:auto or "
                "npy%s",
                naming_name(&layout->naming, source).text,
                naming_name(&layout->naming, row_source(&layout->targets, j)).text,
                number_text(s->from, number_at(s->from, dist, j), found), type->name,
                is_narrow ? "0 .. " : "integers up to ",
                (long long)(is_narrow ? type->no_path : (int64_t)INTEGERS_MOST) - 1,
                naming_remark(&layout->naming));
}

static const void *row_of(const struct row_block *block, int file, int32_t r) {
    return file == DIST ? block->cells[r] : block->pred[r];
}

/* Writes rows first .. first + count - 1 of a block, which are consecutive in the answer. */
static enum status write_run(struct npy_sink *s, int file, const struct row_block *block,
                             int32_t first, int32_t count, struct error *err) {
    const size_t bytes = row_bytes(&s->layout, file);
    const int32_t position = block->position[first];
    const uint64_t offset = s->head_bytes[file] + (uint64_t)position * bytes;
    char *const packed = s->packed != NULL ? s->packed[omp_get_thread_num()] : NULL;
    const bool packs = rows_packed(&s->layout, s->from, file) > 0;
    for (int32_t r = 0; r < count; r++) {
        const void *from = row_of(block, file, first + r);
        char *const to = packs ? packed + (size_t)r * bytes : NULL;
        if (converts(&s->layout, s->from, file))
            RETURN_ON_FAILURE(convert(s, block->source[first + r], from, to, err));
        else if (to != NULL)
            memcpy(to, from, bytes);
        s->crc[file][position + r] = crc32_add(0, packs ? to : from, bytes);
    }
    return output_write_at(&s->files.out[file], packs ? packed : row_of(block, file, first),
                           (size_t)count * bytes, offset, err);
}

static enum status write_rows(struct npy_sink *s, int file, const struct row_block *block,
                              struct error *err) {
    /* then at most as many as a block has */
    const bool packs = rows_packed(&s->layout, s->from, file) > 1;
    for (int32_t first = 0, count; first < block->count; first += count) {
        count = packs ? row_block_run(block, first) : 1;
        RETURN_ON_FAILURE(write_run(s, file, block, first, count, err));
    }
    return STATUS_OK;
}

/* Writes distances and predecessors. Threads that write to one file wait for one another in the
 * system, so half of the threads begin with the other file. */
static enum status write_both(struct npy_sink *s, const struct row_block *block,
                              struct error *err) {
    const bool swapped = omp_get_thread_num() % 2 == 1;
    const int first = swapped ? PRED : DIST, second = swapped ? DIST : PRED;
    RETURN_ON_FAILURE(write_rows(s, first, block, err));
    return write_rows(s, second, block, err);
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct npy_sink *const s = (struct npy_sink *)self;
    if (s->partial != NULL && s->partial->is_kept[block->position[0]])
        return STATUS_OK; /* the rows are kept already */
    if (s->layout.with_pred)
        RETURN_ON_FAILURE(write_both(s, block, err));
    else
        RETURN_ON_FAILURE(write_rows(s, DIST, block, err));
    return s->partial != NULL ? partial_keep(s->partial, block, s->crc, err) : STATUS_OK;
}

static size_t head_of(const struct npy_sink *s, int file, char *head) {
    const struct result_layout *const layout = &s->layout;
    return npy_head(file == DIST ? layout->type : NPY_INT32, layout->sources.count,
                    layout->targets.count, head);
}

/* Returns the bytes of the file of a matrix. */
static uint64_t matrix_bytes(const struct npy_sink *s, int file) {
    char head[NPY_LONGEST_HEAD];
    const uint64_t rows = (uint64_t)s->layout.sources.count;
    return memory_add(head_of(s, file, head), memory_times(rows, row_bytes(&s->layout, file)));
}

/* Opens the file of a matrix; there must be room for it and the matrices after it. */
static enum status open_matrix(struct npy_sink *s, int file, struct error *err) {
    char head[NPY_LONGEST_HEAD];
    struct output *const out = &s->files.out[file];
    const char *const path = s->files.path[file];
    const uint64_t bytes = matrix_bytes(s, file);
    const uint64_t all =
        file == DIST && s->layout.with_pred ? memory_add(bytes, matrix_bytes(s, PRED)) : bytes;
    s->head_bytes[file] = head_of(s, file, head);
    if (s->partial != NULL) {
        RETURN_ON_FAILURE(partial_open_matrix(s->partial, file, path, s->layout.sources.count,
                                              s->head_bytes[file], row_bytes(&s->layout, file), all,
                                              out, err));
    } else {
        RETURN_ON_FAILURE(output_open(out, path, err));
        RETURN_ON_FAILURE(output_extend(out, bytes, all, err));
    }
    return output_write_at(out, head, s->head_bytes[file], 0, err);
}

/* Prepares the sink, without opening the files. */
static enum status prepare(struct npy_sink *sink, const char *prefix,
                           const struct result_layout *layout, struct partial *partial,
                           struct error *err) {
    const int32_t rows = layout->sources.count;
    const bool with_pred = layout->with_pred;
    void *crc;
    *sink = (struct npy_sink){
        .sink = {.begin = begin, .take = take}, .layout = *layout, .partial = partial};
    RETURN_ON_FAILURE(result_files_name(&sink->files, prefix, err));
    if (npy_type_is_narrow(layout->type))
        RETURN_ON_FAILURE(isa_choose(&sink->isa, err));
    RETURN_ON_FAILURE(memory_alloc(&crc, (size_t)rows * (with_pred ? 2 : 1), sizeof(uint32_t),
                                   "checksums of rows", err));
    memset(crc, 0, (size_t)rows * (with_pred ? 2 : 1) * sizeof(uint32_t));
    sink->crc[DIST] = crc;
    sink->crc[PRED] = with_pred ? sink->crc[DIST] + rows : NULL;
    return STATUS_OK;
}

/* Allocates space for the files, except those that are kept for a later run, which have only the
 * rows that are finished. */
static void take_space(struct npy_sink *s) {
    if (s->partial != NULL)
        return;
    s->space.count = s->layout.with_pred ? 2 : 1;
    for (int file = DIST; file < s->space.count; file++) {
        s->space.fd[file] = s->files.out[file].fd;
        s->space.bytes[file] = matrix_bytes(s, file);
    }
    preallocation_start(&s->space);
}

static enum status open_matrices(struct npy_sink *sink, struct error *err) {
    RETURN_ON_FAILURE(open_matrix(sink, DIST, err));
    if (sink->layout.with_pred)
        RETURN_ON_FAILURE(open_matrix(sink, PRED, err));
    take_space(sink);
    return STATUS_OK;
}

enum status npy_sink_open(struct npy_sink *sink, const char *prefix,
                          const struct result_layout *layout, struct partial *partial,
                          struct error *err) {
    RETURN_ON_FAILURE(prepare(sink, prefix, layout, partial, err));
    return open_matrices(sink, err);
}

/* Paths of the files that rank 0 has opened. */
struct opened {
    char path[2][PATH_MAX];
};

static enum status tell(const struct npy_sink *sink, struct opened *opened, struct error *err) {
    for (int file = DIST; file <= (sink->layout.with_pred ? PRED : DIST); file++)
        RETURN_ON_FAILURE(output_path(&sink->files.out[file], opened->path[file],
                                      sizeof opened->path[file], err));
    return STATUS_OK;
}

static enum status join(struct npy_sink *sink, const struct opened *opened, struct error *err) {
    char head[NPY_LONGEST_HEAD];
    for (int file = DIST; file <= (sink->layout.with_pred ? PRED : DIST); file++) {
        sink->head_bytes[file] = head_of(sink, file, head);
        RETURN_ON_FAILURE(
            output_join(&sink->files.out[file], sink->files.path[file], opened->path[file], err));
    }
    return STATUS_OK;
}

enum status npy_sink_open_together(struct npy_sink *sink, const char *prefix,
                                   const struct result_layout *layout, const struct ranks *ranks,
                                   struct error *err) {
    struct opened opened = {0};
    enum status status = prepare(sink, prefix, layout, NULL, err);
    if (status == STATUS_OK && ranks_first(ranks))
        status = open_matrices(sink, err);
    if (status == STATUS_OK && ranks_first(ranks) && ranks->count > 1)
        status = tell(sink, &opened, err);
    RETURN_ON_FAILURE(ranks_agree(ranks, status, err));
    RETURN_ON_FAILURE(ranks_broadcast(ranks, &opened, sizeof opened, err));
    return ranks_agree(ranks, ranks_first(ranks) ? STATUS_OK : join(sink, &opened, err), err);
}

/* Takes checksums of rows from another rank; those of rows that it has not written are 0. */
static enum status take_checksums(void *self, int rank, size_t first, size_t count,
                                  const void *data, struct error *err) {
    uint32_t *const crc = self;
    const uint32_t *const theirs = data;
    (void)rank, (void)err;
    for (size_t k = 0; k < count; k++)
        crc[first + k] |= theirs[k];
    return STATUS_OK;
}

/* Waits until the rows of this host are on the disk, before rank 0 puts the files in place. */
static enum status sync_files(const struct npy_sink *s, struct error *err) {
    for (int file = DIST; file <= (s->layout.with_pred ? PRED : DIST); file++) {
        const int reason = output_sync(s->files.out[file].fd);
        if (reason != 0)
            return fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s", s->files.path[file],
                        strerror(reason));
    }
    return STATUS_OK;
}

enum status npy_sink_gather(struct npy_sink *s, const struct ranks *ranks, struct error *err) {
    const size_t rows = (size_t)s->layout.sources.count * (s->layout.with_pred ? 2 : 1);
    if (ranks->count == 1)
        return STATUS_OK;
    RETURN_ON_FAILURE(ranks_agree(ranks, ranks_first(ranks) ? STATUS_OK : sync_files(s, err), err));
    return ranks_gather(ranks, s->crc[DIST], rows, sizeof *s->crc[DIST], take_checksums,
                        s->crc[DIST], err);
}

enum status npy_sink_find_rows(struct npy_sink *s, int threads, struct progress *progress,
                               struct error *err) {
    return partial_find_rows(s->partial, s->crc, threads, progress, err);
}

/* Returns the checksum of a whole matrix file, computed from those of its rows. */
static uint32_t whole_crc(const struct npy_sink *s, int file) {
    char head[NPY_LONGEST_HEAD];
    const uint32_t crc = crc32_add(0, head, head_of(s, file, head));
    return crc32_join(crc, s->crc[file], s->layout.sources.count, row_bytes(&s->layout, file));
}

enum status npy_sink_finish(struct npy_sink *s, int64_t edges_read, const struct provenance *made,
                            struct error *err) {
    struct sidecar_content content = {
        .layout = &s->layout, .edges = edges_read, .entries = -1, .made = made};
    preallocation_end(&s->space);
    content.crc[DIST] = whole_crc(s, DIST);
    if (s->layout.with_pred)
        content.crc[PRED] = whole_crc(s, PRED);
    for (int file = DIST; file <= (s->layout.with_pred ? PRED : DIST) && s->partial != NULL; file++)
        RETURN_ON_FAILURE(
            partial_place_matrix(s->partial, file, s->files.path[file], &s->files.out[file], err));
    RETURN_ON_FAILURE(result_files_commit(&s->files, &content, err));
    if (s->partial != NULL)
        partial_remove(s->partial);
    return STATUS_OK;
}

uint64_t npy_sink_memory(const struct result_layout *layout, int threads) {
    const uint64_t rows = (uint64_t)layout->sources.count;
    return rows * (layout->with_pred ? 2 : 1) * sizeof(uint32_t) +
           (uint64_t)threads_or_default(threads) * packed_bytes(layout, NUMBER_INT32);
}

void npy_sink_close(struct npy_sink *s) {
    preallocation_end(&s->space);
    free_packed(s);
    result_files_close(&s->files);
    memory_free(s->crc[DIST]);
    *s = (struct npy_sink){0};
}
