// SPDX-License-Identifier: MIT
#include "classes/gpu/classes.h"

#ifndef APSP_NO_CUDA

#include "classes/class_slots.h"     // class_slots
#include "classes/region_layouts.h"  // region_numbers
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // threads_paid
#include "common/base/clock.h"       // clock_seconds
#include "common/base/memory.h"      // memory_alloc
#include "gpu/gpu_numbers.h"         // gpu_numbers_take
#include "gpu/launch/gpu_error.h"    // gpu_check

#include <math.h>
#include <omp.h>
#include <string.h>

static const char what[] = "proportional rows";

// Numbers -----------------------------------------------------------------------------------------

/* Numbers the regions by their depth. */
static enum status number_regions(struct gpu_classes *c, struct error *err) {
    const struct region *const from = c->regions->region;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)c->count, sizeof *c->region, what, err));
    c->region = memory;
    memset(memory, 0, (size_t)c->count * sizeof *c->region);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)c->count, sizeof(int32_t), what, err));
    c->numbered = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)c->count + 1, sizeof(int32_t), what, err));
    c->depth = memory;
    int32_t known = 1, own = 0;
    c->numbered[0] = 0;
    c->region[0].parent = -1;
    for (int32_t begin = 0, end = 1; begin < end; begin = end, end = known) {
        c->depth[c->depths++] = begin;
        for (int32_t k = begin; k < end; k++) {
            const struct region *const r = &from[c->numbered[k]];
            struct class_region *const to = &c->region[k];
            to->own = r->own;
            to->width = r->width;
            to->start = class_pitch(r->width);
            to->portals = r->child >= 0 ? to->start + r->portals - r->width : 0;
            to->first_child = known;
            to->first_own = own;
            own += r->own;
            for (int32_t child = r->child; child >= 0; child = from[child].sibling) {
                c->region[known].parent = k;
                c->numbered[known++] = child;
            }
            to->children = known - to->first_child;
        }
    }
    c->depth[c->depths] = c->count;
    return STATUS_OK;
}

/* Numbers of the regions and of the graph that are copied to the device once. */
struct numbers {
    struct class_own *own; /* own vertices, n entries */
    int32_t *position;     /* position of each own vertex, n entries */
    int32_t *to;           /* number of the higher vertex of each entry */
    int32_t *outer;        /* numbers in the parent of all boundaries, laid out as in struct
                              regions */
    int64_t entries, boundaries;
};

/* Finds the numbers of a region's vertices from their local numbers in struct regions, and stores
 * them with the entries of its own vertices. number: memory for the numbers of all its vertices. */
static void number_region(const struct gpu_classes *c, const struct structure *structure, int32_t k,
                          int32_t *number, struct numbers *to) {
    const struct regions *const regions = c->regions;
    const struct region *const from = &regions->region[c->numbered[k]];
    const struct class_region *const r = &c->region[k];
    region_numbers(regions, c->numbered[k], number);
    for (int32_t i = 0; i < r->own; i++) {
        const int32_t position = regions->own_position[from->first_own + i];
        const int64_t first = structure->first[position], end = structure->first[position + 1];
        to->position[r->first_own + number[i] - r->start] = position;
        to->own[r->first_own + i] = (struct class_own){first, (int32_t)(end - first), number[i]};
        for (int64_t e = first; e < end; e++)
            to->to[e] = number[regions->local[e]];
    }
    for (int32_t child = r->first_child; child < r->first_child + r->children; child++) {
        const struct region *const inside = &regions->region[c->numbered[child]];
        for (int64_t b = inside->outer; b < inside->outer + inside->width; b++)
            to->outer[b] = number[regions->outer[b]];
    }
}

static enum status number_vertices(const struct gpu_classes *c, const struct structure *structure,
                                   int threads, struct numbers *to, void **memory,
                                   struct error *err) {
    const size_t n = (size_t)c->n, entries = (size_t)structure->first[c->n];
    size_t boundaries = 0;
    for (int32_t k = 0; k < c->count; k++)
        boundaries += (size_t)c->region[k].width;
    RETURN_ON_FAILURE(memory_alloc(
        memory, n * sizeof *to->own + (n + entries + boundaries) * sizeof(int32_t), 1, what, err));
    to->own = *memory;
    to->position = (int32_t *)(to->own + n);
    to->to = to->position + n;
    to->outer = to->to + entries;
    to->entries = (int64_t)entries;
    to->boundaries = (int64_t)boundaries;
    void *number;
    const size_t largest = (size_t)c->regions->largest;
    RETURN_ON_FAILURE(memory_alloc(&number, largest * (size_t)threads, sizeof(int32_t), what, err));
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int32_t k = 0; k < c->count; k++)
        number_region(c, structure, k, (int32_t *)number + largest * (size_t)omp_get_thread_num(),
                      to);
    memory_free(number);
    return STATUS_OK;
}

// Memory of the device ----------------------------------------------------------------------------

static enum status no_room(struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "out of memory on the GPU: %s", what);
}

/* Copies the host's copy of regions first .. end - 1 to the device. */
static enum status send_regions(const struct gpu_classes *c, int32_t first, int32_t end,
                                struct error *err) {
    const size_t count = (size_t)(end - first);
    RETURN_ON_FAILURE(device_copy_to((struct class_region *)c->graph.region + first,
                                     c->region + first, count * sizeof *c->region,
                                     "copying regions", err));
    if (!c->proof.is_ready)
        return STATUS_OK;
    for (int32_t k = first; k < end; k++) {
        const struct class_region *const r = &c->region[k];
        c->rows[k] = (struct class_rows){.first_source = r->first_source,
                                         .sources = r->sources,
                                         .classes = r->classes,
                                         .source_row = r->climbed,
                                         .class_row = r->class_row,
                                         .portal_row = r->portal_row,
                                         .reference = r->reference,
                                         .total = r->total,
                                         .tight = c->rows[k].tight};
    }
    return device_copy_to((struct class_rows *)c->proof.rows + first, c->rows + first,
                          count * sizeof *c->rows, "copying regions", err);
}

