// SPDX-License-Identifier: MIT
#include "tests/unit/measured.h"

#include "common/graph/limit.h" // NO_LIMIT
#include "tests/unit/support.h"

#include <string.h>

static bool same_vertices(const struct vertex_totals *a, const struct vertex_totals *b,
                          int32_t count, unsigned parts) {
    bool same = (a == NULL) == (b == NULL);
    for (int32_t k = 0; k < count && a != NULL && b != NULL; k++)
        same = same && a[k].sum == b[k].sum && a[k].reached == b[k].reached &&
               a[k].eccentricity == b[k].eccentricity &&
               ((parts & MEASURES_HARMONIC) == 0 || a[k].reciprocals == b[k].reciprocals);
    return same;
}

static bool same_histogram(const struct pair_measures *a, const struct pair_measures *b) {
    return a->histogram.width == b->histogram.width && a->histogram.first == b->histogram.first &&
           a->histogram.bins == b->histogram.bins &&
           memcmp(a->histogram.count, b->histogram.count,
                  (size_t)a->histogram.bins * sizeof *a->histogram.count) == 0;
}

static bool same_pairs(const struct pair_measures *a, const struct pair_measures *b) {
    return a->pairs == b->pairs && a->without_path == b->without_path && a->sum == b->sum &&
           a->largest == b->largest && a->from == b->from && a->to == b->to;
}

bool measured_as_rows(const struct measures *m, const struct graph *g,
                      const struct row_sources *sources) {
    return measured_as_rows_within(m, g, sources, NO_LIMIT);
}

bool measured_as_rows_within(const struct measures *m, const struct graph *g,
                             const struct row_sources *sources, double limit) {
    struct measures by_rows;
    struct matrix dist, pred, wanted = new_matrix(g->n);
    struct error err;
    solve_reference(g, &dist, &pred);
    for (int32_t p = 0; p < sources->count; p++)
        memcpy(matrix_row(&wanted, p), matrix_row(&dist, row_source(sources, p)),
               (size_t)g->n * sizeof(int32_t));
    for (int32_t p = 0; p < sources->count; p++) {
        for (int32_t v = 0; v < g->n; v++) {
            int32_t *const cell = &matrix_row(&wanted, p)[v];
            *cell = *cell > limit ? INF : *cell;
        }
    }
    measures_init(&by_rows, g, 1);
    CU_ASSERT_EQUAL(row_sink_take_matrices(&by_rows.sink, sources, &wanted, NULL, 1, &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL(measures_finish(&by_rows, &err), STATUS_OK);
    const bool same =
        same_vertices(m->out, by_rows.out, sources->count, m->parts) &&
        same_vertices(m->in, by_rows.in, g->n, m->parts) && same_pairs(&m->pairs, &by_rows.pairs) &&
        ((m->parts & MEASURES_HISTOGRAM) == 0 || same_histogram(&m->pairs, &by_rows.pairs));
    matrix_free(&wanted);
    matrix_free(&dist);
    matrix_free(&pred);
    measures_free(&by_rows);
    return same;
}
