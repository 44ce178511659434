// SPDX-License-Identifier: MIT
#include "apsp/make_loads.h"

#include "apsp/table_file.h"         // table_file_write
#include "cli/json_answer.h"         // the object of --json
#include "cli/solver_report.h"       // struct solver_arguments, solver_report_stream
#include "common/base/clock.h"       // clock_seconds
#include "common/base/number_text.h" // number_put
#include "common/base/output.h"      // output_refuse_input
#include "flows/betweenness.h"       // betweenness_find
#include "flows/flow_graph.h"        // flow_graph_make
#include "flows/trips.h"             // trips_read

#include <limits.h>
#include <stdio.h>

#define DEFAULT_LOADS "loads.csv"

struct job {
    const struct solver_request *request;
    const struct graph *graph;
    const char *demand, *path; /* files of trips and of loads */
    struct flow_graph flow;
    struct trips trips;
    struct betweenness found;
    double find_s, write_s;
};

static enum status find(struct job *j, struct error *err) {
    const double start = clock_seconds();
    const struct graph_reading *const reading = &j->request->arguments->reading;
    struct progress bar = {0}, *const progress = j->request->verbosity->quiet ? NULL : &bar;
    char line[GRID_TEXT];
    RETURN_ON_FAILURE(flow_graph_make(j->graph, reading->grid, NULL, &j->flow, err));
    if (j->flow.rounding.changed > 0)
        reading->on_note(reading->callback_context, grid_text(&j->flow.rounding, line));
    const struct betweenness_request request = {.graph = j->flow.graph,
                                                .split = flow_graph_split(&j->flow),
                                                .zoned = j->graph,
                                                .trips = &j->trips,
                                                .edges = true,
                                                .threads = j->request->options->threads,
                                                .progress = progress};
    progress_start(&bar, "loading");
    const enum status status = betweenness_find(&request, &j->found, err);
    progress_finish(&bar);
    j->found.totals.length /= j->flow.times;
    j->find_s = clock_seconds() - start;
    return status;
}

/* The tail of an edge: the last vertex whose edges begin there or before it. */
static int32_t tail_of(const struct graph *g, int64_t e) {
    int32_t low = 0, high = g->n;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (g->first[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A row for each edge; parallel edges are one. */
static char *put_edge(char *to, const void *self, int64_t e) {
    const struct job *const j = self;
    const struct graph *const g = j->graph;
    to += naming_put_field(&g->naming, tail_of(g, e), to);
    *to++ = ',';
    to += naming_put_field(&g->naming, g->head[e], to);
    *to++ = ',';
    to = number_put(to, j->found.edge[e], NUMBER_FLOAT64);
    *to++ = '\n';
    return to;
}

static enum status write_loads(struct job *j, struct error *err) {
    const struct table_file table = {.path = j->path,
                                     .head = "source,target,trips\n",
                                     .rows = j->graph->m,
                                     .row_size = 2 * (naming_longest_field(&j->graph->naming) + 1) +
                                                 NUMBER_TEXT_MAX + 1,
                                     .put = put_edge,
                                     .self = j,
                                     .threads = j->request->options->threads};
    return table_file_write(&table, &j->write_s, err);
}

static void answer(const struct job *j) {
    const struct trip_totals *const totals = &j->found.totals;
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "graph", j->request->graph);
    json_write_integer(w, "vertices", j->graph->n);
    json_write_any_text(w, "demand", j->demand);
    json_write_any_text(w, "loads", j->path);
    json_write_integer(w, "origins", j->trips.origins);
    json_write_integer(w, "pairs", j->trips.first[j->trips.origins]);
    json_write_integer(w, "rows_added", j->trips.added);
    json_write_number(w, "trips", NUMBER_FLOAT64, totals->arrive);
    json_write_number(w, "trips_length", NUMBER_FLOAT64, totals->length);
    json_write_number(w, "trips_within", NUMBER_FLOAT64, totals->stay);
    json_write_number(w, "trips_without_path", NUMBER_FLOAT64, totals->lost);
    json_write_integer(w, "pairs_without_path", totals->lost_pairs);
    json_write_number(w, "grid", NUMBER_FLOAT64, j->flow.rounding.spacing);
    json_write_number(w, "grid_error", NUMBER_FLOAT64, j->flow.rounding.distance_by);
    json_answer_real(w, "find_s", j->find_s);
    json_answer_real(w, "write_s", j->write_s);
    cli_answer_end(w);
}

static void say(const struct job *j) {
    const struct trip_totals *const totals = &j->found.totals;
    FILE *const to = solver_report_stream(j->request->arguments);
    char name[PATH_MAX];
    if (j->request->verbosity->json) {
        answer(j);
        return;
    }
    if (to == NULL)
        return;
    fprintf(to, "loads    %s\n", printable_copy(j->path, name, sizeof name));
    fprintf(to, "trips    %.15g from %d origins, over %.15g in all\n", totals->arrive,
            j->trips.origins, totals->length);
    if (j->trips.added > 0)
        fprintf(to, "added    %lld rows of pairs that the table has twice\n",
                (long long)j->trips.added);
    if (totals->stay > 0)
        fprintf(to, "within   %.15g trips end where they begin, and are on no edge\n",
                totals->stay);
    if (totals->lost_pairs > 0)
        fprintf(to,
                "without  %.15g trips have no path, of %lld pairs; the first is from %s to %s\n",
                totals->lost, (long long)totals->lost_pairs,
                graph_name(j->graph, totals->lost_from).text,
                graph_name(j->graph, totals->lost_to).text);
    fprintf(to, "find_s   %.6g\nwrite_s  %.6g\n", j->find_s, j->write_s);
}

enum status make_loads(const char *path, const struct solver_request *request,
                       const struct graph *g, struct error *err) {
    const struct solver_arguments *const a = request->arguments;
    const bool named = a->output != a->solver->default_output;
    struct job j = {
        .request = request, .graph = g, .demand = path, .path = named ? a->output : DEFAULT_LOADS};
    enum status status;
    TRY(output_refuse_input("--output", j.path, "table of trips", path, err));
    TRY(output_refuse_input("--output", j.path, "graph", request->graph, err));
    TRY(trips_read(path, g, &j.trips, err));
    TRY(find(&j, err));
    TRY(write_loads(&j, err));
    say(&j);
cleanup:
    betweenness_free(&j.found);
    flow_graph_free(&j.flow);
    trips_free(&j.trips);
    return status;
}
