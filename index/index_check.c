// SPDX-License-Identifier: MIT
#include "index/index_check.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default
#include "index/index_parts.h"

#include <string.h>

static enum status check_graph(const struct distance_index *x, const struct graph *g,
                               struct error *err) {
    const struct index_header *const h = &x->header;
    if (g->type != NUMBER_INT32)
        return fail(err, STATUS_REFUTED,
                    "the index is of another graph: expected integer weights, found %s",
                    number_name(g->type));
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
    const bool symmetric = index_is_symmetric(g);
    if (h->directed == symmetric || (!symmetric && h->directions == 1) ||
        h->largest != index_largest(g) || h->loops != index_has_loops(g))
        return fail(err, STATUS_REFUTED,
                    "header: expected what holds for the graph, found otherwise");
    return STATUS_OK;
}

static enum status check_sums(const struct distance_index *x, struct error *err) {
    const char *const bytes = x->mapping != NULL ? x->mapping : x->image;
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

/* STATUS_REFUTED unless both call the vertices the same, wherever these names come from. */
static enum status check_names(const struct distance_index *x, const struct graph *g,
                               struct error *err) {
    const struct vertex_names *const names = x->naming.names;
    if (names != NULL && !names_are_sound(names))
        return fail(err, STATUS_REFUTED, "names: expected different ones, in order, found others");
    if (names_equal(names, g->naming.names))
        return STATUS_OK;
    const struct vertex_name in_graph = graph_name(g, 0), in_index = naming_name(&x->naming, 0);
    return fail(err, STATUS_REFUTED,
                "names: expected those of the graph, whose first vertex is %s, found others, the "
                "first of which is %s",
                in_graph.text, in_index.text);
}

static enum status wrong_tree(const struct distance_index *x, int32_t v, struct error *err) {
    return fail(err, STATUS_REFUTED,
                "vertex %s: expected its place in the elimination tree, found another",
                naming_name(&x->naming, v).text);
}

/* Whether the entries of a vertex lead to ancestors, the parent first, upwards. path: by depth. */
static bool leads_up(const struct distance_index *x, const struct index_vertex *v,
                     const int32_t *path) {
    uint32_t below = v->labels;
    if ((v->labels > 1) != (v->entries > 0))
        return false;
    for (uint32_t e = 0; e < v->entries; e++) {
        const int32_t to = x->higher[v->entry + e];
        if (!index_has_vertex(x, to))
            return false;
        const uint32_t labels = x->vertex[to].labels;
        if (labels >= below || (e == 0 && labels + 1 != below) || labels == 0 ||
            path[labels - 1] != to)
            return false;
        below = labels;
    }
    return true;
}

/* Checks order, vertices and heads. */
static enum status check_tree(const struct distance_index *x, struct error *err) {
    const size_t n = (size_t)x->header.vertices;
    void *copy = NULL, *path = NULL, *head = NULL;
    uint64_t label = 0, entry = 0;
    uint32_t depth = 0, height = 0;
    enum status status;
    TRY(memory_alloc(&copy, n, sizeof *x->vertex, "the check of the tree", err));
    TRY(memory_alloc(&path, n, sizeof(int32_t), "the check of the tree", err));
    TRY(memory_alloc(&head, n + 1, sizeof(uint32_t), "the check of the tree", err));
    struct index_vertex *const vertex = copy;
    int32_t *const at_depth = path;
    memset(copy, 0, n * sizeof *x->vertex);
    for (size_t k = 0; k < n; k++) {
        const int32_t v = x->order[k];
        if (!index_has_vertex(x, v) || vertex[v].labels != 0) {
            status = fail(err, STATUS_REFUTED,
                          "order: expected every vertex once, found %d at place %zu", v, k);
            goto cleanup;
        }
        const struct index_vertex *const own = &x->vertex[v];
        if (own->label != label || own->entry != entry || own->labels == 0 ||
            own->labels > depth + 1 || !index_has_label(x, own) || !index_has_entries(x, own)) {
            status = wrong_tree(x, v, err);
            goto cleanup;
        }
        vertex[v] = *own;
        depth = own->labels;
        at_depth[depth - 1] = v;
        height = depth > height ? depth : height;
        label += own->labels;
        entry += own->entries;
        if (!leads_up(x, own, at_depth)) {
            status = wrong_tree(x, v, err);
            goto cleanup;
        }
    }
    if (label != x->header.labels || entry != x->header.entries || height != x->header.height) {
        status = fail(err, STATUS_REFUTED, "header: expected the sizes of the tree, found others");
        goto cleanup;
    }
    TRY(index_find_branches(x->order, x->header.vertices, vertex, head, err));
    for (size_t v = 0; v < n; v++) {
        if (memcmp(&vertex[v], &x->vertex[v], sizeof *vertex) != 0) {
            status = wrong_tree(x, (int32_t)v, err);
            goto cleanup;
        }
    }
    if (memcmp(head, x->head, (n + 1) * sizeof(uint32_t)) != 0)
        status = fail(err, STATUS_REFUTED, "heads: expected those of the tree, found others");
cleanup:
    memory_free(copy);
    memory_free(path);
    memory_free(head);
    return status;
}

/* Whether an entry is an edge of the graph, or two entries of a lower vertex make it. */
static bool entry_holds(const struct distance_index *x, const struct graph *g, int32_t v,
                        int direction, const struct index_entry *entry) {
    const int32_t higher = index_entry_to(x, direction, entry);
    const int32_t from = direction == 0 ? v : higher, to = direction == 0 ? higher : v;
    if (entry->middle == INDEX_EDGE) {
        if (entry->length == INF)
            return true;
        const int64_t edge = graph_find_edge(g, from, to);
        return edge >= 0 && g->weight[edge] == entry->length;
    }
    if (!index_has_vertex(x, entry->middle) ||
        x->vertex[entry->middle].labels <= x->vertex[v].labels)
        return false;
    const struct index_entry *const first = index_find_entry(x, entry->middle, 1, from);
    const struct index_entry *const second = index_find_entry(x, entry->middle, 0, to);
    return first != NULL && second != NULL && first->length < INF && second->length < INF &&
           (int64_t)first->length + second->length == entry->length;
}

/* The first mistake among the entries and labels of a vertex. */
static enum status check_vertex(const struct distance_index *x, const struct graph *g, int32_t v,
                                struct error *err) {
    const struct index_vertex *const own = &x->vertex[v];
    for (int d = 0; d < (int)x->header.directions; d++) {
        const char *const way = d == 0 ? "to" : "from";
        for (uint32_t e = 0; e < own->entries; e++) {
            const struct index_entry *const entry = &x->entry[d][own->entry + e];
            if (!entry_holds(x, g, v, d, entry))
                return fail(
                    err, STATUS_REFUTED,
                    "merged edge of vertex %s %s %s: expected a path of length %d by vertex "
                    "%d, numbered from 0, found none",
                    naming_name(&x->naming, v).text, way,
                    naming_name(&x->naming, x->higher[own->entry + e]).text, entry->length,
                    entry->middle);
        }
        const int32_t *const label = x->label[d] + own->label;
        for (uint32_t k = 0; k < own->labels; k++) {
            const bool own_cell = k + 1 == own->labels;
            if (own_cell ? label[k] == 0
                         : label[k] == INF ||
                               (label[k] <= x->header.largest && index_next_up(x, v, d, k) != NULL))
                continue;
            return fail(
                err, STATUS_REFUTED,
                "label of vertex %s, distance %s its ancestor at depth %u: expected one that "
                "merged edges make, found %d",
                naming_name(&x->naming, v).text, way, k, label[k]);
        }
    }
    return STATUS_OK;
}

enum status index_check(const struct distance_index *x, const struct graph *g, int threads,
                        struct progress *progress, struct error *err) {
    const int32_t part = block_sizes.index_vertices;
    const int32_t n = x->header.vertices;
    struct lowest_failure failed;
    int32_t done = 0;
    RETURN_ON_FAILURE(check_graph(x, g, err));
    RETURN_ON_FAILURE(check_sums(x, err));
    RETURN_ON_FAILURE(check_names(x, g, err));
    RETURN_ON_FAILURE(check_tree(x, err));
    lowest_failure_begin(&failed);
#pragma omp parallel for num_threads(threads_or_default(threads)) schedule(dynamic)
    for (int32_t first = 0; first < n; first += part) {
        const int32_t end = n - first < part ? n : first + part;
        for (int32_t v = first; v < end && progress_goes_on(progress); v++) {
            struct error mine;
            const enum status one = check_vertex(x, g, v, &mine);
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
