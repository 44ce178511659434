// SPDX-License-Identifier: MIT
#include "flows/gpu/gpu_class_flows.h"

#ifndef APSP_NO_CUDA

#include "classes/class_slots.h"        // class_slots
#include "classes/regions.h"            // regions_find
#include "classes/strips.h"             // OF_OWN, OF_CLASSES
#include "common/base/block_sizes.h"    // block_sizes
#include "common/base/memory.h"         // memory_alloc
#include "flows/gpu/gpu_flow_kernels.h" // struct flow_net
#include "gpu/device_stack.h"           // device_stack_take
#include "gpu/gpu_room.h"               // gpu_room_find
#include "gpu/gpu_solver.h"             // gpu_turn_begin
#include "gpu/launch/gpu_error.h"       // gpu_check

#include <math.h>
#include <string.h>

static const char what[] = "flows";

enum { LANES = STRIP_LANES, LABEL_BYTES = sizeof(path_length) + sizeof(double) };

/* Regions of one depth that are solved together. */
struct group {
    int32_t first, end;       /* the group's regions are first .. end - 1 */
    int32_t inner, last;      /* the regions inside them are inner .. last - 1 */
    int32_t pieces;           /* the regions of this depth are solved in about so many groups */
    bool keeps;               /* rows stay in memory while the regions inside are solved */
    struct flow_strip *strip; /* the group's strips, in device memory */
    int32_t strips;
};

struct gpu_flows {
    const struct class_flows_request *request;
    struct gpu_turn turn;
    bool has_turn; /* the turn on the GPU has to be ended */
    struct regions regions;
    int32_t n, count, depths;
    int32_t *depth; /* first region of each depth, depths + 1 entries */
    int64_t entries;
    int32_t *numbered;        /* number in `regions` of each region, `count` entries */
    struct flow_place *place; /* host's copy of the device's regions, `count` entries */
    int64_t *first_entry;     /* number of the first entry of each region, count + 1 entries */
    struct flow_own *own;     /* entries of each own position in the device's order, by place, n
                                 entries */
    int64_t *entry;           /* number in the structure of each own position's first entry, by
                                 place, n entries */
    struct flow_panel *panel; /* host's copy of the device's panels */
    int32_t panels;           /* number of panels of all regions */
    int64_t rows;             /* number of rows of all panels */
    struct flow_net net;
    void *fixed;               /* device memory of the arrays that do not depend on sources */
    struct device_stack stack; /* device memory of the arrays that depend on sources */
    int64_t steps;             /* number of relaxations of one row, for the sources being solved */
    int64_t wasted;            /* number of relaxations, for the sources being solved, that were in
                                  vain, because memory was too short for a group */
    int32_t before, part;      /* number of sources that are done, and of those that are being
                                  solved */
    int32_t positions;         /* number of positions of regions that are done for the sources being
                                  solved */
};

// Memory of the device ----------------------------------------------------------------------------

static enum status no_room(struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "out of memory on the GPU: %s", what);
}

/* Allocates device memory and copies `count` items there. */
static enum status send(struct gpu_flows *g, bool from_high, const void *from, size_t count,
                        size_t size, void *memory, struct error *err) {
    void *to = NULL;
    RETURN_ON_FAILURE(device_stack_take(&g->stack, from_high, count, size, &to, err));
    memcpy(memory, &to, sizeof to);
    return device_copy_to(to, from, count * size, "copying flows", err);
}

static enum status fill(void *memory, int byte, size_t bytes, struct error *err) {
    return bytes == 0 ? STATUS_OK
                      : gpu_check(cudaMemsetAsync(memory, byte, bytes, 0), "clearing flows", err);
}

/* Copies the host's copy of regions first .. end - 1 to the device. */
static enum status send_places(const struct gpu_flows *g, int32_t first, int32_t end,
                               struct error *err) {
    return device_copy_to(g->net.place + first, g->place + first,
                          (size_t)(end - first) * sizeof *g->place, "copying flows", err);
}

/* Takes memory for `count` labels. */
static enum status take_labels(struct gpu_flows *g, bool from_high, size_t count,
                               struct flow_labels *labels, struct error *err) {
    RETURN_ON_FAILURE(device_stack_take(&g->stack, from_high, count, sizeof *labels->length,
                                        &labels->length, err));
    return device_stack_take(&g->stack, from_high, count, sizeof *labels->paths, &labels->paths,
                             err);
}

/* Returns the number of cells of tiles of `rows` rows. */
static size_t tile_cells(int32_t rows, int32_t width) {
    return ((size_t)rows + LANES - 1) / LANES * LANES * (size_t)width;
}

// Work that is the same for all sources -----------------------------------------------------------

static enum status host_alloc(void *pointer, size_t count, size_t size, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, count, size, what, err));
    memcpy(pointer, &memory, sizeof memory);
    return STATUS_OK;
}

/* Returns the length of rows that hold `labels` labels. */
static int32_t columns_of(int32_t labels) {
    return (labels + FLOW_COLUMNS - 1) / FLOW_COLUMNS * FLOW_COLUMNS;
}

/* Numbers the regions by their depth, and gives places to their own positions in that order. */
static enum status number_regions(struct gpu_flows *g, struct error *err) {
    const struct region *const from = g->regions.region;
    const struct counted *const c = g->request->counted;
    int32_t known = 1, own = 0;
    int64_t entries = 0;
    RETURN_ON_FAILURE(host_alloc(&g->place, (size_t)g->count, sizeof *g->place, err));
    memset(g->place, 0, (size_t)g->count * sizeof *g->place);
    RETURN_ON_FAILURE(host_alloc(&g->numbered, (size_t)g->count, sizeof *g->numbered, err));
    RETURN_ON_FAILURE(host_alloc(&g->depth, (size_t)g->count + 1, sizeof *g->depth, err));
    RETURN_ON_FAILURE(
        host_alloc(&g->first_entry, (size_t)g->count + 1, sizeof *g->first_entry, err));
    RETURN_ON_FAILURE(host_alloc(&g->own, (size_t)g->n, sizeof *g->own, err));
    RETURN_ON_FAILURE(host_alloc(&g->entry, (size_t)g->n, sizeof *g->entry, err));
    g->numbered[0] = 0;
    g->place[0].parent = g->place[0].sibling = -1;
    for (int32_t begin = 0, end = 1; begin < end; begin = end, end = known) {
        g->depth[g->depths++] = begin;
        for (int32_t k = begin; k < end; k++) {
            const struct region *const r = &from[g->numbered[k]];
            struct flow_place *const p = &g->place[k];
            p->own = r->own;
            p->width = r->width;
            p->pitch = columns_of(r->own + r->width);
            p->up_pitch = columns_of(r->width);
            p->portals = r->portals;
            p->first_own = own;
            p->first_panel = g->panels;
            g->panels += panels_of(r->own);
            p->child = r->child >= 0 ? known : -1;
            g->first_entry[k] = entries;
            for (int32_t i = 0; i < r->own; i++, own++) {
                const int32_t position = g->regions.own_position[r->first_own + i];
                g->entry[own] = c->structure.first[position];
                g->own[own] =
                    (struct flow_own){entries, (int32_t)(c->structure.first[position + 1] -
                                                         c->structure.first[position])};
                entries += g->own[own].entries;
            }
            for (int32_t child = r->child; child >= 0; child = from[child].sibling) {
                g->place[known].parent = k;
                g->place[known].sibling = from[child].sibling >= 0 ? known + 1 : -1;
                g->numbered[known++] = child;
            }
            if (r->own + r->width > g->net.most_locals)
                g->net.most_locals = r->own + r->width;
        }
    }
    g->depth[g->depths] = g->count;
    g->first_entry[g->count] = g->entries = entries;
    return STATUS_OK;
}

