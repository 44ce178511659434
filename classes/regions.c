// SPDX-License-Identifier: MIT
#include "classes/regions.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // threads_paid
#include "common/base/memory.h"      // memory_alloc

#include <math.h>
#include <omp.h>
#include <stdbool.h>

static const char what[] = "the regions";

/* Subtree of a position, while regions are looked for. */
struct subtree {
    int32_t size;
    int64_t entries;
};

/* Largest number of positions of a region of each level; innermost regions have level 0. */
enum { LEVELS = 32 };
struct levels {
    int64_t largest[LEVELS];
};

/* Regions inside region 0 have at most 1 / SHARE of all positions, and sizes of levels grow from
 * the leaves' to that one. If they grew by options->ratio alone, region 0 would have many own
 * positions for some n and few for others. */
static struct levels levels_of(int32_t n, const struct regions_options *options) {
    enum { SHARE = 4 };
    const double times = (double)n / SHARE / options->leaf;
    const double steps = times > 1 ? fmax(1, round(log(times) / log(options->ratio))) : 0;
    struct levels levels;
    for (int k = 0; k < LEVELS; k++)
        levels.largest[k] = k == 0       ? options->leaf
                            : k <= steps ? (int64_t)(options->leaf * pow(times, k / steps))
                                         : n;
    return levels;
}

/* Returns whether two nested subtrees of `inner` and `outer` positions are of different levels. */
static bool are_apart(const struct levels *levels, int32_t inner, int32_t outer) {
    int k = 0;
    while (levels->largest[k] < inner)
        k++;
    return levels->largest[k] < outer;
}

static void measure_subtrees(const struct tree *tree, int threads, struct subtree *subtree) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t v = 0; v < tree->n; v++)
        subtree[v] = (struct subtree){1, tree->count[v]};
    for (int32_t v = 0; v < tree->n; v++) {
        const int32_t parent = tree->parent[v];
        if (parent < 0)
            continue;
        subtree[parent].size += subtree[v].size;
        subtree[parent].entries += subtree[v].entries;
    }
}

/* Returns whether position v is the root of a region. */
static bool is_root(const struct tree *tree, const struct subtree *subtree, int32_t v,
                    const struct levels *levels, const struct regions_options *options) {
    const int32_t parent = tree->parent[v];
    return subtree[v].entries >= options->worth + (int64_t)options->worth_width * tree->count[v] &&
           are_apart(levels, subtree[v].size, parent < 0 ? tree->n : subtree[parent].size);
}

static void find_regions(const struct tree *tree, const struct subtree *subtree,
                         const struct regions_options *options, struct regions *r) {
    r->region[0] = (struct region){
        .low = 0, .high = tree->n, .parent = -1, .child = -1, .sibling = -1, .width = 0};
    r->count = 1;
    const struct levels levels = levels_of(tree->n, options);
    for (int32_t v = tree->n - 1; v >= 0; v--) {
        const int32_t around = tree->parent[v] < 0 ? 0 : r->of[tree->parent[v]];
        r->of[v] = around;
        if (is_root(tree, subtree, v, &levels, options)) {
            r->of[v] = r->count++;
            r->region[r->of[v]] = (struct region){.low = v - subtree[v].size + 1,
                                                  .high = v + 1,
                                                  .parent = around,
                                                  .child = -1,
                                                  .sibling = r->region[around].child,
                                                  .width = tree->count[v]};
            r->region[around].child = r->of[v];
        }
        r->region[r->of[v]].own++;
    }
}

/* Lists the own positions of region k: the positions of its range that are in no range of a region
 * inside. The list of the regions inside is in ascending order. */
static void list_positions(struct regions *r, int32_t k) {
    const struct region *const region = &r->region[k];
    int32_t own = 0;
    for (int32_t v = region->low, child = region->child; v < region->high;) {
        const int32_t end = child >= 0 ? r->region[child].low : region->high;
        for (; v < end; v++) {
            r->own_number[v] = own;
            r->own_position[region->first_own + own++] = v;
        }
        if (child >= 0) {
            v = r->region[child].high;
            child = r->region[child].sibling;
        }
    }
}

/* Numbers the portals of region k and lists them. portal_of: by local number, which portal it is;
 * all -1 before and after the call. */
static void list_portals(struct regions *r, int32_t k, int32_t *portal_of) {
    struct region *const region = &r->region[k];
    int32_t *const portal = r->portal + region->first_portal;
    region->portals = region->width;
    for (int32_t b = 0; b < region->width; b++) {
        portal[b] = region->own + b;
        portal_of[portal[b]] = b;
    }
    for (int32_t c = region->child; c >= 0; c = r->region[c].sibling) {
        const struct region *const child = &r->region[c];
        for (int64_t b = child->outer; b < child->outer + child->width; b++) {
            int32_t *const own = &portal_of[r->outer[b]];
            if (*own < 0) {
                *own = region->portals++;
                portal[*own] = r->outer[b];
            }
            r->outer_portal[b] = *own;
        }
    }
    for (int32_t p = 0; p < region->portals; p++)
        portal_of[portal[p]] = -1;
}

/* Returns the local number in a region of a position that the region or its boundary has. The
 * boundary's positions are the higher neighbours of the root, the region's last position. */
