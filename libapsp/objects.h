// SPDX-License-Identifier: MIT
/* The objects behind apsp.h, and what all its functions begin and end with. */
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
    char name[256]; /* the name of its file */
    /* The number of vertex 0 in that file; everything else counts from 0. */
    int32_t vertices_from;
};

struct apsp_result {
    struct result result;
    char engine[80], chosen[80];
    int32_t *row_of; /* of each vertex, -1 if it has none; NULL: row v is that of vertex v */
};

struct apsp_device_matrix {
    struct device_matrix matrix;
};

struct apsp_measures {
    struct measures measures; /* finished; of_graph has no components if nothing is known of it */
    struct graph head;        /* the graph's counts; its edges are not kept */
    struct provenance made;
};

/* Hands a line to the caller, unless the status is STATUS_OK, and returns the status. */
apsp_status end_call(enum status status, const struct error *err, apsp_error *error);

/* Checks that an integer argument is in lowest .. highest. */
enum status check_range(const char *name, int64_t value, int64_t lowest, int64_t highest,
                        struct error *err);

/* Refuses a graph of another semiring than min-plus for what is of shortest paths. */
enum status check_min_plus(const apsp_graph *graph, struct error *err);

/* Allocates a zeroed object, to be freed with memory_free. */
enum status new_object(void **object, size_t size, const char *what, struct error *err);

/* Copies the caller's options over ours, which hold the defaults (structs.h). */
enum status take_options(apsp_options *to, const apsp_options *from, struct error *err);

/* Makes row_of for a result of some sources. */
enum status index_rows(apsp_result *result, struct error *err);

#endif
