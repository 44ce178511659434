// SPDX-License-Identifier: MIT
#include "index/index.h"

#include "common/base/chunks.h"    // copy_together
#include "common/base/memory.h"    // memory_alloc
#include "common/base/threads.h"   // threads_worth
#include "elimination/eliminate.h" // eliminate_takes
#include "elimination/flatten.h"   // flatten_order
#include "elimination/nested.h"    // nested_order
#include "index/index_cells.h"
#include "index/index_order.h"
#include "index/index_parts.h"
#include "solve/distance_bound.h" // distance_bound_is_below
#include "solve/grid.h"           // grid_fits_int32
#include "solve/potentials.h"     // potentials_find
#include "solve/range.h"          // range_refused
#include "solve/real_cycles.h"    // real_cycles_find

#include <math.h>
#include <string.h>

/* Number of steps for each vertex that building an index takes at least. */
enum { STEPS = 200 };

/* State of building an index. */
struct building {
    const struct graph *g;
    const struct index_options *options;
    int threads;
    enum isa isa;
    struct progress *progress;
    struct index_live *live; /* the order and, unless the order is new, the edges */
    struct index_header header;
};

static uint64_t labels_of(const struct tree *tree, int threads) {
    uint64_t labels = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : labels)
    for (int32_t at = 0; at < tree->n; at++)
        labels += (uint64_t)tree->depth[at] + 1;
    return labels;
}

const struct grid_purpose index_purpose = {.needs_grid = true, .takes_negative = true};

double index_grid(const struct distance_index *x, const struct graph *g) {
    return g->type != NUMBER_INT32 && g->min_weight >= 0 ? x->header.spacing : GRID_AUTO;
}

uint32_t index_cell(const struct graph *g) {
    /* Paths of all vertices must be shorter than INF / 4 spacings, as eliminate_takes requires. */
    const bool is_short = g->min_weight >= 0 || g->farthest < g->spacing * (INF / 4);
    return g->type == NUMBER_INT32 || (grid_fits_int32(g) && is_short) ? sizeof(int32_t)
                                                                       : sizeof(double);
}

/* Returns whether the graph is symmetric, by the reverse edges that are known. */
static bool is_alike(const struct building *b) {
    const struct graph *const g = b->g;
    const int64_t *const back = b->live->back;
    const void *const weight = graph_weights(g);
    bool same = true;
#pragma omp parallel for num_threads(b->threads) schedule(static) reduction(&& : same)
    for (int64_t e = 0; e < g->m; e++)
        same = same && back[e] >= 0 &&
               number_at(g->type, weight, back[e]) == number_at(g->type, weight, e);
    return same;
}

/* Places a section of `bytes` behind those that have been placed. */
static void place_section(struct index_header *h, int section, uint64_t bytes) {
    h->section[section].offset = h->bytes;
    h->section[section].bytes = bytes;
    h->bytes = memory_add(h->bytes, index_section_end(bytes));
}

/* Finds the numbers of the header, and where sections lie but those of labels and their rows, which
 * are the last ones: all that is known before the elimination. */
static void plan(struct building *b) {
    const struct graph *const g = b->g;
    const bool is_symmetric =
        b->live->first != NULL ? is_alike(b) : index_is_symmetric(g, b->threads);
    const bool is_real = g->type != NUMBER_INT32;
    struct index_header *const h = &b->header;
    *h = (struct index_header){
        .magic = INDEX_MAGIC,
        .version = INDEX_VERSION,
        .type = g->integral ? INDEX_INT64
                : is_real   ? INDEX_FLOAT64
                            : INDEX_INT32,
        .directions = !is_symmetric || b->options->both_directions ? 2 : 1,
        .vertices = g->n,
        .first_vertex = g->naming.names != NULL ? 0 : g->naming.first,
        .largest = index_largest(g),
        .edges = g->m,
        .height = (uint32_t)b->live->tree.height,
        .labels = labels_of(&b->live->tree, b->threads),
        .entries = (uint64_t)b->live->tree.entries,
        .bytes = sizeof *h,
        .directed = !is_symmetric,
        .loops = index_has_loops(g),
        .spacing = is_real ? g->spacing : 0,
        .grid_error = is_real ? b->options->grid_error : 0,
        .cell = index_cell(g),
    };
    h->section[INDEX_NAMES].bytes = g->naming.names != NULL ? g->naming.names->bytes : 0;
    for (int s = 0; s < INDEX_LABELS_OUT; s++) {
        const uint64_t bytes = index_section_bytes(h, s);
        if (bytes > 0 || !index_section_may_lack(h, s))
            place_section(h, s, bytes);
    }
}

