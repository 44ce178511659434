// SPDX-License-Identifier: MIT
#include "certificate/along_check.h"

#include <math.h>
#include <string.h>

struct row {
    const struct graph *g;
    const struct edge_columns *columns;
    int32_t source;
    const double *dist, *sum;
};

static double sum_of(const struct row *r, int column, int32_t v) {
    return r->sum[(size_t)column * (size_t)r->g->n + (size_t)v];
}

/* Returns whether the first column has a sum for v, as all must have then. */
static bool has_sums(const struct row *r, int32_t v) {
    return isfinite(sum_of(r, 0, v)) != 0;
}

static enum status refute(const struct row *r, int column, int32_t v, const char *why,
                          struct error *err) {
    return fail(err, STATUS_REFUTED, "check of column '%s' along the path from %s to %s: %s%s",
                r->columns->name[column], graph_name(r->g, r->source).text,
                graph_name(r->g, v).text, why, graph_numbering(r->g));
}

static enum status check_ends(const struct row *r, const int32_t *to, int64_t count,
                              struct error *err) {
    for (int c = 0; c < r->columns->count; c++) {
        if (sum_of(r, c, r->source) != 0)
            return refute(r, c, r->source, "the sum is not 0", err);
        for (int32_t v = 0; v < r->g->n; v++) {
            const bool has_sum = isfinite(sum_of(r, c, v)) != 0;
            if (isnan(sum_of(r, c, v)) || has_sum != has_sums(r, v))
                return refute(r, c, v, "one column has a sum, and another has none", err);
        }
        for (int64_t k = 0; k < (to != NULL ? count : r->g->n); k++) {
            const int32_t v = to != NULL ? to[k] : (int32_t)k;
            if (isfinite(r->dist[v]) && !isfinite(sum_of(r, c, v)))
                return refute(r, c, v, "there is a path without a sum", err);
        }
    }
    return STATUS_OK;
}

static bool is_tight(const struct row *r, int32_t u, int64_t e) {
    const int32_t v = r->g->head[e];
    const bool passes_zone =
        (u < r->g->zones && u != r->source) || (v == r->source && v < r->g->zones);
    if (isinf(r->dist[u]) || isinf(r->dist[v]) || passes_zone)
        return false;
    return number_rounded(r->g->type, r->dist[u] + graph_weight(r->g, e)) == r->dist[v];
}

/* The first column in which the sums over edge e from u are other than those of its head, or the
 * number of columns; *less: they are less there. */
static int compare(const struct row *r, int32_t u, int64_t e, bool *less) {
    int c = 0;
    for (; c < r->columns->count; c++) {
        const double over = sum_of(r, c, u) + edge_columns_at(r->columns, c, e);
        const double own = sum_of(r, c, r->g->head[e]);
        *less = over < own;
        if (over != own)
            break;
    }
    return c;
}

static enum status check_bounds(const struct row *r, struct error *err) {
    for (int32_t u = 0; u < r->g->n; u++) {
        for (int64_t e = r->g->first[u]; e < r->g->first[u + 1]; e++) {
            bool less = false;
            if (!has_sums(r, r->g->head[e]) || !is_tight(r, u, e))
                continue;
            if (!has_sums(r, u))
                return refute(r, 0, r->g->head[e], "a shortest path has no sums", err);
            const int c = compare(r, u, e, &less);
            if (c < r->columns->count && less)
                return refute(r, c, r->g->head[e], "another shortest path has a smaller sum", err);
        }
    }
    return STATUS_OK;
}

static enum status check_paths(const struct row *r, int32_t *order, uint8_t *seen,
                               struct error *err) {
    int32_t count = 0;
    memset(seen, 0, (size_t)r->g->n);
    order[count++] = r->source;
    seen[r->source] = 1;
    for (int32_t k = 0; k < count; k++) {
        const int32_t u = order[k];
        for (int64_t e = r->g->first[u]; e < r->g->first[u + 1]; e++) {
            const int32_t v = r->g->head[e];
            bool less = false;
            if (seen[v] || !is_tight(r, u, e) || compare(r, u, e, &less) < r->columns->count)
                continue;
            seen[v] = 1;
            order[count++] = v;
        }
    }
    for (int32_t v = 0; v < r->g->n; v++) {
        if (has_sums(r, v) && !seen[v])
            return refute(r, 0, v, "no shortest path has these sums", err);
    }
    return STATUS_OK;
}

enum status along_check(const struct graph *g, const struct edge_columns *columns, int32_t source,
                        const double *dist, const double *sum, const int32_t *to, int64_t count,
                        int32_t *order, uint8_t *seen, struct error *err) {
    const struct row r = {g, columns, source, dist, sum};
    RETURN_ON_FAILURE(check_ends(&r, to, count, err));
    RETURN_ON_FAILURE(check_bounds(&r, err));
    return check_paths(&r, order, seen, err);
}