/* Allocates the device memory that depends on sources, no more than is of use. */
static enum status take_room(struct gpu_flows *g, struct error *err) {
    const size_t useful = ((size_t)256 << 20) + (size_t)g->n * ((size_t)128 << 10);
    struct gpu_room room;
    RETURN_ON_FAILURE(gpu_room_find(g->request->device, NULL, &room, err));
    const size_t most = room.free / 16 * 15;
    return device_stack_alloc(&g->stack, most < useful ? most : useful, what, err);
}

/* Sets the pointers to the arrays of all regions. */
static void place_arrays(struct gpu_flows *g, const int32_t *outer, const int32_t *outer_portal,
                         const int32_t *portal) {
    for (int32_t k = 0; k < g->count; k++) {
        const struct region *const r = &g->regions.region[g->numbered[k]];
        g->place[k].outer = outer + r->outer;
        g->place[k].outer_portal = outer_portal + r->outer;
        g->place[k].portal = portal + r->first_portal;
    }
}

/* The entries down to the positions of a panel, taken by the vertices from which they lead down,
 * ascending. */
struct panel_walk {
    const int32_t *local[FLOW_PANEL]; /* vertex of each entry of a position, ascending */
    int32_t at[FLOW_PANEL];           /* number of entries of the position that are taken */
    int32_t entries[FLOW_PANEL];
    int32_t low, count; /* first position of the panel, and number of its positions */
};

/* Begins the walk over panel `number` of region k. */
static struct panel_walk walk_begin(const struct gpu_flows *g, int32_t k, int32_t number) {
    const struct flow_place *const p = &g->place[k];
    struct panel_walk walk = {.low = number * FLOW_PANEL};
    walk.count = p->own - walk.low < FLOW_PANEL ? p->own - walk.low : FLOW_PANEL;
    for (int32_t j = 0; j < walk.count; j++) {
        const int32_t own = p->first_own + walk.low + j;
        walk.local[j] = g->regions.local + g->entry[own];
        walk.entries[j] = g->own[own].entries;
    }
    return walk;
}

/* Takes the entries of the next vertex, and returns it; INT32_MAX: no entry is left. taken[j]:
 * number of the entry among those of position j; -1: the position has none. */
static int32_t walk_next(struct panel_walk *walk, int32_t taken[FLOW_PANEL]) {
    int32_t next = INT32_MAX;
    for (int32_t j = 0; j < walk->count; j++) {
        const int32_t at = walk->at[j];
        if (at < walk->entries[j] && walk->local[j][at] < next)
            next = walk->local[j][at];
    }
    for (int32_t j = 0; j < FLOW_PANEL; j++) {
        const bool has_entry = next < INT32_MAX && j < walk->count &&
                               walk->at[j] < walk->entries[j] &&
                               walk->local[j][walk->at[j]] == next;
        taken[j] = has_entry ? walk->at[j]++ : -1;
    }
    return next;
}

/* Counts the rows of each panel of region k. */
static void count_rows(struct gpu_flows *g, int32_t k) {
    const struct flow_place *const p = &g->place[k];
    for (int32_t number = 0; number < panels_of(p->own); number++) {
        struct panel_walk walk = walk_begin(g, k, number);
        int32_t taken[FLOW_PANEL], rows = FLOW_PANEL - 1, higher;
        while ((higher = walk_next(&walk, taken)) < INT32_MAX)
            rows += higher >= walk.low + walk.count;
        g->panel[p->first_panel + number].rows = rows;
    }
}

/* Lists the panels of all regions. */
static enum status make_panels(struct gpu_flows *g, struct error *err) {
    RETURN_ON_FAILURE(host_alloc(&g->panel, (size_t)g->panels, sizeof *g->panel, err));
#pragma omp parallel for num_threads(g->request->threads) schedule(dynamic, 16)
    for (int32_t k = 0; k < g->count; k++)
        count_rows(g, k);
    for (int32_t p = 0; p < g->panels; p++) {
        g->panel[p].row = g->rows;
        g->rows += g->panel[p].rows;
    }
    return STATUS_OK;
}

/* Lists of entries: up and local by lower end, the others by row of a panel. */
struct entries {
    struct flow_labels up;
    int32_t *local, *higher, *entry;
    struct flow_panel_lengths *down;
    double *down_paths;
    double *target; /* masses of targets, by place, n entries */
};

/* Returns a length that may be infinite. */
static path_length length_of(double length) {
    return length < LENGTH_INF ? (path_length)length : LENGTH_INF;
}

/* Fills the lists with the entries down to panel `number` of region k. */
static void list_panel(const struct gpu_flows *g, int32_t k, int32_t number,
                       const struct entries *to) {
    const struct counted *const c = g->request->counted;
    const struct flow_place *const p = &g->place[k];
    const struct flow_panel panel = g->panel[p->first_panel + number];
    struct panel_walk walk = walk_begin(g, k, number);
    int32_t taken[FLOW_PANEL], next = FLOW_PANEL - 1, higher;
    for (int64_t row = panel.row; row < panel.row + panel.rows; row++) {
        to->higher[row] = walk.low;
        for (int32_t j = 0; j < FLOW_PANEL; j++) {
            to->down[row].of[j] = LENGTH_INF;
            to->down_paths[row * FLOW_PANEL + j] = 0;
            to->entry[row * FLOW_PANEL + j] = -1;
        }
    }
    while ((higher = walk_next(&walk, taken)) < INT32_MAX) {
        const int32_t within = higher - walk.low;
        const int64_t row = panel.row + (within < walk.count ? within - 1 : next++);
        to->higher[row] = higher;
        for (int32_t j = 0; j < walk.count; j++) {
            const int32_t own = p->first_own + walk.low + j;
            if (taken[j] < 0)
                continue;
            to->down[row].of[j] = length_of(c->down[g->entry[own] + taken[j]]);
            to->down_paths[row * FLOW_PANEL + j] = c->down_paths[g->entry[own] + taken[j]];
            to->entry[row * FLOW_PANEL + j] =
                (int32_t)(g->own[own].entry - g->first_entry[k]) + taken[j];
        }
    }
}

