// SPDX-License-Identifier: MIT
/* apsp --accessibility: masses that decay with distance or lie within limits, and the nearest
 * facilities, as a table with a row for each source. */
#ifndef APSP_MAKE_ACCESSIBILITY_H
#define APSP_MAKE_ACCESSIBILITY_H

#include "cli/solver_main.h" // struct solver_request

#include <argp.h>

enum { LENGTHS_MOST = 256 };

/* A list of lengths: their values, and their texts on the command line. */
struct length_list {
    int32_t count;
    double value[LENGTHS_MOST];
    struct {
        const char *begin;
        int size;
    } text[LENGTHS_MOST];
};

/* The options that ask for accessibility on the command line. */
struct make_accessibility {
    const char *table; /* path of a table of masses; NULL: nothing is wanted */
    struct length_list decays, limits;
    int32_t nearest;        /* number of nearest facilities wanted for each source; 0: none */
    const char *facilities; /* name of the column that is above 0 at facilities; NULL: all rows of
                               the table are facilities */
};

/* Takes the value of --decays, whose lengths are above 0, or of --limits. Any other value ends the
 * program with a usage error. `value` must outlive *lengths. */
void lengths_take(struct argp_state *state, const char *option, const char *value, bool is_decay,
                  struct length_list *lengths);

/* Takes the value of --nearest, K or K:COLUMN. Any other value ends the program with a usage error.
 * `value` must outlive *how. */
void nearest_take(struct argp_state *state, const char *value, struct make_accessibility *how);

/* Finds the accessibility that the command line asks for, for the request's sources in g, writes it
 * to the request's output, and reports. only_plans: only says how long that would take. */
enum status make_accessibility(const struct make_accessibility *how,
                               const struct solver_request *request, const struct graph *g,
                               bool only_plans, struct error *err);

#endif
