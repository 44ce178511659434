// SPDX-License-Identifier: MIT
#include "apsp/make_pairs.h"

#include "apsp/table_file.h"          // table_file_write
#include "certificate/proving_sink.h" // struct proving_sink
#include "cli/json_answer.h"          // the object of --json
#include "cli/solver_report.h"        // struct solver_arguments, solver_report_stream
#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/base/number_text.h"  // number_put
#include "common/base/output.h"       // output_refuse_input
#include "common/graph/limit.h"       // limit_text
#include "common/rows/pair_sink.h"    // struct pair_sink
#include "flows/along_sink.h"         // struct along_sink
#include "flows/trips.h"              // pairs_read
#include "solve/solve.h"              // solve_rows

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_PAIRS "distances.csv"

struct pairs_job {
    const struct solver_request *request;
    const struct graph *graph;
    const char *list, *path; /* list: file of pairs; path: file of distances */
    struct pairs pairs;
    double *distance; /* distance of each different pair */
    const struct edge_columns *columns;
    struct graph reversed; /* reverse of the graph, by which sums are found for the pairs only */
    double *sum; /* sum of column c along the path of different pair p, at c * (number of different
                    pairs) + p */
    int64_t without; /* number of pairs without a path */
    double solve_s, write_s;
};

static enum status solve_into(struct pairs_job *j, struct row_sink *sink, struct error *err) {
    const struct trips *const by_origin = &j->pairs.by_origin;
    struct progress bar = {0};
    const struct solve_request request = {.graph = j->graph,
                                          .sources = {by_origin->origin, by_origin->origins},
                                          .limit = j->request->limit,
                                          .options = j->request->options,
                                          .progress = j->request->verbosity->quiet ? NULL : &bar,
                                          .repetitions = 1};
    struct timing timing;
    progress_start(&bar, "pairs");
    bar.unit = "rows";
    const enum status status = solve_rows(j->request->variant, &request, sink, &timing, err);
    progress_finish(&bar);
    return status;
}

static int64_t different_pairs(const struct pairs_job *j) {
    return j->pairs.by_origin.first[j->pairs.by_origin.origins];
}

/* Makes the sinks of sums along paths, which hand distances on to `to`. */
static enum status open_sums(struct pairs_job *j, struct along_sink *along, struct pair_sink *sums,
                             struct row_sink *to, struct error *err) {
    const struct trips *const by_origin = &j->pairs.by_origin;
    const int64_t count = different_pairs(j);
    struct row_sink *of[EDGE_COLUMNS_MOST];
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)count * (size_t)j->columns->count,
                                   sizeof *j->sum, "the sums", err));
    j->sum = memory;
    for (int c = 0; c < j->columns->count; c++) {
        pair_sink_open(&sums[c], by_origin->first, by_origin->to, j->sum + c * count);
        of[c] = &sums[c].sink;
    }
    along_sink_open(along, j->graph, j->columns, j->request->arguments->check, to, of);
    RETURN_ON_FAILURE(graph_reverse(j->graph, &j->reversed, err));
    along_sink_narrow(along, &j->reversed, by_origin->first, by_origin->to);
    return STATUS_OK;
}

static enum status find(struct pairs_job *j, struct error *err) {
    const struct trips *const by_origin = &j->pairs.by_origin;
    const double start = clock_seconds();
    const int64_t count = different_pairs(j);
    struct proving_sink proof = {.to = NULL};
    struct pair_sink distances, sums[EDGE_COLUMNS_MOST];
    struct along_sink along = {.to = NULL};
    struct row_sink *sink = &distances.sink;
    void *memory;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)count, sizeof *j->distance, "the distances", err));
    j->distance = memory;
    pair_sink_open(&distances, by_origin->first, by_origin->to, j->distance);
    if (j->columns->count > 0) {
        TRY(open_sums(j, &along, sums, sink, err));
        sink = &along.sink;
    }
    if (j->request->arguments->check) {
        TRY(proving_sink_open(&proof, j->graph, j->request->limit, false, sink, err));
        TRY(solve_into(j, &proof.sink, err));
    } else {
        TRY(solve_into(j, sink, err));
    }
    const double no_path = semiring_no_path(j->graph->semiring, NUMBER_FLOAT64);
    for (int64_t k = 0; k < j->pairs.count; k++)
        j->without += j->distance[j->pairs.place[k]] == no_path;
cleanup:
    proving_sink_close(&proof);
    along_sink_close(&along);
    j->solve_s = clock_seconds() - start;
    return status;
}

static char *put_number(char *to, double number, enum number_type type) {
    return isinf(number) ? stpcpy(to, number < 0 ? "-inf" : "inf") : number_put(to, number, type);
}

