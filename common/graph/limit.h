// SPDX-License-Identifier: MIT
/* A limit on distances: pairs that are farther apart count as pairs without a path, at distance INF
 * and with predecessor -1. */
#ifndef COMMON_GRAPH_LIMIT_H
#define COMMON_GRAPH_LIMIT_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph, INF

#include <stdint.h>

/* Limits are 0 .. INF - 1, or this one, which no distance exceeds. */
#define NO_LIMIT INF

/* The least distance that is beyond a limit, at most INF: what may stand for "no path" while a row
 * is computed that stops at the limit. */
static inline int32_t limit_no_path(int32_t limit) {
    return limit < NO_LIMIT ? limit + 1 : INF;
}

/* STATUS_BAD_INPUT if a limit has no meaning for g: with weights below 0, a path may go beyond the
 * limit and come back. */
enum status limit_check(const struct graph *g, int32_t limit, struct error *err);

/* The end of a sentence about distances or paths: " up to the limit of 30"; "" without a limit.
 * Returns text. */
enum { LIMIT_TEXT = 40 };
const char *limit_text(int32_t limit, char text[LIMIT_TEXT]);

#endif
