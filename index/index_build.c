// SPDX-License-Identifier: MIT
#include "index/index.h"

#include "common/base/crc32.h"     // crc32_add
#include "common/base/memory.h"    // memory_alloc
#include "common/base/threads.h"   // threads_or_default
#include "elimination/eliminate.h" // eliminate
#include "elimination/nested.h"    // nested_order
#include "index/index_parts.h"     // index_find_branches, index_place_sections
#include "solve/distance_bound.h"  // distance_bound_is_below
#include "solve/potentials.h"      // potentials_find

#include <string.h>

/* Middles before they are known. */
#define UNKNOWN (-2)

/* What one index is built from and into. */
struct building {
    const struct graph *g;
    int threads;
    enum isa isa;
    struct progress *progress;
    struct pattern pattern;
    struct tree tree;
    struct structure structure;
    struct lengths lengths;
    bool symmetric;
    bool both; /* directions are kept */
    /* Sections of the image. */
    struct index_vertex *vertex;
    int32_t *order;
    uint32_t *head;
    int32_t *label[2];
    int32_t *higher;
    struct index_entry *entry[2];
};

static inline int directions_of(const struct building *b) {
    return b->both ? 2 : 1;
}

static uint64_t labels_of(const struct tree *tree) {
    uint64_t labels = 0;
    for (int32_t at = 0; at < tree->n; at++)
        labels += (uint64_t)tree->depth[at] + 1;
    return labels;
}

/* The tree of the order that makes the fewest labels. */
static enum status find_tree(struct building *b, struct error *err) {
    void *vertex = NULL;
    enum status status;
    TRY(pattern_find(b->g, &b->pattern, err));
    TRY(memory_alloc(&vertex, (size_t)b->g->n, sizeof(int32_t), "the order", err));
    TRY(nested_order(&b->pattern, b->threads, vertex, b->progress, err));
    TRY(tree_build(&b->pattern, vertex, &b->tree, err));
cleanup:
    memory_free(vertex);
    return status;
}

/* Where sections lie, and the header's numbers; all that is known before the elimination. */
static void plan(const struct building *b, struct index_header *h) {
    const uint64_t n = (uint64_t)b->g->n, labels = labels_of(&b->tree);
    const uint64_t label_bytes = memory_times(labels + INDEX_PAD, sizeof(int32_t));
    const uint64_t entries = (uint64_t)b->tree.entries;
    const uint64_t entry_bytes = memory_times(entries, sizeof(struct index_entry));
    const uint64_t higher_bytes = memory_times(entries, sizeof *b->higher);
    const uint64_t second = b->both;
    const uint64_t bytes[INDEX_SECTIONS] = {
        [INDEX_VERTICES] = n * sizeof(struct index_vertex),
        [INDEX_ORDER] = n * sizeof(int32_t),
        [INDEX_HEADS] = (n + 1) * sizeof(uint32_t),
        [INDEX_LABELS_OUT] = label_bytes,
        [INDEX_LABELS_IN] = second * label_bytes,
        [INDEX_ENTRIES_OUT] = memory_add(higher_bytes, entry_bytes),
        [INDEX_ENTRIES_IN] = second * entry_bytes,
        [INDEX_NAMES] = b->g->naming.names != NULL ? b->g->naming.names->bytes : 0,
    };
    *h = (struct index_header){
        .magic = INDEX_MAGIC,
        .version = INDEX_VERSION,
        .type = 1,
        .directions = (uint32_t)directions_of(b),
        .vertices = b->g->n,
        .first_vertex = b->g->naming.names != NULL ? 0 : b->g->naming.first,
        .largest = index_largest(b->g),
        .edges = b->g->m,
        .height = (uint32_t)b->tree.height,
        .labels = labels,
        .entries = (uint64_t)b->tree.entries,
        .bytes = sizeof *h,
        .directed = !b->symmetric,
        .loops = index_has_loops(b->g),
    };
    for (int s = 0; s < INDEX_SECTIONS; s++) {
        const bool optional =
            s == INDEX_NAMES || (second == 0 && (s == INDEX_LABELS_IN || s == INDEX_ENTRIES_IN));
        if (bytes[s] == 0 && optional)
            continue;
        h->section[s].offset = h->bytes;
        h->section[s].bytes = bytes[s];
        h->bytes = memory_add(h->bytes, memory_add(bytes[s], 63) / 64 * 64);
    }
}

