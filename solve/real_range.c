// SPDX-License-Identifier: MIT
#include "solve/real_range.h"

#include <float.h>
#include <math.h>

bool real_range_is_safe(const struct graph *g) {
    const double largest = g->type == NUMBER_FLOAT32 ? (double)FLT_MAX : DBL_MAX;
    const double heaviest = fmax(fabs(g->min_weight), fabs(g->max_weight));
    return heaviest < largest / 2 / g->n;
}

static enum status check_row(const struct graph *g, int32_t source, const void *row,
                             struct error *err) {
    for (int32_t u = 0; u < g->n; u++) {
        if (isinf(number_at(g->type, row, u)))
            continue;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            if (isinf(number_at(g->type, row, g->head[e])))
                return fail(err, STATUS_BAD_INPUT,
                            "the distance from %s to %s does not fit in a %s%s",
                            graph_name(g, source).text, graph_name(g, g->head[e]).text,
                            number_name(g->type), graph_numbering(g));
        }
    }
    return STATUS_OK;
}

enum status real_range_check(const struct graph *g, const struct row_block *block,
                             int32_t *position, struct error *err) {
    for (int32_t r = 0; r < block->count; r++) {
        *position = block->position[r];
        RETURN_ON_FAILURE(check_row(g, block->source[r], block->cells[r], err));
    }
    return STATUS_OK;
}

void real_range_cut_off(const struct row_block *block, double limit) {
    for (int32_t r = 0; r < block->count; r++) {
        for (int32_t v = 0; v < block->n; v++) {
            if (number_at(block->type, block->cells[r], v) <= limit)
                continue;
            if (block->type == NUMBER_FLOAT32)
                block->dist_f32[r][v] = INFINITY;
            else
                block->dist_f64[r][v] = INFINITY;
            if (block->pred != NULL)
                block->pred[r][v] = -1;
        }
    }
}
