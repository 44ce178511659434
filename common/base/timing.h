// SPDX-License-Identifier: MIT
/* The two clocks of every solver, and timings as CSV. */
#ifndef COMMON_BASE_TIMING_H
#define COMMON_BASE_TIMING_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

/* Seconds of one repetition. */
struct timing {
    double solve_s;    /* from input resident to result resident: potentials, all phases, checks of
                          range included; no allocation, no transfer */
    double total_s;    /* from the loaded graph to the answer in host memory: adds context creation,
                          allocation and transfers */
    double transfer_s; /* the part of total_s in which edges went to the device and results came
                          back; 0 on the CPU */
};

/* Medians of each figure over count >= 1 repetitions (the mean of the middle
 * two where count is even). */
enum status timing_median(const struct timing *timings, int count, struct timing *median,
                          struct error *err);

/* What one run measured, with every parameter. */
struct timing_rows {
    const char *program, *variant, *graph;
    int32_t vertices;
    int64_t edges; /* as the graph file counts them */
    uint32_t checksum;
    bool predecessors;
    int threads;        /* 0 where a GPU solves */
    int tile;           /* 0 where the variant has none */
    const char *device; /* the GPU's name, or "" */
    bool checked;       /* the certificate was proved in the same run */
    int repetitions;
    const struct timing *timings;
};

/* Appends one CSV row for each repetition to the file, which gets the header line when it is new or
 * empty: in one write, synced (output_sync), while the file is locked (output_lock), so that those
 * of several processes do not mix. All of them or none: STATUS_NO_RESOURCE where they cannot be
 * written, STATUS_BAD_INPUT where the file holds something else than timings. */
enum status timing_append_csv(const char *path, const struct timing_rows *rows, struct error *err);

/* STATUS_BAD_INPUT for a regular file, not empty, that does not begin with the header line; what
 * cannot be opened is left to timing_append_csv. */
enum status timing_check_csv(const char *path, struct error *err);

#endif
