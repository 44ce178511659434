// SPDX-License-Identifier: MIT
#include "solve/narrowest.h"

#include "solve/by_spacings.h"    // spacings_graph_make
#include "solve/distance_bound.h" // distance_bound_is_below
#include "solve/grid.h"           // grid_find, grid_fits_int32

static enum status choose_of_integers(const char *what, const struct graph *g,
                                      struct narrowest *narrowest, struct error *err) {
    struct graph *const own = &narrowest->own;
    if (distance_bound_is_below(g, INF))
        return STATUS_OK;
    RETURN_ON_FAILURE(graph_widen(g, own, err));
    RETURN_ON_FAILURE(grid_find(own, NULL, err));
    if (own->spacing == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected distances below 2^52, up to which float64 has all integers, "
                    "found weights that may lead beyond",
                    what);
    if (own->farthest >= INF)
        narrowest->graph = own;
    return STATUS_OK;
}

enum status narrowest_check(const char *what, const struct graph *g, const char *others,
                            const char *exact, struct error *err) {
    if (g->m == 0)
        return STATUS_OK;
    if (g->min_weight < 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected weights of 0 or more, found %.17g (%s take such weights)", what,
                    g->min_weight, others);
    if (g->integral && g->spacing == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected integers with distances below 2^52, found weights up to %.0f "
                    "that may lead beyond (--type float64 rounds them)",
                    what, g->max_weight);
    return g->type == NUMBER_INT32 || g->spacing > 0
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT,
                      "%s: expected weights on a grid, on which %s are exact, found %s ones as "
                      "they are",
                      what, exact, number_name(g->type));
}

enum status narrowest_choose(const char *what, const struct graph *g, struct narrowest *narrowest,
                             struct error *err) {
    struct graph spaced = *g;
    *narrowest = (struct narrowest){.graph = g, .unit = 1};
    if (g->type == NUMBER_INT32)
        return choose_of_integers(what, g, narrowest, err);
    if (g->m > 0 && !grid_fits_int32(g))
        return STATUS_OK;
    spaced.spacing = narrowest->unit = g->m > 0 ? g->spacing : 1;
    narrowest->graph = &narrowest->own;
    return spacings_graph_make(&spaced, &narrowest->own, err);
}

void narrowest_free(struct narrowest *narrowest) {
    graph_free(&narrowest->own);
    *narrowest = (struct narrowest){.graph = NULL};
}
