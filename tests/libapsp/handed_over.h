// SPDX-License-Identifier: MIT
#ifndef TESTS_LIBAPSP_HANDED_OVER_H
#define TESTS_LIBAPSP_HANDED_OVER_H

#include "common/graph/graph.h" // struct graph
#include "libapsp/apsp.h"

/* Returns the library's copy of a graph of ours, whose checksum is the same. The caller frees it
 * with apsp_graph_free. */
apsp_graph *handed_over(const struct graph *g);

#endif
