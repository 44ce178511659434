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
    /* number of edges of the graph that was measured; -1: the files do not say */
    int64_t edges_read;
    enum number_type type; /* type of the distances */
    bool integral;         /* distances are those of an integral graph (graph.h): int64 */
    int32_t n;
    bool directed;
    /* sources of the rows; the array belongs to this struct; NULL: all vertices */
    struct row_sources sources;
    /* bits of parts.h: all parts that the files do not list as omitted */
    unsigned parts;
    bool endpoints;        /* betweenness counts a pair at its ends, too */
    double times, spacing; /* as in struct measured_flows */
    double limit;          /* limit of the distances; NO_LIMIT: none */

    /* The members below are for measures_compare. */
    char *csv_path, *edges_path, *json_path;
    char *csv, *edges; /* texts of the files; edges is NULL if there is no betweenness */
    size_t csv_size, edges_size;
    struct json_document json;
};

/* Returns whether a path names files of measures: PREFIX.csv, or PREFIX.json or PREFIX if there is
 * a PREFIX.csv but neither a file PREFIX nor a PREFIX.dist.npy. */
bool measures_are_meant(const char *path);

/* Reads PREFIX.csv, PREFIX.json and, with betweenness, PREFIX.edges.csv, by one of the names that
 * measures_are_meant accepts. Returns STATUS_BAD_INPUT if the files are malformed or truncated, or
 * do not belong together. Of the numbers only the sources are checked: they are in 0 .. n - 1. The
 * caller frees with measures_file_free. */
enum status measures_read(const char *path, struct measures_file *file, struct error *err);

/* Stores the semiring of the lengths that files of measures, named as for measures_read, are of;
 * min-plus if their .json cannot be opened. STATUS_BAD_INPUT if it is malformed. */
enum status measures_semiring(const char *path, enum semiring *semiring, struct error *err);

/* Safe on a zeroed struct and after a failure; leaves it zeroed. */
void measures_file_free(struct measures_file *file);

#endif
