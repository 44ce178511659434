// SPDX-License-Identifier: MIT
/* The functions of apsp.h for what flows along shortest paths. */
#include "common/base/exp_kernels.h" // DECAY_LEAST
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // THREADS_MAX
#include "common/rows/vertex_list.h" // vertex_list_copy
#include "engines/auto.h"            // apsp_solver
#include "flows/betweenness.h"       // betweenness_find
#include "flows/flow_graph.h"        // flow_graph_make
#include "libapsp/call.h"            // call_work
#include "libapsp/objects.h"         // struct apsp_graph
#include "libapsp/structs.h"         // struct_take, struct_give

#include <math.h>
#include <string.h>

struct betweenness_finding {
    const apsp_graph *graph;
    apsp_betweenness *asked;
    struct vertex_list sources;
    enum betweenness_way way;
    struct flow_graph flow;
    struct trips trips;
    struct betweenness found;
};

static enum status find(void *self, struct progress *progress, struct error *err) {
    struct betweenness_finding *const f = self;
    const struct graph *const g = &f->graph->graph;
    const double asked = f->asked->grid < 0 ? GRID_OFF : f->asked->grid;
    RETURN_ON_FAILURE(flow_graph_make(g, asked, progress, &f->flow, err));
    const struct betweenness_request request = {.graph = f->flow.graph,
                                                .split = flow_graph_split(&f->flow),
                                                .zoned = g,
                                                .sources = vertex_list_rows(&f->sources, g),
                                                .from_mass = f->asked->from_mass,
                                                .to_mass = f->asked->to_mass,
                                                .decay = f->asked->decay * f->flow.times,
                                                .totals = f->asked->decay > 0,
                                                .trips =
                                                    f->asked->trip_from != NULL ? &f->trips : NULL,
                                                .way = f->way,
                                                .endpoints = f->asked->endpoints != 0,
                                                .edges = f->asked->edges != NULL,
                                                .threads = f->asked->threads,
                                                .engine = apsp_solver.flows,
                                                .progress = progress};
    return betweenness_find(&request, &f->found, err);
}

static void copy(double *to, const double *from, size_t count) {
    if (to != NULL)
        memcpy(to, from, count * sizeof *to);
}

static enum status check_masses(const char *name, const double *mass, int32_t n,
                                struct error *err) {
    for (int32_t v = 0; v < n && mass != NULL; v++) {
        if (!(mass[v] >= 0) || isinf(mass[v]))
            return fail(err, STATUS_BAD_INPUT,
                        "%s: expected finite numbers of 0 or more, found %g at vertex %d", name,
                        mass[v], v);
    }
    return STATUS_OK;
}

/* Makes the table of the caller's trips. */
static enum status take_trips(struct betweenness_finding *f, struct error *err) {
    const apsp_betweenness *const asked = f->asked;
    const int32_t n = f->graph->graph.n;
    if (asked->trip_from == NULL)
        return STATUS_OK;
    if (asked->sources != NULL || asked->from_mass != NULL || asked->to_mass != NULL ||
        asked->decay > 0)
        return fail(err, STATUS_BAD_INPUT,
                    "trip_count: expected 0 with sources, masses or decay, which are others, found "
                    "%lld",
                    (long long)asked->trip_count);
    for (int64_t k = 0; k < asked->trip_count; k++) {
        const int32_t from = asked->trip_from[k], to = asked->trip_to[k];
        if (from < 0 || from >= n || to < 0 || to >= n)
            return fail(err, STATUS_BAD_INPUT,
                        "trips: expected vertices in 0 .. %d, found a trip from %d to %d", n - 1,
                        from, to);
        if (asked->trips != NULL && !(asked->trips[k] >= 0 && !isinf(asked->trips[k])))
            return fail(err, STATUS_BAD_INPUT,
                        "trips: expected finite numbers of 0 or more, found %g from %d to %d",
                        asked->trips[k], from, to);
    }
    return trips_make(asked->trip_from, asked->trip_to, asked->trips, asked->trip_count, &f->trips,
                      err);
}

apsp_status apsp_betweenness_find(const apsp_graph *graph, apsp_betweenness *betweenness,
                                  apsp_error *error) {
    struct error err;
    apsp_betweenness asked = APSP_BETWEENNESS_INIT;
    const size_t n = (size_t)graph->graph.n, m = (size_t)graph->graph.m;
    struct betweenness_finding f = {.graph = graph, .asked = &asked};
    enum status status;
    TRY(struct_take(&asked, sizeof asked, SIZE_UP_TO(apsp_betweenness, trips_length), betweenness,
                    "apsp_betweenness", &err));
    TRY(check_min_plus(graph, &err));
    TRY(check_range("threads", asked.threads, 0, THREADS_MAX, &err));
    TRY(check_range("source_count", asked.source_count, asked.sources != NULL,
                    asked.sources != NULL ? graph->graph.n : 0, &err));
    if (asked.engine != NULL && !betweenness_way_find(asked.engine, &f.way))
        TRY(fail(
            &err, STATUS_BAD_INPUT,
            "engine: expected auto, searches, classes or sweeps for betweenness, found '%.50s'",
            asked.engine));
    if (isnan(asked.grid))
        TRY(fail(&err, STATUS_BAD_INPUT, "grid: expected a number, found nan"));
    if (asked.sources != NULL)
        TRY(vertex_list_copy("sources", asked.sources, asked.source_count, graph->graph.n,
                             &f.sources, &err));
    TRY(check_masses("from_mass", asked.from_mass, graph->graph.n, &err));
    TRY(check_masses("to_mass", asked.to_mass, graph->graph.n, &err));
    if (asked.decay != 0 && !(asked.decay >= DECAY_LEAST && asked.decay <= DECAY_MOST))
        TRY(fail(&err, STATUS_BAD_INPUT, "decay: expected 0, for none, or %g to %g, found %g",
                 DECAY_LEAST, DECAY_MOST, asked.decay));
    TRY(check_range("trip_count", asked.trip_count, 0, asked.trip_from != NULL ? INT64_MAX : 0,
                    &err));
    TRY(take_trips(&f, &err));
    TRY(call_work(&(struct listener){asked.progress, asked.progress_to}, find, &f, &err));
    copy(asked.vertices, f.found.vertex, n);
    copy(asked.edges, f.found.edge, m);
    const struct trip_totals *const totals = &f.found.totals;
    betweenness->trips_arrived = totals->arrive;
    betweenness->trips_within = totals->stay;
    betweenness->trips_without_path = totals->lost;
    betweenness->trips_length = totals->length / f.flow.times;
    betweenness->chosen = betweenness_way_name(f.found.way);
    betweenness->is_undirected = !graph_is_directed(&graph->graph, asked.threads);
    betweenness->grid_spacing = f.flow.rounding.spacing;
    betweenness->grid_error = f.flow.rounding.distance_by;
cleanup:
    betweenness_free(&f.found);
    flow_graph_free(&f.flow);
    trips_free(&f.trips);
    vertex_list_free(&f.sources);
    return end_call(status, &err, error);
}