/* Returns the most bytes that the labels of all directions may take. */
static uint64_t labels_room(const struct index_header *h) {
    const uint64_t cells = memory_add(h->labels, index_label_zeros(h) + INDEX_PAD);
    return memory_times(index_section_end(memory_times(cells, index_label_cell(h))), h->directions);
}

/* Returns the most bytes that an index may have: if every label is a row. */
static uint64_t most_bytes(const struct index_header *h) {
    const uint64_t rows =
        memory_add(h->labels, memory_times((uint64_t)h->vertices, INDEX_ROW_STEP - 1));
    const uint64_t cells = h->cell == sizeof(double) ? h->labels : memory_add(rows, INDEX_PAD);
    const uint64_t zeros = memory_times(index_label_zeros(h) + INDEX_PAD, index_label_cell(h));
    const uint64_t each =
        memory_add(index_section_end(memory_times(cells, h->cell)), index_section_end(zeros));
    return memory_add(h->bytes, memory_times(each, h->directions));
}

static void size_of(const struct building *b, struct index_size *size) {
    const uint64_t n = (uint64_t)b->g->n;
    *size = (struct index_size){
        .labels_each = (double)b->header.labels / b->g->n,
        .height = b->header.height,
        .cell = b->header.cell,
        .distance_bytes = b->header.cell,
        .both = b->header.directions == 2,
        .bytes = most_bytes(&b->header),
        .is_most = b->header.cell == sizeof(int32_t),
        .matrix = n * n * number_size(b->g->type),
    };
}

/* Sets the size of an index that has been made. */
static void size_made(const struct distance_index *x, struct index_size *size) {
    const struct index_header *const h = &x->header;
    uint64_t bytes = 0;
    for (int d = 0; d < (int)h->directions; d++)
        bytes += (x->label_cells[d] - index_label_zeros(h)) * index_label_cell(h) +
                 x->row_cells[d] * sizeof(int32_t);
    size->distance_bytes = (double)bytes / (double)(h->labels * h->directions);
    size->bytes = h->bytes;
    size->is_most = false;
}

/* Refuses an index that is larger than the matrix of distances. */
static enum status check_size(const struct index_size *size, const struct index_options *options,
                              int32_t n, struct error *err) {
    char index[32], matrix[32];
    if (options->even_if_larger || size->bytes <= INDEX_SMALL || size->bytes <= size->matrix)
        return STATUS_OK;
    return fail(
        err, STATUS_BAD_INPUT,
        "the index would take %s, %.1f times as much as the matrix of all distances (%s): "
        "labels have %.0f of %d vertices on average; expected a graph with small separators "
        "(--force builds it all the same)",
        memory_amount(size->bytes, index, sizeof index), (double)size->bytes / (double)size->matrix,
        memory_amount(size->matrix, matrix, sizeof matrix), size->labels_each, n);
}

/* Refuses an index that takes much longer to build than finding all distances. The elimination's
 * work, about 2 ns for each addition, follows from the tree; it is compared with the edges that
 * Dijkstra's algorithm looks at from all vertices. */
static enum status check_work(const struct building *b, const struct index_options *options,
                              struct error *err) {
    enum { TIMES = 10 };
    const double edges = (double)b->g->n * (double)b->g->m, short_work = 4e9;
    double work = 0;
    for (int32_t at = 0; at < b->live->tree.n; at++)
        work += (double)b->live->tree.count[at] * b->live->tree.count[at];
    if (options->even_if_larger || work <= short_work || work <= TIMES * edges)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "the index would take %.1e additions, %.0f times as many as edges that Dijkstra's "
                "algorithm looks at for all distances; expected a graph with small separators "
                "(--measures, or rows of --sources, are sooner; --force builds it all the same)",
                work, work / edges);
}

