// SPDX-License-Identifier: MIT
/* --resume in a solver program: opens the folder of kept rows (job/resume.h), and reports on it. */
#ifndef CLI_SOLVER_RESUME_H
#define CLI_SOLVER_RESUME_H

#include "cli/solver_report.h" // struct solver_arguments, struct solver_run

/* Returns the most bytes of memory that resuming takes, for `rows` rows of a graph of n
 * vertices. */
uint64_t solver_resume_memory(const struct solver_arguments *a, enum number_type type, int32_t n,
                              int32_t rows);

/* Opens the folder of kept rows, run->resume. From then on, a program that a signal kills says how
 * to continue. STATUS_BAD_INPUT if the folder keeps rows of another request. */
enum status solver_resume_open(const struct solver_arguments *a, struct solver_run *run,
                               struct error *err);

/* If the variant of run->job, which solved the kept rows, is not that of the command line, reports
 * it as the chosen one. */
void solver_resume_say_variant(const struct solver_arguments *a, struct solver_run *run);

/* Context of solver_resume_on_variant, which is the callback on_variant of a solve (solve.h). */
struct solver_resume_context {
    const struct solver_arguments *arguments;
    struct solver_run *run;
};
void solver_resume_on_variant(void *context, const struct solver_variant *taken);

#endif
