// SPDX-License-Identifier: MIT
/* Prints a shortest path of a graph, from a solution that is proved first.
 *
 *     cc -std=c99 path.c $(pkg-config --cflags --libs apsp) -o path
 *     ./path graphFile.txt 0 3 */
#include <apsp.h>
#include <stdio.h>
#include <stdlib.h>

static apsp_status print_path(const apsp_graph *graph, const apsp_result *result, int32_t from,
                              int32_t to, apsp_error *error) {
    int32_t *path = malloc((size_t)apsp_graph_vertices(graph) * sizeof *path);
    int32_t length = 0;
    apsp_status status = APSP_NO_RESOURCE;
    snprintf(error->text, sizeof error->text, "out of memory");
    if (path != NULL)
        status = apsp_result_path(result, from, to, path, &length, error);
    if (status == APSP_OK && length == 0)
        printf("no path from %d to %d\n", (int)from, (int)to);
    for (int32_t k = 0; k < length; k++)
        printf("%d\tat distance %d\n", (int)path[k],
               (int)apsp_result_distance(result, from, path[k]));
    free(path);
    return status;
}

int main(int argc, char **argv) {
    apsp_graph *graph = NULL;
    apsp_result *result = NULL;
    apsp_error error;
    if (argc != 4) {
        fprintf(stderr, "usage: %s GRAPH FROM TO\n", argv[0]);
        return APSP_BAD_INPUT;
    }
    apsp_status status = apsp_graph_read(&graph, argv[1], NULL, &error);
    if (status == APSP_OK)
        status = apsp_solve(graph, NULL, &result, &error);
    if (status == APSP_OK)
        status = apsp_verify(graph, result, NULL, NULL, &error);
    if (status == APSP_OK)
        status = print_path(graph, result, atoi(argv[2]), atoi(argv[3]), &error);
    if (status != APSP_OK)
        fprintf(stderr, "%s: %s\n", argv[0], error.text);
    apsp_result_free(result);
    apsp_graph_free(graph);
    return (int)status;
}