static int32_t local_number(const struct structure *s, const struct regions *r,
                            const struct region *region, int32_t position) {
    if (position < region->high)
        return r->own_number[position];
    const int32_t *const boundary = s->higher + s->first[region->high - 1];
    return region->own + positions_below(boundary, region->width, position);
}

/* Finds the local numbers of higher ends and of inner boundaries in region k, and lists its
 * portals. portal_of: scratch of r->largest entries, all -1 before and after the call. */
static void number(const struct structure *s, struct regions *r, int32_t k, int32_t *portal_of) {
    const struct region *const region = &r->region[k];
    for (int32_t i = 0; i < region->own; i++) {
        const int32_t v = r->own_position[region->first_own + i];
        for (int64_t e = s->first[v]; e < s->first[v + 1]; e++)
            r->local[e] = local_number(s, r, region, s->higher[e]);
    }
    for (int32_t c = region->child; c >= 0; c = r->region[c].sibling) {
        const struct region *const child = &r->region[c];
        const int32_t *const boundary = s->higher + s->first[child->high - 1];
        for (int32_t b = 0; b < child->width; b++)
            r->outer[child->outer + b] = local_number(s, r, region, boundary[b]);
    }
    list_portals(r, k, portal_of);
}

/* Lists the own positions of all regions, then finds the local numbers and portals of all regions.
 * portal_of: scratch, r->largest entries for each thread. */
static void number_all(const struct structure *s, struct regions *r, int threads,
                       int32_t *portal_of) {
#pragma omp parallel num_threads(threads)
    {
        int32_t *const own = portal_of + (size_t)r->largest * (size_t)omp_get_thread_num();
        for (int32_t i = 0; i < r->largest; i++)
            own[i] = -1;
#pragma omp for schedule(dynamic, 16)
        for (int32_t k = 0; k < r->count; k++)
            list_positions(r, k);
#pragma omp for schedule(dynamic, 16)
        for (int32_t k = 0; k < r->count; k++)
            number(s, r, k, own);
    }
}

/* Finds where each region's own positions, boundary and portals begin in their arrays, and the
 * largest region. Returns the number of entries of all boundaries. */
static int64_t place(struct regions *r) {
    int64_t outer = 0, portals = 0;
    int32_t first = 0;
    for (int32_t k = 0; k < r->count; k++) {
        struct region *const region = &r->region[k];
        region->first_own = first;
        first += region->own;
        region->outer = outer;
        outer += region->width;
        region->first_portal = portals;
        portals += region->width;
        for (int32_t c = region->child; c >= 0; c = r->region[c].sibling)
            portals += r->region[c].width;
        if (region->own + region->width > r->largest)
            r->largest = region->own + region->width;
    }
    return outer;
}

/* Finds the ranges of regions. Allocates `numbers` more entries behind r->of. */
static enum status outline(const struct tree *tree, const struct regions_options *options,
                           int threads, size_t numbers, struct regions *r, struct error *err) {
    const size_t n = (size_t)tree->n;
    void *subtree = NULL, *memory;
    enum status status;
    *r = (struct regions){0};
    TRY(memory_alloc(&subtree, n, sizeof(struct subtree), what, err));
    TRY(memory_alloc(&memory, n + 1, sizeof *r->region, what, err));
    r->region = memory;
    TRY(memory_alloc(&memory, n + numbers, sizeof(int32_t), what, err));
    r->of = memory;
    measure_subtrees(tree, threads, subtree);
    find_regions(tree, subtree, options, r);

cleanup:
    memory_free(subtree);
    if (status != STATUS_OK)
        regions_free(r);
    return status;
}

enum status regions_outline(const struct tree *tree, const struct regions_options *options,
                            struct regions *r, struct error *err) {
    return outline(tree, options, 1, 0, r, err);
}

enum status regions_find(const struct tree *tree, const struct structure *structure,
                         const struct regions_options *options, int threads, struct regions *r,
                         struct error *err) {
    const size_t n = (size_t)tree->n, entries = (size_t)structure->first[n];
    void *portal_of, *memory;
    enum status status;
    *r = (struct regions){0};
    threads = threads_paid(threads, tree->n, block_sizes.thread_steps);
    TRY(outline(tree, options, threads, 2 * n + entries, r, err));
    r->own_position = r->of + n;
    r->own_number = r->own_position + n;
    r->local = r->own_number + n;
    const size_t outer = (size_t)place(r);
    TRY(memory_alloc(&memory, 4 * outer, sizeof(int32_t), what, err));
    r->outer = memory;
    r->outer_portal = r->outer + outer;
    r->portal = r->outer_portal + outer; /* twice as many entries at most */
    threads = threads < r->count ? threads : r->count;
    TRY(memory_alloc(&portal_of, (size_t)threads * (size_t)r->largest, sizeof(int32_t), what, err));
    number_all(structure, r, threads, portal_of);
    memory_free(portal_of);

cleanup:
    if (status != STATUS_OK)
        regions_free(r);
    return status;
}

void regions_free(struct regions *r) {
    memory_free(r->region);
    memory_free(r->of);
    memory_free(r->outer);
    *r = (struct regions){0};
}

int32_t positions_below(const int32_t *position, int32_t count, int32_t other) {
    int32_t from = 0, to = count;
    while (from < to) {
        const int32_t middle = from + (to - from) / 2;
        if (position[middle] < other)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
