// SPDX-License-Identifier: MIT
#include "apsp/make_index.h"

#include "cli/json_answer.h"    // the object of --json
#include "cli/solver_report.h"  // struct solver_arguments
#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_amount
#include "common/graph/limit.h" // NO_LIMIT

#include <limits.h>
#include <stdio.h>

#define DEFAULT_INDEX "output.apspx"

static enum status check_options(const struct solver_arguments *a, struct error *err) {
    const char *const option = a->sources != NULL     ? "--sources"
                               : a->targets != NULL   ? "--targets"
                               : a->limit != NO_LIMIT ? "--limit"
                               : a->measures          ? "--measures"
                               : a->check             ? "--check"
                               : a->resume            ? "--resume"
                               : a->npy               ? "--format"
                               : a->csv != NULL       ? "--csv"
                               : a->variant_given     ? "--variant"
                                                      : NULL;
    if (option == NULL)
        return STATUS_OK;
    return fail(
        err, STATUS_BAD_INPUT,
        "--index: expected an index of all distances, found %s (query and verify answer from "
        "an index and prove it)",
        option);
}

static void say(const struct solver_request *request, const struct distance_index *x,
                const struct index_size *size, const char *path, double build_s) {
    char amount[32], matrix[32], name[PATH_MAX];
    if (request->verbosity->json) {
        struct json_writer *const w = cli_answer(STATUS_OK, NULL);
        json_write_any_text(w, "graph", request->graph);
        json_write_any_text(w, "index", path);
        json_write_integer(w, "vertices", x->header.vertices);
        json_write_integer(w, "directions", x->header.directions);
        json_answer_real(w, "labels_each", size->labels_each);
        json_write_integer(w, "height", x->header.height);
        json_write_integer(w, "bytes", (int64_t)size->bytes);
        json_write_integer(w, "matrix_bytes", (int64_t)size->matrix);
        json_answer_real(w, "build_s", build_s);
        cli_answer_end(w);
        return;
    }
    if (request->verbosity->quiet)
        return;
    printf("index    %s: %s instead of %s for all distances of %d vertices\n",
           printable_copy(path, name, sizeof name),
           memory_amount(size->bytes, amount, sizeof amount),
           memory_amount(size->matrix, matrix, sizeof matrix), x->header.vertices);
    printf("labels   %.1f distances on average, %u at most, %s\n", size->labels_each,
           x->header.height, x->header.directions == 1 ? "one for both directions" : "each way");
    printf("build_s  %.6g\n", build_s);
}

enum status make_index(const struct make_index *how, const struct solver_request *request,
                       const struct graph *g, struct error *err) {
    const struct solver_arguments *const a = request->arguments;
    const bool named = a->output != a->solver->default_output;
    const char *const path = named ? a->output : DEFAULT_INDEX;
    struct index_options options = how->options;
    struct distance_index x = {0};
    struct index_size size;
    struct progress progress;
    enum status status;
    TRY(check_options(a, err));
    options.threads = request->options->threads;
    const double start = clock_seconds();
    progress_start(&progress, "index");
    status = index_build(&x, g, &options, &size, request->verbosity->quiet ? NULL : &progress, err);
    progress_finish(&progress);
    if (status != STATUS_OK)
        goto cleanup;
    const double build_s = clock_seconds() - start;
    TRY(index_save(&x, path, err));
    say(request, &x, &size, path, build_s);
cleanup:
    index_close(&x);
    return status;
}
