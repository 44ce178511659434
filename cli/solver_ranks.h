// SPDX-License-Identifier: MIT
/* A run of a solver program that several processes share: each solves some of the rows, and rank 0
 * has the measures, completes the files and reports. */
#ifndef CLI_SOLVER_RANKS_H
#define CLI_SOLVER_RANKS_H

#include "cli/solver_report.h" // struct solver_arguments, struct solver_run

/* Refuses options that do not go with several processes, and settles the number of threads of each
 * process and the instruction set of all. Only rank 0 prints from then on. */
enum status solver_ranks_begin(struct solver_arguments *a, const struct ranks *ranks,
                               struct error *err);

/* Opens the claims for rows, and puts a sink before *sink that notes which rows this rank has
 * taken. All ranks call it. */
enum status solver_ranks_open(struct solver_run *run, struct row_sink **sink, struct error *err);

/* Ends a solve: all ranks call it, each with its status. Returns one status to all, STATUS_OK only
 * if every row was solved by exactly one rank; rank 0 then has the data that measures and files
 * need, and the facts of each rank. */
enum status solver_ranks_close(const struct solver_arguments *a, struct solver_run *run,
                               enum status status, struct error *err);

/* Safe on a zeroed struct. */
void solver_ranks_free(struct rank_rows *rows);

#endif
