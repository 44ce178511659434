// SPDX-License-Identifier: MIT
#include "common/graph/limit.h"

#include <stdio.h>

enum status limit_check(const struct graph *g, int32_t limit, struct error *err) {
    if (limit == NO_LIMIT || g->min_weight >= 0)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "a limit of %d on distances: expected weights of 0 or more, found %.15g", limit,
                g->min_weight);
}

const char *limit_text(int32_t limit, char text[LIMIT_TEXT]) {
    text[0] = '\0';
    if (limit < NO_LIMIT)
        snprintf(text, LIMIT_TEXT, " up to the limit of %d", limit);
    return text;
}
