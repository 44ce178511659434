// SPDX-License-Identifier: MIT
/* The engines to which a variant leaves what is not worth its own work. Rooms of engines do not
 * know each other: the table that lists them all names them in the variant's row. */
#ifndef SOLVE_OTHER_ENGINES_H
#define SOLVE_OTHER_ENGINES_H

#include "solve/solver.h" // struct solver_variant, struct solver_size

struct look; /* elimination/look.h */

struct other_engines {
    /* Finds the variant, other than the one that asks, that is best for so many rows of g. If the
     * options name ranks, it is one of which several processes can claim rows. */
    enum status (*choose)(const struct graph *g, int32_t rows, const struct solver_options *options,
                          bool predecessors, const struct solver_variant **best, struct error *err);
    /* Looks at what an elimination of g takes beside the best of them, for a task of that size and
     * `room` bytes of memory. The caller frees *look with look_free. NULL: nobody asks. */
    enum status (*look)(const struct graph *g, const struct solver_size *size, uint64_t room,
                        struct look *look, struct error *err);
    /* Returns the predicted seconds of the variant that is best. */
    double (*seconds)(const struct model_question *q);
};

#endif
