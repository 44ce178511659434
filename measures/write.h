// SPDX-License-Identifier: MIT
/* Writes measures to files; docs/measures.md describes the files. */
#ifndef MEASURES_WRITE_H
#define MEASURES_WRITE_H

#include "common/base/output.h"    // struct output
#include "common/rows/result_io.h" // struct provenance
#include "measures/measures.h"     // struct measures

/* Writes finished measures: PREFIX.csv, a row for each source in their order; with betweenness
 * PREFIX.edges.csv; and PREFIX.json, which holds the CRC-32 of the others and is put in place last.
 * All files appear, or none (output_commit_all). Vertices count from 0; the column `id` has their
 * names according to made->naming. Equal measures give equal bytes, except for the contents of
 * `made`. */
enum status measures_write(const char *prefix, const struct measures *m,
                           const struct provenance *made, struct error *err);

/* Writes measures in two steps, for a program that writes other files between them. */
struct measures_files {
    struct output csv, edges, json;
    char *csv_path, *edges_path, *json_path;
    int count; /* number of files: 2, or 3 with edges */
};

/* Writes all files under hidden names. The caller frees with measures_files_discard, also after a
 * failure. */
enum status measures_files_write(struct measures_files *files, const char *prefix,
                                 const struct measures *m, const struct provenance *made,
                                 struct error *err);

/* Puts all files in place, or none. */
enum status measures_files_commit(struct measures_files *files, struct error *err);

/* Frees *files, and removes the files unless they have been put in place. */
void measures_files_discard(struct measures_files *files);

#endif
