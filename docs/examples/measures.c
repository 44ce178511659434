// SPDX-License-Identifier: MIT
/* Prints the diameter of a graph and the vertex with the largest closeness, from measures that are
 * computed without keeping distances.
 *
 *     cc -std=c99 measures.c $(pkg-config --cflags --libs apsp) -o measures
 *     ./measures graphFile.txt */
#include <apsp.h>
#include <stdio.h>
#include <stdlib.h>

static apsp_status measure(const apsp_graph *graph, apsp_measures **measures, apsp_error *error) {
    apsp_sink *sink = NULL;
    apsp_status status = apsp_sink_measures(&sink, measures, error);
    if (status == APSP_OK) {
        const apsp_sink *const sinks[] = {sink};
        status = apsp_solve_rows(graph, NULL, NULL, sinks, 1, error);
    }
    apsp_sink_free(sink);
    return status;
}

static apsp_status print(const apsp_measures *measures, apsp_error *error) {
    apsp_graph_measures of_graph = APSP_GRAPH_MEASURES_INIT;
    apsp_status status = apsp_measures_graph(measures, &of_graph, error);
    double *closeness = malloc((size_t)of_graph.sources * sizeof *closeness);
    int32_t best = 0;
    if (status == APSP_OK && closeness == NULL) {
        snprintf(error->text, sizeof error->text, "out of memory");
        status = APSP_NO_RESOURCE;
    }
    if (status == APSP_OK)
        status = apsp_measures_reals(measures, APSP_CLOSENESS, APSP_INWARDS, closeness, error);
    if (status == APSP_OK) {
        for (int32_t v = 1; v < of_graph.sources; v++)
            best = closeness[v] > closeness[best] ? v : best;
        printf("diameter %g, components %d\n", of_graph.diameter, (int)of_graph.components);
        printf("largest closeness %.6g, of vertex %d\n", closeness[best], (int)best);
    }
    free(closeness);
    return status;
}

int main(int argc, char **argv) {
    apsp_graph *graph = NULL;
    apsp_measures *measures = NULL;
    apsp_error error;
    if (argc != 2) {
        fprintf(stderr, "usage: %s GRAPH\n", argv[0]);
        return APSP_BAD_INPUT;
    }
    apsp_status status = apsp_graph_read(&graph, argv[1], NULL, &error);
    if (status == APSP_OK)
        status = measure(graph, &measures, &error);
    if (status == APSP_OK)
        status = print(measures, &error);
    if (status != APSP_OK)
        fprintf(stderr, "%s: %s\n", argv[0], error.text);
    apsp_measures_free(measures);
    apsp_graph_free(graph);
    return (int)status;
}
