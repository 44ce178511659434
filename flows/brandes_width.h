// SPDX-License-Identifier: MIT
/* betweenness.c includes this once for each type of distances, so it has no guard. DISTANCE is the
 * type of distances and weights, WEIGHTS the graph's member that has these, ORDER(...) the search
 * that finds distances and the order of vertices by them, and WIDTH(name) the name with a suffix
 * for the type. */

/* Puts vertices at equal distances into the order of edges of weight 0. */
static void WIDTH(sort_equal)(const struct searching *s, const DISTANCE *dist, int32_t *order,
                              int32_t count) {
    for (int32_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && dist[order[end]] == dist[order[first]])
            end++;
        for (int32_t k = first + 1; k < end; k++) { /* most runs are short */
            const int32_t v = order[k];
            int32_t at = k;
            for (; at > first && s->rank[order[at - 1]] > s->rank[v]; at--)
                order[at] = order[at - 1];
            order[at] = v;
        }
    }
}

/* Counts the shortest paths from order[0] to each vertex that it reaches. */
static bool WIDTH(count_paths)(const struct graph *g, const DISTANCE *dist, const int32_t *order,
                               int32_t count, double *paths) {
    double most = 1;
    for (int32_t k = 0; k < count; k++)
        paths[order[k]] = k == 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t u = order[k];
        const double own = paths[u];
        most = own > most ? own : most;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (dist[u] + g->WEIGHTS[e] == dist[v])
                paths[v] += own;
        }
    }
    return most <= DBL_MAX;
}

/* The same for numbers that float64 cannot hold: paths[v] * 2^exponent[v]. */
static void WIDTH(count_many)(const struct graph *g, const DISTANCE *dist, const int32_t *order,
                              int32_t count, double *paths, int32_t *exponent) {
    for (int32_t k = 0; k < count; k++) {
        paths[order[k]] = k == 0;
        exponent[order[k]] = 0;
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t u = order[k];
        int shift;
        paths[u] = frexp(paths[u], &shift);
        exponent[u] += shift;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (dist[u] + g->WEIGHTS[e] != dist[v])
                continue;
            if (paths[v] == 0 || exponent[u] > exponent[v]) {
                paths[v] = paths[v] == 0 ? 0 : ldexp(paths[v], exponent[v] - exponent[u]);
                exponent[v] = exponent[u];
            }
            paths[v] += ldexp(paths[u], exponent[u] - exponent[v]);
        }
    }
}

/* Adds the dependencies of one source, from the farthest vertex on (Brandes 2001). */
static void WIDTH(add_source)(const struct searching *s, struct searcher *w, int32_t source) {
    const struct graph *const g = s->graph;
    const double *const to_mass = s->to_mass;
    const double mass = s->from_mass == NULL ? 1 : s->from_mass[source];
    DISTANCE *const dist = w->dist;
    double *const share = w->share, *const paths = w->paths;
    if (mass == 0)
        return;
    const int32_t count = ORDER(w, g, source, dist);
    if (s->rank != NULL)
        WIDTH(sort_equal)(s, dist, w->order, count);
    const bool is_many = !WIDTH(count_paths)(g, dist, w->order, count, paths);
    if (is_many)
        WIDTH(count_many)(g, dist, w->order, count, paths, w->exponent);
    for (int32_t k = count - 1; k >= 0; k--) {
        const int32_t u = w->order[k];
        double sum = 0;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (dist[u] + g->WEIGHTS[e] != dist[v] || v == source)
                continue;
            const double part = is_many
                                    ? ldexp(paths[u] / paths[v], w->exponent[u] - w->exponent[v])
                                    : paths[u] / paths[v];
            const double own = part * ((to_mass == NULL ? 1 : to_mass[v]) + share[v]);
            sum += own;
            if (w->edge != NULL)
                w->edge[e] += mass * own;
        }
        share[u] = sum;
        const double ends = u == source ? 0 : to_mass == NULL ? 1 : to_mass[u];
        if (s->endpoints || u != source)
            w->vertex[u] += mass * (s->endpoints ? sum + ends : sum);
    }
}
