// SPDX-License-Identifier: MIT
#include "classes/region_layouts.h"

#include "common/base/memory.h" // memory_alloc

static const char what[] = "the regions for the proof";

void region_numbers(const struct regions *regions, int32_t region, int32_t *number) {
    const struct region *const r = &regions->region[region];
    int32_t next = class_pitch(r->width);
    for (int32_t i = 0; i < r->own; i++)
        number[i] = -1;
    for (int32_t b = 0; b < r->width; b++)
        number[r->own + b] = b;
    for (int32_t p = r->width; p < r->portals && r->child >= 0; p++)
        number[regions->portal[r->first_portal + p]] = next++;
    for (int32_t i = 0; i < r->own; i++)
        number[i] = number[i] < 0 ? next++ : number[i];
}

/* Lays out the regions; returns the number of all their numbers. */
static int64_t lay_out(struct region_layouts *l, const struct regions *regions) {
    const struct region *const region = regions->region;
    int64_t numbers = 0;
    int32_t known = 1;
    l->region[0] = l->of[0] = 0;
    l->layout[0].parent = -1;
    for (int32_t k = 0; k < regions->count; k++) {
        const struct region *const r = &region[l->region[k]];
        const int32_t start = class_pitch(r->width), first_child = known;
        for (int32_t child = r->child; child >= 0; child = region[child].sibling) {
            l->layout[known].parent = k;
            l->of[child] = known;
            l->region[known++] = child;
        }
        l->layout[k] =
            (struct class_layout){.own = r->own,
                                  .width = r->width,
                                  .start = start,
                                  .portals = r->child >= 0 ? start + r->portals - r->width : 0,
                                  .parent = l->layout[k].parent,
                                  .first_child = first_child,
                                  .children = known - first_child,
                                  .first = numbers};
        numbers += class_numbers(&l->layout[k]);
    }
    return numbers;
}

/* Finds the vertices of layout k. number: memory for the numbers of a region. */
static void name_vertices(struct region_layouts *l, int32_t k, const struct tree *tree,
                          const struct structure *structure, const struct regions *regions,
                          int32_t *number) {
    const struct region *const r = &regions->region[l->region[k]];
    const int32_t *const boundary = structure->higher + structure->first[r->high - 1];
    int32_t *const vertex = l->vertex + l->layout[k].first;
    int32_t *const local = l->local + l->layout[k].first;
    for (int32_t x = 0; x < class_numbers(&l->layout[k]); x++) {
        vertex[x] = -1;
        local[x] = 0;
    }
    region_numbers(regions, l->region[k], number);
    for (int32_t i = 0; i < r->own + r->width; i++) {
        const int32_t position =
            i < r->own ? regions->own_position[r->first_own + i] : boundary[i - r->own];
        vertex[number[i]] = tree->vertex[position];
        local[number[i]] = i;
    }
}

enum status region_layouts_find(struct region_layouts *l, const struct tree *tree,
                                const struct structure *structure, const struct regions *regions,
                                struct error *err) {
    const size_t count = (size_t)regions->count;
    void *memory, *number = NULL;
    enum status status;
    *l = (struct region_layouts){0};
    TRY(memory_alloc(&memory, count, sizeof *l->region, what, err));
    l->region = memory;
    TRY(memory_alloc(&memory, count, sizeof *l->of, what, err));
    l->of = memory;
    TRY(memory_alloc(&memory, count, sizeof *l->layout, what, err));
    l->layout = memory;
    const size_t numbers = (size_t)lay_out(l, regions);
    TRY(memory_alloc(&memory, numbers, sizeof *l->vertex, what, err));
    l->vertex = memory;
    TRY(memory_alloc(&memory, numbers, sizeof *l->local, what, err));
    l->local = memory;
    TRY(memory_alloc(&number, (size_t)regions->largest, sizeof(int32_t), what, err));
    for (int32_t k = 0; k < regions->count; k++)
        name_vertices(l, k, tree, structure, regions, number);

cleanup:
    memory_free(number);
    return status;
}

void region_layouts_free(struct region_layouts *l) {
    memory_free(l->region);
    memory_free(l->of);
    memory_free(l->layout);
    memory_free(l->vertex);
    memory_free(l->local);
    *l = (struct region_layouts){0};
}
