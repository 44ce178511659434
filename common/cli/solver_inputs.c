// SPDX-License-Identifier: MIT
#include "common/cli/solver_inputs.h"

#include "common/base/output.h"    // output_is_same
#include "common/cli/timing_csv.h" // timing_check_csv

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Checks that a file that an option names for writing is not the graph. */
static enum status check_graph(const struct solver_arguments *a, const char *option,
                               const char *path, struct error *err) {
    bool same;
    RETURN_ON_FAILURE(strcmp(a->graph, "-") == 0
                          ? output_is_descriptor(path, STDIN_FILENO, &same, err)
                          : output_is_same(path, a->graph, &same, err));
    if (same)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected another file than the graph %.400s, found %.400s", option,
                    a->graph, path);
    return STATUS_OK;
}

/* Checks one file of the result. */
static enum status check_output(const struct solver_arguments *a, const char *path,
                                struct error *err) {
    bool same = false;
    RETURN_ON_FAILURE(check_graph(a, "--output", path, err));
    if (a->csv != NULL)
        RETURN_ON_FAILURE(output_is_same(path, a->csv, &same, err));
    if (same)
        return fail(err, STATUS_BAD_INPUT,
                    "--csv: expected another file than the result's %.400s, found %.400s", path,
                    a->csv);
    return STATUS_OK;
}

static enum status check_npy(const struct solver_arguments *a, struct error *err) {
    static const char *const suffixes[] = {RESULT_DIST_SUFFIX, RESULT_PRED_SUFFIX,
                                           RESULT_SOURCES_SUFFIX, RESULT_JSON_SUFFIX};
    enum status status = output_refuse_directory(a->output, err);
    for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes && status == STATUS_OK; s++) {
        char *path;
        if (asprintf(&path, "%s%s", a->output, suffixes[s]) < 0)
            return fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", a->output,
                        suffixes[s]);
        status = check_output(a, path, err);
        free(path);
    }
    return status;
}

enum status solver_check_files(const struct solver_arguments *a, struct error *err) {
    if (a->measures_prefix != NULL)
        RETURN_ON_FAILURE(check_files(a, a->measures_prefix, measures_suffixes, err));
    if (!a->keeps_rows) {
        /* nothing is written to --output */
    } else if (a->npy) {
        RETURN_ON_FAILURE(check_npy(a, err));
    } else {
        RETURN_ON_FAILURE(check_output(a, a->output, err));
        RETURN_ON_FAILURE(output_refuse_directory(a->output, err));
    }
    if (a->csv == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(check_graph(a, "--csv", a->csv, err));
    return timing_check_csv(a->csv, err);
}
