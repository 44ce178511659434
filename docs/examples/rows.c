// SPDX-License-Identifier: MIT
/* Prints the farthest vertex from some vertices of a graph, or from all: rows come while they are
 * computed, each one proved, and none is kept, so that the graph may be too large for a matrix.
 *
 *     cc -std=c99 rows.c $(pkg-config --cflags --libs apsp) -o rows
 *     ./rows graphFile.txt 0 3 */
#include <apsp.h>
#include <stdio.h>
#include <stdlib.h>

/* The library calls this for one block at a time, in the order of the sources. */
static apsp_status print_farthest(void *self, const apsp_rows *rows, apsp_error *error) {
    const int32_t *distances = rows->distances;
    (void)self;
    for (int32_t r = 0; r < rows->count; r++) {
        const int32_t *row = distances + (size_t)r * rows->leading;
        int32_t farthest = rows->sources[r];
        for (int32_t v = 0; v < rows->vertices; v++) {
            if (row[v] != APSP_INF && row[v] > row[farthest])
                farthest = v;
        }
        if (printf("%d\tis farthest from %d: %d\n", (int)farthest, (int)rows->sources[r],
                   (int)row[farthest]) < 0) {
            snprintf(error->text, sizeof error->text, "cannot write");
            return APSP_NO_RESOURCE;
        }
    }
    return APSP_OK;
}

static apsp_status solve(const apsp_graph *graph, const int32_t *sources, int count,
                         apsp_error *error) {
    apsp_sink sink = APSP_SINK_INIT;
    const apsp_sink *const sinks[] = {&sink};
    apsp_request request = APSP_REQUEST_INIT;
    sink.take = print_farthest;
    sink.needs = APSP_NEEDS_ORDER;
    request.sources = count > 0 ? sources : NULL;
    request.source_count = count;
    request.check = 1;
    return apsp_solve_rows(graph, &request, NULL, sinks, 1, error);
}

int main(int argc, char **argv) {
    apsp_graph *graph = NULL;
    apsp_error error;
    int32_t *sources = malloc((size_t)argc * sizeof *sources);
    if (argc < 2 || sources == NULL) {
        fprintf(stderr, "usage: %s GRAPH [SOURCE ...]\n", argv[0]);
        free(sources);
        return APSP_BAD_INPUT;
    }
    for (int a = 2; a < argc; a++)
        sources[a - 2] = (int32_t)atoi(argv[a]);
    apsp_status status = apsp_graph_read(&graph, argv[1], NULL, &error);
    if (status == APSP_OK)
        status = solve(graph, sources, argc - 2, &error);
    if (status != APSP_OK)
        fprintf(stderr, "%s: %s\n", argv[0], error.text);
    apsp_graph_free(graph);
    free(sources);
    return (int)status;
}