/* Fills the lists with the entries of region k. */
static void list_entries(const struct gpu_flows *g, int32_t k, const struct entries *to) {
    const struct counted *const c = g->request->counted;
    const struct flow_place *const p = &g->place[k];
    const struct region *const r = &g->regions.region[g->numbered[k]];
    for (int32_t i = 0; i < p->own; i++) {
        const int32_t own = p->first_own + i;
        to->target[own] = g->request->to_mass[g->regions.own_position[r->first_own + i]];
        for (int32_t e = 0; e < g->own[own].entries; e++) {
            const int64_t from = g->entry[own] + e, at = g->own[own].entry + e;
            to->local[at] = g->regions.local[from];
            to->up.length[at] = length_of(c->up[from]);
            to->up.paths[at] = c->up_paths[from];
        }
    }
    for (int32_t number = 0; number < panels_of(p->own); number++)
        list_panel(g, k, number, to);
}

/* Copies to device memory that kernels only read. */
static enum status copy(const void *to, const void *from, size_t bytes, struct error *err) {
    void *device;
    memcpy(&device, &to, sizeof device);
    return device_copy_to(device, from, bytes, "copying flows", err);
}

static enum status send_entries(struct gpu_flows *g, struct error *err) {
    const size_t entries = (size_t)g->entries, n = (size_t)g->n, rows = (size_t)g->rows;
    const struct flow_net *const to = &g->net;
    struct entries list = {{NULL, NULL}, NULL, NULL, NULL, NULL, NULL, NULL};
    enum status status;
    TRY(host_alloc(&list.up.length, entries, sizeof *list.up.length, err));
    TRY(host_alloc(&list.up.paths, entries, sizeof *list.up.paths, err));
    TRY(host_alloc(&list.local, entries, sizeof *list.local, err));
    TRY(host_alloc(&list.higher, rows, sizeof *list.higher, err));
    TRY(host_alloc(&list.entry, rows * FLOW_PANEL, sizeof *list.entry, err));
    TRY(host_alloc(&list.down, rows, sizeof *list.down, err));
    TRY(host_alloc(&list.down_paths, rows * FLOW_PANEL, sizeof *list.down_paths, err));
    TRY(host_alloc(&list.target, n, sizeof *list.target, err));
#pragma omp parallel for num_threads(g->request->threads) schedule(dynamic, 16)
    for (int32_t k = 0; k < g->count; k++)
        list_entries(g, k, &list);
    TRY(copy(to->local, list.local, entries * sizeof *list.local, err));
    TRY(copy(to->up.length, list.up.length, entries * sizeof *list.up.length, err));
    TRY(copy(to->up.paths, list.up.paths, entries * sizeof *list.up.paths, err));
    TRY(copy(to->higher, list.higher, rows * sizeof *list.higher, err));
    TRY(copy(to->entry, list.entry, rows * FLOW_PANEL * sizeof *list.entry, err));
    TRY(copy(to->down, list.down, rows * sizeof *list.down, err));
    TRY(copy(to->down_paths, list.down_paths, rows * FLOW_PANEL * sizeof *list.down_paths, err));
    status = copy(to->target_mass, list.target, n * sizeof *list.target, err);

cleanup:
    memory_free(list.up.length);
    memory_free(list.up.paths);
    memory_free(list.local);
    memory_free(list.higher);
    memory_free(list.entry);
    memory_free(list.down);
    memory_free(list.down_paths);
    memory_free(list.target);
    return status;
}

/* Frees everything and clears CUDA's last error, which would fail later calls otherwise. */
static void close_flows(struct gpu_flows *g) {
    if (g->fixed != NULL)
        cudaFree(g->fixed);
    device_stack_free(&g->stack);
    memory_free(g->depth);
    memory_free(g->numbered);
    memory_free(g->place);
    memory_free(g->first_entry);
    memory_free(g->own);
    memory_free(g->entry);
    memory_free(g->panel);
    regions_free(&g->regions);
    (void)cudaGetLastError();
    if (g->has_turn)
        gpu_turn_end(&g->turn);
}

/* Chooses the number of warps that run at the same time: as many as can, as long as their memory
 * takes no more than 1 / PART of the device's. */
static enum status choose_warps(struct gpu_flows *g, struct error *err) {
    enum { PART = 4 };
    const size_t each =
        (size_t)g->net.most_locals * LANES * (2 * LABEL_BYTES + sizeof(double) + sizeof(int32_t));
    struct gpu_room room;
    RETURN_ON_FAILURE(gpu_room_find(g->request->device, NULL, &room, err));
    RETURN_ON_FAILURE(flow_warps(&g->net.warps, err));
    const size_t fit = room.free / PART / each / FLOW_BLOCK_WARPS * FLOW_BLOCK_WARPS;
    if (fit < FLOW_BLOCK_WARPS)
        return no_room(err);
    if (fit < (size_t)g->net.warps)
        g->net.warps = (int32_t)fit;
    return STATUS_OK;
}

static enum status open_flows(struct gpu_flows *g, const struct class_flows_request *r,
                              struct error *err) {
    static const struct regions_options cut = {
        .leaf = 40, .ratio = 6, .worth = 150, .worth_width = 5};
    const struct solver_options options = {.device = r->device, .keeps_device = true};
    const int32_t *outer, *outer_portal, *portal;
    size_t boundaries = 0, portals = 0;
    *g = (struct gpu_flows){.request = r, .n = r->counted->tree.n, .net.rate = r->rate};
    RETURN_ON_FAILURE(gpu_turn_begin(&g->turn, &options, err));
    g->has_turn = true;
    RETURN_ON_FAILURE(regions_find(&r->counted->tree, &r->counted->structure, &cut, r->threads,
                                   &g->regions, err));
    g->count = g->regions.count;
    RETURN_ON_FAILURE(number_regions(g, err));
    RETURN_ON_FAILURE(make_panels(g, err));
    RETURN_ON_FAILURE(choose_warps(g, err));
    for (int32_t k = 0; k < g->count; k++) { /* lists of boundaries and portals may have gaps, so
                                                their ends are looked for */
        const struct region *const region = &g->regions.region[k];
        const size_t end = (size_t)region->outer + (size_t)region->width;
        const size_t portal_end = (size_t)region->first_portal + (size_t)region->portals;
        boundaries = end > boundaries ? end : boundaries;
        portals = portal_end > portals ? portal_end : portals;
    }
    const size_t n = (size_t)g->n, entries = (size_t)g->entries, rows = (size_t)g->rows;
    const size_t cells = (size_t)g->net.warps * (size_t)g->net.most_locals * LANES;
    const struct device_array array[] = {
        {n * sizeof *g->own, g->own, &g->net.own},
        {boundaries * sizeof(int32_t), g->regions.outer, &outer},
        {boundaries * sizeof(int32_t), g->regions.outer_portal, &outer_portal},
        {portals * sizeof(int32_t), g->regions.portal, &portal},
        {entries * sizeof(int32_t), NULL, &g->net.local},
        {(size_t)g->panels * sizeof *g->panel, g->panel, &g->net.panel},
        {rows * sizeof(int32_t), NULL, &g->net.higher},
        {rows * FLOW_PANEL * sizeof(int32_t), NULL, &g->net.entry},
        {rows * sizeof(struct flow_panel_lengths), NULL, &g->net.down},
        {rows * FLOW_PANEL * sizeof(double), NULL, &g->net.down_paths},
        {entries * sizeof(path_length), NULL, &g->net.up.length},
        {entries * sizeof(double), NULL, &g->net.up.paths},
        {n * sizeof(double), NULL, &g->net.target_mass},
        {(size_t)g->count * sizeof(int32_t), NULL, &g->net.classes},
        {(size_t)g->count * sizeof *g->place, NULL, &g->net.place},
        {(entries + n) * sizeof(double), NULL, &g->net.flow},
        {(entries + n) * sizeof(double), NULL, &g->net.total},
        {cells * sizeof(path_length), NULL, &g->net.label.length},
        {cells * sizeof(double), NULL, &g->net.label.paths},
        {cells * sizeof(path_length), NULL, &g->net.inner.length},
        {cells * sizeof(double), NULL, &g->net.inner.paths},
        {cells * sizeof(double), NULL, &g->net.carried},
        {cells * sizeof(int32_t), NULL, &g->net.way},
        {sizeof(uint32_t), NULL, &g->net.next},
    };
    RETURN_ON_FAILURE(device_arrays_alloc(array, sizeof array / sizeof *array, "allocating flows",
                                          &g->fixed, err));
    g->net.entries = g->entries;
    place_arrays(g, outer, outer_portal, portal);
    RETURN_ON_FAILURE(fill(g->net.total, 0, (entries + n) * sizeof *g->net.total, err));
    RETURN_ON_FAILURE(send_entries(g, err));
    return take_room(g, err);
}