/* Refuses what would be larger than what it stands for. */
static enum status check_size(const struct building *b, const struct index_size *size,
                              const struct index_options *options, struct error *err) {
    char index[32], matrix[32];
    if (options->even_if_larger || size->bytes <= INDEX_SMALL || size->bytes <= size->matrix)
        return STATUS_OK;
    return fail(
        err, STATUS_BAD_INPUT,
        "the index would take %s, %.1f times as much as the matrix of all distances (%s): "
        "labels have %.0f of %d vertices on average; expected a graph with small separators "
        "(--force builds it all the same)",
        memory_amount(size->bytes, index, sizeof index), (double)size->bytes / (double)size->matrix,
        memory_amount(size->matrix, matrix, sizeof matrix), size->labels_each, b->g->n);
}

/* Refuses graphs that an index cannot hold, and weights of which distances may not fit. */
static enum status check_graph(const struct graph *g, struct error *err) {
    if (g->zones > 0)
        return fail(
            err, STATUS_BAD_INPUT,
            "an index knows no zones: expected a network whose paths may lead through every "
            "node, found %d zones (--through-zones lets paths lead through them, too, which "
            "may make them shorter)",
            g->zones);
    if (g->type != NUMBER_INT32)
        return fail(err, STATUS_BAD_INPUT,
                    "an index has integer distances: expected integer weights, found %s (--scale K "
                    "multiplies them)",
                    number_name(g->type));
    if (g->min_weight < 0 && !eliminate_takes(g))
        return fail(err, STATUS_BAD_INPUT,
                    "weights below 0: expected paths of all vertices to be shorter than %d, found "
                    "%d vertices and weights %.0f .. %.0f",
                    INF / 4, g->n, g->min_weight, g->max_weight);
    if (g->min_weight >= 0 && !distance_bound_is_below(g, INF))
        return fail(err, STATUS_BAD_INPUT,
                    "distances may not fit: expected them to be below %d, found weights up to %.0f "
                    "and no bound that is low enough",
                    INF, g->max_weight);
    return STATUS_OK;
}

static int32_t vertex_at(const struct building *b, int32_t position) {
    return b->tree.vertex[position];
}

static void lay_out(struct building *b) {
    uint64_t label = 0, entry = 0;
    const int32_t n = b->tree.n;
    for (int32_t k = 0; k < n; k++) {
        const int32_t at = n - 1 - k, v = vertex_at(b, at);
        b->order[k] = v;
        b->vertex[v] = (struct index_vertex){
            .label = label,
            .entry = entry,
            .labels = (uint32_t)b->tree.depth[at] + 1,
            .entries = (uint32_t)b->tree.count[at],
        };
        label += b->vertex[v].labels;
        entry += b->vertex[v].entries;
    }
}

static void fill_entries(struct building *b) {
    const int32_t n = b->tree.n;
#pragma omp parallel for num_threads(b->threads) schedule(static)
    for (int32_t at = 0; at < n; at++) {
        const uint64_t to = b->vertex[vertex_at(b, at)].entry;
        const int64_t from = b->structure.first[at];
        for (int64_t e = from; e < b->structure.first[at + 1]; e++) {
            const int32_t higher = vertex_at(b, b->structure.higher[e]);
            const int32_t length[2] = {b->lengths.up[e], b->lengths.down[e]};
            b->higher[to + (uint64_t)(e - from)] = higher;
            for (int d = 0; d < directions_of(b); d++)
                b->entry[d][to + (uint64_t)(e - from)] =
                    (struct index_entry){length[d], length[d] < INF ? UNKNOWN : INDEX_EDGE};
        }
    }
}

/* Marks the entries that are edges of the graph. */
static void find_edges(struct building *b) {
    const struct graph *g = b->g;
    const struct structure *s = &b->structure;
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 1024)
    for (int32_t at = 0; at < g->n; at++) {
        const int32_t v = vertex_at(b, at);
        const uint64_t to = b->vertex[v].entry;
        for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
            const int32_t higher = vertex_at(b, s->higher[e]);
            const int64_t edge[2] = {graph_find_edge(g, v, higher), graph_find_edge(g, higher, v)};
            for (int d = 0; d < directions_of(b); d++) {
                struct index_entry *const entry = &b->entry[d][to + (uint64_t)(e - s->first[at])];
                if (edge[d] >= 0 && g->weight[edge[d]] == entry->length)
                    entry->middle = INDEX_EDGE;
            }
        }
    }
}

/* The lower neighbours of each position: entries that lead to it, ascending. */
struct lower {
    int64_t *first; /* n + 1 */
    int64_t *entry; /* of the structure */
    int32_t *from;  /* whose entry it is */
};

