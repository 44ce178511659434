// SPDX-License-Identifier: MIT
/* Timings as rows of a CSV file (csv_file.h). */
#ifndef CLI_TIMING_CSV_H
#define CLI_TIMING_CSV_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/timing.h" // struct timing

#include <stdbool.h>
#include <stdint.h>

/* The measurements of one run, with every parameter. */
struct timing_rows {
    const char *program, *variant, *graph;
    int32_t vertices;
    int64_t edges; /* number of edges as the graph's file counts them */
    uint32_t checksum;
    bool predecessors;
    int threads;        /* number of threads; 0: a GPU solved */
    int tile;           /* side of a tile; 0: the variant has no tiles */
    const char *device; /* the GPU's name, or "" */
    bool checked;       /* the run proved its result */
    int repetitions;
    const struct timing *timings;
};

/* Appends one row for each repetition to the file, after the header line if the file is new or
 * empty. It locks the file (output_lock), writes once and syncs (output_sync), so rows of several
 * processes do not mix. It appends all rows or none: STATUS_NO_RESOURCE if they cannot be written,
 * STATUS_BAD_INPUT if the file holds anything but timings. */
enum status timing_append_csv(const char *path, const struct timing_rows *rows, struct error *err);

/* STATUS_BAD_INPUT for a regular file that is not empty and does not begin with the header line.
 * A file that cannot be opened passes: timing_append_csv will report it. */
enum status timing_check_csv(const char *path, struct error *err);

#endif