/* Refuses graphs that an index cannot hold, and weights whose distances may not fit. */
static enum status check_graph(const struct graph *g, struct error *err) {
    if (g->zones > 0)
        return fail(
            err, STATUS_BAD_INPUT,
            "an index knows no zones: expected a network whose paths may lead through every "
            "node, found %d zones; rows of it (--sources, --targets) and measures know them, and "
            "--through-zones lets paths lead through them, which may make them shorter",
            g->zones);
    if (g->type == NUMBER_FLOAT32)
        return fail(err, STATUS_BAD_INPUT,
                    "an index holds integers or float64 numbers: expected weights of one of these "
                    "types, found float32 (--type float64 takes them so)");
    if (g->type == NUMBER_FLOAT64 && g->min_weight < 0 && !(g->spacing > 0))
        return fail(err, STATUS_BAD_INPUT,
                    "an index of %s weights below 0: expected paths of all vertices to be shorter "
                    "than 2^52%s, found %d vertices and weights %.17g .. %.17g (%s)",
                    g->integral ? INT64_NAME : "real",
                    g->integral ? "" : " times a power of two that all weights are multiples of",
                    g->n, g->min_weight, g->max_weight,
                    g->integral ? "rows and --measures take them"
                                : "--scale K makes them integers");
    if (g->integral && !(g->spacing > 0))
        return fail(err, STATUS_BAD_INPUT,
                    "an index of integers: expected distances below 2^52, found weights up to %.0f "
                    "that may lead beyond (--type float64 rounds them)",
                    g->max_weight);
    if (g->type == NUMBER_FLOAT64 && !(g->spacing > 0))
        return fail(err, STATUS_BAD_INPUT,
                    "an index holds real weights on a grid: expected multiples of a power of two, "
                    "found others, and that they are not to be rounded (--grid auto rounds them to "
                    "2^-52 of the largest distance)");
    if (g->type == NUMBER_INT32 && g->min_weight < 0 && !eliminate_takes(g))
        return range_refused(
            fail(err, STATUS_BAD_INPUT,
                 "weights below 0: expected paths of all vertices to be shorter than %d, found %d "
                 "vertices and weights %.0f .. %.0f (--type int64 has room for longer ones)",
                 INF / 4, g->n, g->min_weight, g->max_weight),
            err);
    return STATUS_OK;
}

static enum status take_order(struct building *b, const struct pattern *pattern,
                              const int32_t *vertex, struct error *err) {
    tree_free(&b->live->tree);
    structure_free(&b->live->structure);
    RETURN_ON_FAILURE(tree_build(pattern, vertex, NULL, b->threads, &b->live->tree, err));
    return structure_find(pattern, &b->live->tree, b->threads, &b->live->structure, err);
}

/* Finds the order and the tree that make the fewest labels, and the structure of the
 * elimination. */
static enum status find_tree(struct building *b, struct error *err) {
    /* A new tree pays if it saves more than this share of the labels: 1 / WORTH. */
    enum { WORTH = 500 };
    struct pattern pattern = {0};
    void *vertex = NULL;
    int64_t saved;
    enum status status;
    TRY(pattern_find(b->g, b->threads, &pattern, err));
    TRY(memory_alloc(&vertex, (size_t)b->g->n, sizeof(int32_t), "the order", err));
    TRY(nested_order(&pattern, b->threads, vertex, b->progress, err));
    TRY(take_order(b, &pattern, vertex, err));
    TRY(flatten_order(&b->live->tree, &b->live->structure, vertex, &saved, err));
    if ((uint64_t)saved > labels_of(&b->live->tree, b->threads) / WORTH)
        TRY(take_order(b, &pattern, vertex, err));
    plan(b);
cleanup:
    pattern_free(&pattern);
    memory_free(vertex);
    return status;
}

