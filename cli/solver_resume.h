// SPDX-License-Identifier: MIT
/* --resume: what a solver program says of rows that are kept (job/resume.h). */
#ifndef CLI_SOLVER_RESUME_H
#define CLI_SOLVER_RESUME_H

#include "cli/solver_report.h" // struct solver_arguments, struct solver_run

/* Returns how many bytes of memory resuming takes at most, for so many rows of a graph of n
 * vertices. */
uint64_t solver_resume_memory(const struct solver_arguments *a, enum number_type type, int32_t n,
                              int32_t rows);

/* Opens the folder of kept rows, run->resume. From then on a signal that kills the program says how
 * to go on. STATUS_BAD_INPUT if the folder keeps rows of another request. */
enum status solver_resume_open(const struct solver_arguments *a, struct solver_run *run,
                               struct error *err);

/* Reports the variant of run->job as the chosen one, if it is not that of the command line: the
 * rows that are kept are its rows. */
void solver_resume_say_variant(const struct solver_arguments *a, struct solver_run *run);

/* The callback on_variant of a solve (solve.h), whose context is this. */
struct solver_resume_context {
    const struct solver_arguments *arguments;
    struct solver_run *run;
};
void solver_resume_on_variant(void *context, const struct solver_variant *taken);

#endif
