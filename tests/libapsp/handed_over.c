// SPDX-License-Identifier: MIT
#include "tests/libapsp/handed_over.h"

#include "tests/unit/support.h"

#include <stdlib.h>

apsp_graph *handed_over(const struct graph *g) {
    apsp_graph *made;
    int32_t *tails = malloc(((size_t)g->m + 1) * sizeof *tails);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tails);
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            tails[e] = u;
    }
    CU_ASSERT_EQUAL_FATAL(
        apsp_graph_from_edges(&made, g->n, g->m, tails, g->head, g->weight, NULL, NULL), APSP_OK);
    free(tails);
    CU_ASSERT_EQUAL(apsp_graph_checksum(made), graph_checksum(g));
    return made;
}
