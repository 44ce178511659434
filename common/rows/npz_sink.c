// SPDX-License-Identifier: MIT
#include "common/rows/npz_sink.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add, crc32_join
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"   // memory_alloc
#include "common/base/threads.h"  // threads_worth
#include "common/base/zip.h"      // zip_write
#include "common/graph/graph.h"   // INF
#include "common/rows/npz_file.h" // struct npz_layout
#include "common/rows/result_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_A_CHUNK = 4, /* the fewest rows of a chunk, so that little is lost at its end */
};

/* Memory for rows, used from its beginning. */
struct npz_chunk {
    struct npz_chunk *next; /* chunks that are full */
    size_t cells, used;
    int32_t cell[];
};

/* Returns the number of cells of one distance. */
static size_t cells_of(enum npy_type type) {
    return npy_types[type].size / sizeof(int32_t);
}

/* Returns where the distances of a row begin, behind its columns; aligned for their type. */
static size_t distances_at(enum npy_type type, int32_t count) {
    const size_t cells = cells_of(type);
    return ((size_t)count + cells - 1) / cells * cells;
}

/* Returns the number of cells of a row. */
static size_t row_cells(enum npy_type type, int32_t count) {
    return distances_at(type, count) + (size_t)count * cells_of(type);
}

/* Returns the number of cells of a chunk; writing a row may touch the room of one more distance. */
static size_t chunk_cells(const struct result_layout *layout) {
    const size_t rows =
        ROWS_A_CHUNK * (row_cells(layout->type, layout->targets.count) + cells_of(layout->type));
    const size_t least = block_sizes.npz_bytes / sizeof(int32_t);
    return rows > least ? rows : least;
}

static void free_chunks(struct npz_sink *s) {
    for (int t = 0; t < s->threads; t++) {
        while (s->chunk[t] != NULL) {
            struct npz_chunk *const next = s->chunk[t]->next;
            memory_free(s->chunk[t]);
            s->chunk[t] = next;
        }
    }
    memory_free(s->chunk);
    s->chunk = NULL;
    s->threads = 0;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct npz_sink *const s = (struct npz_sink *)self;
    void *memory;
    (void)n, (void)type, (void)sources, (void)with_pred;
    free_chunks(s);
    s->part = NULL;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)threads, sizeof *s->chunk, "finite distances", err));
    s->chunk = memory;
    memset(s->chunk, 0, (size_t)threads * sizeof *s->chunk);
    s->threads = threads;
    return STATUS_OK;
}

/* Makes room for `cells` cells in the thread's chunk, or in a new one. */
static enum status reserve(struct npz_sink *s, size_t cells, struct npz_chunk **chunk,
                           struct error *err) {
    struct npz_chunk **const mine = &s->chunk[omp_get_thread_num()];
    if (*mine == NULL || (*mine)->cells - (*mine)->used < cells) {
        const size_t all = chunk_cells(&s->layout);
        void *memory;
        RETURN_ON_FAILURE(memory_alloc(&memory, sizeof **mine + all * sizeof(int32_t), 1,
                                       "finite distances", err));
        struct npz_chunk *const full = *mine;
        *mine = memory;
        **mine = (struct npz_chunk){.next = full, .cells = all};
    }
    *chunk = *mine;
    return STATUS_OK;
}

/* Functions for rows of one type. count_NAME counts the finite distances; collect_NAME stores their
 * columns, and then the distances. Each loop writes one entry too many, which avoids a branch. */
#define COLLECT(NAME, TYPE)                                                                        \
    static int32_t count_##NAME(const TYPE *dist, int32_t n, TYPE no_path) {                       \
        int32_t count = 0;                                                                         \
        for (int32_t j = 0; j < n; j++)                                                            \
            count += dist[j] != no_path;                                                           \
        return count;                                                                              \
    }                                                                                              \
    static void collect_##NAME(const TYPE *dist, int32_t n, TYPE no_path, int32_t *columns,        \
                               TYPE *distances) {                                                  \
        for (int32_t j = 0, k = 0; j < n; j++) {                                                   \
            columns[k] = j;                                                                        \
            k += dist[j] != no_path;                                                               \
        }                                                                                          \
        for (int32_t j = 0, k = 0; j < n; j++) {                                                   \
            distances[k] = dist[j];                                                                \
            k += dist[j] != no_path;                                                               \
        }                                                                                          \
    }
