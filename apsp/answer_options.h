// SPDX-License-Identifier: MIT
/* The answers that apsp gives instead of rows, and which of the options of all solvers each takes.
 */
#ifndef APSP_ANSWER_OPTIONS_H
#define APSP_ANSWER_OPTIONS_H

#include "cli/solver_report.h" // struct solver_arguments

/* Kinds of answers. ANSWER_ROWS, the usual one, takes all options; ANSWERS is the number of
 * kinds. */
enum answer_kind {
    ANSWER_ROWS,
    ANSWER_INDEX,
    ANSWER_ACCESSIBILITY,
    ANSWER_DEMAND,
    ANSWER_GRAVITY,
    ANSWER_PAIRS,
    ANSWER_DIAMETER,
    ANSWER_CALIBRATE,
    ANSWERS
};

/* The option that asks for the answer, with its hyphens; "" for ANSWER_ROWS. */
const char *answer_name(enum answer_kind answer);

/* STATUS_BAD_INPUT if an option was given that the answer (or, if only_plans, its plan) does not
 * take; err names the option and says what to do instead. */
enum status answer_check_options(enum answer_kind answer, bool only_plans,
                                 const struct solver_arguments *a, struct error *err);

#endif
