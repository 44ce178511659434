// SPDX-License-Identifier: MIT
#include "common/rows/row_files.h"

#include "common/base/memory.h"    // memory_add
#include "common/rows/result_io.h" // result_memory_to_write

enum status row_files_open(struct row_files *files, const char *prefix,
                           const struct result_format *format, const struct result_layout *layout,
                           const struct row_files_sharing *sharing, struct error *err) {
    *files = (struct row_files){.is_sparse = format->npz};
    if (files->is_sparse)
        RETURN_ON_FAILURE(npz_sink_open(&files->sparse, prefix, layout, err));
    else if (sharing->ranks != NULL)
        RETURN_ON_FAILURE(
            npy_sink_open_together(&files->dense, prefix, layout, sharing->ranks, err));
    else
        RETURN_ON_FAILURE(npy_sink_open(&files->dense, prefix, layout, sharing->partial, err));
    files->sink = files->is_sparse ? &files->sparse.sink : &files->dense.sink;
    if (layout->targets.source != NULL) {
        column_sink_open(&files->columns, &layout->targets, files->sink);
        files->sink = &files->columns.sink;
    }
    return STATUS_OK;
}

enum status row_files_finish(struct row_files *files, int64_t edges_read,
                             const struct provenance *made, struct error *err) {
    if (files->sink == NULL)
        return STATUS_OK;
    return files->is_sparse ? npz_sink_finish(&files->sparse, edges_read, made, err)
                            : npy_sink_finish(&files->dense, edges_read, made, err);
}

void row_files_close(struct row_files *files) {
    column_sink_close(&files->columns);
    npy_sink_close(&files->dense);
    npz_sink_close(&files->sparse);
    files->sink = NULL;
}

uint64_t row_files_memory(const struct result_format *format, const struct result_layout *layout,
                          enum number_type type, int threads) {
    const uint64_t columns = layout->targets.source != NULL
                                 ? column_sink_memory(type, layout->targets.count, threads)
                                 : 0;
    return memory_add(columns, format->npz ? npz_sink_memory(layout, threads)
                                           : result_memory_to_write(layout, format->npy, threads));
}
