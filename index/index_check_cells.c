// SPDX-License-Identifier: MIT
/* Compiled for both types of cells (common/base/length.h). */
#include "elimination/eliminate.h" // edge_length
#include "index/index_fill.h"      // index_check_vertex
#include "index/index_parts.h"

/* Returns whether `sum` is the sum of two lengths. */
static bool sum_is(path_length first, path_length second, path_length sum) {
#ifdef LENGTH_F64
    return first + second == sum;
#else
    return (int64_t)first + second == sum;
#endif
}

/* Returns whether a cell has a value that the length of a path may have. */
static bool is_length(const struct distance_index *x, path_length cell) {
#ifdef LENGTH_F64
    (void)x;
    return cell > -LENGTH_INF && cell < LENGTH_INF;
#else
    return cell <= x->header.largest;
#endif
}

/* Returns whether an entry is right: it is an edge of the graph, or two entries of a lower vertex
 * add up to it. */
static bool entry_holds(const struct distance_index *x, const struct graph *g, int32_t v,
                        int direction, const struct index_entry *entry) {
    const int32_t higher = index_entry_to(x, direction, entry);
    const int32_t from = direction == 0 ? v : higher, to = direction == 0 ? higher : v;
    if (entry->middle == INDEX_EDGE) {
        if (entry->length == LENGTH_INF)
            return true;
        const int64_t edge = graph_find_edge(g, from, to);
        return edge >= 0 && edge_length(g, edge) == entry->length;
    }
    if (!index_has_vertex(x, entry->middle) ||
        x->vertex[0][entry->middle].labels <= x->vertex[0][v].labels)
        return false;
    const struct index_entry *const first = index_find_entry(x, entry->middle, 1, from);
    const struct index_entry *const second = index_find_entry(x, entry->middle, 0, to);
    return first != NULL && second != NULL && first->length < LENGTH_INF &&
           second->length < LENGTH_INF && sum_is(first->length, second->length, entry->length);
}

/* Checks the entries and the label of a vertex, and reports the first mistake. */
enum status index_check_vertex(const struct distance_index *x, const struct graph *g, int32_t v,
                               struct error *err) {
    for (int d = 0; d < (int)x->header.directions; d++) {
        const struct index_vertex *const own = &x->vertex[d][v];
        const char *const way = d == 0 ? "to" : "from";
        for (uint32_t e = 0; e < index_entry_count(own); e++) {
            const struct index_entry *const entry = &x->entry[d][index_first_entry(own) + e];
            if (!entry_holds(x, g, v, d, entry))
                return fail(
                    err, STATUS_REFUTED,
                    "merged edge of vertex %s %s %s: expected a path of length %.17g by vertex "
                    "%d, numbered from 0, found none",
                    naming_name(&x->naming, v).text, way,
                    naming_name(&x->naming, index_entry_to(x, d, entry)).text,
                    (double)entry->length, entry->middle);
        }
        const struct index_label label = index_label_of(x, d, own);
        for (uint32_t k = 0; k < own->labels; k++) {
            const bool own_cell = k + 1 == own->labels;
            const path_length cell = index_cell_at(&label, k);
            if (own_cell ? cell == 0
                         : cell == LENGTH_INF ||
                               (is_length(x, cell) && index_next_up(x, v, d, k) != NULL))
                continue;
            return fail(
                err, STATUS_REFUTED,
                "label of vertex %s, distance %s its ancestor at depth %u: expected one that "
                "merged edges make, found %.17g",
                naming_name(&x->naming, v).text, way, k, (double)cell);
        }
    }
    return STATUS_OK;
}
