// SPDX-License-Identifier: MIT
#include "certificate/class_regions.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // copy_together, prefix_sums
#include "common/base/memory.h"      // memory_alloc
#include "common/graph/graph.h"      // struct graph, INF

#include <math.h>
#include <omp.h>
#include <stdlib.h>
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
    const struct graph *in; /* row v has the edges into v, by their tails */
    int threads;
    int32_t widest;    /* most vertices on the boundary of a region */
    int64_t *boundary; /* for each thread, `widest` entries: a region's boundary in ascending order,
                          each vertex in the upper 32 bits, and its number below */
};

/* Notes that a region owns its own vertices, which no other region may own, and their numbers. */
static bool own_vertices(const struct region_finding *f, int32_t k) {
    const struct class_layout *const r = &f->to->region[k];
    for (int32_t x = 0; x < class_numbers(r); x++) {
        const int32_t v = f->to->vertex[r->first + x];
        if ((x >= r->width && x < r->start) || x >= r->start + r->own) {
            if (v != -1)
                return false;
            continue;
        }
        if (v < 0 || v >= f->to->n)
            return false;
        if (x < r->width)
            continue;
        if (__atomic_exchange_n(&f->to->owner[v], k, __ATOMIC_RELAXED) >= 0)
            return false;
        f->to->number[v] = x;
    }
    return true;
}

static int compare(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Lists the boundary of region k, each vertex of which must be there once and be none of the
 * region's own: so no edge belongs to two regions. */
static bool list_boundary(const struct region_finding *f, int32_t k, int64_t *boundary) {
    const struct class_layout *const r = &f->to->region[k];
    for (int32_t b = 0; b < r->width; b++) {
        const int32_t v = f->to->vertex[r->first + b];
        if (f->to->owner[v] == k)
            return false;
        boundary[b] = (int64_t)v << 32 | b;
    }
    qsort(boundary, (size_t)r->width, sizeof *boundary, compare);
    for (int32_t b = 1; b < r->width; b++) {
        if (boundary[b] >> 32 == boundary[b - 1] >> 32)
            return false;
    }
    return true;
}

/* Returns the number of vertex v in region k; -1: it is no vertex of the region. */
static int32_t number_in(const struct region_finding *f, int32_t k, const int64_t *boundary,
                         int32_t v) {
    if (f->to->owner[v] == k)
        return f->to->number[v];
    int32_t from = 0, to = f->to->region[k].width;
    while (from < to) {
        const int32_t middle = from + (to - from) / 2;
        if (boundary[middle] >> 32 < v)
            from = middle + 1;
        else
            to = middle;
    }
    const bool is_there = from < f->to->region[k].width && boundary[from] >> 32 == v;
    return is_there ? (int32_t)boundary[from] : -1;
}

/* Finds what numbers the boundaries of regions inside have in region k. */
static bool find_outer(const struct region_finding *f, int32_t k, const int64_t *boundary) {
    const struct class_layout *const r = &f->to->region[k];
    for (int32_t c = r->first_child; c < r->first_child + r->children; c++) {
        const struct class_layout *const inside = &f->to->region[c];
        for (int32_t b = 0; b < inside->width; b++) {
            const int32_t v = f->to->vertex[inside->first + b];
            const int32_t number = number_in(f, k, boundary, v);
            if (number < 0 || number >= r->portals)
                return false;
            f->to->outer[inside->first + b] = number;
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

/* Finds the edges of region k into the vertex with number x: into an own vertex from the region's
 * vertices, and from own vertices to its boundary. Stores them unless edge is NULL. Returns their
 * number. */
static int64_t find_edges(const struct region_finding *f, int32_t k, const int64_t *boundary,
                          int32_t x, struct class_edge *edge) {
    const struct class_layout *const r = &f->to->region[k];
    const struct graph *const in = f->in;
    const int32_t v = f->to->vertex[r->first + x];
    int64_t edges = 0;
    for (int64_t e = v < 0 ? 0 : in->first[v], end = v < 0 ? 0 : in->first[v + 1]; e < end; e++) {
        const int32_t tail = number_in(f, k, boundary, in->head[e]);
        if (tail < 0 || (x < r->width && tail < r->start))
            continue;
        if (edge != NULL)
            edge[edges] = (struct class_edge){tail, weight_in(in, e)};
        edges++;
    }
    return edges;
}

/* Counts the edges of a region, or stores them once all are counted. */
static bool take_region(const struct region_finding *f, int32_t k, bool stores) {
    const struct class_layout *const r = &f->to->region[k];
    int64_t *const boundary = f->boundary + (int64_t)omp_get_thread_num() * f->widest;
    if (!list_boundary(f, k, boundary) || (!stores && !find_outer(f, k, boundary)))
        return false;
    for (int32_t x = 0; x < class_numbers(r); x++) {
        int64_t *const first = &f->to->first[r->first + x];
        if (stores)
            find_edges(f, k, boundary, x, f->to->edge + *first);
        else
            *first = find_edges(f, k, boundary, x, NULL);
    }
    return true;
}

/* Returns whether the regions cover the graph and all of its edges. */
static bool find_all(const struct region_finding *f) {
    enum { REGIONS = 16 }; /* number of regions that a thread takes at a time */
    const struct class_regions *const to = f->to;
    int64_t own = 0;
    bool good = true;
#pragma omp parallel for num_threads(f->threads) schedule(static)
    for (int32_t v = 0; v < to->n; v++)
        to->owner[v] = -1;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, REGIONS)                        \
    reduction(+ : own) reduction(&& : good)
    for (int32_t k = 0; k < to->count; k++) {
        good = own_vertices(f, k) && good;
        own += to->region[k].own;
    }
    if (!good || own != to->n)
        return false;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, REGIONS) reduction(&& : good)
    for (int32_t k = 0; k < to->count; k++)
        good = take_region(f, k, false) && good;
    if (!good)
        return false;
    prefix_sums(to->first, to->numbers, f->threads);
    if (to->first[to->numbers] != f->in->m)
        return false;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, REGIONS) reduction(&& : good)
    for (int32_t k = 0; k < to->count; k++)
        good = take_region(f, k, true) && good;
    return good;
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
        {(size_t)f->threads * (size_t)f->widest, sizeof *f->boundary, &f->boundary},
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
                               const int32_t *vertex, int threads, bool *are_its,
                               struct error *err) {
    struct region_finding f = {
        .to = r, .in = g, .threads = threads_paid(threads, g->m, block_sizes.thread_entries)};
    struct graph reversed = {0};
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
    for (int32_t k = 0; k < count; k++)
        f.widest = region[k].width > f.widest ? region[k].width : f.widest;
    TRY(alloc(r, g, &f, err));
    copy_together(r->region, region, (size_t)count * sizeof *region, f.threads);
    copy_together(r->vertex, vertex, (size_t)numbers * sizeof *vertex, f.threads);
    clear_together(r->outer, (size_t)numbers * sizeof *r->outer, f.threads);
    if (graph_is_directed(g, f.threads)) {
        TRY(graph_reverse(g, &reversed, err));
        f.in = &reversed;
    }
    *are_its = find_all(&f);

cleanup:
    graph_free(&reversed);
    memory_free(f.boundary);
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
