// SPDX-License-Identifier: MIT
/* The functions of apsp.h for what is near. */
#include "accessibility/accessibility.h" // accessibility_find
#include "accessibility/nearest.h"       // nearest_find
#include "common/base/threads.h"         // THREADS_MAX
#include "common/rows/vertex_list.h"     // vertex_list_copy
#include "engines/auto.h"                // apsp_solver
#include "libapsp/call.h"                // call_work
#include "libapsp/objects.h"             // struct apsp_graph
#include "libapsp/structs.h"             // struct_take
#include "solve/gridded.h"               // struct gridded

#include <math.h>
#include <string.h>

/* Distances are exact on a grid only. */
static const struct grid_purpose purpose = {.needs_grid = true};

static enum status check_grid(double grid, struct error *err) {
    return isnan(grid) ? fail(err, STATUS_BAD_INPUT, "grid: expected a number, found nan")
                       : STATUS_OK;
}

static enum status check_given(const char *name, const void *array, int32_t count,
                               struct error *err) {
    return (array != NULL) == (count > 0)
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT, "%s: expected an array of %d, found %s", name, count,
                      array == NULL ? "none" : "one");
}

static void copy(void *to, const void *from, size_t count, size_t size) {
    if (to != NULL && from != NULL)
        memcpy(to, from, count * size);
}

// Accessibility -----------------------------------------------------------------------------------

struct accessibility_finding {
    const apsp_graph *graph;
    const apsp_accessibility *asked;
    struct vertex_list sources;
    enum accessibility_way way;
    struct gridded gridded;
    struct accessibility found;
};

static enum status find(void *self, struct progress *progress, struct error *err) {
    struct accessibility_finding *const f = self;
    const apsp_accessibility *const asked = f->asked;
    RETURN_ON_FAILURE(
        gridded_open(&f->gridded, &f->graph->graph, asked->grid, &purpose, progress, err));
    const struct graph *const g = &f->gridded.graph;
    const struct accessibility_request request = {.graph = g,
                                                  .sources = vertex_list_rows(&f->sources, g),
                                                  .mass = asked->masses,
                                                  .masses = asked->mass_count,
                                                  .decay = asked->decays,
                                                  .decays = asked->decay_count,
                                                  .limit = asked->limits,
                                                  .limits = asked->limit_count,
                                                  .way = f->way,
                                                  .threads = asked->threads,
                                                  .engine = apsp_solver.decays,
                                                  .progress = progress};
    return accessibility_find(&request, &f->found, err);
}

static enum status check_accessibility(const apsp_accessibility *asked, int32_t n,
                                       struct error *err) {
    enum { MOST = 1 << 16 };
    RETURN_ON_FAILURE(check_range("threads", asked->threads, 0, THREADS_MAX, err));
    RETURN_ON_FAILURE(check_range("source_count", asked->source_count, asked->sources != NULL,
                                  asked->sources != NULL ? n : 0, err));
    RETURN_ON_FAILURE(check_range("mass_count", asked->mass_count, 1, MOST, err));
    RETURN_ON_FAILURE(check_range("decay_count", asked->decay_count, 0, MOST, err));
    RETURN_ON_FAILURE(check_range("limit_count", asked->limit_count, 0, MOST, err));
    RETURN_ON_FAILURE(check_given("masses", asked->masses, asked->mass_count, err));
    RETURN_ON_FAILURE(check_given("decays", asked->decays, asked->decay_count, err));
    RETURN_ON_FAILURE(check_given("limits", asked->limits, asked->limit_count, err));
    return check_grid(asked->grid, err);
}

