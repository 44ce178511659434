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

/* Checks files that an option names by their prefix. */
static enum status check_files(const struct solver_arguments *a, const char *prefix,
                               const char *const *suffixes, int count, struct error *err) {
    enum status status = output_refuse_directory(prefix, err);
    for (int s = 0; s < count && status == STATUS_OK; s++) {
        char *path;
        if (asprintf(&path, "%s%s", prefix, suffixes[s]) < 0)
            return fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", prefix,
                        suffixes[s]);
        status = check_output(a, path, err);
        free(path);
    }
    return status;
}

static enum status check_npy(const struct solver_arguments *a, struct error *err) {
    static const char *const suffixes[] = {RESULT_DIST_SUFFIX,    RESULT_PRED_SUFFIX,
                                           RESULT_SOURCES_SUFFIX, RESULT_TARGETS_SUFFIX,
                                           RESULT_NPZ_SUFFIX,     RESULT_JSON_SUFFIX};
    /* Both have a PREFIX.json. */
    if (a->measures_prefix != NULL && strcmp(a->measures_prefix, a->output) == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "--measures: expected another prefix than the result's, found %.400s",
                    a->measures_prefix);
    return check_files(a, a->output, suffixes, sizeof suffixes / sizeof *suffixes, err);
}

static enum status check_measures(const struct solver_arguments *a, struct error *err) {
    static const char *const suffixes[] = {".csv", ".json"};
    return check_files(a, a->measures_prefix, suffixes, sizeof suffixes / sizeof *suffixes, err);
}

enum status solver_check_files(const struct solver_arguments *a, struct error *err) {
    if (a->measures_prefix != NULL)
        RETURN_ON_FAILURE(check_measures(a, err));
    if (a->keeps_rows && a->npy)
        RETURN_ON_FAILURE(check_npy(a, err));
    if (a->keeps_rows && !a->npy) {
        RETURN_ON_FAILURE(check_output(a, a->output, err));
        RETURN_ON_FAILURE(output_refuse_directory(a->output, err));
    }
    if (a->csv == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(check_graph(a, "--csv", a->csv, err));
    return timing_check_csv(a->csv, err);
}
