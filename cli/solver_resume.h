// SPDX-License-Identifier: MIT
/* --resume: what a solver program does to keep finished rows, and to go on with those that a run
 * before has kept (partial.h). */
#ifndef CLI_SOLVER_RESUME_H
#define CLI_SOLVER_RESUME_H

#include "cli/solver_report.h" // struct solver_arguments, struct solver_run

/* Returns how many bytes of memory the functions below take at most, for so many rows of a graph of
 * n vertices. */
uint64_t solver_resume_memory(const struct solver_arguments *a, enum number_type type, int32_t n,
                              int32_t rows);

/* Returns whether rows of the graph of int32 are kept as int64, because a run before found a
 * distance that int32 has no room for. */
bool solver_resume_keeps_long(const struct solver_arguments *a, const struct graph *g);

/* Opens the folder of kept rows, run->partial. From then on a signal that kills the program says
 * how to go on. STATUS_BAD_INPUT if the folder keeps rows of another request. */
enum status solver_resume_open(const struct solver_arguments *a, struct solver_run *run,
                               struct error *err);

/* Finds the rows that are kept, with run->files open, and prepares run->rest to hand the others to
 * `sink`. *variant is the one that must solve for them. */
enum status solver_resume_begin(const struct solver_arguments *a, struct solver_run *run,
                                struct row_sink *sink, const struct solver_variant **variant,
                                struct error *err);

/* The callback on_variant of a solve (solve.h), whose context is this. */
struct solver_resume_context {
    const struct solver_arguments *arguments;
    struct solver_run *run;
};
void solver_resume_on_variant(void *context, const struct solver_variant *taken);

#endif
