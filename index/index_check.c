// SPDX-License-Identifier: MIT
#include "index/index_check.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "index/index_cells.h"
#include "index/index_order.h"
#include "index/index_parts.h"

#include <math.h>
#include <string.h>

static bool are_integers(const struct graph *g) {
    for (int64_t e = 0; e < g->m; e++) {
        if (g->real_weight[e] != trunc(g->real_weight[e]))
            return false;
    }
    return true;
}

static enum status check_graph(const struct distance_index *x, const struct graph *g, int threads,
                               struct error *err) {
    const struct index_header *const h = &x->header;
    if (g->type != index_type(x))
        return fail(err, STATUS_REFUTED,
                    "the index is of another graph: expected %s weights, found %s",
                    number_name(g->type), number_name(index_type(x)));
    if (h->type == INDEX_INT64 && !are_integers(g))
        return fail(err, STATUS_REFUTED,
                    "the index is of another graph: expected float64 weights, found int64");
    if (h->spacing != (g->type == NUMBER_INT32 ? 0 : g->spacing))
        return fail(err, STATUS_REFUTED,
                    "header: expected multiples of %.17g, the grid that the graph's weights are "
                    "on, found %.17g",
                    g->spacing, h->spacing);
    if (h->vertices != g->n || h->edges != g->m)
        return fail(err, STATUS_REFUTED,
                    "the index is of another graph: expected %d vertices and %lld edges, found %d "
                    "and %lld",
                    g->n, (long long)g->m, h->vertices, (long long)h->edges);
    const uint32_t checksum = graph_checksum(g);
    if (h->graph_checksum != checksum)
        return fail(err, STATUS_REFUTED,
                    "the index is of another graph: expected checksum %08x, found %08x", checksum,
                    h->graph_checksum);
    const bool symmetric = index_is_symmetric(g, threads);
    if (h->directed == symmetric || (!symmetric && h->directions == 1) ||
        h->largest != index_largest(g) || h->loops != index_has_loops(g))
        return fail(err, STATUS_REFUTED,
                    "header: expected what holds for the graph, found otherwise");
    return STATUS_OK;
}

/* Checks the checksums of the sections of a file. */
static enum status check_sums(const struct distance_index *x, struct error *err) {
    const char *const bytes = x->mapping;
    if (bytes == NULL)
        return STATUS_OK; /* checksums come with a file only */
    for (int s = 0; s < INDEX_SECTIONS; s++) {
        const struct index_place *const place = &x->header.section[s];
        const uint32_t crc = crc32_add(0, bytes + place->offset, place->bytes);
        if (crc != place->crc)
            return fail(err, STATUS_BAD_INPUT,
                        "section %d is damaged: expected checksum %08x, found %08x", s, place->crc,
                        crc);
    }
    return STATUS_OK;
}

/* Returns STATUS_REFUTED unless graph and index call the vertices the same, by names or by
 * numbers. */
static enum status check_names(const struct distance_index *x, const struct graph *g,
                               struct error *err) {
    const struct vertex_names *const names = x->naming.names;
    if (names != NULL && !names_are_sound(names))
        return fail(err, STATUS_REFUTED, "names: expected different ones, in order, found others");
    if (names_equal(names, g->naming.names))
        return STATUS_OK;
    const int32_t v = naming_first_difference(&g->naming, &x->naming, g->n);
    const struct vertex_name in_graph = graph_name(g, v), in_index = naming_name(&x->naming, v);
    return fail(
        err, STATUS_REFUTED,
        "names: expected those of the graph, whose vertex %d is %s, found others, vertex %d of "
        "which is %s",
        v, in_graph.text, v, in_index.text);
}

/* Checks the bits that mark entries as edges: they must mark all edges of the graph, and no
 * others. */
static enum status check_edges(const struct distance_index *x, const struct graph *g, int threads,
                               struct error *err) {
    struct index_difference first;
    if (!index_differs(x, g, threads, &first))
        return STATUS_OK;
    return fail(err, STATUS_REFUTED, "edges: expected %s edge from %s to %s, found %s",
                first.is_missing ? "no" : "an", graph_name(g, first.tail).text,
                graph_name(g, first.head).text, first.is_missing ? "one" : "none");
}

/* Checks all vertices, and reports the first mistake. cells: see index_cells_graph. */
static enum status check_vertices(const struct distance_index *x, const struct graph *cells,
                                  int threads, struct progress *progress, struct error *err) {
    const int32_t part = block_sizes.index_vertices;
    const int32_t n = x->header.vertices;
    struct lowest_failure failed;
    int32_t done = 0;
    lowest_failure_begin(&failed);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t first = 0; first < n; first += part) {
        const int32_t end = n - first < part ? n : first + part;
        for (int32_t v = first; v < end && progress_goes_on(progress); v++) {
            struct error mine;
            const enum status one = x->cells->check_vertex(x, cells, v, &mine);
            if (one == STATUS_OK)
                continue;
            lowest_failure_note(&failed, v, one, &mine);
            break;
        }
        int32_t now;
#pragma omp atomic capture
        now = done += end - first;
        if (omp_get_thread_num() == 0)
            progress_report(progress, now, n);
    }
    return progress_goes_on(progress) ? lowest_failure_end(&failed, err) : progress_cancelled(err);
}

enum status index_check(const struct distance_index *x, const struct graph *g, int threads,
                        struct progress *progress, struct error *err) {
    struct graph made = {0};
    const struct graph *cells;
    enum status status;
    threads = threads_worth(threads, (double)x->header.labels);
    TRY(check_graph(x, g, threads, err));
    TRY(check_sums(x, err));
    TRY(check_names(x, g, err));
    TRY(index_check_tree(x, err));
    TRY(index_cells_graph(g, x->header.cell, &made, &cells, err));
    TRY(check_vertices(x, cells, threads, progress, err));
    status = check_edges(x, g, threads, err);
cleanup:
    graph_free(&made);
    return status;
}
