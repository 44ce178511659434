// SPDX-License-Identifier: MIT
/* An order of elimination by nested dissection (George 1973): a few vertices that part the graph in
 * two come last; before them come the vertices that part each half, and so on. It makes a flatter
 * tree than minimum degree (order.h) and so the shorter labels of an index (index.h), for somewhat
 * more fill. */
#ifndef ELIMINATION_NESTED_H
#define ELIMINATION_NESTED_H

#include "common/base/progress.h" // struct progress
#include "elimination/pattern.h"  // struct pattern

/* Fills vertex[0 .. n-1]: vertex[0] is eliminated first. Equal patterns give equal orders, on any
 * number of threads >= 1. O((entries + n) log n). STATUS_NO_RESOURCE if there is not enough memory;
 * STATUS_CANCELLED if progress, which may be NULL, says to stop. */
enum status nested_order(const struct pattern *pattern, int threads, int32_t *vertex,
                         const struct progress *progress, struct error *err);

#endif
