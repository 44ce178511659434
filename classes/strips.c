// SPDX-License-Identifier: MIT
#include "classes/strips.h"

#include "common/base/memory.h" // memory_alloc

/* Adds strips for the rows first .. end - 1, which are of one kind. */
static void add(struct strips *to, int32_t child, int32_t first, int32_t end, int32_t lanes) {
    for (; first < end; first += lanes)
        to->strip[to->count++] =
            (struct row_strip){child, first, end - first < lanes ? end - first : lanes};
}

enum status strips_list(const struct regions *r, int32_t k, const int32_t *source, int32_t sources,
                        int32_t classes, int32_t lanes, struct strips *to, struct error *err) {
    const struct region *const region = &r->region[k];
    size_t kinds = 2;
    int32_t owns = 0;
    void *memory;
    const int32_t first = positions_below(source, sources, region->low);
    const int32_t end = positions_below(source, sources, region->high);
    *to = (struct strips){.first = first, .sources = end - first};
    for (int32_t c = region->child; c >= 0; c = r->region[c].sibling)
        kinds++;
    const size_t most = ((size_t)to->sources + (size_t)classes) / (size_t)lanes + kinds;
    RETURN_ON_FAILURE(memory_alloc(&memory, most, sizeof *to->strip, "strips of rows", err));
    to->strip = memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)to->sources, sizeof *to->own, "strips of rows", err));
    to->own = memory;
    for (int32_t s = first; s < end; s++) {
        if (r->of[source[s]] == k)
            to->own[owns++] = s;
    }
    add(to, OF_OWN, 0, owns, lanes);
    for (int32_t c = region->child; c >= 0; c = r->region[c].sibling)
        add(to, c, positions_below(source, sources, r->region[c].low),
            positions_below(source, sources, r->region[c].high), lanes);
    add(to, OF_CLASSES, 0, classes, lanes);
    return STATUS_OK;
}

void strip_rows(const struct strips *strips, const struct row_strip *strip, int32_t *row) {
    for (int32_t lane = 0; lane < strip->count; lane++) {
        const int32_t number = strip->first + lane;
        row[lane] = strip->child == OF_CLASSES ? strips->sources + number
                    : strip->child == OF_OWN   ? strips->own[number] - strips->first
                                               : number - strips->first;
    }
}

void strips_free(struct strips *strips) {
    memory_free(strips->strip);
    memory_free(strips->own);
    *strips = (struct strips){.count = 0};
}
