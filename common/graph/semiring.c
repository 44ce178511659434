// SPDX-License-Identifier: MIT
#include "common/graph/semiring.h"

#include "common/base/number_text.h" // number_text
#include "common/graph/graph.h"      // struct graph

#include <math.h>
#include <string.h>

static const char *const names[SEMIRINGS] = {
    [SEMIRING_MIN_PLUS] = "min-plus",
    [SEMIRING_MIN_MAX] = "min-max",
    [SEMIRING_MAX_MIN] = "max-min",
    [SEMIRING_MAX_PRODUCT] = "max-product",
};

const char *semiring_name(enum semiring semiring) {
    return names[semiring];
}

const char *semiring_phrase(enum semiring semiring) {
    static const char *const phrases[SEMIRINGS] = {
        [SEMIRING_MIN_PLUS] = "",
        [SEMIRING_MIN_MAX] = " in min-max",
        [SEMIRING_MAX_MIN] = " in max-min",
        [SEMIRING_MAX_PRODUCT] = " in max-product",
    };
    return phrases[semiring];
}

enum semiring semiring_find(const char *name) {
    for (int s = 0; s < SEMIRINGS; s++) {
        if (strcmp(names[s], name) == 0)
            return (enum semiring)s;
    }
    return SEMIRINGS;
}

static double infinite(enum number_type type) {
    return type == NUMBER_INT32 ? INF : (double)INFINITY;
}

double semiring_to_itself(enum semiring semiring, enum number_type type) {
    switch (semiring) {
    case SEMIRING_MIN_MAX:
        return -infinite(type);
    case SEMIRING_MAX_MIN:
        return infinite(type);
    case SEMIRING_MAX_PRODUCT:
        return 1;
    default:
        return 0;
    }
}

double semiring_no_path(enum semiring semiring, enum number_type type) {
    return semiring == SEMIRING_MAX_MIN       ? -infinite(type)
           : semiring == SEMIRING_MAX_PRODUCT ? 0
                                              : infinite(type);
}

static enum status refuse_weight(const struct graph *g, const char *expected, double found,
                                 struct error *err) {
    char text[NUMBER_TEXT_MAX];
    return fail(err, STATUS_BAD_INPUT, "%s: expected %s, found %s", semiring_name(g->semiring),
                expected, number_text(g->type, found, text));
}

enum status semiring_check_graph(const struct graph *g, struct error *err) {
    const bool is_product = g->semiring == SEMIRING_MAX_PRODUCT;
    const double least = g->min_weight, greatest = g->max_weight;
    if (g->semiring == SEMIRING_MIN_PLUS)
        return STATUS_OK;
    if (g->zones > 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a graph without zones, found %d (--through-zones lets paths lead "
                    "through them)",
                    semiring_name(g->semiring), g->zones);
    if (is_product && g->type == NUMBER_INT32)
        return fail(err, STATUS_BAD_INPUT, "%s: expected float32 or float64 weights, found int32",
                    semiring_name(g->semiring));
    if (is_product && !(least >= 0 && greatest <= 1))
        return refuse_weight(g, "weights in 0 .. 1", least < 0 ? least : greatest, err);
    if (g->type == NUMBER_INT32 && (least <= -INF || greatest >= INF))
        return refuse_weight(g,
                             "int32 weights between -1073741823 and 1073741823 (--type float64 "
                             "takes others)",
                             least <= -INF ? least : greatest, err);
    return STATUS_OK;
}