/* Allocates the arrays that do not depend on sources, and the stack for those that do, in `room`
 * bytes. */
static enum status lay_out(struct gpu_classes *c, const struct device_array *array, int arrays,
                           size_t room, struct error *err) {
    /* Larger memory for each vertex is of no use to a small graph. */
    enum { NUMBERS = 16 * sizeof(double) };
    const size_t numbers = NUMBERS * (size_t)class_values_width(&c->graph.values);
    const size_t useful = ((size_t)64 << 20) + ((size_t)c->n * (((size_t)24 << 10) + numbers));
    const size_t bytes = device_arrays_bytes(array, arrays);
    if (bytes >= room)
        return no_room(err);
    const double start = clock_seconds();
    RETURN_ON_FAILURE(device_arrays_alloc(array, arrays, "allocating regions", &c->fixed, err));
    c->fixed_bytes = bytes;
    c->transfer_s += clock_seconds() - start;
    return device_stack_alloc(&c->stack, room - bytes < useful ? room - bytes : useful, what, err);
}

/* Functions that return the number of cells of a region's matrices. */
static size_t down_cells(const struct class_region *r) {
    return (size_t)r->width * (size_t)class_pitch(r->own);
}

static size_t up_cells(const struct class_region *r) {
    return (size_t)r->own * (size_t)r->start;
}

static size_t all_cells(const struct class_region *r) {
    return r->children > 0 ? (size_t)class_size(r) * (size_t)class_size(r) : 0;
}

static size_t matrix_cells(const struct gpu_classes *c) {
    size_t cells = 0;
    for (int32_t k = 0; k < c->count; k++)
        cells += down_cells(&c->region[k]) + up_cells(&c->region[k]) + all_cells(&c->region[k]);
    return cells;
}

/* Sets the pointers to the boundaries' numbers and to the matrices of all regions. */
static void place_arrays(struct gpu_classes *c, const int32_t *outer, path_length *cells) {
    for (int32_t k = 0; k < c->count; k++) {
        struct class_region *const r = &c->region[k];
        r->outer = outer + c->regions->region[c->numbered[k]].outer;
        r->down = cells;
        r->up = r->down + down_cells(r);
        cells = r->up + up_cells(r);
        r->all = r->children > 0 ? cells : NULL;
        cells += all_cells(r);
    }
}

static struct class_range range_of(const struct gpu_classes *c, int32_t first, int32_t end) {
    struct class_range range = {.first = first, .count = end - first};
    for (int32_t k = first; k < end; k++) {
        const int32_t size = class_size(&c->region[k]) + c->region[k].start;
        range.largest = size > range.largest ? size : range.largest;
    }
    return range;
}

static enum status close_all(const struct gpu_classes *c, struct error *err) {
    RETURN_ON_FAILURE(class_close(&c->graph, range_of(c, 0, c->count), err));
    for (int32_t d = 0; d < c->depths; d++)
        RETURN_ON_FAILURE(
            class_find_all(&c->graph, range_of(c, c->depth[d], c->depth[d + 1]), err));
    return gpu_check(cudaDeviceSynchronize(), "closing regions", err);
}

static enum status prepare_proof(struct gpu_classes *c, const struct graph *proves,
                                 const struct proportional_graph *g, struct error *err) {
    const double start = clock_seconds();
    struct region_layouts layouts = {0};
    void *memory;
    enum status status;
    TRY(region_layouts_find(&layouts, g->tree, g->structure, c->regions, err));
    TRY(gpu_class_proof_open(&c->proof, proves, layouts.layout, c->count, layouts.vertex,
                             c->threads, err));
    if (!c->proof.is_ready)
        goto cleanup;
    TRY(memory_alloc(&memory, (size_t)c->count, sizeof *c->rows, what, err));
    c->rows = memory;
    memset(memory, 0, (size_t)c->count * sizeof *c->rows);
    status = gpu_class_proof_begin(&c->proof, err);

cleanup:
    region_layouts_free(&layouts);
    c->prove_s += clock_seconds() - start;
    return status;
}

enum { FEWEST = 1024 };

