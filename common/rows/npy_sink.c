// SPDX-License-Identifier: MIT
#include "common/rows/npy_sink.h"

#include "common/base/crc32.h"   // crc32_add, crc32_join
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default
#include "common/rows/result_parts.h"

#include <stdlib.h>
#include <string.h>

enum { DIST = NPY_DIST, PRED = NPY_PRED, JSON = NPY_JSON, SOURCES = NPY_SOURCES };

/* Rows of fewer bytes are copied together before they are written: a call of the system takes
 * longer than the copy. */
enum { SHORT_ROW_BYTES = 1 << 13 };

static size_t row_bytes(int32_t n) {
    return (size_t)n * sizeof(int32_t);
}

static bool packs(int32_t n) {
    return row_bytes(n) < SHORT_ROW_BYTES;
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
            memory_alloc(&memory, ROW_BLOCK_MAX, row_bytes(s->n), "a buffer to write", err));
        s->packed[t] = memory;
    }
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, const struct row_sources *sources,
                         bool with_pred, int threads, struct error *err) {
    struct npy_sink *const s = (struct npy_sink *)self;
    (void)n, (void)sources, (void)with_pred;
    if (!packs(s->n) || threads <= s->threads)
        return STATUS_OK;
    const enum status status = alloc_packed(s, threads, err);
    if (status != STATUS_OK)
        free_packed(s);
    return status;
}

/* Rows first .. first + count - 1 of a block, which follow one another in the answer. */
static enum status write_run(struct npy_sink *s, int file, const struct row_block *block,
                             int32_t *const *rows, int32_t first, int32_t count,
                             struct error *err) {
    const size_t bytes = row_bytes(s->n);
    const int32_t position = block->position[first];
    uint64_t offset = s->head_bytes + (uint64_t)position * bytes;
    for (int32_t r = 0; r < count; r++)
        s->crc[file][position + r] = crc32_add(0, rows[first + r], bytes);
    if (!packs(s->n)) {
        for (int32_t r = 0; r < count; r++, offset += bytes)
            RETURN_ON_FAILURE(output_write_at(&s->out[file], rows[first + r], bytes, offset, err));
        return STATUS_OK;
    }
    char *const packed = s->packed[omp_get_thread_num()];
    for (int32_t r = 0; r < count; r++)
        memcpy(packed + (size_t)r * bytes, rows[first + r], bytes);
    return output_write_at(&s->out[file], packed, (size_t)count * bytes, offset, err);
}

static enum status write_rows(struct npy_sink *s, int file, const struct row_block *block,
                              int32_t *const *rows, struct error *err) {
    for (int32_t first = 0, last; first < block->count; first = last) {
        last = first + 1;
        while (last < block->count && block->position[last] == block->position[last - 1] + 1)
            last++;
        RETURN_ON_FAILURE(write_run(s, file, block, rows, first, last - first, err));
    }
    return STATUS_OK;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct npy_sink *const s = (struct npy_sink *)self;
    RETURN_ON_FAILURE(write_rows(s, DIST, block, block->dist, err));
    return s->with_pred ? write_rows(s, PRED, block, block->pred, err) : STATUS_OK;
}

/* Opens the file of a matrix, which will have that size. */
static enum status open_matrix(struct npy_sink *s, int file, struct error *err) {
    char head[NPY_LONGEST_HEAD];
    const uint64_t bytes = memory_times((uint64_t)s->sources.count, row_bytes(s->n));
    RETURN_ON_FAILURE(output_open(&s->out[file], s->path[file], err));
    s->head_bytes = npy_head(s->sources.count, s->n, head);
    RETURN_ON_FAILURE(output_extend(&s->out[file], memory_add(s->head_bytes, bytes), err));
    return output_write_at(&s->out[file], head, s->head_bytes, 0, err);
}