// Lists -------------------------------------------------------------------------------------------

/* Adds the strips of `rows` rows of one kind. to: NULL: only counts. */
static void add_strips(struct flow_strip *to, int32_t *count, int32_t region, int32_t child,
                       int32_t rows) {
    for (int32_t first = 0; first < rows; first += LANES) {
        if (to != NULL)
            to[*count] = (struct flow_strip){region, child, first,
                                             rows - first < LANES ? rows - first : LANES};
        ++*count;
    }
}

/* Lists the strips of a group's regions, and sets where each region's strips begin. Returns their
 * number. */
static int32_t list_strips(struct gpu_flows *g, const struct group *d, struct flow_strip *to) {
    int32_t count = 0;
    for (int32_t k = d->first; k < d->end; k++) {
        struct flow_place *const p = &g->place[k];
        p->first_strip = count;
        add_strips(to, &count, k, OF_OWN, p->own_sources);
        for (int32_t c = p->child; c >= 0; c = g->place[c].sibling)
            add_strips(to, &count, k, c, g->place[c].sources);
        add_strips(to, &count, k, OF_CLASSES, p->classes);
        p->strips = count - p->first_strip;
    }
    return count;
}

/* Copies the strips of a group to the device. */
static enum status send_strips(struct gpu_flows *g, struct group *d, bool from_high,
                               struct error *err) {
    struct flow_strip *strip;
    d->strips = list_strips(g, d, NULL);
    RETURN_ON_FAILURE(host_alloc(&strip, (size_t)d->strips, sizeof *strip, err));
    list_strips(g, d, strip);
    const enum status status =
        send(g, from_high, strip, (size_t)d->strips, sizeof *strip, &d->strip, err);
    memory_free(strip);
    g->net.strip = d->strip;
    return status;
}

/* A function that gives the rows of a region that a list of tiles covers. */
typedef void rows_of(const struct flow_place *p, int32_t *first, int32_t *end);

static void all_vertices(const struct flow_place *p, int32_t *first, int32_t *end) {
    *first = 0;
    *end = p->sources > 0 ? p->own + p->width : 0;
}

static void boundary_portals(const struct flow_place *p, int32_t *first, int32_t *end) {
    *first = 0;
    *end = p->sources > 0 ? p->width : 0;
}

static void own_portals(const struct flow_place *p, int32_t *first, int32_t *end) {
    *first = p->width;
    *end = p->sources > 0 ? p->portals : 0;
}

static void classes_of(const struct flow_place *p, int32_t *first, int32_t *end) {
    *first = 0;
    *end = p->classes;
}

/* Copies the tiles of regions first .. end - 1 to the high end of the device's memory. */
static enum status send_tiles(struct gpu_flows *g, int32_t first, int32_t end, rows_of *rows,
                              struct flow_tile **on_device, int32_t *count, struct error *err) {
    struct flow_tile *tile = NULL;
    for (int pass = 0; pass < 2; pass++) {
        *count = 0;
        for (int32_t k = first; k < end; k++) {
            int32_t row, last;
            for (rows(&g->place[k], &row, &last); row < last; row += LANES) {
                if (tile != NULL)
                    tile[*count] = (struct flow_tile){k, row};
                ++*count;
            }
        }
        if (pass == 0)
            RETURN_ON_FAILURE(host_alloc(&tile, (size_t)*count, sizeof *tile, err));
    }
    const enum status status = send(g, true, tile, (size_t)*count, sizeof *tile, on_device, err);
    memory_free(tile);
    return status;
}

// Sources -----------------------------------------------------------------------------------------

/* Places the request's sources first .. first + count - 1 in regions. */
static enum status place_sources(struct gpu_flows *g, int32_t first, int32_t count,
                                 struct error *err) {
    const int32_t *const source = g->request->source + first;
    struct {
        int32_t *number, *own, *place_of, *next;
        double *mass;
    } list = {0};
    int32_t *own_source;
    enum status status;
    TRY(host_alloc(&list.number, (size_t)count, 2 * sizeof(int32_t), err));
    TRY(host_alloc(&list.mass, (size_t)count, sizeof *list.mass, err));
    TRY(host_alloc(&list.place_of, (size_t)g->count, 2 * sizeof(int32_t), err));
    list.own = list.number + count;
    list.next = list.place_of + g->count;
    for (int32_t k = 0; k < g->count; k++) {
        const struct region *const r = &g->regions.region[g->numbered[k]];
        struct flow_place *const p = &g->place[k];
        list.place_of[g->numbered[k]] = k;
        p->first_source = positions_below(source, count, r->low);
        p->sources = positions_below(source, count, r->high) - p->first_source;
        p->own_sources = p->classes = 0;
        p->up = p->own_up = p->among = (struct flow_labels){NULL, NULL};
    }
    for (int32_t s = 0; s < count; s++) {
        list.number[s] = g->regions.own_number[source[s]];
        list.mass[s] = g->request->from_mass[first + s];
        g->place[list.place_of[g->regions.of[source[s]]]].own_sources++;
    }
    for (int32_t k = 0, before = 0; k < g->count; k++) {
        list.next[k] = before;
        before += g->place[k].own_sources;
    }
    for (int32_t s = 0; s < count; s++)
        list.own[list.next[list.place_of[g->regions.of[source[s]]]]++] = s;
    TRY(send(g, false, list.number, (size_t)count, sizeof(int32_t), &g->net.source_number, err));
    TRY(send(g, false, list.own, (size_t)count, sizeof(int32_t), &own_source, err));
    TRY(send(g, false, list.mass, (size_t)count, sizeof *list.mass, &g->net.source_mass, err));
    for (int32_t k = 0; k < g->count; k++) {
        g->place[k].own_source = own_source;
        own_source += g->place[k].own_sources;
    }

cleanup:
    memory_free(list.number);
    memory_free(list.mass);
    memory_free(list.place_of);
    return status;
}