/* Sets the bit of each entry that is an edge of the graph. */
static void mark_edges(const struct building *b, const struct distance_index *x) {
    const struct graph *const g = b->g;
    const struct structure *const s = &b->live->structure;
    const struct tree *const tree = &b->live->tree;
    const edge_entry *const entry_of = b->live->first != NULL ? b->live->entry : NULL;
    const int directions = (int)b->header.directions;
    for (int d = 0; d < directions; d++)
        memset((uint8_t *)x->edge[d], 0, index_edge_bytes(&b->header));
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 1024)
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t from = tree->position[u], to = tree->position[g->head[e]];
            const int32_t low = from < to ? from : to;
            const int direction = from == low ? 0 : 1;
            if (direction >= directions)
                continue;
            const int64_t at =
                entry_of != NULL
                    ? entry_of[e] / 2
                    : structure_seek(s->higher, s->first[low], s->first[low + 1], from + to - low);
            const uint64_t own =
                index_first_entry_at(tree, s, low) + (uint64_t)(at - s->first[low]);
            uint8_t *const edge = (uint8_t *)x->edge[direction];
            __atomic_fetch_or(&edge[own / 8], (uint8_t)(1 << own % 8), __ATOMIC_RELAXED);
        }
    }
}

/* Writes what does not depend on weights: vertices, order, heads, higher neighbours, bits of edges
 * and names. */
static enum status lay_out(const struct building *b, const struct distance_index *x, char *image,
                           struct error *err) {
    const struct index_place *const s = b->header.section;
    const struct structure *const structure = &b->live->structure;
    struct index_vertex *const vertex = (struct index_vertex *)x->vertex[0];
    int32_t *const order = (int32_t *)x->order, *const higher = (int32_t *)x->higher;
    const int32_t n = b->live->tree.n;
#pragma omp parallel for num_threads(b->threads) schedule(static)
    for (int32_t k = 0; k < n; k++) {
        const int32_t at = n - 1 - k, v = b->live->tree.vertex[at];
        uint64_t entry = index_first_entry_at(&b->live->tree, structure, at);
        order[k] = v;
        vertex[v] = (struct index_vertex){
            .entries = (uint64_t)b->live->tree.count[at] << INDEX_PLACE_BITS | entry,
            .labels = (uint32_t)b->live->tree.depth[at] + 1,
        };
        for (int64_t e = structure->first[at]; e < structure->first[at + 1]; e++)
            higher[entry++] = b->live->tree.vertex[structure->higher[e]];
    }
    mark_edges(b, x);
    if (s[INDEX_NAMES].bytes > 0)
        memcpy(image + s[INDEX_NAMES].offset, b->g->naming.names->block, s[INDEX_NAMES].bytes);
    RETURN_ON_FAILURE(index_find_branches(order, n, vertex, (uint32_t *)x->head, err));
    if (x->vertex[1] != x->vertex[0])
        memcpy((struct index_vertex *)x->vertex[1], vertex, (size_t)n * sizeof *vertex);
    return STATUS_OK;
}

/* Places the sections of labels, and behind them their rows, which are copied there. The image is
 * enlarged if it has less room than header.bytes then. */
static enum status append_labels(struct building *b, const struct index_made *made, void **image,
                                 uint64_t room, struct error *err) {
    struct index_header *const h = &b->header;
    const int directions = (int)h->directions;
    for (int d = 0; d < directions; d++)
        place_section(h, INDEX_LABELS_OUT + d, (made->cells[d] + INDEX_PAD) * index_label_cell(h));
    for (int d = 0; d < directions; d++) {
        if (made->row[d] != NULL)
            place_section(h, INDEX_ROWS_OUT + d,
                          (made->row_cells[d] + INDEX_PAD) * sizeof(int32_t));
    }
    if (h->bytes > room)
        RETURN_ON_FAILURE(memory_resize(image, h->bytes, 1, "the index", err));
    char *const bytes = *image;
    for (int d = 0; d < directions; d++) {
        const struct index_place *const row = &h->section[INDEX_ROWS_OUT + d];
        if (made->row[d] != NULL)
            copy_together(bytes + row->offset, made->row[d], row->bytes, b->threads);
    }
    for (int s = 0; s < INDEX_SECTIONS; s++) { /* writes zeros between sections */
        const uint64_t end = h->section[s].offset + h->section[s].bytes;
        memset(bytes + end, 0, (64 - end % 64) % 64);
    }
    return STATUS_OK;
}

static enum status check_progress(const struct building *b, int done, struct error *err) {
    return progress_report(b->progress, done, INDEX_STEPS) ? STATUS_OK : progress_cancelled(err);
}

/* Fills the sections that depend on weights, and makes the labels. If there is a negative cycle,
 * the search for potentials names it. */
