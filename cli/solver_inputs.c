// SPDX-License-Identifier: MIT
#include "cli/solver_inputs.h"

#include "cli/timing_csv.h"           // timing_check_csv
#include "common/base/output.h"       // output_is_same, output_refuse_input
#include "common/rows/result_files.h" // npy_suffixes
#include "common/rows/vertex_list.h"  // vertex_list_refuse_output

#include "measures/file_names.h" // MEASURES_EDGES

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Refuses to write to the graph or to a list of vertices. */
static enum status check_inputs(const struct solver_arguments *a, const char *option,
                                const char *path, struct error *err) {
    RETURN_ON_FAILURE(output_refuse_input(option, path, "graph", a->graph, err));
    RETURN_ON_FAILURE(vertex_list_refuse_output(a->sources, option, path, err));
    return vertex_list_refuse_output(a->targets, option, path, err);
}

/* Checks one file that an option makes the program write. */
static enum status check_output(const struct solver_arguments *a, const char *option,
                                const char *path, struct error *err) {
    bool same = false;
    RETURN_ON_FAILURE(check_inputs(a, option, path, err));
    if (a->csv != NULL)
        RETURN_ON_FAILURE(output_is_same(path, a->csv, &same, err));
    if (same)
        return fail(err, STATUS_BAD_INPUT,
                    "--csv: expected another file than the result's %.400s, found %.400s", path,
                    a->csv);
    return STATUS_OK;
}

/* Checks files that an option names by their prefix. */
static enum status check_files(const struct solver_arguments *a, const char *option,
                               const char *prefix, const char *const *suffixes, int count,
                               struct error *err) {
    enum status status = output_refuse_directory(prefix, err);
    for (int s = 0; s < count && status == STATUS_OK; s++) {
        char *path;
        if (asprintf(&path, "%s%s", prefix, suffixes[s]) < 0)
            return fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", prefix,
                        suffixes[s]);
        status = check_output(a, option, path, err);
        free(path);
    }
    return status;
}

static enum status check_npy(const struct solver_arguments *a, struct error *err) {
    return check_files(a, "--output", a->output, npy_suffixes, NPY_FILES, err);
}

/* Refuses a file of the measures that is also a file of the result: its text, which may have any
 * name, or the PREFIX.json beside its NumPy files. */
static enum status check_apart(const struct solver_arguments *a, const char *suffix,
                               struct error *err) {
    char *file = NULL, *result = NULL;
    bool same = false;
    enum status status;
    if (asprintf(&file, "%s%s", a->measures_prefix, suffix) < 0)
        file = NULL;
    if (asprintf(&result, "%s%s", a->output, a->format.npy ? RESULT_JSON_SUFFIX : "") < 0)
        result = NULL;
    if (file == NULL || result == NULL) {
        status = fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", a->measures_prefix,
                      suffix);
        goto cleanup;
    }
    TRY(output_is_same(file, result, &same, err));
    if (same)
        status = fail(err, STATUS_BAD_INPUT,
                      "--measures: expected another prefix than the result's, found %.400s",
                      a->measures_prefix);
cleanup:
    free(file);
    free(result);
    return status;
}

static enum status check_measures(const struct solver_arguments *a, struct error *err) {
    static const char *const suffixes[] = {MEASURES_CSV, MEASURES_JSON, MEASURES_EDGES};
    const int count = a->betweenness ? 3 : 2;
    RETURN_ON_FAILURE(check_files(a, "--measures", a->measures_prefix, suffixes, count, err));
    for (int s = 0; a->keeps_rows && s < count; s++)
        RETURN_ON_FAILURE(check_apart(a, suffixes[s], err));
    return STATUS_OK;
}

enum status solver_check_files(const struct solver_arguments *a, struct error *err) {
    if (a->measures_prefix != NULL)
        RETURN_ON_FAILURE(check_measures(a, err));
    if (a->keeps_rows && a->format.npy)
        RETURN_ON_FAILURE(check_npy(a, err));
    if (a->keeps_rows && !a->format.npy) {
        RETURN_ON_FAILURE(check_output(a, "--output", a->output, err));
        RETURN_ON_FAILURE(output_refuse_directory(a->output, err));
    }
    if (a->csv == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(check_inputs(a, "--csv", a->csv, err));
    return timing_check_csv(a->csv, err);
}