COLLECT(int32, int32_t)
COLLECT(float32, float)
COLLECT(float64, double)

static int32_t count_finite(enum npy_type type, const void *dist, int32_t n, double no_path) {
    return type == NPY_FLOAT64 || type == NPY_INT64 ? count_float64(dist, n, no_path)
           : type == NPY_FLOAT32                    ? count_float32(dist, n, (float)no_path)
                                                    : count_int32(dist, n, (int32_t)no_path);
}

static void collect(enum npy_type type, const void *dist, int32_t n, double no_path, int32_t count,
                    int32_t *to) {
    void *const distances = to + distances_at(type, count);
    if (type == NPY_FLOAT64 || type == NPY_INT64)
        collect_float64(dist, n, no_path, to, distances);
    else if (type == NPY_FLOAT32)
        collect_float32(dist, n, (float)no_path, to, distances);
    else
        collect_int32(dist, n, (int32_t)no_path, to, distances);
}

/* Converts the distances of a row, which are behind its columns, to integers of 64 bits. */
static enum status convert(const struct npz_sink *s, int32_t source, int32_t *row, int32_t count,
                           struct error *err) {
    const struct vertex_naming *const naming = &s->layout.naming;
    void *const distances = row + distances_at(NPY_INT64, count);
    const int32_t k =
        npy_type_convert(NPY_INT64, ISA_PORTABLE, NUMBER_FLOAT64, distances, count, distances);
    if (k == count)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "a distance from %s is no integer below 2^53, which int64 is for%s",
                naming_name(naming, source).text, naming_remark(naming));
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct npz_sink *const s = (struct npz_sink *)self;
    const enum npy_type type = s->layout.type;
    const double no_path = semiring_no_path(s->layout.semiring, block->type);
    for (int32_t r = 0; r < block->count; r++) {
        const int32_t count = count_finite(type, block->cells[r], block->n, no_path);
        struct npz_chunk *chunk;
        RETURN_ON_FAILURE(reserve(s, row_cells(type, count) + cells_of(type), &chunk, err));
        int32_t *const to = chunk->cell + chunk->used;
        collect(type, block->cells[r], block->n, no_path, count, to);
        if (type == NPY_INT64)
            RETURN_ON_FAILURE(convert(s, block->source[r], to, count, err));
        /* columns and vertices both ascend */
        for (int32_t k = 0; k < count && s->part != NULL; k++)
            to[k] = s->part->vertex[to[k]];
        chunk->used += row_cells(type, count);
        s->row[row_part_position(s->part, block->position[r])] = (struct npz_row){to, count};
    }
    return STATUS_OK;
}

static enum status begin_part(struct row_sink *self, const struct row_part *part,
                              struct error *err) {
    (void)err;
    ((struct npz_sink *)self)->part = part;
    return STATUS_OK;
}

enum status npz_sink_open(struct npz_sink *sink, const char *prefix,
                          const struct result_layout *layout, struct error *err) {
    void *memory;
    *sink = (struct npz_sink){.sink = {.begin = begin, .begin_part = begin_part, .take = take},
                              .layout = *layout};
    RETURN_ON_FAILURE(result_files_name(&sink->files, prefix, err));
    RETURN_ON_FAILURE(output_open(&sink->files.out[NPY_NPZ], sink->files.path[NPY_NPZ], err));
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)layout->sources.count, sizeof *sink->row,
                                   "the rows of a sparse matrix", err));
    sink->row = memory;
    return STATUS_OK;
}

/* Writing ----------------------------------------------------------------------- */

/* The archive that is written when all rows have come. */
struct npz_archive {
    const struct npz_sink *sink;
    struct output *out;
    int64_t *start; /* index of each row's first entry, and the number of all entries */
    struct npz_layout file;
    uint32_t *crc[2]; /* checksum of each piece of indices and of data */
};

static int64_t entries_of(const struct npz_archive *a) {
    return a->start[a->sink->layout.sources.count];
}

static int32_t pieces_of(int64_t entries) {
    return (int32_t)((entries + block_sizes.npz_entries - 1) / block_sizes.npz_entries);
}

/* Counts the entries of all rows and lays out the file. */
static void lay_out(struct npz_archive *a) {
    const int32_t rows = a->sink->layout.sources.count;
    a->start[0] = 0;
    for (int32_t p = 0; p < rows; p++)
        a->start[p + 1] = a->start[p] + a->sink->row[p].count;
    npz_lay_out(&a->file, rows, entries_of(a), a->sink->layout.type);
}

