// SPDX-License-Identifier: MIT
#include "apsp/make_diameter.h"

#include "apsp/table_file.h"           // table_file_write
#include "cli/json_answer.h"           // the object of --json
#include "cli/solver_report.h"         // struct solver_arguments, solver_report_stream
#include "common/base/clock.h"         // clock_seconds
#include "common/base/number_text.h"   // number_text
#include "common/base/output.h"        // output_refuse_input
#include "eccentricity/eccentricity.h" // eccentricities_find

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct diameter_job {
    const struct solver_request *request;
    const struct graph *graph;
    const char *path; /* path of the file of all eccentricities; NULL: no file is wanted */
    struct eccentricities found;
    double solve_s, write_s;
};

static enum status find(struct diameter_job *j, struct error *err) {
    struct progress bar = {0};
    const bool all = j->path != NULL;
    const struct eccentricity_request request = {
        .graph = j->graph,
        .wants = ECCENTRICITY_RADIUS | (all ? ECCENTRICITY_ALL : 0),
        .check = j->request->arguments->check,
        .threads = j->request->options->threads,
        .progress = j->request->verbosity->quiet ? NULL : &bar};
    const double start = clock_seconds();
    progress_start(&bar, "diameter, searches of at most all");
    bar.unit = "searches";
    const enum status status = eccentricities_find(&request, &j->found, err);
    progress_finish(&bar);
    j->solve_s = clock_seconds() - start;
    return status;
}

static char *put_vertex(char *to, const void *self, int64_t v) {
    const struct diameter_job *const j = self;
    to += naming_put_field(&j->graph->naming, (int32_t)v, to);
    *to++ = ',';
    to = number_put(to, j->found.lower[v], j->graph->type);
    *to++ = '\n';
    return to;
}

static enum status write_table(struct diameter_job *j, struct error *err) {
    const struct table_file table = {.path = j->path,
                                     .head = "vertex,eccentricity\n",
                                     .rows = j->graph->n,
                                     .row_size = naming_longest_field(&j->graph->naming) + 1 +
                                                 NUMBER_TEXT_MAX + 1,
                                     .put = put_vertex,
                                     .self = j,
                                     .threads = j->request->options->threads};
    return table_file_write(&table, &j->write_s, err);
}

static void write_length(struct json_writer *w, const char *name, enum number_type type,
                         double length) {
    if (isfinite(length))
        json_write_number(w, name, type, length);
    else
        json_write_null(w, name);
}

static void write_vertex(struct json_writer *w, const char *name, const struct graph *g,
                         int32_t v) {
    if (v < 0)
        json_write_null(w, name);
    else
        json_write_any_text(w, name, graph_name(g, v).text);
}

/* Returns whether --check was given, and all searches are proved. */
static bool is_proved(const struct diameter_job *j) {
    return j->request->arguments->check && j->found.searches == j->found.proved;
}

static void answer(const struct diameter_job *j) {
    const struct eccentricities *const f = &j->found;
    const struct graph *const g = j->graph;
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "graph", j->request->graph);
    json_write_integer(w, "vertices", g->n);
    json_write_bool(w, "directed", f->directed);
    json_write_integer(w, f->directed ? "strongly_connected_components" : "components",
                       f->components);
    write_length(w, "diameter", graph_written_type(g), f->diameter);
    write_length(w, "radius", graph_written_type(g), f->radius);
    json_write_number(w, "largest_distance", graph_written_type(g), f->largest);
    write_vertex(w, "from", g, f->from);
    write_vertex(w, "to", g, f->to);
    write_vertex(w, "central", g, f->central);
    json_write_integer(w, "searches", f->searches);
    json_write_bool(w, "checked", is_proved(j));
    json_answer_text_if(w, "eccentricities", j->path);
    json_answer_real(w, "solve_s", j->solve_s);
    json_answer_real(w, "write_s", j->write_s);
    cli_answer_end(w);
}

static void say_lengths(const struct diameter_job *j, FILE *to) {
    const struct eccentricities *const f = &j->found;
    const struct graph *const g = j->graph;
    char text[NUMBER_TEXT_MAX];
    if (f->components == 1) {
        fprintf(to, "diameter  %s, from %s", number_text(g->type, f->diameter, text),
                graph_name(g, f->from).text);
        fprintf(to, " to %s%s\n", graph_name(g, f->to).text, graph_numbering(g));
        fprintf(to, "radius    %s, of %s\n", number_text(g->type, f->radius, text),
                graph_name(g, f->central).text);
    } else if (f->from >= 0) {
        fprintf(to, "diameter  infinite, and so is the radius: %d %scomponents\n", f->components,
                f->directed ? "strongly connected " : "");
        fprintf(to, "largest   finite distance %s, from %s", number_text(g->type, f->largest, text),
                graph_name(g, f->from).text);
        fprintf(to, " to %s%s\n", graph_name(g, f->to).text, graph_numbering(g));
    } else {
        fprintf(to, "diameter  infinite, and so is the radius: no vertices\n");
    }
}

static void say(const struct diameter_job *j) {
    const struct eccentricities *const f = &j->found;
    FILE *const to = solver_report_stream(j->request->arguments);
    char name[PATH_MAX];
    if (j->request->verbosity->json) {
        answer(j);
        return;
    }
    if (to == NULL)
        return;
    say_lengths(j, to);
    if (f->directed)
        fprintf(to, "searches  %d from and to %d of %d vertices\n", f->searches, f->sources, f->n);
    else
        fprintf(to, "searches  %d from as many of %d vertices\n", f->searches, f->n);
    if (is_proved(j))
        fprintf(to, "checked   proved: the distances of all searches, from which this follows\n");
    if (j->path != NULL)
        fprintf(to, "wrote     %s: the eccentricities of all vertices\n",
                printable_copy(j->path, name, sizeof name));
    fprintf(to, "solve_s   %.6g\n", j->solve_s);
    if (j->path != NULL)
        fprintf(to, "write_s   %.6g\n", j->write_s);
}

static void plan(const struct diameter_job *j) {
    const double tens_s = eccentricity_search_s(j->graph, j->graph->n < 50 ? j->graph->n : 50,
                                                j->request->options->threads);
    const double all_s = eccentricity_search_s(j->graph, j->graph->n, j->request->options->threads);
    if (j->request->verbosity->json) {
        struct json_writer *const w = cli_answer(STATUS_OK, NULL);
        json_write_any_text(w, "graph", j->request->graph);
        json_write_integer(w, "vertices", j->graph->n);
        json_answer_real(w, "fifty_sources_s", tens_s);
        json_answer_real(w, "all_sources_s", all_s);
        cli_answer_end(w);
        return;
    }
    printf("diameter by bounds   %.3g s for searches from 50 vertices, which mostly do\n"
           "                     %.3g s for searches from all, if bounds never close\n",
           tens_s, all_s);
}

enum status make_diameter(const struct solver_request *request, const struct graph *g,
                          bool only_plans, struct error *err) {
    const struct solver_arguments *const a = request->arguments;
    const bool named = a->output != a->solver->default_output;
    struct diameter_job j = {.request = request, .graph = g, .path = named ? a->output : NULL};
    enum status status = STATUS_OK;
    if (named)
        TRY(output_refuse_input("--output", j.path, "graph", request->graph, err));
    if (only_plans) {
        plan(&j);
        goto cleanup;
    }
    TRY(find(&j, err));
    if (named)
        TRY(write_table(&j, err));
    say(&j);
cleanup:
    eccentricities_free(&j.found);
    return status;
}
