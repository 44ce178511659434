// SPDX-License-Identifier: MIT
#include "common/graph/weight_unit.h"

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int64_t weight_unit(const struct graph *g, int32_t steps) {
    const double spacing = g->type == NUMBER_INT32 ? 1 : g->spacing;
    if (g->m == 0)
        return 1;
    if (spacing <= 0 || g->min_weight < spacing || g->max_weight > g->min_weight * steps)
        return 0;
    const int64_t longest = (int64_t)(g->max_weight / spacing);
    int64_t unit = longest, last = longest;
    for (int64_t e = 0; e < g->m && unit > 1 && longest / unit <= steps; e++) {
        const int64_t weight = (int64_t)(graph_weight(g, e) / spacing);
        if (weight != last)
            unit = common_divisor(unit, weight);
        last = weight;
    }
    return longest / unit <= steps ? unit : 0;
}
