// SPDX-License-Identifier: MIT
#include "apsp/table_file.h"

#include "common/base/clock.h"   // clock_seconds
#include "common/base/memory.h"  // memory_alloc
#include "common/base/output.h"  // output_write
#include "common/base/threads.h" // threads_or_default
#include "common/graph/limit.h"  // NO_LIMIT

#include <string.h>

/* Threads make the text of some rows each, which is written in order. */
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

const char *answer_option_too_many(const struct solver_arguments *a, unsigned takes) {
    const struct {
        const char *name;
        bool given;
        unsigned group; /* 0: no answer but rows takes it */
    } options[] = {
        {"--sources", a->sources != NULL, ANSWER_TAKES_SOURCES},
        {"--targets", a->targets != NULL, 0},
        {"--limit", a->limit < NO_LIMIT, ANSWER_TAKES_ENGINES},
        {"--measures", a->measures, 0},
        {"--along", a->along, ANSWER_TAKES_ALONG},
        {"--check", a->check, ANSWER_TAKES_ENGINES | ANSWER_TAKES_PROOF},
        {"--resume", a->resume, 0},
        {"--format", a->format_given, 0},
        {"--csv", a->csv != NULL, 0},
        {"--variant", a->variant_given, ANSWER_TAKES_ENGINES},
        {"--repeat", a->repetitions > 1, 0},
        {"--device", a->devices_given, ANSWER_TAKES_ENGINES},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        if (options[k].given && (options[k].group & takes) == 0)
            return options[k].name;
    }
    return NULL;
}