static enum status find_lower(const struct structure *s, int32_t n, struct lower *lower,
                              struct error *err) {
    const size_t count = (size_t)n, entries = (size_t)s->first[n];
    void *first = NULL, *entry = NULL, *from = NULL;
    enum status status;
    TRY(memory_alloc(&first, count + 2, sizeof(int64_t), "the lower neighbours", err));
    TRY(memory_alloc(&entry, entries, sizeof(int64_t), "the lower neighbours", err));
    TRY(memory_alloc(&from, entries, sizeof(int32_t), "the lower neighbours", err));
    *lower = (struct lower){first, entry, from};
    memset(first, 0, (count + 2) * sizeof(int64_t));
    for (size_t e = 0; e < entries; e++)
        lower->first[s->higher[e] + 2]++;
    for (size_t v = 2; v <= count + 1; v++)
        lower->first[v] += lower->first[v - 1];
    for (int32_t at = 0; at < n; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
            const int64_t place = lower->first[s->higher[e] + 1]++;
            lower->entry[place] = e;
            lower->from[place] = at;
        }
    }
    first = entry = from = NULL;
cleanup:
    memory_free(first);
    memory_free(entry);
    memory_free(from);
    return status;
}

/* The middles of all entries of a position: the lowest that make their lengths. */
static void find_middles_of(const struct building *b, const struct lower *lower, int32_t at) {
    const struct structure *s = &b->structure;
    const int32_t *const up = b->lengths.up, *const down = b->lengths.down;
    const uint64_t own = b->vertex[vertex_at(b, at)].entry;
    for (int64_t l = lower->first[at]; l < lower->first[at + 1]; l++) {
        const int64_t x = lower->entry[l], end = s->first[lower->from[l] + 1];
        const int32_t middle = vertex_at(b, lower->from[l]);
        int64_t e = s->first[at];
        for (int64_t z = x + 1; z < end; z++, e++) {
            while (s->higher[e] < s->higher[z])
                e++;
            const int32_t sum[2] = {down[x] + up[z], down[z] + up[x]};
            for (int d = 0; d < directions_of(b); d++) {
                struct index_entry *const entry = &b->entry[d][own + (uint64_t)(e - s->first[at])];
                if (entry->middle == UNKNOWN && entry->length == sum[d])
                    entry->middle = middle;
            }
        }
    }
}

static enum status find_middles(struct building *b, struct error *err) {
    struct lower lower = {0};
    find_edges(b);
    RETURN_ON_FAILURE(find_lower(&b->structure, b->tree.n, &lower, err));
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 256)
    for (int32_t at = 0; at < b->tree.n; at++) {
        if (progress_goes_on(b->progress))
            find_middles_of(b, &lower, at);
    }
    memory_free(lower.first);
    memory_free(lower.entry);
    memory_free(lower.from);
    return STATUS_OK;
}

/* The label of the vertex at a position, from those of its higher neighbours. */
static void label_vertex(const struct building *b, const struct index_kernels *kernels,
                         int32_t at) {
    const struct index_vertex *const own = &b->vertex[vertex_at(b, at)];
    const bool is_signed = b->g->min_weight < 0;
    for (int d = 0; d < directions_of(b); d++) {
        int32_t *const label = b->label[d] + own->label;
        for (uint32_t k = 0; k + 1 < own->labels; k++)
            label[k] = INF;
        label[own->labels - 1] = 0;
        for (uint32_t e = 0; e < own->entries; e++) {
            const struct index_entry *const entry = &b->entry[d][own->entry + e];
            const struct index_vertex *const to = &b->vertex[b->higher[own->entry + e]];
            if (entry->length < INF)
                kernels->extend(label, b->label[d] + to->label, entry->length, to->labels);
        }
        for (uint32_t k = 0; k < own->labels && is_signed; k++)
            label[k] = label[k] > INF / 2 ? INF : label[k]; /* INF and a length below 0 */
    }
}

/* Labels what is above small subtrees, then these on all threads. */
static enum status label_all(struct building *b, const struct index_kernels *kernels,
                             struct error *err) {
    const int32_t n = b->tree.n, *const parent = b->tree.parent;
    const int32_t small = n / (b->threads * 16) + 1;
    int32_t roots = 0;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)n, 2 * sizeof(int32_t), "the labels", err));
    int32_t *const size = memory, *const root = size + n;
    for (int32_t at = 0; at < n; at++)
        size[at] = 1;
    for (int32_t at = 0; at < n; at++) {
        if (parent[at] >= 0)
            size[parent[at]] += size[at];
    }
    for (int32_t at = n - 1; at >= 0; at--) {
        if (size[at] > small)
            label_vertex(b, kernels, at);
        else if (parent[at] < 0 || size[parent[at]] > small)
            root[roots++] = at;
    }
#pragma omp parallel for num_threads(b->threads) schedule(dynamic)
    for (int32_t r = 0; r < roots; r++) {
        for (int32_t at = root[r]; at > root[r] - size[root[r]]; at--)
            label_vertex(b, kernels, at);
    }
    memory_free(memory);
    return STATUS_OK;
}