enum status gpu_classes_open(struct gpu_classes *c, const struct proportional_graph *g,
                             const struct regions *regions,
                             const struct gpu_classes_options *options, struct error *err) {
    const size_t n = (size_t)g->tree->n;
    struct numbers numbers = {0};
    void *memory = NULL;
    int32_t *outer = NULL, largest;
    path_length *cells = NULL;
    struct class_values values = {0};
    enum status status;
    *c = (struct gpu_classes){.regions = regions,
                              .progress = options->progress,
                              .threads = options->threads,
                              .n = g->tree->n,
                              .count = regions->count,
                              .vertex = g->tree->vertex,
                              .fewest = FEWEST,
                              .at_a_time = INT32_MAX};
    TRY(number_regions(c, err));
    TRY(class_largest(&largest, err));
    c->graph.largest = range_of(c, 0, c->count).largest;
    if (c->graph.largest > largest)
        TRY(no_room(err));
    TRY(number_vertices(c, g->structure, options->threads, &numbers, &memory, err));
    if (options->proves != NULL)
        TRY(prepare_proof(c, options->proves, g, err));
    if (options->values != NULL)
        values = *options->values;
    c->graph.values = (struct class_values){.masses = values.masses, .decays = values.decays};
    const size_t entries = (size_t)numbers.entries * sizeof(int32_t);
    const size_t lengths = (size_t)numbers.entries * sizeof(path_length);
    const struct device_array array[] = {
        {n * sizeof *numbers.own, numbers.own, &c->graph.own},
        {n * sizeof(int32_t), numbers.position, &c->graph.position},
        {entries, numbers.to, &c->graph.to},
        {lengths, g->lengths.up, &c->graph.up},
        {lengths, g->lengths.down, &c->graph.down},
        {(size_t)numbers.boundaries * sizeof(int32_t), numbers.outer, &outer},
        {n * sizeof(int32_t), NULL, &c->graph.source},
        {(size_t)c->count * sizeof(int32_t), NULL, &c->graph.classes},
        {(size_t)c->count * sizeof *c->region, NULL, &c->graph.region},
        {c->proof.is_ready ? (size_t)c->count * sizeof *c->rows : 0, NULL, &c->proof.rows},
        {n * (size_t)values.masses * sizeof(double), values.mass, &c->graph.values.mass},
        {(size_t)values.decays * sizeof(double), values.rate, &c->graph.values.rate},
        {matrix_cells(c) * sizeof(path_length), NULL, &cells},
    };
    TRY(lay_out(c, array, sizeof array / sizeof *array, options->room, err));
    place_arrays(c, outer, cells);
    TRY(send_regions(c, 0, c->count, err));
    status = close_all(c, err);

cleanup:
    memory_free(memory);
    return status;
}

enum status gpu_classes_reverse(struct gpu_classes *c, const struct proportional_graph *g,
                                const struct graph *proves, struct error *err) {
    const path_length *const up = c->graph.up;
    const struct class_rows *const rows = c->proof.rows;
    const bool proved = c->proof.is_ready; /* otherwise the device has no room for `rows` */
    c->graph.up = c->graph.down;
    c->graph.down = up;
    c->unreached = false;
    gpu_class_proof_close(&c->proof);
    memory_free(c->rows);
    c->rows = NULL;
    if (proves != NULL && proved)
        RETURN_ON_FAILURE(prepare_proof(c, proves, g, err));
    c->proof.rows = rows;
    return close_all(c, err);
}

void gpu_classes_close(struct gpu_classes *c) {
    if (c->fixed != NULL)
        cudaFree(c->fixed);
    device_stack_free(&c->stack);
    gpu_class_proof_close(&c->proof);
    memory_free(c->rows);
    memory_free(c->region);
    memory_free(c->numbered);
    memory_free(c->depth);
    *c = (struct gpu_classes){0};
}

// Parts of the work -------------------------------------------------------------------------------

/* A list of parts, split into batches whose labels fit into memory, if labels are kept. */
struct part_list {
    struct class_part *part; /* the list in host memory; NULL while parts are counted */
    int32_t count;
    int64_t blocks, cells; /* number of blocks, and of cells of labels, of the last batch so far */
    int64_t room;          /* most cells of a batch's labels; 0: labels are not kept */
};

/* Adds parts for `rows` rows of a region, `each` rows for each block, whose labels take `cells`
 * cells. */
static void add_part(struct part_list *p, int32_t region, int32_t inside, int32_t rows,
                     int32_t each, int64_t cells) {
    for (int64_t row = 0; row < rows;) {
        const int32_t first = (int32_t)row;
        int64_t blocks = (rows - first - 1) / each + 1;
        if (p->room > 0 && p->cells + cells > p->room)
            p->blocks = p->cells = 0;
        if (p->room > 0 && p->cells + blocks * cells > p->room)
            blocks = (p->room - p->cells) / cells;
        if (p->part != NULL)
            p->part[p->count] = (struct class_part){
                (int32_t)p->blocks, (int32_t)blocks, region, inside, first, p->cells};
        p->count++;
        row += blocks * each;
        p->blocks += blocks;
        p->cells += blocks * cells;
    }
}

static int32_t rows_of(const struct class_region *r) {
    return r->sources + r->classes;
}

/* A function that appends the parts of region k to a list of parts. */
typedef void list_region(const struct gpu_classes *c, int32_t k, struct part_list *p);

/* Returns the number of cells of the labels of a block's rows. */
static int64_t cells_of(const struct class_region *r) {
    return (int64_t)class_size(r) * CLASS_TILE;
}

static void list_sources(const struct gpu_classes *c, int32_t k, struct part_list *p) {
    const struct class_region *const r = &c->region[k];
    for (int32_t child = r->first_child; child < r->first_child + r->children; child++)
        add_part(p, k, child, c->region[child].sources, CLASS_TILE, cells_of(r));
}

static void list_class_rows(const struct gpu_classes *c, int32_t k, struct part_list *p) {
    const struct class_region *const r = &c->region[k];
    add_part(p, k, CLASS_CLASSES, r->classes, CLASS_TILE, cells_of(r));
}

static void list_own(const struct gpu_classes *c, int32_t k, struct part_list *p) {
    const struct class_region *const r = &c->region[k];
    add_part(p, k, CLASS_OWN, r->sources > 0 ? r->own : 0, CLASS_TILE, cells_of(r));
}

static void list_classes(const struct gpu_classes *c, int32_t k, struct part_list *p) {
    add_part(p, k, CLASS_CLASSES, c->region[k].classes, CLASS_ROWS, 0);
}

