// SPDX-License-Identifier: MIT
#include "certificate/class_regions.h"

#include "common/base/memory.h" // memory_alloc
#include "common/graph/graph.h" // struct graph, INF

#include <math.h>
#include <string.h>

/* Returns whether a region and those inside it are what class_layout says, as far as numbers go.
 * Its vertices must begin at `first`, and so many `regions` must come before the first one inside
 * it; no count may be above n. */
static bool is_sound(const struct class_layout *region, int32_t count, int32_t k, int64_t first,
                     int32_t regions, int32_t n) {
    const struct class_layout *const r = &region[k];
    const bool has_inside = r->children > 0;
    if (r->own < 0 || r->own > n || r->width < 0 || r->width > n || n > INT32_MAX / 4 ||
        r->start != class_pitch(r->width) || r->children < 0 || r->first != first ||
        (k == 0 ? r->width != 0 || r->parent >= 0 : r->parent < 0 || r->parent >= k))
        return false;
    if (has_inside &&
        (r->first_child != regions || r->children > count - regions || r->first_child <= k ||
         r->portals < r->start || r->portals > r->start + r->own))
        return false;
    for (int32_t c = 0; c < r->children; c++) {
        if (region[r->first_child + c].parent != k)
            return false;
    }
    return has_inside || r->portals == 0;
}

/* Returns whether all regions are sound; stores how many numbers they have together. */
static bool are_sound(const struct class_layout *region, int32_t count, int32_t n,
                      int64_t *numbers) {
    int32_t regions = 1;
    *numbers = 0;
    for (int32_t k = 0; k < count; k++) {
        if (!is_sound(region, count, k, *numbers, regions, n))
            return false;
        regions += region[k].children;
        *numbers += class_numbers(&region[k]);
    }
    return regions == count;
}

struct region_finding {
    struct class_regions *to;
    struct graph in;        /* the graph reversed */
    int32_t *number, *seen; /* of each vertex: its number in the region that saw it last */
    int64_t edges;
};

/* Notes the numbers of a region's vertices, each of which must be there once, and whose own they
 * are, which must be one region's only: so no edge belongs to two. */
static bool see(const struct region_finding *f, int32_t k) {
    const struct class_layout *const r = &f->to->region[k];
    for (int32_t x = 0; x < class_numbers(r); x++) {
        const int32_t v = f->to->vertex[r->first + x];
        if ((x >= r->width && x < r->start) || x >= r->start + r->own) {
            if (v != -1)
                return false;
            continue;
        }
        if (v < 0 || v >= f->to->n || f->seen[v] == k)
            return false;
        f->seen[v] = k;
        f->number[v] = x;
        if (x < r->width)
            continue;
        if (f->to->owner[v] >= 0)
            return false;
        f->to->owner[v] = k;
        f->to->number[v] = x;
    }
    return true;
}

/* Finds what numbers the boundaries of regions inside have in region k. */
static bool find_outer(const struct region_finding *f, int32_t k) {
    const struct class_layout *const r = &f->to->region[k];
    for (int32_t c = r->first_child; c < r->first_child + r->children; c++) {
        const struct class_layout *const inside = &f->to->region[c];
        for (int32_t b = 0; b < inside->width; b++) {
            const int32_t v = f->to->vertex[inside->first + b];
            if (v < 0 || v >= f->to->n || f->seen[v] != k || f->number[v] >= r->portals)
                return false;
            f->to->outer[inside->first + b] = f->number[v];
        }
    }
    return true;
}

/* The weight of edge e, a whole number. On a grid, one that is heavier than any distance may be
 * stands for all such: no shortest path has them. */
#ifdef LENGTH_F64
static const double heaviest = 0x1p52;
#endif
static path_length weight_in(const struct graph *g, int64_t e) {
#ifdef LENGTH_F64
    return fmin(g->real_weight[e] / g->spacing, heaviest);
#else
    return g->weight[e];
#endif
}

/* Finds the edges of region k, by heads: those into own vertices from its vertices, and those from
 * own vertices to its boundary. */
