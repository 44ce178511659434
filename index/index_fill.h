// SPDX-License-Identifier: MIT
/* Functions that fill and check the sections of an index that depend on weights, for the type of
 * cells that is being compiled for (common/base/length.h); they are members of struct
 * index_cells. */
#ifndef INDEX_INDEX_FILL_H
#define INDEX_INDEX_FILL_H

#include "index/index_cells.h" // struct index_filling

#define index_fill         BY_LENGTH(index_fill)
#define index_check_vertex BY_LENGTH(index_check_vertex)

enum status index_fill(const struct index_filling *f, struct index_made *made, struct error *err);

/* Checks the entries and the label of a vertex: STATUS_REFUTED with the first mistake. g: see
 * index_cells_graph. */
enum status index_check_vertex(const struct distance_index *x, const struct graph *g, int32_t v,
                               struct error *err);

#endif