/* Lists the rows of region k if a block of class_find takes c->find_rows of them. */
static void list_finding(const struct gpu_classes *c, int32_t k, struct part_list *p) {
    const struct class_region *const r = &c->region[k];
    size_t bytes;
    if (r->children > 0 && class_find_rows(r, &bytes) == c->find_rows)
        add_part(p, k, CLASS_CLASSES, rows_of(r), c->find_rows, 0);
}

static void list_rows(const struct gpu_classes *c, int32_t k, struct part_list *p) {
    if (c->region[k].children > 0)
        add_part(p, k, CLASS_CLASSES, rows_of(&c->region[k]), CLASS_ROWS, 0);
}

static void list_all(const struct gpu_classes *c, int32_t first, int32_t end, list_region *list,
                     struct part_list *p) {
    p->count = 0;
    p->blocks = p->cells = 0;
    for (int32_t k = first; k < end; k++)
        list(c, k, p);
}

typedef enum status launch_list(struct gpu_classes *c, const struct class_parts *parts,
                                struct error *err);

/* Calls `launch` for each batch of a list. part: the copy of the list on the device. */
static enum status launch_batches(struct gpu_classes *c, const struct part_list *p,
                                  const struct class_part *part, launch_list *launch,
                                  struct error *err) {
    for (int32_t first = 0, end; first < p->count; first = end) {
        end = first + 1;
        while (end < p->count && p->part[end].block > 0)
            end++;
        const struct class_part *const last = &p->part[end - 1];
        const struct class_parts batch = {part + first, end - first, last->block + last->blocks};
        RETURN_ON_FAILURE(launch(c, &batch, err));
    }
    return STATUS_OK;
}

/* Launches kernels for regions first .. end - 1. keeps: labels are kept, so the list is split into
 * batches. */
static enum status launch_for(struct gpu_classes *c, int32_t first, int32_t end, list_region *list,
                              bool keeps, launch_list *launch, struct error *err) {
    const size_t high = c->stack.high;
    void *memory = NULL;
    struct class_part *part = NULL;
    struct part_list p = {.room = keeps ? c->label_cells : 0};
    enum status status;
    list_all(c, first, end, list, &p);
    if (p.blocks > INT32_MAX)
        TRY(no_room(err));
    TRY(memory_alloc(&memory, (size_t)p.count, sizeof *p.part, what, err));
    p.part = memory;
    list_all(c, first, end, list, &p);
    TRY(device_stack_take(&c->stack, true, (size_t)p.count, sizeof *part, &part, err));
    TRY(device_copy_to(part, p.part, (size_t)p.count * sizeof *part, "copying regions", err));
    status = launch_batches(c, &p, part, launch, err);

cleanup:
    c->stack.high = high; /* later work in the same stream may overwrite the list */
    memory_free(memory);
    return status;
}

/* Steps of the proof, each of which is a kernel. */
enum proof_step { PROOF_ROWS, PROOF_REFERENCES, PROOF_TOTALS };

static enum status climb_up(struct gpu_classes *c, const struct class_parts *parts,
                            struct error *err) {
    return class_climb(&c->graph, parts, err);
}

static enum status find(struct gpu_classes *c, const struct class_parts *parts, struct error *err) {
    return class_find(&c->graph, parts, c->find_rows, c->find_bytes, err);
}

static enum status name(struct gpu_classes *c, const struct class_parts *parts, struct error *err) {
    return class_name(&c->graph, parts, err);
}

static enum status add(struct gpu_classes *c, const struct class_parts *parts, struct error *err) {
    return c->graph.values.value != NULL ? class_add_values(&c->graph, parts, err)
                                         : class_add(&c->graph, parts, err);
}

/* Launches a step of the proof, and counts its time as the proof's. */
static enum status prove(struct gpu_classes *c, const struct class_parts *parts,
                         enum proof_step step, struct error *err) {
    RETURN_ON_FAILURE(gpu_check(cudaDeviceSynchronize(), "finding rows", err));
    const double start = clock_seconds();
    if (step == PROOF_ROWS)
        RETURN_ON_FAILURE(gpu_class_proof_take(&c->proof, parts, c->graph.label, err));
    else if (step == PROOF_REFERENCES)
        RETURN_ON_FAILURE(gpu_class_proof_refer(&c->proof, parts, err));
    else
        RETURN_ON_FAILURE(gpu_class_proof_add(&c->proof, parts, err));
    RETURN_ON_FAILURE(gpu_check(cudaDeviceSynchronize(), "proving rows", err));
    c->prove_s += clock_seconds() - start;
    return STATUS_OK;
}

static enum status prove_references(struct gpu_classes *c, const struct class_parts *parts,
                                    struct error *err) {
    return prove(c, parts, PROOF_REFERENCES, err);
}

static enum status prove_totals(struct gpu_classes *c, const struct class_parts *parts,
                                struct error *err) {
    return prove(c, parts, PROOF_TOTALS, err);
}

/* Finds what is wanted from labels while they are in memory. */
static enum status take_labels(struct gpu_classes *c, const struct class_parts *parts,
                               struct error *err) {
    if (c->graph.values.value != NULL)
        return class_take_values(&c->graph, parts, err);
    return c->proof.is_ready ? prove(c, parts, PROOF_ROWS, err) : STATUS_OK;
}

static enum status take_source_rows(struct gpu_classes *c, const struct class_parts *parts,
                                    struct error *err) {
    RETURN_ON_FAILURE(class_source_rows(&c->graph, parts, err));
    return take_labels(c, parts, err);
}

