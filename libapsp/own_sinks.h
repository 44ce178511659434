// SPDX-License-Identifier: MIT
/* The library's own sinks behind apsp_sink: files, results in memory, measures. */
#ifndef LIBAPSP_OWN_SINKS_H
#define LIBAPSP_OWN_SINKS_H

#include "common/base/timing.h"       // struct timing
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "common/rows/row_files.h"    // struct row_files, struct result_format
#include "engines/engines.h"          // struct engine
#include "gpu/device_sink.h"          // struct device_sink
#include "libapsp/array_sink.h"       // struct array_sink
#include "libapsp/objects.h"
#include "solve/grid.h" // struct grid_rounding

#include <stdbool.h>

/* How an answer was made. */
struct making {
    const apsp_graph *graph;
    struct engine engine;
    char chosen[80]; /* the variant that the engine chose, or "" */
    struct timing timing;
    int threads; /* number of threads, as in apsp_options */
    bool proved; /* all rows were proved */
    struct grid_rounding grid;
};

/* The rows that a sink is opened for. */
struct answer {
    const apsp_graph *graph;
    struct row_sources sources;
    double limit;   /* greatest distance in the rows; NO_LIMIT: any */
    bool with_pred; /* the rows have predecessors */
};

enum own_kind { OWN_TEXT, OWN_FILES, OWN_RESULT, OWN_MEASURES, OWN_ARRAYS, OWN_DEVICE };

struct own_sink {
    apsp_sink shown; /* first member: the sink that the caller has */
    enum own_kind kind;
    bool used;
    double limit; /* greatest distance in the answer; NO_LIMIT: any */
    char *path;   /* path of the files, which is freed with the sink; NULL: no files */
    const struct result_format *format; /* format of the files */
    struct vertex_list targets; /* vertices of the columns in files; vertex NULL: every vertex */
    bool resumes;       /* files keep finished rows, and take rows that an earlier call has kept */
    int32_t *rows_kept; /* caller's variable for the number of rows that an earlier call has kept;
                           or NULL */
    struct partial *partial; /* folder of kept rows, while the solve resumes */
    apsp_result **result_to; /* caller's variable for the result */
    apsp_measures **measures_to;
    unsigned parts; /* parts of measures that are computed, bits of apsp_measure_part */

    struct row_sink *to; /* takes the rows, once the sink is open */
    apsp_result *result; /* the result in memory, from which text is written, too */
    apsp_measures *measures;
    struct matrix_sink rows;
    struct row_files files;
    struct column_sink columns; /* selects the columns of a result */
    struct array_sink arrays;
    int device; /* number of the GPU that keeps the rows */
    apsp_device_matrix **device_to;
    apsp_device_matrix *on_device;
    struct device_sink device_rows;
};

/* Makes a sink for a result. The sink owns no memory until it is opened. */
void own_sink_for_result(struct own_sink *own, apsp_result **result);

/* Returns the library's sink that `sink` points to, or NULL if it is a sink of the caller. */
struct own_sink *own_sink_of(const apsp_sink *sink);

/* Returns whether the sink takes predecessors if there are any. */
bool own_sink_takes_predecessors(const struct own_sink *own);

/* Bytes that the sink holds for an answer: own_sink_matrices counts its matrices, own_sink_memory
 * everything else. */
uint64_t own_sink_matrices(const struct own_sink *own, const struct answer *answer);
uint64_t own_sink_memory(const struct own_sink *own, const struct answer *answer, int threads);

/* Stores the type of distances in the sink's files for an answer. STATUS_BAD_INPUT if the format is
 * for integers only. */
enum status own_sink_type(const struct own_sink *own, const struct answer *answer,
                          enum npy_type *type, struct error *err);

/* Prepares own->to for an answer, whose sources last until own_sink_close. STATUS_BAD_INPUT if the
 * sink was opened before. After a failure it is closed. */
enum status own_sink_open(struct own_sink *own, const struct answer *answer, int threads,
                          struct error *err);

/* Completes the result, files or measures, once the sink has all rows: files are in place then. */
enum status own_sink_finish(struct own_sink *own, const struct making *making, struct error *err);

/* Hands a result or measures that are complete to the caller. */
void own_sink_hand_over(struct own_sink *own);

/* Discards everything that is not complete. Safe to repeat. */
void own_sink_close(struct own_sink *own);

#endif