static void find_edges(struct region_finding *f, int32_t k) {
    const struct class_layout *const r = &f->to->region[k];
    for (int32_t x = 0; x < class_numbers(r); x++) {
        const int32_t v = f->to->vertex[r->first + x];
        f->to->first[r->first + x] = f->edges;
        if (v < 0)
            continue;
        for (int64_t e = f->in.first[v]; e < f->in.first[v + 1]; e++) {
            const int32_t tail = f->in.head[e];
            if (f->seen[tail] == k && (x >= r->width || f->number[tail] >= r->start))
                f->to->edge[f->edges++] =
                    (struct class_edge){f->number[tail], weight_in(&f->in, e)};
        }
    }
}

/* Returns whether the regions cover the graph and all of its edges. */
static bool find_all(struct region_finding *f) {
    const struct class_regions *const to = f->to;
    int64_t own = 0;
    for (int32_t v = 0; v < to->n; v++)
        f->seen[v] = to->owner[v] = -1;
    for (int32_t k = 0; k < to->count; k++) {
        if (!see(f, k) || !find_outer(f, k))
            return false;
        own += to->region[k].own;
        find_edges(f, k);
    }
    to->first[to->numbers] = f->edges;
    return own == to->n && f->edges == f->in.m;
}

static enum status alloc(struct class_regions *r, const struct graph *g, struct region_finding *f,
                         struct error *err) {
    const size_t n = (size_t)g->n, numbers = (size_t)r->numbers;
    const struct {
        size_t count, size;
        void *address; /* of the pointer */
    } arrays[] = {
        {(size_t)r->count, sizeof *r->region, &r->region},
        {numbers, sizeof *r->vertex, &r->vertex},
        {numbers, sizeof *r->outer, &r->outer},
        {numbers + 1, sizeof *r->first, &r->first},
        {(size_t)g->m, sizeof *r->edge, &r->edge},
        {n, sizeof *r->owner, &r->owner},
        {n, sizeof *r->number, &r->number},
        {n, sizeof *f->number, &f->number},
        {n, sizeof *f->seen, &f->seen},
    };
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        void *memory;
        RETURN_ON_FAILURE(
            memory_alloc(&memory, arrays[a].count, arrays[a].size, "the regions' edges", err));
        memcpy(arrays[a].address, &memory, sizeof memory);
    }
    return STATUS_OK;
}

/* Returns whether weights are whole numbers above 0. *largest: what a distance may be at most, so
 * that no sum with a weight is rounded or taken for no path. */
static bool takes(const struct graph *g, path_length *largest) {
    const bool are_above = g->m == 0 || g->min_weight > 0;
#ifdef LENGTH_F64
    *largest = heaviest - 1;
    for (int64_t e = 0; e < g->m && g->spacing > 0; e++) {
        const double spacings = g->real_weight[e] / g->spacing;
        if (spacings != floor(spacings))
            return false;
    }
    return g->type == NUMBER_FLOAT64 && g->spacing > 0 && are_above;
#else
    *largest = g->m > 0 ? (int32_t)(INF - 1 - g->max_weight) : INF - 1;
    return g->type == NUMBER_INT32 && are_above && (g->m == 0 || g->max_weight <= INF);
#endif
}

enum status class_regions_find(struct class_regions *r, const struct graph *g,
                               const struct class_layout *region, int32_t count,
                               const int32_t *vertex, bool *are_its, struct error *err) {
    struct region_finding f = {.to = r};
    int64_t numbers;
    enum status status;
    *r = (struct class_regions){0};
    *are_its = false;
    if (!takes(g, &r->largest))
        return STATUS_OK;
    if (count < 1 || !are_sound(region, count, g->n, &numbers))
        return STATUS_OK;
    r->n = g->n;
    r->count = count;
    r->numbers = numbers;
    TRY(alloc(r, g, &f, err));
    memcpy(r->region, region, (size_t)count * sizeof *region);
    memcpy(r->vertex, vertex, (size_t)numbers * sizeof *vertex);
    memset(r->outer, 0, (size_t)numbers * sizeof *r->outer);
    TRY(graph_reverse(g, &f.in, err));
    *are_its = find_all(&f);

cleanup:
    graph_free(&f.in);
    memory_free(f.number);
    memory_free(f.seen);
    return status;
}

void class_regions_free(struct class_regions *r) {
    memory_free(r->region);
    memory_free(r->vertex);
    memory_free(r->outer);
    memory_free(r->first);
    memory_free(r->edge);
    memory_free(r->owner);
    memory_free(r->number);
    *r = (struct class_regions){0};
}