/* Finds the rows from all sources to the boundaries around them. */
static enum status climb(struct gpu_flows *g, struct error *err) {
    for (int32_t depth = g->depths - 1; depth > 0; depth--) {
        struct group group = {.first = g->depth[depth], .end = g->depth[depth + 1]};
        struct group *const d = &group;
        const size_t high = g->stack.high;
        struct flow_tile *tile;
        int32_t tiles;
        for (int32_t k = d->first; k < d->end; k++) {
            struct flow_place *const p = &g->place[k];
            if (p->sources == 0)
                continue;
            RETURN_ON_FAILURE(take_labels(g, false, tile_cells(p->sources, p->width), &p->up, err));
            RETURN_ON_FAILURE(take_labels(g, true,
                                          ((size_t)p->own + (size_t)p->width) * (size_t)p->up_pitch,
                                          &p->own_up, err));
            for (int32_t c = p->child; c >= 0; c = g->place[c].sibling)
                g->steps += (int64_t)g->place[c].sources * g->place[c].width * p->width;
        }
        RETURN_ON_FAILURE(send_strips(g, d, true, err));
        RETURN_ON_FAILURE(send_places(g, d->first, d->end, err));
        RETURN_ON_FAILURE(send_tiles(g, d->first, d->end, all_vertices, &tile, &tiles, err));
        RETURN_ON_FAILURE(flow_own_up(&g->net, tile, tiles, err));
        RETURN_ON_FAILURE(flow_climb(&g->net, d->strips, err));
        g->stack.high = high;
    }
    return STATUS_OK;
}

/* Finds the rows from the portals of all regions that have sources. */
static enum status find_among(struct gpu_flows *g, struct error *err) {
    for (int32_t depth = 0; depth < g->depths; depth++) {
        const struct group group = {.first = g->depth[depth], .end = g->depth[depth + 1]};
        const struct group *const d = &group;
        const size_t high = g->stack.high;
        struct flow_tile *tile;
        int32_t tiles;
        for (int32_t k = d->first; k < d->end; k++) {
            struct flow_place *const p = &g->place[k];
            if (p->sources > 0)
                RETURN_ON_FAILURE(
                    take_labels(g, false, (size_t)p->portals * (size_t)p->pitch, &p->among, err));
            if (p->sources > 0)
                g->steps += p->portals * (g->first_entry[k + 1] - g->first_entry[k]);
        }
        RETURN_ON_FAILURE(send_places(g, d->first, d->end, err));
        RETURN_ON_FAILURE(send_tiles(g, d->first, d->end, boundary_portals, &tile, &tiles, err));
        RETURN_ON_FAILURE(flow_among_boundary(&g->net, tile, tiles, err));
        RETURN_ON_FAILURE(send_tiles(g, d->first, d->end, own_portals, &tile, &tiles, err));
        RETURN_ON_FAILURE(flow_among_own(&g->net, tile, tiles, err));
        g->stack.high = high;
    }
    return STATUS_OK;
}

// Forwards ----------------------------------------------------------------------------------------

static int32_t rows_in(const struct flow_place *p) {
    return p->sources + p->classes;
}

/* Counts the steps of region k. A relaxation counts twice, as if all labels were found twice; an
 * entry counts once for each row on the way back. */
static void count_steps(struct gpu_flows *g, int32_t k) {
    enum { KEY_STEPS = 12 }; /* relaxations that take as long as one boundary vertex of a key */
    const struct flow_place *const p = &g->place[k];
    const int64_t entries = g->first_entry[k + 1] - g->first_entry[k];
    int64_t steps = p->classes * entries;
    for (int32_t c = p->child; c >= 0; c = g->place[c].sibling) {
        const int64_t width = g->place[c].width, inner = g->place[c].sources;
        steps += inner * width * p->pitch + (rows_in(p) - inner) * KEY_STEPS * width;
    }
    g->steps += 2 * steps + rows_in(p) * entries;
}

/* Allocates memory for the rows of a group's regions that have regions inside. */
static enum status take_rows(struct gpu_flows *g, const struct group *d, bool from_high,
                             struct error *err) {
    for (int32_t k = d->first; k < d->end; k++) {
        struct flow_place *const p = &g->place[k];
        const size_t rows = (size_t)p->strips * LANES, own = (size_t)p->own;
        if (p->child < 0)
            continue;
        RETURN_ON_FAILURE(take_labels(g, from_high, rows * (own + (size_t)p->width), &p->row, err));
        RETURN_ON_FAILURE(device_stack_take(&g->stack, from_high, rows * own, sizeof *p->row_way,
                                            &p->row_way, err));
    }
    return STATUS_OK;
}

/* Allocates the memory in which classes of rows of region k are looked for. */
static enum status take_names(struct gpu_flows *g, int32_t k, struct error *err) {
    const struct flow_place *const p = &g->place[k];
    const size_t ids = (size_t)p->strips * LANES;
    for (int32_t c = p->child; c >= 0; c = g->place[c].sibling) {
        struct flow_place *const inside = &g->place[c];
        const size_t slots = class_slots(rows_in(p) - inside->sources);
        inside->mask = (uint32_t)slots - 1;
        RETURN_ON_FAILURE(
            device_stack_take(&g->stack, false, ids, sizeof(int32_t), &inside->reference, err));
        RETURN_ON_FAILURE(
            device_stack_take(&g->stack, false, ids, sizeof *inside->norm, &inside->norm, err));
        RETURN_ON_FAILURE(
            device_stack_take(&g->stack, true, ids, sizeof(int32_t), &inside->number, err));
        RETURN_ON_FAILURE(
            device_stack_take(&g->stack, true, ids, sizeof(int32_t), &inside->named, err));
        RETURN_ON_FAILURE(
            device_stack_take(&g->stack, true, ids, sizeof(int32_t), &inside->exponent, err));
    }
    return STATUS_OK;
}

/* Allocates and clears the hash tables of classes in all regions inside a group. The tables lie one
 * behind the other, so that one call clears those of all regions. */
static enum status take_tables(struct gpu_flows *g, int32_t inner, int32_t last,
                               struct error *err) {
    struct device_stack *const stack = &g->stack;
    const size_t hashes = stack->high;
    for (int32_t k = inner; k < last; k++)
        RETURN_ON_FAILURE(device_stack_take(stack, true, (size_t)g->place[k].mask + 1,
                                            sizeof *g->place[k].hash, &g->place[k].hash, err));
    const size_t leasts = stack->high;
    for (int32_t k = inner; k < last; k++)
        RETURN_ON_FAILURE(device_stack_take(stack, true, (size_t)g->place[k].mask + 1,
                                            sizeof *g->place[k].least, &g->place[k].least, err));
    RETURN_ON_FAILURE(fill(stack->memory + leasts, 0, hashes - leasts, err));
    return fill(stack->memory + stack->high, 0x7f, leasts - stack->high, err);
}

