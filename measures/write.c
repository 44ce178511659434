// SPDX-License-Identifier: MIT
#include "measures/write.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "common/base/turns.h"
#include "measures/csv.h"
#include "measures/edges_csv.h"
#include "measures/file_names.h"
#include "measures/json.h"

#include <stdlib.h>

enum { ROW_STEPS = 2000 }; /* work of a row, in steps of threads_worth() */

/* A file whose rows threads format. */
struct row_table {
    const struct measures *measures;
    const struct vertex_naming *naming;
    int64_t rows;
    size_t row_size; /* the most bytes of a row, with its line feed */
    int (*put)(const struct measures *m, const struct vertex_naming *naming, int64_t row, char *to);
};

static int put_vertex(const struct measures *m, const struct vertex_naming *naming, int64_t row,
                      char *to) {
    return measures_csv_row(m, naming, (int32_t)row, to);
}

/* A table while threads write it. */
struct table_writing {
    struct output *out;
    uint64_t end; /* number of bytes of the file so far, with those that are being written */
    uint32_t crc; /* of these bytes */
    struct lowest_failure failed;
};

/* Formats a chunk of rows. */
static size_t fill_chunk(char *text, const struct row_table *t, int64_t chunk) {
    const int64_t first = chunk * block_sizes.csv_rows;
    size_t length = 0;
    for (int64_t row = first; row < t->rows && row < first + block_sizes.csv_rows; row++)
        length += (size_t)t->put(t->measures, t->naming, row, text + length);
    return length;
}

/* Notes whether the bytes of a chunk were written. */
static void note_written(struct table_writing *w, int64_t chunk, enum status status,
                         const struct error *err) {
    if (status != STATUS_OK)
        lowest_failure_note(&w->failed, (int32_t)chunk, status, err);
}

/* Threads format chunks of rows and write them; the order decides only about their places. What
 * can be written from front to back only is written in that order. */
static void write_chunks(struct table_writing *w, const struct row_table *t, int64_t chunks,
                         int threads, char *memory, size_t chunk_size) {
    const bool anywhere = w->out->temporary != NULL;
    struct turns turns;
    turns_begin(&turns);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        char *const text = memory + (size_t)omp_get_thread_num() * chunk_size;
        const size_t length = fill_chunk(text, t, chunk);
        const uint32_t crc = crc32_add(0, text, length);
        struct error err;
        uint64_t place;
        turns_wait(&turns, chunk);
        place = w->end;
        w->end += length;
        w->crc = crc32_join(w->crc, &crc, 1, length);
        if (!anywhere && lowest_failure_allows(&w->failed, (int32_t)chunk))
            note_written(w, chunk, output_write(w->out, text, length, &err), &err);
        turns_pass(&turns);
        if (anywhere && lowest_failure_allows(&w->failed, (int32_t)chunk))
            note_written(w, chunk, output_write_at(w->out, text, length, place, &err), &err);
    }
    turns_end(&turns);
}

/* Writes a table with its head. */
static enum status write_table(struct output *out, const char *head, size_t head_length,
                               const struct row_table *t, uint32_t *crc, struct error *err) {
    const int64_t chunks = (t->rows + block_sizes.csv_rows - 1) / block_sizes.csv_rows;
    const int most = threads_worth(t->measures->threads, (double)t->rows * ROW_STEPS);
    const int threads = most < chunks ? most : (int)chunks;
    const size_t chunk_size = (size_t)block_sizes.csv_rows * t->row_size;
    struct table_writing w = {.out = out, .end = head_length};
    void *memory;
    w.crc = crc32_add(0, head, head_length);
    RETURN_ON_FAILURE(output_write(out, head, head_length, err));
    if (chunks > 0) {
        RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)threads, chunk_size, "rows of text", err));
        lowest_failure_begin(&w.failed);
        write_chunks(&w, t, chunks, threads, memory, chunk_size);
        memory_free(memory);
        RETURN_ON_FAILURE(lowest_failure_end(&w.failed, err));
    }
    *crc = w.crc;
    return STATUS_OK;
}

static enum status write_vertices(struct output *out, const struct measures *m,
                                  const struct vertex_naming *naming, uint32_t *crc,
                                  struct error *err) {
    const struct row_table table = {m, naming, measures_rows(m), measures_csv_row_size(m, naming),
                                    put_vertex};
    char *head;
    size_t length;
    RETURN_ON_FAILURE(measures_csv_head(measures_columns_of(m), &head, &length, err));
    const enum status status = write_table(out, head, length, &table, crc, err);
    memory_free(head);
    return status;
}

static enum status write_edges(struct output *out, const struct measures *m,
                               const struct vertex_naming *naming, uint32_t *crc,
                               struct error *err) {
    const struct row_table table = {m, naming, m->flows->edges, edges_csv_row_size(naming),
                                    edges_csv_row};
    return write_table(out, EDGES_CSV_HEAD, sizeof EDGES_CSV_HEAD - 1, &table, crc, err);
}

enum status measures_files_write(struct measures_files *files, const char *prefix,
                                 const struct measures *m, const struct provenance *made,
                                 struct error *err) {
    struct json_long_text text = {0};
    struct measures_checksums crc = {0};
    enum status status = STATUS_NO_RESOURCE;
    *files = (struct measures_files){
        .csv = {.fd = -1}, .edges = {.fd = -1}, .json = {.fd = -1}, .count = 2};
    files->csv_path = measures_file_name(prefix, MEASURES_CSV, err);
    files->json_path = measures_file_name(prefix, MEASURES_JSON, err);
    files->edges_path = measures_file_name(prefix, MEASURES_EDGES, err);
    if (files->csv_path == NULL || files->json_path == NULL || files->edges_path == NULL)
        goto cleanup;
    TRY(output_open(&files->csv, files->csv_path, err));
    TRY(write_vertices(&files->csv, m, &made->naming, &crc.csv, err));
    if (m->flows != NULL) {
        files->count++;
        TRY(output_open(&files->edges, files->edges_path, err));
        TRY(write_edges(&files->edges, m, &made->naming, &crc.edges, err));
    }
    TRY(measures_json(m, made, crc, true, &text, err));
    TRY(output_open(&files->json, files->json_path, err));
    TRY(output_write(&files->json, text.text, text.size, err));
cleanup:
    memory_free(text.text);
    return status;
}

enum status measures_files_commit(struct measures_files *files, struct error *err) {
    return output_commit_all((struct output *[]){&files->json, &files->csv, &files->edges},
                             files->count, err);
}

void measures_files_discard(struct measures_files *files) {
    output_discard(&files->json);
    output_discard(&files->csv);
    output_discard(&files->edges);
    free(files->csv_path);
    free(files->edges_path);
    free(files->json_path);
    files->csv_path = files->edges_path = files->json_path = NULL;
}

enum status measures_write(const char *prefix, const struct measures *m,
                           const struct provenance *made, struct error *err) {
    struct measures_files files;
    enum status status = measures_files_write(&files, prefix, m, made, err);
    if (status == STATUS_OK)
        status = measures_files_commit(&files, err);
    measures_files_discard(&files);
    return status;
}
