// SPDX-License-Identifier: MIT
#include "solve/decimals.h"

#include "solve/grid.h" // grid_find

#include <math.h>

enum { MOST_DIGITS = 9 };

/* Returns whether every weight is the number of the graph's type that is nearest to an integer
 * divided by `power`. */
static bool are_integers_over(const struct graph *g, double power) {
    for (int64_t e = 0; e < g->m; e++) {
        const double weight = g->real_weight[e], times = rint(weight * power), back = times / power;
        if (!(fabs(times) < 0x1p53) || (g->type == NUMBER_FLOAT32 ? (float)back : back) != weight)
            return false;
    }
    return true;
}

enum status decimals_graph(const struct graph *g, struct graph *integers, double *power,
                           const struct progress *progress, struct error *err) {
    double found = 1;
    enum status status;
    *power = 1;
    *integers = (struct graph){.n = 0};
    if (g->type == NUMBER_INT32 || g->m == 0 || g->spacing > 0)
        return STATUS_OK;
    for (int digits = 0; digits < MOST_DIGITS && !are_integers_over(g, found); digits++)
        found *= 10;
    if (found == 1 || !are_integers_over(g, found))
        return STATUS_OK;
    TRY(graph_widen(g, integers, err));
    for (int64_t e = 0; e < g->m; e++)
        integers->real_weight[e] = rint(g->real_weight[e] * found);
    integers->min_weight = rint(g->min_weight * found);
    integers->max_weight = rint(g->max_weight * found);
    TRY(grid_find(integers, progress, err));
    if (integers->spacing > 0)
        *power = found;
cleanup:
    if (*power == 1)
        graph_free(integers);
    return status;
}