static enum status take_class_rows(struct gpu_classes *c, const struct class_parts *parts,
                                   struct error *err) {
    RETURN_ON_FAILURE(class_class_rows(&c->graph, parts, err));
    return take_labels(c, parts, err);
}

static enum status take_own_labels(struct gpu_classes *c, const struct class_parts *parts,
                                   struct error *err) {
    RETURN_ON_FAILURE(class_own_labels(&c->graph, parts, err));
    return take_labels(c, parts, err);
}

// Solving -----------------------------------------------------------------------------------------

/* Tells the device which positions are sources, and finds the sources of each region. */
static enum status place_sources(struct gpu_classes *c, const int32_t *source, int32_t count,
                                 struct error *err) {
    const size_t n = (size_t)c->n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof(int32_t), what, err));
    int32_t *const at = memory;
#pragma omp parallel num_threads(threads_paid(c->threads, c->n, block_sizes.thread_steps))
    {
#pragma omp for schedule(static)
        for (int32_t v = 0; v < c->n; v++)
            at[v] = -1;
#pragma omp for schedule(static)
        for (int32_t k = 0; k < count; k++)
            at[source[k]] = k;
    }
    const enum status status =
        device_copy_to((int32_t *)c->graph.source, at, n * sizeof *at, "copying regions", err);
    memory_free(memory);
    for (int32_t k = 0; k < c->count; k++) {
        const struct region *const from = &c->regions->region[c->numbered[k]];
        c->region[k].first_source = positions_below(source, count, from->low);
        c->region[k].sources =
            positions_below(source, count, from->high) - c->region[k].first_source;
        c->region[k].classes = 0;
    }
    return status;
}

/* Returns whether there is enough memory for the sources' own rows, and as much again for
 * classes. */
static bool fits(const struct gpu_classes *c) {
    double climbed = 0, most = 0; /* numbers of cells */
    for (int32_t k = 0; k < c->count; k++) {
        const struct class_region *const r = &c->region[k];
        const double rows = (double)r->sources * class_pitch(r->portals);
        climbed += (double)r->sources * r->start;
        most = rows > most ? rows : most;
    }
    return (climbed + 2 * most) * (double)sizeof(path_length) <
           0.7 * (double)(c->stack.high - c->stack.low);
}

/* Finds the distances from all sources to the boundaries around them. */
static enum status climb(struct gpu_classes *c, struct error *err) {
    if (!fits(c))
        return no_room(err);
    for (int32_t k = 0; k < c->count; k++) {
        struct class_region *const r = &c->region[k];
        RETURN_ON_FAILURE(device_stack_take(&c->stack, false, (size_t)r->sources * (size_t)r->start,
                                            sizeof(path_length), &r->climbed, err));
    }
    RETURN_ON_FAILURE(send_regions(c, 0, c->count, err));
    RETURN_ON_FAILURE(class_climb_own(&c->graph, range_of(c, 1, c->count), err));
    for (int32_t d = c->depths - 1; d > 0; d--)
        RETURN_ON_FAILURE(
            launch_for(c, c->depth[d], c->depth[d + 1], list_sources, false, climb_up, err));
    return STATUS_OK;
}

/* Returns the number of rows of region `around` whose classes in the inner region r are looked
 * for. */
static int32_t rows_outside(const struct class_region *around, const struct class_region *r) {
    return rows_of(around) - r->sources;
}

/* Returns the number of words of a row's bits for the proof. */
static size_t words_each(const struct class_region *r) {
    const struct class_layout layout = {
        .width = r->width, .portals = r->portals, .children = r->children};
    return (size_t)class_words(&layout);
}

/* Returns the bytes of a class's totals or numbers. */
static double answer_bytes(const struct gpu_classes *c) {
    return c->graph.values.value == NULL
               ? (double)sizeof(struct gpu_class_total)
               : (double)sizeof(double) * (double)class_values_width(&c->graph.values) +
                     (double)sizeof(path_length);
}

/* Returns the bytes that region k takes while its rows are found, and roughly what its classes
 * take. */
static double bytes_for(const struct gpu_classes *c, int32_t k) {
    const struct class_region *const r = &c->region[k];
    double bytes = (double)rows_of(r) * class_pitch(r->portals) * (double)sizeof(path_length);
    for (int32_t child = r->first_child; child < r->first_child + r->children; child++) {
        const struct class_region *const inside = &c->region[child];
        const int32_t rows = rows_outside(r, inside);
        const double classes = 0.5 * rows;
        bytes += (double)class_slots(rows_of(r)) * (double)sizeof *inside->slot +
                 (double)rows * (double)sizeof *inside->named +
                 (double)rows_of(r) * (double)sizeof *inside->reference +
                 classes * (answer_bytes(c) + (double)sizeof(path_length) * inside->start);
        if (c->proof.is_ready)
            bytes += 4.0 * (inside->sources + classes) * (double)words_each(inside);
    }
    return bytes + 4096.0 * (1 + r->children);
}

/* Returns the end of a group of regions that begins at `first` and has as many as memory allows. */
static int32_t end_of_group(const struct gpu_classes *c, int32_t first, int32_t end) {
    const double room = (double)(c->stack.high - c->stack.low) / 2;
    double bytes = bytes_for(c, first);
    int32_t k = first + 1;
    while (k < end && bytes + bytes_for(c, k) < room)
        bytes += bytes_for(c, k++);
    return k;
}

/* Returns how many steps a row takes to find its class at a boundary of `width` vertices. */
static double class_steps(int32_t width) {
    return 100 + 10.0 * width;
}

/* Steps that numbers take: for a row and each own vertex, and for each reference to a class. */
struct value_steps {
    double take, add;
};