/* Allocates memory for the classes of regions inner .. last - 1, and for the flow that all rows ask
 * for. */
static enum status take_class_rows(struct gpu_flows *g, int32_t inner, int32_t last, bool backwards,
                                   struct error *err) {
    struct device_stack *const stack = &g->stack;
    const size_t masses = stack->low;
    for (int32_t k = inner; k < last; k++) {
        struct flow_place *const p = &g->place[k];
        RETURN_ON_FAILURE(
            device_stack_take(stack, false, (size_t)p->classes, sizeof *p->mass, &p->mass, err));
    }
    RETURN_ON_FAILURE(fill(stack->memory + masses, 0, stack->low - masses, err));
    for (int32_t k = inner; k < last; k++) {
        struct flow_place *const p = &g->place[k];
        RETURN_ON_FAILURE(
            take_labels(g, false, tile_cells(p->classes, p->width), &p->class_row, err));
        if (backwards)
            RETURN_ON_FAILURE(device_stack_take(stack, false, (size_t)rows_in(p) * (size_t)p->width,
                                                sizeof *p->asked, &p->asked, err));
    }
    return STATUS_OK;
}

/* Reads the number of classes of regions inner .. last - 1. */
static enum status read_classes(struct gpu_flows *g, int32_t inner, int32_t last,
                                struct error *err) {
    int32_t *classes;
    RETURN_ON_FAILURE(host_alloc(&classes, (size_t)(last - inner), sizeof *classes, err));
    const enum status status =
        gpu_check(cudaMemcpy(classes, g->net.classes + inner,
                             (size_t)(last - inner) * sizeof *classes, cudaMemcpyDeviceToHost),
                  "finding classes", err);
    for (int32_t k = inner; k < last && status == STATUS_OK; k++)
        g->place[k].classes = classes[k - inner];
    memory_free(classes);
    return status;
}

/* Finds the classes of all rows of a group in the regions inside. */
static enum status find_classes(struct gpu_flows *g, const struct group *d, bool backwards,
                                struct error *err) {
    const int32_t inner = d->inner, last = d->last;
    const size_t high = g->stack.high;
    struct flow_tile *tile;
    int32_t tiles, *inside, *on_device;
    RETURN_ON_FAILURE(take_rows(g, d, !d->keeps, err));
    for (int32_t k = d->first; k < d->end; k++)
        RETURN_ON_FAILURE(take_names(g, k, err));
    RETURN_ON_FAILURE(take_tables(g, inner, last, err));
    RETURN_ON_FAILURE(send_places(g, d->first, d->end, err));
    RETURN_ON_FAILURE(send_places(g, inner, last, err));
    RETURN_ON_FAILURE(host_alloc(&inside, (size_t)(last - inner), sizeof *inside, err));
    for (int32_t k = inner; k < last; k++)
        inside[k - inner] = k;
    enum status status =
        send(g, true, inside, (size_t)(last - inner), sizeof *inside, &on_device, err);
    memory_free(inside);
    RETURN_ON_FAILURE(status);
    RETURN_ON_FAILURE(flow_rows(&g->net, d->strips, err));
    RETURN_ON_FAILURE(flow_classify(&g->net, d->strips, on_device, last - inner, err));
    RETURN_ON_FAILURE(read_classes(g, inner, last, err));
    RETURN_ON_FAILURE(take_class_rows(g, inner, last, backwards, err));
    RETURN_ON_FAILURE(send_places(g, inner, last, err));
    RETURN_ON_FAILURE(send_tiles(g, inner, last, classes_of, &tile, &tiles, err));
    RETURN_ON_FAILURE(flow_name_classes(&g->net, d->strips, tile, tiles, err));
    g->stack.high = high;
    return STATUS_OK;
}

// Backwards ---------------------------------------------------------------------------------------

/* Returns the number of strips of a part: the fewer, the shorter some warps wait for the last one,
 * but each part has sums of its own, which take memory and are added up. */
static int32_t strips_each(const struct gpu_flows *g, const struct group *d) {
    enum {
        TURNS = 16, /* number of parts of each warp from which on no warp waits long */
        ENOUGH = 4  /* number of strips beside which sums take little time */
    };
    const double quarter = (double)(g->stack.high - g->stack.low) / 4;
    const double most = fmin(fmax(quarter, 0x1p12), (double)block_sizes.gpu_sum_bytes);
    const int32_t all = d->strips / g->net.warps;
    const int32_t balanced = all / TURNS > ENOUGH ? all / TURNS : all < ENOUGH ? all : ENOUGH;
    double bytes = 0;
    for (int32_t k = d->first; k < d->end; k++)
        bytes += (double)sizeof(double) * g->place[k].strips *
                 (double)(g->first_entry[k + 1] - g->first_entry[k] + g->place[k].own);
    const int32_t fitting = (int32_t)(bytes / most) + 1;
    return fitting > balanced ? fitting : balanced;
}

/* Parts of a group, and the sums that are added up from them. */
struct flow_part_list {
    struct flow_part *part;
    struct flow_sum *sum;
    int32_t count, sums;
    int64_t cells, most; /* number of cells of the sums of all parts, and largest number of cells of
                            a region's sums */
};

/* Adds the parts of region k, each with `each` strips. */
static void add_parts(const struct gpu_flows *g, int32_t k, int32_t each,
                      struct flow_part_list *p) {
    const struct flow_place *const r = &g->place[k];
    const int64_t entries = g->first_entry[k + 1] - g->first_entry[k];
    if (r->strips == 0)
        return;
    p->sum[p->sums++] = (struct flow_sum){k,        p->count,          (r->strips - 1) / each + 1,
                                          p->cells, g->first_entry[k], entries};
    p->most = entries + r->own > p->most ? entries + r->own : p->most;
    for (int32_t first = 0; first < r->strips; first += each) {
        const int32_t count = r->strips - first < each ? r->strips - first : each;
        p->part[p->count++] = (struct flow_part){k, first, count, p->cells, entries};
        p->cells += entries + r->own;
    }
}

static enum status list_parts(const struct gpu_flows *g, const struct group *d,
                              struct flow_part_list *p, struct error *err) {
    const int32_t each = strips_each(g, d);
    const size_t regions = (size_t)(d->end - d->first);
    *p = (struct flow_part_list){.count = 0};
    RETURN_ON_FAILURE(
        host_alloc(&p->part, (size_t)d->strips / (size_t)each + regions, sizeof *p->part, err));
    RETURN_ON_FAILURE(host_alloc(&p->sum, regions, sizeof *p->sum, err));
    for (int32_t k = d->first; k < d->end; k++)
        add_parts(g, k, each, p);
    return STATUS_OK;
}

