// SPDX-License-Identifier: MIT
/* Reads files of measures. */
#ifndef MEASURES_READ_H
#define MEASURES_READ_H

#include "common/base/json_text.h" // struct json_document
#include "common/rows/result_io.h" // struct provenance
#include "measures/measures.h"     // struct row_sources

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contents of files of measures. */
struct measures_file {
    struct provenance made;
    int64_t edges_read;    /* -1: they do not say */
    enum number_type type; /* of the distances */
    bool integral;         /* they are those of an integral graph (graph.h): int64 */
    int32_t n;
    bool directed;
    struct row_sources sources; /* of these; an own array or NULL for all vertices */
    unsigned parts;             /* of parts.h: what they do not say that they omit */
    bool endpoints;             /* betweenness counts a pair at its ends, too, */
    double times, spacing;      /* of weights that were multiplied or rounded for it */
    double limit;               /* NO_LIMIT for none */

    /* For measures_compare. */
    char *csv_path, *edges_path, *json_path;
    char *csv, *edges; /* texts; edges NULL: there is no betweenness */
    size_t csv_size, edges_size;
    struct json_document json;
};

/* Returns whether a path means files of measures: PREFIX.csv; or PREFIX.json or PREFIX, if there is
 * a PREFIX.csv, and neither a file PREFIX nor a PREFIX.dist.npy. */
bool measures_are_meant(const char *path);

/* Reads PREFIX.csv, PREFIX.json and, with betweenness, PREFIX.edges.csv, opened together, by one of
 * the names above. STATUS_BAD_INPUT for what is malformed or truncated, or does not belong
 * together. The numbers are not judged here but the sources, which are in 0 .. n - 1. The caller
 * frees with measures_file_free. */
enum status measures_read(const char *path, struct measures_file *file, struct error *err);

/* Safe on a zeroed struct and after a failure; leaves it zeroed. */
void measures_file_free(struct measures_file *file);

#endif
