// SPDX-License-Identifier: MIT
#include "common/graph/limit.h"

enum status limit_check(const struct graph *g, int32_t limit, struct error *err) {
    if (limit == NO_LIMIT || g->min_weight >= 0)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "a limit of %d on distances: expected weights of 0 or more, found %d", limit,
                g->min_weight);
}