/* Writes the head of an array, with which its checksum begins. */
static enum status write_head(struct npz_archive *a, int array, struct error *err) {
    a->file.member[array].crc = crc32_add(0, a->file.head[array], a->file.head_bytes[array]);
    return output_write_at(a->out, a->file.head[array], a->file.head_bytes[array],
                           a->file.member[array].at, err);
}

/* Writes the whole body of an array after its head. */
static enum status write_body(struct npz_archive *a, int array, const void *data, size_t bytes,
                              struct error *err) {
    struct zip_member *const member = &a->file.member[array];
    member->crc = crc32_add(member->crc, data, bytes);
    return output_write_at(a->out, data, bytes, member->at + a->file.head_bytes[array], err);
}

/* Stores `count` columns or starts of rows in the file's type. */
static void store_indices(const struct npz_archive *a, const int32_t *from, int32_t count, void *to,
                          int32_t at) {
    int64_t *const wide = (int64_t *)to + at;
    if (a->file.index == NPY_INT32) {
        memcpy((int32_t *)to + at, from, (size_t)count * sizeof *from);
        return;
    }
    for (int32_t k = 0; k < count; k++)
        wide[k] = from[k];
}

static size_t entry_size(const struct npz_archive *a, int array) {
    return npy_types[array == NPZ_INDICES ? a->file.index : a->sink->layout.type].size;
}

