// SPDX-License-Identifier: MIT
/* Measures on disk and for people. The files are described in docs/measures.md. */
#ifndef MEASURES_MEASURES_IO_H
#define MEASURES_MEASURES_IO_H

#include "common/base/json_text.h" // struct json_document
#include "common/base/output.h"    // struct output
#include "common/rows/result_io.h" // struct provenance
#include "measures/measures.h"     // struct measures

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes finished measures: PREFIX.csv, a row for each source in their order, and PREFIX.json,
 * which holds the CRC-32 of the other and is put in place last: both or none (output_commit_all).
 * Vertices count from 0; the column `id` has their names by made->naming. The same measures are the
 * same bytes but for what `made` says. */
enum status measures_write(const char *prefix, const struct measures *m,
                           const struct provenance *made, struct error *err);

/* The same in two steps, for a program that writes other files between them. */
struct measures_files {
    struct output csv, json;
    char *csv_path, *json_path;
};

/* Writes both files under hidden names. The caller frees with measures_files_discard, also after a
 * failure. */
enum status measures_files_write(struct measures_files *files, const char *prefix,
                                 const struct measures *m, const struct provenance *made,
                                 struct error *err);

/* Puts both in place, or none. */
enum status measures_files_commit(struct measures_files *files, struct error *err);

/* Frees it, and removes the files unless they have been put in place. */
void measures_files_discard(struct measures_files *files);

/* Writes the measures of the pairs and of the graph for people, a line each. Vertices are numbered
 * as in the graph's file. */
void measures_print(FILE *to, const struct measures *m);

/* Appends an object of JSON with all that PREFIX.json says of finished measures, but for who made
 * them and how. The caller frees the text with memory_free, also after a failure. */
enum status measures_answer(const struct measures *m, struct json_long_text *text,
                            struct error *err);

/* What files of measures say. */
struct measures_file {
    struct provenance made;
    int64_t edges_read;    /* -1: they do not say */
    enum number_type type; /* of the distances */
    int32_t n;
    bool directed;
    struct row_sources sources; /* of these; an own array or NULL for all vertices */
    unsigned parts;             /* of measures.h: what they do not say that they omit */
    double limit;               /* NO_LIMIT for none */

    /* For measures_compare. */
    char *csv_path, *json_path;
    char *csv;
    size_t csv_size;
    struct json_document json;
};

/* Whether a path means files of measures: PREFIX.csv; or PREFIX.json or PREFIX, if there is a
 * PREFIX.csv, and neither a file PREFIX nor a PREFIX.dist.npy. */
bool measures_are_meant(const char *path);

/* Reads PREFIX.csv and PREFIX.json, opened together, by one of the names above. STATUS_BAD_INPUT
 * for what is malformed or truncated, or does not belong together. The numbers are not judged here
 * but the sources, which are in 0 .. n - 1. The caller frees with measures_file_free. */
enum status measures_read(const char *path, struct measures_file *file, struct error *err);

/* Compares finished measures of the same number of vertices, the same sources and the same parts,
 * computed anew, with what files say, number by number. STATUS_REFUTED for the first that differs,
 * with its place, what was expected and what was found; STATUS_BAD_INPUT if something is no number.
 */
enum status measures_compare(const struct measures_file *file, const struct measures *m,
                             struct error *err);

/* Safe on a zeroed struct and after a failure; leaves it zeroed. */
void measures_file_free(struct measures_file *file);

#endif
