#include "common/range.h"

#include "common/memory.h" // memory_alloc
#include "common/simd.h"   // SIMD_CLONES

#include <stdlib.h>
#include <string.h>

bool range_is_safe(const struct graph *g) {
    /* At most n - 1 edges, and the bound of the header; the cheaper first. */
    if ((int64_t)g->max_weight * (g->n - 1) < INF)
        return true;
    int32_t *heaviest = calloc((size_t)g->n, sizeof *heaviest);
    if (heaviest == NULL)
        return false; /* not known to be safe: the check after solving decides */
    int64_t sum = 0;
    int32_t lightest = INT32_MAX;
    for (int64_t e = 0; e < g->m; e++) {
        if (g->weight[e] > heaviest[g->head[e]])
            heaviest[g->head[e]] = g->weight[e];
    }
    for (int32_t v = 0; v < g->n; v++) {
        sum += heaviest[v];
        if (heaviest[v] < lightest)
            lightest = heaviest[v];
    }
    free(heaviest);
    return sum - lightest < INF;
}

enum { SOURCES_PER_STRIP = 64 };

/* Bit s of finite[v]: D[first + s][v] is finite. */
static void collect_finite(const struct matrix *dist, int32_t first, uint64_t *finite) {
    memset(finite, 0, (size_t)dist->n * sizeof *finite);
    for (int s = 0; s < SOURCES_PER_STRIP && s < dist->n - first; s++) {
        const int32_t *row = matrix_row(dist, first + s);
        for (int32_t v = 0; v < dist->n; v++)
            finite[v] |= (uint64_t)(row[v] < INF) << s;
    }
}

/* The largest distance that is not INF. */
SIMD_CLONES
static int32_t largest_finite(const int32_t *row, int32_t n, int32_t largest) {
    for (int32_t j = 0; j < n; j++) {
        int32_t finite = row[j] < INF ? row[j] : 0;
        largest = finite > largest ? finite : largest;
    }
    return largest;
}

enum status range_check(const struct graph *g, const struct matrix *dist, struct error *err) {
    int32_t largest = 0;
    for (int32_t i = 0; i < g->n; i++)
        largest = largest_finite(matrix_row(dist, i), g->n, largest);
    if ((int64_t)largest + g->max_weight < INF)
        return STATUS_OK;

    void *scratch;
    enum status status =
        memory_alloc(&scratch, (size_t)g->n, sizeof(uint64_t), "the range check", err);
    if (status != STATUS_OK)
        return status;
    uint64_t *finite = scratch;
    for (int32_t first = 0; first < g->n && status == STATUS_OK; first += SOURCES_PER_STRIP) {
        collect_finite(dist, first, finite);
        for (int32_t u = 0; u < g->n && status == STATUS_OK; u++) {
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                uint64_t lost = finite[u] & ~finite[g->head[e]];
                if (lost != 0) {
                    int32_t i = first + __builtin_ctzll(lost);
                    status = fail(err, STATUS_BAD_INPUT,
                                  "the distance from %d to %d is out of range: %d or more", i,
                                  g->head[e], INF);
                    break;
                }
            }
        }
    }
    free(scratch);
    return status;
}
