// SPDX-License-Identifier: MIT
/* The engines to which a variant leaves what is not worth its own work. Folders of engines do not
 * include each other; the table of all variants names the engines in the variant's row. */
#ifndef SOLVE_OTHER_ENGINES_H
#define SOLVE_OTHER_ENGINES_H

#include "solve/solver.h" // struct solver_variant, struct solver_size

struct look; /* elimination/look.h */

struct other_engines {
    /* Finds the best variant, other than `self`, for that number of rows of g. If the options name
     * ranks, it is a variant whose rows several processes can claim. */
    enum status (*choose)(const struct graph *g, int32_t rows, const struct solver_options *options,
                          bool predecessors, const struct solver_variant **best, struct error *err);
    /* Looks at what an elimination of g takes compared with the best other variant, for a task of
     * that size and with `room` bytes of memory. The caller frees *look with look_free. NULL:
     * nobody asks for a look. */
    enum status (*look)(const struct graph *g, const struct solver_size *size, uint64_t room,
                        struct look *look, struct error *err);
    /* Returns the predicted seconds of the best variant. */
    double (*seconds)(const struct model_question *q);
    /* Finds a variant that is predicted to solve the task in less than `own_s` seconds, and stores
     * its seconds; *best is NULL if there is none. NULL: nobody asks for one. */
    enum status (*offer)(const struct solver_task *task, double own_s,
                         const struct solver_variant **best, double *seconds, struct error *err);
};

#endif