static struct value_steps steps_of_values(const struct class_values *v) {
    const double numbers = (double)class_values_width(v), factors = 4.0 * v->decays;
    const struct value_steps none = {0, 0},
                             some = {factors + numbers / 6, 50 + factors + 8 * numbers};
    return numbers == 0 ? none : some;
}

static void count_steps(struct gpu_classes *c, int32_t k) {
    const struct class_region *const r = &c->region[k];
    const struct value_steps each = steps_of_values(&c->graph.values);
    c->steps += (double)r->classes * r->width * r->own + (double)rows_of(r) * r->own * each.take;
    for (int32_t child = r->first_child; child < r->first_child + r->children; child++) {
        const struct class_region *const inside = &c->region[child];
        c->steps += (double)inside->sources * inside->width * (class_size(r) + r->start) +
                    (double)rows_outside(r, inside) * (class_steps(inside->width) + each.add);
    }
}

/* Makes room for the proof's bits of all rows of regions first .. end - 1. The region around them
 * reads the bits when these regions are done. */
static enum status prepare_tight(struct gpu_classes *c, int32_t first, int32_t end,
                                 struct error *err) {
    size_t words = 0;
    uint32_t *tight = NULL;
    if (!c->proof.is_ready)
        return STATUS_OK;
    for (int32_t k = first; k < end; k++)
        words += (size_t)rows_of(&c->region[k]) * words_each(&c->region[k]);
    RETURN_ON_FAILURE(device_stack_take(&c->stack, false, words, sizeof *tight, &tight, err));
    for (int32_t k = first; k < end; k++) {
        c->rows[k].tight = tight;
        tight += (size_t)rows_of(&c->region[k]) * words_each(&c->region[k]);
    }
    return gpu_check(cudaMemsetAsync(c->rows[first].tight, 0, words * sizeof *tight, 0),
                     "clearing classes", err);
}

/* Makes room for the rows of regions first .. end - 1, and for tables of the classes in the regions
 * inside. */
static enum status prepare_rows(struct gpu_classes *c, int32_t first, int32_t end,
                                struct error *err) {
    size_t slots = 0, named = 0;
    uint32_t *slot = NULL;
    int32_t *name = NULL;
    for (int32_t k = first; k < end; k++) {
        struct class_region *const r = &c->region[k];
        RETURN_ON_FAILURE(device_stack_take(&c->stack, true,
                                            (size_t)rows_of(r) * (size_t)class_pitch(r->portals),
                                            sizeof(path_length), &r->portal_row, err));
        for (int32_t child = r->first_child; child < r->first_child + r->children; child++) {
            struct class_region *const inside = &c->region[child];
            const int32_t rows = rows_outside(r, inside);
            RETURN_ON_FAILURE(device_stack_take(&c->stack, false, (size_t)rows_of(r),
                                                sizeof *inside->reference, &inside->reference,
                                                err));
            inside->mask = (uint32_t)class_slots(rows_of(r)) - 1;
            slots += (size_t)inside->mask + 1;
            named += (size_t)rows;
        }
        count_steps(c, k);
    }
    RETURN_ON_FAILURE(device_stack_take(&c->stack, true, named, sizeof *name, &name, err));
    RETURN_ON_FAILURE(device_stack_take(&c->stack, true, slots, sizeof *slot, &slot, err));
    if (slots > 0)
        RETURN_ON_FAILURE(
            gpu_check(cudaMemsetAsync(slot, 0, slots * sizeof *slot, 0), "clearing classes", err));
    for (int32_t k = first; k < end; k++) {
        const struct class_region *const r = &c->region[k];
        for (int32_t child = r->first_child; child < r->first_child + r->children; child++) {
            struct class_region *const inside = &c->region[child];
            inside->slot = slot;
            inside->named = name;
            slot += (size_t)inside->mask + 1;
            name += rows_outside(r, inside);
        }
    }
    return STATUS_OK;
}

/* Makes room for the rows and the totals or numbers of a region's classes. */
static enum status prepare_answers(struct gpu_classes *c, struct class_region *r,
                                   struct error *err) {
    const size_t width = (size_t)class_values_width(&c->graph.values);
    const size_t classes = (size_t)r->classes;
    if (c->graph.values.value == NULL)
        return device_stack_take(&c->stack, false, classes, sizeof *r->total, &r->total, err);
    RETURN_ON_FAILURE(
        device_stack_take(&c->stack, false, classes, sizeof *r->least, &r->least, err));
    RETURN_ON_FAILURE(
        device_stack_take(&c->stack, false, classes, width * sizeof *r->value, &r->value, err));
    return classes == 0
               ? STATUS_OK
               : gpu_check(cudaMemsetAsync(r->value, 0, classes * width * sizeof *r->value, 0),
                           "clearing classes", err);
}

/* Finds the classes of all rows of regions first .. end - 1 by a launch for each number of rows
 * that a block of class_find may take. */
static enum status find_by_size(struct gpu_classes *c, int32_t first, int32_t end,
                                struct error *err) {
    for (c->find_rows = CLASS_FIND_MOST; c->find_rows >= CLASS_FIND_FEWEST;
         c->find_rows /= CLASS_FIND_RATIO) {
        c->find_bytes = 0;
        for (int32_t k = first; k < end; k++) {
            size_t bytes;
            if (class_find_rows(&c->region[k], &bytes) == c->find_rows && bytes > c->find_bytes)
                c->find_bytes = bytes;
        }
        if (c->find_bytes > 0)
            RETURN_ON_FAILURE(launch_for(c, first, end, list_finding, false, find, err));
    }
    return STATUS_OK;
}

