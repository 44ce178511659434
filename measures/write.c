// SPDX-License-Identifier: MIT
#include "measures/write.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_worth
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

/* Formats the rows that a thread handles at a time, from `first` on; returns their length. */
static size_t fill_chunk(char *text, const struct row_table *t, int64_t first) {
    size_t length = 0;
    for (int64_t row = first; row < t->rows && row < first + block_sizes.csv_rows; row++)
        length += (size_t)t->put(t->measures, t->naming, row, text + length);
    return length;
}

/* Threads format rows, which takes longer than writing them. */
static enum status write_rows(struct output *out, const struct row_table *t, uint32_t *crc,
                              struct error *err) {
    const int64_t chunks = (t->rows + block_sizes.csv_rows - 1) / block_sizes.csv_rows;
    const int most = threads_worth(t->measures->threads, (double)t->rows * ROW_STEPS);
    const int threads = most < chunks ? most : (int)chunks;
    const size_t chunk_size = (size_t)block_sizes.csv_rows * t->row_size;
    void *memory = NULL, *lengths = NULL;
    enum status status = STATUS_OK;
    TRY(memory_alloc(&memory, (size_t)threads, chunk_size, "rows of text", err));
    TRY(memory_alloc(&lengths, (size_t)threads, sizeof(size_t), "rows of text", err));
    char *const text = memory;
    size_t *const length = lengths;
    for (int64_t first = 0; first < chunks; first += threads) {
        const int now = chunks - first < threads ? (int)(chunks - first) : threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int k = 0; k < now; k++)
            length[k] =
                fill_chunk(text + (size_t)k * chunk_size, t, (first + k) * block_sizes.csv_rows);
        for (int k = 0; k < now; k++) {
            *crc = crc32_add(*crc, text + (size_t)k * chunk_size, length[k]);
            TRY(output_write(out, text + (size_t)k * chunk_size, length[k], err));
        }
    }
cleanup:
    memory_free(memory);
    memory_free(lengths);
    return status;
}

static enum status write_head(struct output *out, const char *head, size_t length, uint32_t *crc,
                              struct error *err) {
    *crc = crc32_add(0, head, length);
    return output_write(out, head, length, err);
}

static enum status write_vertices(struct output *out, const struct measures *m,
                                  const struct vertex_naming *naming, uint32_t *crc,
                                  struct error *err) {
    const struct row_table table = {m, naming, measures_rows(m), measures_csv_row_size(m, naming),
                                    put_vertex};
    char *head = NULL;
    size_t length;
    enum status status;
    TRY(measures_csv_head(measures_columns_of(m), &head, &length, err));
    TRY(write_head(out, head, length, crc, err));
    TRY(write_rows(out, &table, crc, err));
cleanup:
    memory_free(head);
    return status;
}

static enum status write_edges(struct output *out, const struct measures *m,
                               const struct vertex_naming *naming, uint32_t *crc,
                               struct error *err) {
    const struct row_table table = {m, naming, m->flows->edges, edges_csv_row_size(naming),
                                    edges_csv_row};
    RETURN_ON_FAILURE(write_head(out, EDGES_CSV_HEAD, sizeof EDGES_CSV_HEAD - 1, crc, err));
    return write_rows(out, &table, crc, err);
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
