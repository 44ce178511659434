// SPDX-License-Identifier: MIT
#include "common/rows/result_io.h"

#include "common/base/memory.h"   // memory_check
#include "common/rows/npy_sink.h" // npy_sink_memory
#include "common/rows/result_parts.h"
#include "common/rows/result_reader.h" // result_reader_open

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool result_parse_checksum(const char *text, uint32_t *checksum) {
    enum { DIGITS = 8 };
    if (strlen(text) != DIGITS || strspn(text, "0123456789abcdef") != DIGITS)
        return false;
    *checksum = (uint32_t)strtoul(text, NULL, 16);
    return true;
}

enum status result_alloc(struct result *result, enum number_type type, int32_t rows,
                         int32_t columns, bool with_pred, const char *graph_name,
                         struct error *err) {
    *result = (struct result){.limit = NO_LIMIT, .type = npy_type_of(type)};
    const uint64_t bytes = matrix_memory_of_answer(type, rows, columns, with_pred);
    const struct memory_part part = {with_pred ? "for 2 matrices" : "for 1 matrix", bytes, 0};
    RETURN_ON_FAILURE(memory_check(graph_name, columns, &part, 1, err));
    RETURN_ON_FAILURE(matrix_alloc_typed(&result->dist, type, rows, columns, "distances", err));
    return with_pred ? matrix_alloc_rows(&result->pred, rows, columns, "predecessors", err)
                     : STATUS_OK;
}

uint64_t result_memory_to_write(const struct result_layout *layout, bool npy, int threads) {
    return npy ? npy_sink_memory(layout, threads) : result_text_memory(layout, threads);
}

void result_describe(struct result *result, const struct graph *g, const char *graph_name,
                     const char *program, const char *variant, const struct timing *timing) {
    struct provenance *made = &result->made;
    snprintf(made->program, sizeof made->program, "%s", program);
    snprintf(made->variant, sizeof made->variant, "%s", variant);
    snprintf(made->graph, sizeof made->graph, "%s", graph_name);
    for (char *c = made->graph; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c))
            *c = '?';
    }
    naming_free(&made->naming);
    made->naming = naming_share(&g->naming);
    made->checksum = graph_checksum(g);
    made->has_checksum = true;
    made->semiring = g->semiring;
    made->solve_s = timing->solve_s;
    made->total_s = timing->total_s;
    result->edges_read = g->edges_read;
}

enum status result_check_ids(const char *path, const struct result *result, const struct graph *g,
                             struct error *err) {
    const struct provenance *const made = &result->made;
    const int32_t ids = g->naming.names != NULL ? g->n : 0;
    if (made->ids == 0 || result_vertices(result) != g->n ||
        (made->ids == ids && made->ids_checksum == naming_checksum(&g->naming, g->n)))
        return STATUS_OK;
    return fail(err, STATUS_REFUTED,
                "%.400s: expected the names of the graph's vertices, the first of which is %s, "
                "found others",
                path, graph_name(g, 0).text);
}

enum status result_refuse_columns(const char *path, int64_t targets, int64_t vertices,
                                  struct error *err) {
    return fail(err, STATUS_BAD_INPUT,
                "%s: columns are missing: expected distances to all %lld vertices, found %lld "
                "targets",
                path, (long long)vertices, (long long)targets);
}

enum status result_read(const char *path, struct result *result, struct error *err) {
    return result_read_as(path, NUMBER_INT32, result, err);
}

enum status result_read_as(const char *path, enum number_type type, struct result *result,
                           struct error *err) {
    struct result_reader reader;
    enum status status;
    *result = (struct result){0};
    TRY(result_reader_open(&reader, path, type, err));
    TRY(result_reader_load(&reader, err));
    *result = reader.result;
    reader.result = (struct result){0};
cleanup:
    result_reader_close(&reader);
    return status;
}

void result_free(struct result *result) {
    matrix_free(&result->dist);
    matrix_free(&result->pred);
    vertex_list_free(&result->sources);
    vertex_list_free(&result->targets);
    naming_free(&result->made.naming);
    *result = (struct result){0};
}