/* Returns the number of blocks that add up the parts of a region with `values` values. */
static int32_t blocks_for(int64_t values) {
    enum { EACH = FLOW_BLOCK_WARPS * LANES };
    const int64_t blocks = (values + EACH - 1) / EACH;
    return blocks < block_sizes.gpu_sum_blocks ? (int32_t)blocks : block_sizes.gpu_sum_blocks;
}

/* Finds the rows of a group again, which were not kept. */
static enum status find_rows_again(struct gpu_flows *g, const struct group *d, struct error *err) {
    RETURN_ON_FAILURE(take_rows(g, d, false, err));
    RETURN_ON_FAILURE(send_places(g, d->first, d->end, err));
    g->net.strip = d->strip;
    return flow_rows(&g->net, d->strips, err);
}

/* Does the work backwards for all rows of a group. */
static enum status pass_back(struct gpu_flows *g, const struct group *d, struct error *err) {
    const size_t high = g->stack.high;
    struct flow_part_list p;
    struct flow_part *part;
    struct flow_sum *sum;
    double *sums = NULL;
    enum status status;
    if (d->inner < d->last && !d->keeps)
        RETURN_ON_FAILURE(find_rows_again(g, d, err));
    TRY(list_parts(g, d, &p, err));
    g->net.strip = d->strip;
    TRY(send(g, true, p.part, (size_t)p.count, sizeof *part, &part, err));
    TRY(send(g, true, p.sum, (size_t)p.sums, sizeof *sum, &sum, err));
    TRY(device_stack_take(&g->stack, true, (size_t)p.cells, sizeof *sums, &sums, err));
    TRY(fill(sums, 0, (size_t)p.cells * sizeof *sums, err));
    TRY(flow_back(&g->net, part, p.count, sums, err));
    status = flow_add(&g->net, sum, p.sums, sums, blocks_for(p.most), err);

cleanup:
    g->stack.high = high;
    memory_free(p.part);
    memory_free(p.sum);
    return status;
}

// Groups of regions -------------------------------------------------------------------------------

/* Bytes that regions are likely to take. */
struct bytes {
    double rows;    /* for their own rows */
    double passing; /* while classes inside are looked for */
    double kept;    /* for the classes inside and their rows at the boundaries */
    double inside;  /* for the region inside that takes the most, while it is solved */
};

/* Returns the bytes that regions take at most. keeps: as in struct group. */
static double most_bytes(const struct bytes *b, bool keeps) {
    return b->kept +
           (keeps ? b->rows + fmax(b->passing, b->inside) : fmax(b->rows + b->passing, b->inside));
}

/* Returns the bytes of labels and ways of `rows` rows of a region. */
static double row_bytes(const struct flow_place *p, double rows) {
    return p->child < 0
               ? 0
               : rows * (LABEL_BYTES * (p->own + p->width) + (double)sizeof(int32_t) * p->own);
}

/* Returns roughly how many bytes region k takes for `rows` rows. */
static struct bytes bytes_for(const struct gpu_flows *g, int32_t k, double rows) {
    /* LOOKED, ROW: bytes of a row for each region inside, while the row's class is looked for and
     * later. */
    enum { LOOKED = 64, ROW = sizeof(int32_t) + sizeof(struct flow_pair) };
    const double share = 0.5; /* share of rows that make a new class inside, at most */
    const struct flow_place *const p = &g->place[k];
    struct bytes bytes = {.rows = row_bytes(p, rows)};
    for (int32_t c = p->child; c >= 0; c = g->place[c].sibling) {
        const struct flow_place *const inside = &g->place[c];
        const double classes = share * (rows - inside->sources), all = inside->sources + classes;
        const struct bytes own = bytes_for(g, c, all);
        bytes.passing += rows * LOOKED;
        bytes.kept += rows * ROW + inside->width * (classes * LABEL_BYTES + all * sizeof(double));
        bytes.inside = fmax(bytes.inside, most_bytes(&own, false));
    }
    return bytes;
}

/* Begins the group at region `first`, which ends at `end` or before. before: number of groups into
 * which the regions around are divided. Rows are kept if that makes few groups: the more groups
 * there are, the less work is there for all warps at a time. */
static struct group group_begin(const struct gpu_flows *g, int32_t first, int32_t end,
                                int32_t before, double room, bool may_keep) {
    enum {
        MOST = 8,
        PART = 3
    }; /* largest number of groups; rows that are kept take 1 / PART of
          the room, unless one region's take more */
    struct group group = {.first = first, .end = first + 1};
    struct bytes all = bytes_for(g, first, rows_in(&g->place[first]));
    double rows = 0;
    for (int32_t k = first; k < end; k++)
        rows += row_bytes(&g->place[k], rows_in(&g->place[k]));
    const double groups = ceil(rows / (room / PART));
    group.keeps = may_keep && before * groups <= MOST;
    group.pieces = before * (group.keeps && groups > 1 ? (int32_t)groups : 1);
    for (; group.end < end; group.end++) {
        const struct bytes own = bytes_for(g, group.end, rows_in(&g->place[group.end]));
        all.rows += own.rows;
        all.passing += own.passing;
        all.kept += own.kept;
        all.inside = fmax(all.inside, own.inside);
        if (most_bytes(&all, group.keeps) >= room || (group.keeps && all.rows >= room / PART))
            break;
    }
    return group;
}

/* Counts the positions of a group as done, and reports progress; nothing if only steps are counted,
 * without the work backwards. */
static void count_positions(struct gpu_flows *g, const struct group *d, bool backwards) {
    const struct class_flows_request *const r = g->request;
    for (int32_t k = d->first; k < d->end; k++)
        g->positions += g->place[k].own;
    const int64_t done = (int64_t)g->before * g->n + (int64_t)g->part * g->positions;
    progress_report(r->progress, r->done + (backwards ? done / r->sources : 0), r->all);
}

static enum status solve_group(struct gpu_flows *g, struct group *d, bool backwards,
                               struct error *err);

/* Solves regions first .. end - 1 in groups that fit into memory. before: as in group_begin. */
static enum status solve_groups(struct gpu_flows *g, int32_t first, int32_t end, int32_t before,
                                bool backwards, struct error *err) {
    double room = (double)(g->stack.high - g->stack.low);
    bool may_keep = true;
    while (first < end) {
        const size_t low = g->stack.low, high = g->stack.high;
        const int64_t steps = g->steps;
        const int32_t positions = g->positions;
        struct group group = group_begin(g, first, end, before, room, may_keep);
        const enum status status = solve_group(g, &group, backwards, err);
        g->stack.low = low;
        g->stack.high = high;
        if (status == STATUS_OK) {
            first = group.end;
        } else if (status == STATUS_NO_RESOURCE && (group.keeps || group.end > first + 1)) {
            (void)cudaGetLastError();
            g->wasted += g->steps - steps;
            g->steps = steps;
            g->positions = positions;
            room /= group.keeps ? 1 : 2;
            may_keep = false;
        } else {
            return status;
        }
    }
    return STATUS_OK;
}

