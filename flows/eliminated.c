// SPDX-License-Identifier: MIT
#include "common/base/memory.h"     // memory_alloc
#include "elimination/dissection.h" // dissection_prepare
#include "flows/counted.h"

#include <math.h>

/* Converts lengths to float64 in `memory`, infinite if there is no path. */
static double *take(const path_length *length, void *memory, int64_t entries) {
    double *const to = memory;
    for (int64_t e = 0; e < entries; e++)
        to[e] = length[e] < LENGTH_INF ? (double)length[e] : (double)INFINITY;
    return to;
}

/* Returns whether a sweep for each source would take less than the other algorithm even if
 * separators were as wide as the levels of a search. Classes of rows take less than sweeps. */
static bool may_pay(const struct look *look, int32_t n, const struct counted_options *o) {
    const double each = 20, separator = 8; /* entries of a vertex, and of a separator squared */
    const double width = look->found.width;
    const double entries = each * n + separator * width * width;
    return width > 0 && 1e-9 * core_costs.sweep * entries * o->sources / o->threads < o->other_s;
}

/* Looks for an order of all vertices. The first look may be content with a core; the second one is
 * not, and is taken where that may pay. */
static enum status look_for_order(const struct graph *g, const struct counted_options *o,
                                  struct look *look, struct error *err) {
    struct look_limits limits = {
        .other_s = o->other_s, .slowness = 1.0 / o->threads, .threads = o->threads};
    struct core_costs costs = core_costs;
    costs.rows = isinf(o->other_s) ? 0 : o->sources; /* 0: as if all were wanted */
    RETURN_ON_FAILURE(look_at(g, &costs, &limits, look, err));
    if (look_is_whole(look) || !may_pay(look, g->n, o))
        return STATUS_OK;
    look_free(look);
    limits.other_s = HUGE_VAL;
    return look_at(g, &costs, &limits, look, err);
}

/* Eliminates all vertices in the order of a look. */
static enum status eliminate_all(const struct graph *g, const struct look *look,
                                 const struct counted_options *o, struct progress *progress,
                                 struct dissection *d, bool *pays, struct error *err) {
    struct core_costs costs = core_costs;
    costs.core = 0;
    const struct dissection_options options = {.threads = o->threads,
                                               .isa = o->isa,
                                               .costs = &costs,
                                               .look = look,
                                               .other_costs = true,
                                               .most = -1};
    RETURN_ON_FAILURE(dissection_prepare(d, g, &options, progress, err));
    *pays = d->pays && d->core.n == 0 && d->tree.fringe == d->tree.n;
    return progress_goes_on(progress) ? STATUS_OK : progress_cancelled(err);
}

enum status counted_eliminate(const struct graph *g, const struct counted_options *options,
                              struct progress *progress, struct counted *c, bool *pays,
                              struct error *err) {
    static const char what[] = "numbers of paths";
    struct look look = {.pays = false};
    struct dissection d = {.pays = false};
    void *memory;
    enum status status;
    *c = (struct counted){.up = NULL};
    *pays = false;
    TRY(look_for_order(g, options, &look, err));
    if (!look.pays || !look_is_whole(&look))
        goto cleanup;
    TRY(eliminate_all(g, &look, options, progress, &d, pays, err));
    if (!*pays)
        goto cleanup;
    const int64_t entries = d.structure.first[d.tree.n];
    TRY(memory_alloc(&memory, (size_t)entries, sizeof(double), what, err));
    c->up = take(d.lengths.up, memory, entries);
    TRY(memory_alloc(&memory, (size_t)entries, sizeof(double), what, err));
    c->down = take(d.lengths.down, memory, entries);
    TRY(tree_copy(&d.tree, &c->tree, err));
    c->structure = d.structure;
    d.structure = (struct structure){.first = NULL};

cleanup:
    dissection_free(&d);
    look_free(&look);
    if (status != STATUS_OK)
        counted_free(c);
    return status;
}
