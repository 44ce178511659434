// SPDX-License-Identifier: MIT
/* The sections of an index that depend on weights, and the check of what they hold: functions of
 * struct index_cells for the type of cells that is being compiled for (common/base/length.h). */
#ifndef INDEX_INDEX_FILL_H
#define INDEX_INDEX_FILL_H

#include "index/index_cells.h" // struct index_filling

#define index_fill         BY_LENGTH(index_fill)
#define index_check_vertex BY_LENGTH(index_check_vertex)

enum status index_fill(const struct index_filling *f, struct error *err);

/* The first mistake among the entries and labels of a vertex, STATUS_REFUTED. g: see
 * index_cells_graph. */
enum status index_check_vertex(const struct distance_index *x, const struct graph *g, int32_t v,
                               struct error *err);

#endif
