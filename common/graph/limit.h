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

/* STATUS_BAD_INPUT if a limit has no meaning for g: with weights below 0, a path may go beyond the
 * limit and come back. */
enum status limit_check(const struct graph *g, int32_t limit, struct error *err);

#endif
