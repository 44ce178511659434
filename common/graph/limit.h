// SPDX-License-Identifier: MIT
/* A limit on distances: pairs that are farther apart count as pairs without a path, at distance INF
 * and with predecessor -1.
 *
 * A limit is a number of 0 or more, of float64 whatever the type of the weights, and no distance is
 * rounded before it is compared with it. */
#ifndef COMMON_GRAPH_LIMIT_H
#define COMMON_GRAPH_LIMIT_H

#include "common/base/error.h"       // enum status, struct error
#include "common/base/number.h"      // enum number_type
#include "common/base/number_text.h" // NUMBER_TEXT_MAX
#include "common/graph/graph.h"      // struct graph, INF

#include <math.h>
#include <stdint.h>

/* A limit that no distance exceeds. */
#define NO_LIMIT ((double)INFINITY)

/* Returns the limit, for distances of a type, that leaves out the same distances as a number >= 0:
 * NO_LIMIT if the number is above all finite distances; otherwise, for int32, an integer. All other
 * functions expect limits of this form for the graph's type. */
double limit_for(enum number_type type, double limit);

/* Returns the least int32 distance that is beyond a limit, at most INF: it may stand for no path
 * while a row is computed that stops at the limit. */
static inline int32_t limit_no_path(double limit) {
    return limit < NO_LIMIT ? (int32_t)limit + 1 : INF;
}

/* Returns the least number of a real type that is beyond a limit; infinite if there is none. */
double limit_beyond(enum number_type type, double limit);

/* Returns STATUS_BAD_INPUT if a limit has no meaning for g: with weights below 0, a path may exceed
 * the limit and come back. */
enum status limit_check(const struct graph *g, double limit, struct error *err);

/* Writes the limit with the fewest digits that read back to it. Returns text. */
static inline const char *limit_digits(double limit, char text[NUMBER_TEXT_MAX]) {
    return number_text(NUMBER_FLOAT64, limit, text);
}

/* Writes the end of a sentence about distances or paths: " up to the limit of 30"; "" without a
 * limit. Returns text. */
enum { LIMIT_TEXT = 48 };
const char *limit_text(double limit, char text[LIMIT_TEXT]);

#endif