static void place_sections(struct building *b, const struct index_header *h, char *image) {
    const struct index_place *const s = h->section;
    b->vertex = (struct index_vertex *)(image + s[INDEX_VERTICES].offset);
    b->order = (int32_t *)(image + s[INDEX_ORDER].offset);
    b->head = (uint32_t *)(image + s[INDEX_HEADS].offset);
    b->higher = (int32_t *)(image + s[INDEX_ENTRIES_OUT].offset);
    for (int d = 0; d < directions_of(b); d++) {
        b->label[d] = (int32_t *)(image + s[INDEX_LABELS_OUT + d].offset);
        b->entry[d] = (struct index_entry *)(image + s[INDEX_ENTRIES_OUT + d].offset +
                                             (d == 0 ? h->entries * sizeof *b->higher : 0));
        memset(b->label[d] + h->labels, 0, INDEX_PAD * sizeof(int32_t));
    }
    if (s[INDEX_NAMES].bytes > 0)
        memcpy(image + s[INDEX_NAMES].offset, b->g->naming.names->block, s[INDEX_NAMES].bytes);
}

/* Zeros between sections, checksums, and the header. */
static void finish(const struct building *b, struct index_header *h, char *image) {
    h->graph_checksum = graph_checksum(b->g);
    for (int s = 0; s < INDEX_SECTIONS; s++) {
        const struct index_place *const place = &h->section[s];
        const uint64_t end = place->offset + place->bytes;
        if (place->offset == 0)
            continue;
        memset(image + end, 0, (64 - end % 64) % 64);
        h->section[s].crc = crc32_add(0, image + place->offset, place->bytes);
    }
    h->crc = crc32_add(0, h, offsetof(struct index_header, crc));
    memcpy(image, h, sizeof *h);
}

static enum status eliminate_all(struct building *b, struct error *err) {
    void *potential = NULL;
    struct cycle cycle = {0};
    enum status status;
    TRY(structure_find(&b->pattern, &b->tree, &b->structure, err));
    pattern_free(&b->pattern);
    status =
        eliminate(b->g, &b->tree, &b->structure, b->threads, b->isa, b->progress, &b->lengths, err);
    if (status == STATUS_NEGATIVE_CYCLE) { /* the search for potentials names it */
        TRY(memory_alloc(&potential, (size_t)b->g->n, sizeof(int64_t), "the potentials", err));
        TRY(potentials_find(b->g, potential, &cycle, b->progress, err));
    }
cleanup:
    memory_free(cycle.vertices);
    memory_free(potential);
    return status;
}

static enum status check_progress(const struct building *b, int done, struct error *err) {
    enum { STEPS = 5 };
    return progress_report(b->progress, done, STEPS) ? STATUS_OK : progress_cancelled(err);
}

enum status index_build(struct distance_index *x, const struct graph *g,
                        const struct index_options *options, struct index_size *size,
                        struct progress *progress, struct error *err) {
    struct building b = {
        .g = g, .threads = threads_or_default(options->threads), .progress = progress};
    struct index_size here = {0};
    struct index_header header;
    void *image = NULL;
    enum status status;
    *x = (struct distance_index){0};
    size = size != NULL ? size : &here;
    *size = (struct index_size){0};
    TRY(isa_choose(&b.isa, err));
    TRY(check_graph(g, err));
    TRY(check_progress(&b, 0, err));
    b.symmetric = index_is_symmetric(g);
    b.both = !b.symmetric || options->both_directions;
    TRY(find_tree(&b, err));
    plan(&b, &header);
    size->labels_each = (double)header.labels / g->n;
    size->bytes = header.bytes;
    size->matrix = (uint64_t)g->n * (uint64_t)g->n * sizeof(int32_t);
    TRY(check_size(&b, size, options, err));
    TRY(check_progress(&b, 1, err));
    TRY(eliminate_all(&b, err));
    TRY(check_progress(&b, 2, err));
    TRY(memory_alloc(&image, header.bytes, 1, "the index", err));
    place_sections(&b, &header, image);
    lay_out(&b);
    TRY(index_find_branches(b.order, g->n, b.vertex, b.head, err));
    fill_entries(&b);
    TRY(find_middles(&b, err));
    TRY(check_progress(&b, 3, err));
    TRY(label_all(&b, index_kernels(b.isa), err));
    TRY(check_progress(&b, 4, err));
    finish(&b, &header, image);
    index_place_sections(x, &header, image, index_kernels(b.isa));
    x->image = image;
    image = NULL;
    TRY(index_find_names(x, err));
    TRY(check_progress(&b, 5, err));
cleanup:
    pattern_free(&b.pattern);
    tree_free(&b.tree);
    structure_free(&b.structure);
    lengths_free(&b.lengths);
    memory_free(image);
    if (status != STATUS_OK)
        index_close(x);
    return status;
}