/* Finds the classes of all rows of regions first .. end - 1 in the regions inside them, inner ..
 * last - 1. */
static enum status find_classes(struct gpu_classes *c, int32_t first, int32_t end, int32_t inner,
                                int32_t last, struct error *err) {
    const size_t count = (size_t)(last - inner);
    void *memory;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(c->graph.classes + inner, 0, count * sizeof(int32_t), 0),
                  "clearing classes", err));
    RETURN_ON_FAILURE(find_by_size(c, first, end, err));
    RETURN_ON_FAILURE(memory_alloc(&memory, count, sizeof(int32_t), what, err));
    const int32_t *const classes = memory;
    enum status status = gpu_check(cudaMemcpy(memory, c->graph.classes + inner,
                                              count * sizeof(int32_t), cudaMemcpyDeviceToHost),
                                   "finding classes", err);
    for (int32_t k = inner; k < last && status == STATUS_OK; k++) {
        struct class_region *const r = &c->region[k];
        r->classes = classes[k - inner];
        status = device_stack_take(&c->stack, false, (size_t)r->classes * (size_t)r->start,
                                   sizeof(path_length), &r->class_row, err);
        if (status == STATUS_OK)
            status = prepare_answers(c, r, err);
    }
    memory_free(memory);
    RETURN_ON_FAILURE(status);
    RETURN_ON_FAILURE(prepare_tight(c, inner, last, err));
    RETURN_ON_FAILURE(send_regions(c, inner, last, err));
    return launch_for(c, inner, last, list_classes, false, name, err);
}

/* Finds all rows of regions first .. end - 1 and, if c->proof is ready, proves them. */
static enum status find_rows(struct gpu_classes *c, int32_t first, int32_t end, struct error *err) {
    const bool keeps = c->graph.label != NULL;
    RETURN_ON_FAILURE(launch_for(c, first, end, list_sources, keeps, take_source_rows, err));
    RETURN_ON_FAILURE(launch_for(c, first, end, list_class_rows, keeps, take_class_rows, err));
    return keeps ? launch_for(c, first, end, list_own, true, take_own_labels, err)
                 : class_own_rows(&c->graph, range_of(c, first, end), err);
}

/* Reports the positions of regions first .. end - 1 as done. */
static void report(struct gpu_classes *c, int32_t first, int32_t end) {
    for (int32_t k = first; k < end; k++)
        c->positions += c->region[k].own;
    if (c->all > 0)
        progress_report(c->progress, c->base + c->before + (int64_t)c->part * c->positions / c->n,
                        c->all);
}

/* Finds the totals of all rows of regions first .. end - 1, which are of one depth. */
static enum status solve_regions(struct gpu_classes *c, int32_t first, int32_t end,
                                 struct error *err) {
    const size_t low = c->stack.low, high = c->stack.high;
    const struct class_region *const back = &c->region[end - 1];
    const int32_t inner = c->region[first].first_child, last = back->first_child + back->children;
    if (!progress_goes_on(c->progress))
        return progress_cancelled(err);
    RETURN_ON_FAILURE(prepare_rows(c, first, end, err));
    RETURN_ON_FAILURE(send_regions(c, first, end, err));
    RETURN_ON_FAILURE(send_regions(c, inner, last, err));
    RETURN_ON_FAILURE(find_rows(c, first, end, err));
    if (inner < last)
        RETURN_ON_FAILURE(find_classes(c, first, end, inner, last, err));
    if (c->proof.is_ready)
        RETURN_ON_FAILURE(launch_for(c, first, end, list_rows, false, prove_references, err));
    c->stack.high = high;
    for (int32_t k = inner, next; k < last; k = next) {
        next = end_of_group(c, k, last);
        RETURN_ON_FAILURE(solve_regions(c, k, next, err));
    }
    RETURN_ON_FAILURE(
        launch_for(c, first, end, list_rows, false, c->proof.is_ready ? prove_totals : add, err));
    report(c, first, end);
    c->stack.low = low;
    return STATUS_OK;
}

/* Allocates room for labels, enough to keep the device busy. */
static enum status prepare_labels(struct gpu_classes *c, struct error *err) {
    enum { PART = 16 };
    const int64_t most = (int64_t)1 << 29,
                  fit = (int64_t)(c->stack.size / PART / sizeof(path_length));
    int64_t least = 0;
    c->graph.label = NULL;
    if (!c->proof.is_ready && c->graph.values.value == NULL)
        return STATUS_OK;
    for (int32_t k = 0; k < c->count; k++)
        least = cells_of(&c->region[k]) > least ? cells_of(&c->region[k]) : least;
    c->label_cells = fit < most ? fit : most;
    c->label_cells = c->label_cells < least ? least : c->label_cells;
    return device_stack_take(&c->stack, false, (size_t)c->label_cells, sizeof(path_length),
                             &c->graph.label, err);
}

/* Tells the proof which vertices the sources are. */
static enum status name_sources(struct gpu_classes *c, const int32_t *source, int32_t count,
                                struct error *err) {
    void *memory;
    if (!c->proof.is_ready)
        return STATUS_OK;
    c->proof.total = c->graph.total;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)count, sizeof(int32_t), what, err));
    for (int32_t k = 0; k < count; k++)
        ((int32_t *)memory)[k] = c->vertex[source[k]];
    const enum status status = gpu_class_proof_sources(&c->proof, memory, count, err);
    memory_free(memory);
    return status;
}

/* The caller's arrays for the totals of sources or, if total is NULL, for their numbers. */
struct class_answer {
    struct gpu_class_total *total;
    double *value;
    const int32_t *row; /* row of `value` that each source has */
};

