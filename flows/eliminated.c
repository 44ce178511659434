// SPDX-License-Identifier: MIT
#include "common/base/memory.h" // memory_alloc
#include "elimination/whole.h"  // whole_eliminate
#include "flows/counted.h"

#include <math.h>

/* Converts lengths to float64 in `memory`; infinite: no path. */
static double *take(const path_length *length, void *memory, int64_t entries) {
    double *const to = memory;
    for (int64_t e = 0; e < entries; e++)
        to[e] = length[e] < LENGTH_INF ? (double)length[e] : (double)INFINITY;
    return to;
}

enum status counted_eliminate(const struct graph *g, const struct whole_options *options,
                              struct progress *progress, struct counted *c, bool *pays,
                              struct error *err) {
    static const char what[] = "numbers of paths";
    struct whole whole;
    struct dissection *const d = &whole.dissection;
    void *memory;
    enum status status;
    *c = (struct counted){.up = NULL};
    TRY(whole_eliminate(g, options, progress, &whole, pays, err));
    if (!*pays)
        goto cleanup;
    const int64_t entries = d->structure.first[d->tree.n];
    TRY(memory_alloc(&memory, (size_t)entries, sizeof(double), what, err));
    c->up = take(d->lengths.up, memory, entries);
    TRY(memory_alloc(&memory, (size_t)entries, sizeof(double), what, err));
    c->down = take(d->lengths.down, memory, entries);
    TRY(tree_copy(&d->tree, d->threads, &c->tree, err));
    c->structure = d->structure;
    d->structure = (struct structure){.first = NULL};

cleanup:
    whole_free(&whole);
    if (status != STATUS_OK)
        counted_free(c);
    return status;
}