apsp_status apsp_accessibility_find(const apsp_graph *graph, apsp_accessibility *accessibility,
                                    apsp_error *error) {
    struct error err;
    apsp_accessibility asked = APSP_ACCESSIBILITY_INIT;
    const int32_t n = graph->graph.n;
    struct accessibility_finding f = {.graph = graph, .asked = &asked};
    enum status status;
    TRY(struct_take(&asked, sizeof asked, SIZE_UP_TO(apsp_accessibility, chosen), accessibility,
                    "apsp_accessibility", &err));
    TRY(check_min_plus(graph, &err));
    TRY(check_accessibility(&asked, n, &err));
    if (asked.engine != NULL && !accessibility_way_find(asked.engine, &f.way))
        TRY(fail(&err, STATUS_BAD_INPUT,
                 "engine: expected auto, searches or classes for accessibility, found '%.50s'",
                 asked.engine));
    if (asked.sources != NULL)
        TRY(vertex_list_copy("sources", asked.sources, asked.source_count, n, &f.sources, &err));
    TRY(call_work(&(struct listener){asked.progress, asked.progress_to}, find, &f, &err));
    const size_t numbers =
        (size_t)vertex_list_rows(&f.sources, &graph->graph).count * (size_t)asked.mass_count;
    copy(asked.decayed, f.found.decayed, numbers * (size_t)asked.decay_count, sizeof(double));
    copy(asked.within, f.found.within, numbers * (size_t)asked.limit_count, sizeof(double));
    accessibility->chosen = accessibility_way_name(f.found.way);
    accessibility->grid_spacing = f.gridded.rounding.spacing;
    accessibility->grid_error = f.gridded.rounding.distance_by;
cleanup:
    accessibility_free(&f.found);
    gridded_close(&f.gridded);
    vertex_list_free(&f.sources);
    return end_call(status, &err, error);
}

// Nearest facilities ------------------------------------------------------------------------------

struct seeking {
    const apsp_graph *graph;
    const apsp_nearest *asked;
    struct vertex_list facilities;
    struct gridded gridded;
    struct nearest found;
};

static enum status seek(void *self, struct progress *progress, struct error *err) {
    struct seeking *const s = self;
    RETURN_ON_FAILURE(
        gridded_open(&s->gridded, &s->graph->graph, s->asked->grid, &purpose, progress, err));
    const struct nearest_request request = {.graph = &s->gridded.graph,
                                            .facility = s->facilities.vertex,
                                            .facilities = s->facilities.count,
                                            .k = s->asked->k,
                                            .progress = progress};
    return nearest_find(&request, &s->found, err);
}

apsp_status apsp_nearest_find(const apsp_graph *graph, apsp_nearest *nearest, apsp_error *error) {
    struct error err;
    apsp_nearest asked = APSP_NEAREST_INIT;
    const int32_t n = graph->graph.n;
    struct seeking s = {.graph = graph, .asked = &asked};
    enum status status;
    TRY(struct_take(&asked, sizeof asked, SIZE_UP_TO(apsp_nearest, grid_error), nearest,
                    "apsp_nearest", &err));
    TRY(check_min_plus(graph, &err));
    TRY(check_range("facility_count", asked.facility_count, 1, n, &err));
    TRY(check_range("k", asked.k, 1, INT32_MAX, &err));
    TRY(check_given("facilities", asked.facilities, asked.facility_count, &err));
    TRY(check_grid(asked.grid, &err));
    TRY(vertex_list_copy("facilities", asked.facilities, asked.facility_count, n, &s.facilities,
                         &err));
    TRY(call_work(&(struct listener){asked.progress, asked.progress_to}, seek, &s, &err));
    copy(asked.nearest, s.found.facility, (size_t)n * (size_t)asked.k, sizeof(int32_t));
    copy(asked.distances, s.found.distance, (size_t)n * (size_t)asked.k, sizeof(double));
    nearest->grid_spacing = s.gridded.rounding.spacing;
    nearest->grid_error = s.gridded.rounding.distance_by;
cleanup:
    nearest_free(&s.found);
    gridded_close(&s.gridded);
    vertex_list_free(&s.facilities);
    return end_call(status, &err, error);
}
