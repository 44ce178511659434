// SPDX-License-Identifier: MIT
#include "accessibility/exact.h"

#include "solve/by_spacings.h"    // spacings_graph_make
#include "solve/distance_bound.h" // distance_bound_is_below
#include "solve/grid.h"           // grid_find, grid_fits_int32

static enum status check(const char *what, const struct graph *g, struct error *err) {
    if (g->m > 0 && g->min_weight < 0)
        return fail(err, STATUS_BAD_INPUT, "%s: expected weights of 0 or more, found %.17g", what,
                    g->min_weight);
    if (g->type != NUMBER_INT32 && g->m > 0 && g->spacing == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected weights on a grid, on which distances are exact, found %s ones "
                    "as they are",
                    what, number_name(g->type));
    return g->zones > 0
               ? fail(err, STATUS_BAD_INPUT,
                      "%s: expected paths through all vertices, found a network with zones; "
                      "--through-zones lets paths lead through these",
                      what)
               : STATUS_OK;
}

/* Widens a graph of int32. */
static enum status widen(const char *what, const struct graph *g, struct exact *x,
                         struct error *err) {
    const bool fits = distance_bound_is_below(g, INF);
    RETURN_ON_FAILURE(graph_widen(g, &x->own_wide, err));
    x->wide = &x->own_wide;
    x->narrow = g;
    if (fits)
        return STATUS_OK;
    RETURN_ON_FAILURE(grid_find(&x->own_wide, NULL, err));
    if (x->own_wide.spacing == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected distances below 2^52, up to which float64 has all integers, "
                    "found weights that may lead beyond",
                    what);
    if (x->own_wide.farthest >= INF) {
        x->narrow = x->wide;
        x->unit = x->own_wide.spacing;
    }
    return STATUS_OK;
}

enum status exact_open(const char *what, const struct graph *g, struct exact *x,
                       struct error *err) {
    *x = (struct exact){.wide = g, .unit = 1};
    RETURN_ON_FAILURE(check(what, g, err));
    if (g->type == NUMBER_INT32)
        return widen(what, g, x, err);
    if (g->m == 0)
        return STATUS_OK;
    x->unit = g->spacing;
    x->narrow = g;
    if (!grid_fits_int32(g))
        return STATUS_OK;
    x->narrow = &x->own_narrow;
    return spacings_graph_make(g, &x->own_narrow, err);
}

void exact_close(struct exact *x) {
    graph_free(&x->own_wide);
    graph_free(&x->own_narrow);
    *x = (struct exact){.wide = NULL};
}
