// SPDX-License-Identifier: MIT
#include "dissection/regions.h"

#include "common/base/memory.h" // memory_alloc

/* What is known of a position's subtree while regions are looked for. */
struct subtree {
    int32_t size;
    int64_t entries;
};

/* Which limit a subtree of so many positions keeps: 0 is that of leaves. */
static int level_of(int32_t size, const struct regions_options *options) {
    int level = 0;
    for (int64_t limit = options->leaf; limit < size; limit *= options->ratio)
        level++;
    return level;
}

static void measure_subtrees(const struct tree *tree, struct subtree *subtree) {
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

/* Whether position v is the root of a region. */
static bool is_root(const struct tree *tree, const struct subtree *subtree, int32_t v,
                    const struct regions_options *options) {
    const int32_t parent = tree->parent[v];
    const int level = level_of(subtree[v].size, options);
    const int around = level_of(parent < 0 ? tree->n : subtree[parent].size, options);
    return level < around &&
           subtree[v].entries >= options->worth + (int64_t)options->worth_width * tree->count[v];
}

static void find_regions(const struct tree *tree, const struct subtree *subtree,
                         const struct regions_options *options, struct regions *r) {
    r->region[0] = (struct region){
        .low = 0, .high = tree->n, .parent = -1, .child = -1, .sibling = -1, .width = 0};
    r->count = 1;
    for (int32_t v = tree->n - 1; v >= 0; v--) {
        const int32_t around = tree->parent[v] < 0 ? 0 : r->of[tree->parent[v]];
        r->of[v] = around;
        if (is_root(tree, subtree, v, options)) {
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

/* Lists the own positions of all regions. */
static void list_positions(int32_t n, struct regions *r) {
    int32_t first = 0;
    for (int32_t k = 0; k < r->count; k++) {
        r->region[k].first_own = first;
        first += r->region[k].own;
        r->region[k].own = 0;
    }
    for (int32_t v = 0; v < n; v++) {
        struct region *const region = &r->region[r->of[v]];
        r->own_number[v] = region->own;
        r->own_position[region->first_own + region->own++] = v;
    }
}

/* Finds local numbers. number: room for n of them. */
static void number(const struct structure *s, struct regions *r, int32_t *number) {
    for (int32_t k = 0; k < r->count; k++) {
        const struct region *const region = &r->region[k];
        const int64_t boundary = region->width > 0 ? s->first[region->high - 1] : 0;
        for (int32_t i = 0; i < region->own; i++)
            number[r->own_position[region->first_own + i]] = i;
        for (int32_t b = 0; b < region->width; b++)
            number[s->higher[boundary + b]] = region->own + b;
        for (int32_t i = 0; i < region->own; i++) {
            const int32_t v = r->own_position[region->first_own + i];
            for (int64_t e = s->first[v]; e < s->first[v + 1]; e++)
                r->local[e] = number[s->higher[e]];
        }
        for (int32_t c = region->child; c >= 0; c = r->region[c].sibling) {
            const struct region *const child = &r->region[c];
            for (int32_t b = 0; b < child->width; b++)
                r->outer[child->outer + b] = number[s->higher[s->first[child->high - 1] + b]];
        }
        if (region->own + region->width > r->largest)
            r->largest = region->own + region->width;
    }
}

enum status regions_find(const struct tree *tree, const struct structure *structure,
                         const struct regions_options *options, struct regions *r,
                         struct error *err) {
    static const char what[] = "the regions";
    const size_t n = (size_t)tree->n, entries = (size_t)structure->first[n];
    void *subtree = NULL, *numbers = NULL, *memory;
    int64_t outer = 0;
    enum status status;
    *r = (struct regions){0};
    TRY(memory_alloc(&subtree, n, sizeof(struct subtree), what, err));
    TRY(memory_alloc(&numbers, n, sizeof(int32_t), what, err));
    TRY(memory_alloc(&memory, n + 1, sizeof *r->region, what, err));
    r->region = memory;
    TRY(memory_alloc(&memory, 3 * n + entries, sizeof(int32_t), what, err));
    r->of = memory;
    r->own_position = r->of + n;
    r->own_number = r->own_position + n;
    r->local = r->own_number + n;
    measure_subtrees(tree, subtree);
    find_regions(tree, subtree, options, r);
    list_positions(tree->n, r);
    for (int32_t k = 0; k < r->count; k++) {
        r->region[k].outer = outer;
        outer += r->region[k].width;
    }
    TRY(memory_alloc(&memory, (size_t)outer, sizeof(int32_t), what, err));
    r->outer = memory;
    number(structure, r, numbers);
    status = STATUS_OK;

cleanup:
    memory_free(subtree);
    memory_free(numbers);
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