/* Returns the row of an entry. */
static int32_t row_of(const struct npz_archive *a, int64_t entry) {
    int32_t low = 0, high = a->sink->layout.sources.count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (a->start[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Copies entries first .. first + count - 1 into `to`: columns, or distances. */
static void gather(const struct npz_archive *a, int array, int64_t first, int32_t count, void *to) {
    const enum npy_type type = a->sink->layout.type;
    const size_t size = npy_types[type].size;
    int32_t p = row_of(a, first);
    for (int32_t done = 0; done < count; p++) {
        const struct npz_row *const row = &a->sink->row[p];
        const int32_t from = (int32_t)(first + done - a->start[p]), left = row->count - from;
        const int32_t some = left < count - done ? left : count - done;
        if (array == NPZ_INDICES)
            store_indices(a, row->columns + from, some, to, done);
        else
            memcpy((char *)to + (size_t)done * size,
                   (const char *)(row->columns + distances_at(type, row->count)) +
                       (size_t)from * size,
                   (size_t)some * size);
        done += some;
    }
}

/* Writes a piece of indices or data. */
static enum status write_piece(const struct npz_archive *a, int array, int32_t piece, void *room,
                               struct error *err) {
    const int64_t first = (int64_t)piece * block_sizes.npz_entries, left = entries_of(a) - first;
    const int32_t count = left < block_sizes.npz_entries ? (int32_t)left : block_sizes.npz_entries;
    const size_t size = entry_size(a, array);
    gather(a, array, first, count, room);
    a->crc[array == NPZ_DATA][piece] = crc32_add(0, room, (size_t)count * size);
    return output_write_at(
        a->out, room, (size_t)count * size,
        a->file.member[array].at + a->file.head_bytes[array] + (uint64_t)first * size, err);
}

/* Writes the pieces of indices and data on several threads. */
static enum status write_pieces(const struct npz_archive *a, struct error *err) {
    const int32_t pieces = pieces_of(entries_of(a));
    const int threads = a->sink->threads < pieces ? a->sink->threads : pieces;
    struct lowest_failure failed;
    if (pieces == 0)
        return STATUS_OK;
    lowest_failure_begin(&failed);
#pragma omp parallel num_threads(threads)
    {
        void *room = NULL;
        struct error mine;
        enum status done = memory_alloc(&room, (size_t)block_sizes.npz_entries, sizeof(int64_t),
                                        "a buffer to write", &mine);
        if (done != STATUS_OK)
            lowest_failure_note(&failed, -1, done, &mine);
#pragma omp for schedule(dynamic)
        for (int32_t piece = 0; piece < pieces; piece++) {
            if (done != STATUS_OK || !lowest_failure_allows(&failed, piece))
                continue;
            done = write_piece(a, NPZ_INDICES, piece, room, &mine);
            if (done == STATUS_OK)
                done = write_piece(a, NPZ_DATA, piece, room, &mine);
            if (done != STATUS_OK)
                lowest_failure_note(&failed, piece, done, &mine);
        }
        memory_free(room);
    }
    return lowest_failure_end(&failed, err);
}

/* Adds the checksums of the pieces to that of their array. */
static void join_pieces(struct npz_archive *a, int array) {
    const int64_t entries = entries_of(a);
    const int32_t whole = (int32_t)(entries / block_sizes.npz_entries);
    const size_t size = entry_size(a, array);
    const uint32_t *const crc = a->crc[array == NPZ_DATA];
    struct zip_member *const member = &a->file.member[array];
    member->crc = crc32_join(member->crc, crc, whole, (uint64_t)block_sizes.npz_entries * size);
    if (entries % block_sizes.npz_entries > 0)
        member->crc = crc32_join(member->crc, crc + whole, 1,
                                 (uint64_t)(entries % block_sizes.npz_entries) * size);
}

static enum status write_starts(struct npz_archive *a, struct error *err) {
    const int32_t count = a->sink->layout.sources.count + 1;
    void *narrow;
    if (a->file.index == NPY_INT64)
        return write_body(a, NPZ_INDPTR, a->start, (size_t)count * sizeof(int64_t), err);
    RETURN_ON_FAILURE(memory_alloc(&narrow, (size_t)count, sizeof(int32_t), "row starts", err));
    for (int32_t p = 0; p < count; p++)
        ((int32_t *)narrow)[p] = (int32_t)a->start[p];
    const enum status status =
        write_body(a, NPZ_INDPTR, narrow, (size_t)count * sizeof(int32_t), err);
    memory_free(narrow);
    return status;
}

/* Writes the file; *crc becomes the checksum of the whole file. */
static enum status write_archive(struct npz_archive *a, uint32_t *crc, struct error *err) {
    const struct result_layout *const layout = &a->sink->layout;
    const int64_t shape[] = {layout->sources.count, layout->targets.count};
    lay_out(a);
    RETURN_ON_FAILURE(output_extend(a->out, a->file.bytes, a->file.bytes, err));
    const size_t pieces = (size_t)pieces_of(entries_of(a));
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, 2 * pieces, sizeof(uint32_t), "checksums of a file", err));
    a->crc[0] = memory;
    a->crc[1] = a->crc[0] + pieces;
    for (int array = 0; array < NPZ_ARRAYS; array++)
        RETURN_ON_FAILURE(write_head(a, array, err));
    RETURN_ON_FAILURE(write_pieces(a, err));
    join_pieces(a, NPZ_INDICES);
    join_pieces(a, NPZ_DATA);
    RETURN_ON_FAILURE(write_starts(a, err));
    RETURN_ON_FAILURE(write_body(a, NPZ_FORMAT, "csr", 3, err));
    RETURN_ON_FAILURE(write_body(a, NPZ_SHAPE, shape, sizeof shape, err));
    return zip_write(a->out, a->file.member, NPZ_ARRAYS, crc, err);
}

enum status npz_sink_finish(struct npz_sink *s, int64_t edges_read, const struct provenance *made,
                            struct error *err) {
    struct sidecar_content content = {.layout = &s->layout, .edges = edges_read, .made = made};
    struct npz_archive archive = {.sink = s, .out = &s->files.out[NPY_NPZ]};
    void *start = NULL;
    enum status status = STATUS_OK;
    TRY(memory_alloc(&start, (size_t)s->layout.sources.count + 1, sizeof *archive.start,
                     "row starts", err));
    archive.start = start;
    TRY(write_archive(&archive, &content.crc[NPY_NPZ], err));
    content.entries = entries_of(&archive);
    TRY(result_files_commit(&s->files, &content, err));
cleanup:
    memory_free(archive.crc[0]);
    memory_free(start);
    return status;
}

uint64_t npz_sink_memory(const struct result_layout *layout, int threads) {
    const uint64_t row = sizeof(struct npz_row) + sizeof(int64_t) + sizeof(int32_t);
    const uint64_t chunk = sizeof(struct npz_chunk) + chunk_cells(layout) * sizeof(int32_t);
    return (uint64_t)layout->sources.count * row +
           memory_times((uint64_t)threads_or_default(threads),
                        chunk + (uint64_t)block_sizes.npz_entries * sizeof(int64_t));
}

void npz_sink_close(struct npz_sink *s) {
    free_chunks(s);
    memory_free(s->row);
    result_files_close(&s->files);
    *s = (struct npz_sink){0};
}
