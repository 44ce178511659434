// SPDX-License-Identifier: MIT
/* A run of a solver program that several processes share: each solves some of the rows, and rank 0
 * has the measures, completes the files and reports. */
#ifndef CLI_SOLVER_RANKS_H
#define CLI_SOLVER_RANKS_H

#include "cli/solver_report.h" // struct solver_arguments, struct solver_run

/* Refuses what several processes cannot do, and settles how many threads each has and with which
 * instruction set, the same for all. Only rank 0 prints from then on. */
enum status solver_ranks_begin(struct solver_arguments *a, const struct ranks *ranks,
                               struct error *err);

/* Opens the claims for rows, and puts a sink before the one of the run that notes which rows this
 * rank has taken; for all ranks to call. */
enum status solver_ranks_open(struct solver_run *run, struct row_sink **sink, struct error *err);

/* For all ranks to call after a solve, each with its status. Returns what all agree on, with
 * STATUS_OK only if every row was solved by one rank; rank 0 then has what measures and files need,
 * and what each rank took. */
enum status solver_ranks_close(const struct solver_arguments *a, struct solver_run *run,
                               enum status status, struct error *err);

/* Safe on a zeroed struct. */
void solver_ranks_free(struct rank_rows *rows);

#endif
