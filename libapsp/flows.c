// SPDX-License-Identifier: MIT
/* The functions of apsp.h for what flows along shortest paths. */
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // THREADS_MAX
#include "common/rows/vertex_list.h" // vertex_list_copy
#include "flows/betweenness.h"       // betweenness_find
#include "libapsp/call.h"            // call_work
#include "libapsp/gridded.h"         // struct gridded
#include "libapsp/structs.h"         // struct_take, struct_give

#include <math.h>
#include <string.h>

struct finding {
    const apsp_graph *graph;
    apsp_betweenness *asked;
    struct vertex_list sources;
    struct gridded gridded;
    struct betweenness found;
};

static enum status find(void *self, struct progress *progress, struct error *err) {
    struct finding *const f = self;
    /* Ties are exact on a grid only. */
    static const struct grid_purpose purpose = {.needs_grid = true};
    struct apsp_graph wide = *f->graph;
    if (wide.graph.type == NUMBER_FLOAT32) /* its weights are float64 numbers, too */
        wide.graph.type = NUMBER_FLOAT64;
    RETURN_ON_FAILURE(gridded_open(&f->gridded, &wide, f->asked->grid, &purpose, progress, err));
    const struct graph *const g = &f->gridded.graph.graph;
    const struct betweenness_request request = {.graph = g,
                                                .sources = vertex_list_rows(&f->sources, g),
                                                .edges = f->asked->edges != NULL,
                                                .threads = f->asked->threads,
                                                .progress = progress};
    return betweenness_find(&request, &f->found, err);
}

static void copy(void *to, const void *from, size_t count, size_t size) {
    if (to != NULL)
        memcpy(to, from, count * size);
}

apsp_status apsp_betweenness_find(const apsp_graph *graph, apsp_betweenness *betweenness,
                                  apsp_error *error) {
    struct error err;
    apsp_betweenness asked = APSP_BETWEENNESS_INIT;
    const size_t n = (size_t)graph->graph.n, m = (size_t)graph->graph.m;
    struct finding f = {.graph = graph, .asked = &asked};
    enum status status;
    TRY(struct_take(&asked, sizeof asked, SIZE_UP_TO(apsp_betweenness, grid_error), betweenness,
                    "apsp_betweenness", &err));
    TRY(check_range("threads", asked.threads, 0, THREADS_MAX, &err));
    TRY(check_range("source_count", asked.source_count, asked.sources != NULL,
                    asked.sources != NULL ? graph->graph.n : 0, &err));
    if (isnan(asked.grid))
        TRY(fail(&err, STATUS_BAD_INPUT, "grid: expected a number, found nan"));
    if (asked.sources != NULL)
        TRY(vertex_list_copy("sources", asked.sources, asked.source_count, graph->graph.n,
                             &f.sources, &err));
    TRY(call_work(&(struct listener){asked.progress, asked.progress_to}, find, &f, &err));
    copy(asked.vertices, f.found.vertex, n, sizeof(double));
    copy(asked.edges, f.found.edge, m, sizeof(double));
    copy(asked.reached_from, f.found.reached_from, n, sizeof(int32_t));
    copy(asked.reached_by, f.found.reached_by, n, sizeof(int32_t));
    betweenness->grid_spacing = f.gridded.rounding.spacing;
    betweenness->grid_error = f.gridded.rounding.distance_by;
cleanup:
    betweenness_free(&f.found);
    gridded_close(&f.gridded);
    vertex_list_free(&f.sources);
    return end_call(status, &err, error);
}
