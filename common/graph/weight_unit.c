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

/* Returns a weight in spacings. */
static int64_t whole(const struct graph *g, double weight) {
    return (int64_t)(g->type == NUMBER_INT32 ? weight : weight / g->spacing);
}

int64_t weight_unit(const struct graph *g) {
    if (g->m == 0)
        return 1;
    if ((g->type != NUMBER_INT32 && g->spacing <= 0) || g->min_weight <= 0 ||
        g->max_weight > g->min_weight * WEIGHT_STEPS_MOST)
        return 0;
    const int64_t longest = whole(g, g->max_weight);
    int64_t unit = longest;
    double last = g->max_weight;
    if (g->min_weight == g->max_weight)
        return unit;
    for (int64_t e = 0; e < g->m && unit > 1 && longest / unit <= WEIGHT_STEPS_MOST; e++) {
        const double weight = graph_weight(g, e);
        if (weight != last)
            unit = common_divisor(unit, whole(g, weight));
        last = weight;
    }
    return longest / unit <= WEIGHT_STEPS_MOST ? unit : 0;
}

int32_t weight_steps(const struct graph *g) {
    const int64_t unit = weight_unit(g);
    return g->m == 0 || unit == 0 ? (int32_t)unit : (int32_t)(whole(g, g->max_weight) / unit);
}
