// SPDX-License-Identifier: MIT
#include "apsp/make_loads.h"

#include "accessibility/mass_table.h" // mass_table_read
#include "apsp/flow_plan.h"           // flow_plan_print
#include "apsp/table_file.h"          // table_file_write
#include "cli/json_answer.h"          // the object of --json
#include "cli/solver_report.h"        // struct solver_arguments, solver_report_stream
#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/base/number_text.h"  // number_put
#include "common/base/output.h"       // output_refuse_input
#include "common/rows/vertex_list.h"  // vertex_list_rows
#include "flows/betweenness.h"        // betweenness_find
#include "flows/flow_graph.h"         // flow_graph_make
#include "flows/proof.h"              // betweenness_prove
#include "flows/trips.h"              // trips_read

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_LOADS "loads.csv"

struct loads_job {
    const struct make_loads *how;
    const struct solver_request *request;
    const struct graph *graph;
    const char *demand, *path; /* demand: file of trips or masses; path: file of loads */
    struct flow_graph flow;
    struct trips trips;
    struct mass_table table;
    int32_t sent, attracted; /* columns of sent and attracted masses in the table, from 0 */
    double *masses;          /* masses sent, n entries, then masses attracted, n entries */
    int32_t *origin;         /* vertices that send masses, `origins` entries */
    int32_t origins;
    struct betweenness found;
    struct betweenness_proof proof;
    double find_s, check_s, write_s;
};

// Demand ------------------------------------------------------------------------------------------

/* Finds the columns of the table for the masses that are sent and attracted. */
static enum status find_columns(struct loads_job *j, struct error *err) {
    const char *const names = j->how->columns;
    const struct mass_table *const t = &j->table;
    j->attracted = t->masses - 1;
    if (names == NULL)
        return t->masses == 1 || t->masses == 2
                   ? STATUS_OK
                   : fail(err, STATUS_BAD_INPUT,
                          "%s: expected one or two columns beside that of the vertices, found %d "
                          "(choose with --mass-columns SENT,ATTRACTED)",
                          j->demand, t->masses);
    const char *const comma = strchr(names, ',');
    if (comma != NULL) {
        j->sent = mass_table_find(t, names, (size_t)(comma - names));
        j->attracted = mass_table_find(t, comma + 1, strlen(comma + 1));
    }
    return comma != NULL && j->sent >= 0 && j->attracted >= 0
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT,
                      "--mass-columns: expected two columns of %s with a comma between them, found "
                      "'%.100s'",
                      j->demand, names);
}

static enum status take_masses(struct loads_job *j, struct error *err) {
    const size_t n = (size_t)j->graph->n, columns = (size_t)j->table.masses;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, 2 * sizeof *j->masses, "the masses", err));
    j->masses = memory;
    for (size_t v = 0; v < n; v++) {
        j->masses[v] = j->table.mass[v * columns + (size_t)j->sent];
        j->masses[n + v] = j->table.mass[v * columns + (size_t)j->attracted];
    }
    return STATUS_OK;
}

/* Lists the sources whose sent mass is above 0. */
static enum status take_origins(struct loads_job *j, struct error *err) {
    const struct row_sources sources = vertex_list_rows(j->request->sources, j->graph);
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)sources.count, sizeof *j->origin, "the origins", err));
    j->origin = memory;
    for (int32_t p = 0; p < sources.count; p++) {
        const int32_t v = row_source(&sources, p);
        if (j->masses[v] > 0)
            j->origin[j->origins++] = v;
    }
    return j->origins > 0 ? STATUS_OK
                          : fail(err, STATUS_BAD_INPUT,
                                 "--gravity: expected a source with more than 0 in column '%.60s' "
                                 "of %s, found none",
                                 j->table.name[j->sent], j->demand);
}

static enum status read_masses(struct loads_job *j, struct error *err) {
    RETURN_ON_FAILURE(mass_table_read(j->demand, j->graph, &j->table, err));
    RETURN_ON_FAILURE(find_columns(j, err));
    RETURN_ON_FAILURE(take_masses(j, err));
    return take_origins(j, err);
}

