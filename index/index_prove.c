// SPDX-License-Identifier: MIT
#include "index/index_prove.h"

#include "certificate/certificate.h" // certify_reader
#include "common/base/memory.h"      // memory_alloc
#include "index/index_check.h"       // index_check
#include "index/index_parts.h"       // index_cells_graph
#include "index/index_query.h"       // index_reader_open

static enum status prove_on_host(const struct distance_index *x, const struct graph *g,
                                 int32_t rows, int threads, struct progress *progress,
                                 struct error *err) {
    struct index_reader reader = {0};
    struct refutation refutation;
    void *source = NULL;
    enum status status;
    TRY(memory_alloc(&source, (size_t)rows, sizeof(int32_t), "the rows to prove", err));
    int32_t *const vertex = source;
    for (int64_t r = 0; r < rows; r++)
        vertex[r] = x->order[r * g->n / rows];
    const struct row_sources sources = {vertex, rows};
    TRY(index_reader_open(&reader, x, &sources, err));
    status = certify_reader(g, &reader.reader, NO_LIMIT, threads, progress, &refutation, err);
cleanup:
    index_reader_close(&reader);
    memory_free(source);
    return status;
}

static enum status prove_on_device(const struct distance_index *x, const struct graph *g,
                                   struct index_proving *how, struct progress *progress) {
    struct graph made = {0};
    const struct graph *cells;
    if (x->header.cell != sizeof(int32_t))
        return fail(&how->reason, STATUS_NO_RESOURCE,
                    "a GPU proves labels of int32, and these are float64");
    RETURN_ON_FAILURE(index_cells_graph(g, x->header.cell, &made, &cells, &how->reason));
    const enum status status =
        how->on_device(x, cells, how->device, progress, &how->was_on_device, &how->reason);
    graph_free(&made);
    return status;
}

enum status index_prove(const struct distance_index *x, const struct graph *g,
                        struct index_proving *how, struct progress *progress, struct error *err) {
    how->was_on_device = false;
    how->reason.text[0] = '\0';
    RETURN_ON_FAILURE(index_check(x, g, how->threads, progress, err));
    if (x->header.grid_error != how->grid_error)
        return fail(err, STATUS_REFUTED,
                    "header: expected that rounding changes distances by up to %.17g, found %.17g",
                    how->grid_error, x->header.grid_error);
    if (how->on_device != NULL && how->rows == g->n) {
        const enum status status = prove_on_device(x, g, how, progress);
        if (status == STATUS_CANCELLED)
            *err = how->reason;
        if (status == STATUS_CANCELLED || (status == STATUS_OK && how->was_on_device))
            return status;
    }
    return prove_on_host(x, g, how->rows, how->threads, progress, err);
}
