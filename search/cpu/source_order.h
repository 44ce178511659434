// SPDX-License-Identifier: MIT
/* The order in which strips of sources are solved. */
#ifndef SEARCH_CPU_SOURCE_ORDER_H
#define SEARCH_CPU_SOURCE_ORDER_H

#include "common/graph/row_block.h"   // struct row_sources
#include "search/cpu/ordered_graph.h" // struct ordered_graph

#include <stdbool.h>

/* Returns whether rows are so short that neighbouring sources should be in one strip, because their
 * paths are similar. */
bool source_order_groups(int32_t n, int64_t m);

/* Arranges the wanted sources in strips of `lanes`. If rows are short, neighbours come together;
 * otherwise `ordered` may be without edges. Stores the number of each source in number[0 ..
 * wanted->count - 1], strip by strip, and its position in the answer in `position`. */
enum status source_order_arrange(const struct ordered_graph *ordered,
                                 const struct row_sources *wanted, int lanes, int32_t *number,
                                 int32_t *position, struct error *err);

/* Returns the bytes of memory that source_order_arrange takes while it runs. */
uint64_t source_order_memory(int32_t n);

#endif
