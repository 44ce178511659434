// SPDX-License-Identifier: MIT
/* A sink for the rest of an answer, some rows of which an earlier run has finished. The engine
 * solves for the sources of the missing rows only; this sink hands these rows on under their
 * positions in the whole answer, so that the sinks behind it see no difference. */
#ifndef COMMON_ROWS_REST_SINK_H
#define COMMON_ROWS_REST_SINK_H

#include "common/graph/row_block.h" // struct row_sink
#include "common/rows/partial.h"    // struct partial

#include <stdbool.h>
#include <stdint.h>

struct rest_sink {
    struct row_sink sink; /* the first member */
    /* sources of the missing rows, partial->left vertices; count may be 0 */
    struct row_sources sources;
    struct row_sink *to;
    const struct partial *partial;
    struct row_sources all;
    int32_t *source; /* memory of `sources`, if that is not `all` */
    bool hands_kept_on;
};

/* Prepares the sink. `all` are the sources of the whole answer, whose kept rows `partial` has found
 * (partial_find_rows). If `hands_kept_on`, `to` gets the kept rows too, before the missing ones. If
 * no row is missing, the caller only calls rest.sink.begin. The caller frees with rest_sink_free,
 * also after a failure. */
enum status rest_sink_init(struct rest_sink *rest, const struct partial *partial,
                           const struct row_sources *all, struct row_sink *to, bool hands_kept_on,
                           struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void rest_sink_free(struct rest_sink *rest);

/* Returns how many bytes of memory the sink takes for an answer with that number of rows. */
uint64_t rest_sink_memory(enum number_type type, int32_t n, int32_t rows, bool with_pred,
                          bool hands_kept_on, int threads);

#endif