enum status npy_sink_open(struct npy_sink *sink, const char *prefix, int32_t n,
                          const struct row_sources *sources, bool with_pred, struct error *err) {
    void *crc;
    *sink = (struct npy_sink){.sink = {.begin = begin, .take = take},
                              .n = n,
                              .sources = *sources,
                              .with_pred = with_pred};
    for (int file = 0; file < NPY_FILES; file++) {
        sink->out[file].fd = -1;
        sink->path[file] = result_path(prefix, npy_suffixes[file], err);
        if (sink->path[file] == NULL)
            return STATUS_NO_RESOURCE;
    }
    RETURN_ON_FAILURE(memory_alloc(&crc, (size_t)sources->count * (with_pred ? 2 : 1),
                                   sizeof(uint32_t), "checksums of rows", err));
    sink->crc[DIST] = crc;
    sink->crc[PRED] = with_pred ? sink->crc[DIST] + sources->count : NULL;
    RETURN_ON_FAILURE(open_matrix(sink, DIST, err));
    return with_pred ? open_matrix(sink, PRED, err)
                     : output_open_removal(&sink->out[PRED], sink->path[PRED], err);
}

/* Of a whole matrix file, from those of its rows. */
static uint32_t whole_crc(const struct npy_sink *s, int file) {
    char head[NPY_LONGEST_HEAD];
    const uint32_t crc = crc32_add(0, head, npy_head(s->sources.count, s->n, head));
    return crc32_join(crc, s->crc[file], s->sources.count, row_bytes(s->n));
}

/* The file of the sources; without a selection it is to disappear. */
static enum status write_sources(struct npy_sink *s, uint32_t *crc, struct error *err) {
    char head[NPY_LONGEST_HEAD];
    if (s->sources.source == NULL)
        return output_open_removal(&s->out[SOURCES], s->path[SOURCES], err);
    const size_t head_bytes = npy_head_of_vector(s->sources.count, head);
    const size_t bytes = (size_t)s->sources.count * sizeof(int32_t);
    RETURN_ON_FAILURE(output_open(&s->out[SOURCES], s->path[SOURCES], err));
    RETURN_ON_FAILURE(output_write(&s->out[SOURCES], head, head_bytes, err));
    RETURN_ON_FAILURE(output_write(&s->out[SOURCES], s->sources.source, bytes, err));
    *crc = crc32_add(crc32_add(0, head, head_bytes), s->sources.source, bytes);
    return STATUS_OK;
}

enum status npy_sink_finish(struct npy_sink *s, int64_t edges_read, int32_t limit,
                            const struct provenance *made, struct error *err) {
    struct sidecar_content content = {.vertices = s->n,
                                      .edges = edges_read,
                                      .with_pred = s->with_pred,
                                      .sources = s->sources.source != NULL ? s->sources.count : -1,
                                      .limit = limit,
                                      .made = made};
    RETURN_ON_FAILURE(write_sources(s, &content.crc[SOURCES], err));
    content.crc[DIST] = whole_crc(s, DIST);
    if (s->with_pred)
        content.crc[PRED] = whole_crc(s, PRED);
    RETURN_ON_FAILURE(output_open(&s->out[JSON], s->path[JSON], err));
    RETURN_ON_FAILURE(sidecar_write(&s->out[JSON], &content, err));
    struct output *const outs[] = {&s->out[JSON], &s->out[DIST], &s->out[PRED], &s->out[SOURCES]};
    return output_commit_all(outs, NPY_FILES, err);
}

uint64_t npy_sink_memory(int32_t n, int32_t sources, bool with_pred, int threads) {
    const uint64_t crc = (uint64_t)sources * (with_pred ? 2 : 1) * sizeof(uint32_t);
    return crc +
           (packs(n) ? (uint64_t)threads_or_default(threads) * ROW_BLOCK_MAX * row_bytes(n) : 0);
}

void npy_sink_close(struct npy_sink *s) {
    free_packed(s);
    for (int file = 0; file < NPY_FILES; file++) {
        if (s->path[file] != NULL) /* the outputs are open or discarded */
            output_discard(&s->out[file]);
        free(s->path[file]);
    }
    memory_free(s->crc[DIST]);
    *s = (struct npy_sink){0};
}