static enum status read_demand(struct loads_job *j, struct error *err) {
    if (j->how->masses != NULL)
        return read_masses(j, err);
    const struct graph_reading *const reading = &j->request->arguments->reading;
    RETURN_ON_FAILURE(trips_read(j->demand, j->graph, &j->trips, err));
    graph_note(reading, j->trips.note.text);
    j->origins = j->trips.origins;
    return STATUS_OK;
}

// Loads -------------------------------------------------------------------------------------------

static enum status make_graph(struct loads_job *j, struct error *err) {
    const struct graph_reading *const reading = &j->request->arguments->reading;
    char line[GRID_TEXT];
    RETURN_ON_FAILURE(flow_graph_make(j->graph, reading->grid, NULL, &j->flow, err));
    if (j->flow.rounding.changed > 0)
        graph_note(reading, grid_text(&j->flow.rounding, line));
    return STATUS_OK;
}

static struct betweenness_request request_of(const struct loads_job *j, struct progress *progress) {
    struct betweenness_request request = {.graph = j->flow.graph,
                                          .split = flow_graph_split(&j->flow),
                                          .zoned = j->graph,
                                          .edges = true,
                                          .totals = true,
                                          .threads = j->request->options->threads,
                                          .engine = j->request->arguments->solver->flows,
                                          .device = j->request->options->device,
                                          .progress = progress};
    if (j->how->trips != NULL) {
        request.trips = &j->trips;
        return request;
    }
    request.sources = (struct row_sources){j->origin, j->origins};
    request.from_mass = j->masses;
    request.to_mass = j->masses + j->graph->n;
    request.decay = j->how->decay * j->flow.times;
    return request;
}

static enum status find(struct loads_job *j, struct error *err) {
    const double start = clock_seconds();
    struct progress bar = {0}, *const progress = j->request->verbosity->quiet ? NULL : &bar;
    RETURN_ON_FAILURE(make_graph(j, err));
    const struct betweenness_request request = request_of(j, progress);
    progress_start(&bar, "loading");
    enum status status = betweenness_find(&request, &j->found, err);
    j->find_s = clock_seconds() - start;
    if (status == STATUS_OK && j->request->arguments->check)
        status = betweenness_prove(&request, &j->found, j->request->variant, BETWEENNESS_WHOLE,
                                   &j->proof, err);
    j->check_s = clock_seconds() - start - j->find_s;
    progress_finish(&bar);
    j->found.totals.length /= j->flow.times;
    return status;
}

/* The tail of edge e: the last vertex whose first edge is e or an earlier one. */
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

/* Writes the row of edge e; parallel edges are one edge. */
static char *put_edge(char *to, const void *self, int64_t e) {
    const struct loads_job *const j = self;
    const struct graph *const g = j->graph;
    to += naming_put_field(&g->naming, tail_of(g, e), to);
    *to++ = ',';
    to += naming_put_field(&g->naming, g->head[e], to);
    *to++ = ',';
    to = number_put(to, j->found.edge[e], NUMBER_FLOAT64);
    *to++ = '\n';
    return to;
}

static enum status write_loads(struct loads_job *j, struct error *err) {
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

// Reports -----------------------------------------------------------------------------------------

static void answer(const struct loads_job *j) {
    const struct trip_totals *const totals = &j->found.totals;
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "graph", j->request->graph);
    json_write_integer(w, "vertices", j->graph->n);
    json_write_any_text(w, "demand", j->demand);
    json_write_any_text(w, "loads", j->path);
    json_write_integer(w, "origins", j->origins);
    if (j->how->masses != NULL) {
        json_write_any_text(w, "sent", j->table.name[j->sent]);
        json_write_any_text(w, "attracted", j->table.name[j->attracted]);
        json_write_number(w, "decay", NUMBER_FLOAT64, j->how->decay);
    } else {
        json_write_integer(w, "pairs", j->trips.first[j->trips.origins]);
        json_write_integer(w, "rows_added", j->trips.added);
    }
    json_write_text(w, "way", betweenness_engine_name(j->found.way, j->found.on_gpu));
    json_write_number(w, "trips", NUMBER_FLOAT64, totals->arrive);
    json_write_number(w, "trips_length", NUMBER_FLOAT64, totals->length);
    json_write_number(w, "trips_within", NUMBER_FLOAT64, totals->stay);
    if (j->how->trips != NULL) {
        json_write_number(w, "trips_without_path", NUMBER_FLOAT64, totals->lost);
        json_write_integer(w, "pairs_without_path", totals->lost_pairs);
    }
    json_write_number(w, "grid", NUMBER_FLOAT64, j->flow.rounding.spacing);
    json_write_number(w, "grid_error", NUMBER_FLOAT64, j->flow.rounding.distance_by);
    json_answer_text_if(w, "checked",
                        !j->request->arguments->check ? NULL
                        : j->proof.whole              ? "proved"
                                                      : "sample");
    json_answer_integer_if(w, "checked_origins", j->request->arguments->check, j->proof.sources);
    json_answer_real(w, "find_s", j->find_s);
    json_answer_real_if(w, "check_s", j->request->arguments->check, j->check_s);
    json_answer_real(w, "write_s", j->write_s);
    cli_answer_end(w);
}

