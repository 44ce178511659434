// SPDX-License-Identifier: MIT
#include "apsp/table_file.h"

#include "common/base/clock.h"   // clock_seconds
#include "common/base/memory.h"  // memory_alloc
#include "common/base/output.h"  // output_write
#include "common/base/threads.h" // threads_or_default

#include <string.h>

/* Writes the rows in order. Each thread makes the text of some rows. */
static enum status write_rows(const struct table_file *t, struct output *out, struct error *err) {
    enum { PART_BYTES = 1 << 18 };
    const int threads = threads_or_default(t->threads);
    const size_t part =
        t->row_size < PART_BYTES ? PART_BYTES / t->row_size * t->row_size : t->row_size;
    const int64_t each = (int64_t)(part / t->row_size);
    void *text = NULL, *lengths = NULL;
    enum status status;
    TRY(memory_alloc(&text, (size_t)threads, part, "text", err));
    TRY(memory_alloc(&lengths, (size_t)threads, sizeof(size_t), "text", err));
    size_t *const length = lengths;
    for (int64_t first = 0; first < t->rows; first += threads * each) {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int k = 0; k < threads; k++) {
            char *const begin = (char *)text + (size_t)k * part, *to = begin;
            for (int64_t row = first + k * each; row < t->rows && row < first + (k + 1) * each;
                 row++)
                to = t->put(to, t->self, row);
            length[k] = (size_t)(to - begin);
        }
        for (int k = 0; k < threads; k++)
            TRY(output_write(out, (char *)text + (size_t)k * part, length[k], err));
    }
cleanup:
    memory_free(text);
    memory_free(lengths);
    return status;
}

enum status table_file_write(const struct table_file *t, double *seconds, struct error *err) {
    const double start = clock_seconds();
    struct output out = {.fd = -1};
    enum status status;
    TRY(output_open(&out, t->path, err));
    TRY(output_write(&out, t->head, strlen(t->head), err));
    TRY(write_rows(t, &out, err));
    status = output_commit(&out, err);
cleanup:
    output_discard(&out);
    *seconds = clock_seconds() - start;
    return status;
}