static enum status fill(const struct building *b, const struct distance_index *x, void *labels,
                        struct index_made *made_labels, struct error *err) {
    struct index_filling filling = {.tree = &b->live->tree,
                                    .structure = &b->live->structure,
                                    .entry_of = b->live->first != NULL ? b->live->entry : NULL,
                                    .threads = b->threads,
                                    .isa = b->isa,
                                    .progress = b->progress,
                                    .x = x,
                                    .labels = labels};
    struct graph made = {0};
    struct cycle cycle = {0};
    void *potential = NULL;
    enum status status;
    TRY(index_cells_graph(b->g, b->header.cell, &made, &filling.g, err));
    status = x->cells->fill(&filling, made_labels, err);
    if (status == STATUS_NEGATIVE_CYCLE && b->g->type == NUMBER_FLOAT64) {
        TRY(real_cycles_find(b->g, &cycle, b->progress, err));
    } else if (status == STATUS_NEGATIVE_CYCLE) {
        TRY(memory_alloc(&potential, (size_t)b->g->n, sizeof(int64_t), "the potentials", err));
        TRY(potentials_find(b->g, potential, &cycle, b->progress, err));
    }
cleanup:
    memory_free(cycle.vertices);
    memory_free(potential);
    graph_free(&made);
    return status;
}

/* Begins building. live: order and edges of an index that is updated; NULL: a new order. */
static enum status begin(struct building *b, struct index_live *live, struct error *err) {
    void *memory;
    if (live == NULL) {
        RETURN_ON_FAILURE(memory_alloc(&memory, 1, sizeof *live, "the index", err));
        live = memory;
        *live = (struct index_live){.first = NULL};
    }
    b->live = live;
    RETURN_ON_FAILURE(isa_choose(&b->isa, err));
    RETURN_ON_FAILURE(check_graph(b->g, err));
    return check_progress(b, 0, err);
}

enum status index_plan(const struct graph *g, const struct index_options *options,
                       struct index_size *size, struct progress *progress, struct error *err) {
    struct building b = {.g = g,
                         .options = options,
                         .threads = threads_worth(options->threads, (double)STEPS * g->n),
                         .progress = progress};
    enum status status;
    TRY(begin(&b, NULL, err));
    TRY(find_tree(&b, err));
    size_of(&b, size);
    if (g->type == NUMBER_INT32 && g->min_weight >= 0 && !distance_bound_is_below(g, INF))
        status = index_beyond_range(g, err);
cleanup:
    index_live_free(b.live);
    return status;
}

/* Returns whether the sections that do not depend on weights are the same in two indices of one
 * order. */
static bool is_laid_out_like(const struct index_header *a, const struct index_header *b) {
    bool same = true;
    for (int s = 0; s < INDEX_LABELS_OUT; s++)
        same = same && a->section[s].offset == b->section[s].offset;
    return same;
}

/* Takes memory for an image: that of the index before the last update if it is large enough. The
 * system takes longer to hand out new memory than labels take to be made. *is_laid_out: its
 * sections that do not depend on weights are right. */
static enum status take_image(struct building *b, uint64_t bytes, void **image, bool *is_laid_out,
                              struct error *err) {
    struct index_live *const live = b->live;
    *is_laid_out = false;
    if (live->spare != NULL && live->spare_bytes >= bytes) {
        *image = live->spare;
        *is_laid_out = is_laid_out_like(&live->spare_header, &b->header);
        live->spare = NULL;
        return STATUS_OK;
    }
    return memory_alloc(image, bytes, 1, "the index", err);
}

/* Keeps the image of an index that is replaced, for the next update. */
static void keep_image(struct index_live *live, struct distance_index *x) {
    if (x->image == NULL)
        return;
    memory_free(live->spare);
    live->spare = x->image;
    live->spare_bytes = x->room;
    live->spare_header = x->header;
    x->image = NULL;
}