static char *put_pair(char *to, const void *self, int64_t pair) {
    const struct pairs_job *const j = self;
    const struct vertex_naming *const naming = &j->graph->naming;
    const int64_t place = j->pairs.place[pair];
    const double distance = j->distance[place];
    to += naming_put_field(naming, j->pairs.from[pair], to);
    *to++ = ',';
    to += naming_put_field(naming, j->pairs.by_origin.to[place], to);
    *to++ = ',';
    to = put_number(to, distance, j->graph->type);
    for (int c = 0; c < j->columns->count; c++) {
        *to++ = ',';
        to = put_number(to, j->sum[c * different_pairs(j) + place], NUMBER_FLOAT64);
    }
    *to++ = '\n';
    return to;
}

static const char *const fields[] = {"source", "target", "distance"};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Appends the name of a column to the line of names, with the quotes that it needs. A name that the
 * line already has gets "along_" before it. */
static char *put_name(char *to, const char *name) {
    const bool quoted = strpbrk(name, ",\"") != NULL;
    *to++ = ',';
    if (quoted)
        *to++ = '"';
    for (int f = 0; f < FIELDS; f++) {
        if (strcmp(name, fields[f]) == 0)
            to = stpcpy(to, "along_");
    }
    for (; *name != '\0'; name++) {
        if (*name == '"')
            *to++ = '"';
        *to++ = *name;
    }
    if (quoted)
        *to++ = '"';
    return to;
}

static enum status write_distances(struct pairs_job *j, struct error *err) {
    char head[EDGE_COLUMNS_MOST * (2 * EDGE_COLUMN_NAME + 16) + 64];
    char *end = head + sprintf(head, "%s,%s,%s", fields[0], fields[1], fields[2]);
    for (int c = 0; c < j->columns->count; c++)
        end = put_name(end, j->columns->name[c]);
    stpcpy(end, "\n");
    const struct table_file table = {.path = j->path,
                                     .head = head,
                                     .rows = j->pairs.count,
                                     .row_size =
                                         2 * (naming_longest_field(&j->graph->naming) + 1) +
                                         (1 + (size_t)j->columns->count) * (NUMBER_TEXT_MAX + 1),
                                     .put = put_pair,
                                     .self = j,
                                     .threads = j->request->options->threads};
    return table_file_write(&table, &j->write_s, err);
}

static void say(const struct pairs_job *j) {
    const struct solver_arguments *const a = j->request->arguments;
    FILE *const to = solver_report_stream(a);
    char name[PATH_MAX], limit[LIMIT_TEXT];
    if (j->request->verbosity->json) {
        struct json_writer *const w = cli_answer(STATUS_OK, NULL);
        json_write_any_text(w, "graph", j->request->graph);
        json_write_integer(w, "vertices", j->graph->n);
        json_write_any_text(w, "pairs_file", j->list);
        json_write_any_text(w, "distances", j->path);
        json_write_integer(w, "pairs", j->pairs.count);
        json_write_integer(w, "origins", j->pairs.by_origin.origins);
        json_write_integer(w, "pairs_without_path", j->without);
        json_answer_number(w, "limit", graph_written_type(j->graph), j->request->limit);
        json_write_array(w, "along");
        for (int c = 0; c < j->columns->count; c++)
            json_write_any_text(w, NULL, j->columns->name[c]);
        json_write_array_end(w);
        json_write_bool(w, "checked", a->check);
        json_answer_real(w, "solve_s", j->solve_s);
        json_answer_real(w, "write_s", j->write_s);
        cli_answer_end(w);
        return;
    }
    if (to == NULL)
        return;
    fprintf(to, "distances %s\n", printable_copy(j->path, name, sizeof name));
    limit_text(j->request->limit, limit);
    fprintf(to, "pairs     %lld from %d origins; %lld without a path%s\n",
            (long long)j->pairs.count, j->pairs.by_origin.origins, (long long)j->without, limit);
    if (a->check)
        fprintf(to, "checked   proved: all distances from these origins%s are exact%s\n",
                j->columns->count > 0 ? ", and sums along their paths," : "", limit);
    fprintf(to, "solve_s   %.6g\nwrite_s   %.6g\n", j->solve_s, j->write_s);
}

enum status make_pairs(const char *path, const struct solver_request *request,
                       const struct graph *g, struct error *err) {
    const struct solver_arguments *const a = request->arguments;
    const bool named = a->output != a->solver->default_output;
    struct pairs_job j = {.request = request,
                          .graph = g,
                          .list = path,
                          .path = named ? a->output : DEFAULT_PAIRS,
                          .columns = a->reading.columns};
    enum status status;
    TRY(output_refuse_input("--output", j.path, "list of pairs", path, err));
    TRY(output_refuse_input("--output", j.path, "graph", request->graph, err));
    TRY(pairs_read(path, g, &j.pairs, err));
    graph_note(&a->reading, j.pairs.by_origin.note.text);
    TRY(find(&j, err));
    TRY(write_distances(&j, err));
    say(&j);
cleanup:
    pairs_free(&j.pairs);
    memory_free(j.distance);
    memory_free(j.sum);
    graph_free(&j.reversed);
    return status;
}
