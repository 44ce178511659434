// SPDX-License-Identifier: MIT
#include "accessibility/exact.h"

static enum status check(const char *what, const struct graph *g, struct error *err) {
    RETURN_ON_FAILURE(narrowest_check(what, g, "distances and measures", "distances", err));
    return g->zones > 0
               ? fail(err, STATUS_BAD_INPUT,
                      "%s: expected paths through all vertices, found a network with zones; "
                      "--through-zones lets paths lead through these",
                      what)
               : STATUS_OK;
}

enum status exact_open(const char *what, const struct graph *g, struct exact *x,
                       struct error *err) {
    *x = (struct exact){.wide = g, .unit = 1};
    RETURN_ON_FAILURE(check(what, g, err));
    if (g->type != NUMBER_INT32 && g->m == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(narrowest_choose(what, g, &x->narrowest, err));
    x->narrow = x->narrowest.graph;
    x->unit = x->narrow->type == NUMBER_INT32 ? x->narrowest.unit : x->narrow->spacing;
    if (x->narrow->type != NUMBER_INT32)
        x->wide = x->narrow;
    else if (g->type == NUMBER_INT32) {
        x->wide = &x->own_wide;
        return graph_widen(g, &x->own_wide, err);
    }
    return STATUS_OK;
}

void exact_close(struct exact *x) {
    graph_free(&x->own_wide);
    narrowest_free(&x->narrowest);
    *x = (struct exact){.wide = NULL};
}
