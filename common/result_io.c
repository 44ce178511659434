#include "common/result_io.h"

#include "common/memory.h" // memory_check
#include "common/result_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_parse_checksum(const char *text, struct provenance *made) {
    enum { DIGITS = 8 };
    if (strlen(text) != DIGITS || strspn(text, "0123456789abcdef") != DIGITS)
        return;
    made->checksum = (uint32_t)strtoul(text, NULL, 16);
    made->has_checksum = true;
}

enum status result_alloc(struct result *result, int32_t n, bool with_pred, const char *graph_name,
                         struct error *err) {
    *result = (struct result){0};
    const struct memory_part part = {with_pred ? "for 2 matrices" : "for 1 matrix",
                                     memory_matrices(n, with_pred ? 2 : 1), 0};
    enum status status = memory_check(graph_name, n, &part, 1, err);
    if (status == STATUS_OK)
        status = matrix_alloc(&result->dist, n, "distances", err);
    if (status == STATUS_OK && with_pred)
        status = matrix_alloc(&result->pred, n, "predecessors", err);
    return status;
}

uint64_t result_memory_to_write(int32_t n, bool with_pred, bool npy, int threads) {
    return npy ? result_npy_memory(n, with_pred) : result_text_memory(n, threads);
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
    made->checksum = graph_checksum(g);
    made->has_checksum = true;
    made->solve_s = timing->solve_s;
    made->total_s = timing->total_s;
    result->edges_read = g->edges_read;
}

enum status result_read(const char *path, struct result *result, struct error *err) {
    static const char suffix[] = ".dist.npy";
    size_t length = strlen(path), suffix_length = sizeof suffix - 1;
    enum status status;
    *result = (struct result){0};
    if (length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0) {
        char *prefix = strndup(path, length - suffix_length);
        status = prefix != NULL ? result_read_npy(prefix, result, err)
                                : fail(err, STATUS_NO_RESOURCE, "out of memory: %s", path);
        free(prefix);
    } else {
        status = result_read_text(path, result, err);
    }
    if (status != STATUS_OK)
        result_free(result);
    return status;
}

void result_free(struct result *result) {
    matrix_free(&result->dist);
    matrix_free(&result->pred);
    *result = (struct result){0};
}