/* Allocates and clears the totals or numbers of sources on the device. */
static enum status prepare_answer(struct gpu_classes *c, int32_t count, bool values,
                                  struct error *err) {
    struct class_graph *const g = &c->graph;
    const size_t bytes =
        values ? (size_t)class_values_width(&g->values) * sizeof(double) : sizeof *g->total;
    void *memory = NULL;
    RETURN_ON_FAILURE(device_stack_take(&c->stack, false, (size_t)count, bytes, &memory, err));
    g->total = values ? NULL : memory;
    g->values.value = values ? memory : NULL;
    return gpu_check(cudaMemset(memory, 0, (size_t)count * bytes), "clearing totals", err);
}

static enum status fetch_totals(struct gpu_classes *c, int32_t count, struct gpu_class_total *out,
                                struct error *err) {
    RETURN_ON_FAILURE(gpu_check(
        cudaMemcpy(out, c->graph.total, (size_t)count * sizeof *out, cudaMemcpyDeviceToHost),
        "copying totals", err));
    for (int32_t k = 0; k < count; k++)
        c->unreached = c->unreached || out[k].reached < 1;
    return STATUS_OK;
}

/* Solves for as many sources as there is memory for. */
static enum status solve_part(struct gpu_classes *c, const int32_t *source, int32_t count,
                              const struct class_answer *to, struct error *err) {
    device_stack_clear(&c->stack);
    c->positions = 0;
    c->part = count;
    RETURN_ON_FAILURE(prepare_answer(c, count, to->total == NULL, err));
    RETURN_ON_FAILURE(prepare_labels(c, err));
    RETURN_ON_FAILURE(place_sources(c, source, count, err));
    RETURN_ON_FAILURE(name_sources(c, source, count, err));
    RETURN_ON_FAILURE(climb(c, err));
    RETURN_ON_FAILURE(prepare_tight(c, 0, 1, err));
    RETURN_ON_FAILURE(solve_regions(c, 0, 1, err));
    RETURN_ON_FAILURE(gpu_check(cudaDeviceSynchronize(), "finding rows", err));
    const double start = clock_seconds();
    RETURN_ON_FAILURE(to->total != NULL
                          ? fetch_totals(c, count, to->total, err)
                          : gpu_numbers_take(c->graph.values.value,
                                             (size_t)class_values_width(&c->graph.values), to->row,
                                             count, c->threads, to->value, err));
    c->transfer_s += clock_seconds() - start;
    gpu_class_proof_finish(&c->proof, count);
    return STATUS_OK;
}

static enum status solve(struct gpu_classes *c, const int32_t *source, int32_t count,
                         const struct class_answer *to, struct error *err) {
    for (int32_t first = 0, some; first < count; first += some) {
        const struct class_answer part = {.total = to->total != NULL ? to->total + first : NULL,
                                          .value = to->value,
                                          .row = to->row != NULL ? to->row + first : NULL};
        some = count - first < c->at_a_time ? count - first : c->at_a_time;
        c->before = first;
        const enum status status = solve_part(c, source + first, some, &part, err);
        if (status == STATUS_OK)
            continue;
        if (status != STATUS_NO_RESOURCE || some <= c->fewest)
            return status;
        (void)cudaGetLastError();
        c->at_a_time = some / 2 + 1;
        some = 0;
    }
    return STATUS_OK;
}

enum status gpu_classes_totals(struct gpu_classes *c, const int32_t *source, int32_t count,
                               struct gpu_class_total *out, struct error *err) {
    return solve(c, source, count, &(struct class_answer){.total = out}, err);
}

enum status gpu_classes_values(struct gpu_classes *c, const int32_t *source, const int32_t *row,
                               int32_t count, double *out, struct error *err) {
    return solve(c, source, count, &(struct class_answer){.value = out, .row = row}, err);
}

enum status gpu_classes_proved(const struct gpu_classes *c, bool *proved, struct error *err) {
    *proved = false;
    if (!c->proof.is_ready)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_class_proof_end(&c->proof, proved, err));
    *proved = *proved && !c->unreached;
    return STATUS_OK;
}

enum status gpu_classes_predict(struct gpu_classes *c, const int32_t *source, int32_t count,
                                double *steps, struct error *err) {
    enum { FEW = 1024 };
    /* The number of steps grows with this power of the number of sources. */
    const double exponent = 0.8;
    int32_t few[FEW];
    struct gpu_class_total out[FEW];
    const int32_t some = count < FEW ? count : FEW;
    for (int32_t i = 0; i < some; i++)
        few[i] = source[(int64_t)i * count / some];
    c->steps = 0;
    RETURN_ON_FAILURE(gpu_classes_totals(c, few, some, out, err));
    *steps = c->steps * pow((double)count / some, exponent);
    return STATUS_OK;
}

double gpu_classes_most(const struct gpu_classes *c, int32_t sources) {
    const struct value_steps each = steps_of_values(&c->graph.values);
    double steps = 0;
    for (int32_t k = 0; k < c->count; k++) {
        const struct class_region *const r = &c->region[k];
        const struct region *const from = &c->regions->region[c->numbered[k]];
        const int32_t most = from->high - from->low;
        steps += (double)sources * r->own * (r->width + each.take);
        if (k == 0)
            continue;
        const struct class_region *const around = &c->region[r->parent];
        steps += (double)sources * (class_steps(r->width) + each.add) +
                 (double)(most < sources ? most : sources) * r->width *
                     (class_size(around) + around->start);
    }
    return steps;
}

#endif
