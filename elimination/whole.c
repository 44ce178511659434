// SPDX-License-Identifier: MIT
#include "elimination/whole.h"

#include <math.h>

/* Returns whether a sweep for each source would take less than the other algorithm even if
 * separators were as wide as the levels of a search. That is a high estimate, because classes of
 * rows take less time than sweeps. */
static bool may_pay(const struct look *look, int32_t n, const struct whole_options *o) {
    const double each = 20, separator = 8; /* entries for each vertex, and for each separator vertex
                                              squared */
    const double width = look->found.width;
    const double entries = each * n + separator * width * width;
    return width > 0 && 1e-9 * core_costs.sweep * entries * o->sources / o->threads < o->other_s;
}

/* Returns the costs of `rows` sources, 0: all, without a core. With counts of paths an elimination
 * takes longer, and a search takes less time for a vertex than that of a dense core does. */
static struct core_costs costs_without_core(int32_t rows) {
    struct core_costs costs = core_costs;
    costs.core = 0;
    costs.rows = rows;
    costs.elimination = 2;
    costs.pair = 18;
    return costs;
}

/* Looks for an order of all vertices. The first look may end without one. Where a whole order may
 * pay, a second look finds it. */
static enum status look_for_order(const struct graph *g, const struct whole_options *o,
                                  struct look *look, struct error *err) {
    struct look_limits limits = {
        .other_s = o->other_s, .slowness = 1.0 / o->threads, .threads = o->threads};
    const struct core_costs costs = costs_without_core(isinf(o->other_s) ? 0 : o->sources);
    RETURN_ON_FAILURE(look_at(g, &costs, &limits, look, err));
    if (look_is_whole(look) || !may_pay(look, g->n, o))
        return STATUS_OK;
    look_free(look);
    limits.other_s = HUGE_VAL;
    return look_at(g, &costs, &limits, look, err);
}

enum status whole_eliminate(const struct graph *g, const struct whole_options *options,
                            struct progress *progress, struct whole *w, bool *pays,
                            struct error *err) {
    const struct core_costs costs = costs_without_core(0);
    *w = (struct whole){.look = {.pays = false}};
    *pays = false;
    RETURN_ON_FAILURE(look_for_order(g, options, &w->look, err));
    if (!w->look.pays || !look_is_whole(&w->look))
        return STATUS_OK;
    const struct dissection_options how = {.threads = options->threads,
                                           .isa = options->isa,
                                           .costs = &costs,
                                           .look = &w->look,
                                           .other_costs = true,
                                           .most = -1};
    struct dissection *const d = &w->dissection;
    RETURN_ON_FAILURE(dissection_prepare(d, g, &how, progress, err));
    *pays = d->pays && d->core.n == 0 && d->tree.fringe == d->tree.n;
    return progress_goes_on(progress) ? STATUS_OK : progress_cancelled(err);
}

void whole_free(struct whole *w) {
    dissection_free(&w->dissection);
    look_free(&w->look);
}
