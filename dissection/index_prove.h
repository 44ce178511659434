// SPDX-License-Identifier: MIT
/* Proves a distance index (index.h). */
#ifndef DISSECTION_INDEX_PROVE_H
#define DISSECTION_INDEX_PROVE_H

#include "common/base/progress.h" // struct progress
#include "dissection/index.h"     // struct distance_index

/* Proves that an index answers every query about g rightly: all that index_check checks; and rows
 * that the query's own code makes of the labels, by the certificate: all n, or `rows` of them,
 * evenly spread over the index's order. threads: 0 for one per core. STATUS_REFUTED with the first
 * mistake, STATUS_BAD_INPUT if the file is damaged. */
enum status index_prove(const struct distance_index *x, const struct graph *g, int32_t rows,
                        int threads, struct progress *progress, struct error *err);

#endif
