// SPDX-License-Identifier: MIT
#include "cli/along_files.h"

#include "cli/solver_report.h"  // struct solver_arguments
#include "common/base/memory.h" // memory_alloc

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum status along_files_check(const struct solver_arguments *a, int processes, struct error *err) {
    const struct {
        const char *expected, *found;
        bool given;
    } options[] = {
        {"one process", "several", processes > 1},
        {"no measures of the distances", "--measures", a->measures},
        {"a result", "--format none", a->format.drops},
        {"all rows at once", "--resume", a->resume},
        {"one solve", "--repeat", a->repetitions > 1},
        {"--format npy (or --pairs FILE of apsp)", "--format npz", a->format.npz},
        {"--format npy (or --pairs FILE of apsp)", "text", !a->format.npy},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        if (options[k].given)
            return fail(err, STATUS_BAD_INPUT, "--along: expected %s, found %s",
                        options[k].expected, options[k].found);
    }
    return STATUS_OK;
}

static enum status open_file(struct row_files *file, const char *prefix, const char *column,
                             const struct result_layout *layout, struct row_sink **of,
                             struct error *err) {
    static const struct result_format format = {.name = "npy", .npy = true};
    struct result_layout own = *layout;
    char path[PATH_MAX];
    own.with_pred = false;
    own.type = NPY_FLOAT64;
    if (strchr(column, '/') != NULL ||
        snprintf(path, sizeof path, "%s.%s", prefix, column) >= (int)sizeof path)
        return fail(err, STATUS_BAD_INPUT,
                    "--along: expected a column with a name that a file can have, found '%s'",
                    column);
    RETURN_ON_FAILURE(
        row_files_open(file, path, &format, &own, &(struct row_files_sharing){0}, err));
    *of = file->sink;
    return STATUS_OK;
}

enum status along_files_open(struct along_files *files, const char *prefix, const struct graph *g,
                             const struct edge_columns *columns, const struct result_layout *layout,
                             bool check, struct row_sink *to, struct error *err) {
    struct row_sink *of[EDGE_COLUMNS_MOST];
    void *memory;
    *files = (struct along_files){.count = 0};
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)columns->count, sizeof *files->of, "files of columns", err));
    files->of = memset(memory, 0, (size_t)columns->count * sizeof *files->of);
    for (; files->count < columns->count; files->count++)
        RETURN_ON_FAILURE(open_file(&files->of[files->count], prefix, columns->name[files->count],
                                    layout, &of[files->count], err));
    along_sink_open(&files->sink, g, columns, check, to, of);
    return STATUS_OK;
}

enum status along_files_finish(struct along_files *files, int64_t edges_read,
                               const struct provenance *made, struct error *err) {
    for (int c = 0; c < files->count; c++) {
        struct provenance own = *made;
        snprintf(own.along, sizeof own.along, "%s", files->sink.columns->name[c]);
        RETURN_ON_FAILURE(row_files_finish(&files->of[c], edges_read, &own, err));
    }
    return STATUS_OK;
}

uint64_t along_files_memory(int32_t n, int64_t m, int32_t rows, int32_t columns, int count,
                            int threads) {
    const struct result_layout layout = {
        .n = n, .sources = {NULL, rows}, .targets = {NULL, columns}, .type = NPY_FLOAT64};
    const uint64_t file =
        memory_add(npy_sink_memory(&layout, threads),
                   columns < n ? column_sink_memory(NUMBER_FLOAT64, columns, threads) : 0);
    const uint64_t each = memory_add(file, memory_times((uint64_t)m, sizeof(double)));
    return memory_add(memory_times(each, (uint64_t)count), along_sink_memory(n, count, threads));
}

void along_files_close(struct along_files *files) {
    along_sink_close(&files->sink);
    for (int c = 0; c < files->count; c++)
        row_files_close(&files->of[c]);
    memory_free(files->of);
    *files = (struct along_files){0};
}
