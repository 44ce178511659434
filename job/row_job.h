// SPDX-License-Identifier: MIT
/* The way from a graph that has been read to rows in a sink, which the programs that solve, the
 * library and verify share: a variant solves, rows are proved if that is wanted, and rows that an
 * earlier run has kept are not solved again. */
#ifndef JOB_ROW_JOB_H
#define JOB_ROW_JOB_H

#include "certificate/proving_sink.h" // struct proving_sink
#include "job/resume.h"               // struct resume
#include "solve/solve.h"              // struct solve_request

#include <stdbool.h>

/* The first members are the caller's, set before row_job_begin. */
struct row_job {
    const struct solver_variant *variant; /* solves */
    struct solve_request request;         /* what is solved; its sources are those of all rows */
    bool proves;                          /* rows are proved before a sink has them */
    struct resume *resume; /* rows that an earlier run has kept, open; NULL: all rows are solved */
    struct row_files *files; /* files that have those rows; read with `resume` only */

    struct row_sink *sink;     /* takes the rows of the variant */
    struct proving_sink proof; /* proves rows; open since the first begin of a job that proves */
};

/* Puts what the job does with rows before `to`, which outlives it, and finds the rows that are
 * kept; job->variant is the one that solves from then on (resume_begin). A job that has ended may
 * begin again, for other sources of the same graph. The caller frees with row_job_close, also after
 * a failure. */
enum status row_job_begin(struct row_job *job, struct row_sink *to, struct progress *progress,
                          struct error *err);

/* Solves, and stores the time of each repetition in timing; fails as solve_rows does, and with
 * STATUS_REFUTED if a row is not proved. Without rows to solve the times are 0. */
enum status row_job_solve(struct row_job *job, struct timing *timing, struct error *err);

/* Safe on a zeroed struct; leaves what the caller has set. */
void row_job_close(struct row_job *job);

#endif
