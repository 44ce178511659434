// SPDX-License-Identifier: MIT
#include "measures/write.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_worth
#include "measures/csv.h"
#include "measures/file_names.h"
#include "measures/json.h"

#include <stdlib.h>

enum { ROW_STEPS = 2000 }; /* what a row takes, in steps of threads_worth() */

/* Writes the rows from `first` on that a thread makes at a time; returns their length. */
static size_t fill_chunk(char *text, const struct measures *m, const struct vertex_naming *naming,
                         int32_t first) {
    size_t length = 0;
    for (int32_t p = first; p < m->count && p < first + block_sizes.csv_rows; p++)
        length += (size_t)measures_csv_row(m, naming, p, text + length);
    return length;
}

/* Threads make rows, which takes longer than to write them. */
static enum status write_csv(struct output *out, const struct measures *m,
                             const struct vertex_naming *naming, uint32_t *crc, struct error *err) {
    const int32_t chunks = (m->count - 1) / block_sizes.csv_rows + 1;
    const int most = threads_worth(m->threads, (double)m->count * ROW_STEPS);
    const int threads = most < chunks ? most : chunks;
    const size_t chunk_size = (size_t)block_sizes.csv_rows * measures_csv_row_size(m, naming);
    char *head = NULL;
    size_t head_length;
    void *memory = NULL, *lengths = NULL;
    enum status status = STATUS_OK;
    TRY(measures_csv_head(measures_columns_of(m), &head, &head_length, err));
    TRY(memory_alloc(&memory, (size_t)threads, chunk_size, "rows of text", err));
    TRY(memory_alloc(&lengths, (size_t)threads, sizeof(size_t), "rows of text", err));
    char *const text = memory;
    size_t *const length = lengths;
    *crc = crc32_add(0, head, head_length);
    TRY(output_write(out, head, head_length, err));
    for (int32_t first = 0; first < chunks; first += threads) {
        const int now = chunks - first < threads ? chunks - first : threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int k = 0; k < now; k++)
            length[k] = fill_chunk(text + (size_t)k * chunk_size, m, naming,
                                   (first + k) * block_sizes.csv_rows);
        for (int k = 0; k < now; k++) {
            *crc = crc32_add(*crc, text + (size_t)k * chunk_size, length[k]);
            TRY(output_write(out, text + (size_t)k * chunk_size, length[k], err));
        }
    }
cleanup:
    memory_free(head);
    memory_free(memory);
    memory_free(lengths);
    return status;
}

enum status measures_files_write(struct measures_files *files, const char *prefix,
                                 const struct measures *m, const struct provenance *made,
                                 struct error *err) {
    struct json_long_text text = {0};
    uint32_t crc;
    enum status status = STATUS_NO_RESOURCE;
    *files = (struct measures_files){.csv = {.fd = -1}, .json = {.fd = -1}};
    files->csv_path = measures_file_name(prefix, MEASURES_CSV, err);
    files->json_path = measures_file_name(prefix, MEASURES_JSON, err);
    if (files->csv_path == NULL || files->json_path == NULL)
        goto cleanup;
    TRY(output_open(&files->csv, files->csv_path, err));
    TRY(write_csv(&files->csv, m, &made->naming, &crc, err));
    TRY(measures_json(m, made, crc, true, &text, err));
    TRY(output_open(&files->json, files->json_path, err));
    TRY(output_write(&files->json, text.text, text.size, err));
cleanup:
    memory_free(text.text);
    return status;
}

enum status measures_files_commit(struct measures_files *files, struct error *err) {
    return output_commit_all((struct output *[]){&files->json, &files->csv}, 2, err);
}

void measures_files_discard(struct measures_files *files) {
    output_discard(&files->json);
    output_discard(&files->csv);
    free(files->csv_path);
    free(files->json_path);
    files->csv_path = files->json_path = NULL;
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