static void say(const struct loads_job *j) {
    const struct trip_totals *const totals = &j->found.totals;
    FILE *const to = solver_report_stream(j->request->arguments);
    char name[PATH_MAX], sent[PATH_MAX];
    if (j->request->verbosity->json) {
        answer(j);
        return;
    }
    if (to == NULL)
        return;
    fprintf(to, "loads    %s\n", printable_copy(j->path, name, sizeof name));
    fprintf(to, "trips    %.15g from %d origins, over %.15g in all\n", totals->arrive, j->origins,
            totals->length);
    if (j->how->masses != NULL) {
        fprintf(to, "masses   %s sent, %s attracted, ",
                printable_copy(j->table.name[j->sent], sent, sizeof sent),
                printable_copy(j->table.name[j->attracted], name, sizeof name));
        if (j->how->decay > 0)
            fprintf(to, "decay %.15g\n", j->how->decay);
        else
            fprintf(to, "no decay\n");
    }
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
    if (j->request->arguments->check && j->proof.whole)
        fprintf(to, "checked  proved: loads are those of their definition (%.6g s)\n", j->check_s);
    else if (j->request->arguments->check)
        fprintf(to,
                "checked  not proved: the loads of %d origins alone agree with their definition "
                "(%.6g s)\n",
                j->proof.sources, j->check_s);
    fprintf(to, "find_s   %.6g, by %s\nwrite_s  %.6g\n", j->find_s,
            betweenness_engine_name(j->found.way, j->found.on_gpu), j->write_s);
}

/* Says how trips of masses would be loaded, and how long that would take. */
static enum status plan(struct loads_job *j, struct error *err) {
    struct betweenness_plan found;
    RETURN_ON_FAILURE(make_graph(j, err));
    const struct betweenness_request request = request_of(j, NULL);
    RETURN_ON_FAILURE(betweenness_plan_make(&request, &found, err));
    if (!j->request->verbosity->json) {
        flow_plan_print("loads", &found, stdout);
        return STATUS_OK;
    }
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "graph", j->request->graph);
    json_write_integer(w, "vertices", j->graph->n);
    json_write_any_text(w, "demand", j->demand);
    json_write_integer(w, "origins", j->origins);
    flow_plan_answer(w, "loads", &found);
    cli_answer_end(w);
    return STATUS_OK;
}

enum status make_loads(const struct make_loads *how, const struct solver_request *request,
                       const struct graph *g, bool only_plans, struct error *err) {
    const struct solver_arguments *const a = request->arguments;
    const bool named = a->output != a->solver->default_output;
    struct loads_job j = {.how = how,
                          .request = request,
                          .graph = g,
                          .demand = how->trips != NULL ? how->trips : how->masses,
                          .path = named ? a->output : DEFAULT_LOADS};
    enum status status;
    TRY(output_refuse_input("--output", j.path,
                            how->trips != NULL ? "table of trips" : "table of masses", j.demand,
                            err));
    TRY(output_refuse_input("--output", j.path, "graph", request->graph, err));
    TRY(read_demand(&j, err));
    if (only_plans) {
        status = plan(&j, err);
        goto cleanup;
    }
    TRY(find(&j, err));
    TRY(write_loads(&j, err));
    say(&j);
cleanup:
    betweenness_free(&j.found);
    flow_graph_free(&j.flow);
    trips_free(&j.trips);
    mass_table_free(&j.table);
    memory_free(j.origin);
    memory_free(j.masses);
    return status;
}
