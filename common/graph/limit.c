// SPDX-License-Identifier: MIT
#include "common/graph/limit.h"

#include <float.h>
#include <stdio.h>

double limit_for(enum number_type type, double limit) {
    static const double largest[NUMBER_TYPES] = {
        [NUMBER_INT32] = INF - 1, [NUMBER_FLOAT32] = (double)FLT_MAX, [NUMBER_FLOAT64] = DBL_MAX};
    if (type == NUMBER_INT32)
        limit = floor(limit);
    return limit > largest[type] ? NO_LIMIT : fabs(limit); /* -0.0 becomes 0 */
}

double limit_beyond(enum number_type type, double limit) {
    const float near = (float)limit;
    if (type == NUMBER_FLOAT64)
        return nextafter(limit, INFINITY);
    return (double)((double)near > limit ? near : nextafterf(near, INFINITY));
}

enum status limit_check(const struct graph *g, double limit, struct error *err) {
    char text[NUMBER_TEXT_MAX];
    if (limit == NO_LIMIT || g->min_weight >= 0)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "a limit of %s on distances: expected weights of 0 or more, found %.15g",
                limit_digits(limit, text), g->min_weight);
}

const char *limit_text(double limit, char text[LIMIT_TEXT]) {
    char digits[NUMBER_TEXT_MAX];
    text[0] = '\0';
    if (limit < NO_LIMIT)
        snprintf(text, LIMIT_TEXT, " up to the limit of %s", limit_digits(limit, digits));
    return text;
}
