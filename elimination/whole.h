// SPDX-License-Identifier: MIT
/* The elimination of all vertices of a graph, for algorithms that can use no core, if it is
 * predicted to pay. */
#ifndef ELIMINATION_WHOLE_H
#define ELIMINATION_WHOLE_H

#include "elimination/dissection.h" // struct dissection

#define whole_eliminate BY_LENGTH(whole_eliminate)
#define whole_free      BY_LENGTH(whole_free)

struct whole_options {
    int threads; /* number of threads, >= 1 */
    enum isa isa;
    double other_s;  /* seconds that the fastest other algorithm takes; infinite: there is none */
    int32_t sources; /* number of rows that are wanted */
};

struct whole {
    struct look look;             /* look that found the order of all vertices */
    struct dissection dissection; /* prepared, without a core; it uses the order of `look` */
};

/* Eliminates all vertices of a graph whose weights are 0 or more. Sets *pays to false, and nothing
 * else, if the elimination cannot pay. The caller frees it with whole_free, also after a failure.
 * STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to stop. */
enum status whole_eliminate(const struct graph *g, const struct whole_options *options,
                            struct progress *progress, struct whole *w, bool *pays,
                            struct error *err);

/* Frees *w and zeroes the struct; safe on a zeroed struct. */
void whole_free(struct whole *w);

#endif