/* Makes the planned image, and opens the index in it. */
static enum status make(struct building *b, struct distance_index *x, struct error *err) {
    const uint64_t fixed = b->header.bytes, room = memory_add(fixed, labels_room(&b->header));
    struct index_made labels = {.cells = {0}};
    void *image = NULL;
    bool is_laid_out;
    enum status status;
    TRY(check_progress(b, 1, err));
    if (b->header.labels + b->header.height >= UINT64_C(1) << INDEX_PLACE_BITS)
        TRY(fail(err, STATUS_NO_RESOURCE,
                 "the index is too large: expected labels of fewer than "
                 "2^40 cells"));
    TRY(take_image(b, room, &image, &is_laid_out, err));
    index_place_sections(x, &b->header, image, b->isa);
    if (!is_laid_out)
        TRY(lay_out(b, x, image, err));
    TRY(fill(b, x, (char *)image + fixed, &labels, err));
    TRY(append_labels(b, &labels, &image, room, err));
    index_place_sections(x, &b->header, image, b->isa);
    x->header.graph_checksum = graph_checksum(b->g);
    x->image = image;
    x->room = b->header.bytes > room ? b->header.bytes : room;
    image = NULL;
    TRY(index_find_names(x, err));
    TRY(check_progress(b, INDEX_STEPS, err));
cleanup:
    memory_free(labels.row[0]);
    memory_free(labels.row[1]);
    memory_free(image);
    return status;
}

enum status index_build(struct distance_index *x, const struct graph *g,
                        const struct index_options *options, struct index_size *size,
                        struct progress *progress, struct error *err) {
    struct building b = {.g = g,
                         .options = options,
                         .threads = threads_worth(options->threads, (double)STEPS * g->n),
                         .progress = progress};
    struct index_size here = {0};
    enum status status;
    *x = (struct distance_index){0};
    size = size != NULL ? size : &here;
    *size = (struct index_size){0};
    TRY(begin(&b, NULL, err));
    TRY(find_tree(&b, err));
    size_of(&b, size);
    TRY(check_size(size, options, g->n, err));
    TRY(check_work(&b, options, err));
    TRY(make(&b, x, err));
    size_made(x, size);
cleanup:
    index_live_free(b.live);
    if (status != STATUS_OK)
        index_close(x);
    return status;
}

/* Refuses a graph whose vertices or edges differ from those of an index. */
static enum status check_same(const struct distance_index *x, const struct graph *g, int threads,
                              struct error *err) {
    struct index_difference first;
    if (g->n != x->header.vertices)
        return fail(err, STATUS_BAD_INPUT,
                    "new weights: expected a graph of the index's %d vertices, found %d",
                    x->header.vertices, g->n);
    if (!names_equal(g->naming.names, x->naming.names)) {
        const int32_t v = naming_first_difference(&g->naming, &x->naming, g->n);
        return fail(
            err, STATUS_BAD_INPUT,
            "new weights: expected the names of the index's vertices, vertex %d of which is "
            "%s, found others, vertex %d of which is %s",
            v, naming_name(&x->naming, v).text, v, graph_name(g, v).text);
    }
    if (index_live_is_of(x->live, g) || !index_differs(x, g, threads, &first))
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "new weights: expected the edges of the index's graph, found that the one from %s "
                "to %s is %s",
                graph_name(g, first.tail).text, graph_name(g, first.head).text,
                first.is_missing ? "missing" : "not one of them");
}

enum status index_update(struct distance_index *x, const struct graph *g,
                         const struct index_options *options, struct index_size *size,
                         struct progress *progress, struct error *err) {
    struct index_options ours = *options;
    struct building b = {.g = g,
                         .options = &ours,
                         .threads = threads_worth(options->threads, (double)STEPS * g->n),
                         .progress = progress};
    struct index_size here = {0};
    struct distance_index made = {0};
    enum status status;
    ours.both_directions = options->both_directions || x->header.directions == 2;
    size = size != NULL ? size : &here;
    TRY(begin(&b, x->live, err));
    x->live = b.live;
    TRY(check_same(x, g, b.threads, err));
    TRY(index_live_find(x, g, b.threads, b.live, err));
    plan(&b);
    size_of(&b, size);
    TRY(check_size(size, options, g->n, err));
    TRY(make(&b, &made, err));
    size_made(&made, size);
    made.live = x->live;
    x->live = NULL;
    keep_image(made.live, x);
    index_close(x);
    *x = made;
    made = (struct distance_index){0};
cleanup:
    index_close(&made);
    return status;
}
