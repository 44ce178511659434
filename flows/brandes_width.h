// SPDX-License-Identifier: MIT
/* betweenness.c includes this once for each type of distances, so it has no guard. DISTANCE is the
 * type of distances and weights, WEIGHTS the graph's member that has these, ORDER(...) the search
 * that finds distances and the order of vertices by them, NO_PATH the distance of a vertex that is
 * not reached, and WIDTH(name) the name with a suffix for the type. */

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
static void WIDTH(add_source)(const struct searching *s, struct searcher *w, const struct task *t) {
    const struct graph *const g = s->graph;
    DISTANCE *const dist = w->dist;
    double *const share = w->share, *const paths = w->paths;
    const int32_t count = ORDER(w, g, t->source, dist);
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
            if (dist[u] + g->WEIGHTS[e] != dist[v] || v == t->source)
                continue;
            const double part = is_many
                                    ? ldexp(paths[u] / paths[v], w->exponent[u] - w->exponent[v])
                                    : paths[u] / paths[v];
            const double own = part * (mass_to(t, v) + share[v]);
            sum += own;
            if (w->edge != NULL)
                w->edge[e] += t->mass * own;
        }
        share[u] = sum;
        if (s->endpoints || u != t->source)
            w->vertex[u] += t->mass * (s->endpoints ? sum + mass_to(t, u) : sum);
    }
}

/* Adds up where the trips of an origin go, after the search from it. */
static void WIDTH(add_totals)(const struct searching *s, struct searcher *w, const struct task *t,
                              int32_t origin) {
    const DISTANCE *const dist = w->dist;
    const struct trips *const trips = s->trips;
    struct trip_totals *const sum = &w->totals;
    for (int64_t k = trips->first[origin]; k < trips->first[origin + 1]; k++) {
        const int32_t v = trips->to[k];
        const double count = trips->count[k];
        if (v == t->self) {
            sum->stay += count;
        } else if (dist[v] < NO_PATH) {
            sum->arrive += count;
            sum->length += count * ((double)dist[v] * s->unit);
        } else {
            sum->lost += count;
            if (sum->lost_pairs++ == 0) {
                sum->lost_from = t->self;
                sum->lost_to = v;
            }
        }
    }
}
