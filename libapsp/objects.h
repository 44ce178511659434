// SPDX-License-Identifier: MIT
/* The objects behind apsp.h, and the checks and conversions that its functions share. */
#ifndef LIBAPSP_OBJECTS_H
#define LIBAPSP_OBJECTS_H

#include "common/base/error.h"     // enum status, struct error
#include "common/graph/graph.h"    // struct graph
#include "common/rows/result_io.h" // struct result
#include "gpu/device_sink.h"       // struct device_matrix
#include "libapsp/apsp.h"
#include "measures/measures.h" // struct measures

struct apsp_graph {
    struct graph graph;
    char name[256]; /* name of the graph's file, for messages */
    /* Number of the first vertex in that file; all other numbers of vertices count from 0. */
    int32_t vertices_from;
};

struct apsp_result {
    struct result result;
    char engine[80], chosen[80];
    int32_t *row_of; /* row of each vertex, -1 if it has none; NULL: row v is that of vertex v */
};

struct apsp_device_matrix {
    struct device_matrix matrix;
};

struct apsp_measures {
    struct measures measures; /* finished; of_graph.components is 0 if that is unknown */
    struct graph head;        /* counts of the graph without its edges */
    struct provenance made;
};

/* Copies err's line to the caller's error unless the status is STATUS_OK. Returns the status. */
apsp_status end_call(enum status status, const struct error *err, apsp_error *error);

/* Checks that an integer argument is in lowest .. highest. */
enum status check_range(const char *name, int64_t value, int64_t lowest, int64_t highest,
                        struct error *err);

/* STATUS_BAD_INPUT if the graph's semiring is not min-plus: for functions that need shortest
 * paths. */
enum status check_min_plus(const apsp_graph *graph, struct error *err);

/* Allocates a zeroed object, to be freed with memory_free. */
enum status new_object(void **object, size_t size, const char *what, struct error *err);

/* Copies the caller's options over ours, which hold the defaults (structs.h). */
enum status take_options(apsp_options *to, const apsp_options *from, struct error *err);

/* Makes result->row_of if the result has rows of some sources only. */
enum status index_rows(apsp_result *result, struct error *err);

#endif
