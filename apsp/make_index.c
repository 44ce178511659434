// SPDX-License-Identifier: MIT
#include "apsp/make_index.h"

#include "apsp/answer_grid.h"   // answer_grid_open
#include "cli/json_answer.h"    // the object of --json
#include "cli/solver_report.h"  // struct solver_arguments
#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_amount

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_INDEX "output.apspx"

/* Report on an index that was built or planned. */
struct said {
    const struct solver_request *request;
    const struct graph *graph;
    const struct grid_rounding *rounding;
    const struct index_size *size;
    const char *path; /* path of the index; NULL: the index was only planned */
    double build_s;
};

static void say_json(const struct said *s) {
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "graph", s->request->graph);
    if (s->path != NULL)
        json_write_any_text(w, "index", s->path);
    json_write_integer(w, "vertices", s->graph->n);
    json_write_integer(w, "directions", s->size->both ? 2 : 1);
    json_answer_real(w, "labels_each", s->size->labels_each);
    json_write_integer(w, "height", s->size->height);
    json_write_text(w, "type", graph_type_name(s->graph));
    json_write_integer(w, "cell_bytes", s->size->cell);
    json_write_number(w, "grid_spacing", NUMBER_FLOAT64, s->rounding->spacing);
    json_write_number(w, "grid_error", NUMBER_FLOAT64, s->rounding->distance_by);
    if (!s->size->is_most)
        json_answer_real(w, "distance_bytes", s->size->distance_bytes);
    json_write_integer(w, s->size->is_most ? "most_bytes" : "bytes", (int64_t)s->size->bytes);
    json_write_integer(w, "matrix_bytes", (int64_t)s->size->matrix);
    if (s->path != NULL)
        json_answer_real(w, "build_s", s->build_s);
    cli_answer_end(w);
}

static void say(const struct said *s) {
    char amount[32], matrix[32], name[PATH_MAX];
    const bool is_planned = s->path == NULL;
    if (s->request->verbosity->json) {
        say_json(s);
        return;
    }
    if (s->request->verbosity->quiet)
        return;
    printf("index    %s%s%s%s instead of %s for all distances of %d vertices\n",
           is_planned ? "" : printable_copy(s->path, name, sizeof name), is_planned ? "" : ": ",
           s->size->is_most ? "at most " : "", memory_amount(s->size->bytes, amount, sizeof amount),
           memory_amount(s->size->matrix, matrix, sizeof matrix), s->graph->n);
    printf("labels   %.1f distances of %s%.3g bytes on average, %u at most, %s\n",
           s->size->labels_each, s->size->is_most ? "at most " : "", s->size->distance_bytes,
           s->size->height, s->size->both ? "each way" : "one for both directions");
    if (!is_planned)
        printf("build_s  %.6g\n", s->build_s);
}

enum status make_index(const struct make_index *how, const struct solver_request *request,
                       const struct graph *g, struct error *err) {
    const struct solver_arguments *const a = request->arguments;
    const bool named = a->output != a->solver->default_output;
    const char *const path = named ? a->output : DEFAULT_INDEX;
    struct index_options options = how->options;
    struct gridded gridded = {.rounded = NULL};
    const struct graph *const own = &gridded.graph;
    struct distance_index x = {0};
    struct index_size size;
    struct said said = {request, own, &gridded.rounding, &size, how->plans ? NULL : path, 0};
    struct progress progress;
    enum status status;
    TRY(answer_grid_open(&gridded, request, g, g->type != NUMBER_FLOAT32, &index_purpose, err));
    if (how->reweighted != NULL)
        TRY(index_open(&x, how->reweighted, err));
    options.threads = request->options->threads;
    options.grid_error = gridded.rounding.distance_by;
    const double start = clock_seconds();
    progress_start(&progress, "index");
    struct progress *const shown = request->verbosity->quiet ? NULL : &progress;
    status = how->plans                ? index_plan(own, &options, &size, shown, err)
             : how->reweighted != NULL ? index_update(&x, own, &options, &size, shown, err)
                                       : index_build(&x, own, &options, &size, shown, err);
    progress_finish(&progress);
    if (status != STATUS_OK)
        goto cleanup;
    said.build_s = clock_seconds() - start;
    if (!how->plans)
        TRY(index_save(&x, path, err));
    say(&said);
cleanup:
    index_close(&x);
    gridded_close(&gridded);
    return status;
}