/* Solves the regions of a group. */
static enum status solve_group(struct gpu_flows *g, struct group *d, bool backwards,
                               struct error *err) {
    if (!progress_goes_on(g->request->progress))
        return progress_cancelled(err);
    for (int32_t k = d->first; k < d->end; k++) {
        if (g->place[k].child >= 0 && d->last == 0)
            d->inner = g->place[k].child;
        for (int32_t c = g->place[k].child; c >= 0; c = g->place[c].sibling)
            d->last = c + 1;
        count_steps(g, k);
    }
    RETURN_ON_FAILURE(send_strips(g, d, false, err));
    if (d->inner < d->last) {
        RETURN_ON_FAILURE(find_classes(g, d, backwards, err));
        RETURN_ON_FAILURE(solve_groups(g, d->inner, d->last, d->pieces, backwards, err));
    } else {
        RETURN_ON_FAILURE(send_places(g, d->first, d->end, err));
    }
    if (backwards)
        RETURN_ON_FAILURE(pass_back(g, d, err));
    count_positions(g, d, backwards);
    return STATUS_OK;
}

// All of it ---------------------------------------------------------------------------------------

/* Solves for the sources first .. first + count - 1, for which there is memory. */
static enum status solve_part(struct gpu_flows *g, int32_t first, int32_t count, bool backwards,
                              struct error *err) {
    const size_t flows = (size_t)g->entries + (size_t)g->n;
    device_stack_clear(&g->stack);
    g->before = first;
    g->part = count;
    g->positions = 0;
    g->steps = g->wasted = 0;
    RETURN_ON_FAILURE(place_sources(g, first, count, err));
    RETURN_ON_FAILURE(climb(g, err));
    RETURN_ON_FAILURE(find_among(g, err));
    RETURN_ON_FAILURE(fill(g->net.flow, 0, flows * sizeof *g->net.flow, err));
    RETURN_ON_FAILURE(solve_groups(g, 0, 1, 1, backwards, err));
    RETURN_ON_FAILURE(gpu_check(cudaDeviceSynchronize(), "finding flows", err));
    if (!progress_goes_on(g->request->progress))
        return progress_cancelled(err);
    return backwards ? flow_add_all(&g->net, flows, err) : STATUS_OK;
}

/* Adds the flows that the device has found to the answer. */
static enum status add_found(const struct gpu_flows *g, double *flow, double *ends,
                             struct error *err) {
    const size_t flows = (size_t)g->entries + (size_t)g->n;
    double *found;
    RETURN_ON_FAILURE(host_alloc(&found, flows, sizeof *found, err));
    const enum status status =
        gpu_check(cudaMemcpy(found, g->net.total, flows * sizeof *found, cudaMemcpyDeviceToHost),
                  "copying flows", err);
#pragma omp parallel for num_threads(g->request->threads) schedule(dynamic, 16)
    for (int32_t k = 0; k < (status == STATUS_OK ? g->count : 0); k++) {
        const struct region *const r = &g->regions.region[g->numbered[k]];
        for (int32_t i = 0; i < r->own; i++) {
            const int32_t own = g->place[k].first_own + i;
            ends[g->regions.own_position[r->first_own + i]] += found[g->entries + own];
            for (int32_t e = 0; e < g->own[own].entries; e++)
                flow[g->entry[own] + e] += found[g->own[own].entry + e];
        }
    }
    memory_free(found);
    return status;
}

/* Returns the number of sources whose rows are likely to fit into memory. */
static int32_t sources_at_a_time(const struct gpu_flows *g) {
    /* Memory over that of the rows up: rows at the boundaries of regions inside each other, and
     * enough room that many regions of one depth are solved together. */
    enum { COPIES = 12 };
    double bytes = 0;
    for (int32_t k = 0; k < g->count; k++) {
        const struct region *const r = &g->regions.region[g->numbered[k]];
        const int32_t sources = positions_below(g->request->source, g->request->sources, r->high) -
                                positions_below(g->request->source, g->request->sources, r->low);
        bytes += (double)LABEL_BYTES * COPIES * sources * r->width;
    }
    const double part = bytes > 0 ? (double)g->stack.size / bytes : 1;
    return part < 1 ? (int32_t)(part * g->request->sources) + 1 : g->request->sources;
}

static enum status find(const struct class_flows_request *r, double *flow, double *ends,
                        struct error *err) {
    /* FEWEST: number of sources up to which they are not divided. WASTE: fewer sources are solved
     * for at a time after 1 / WASTE of the work was in vain. */
    enum { FEWEST = 64, WASTE = 8 };
    struct gpu_flows g = {.request = r};
    enum status status;
    memset(ends, 0, (size_t)r->counted->tree.n * sizeof *ends);
    TRY(open_flows(&g, r, err));
    int32_t at_a_time = sources_at_a_time(&g);
    for (int32_t first = 0, some; first < r->sources; first += some) {
        some = r->sources - first < at_a_time ? r->sources - first : at_a_time;
        status = solve_part(&g, first, some, true, err);
        if (status == STATUS_NO_RESOURCE && some > FEWEST) {
            (void)cudaGetLastError();
            at_a_time = some / 2 + 1;
            some = 0;
            continue;
        }
        if (status != STATUS_OK)
            goto cleanup;
        if (g.wasted > g.steps / WASTE && some > FEWEST)
            at_a_time = some - some / 4;
    }
    status = add_found(&g, flow, ends, err);

cleanup:
    close_flows(&g);
    return status;
}

/* Counts the steps of some sources, and extrapolates by a power law, because the more rows there
 * are, the fewer of them make a new class. */
static enum status predict(const struct class_flows_request *r, struct class_flows_cost *cost,
                           struct error *err) {
    enum { FEW = 1024 };
    const double exponent = 0.8;
    const double start_s = 0.05; /* seconds that kernels take however few rows there are */
    int32_t few[FEW];
    double mass[FEW];
    const int32_t some = r->sources < FEW ? r->sources : FEW;
    struct class_flows_request own = *r;
    struct gpu_flows g = {.request = &own};
    enum status status;
    own.source = few;
    own.from_mass = mass;
    own.sources = some;
    for (int32_t i = 0; i < some; i++) {
        few[i] = r->source[(int64_t)i * r->sources / some];
        mass[i] = 1;
    }
    TRY(open_flows(&g, &own, err));
    TRY(solve_part(&g, 0, some, false, err));
    const double steps = (double)g.steps * pow((double)r->sources / some, exponent);
    /* Bytes of the lists of entries while they are copied. */
    cost->memory =
        (uint64_t)g.entries * (LABEL_BYTES + sizeof(int32_t)) +
        (uint64_t)g.rows * (FLOW_PANEL * (LABEL_BYTES + sizeof(int32_t)) + sizeof(int32_t));
    cost->seconds = start_s + steps * gpu_class_flows.step_ns * 1e-9;

cleanup:
    close_flows(&g);
    return status;
}

const struct class_flows_engine gpu_class_flows = {
    .step_ns = 0.0012, .predict = predict, .find = find};

#endif
