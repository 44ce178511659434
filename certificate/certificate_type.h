// SPDX-License-Identifier: MIT
/* The checks of one strip (certificate.c), for one type of distances and one semiring.
 * each_semiring.h includes this file once for each type and semiring, so it has no guard, and
 * documents the macros of the semiring. The macros of the type are: CELL, the type of distances;
 * SUM, the type of sums; WEIGHT, the type of the graph's weights; WEIGHTS, the member of struct
 * graph with the weights; UNREACHED, the value for "no path" in strips that are not plain; NO_EDGE,
 * a value that no weight has; BEYOND, a value above all distances; HALF_EPSILON, the largest
 * relative error of a sum; IS_NEGATIVE_ZERO(d). */

/* Return the row in a lane, and the lanes of vertex v in the transposed rows. */
static const CELL *OF(row)(const struct certificate_prover *s, int lane) {
    return s->dist_row[lane];
}

static const CELL *OF(lanes)(const struct certificate_prover *s, int32_t v) {
    return (const CELL *)s->dist + (size_t)v * LANES;
}

/* Returns the number that stands for "no path" in the lanes. */
static CELL OF(no_path)(const struct certificate_prover *s) {
    return s->plain ? NO_PATH : UNREACHED;
}

/* Returns the least value that a distance may have. */
static CELL OF(least)(const struct certificate_prover *s) {
    (void)s;
    return LOWEST(s->g);
}

/* Returns the largest CELL that is not above the limit; HIGHEST if there is no limit. */
static CELL OF(most)(const struct certificate_prover *s) {
    const CELL limit = s->limit < NO_LIMIT ? (CELL)s->limit : HIGHEST;
    return limit < HIGHEST && (double)limit > s->limit ? BEFORE(limit) : limit;
}

static enum status OF(refute_entry)(struct certificate_prover *s, int lane, int32_t j) {
    const int32_t i = s->source[lane];
    const CELL d = OF(row)(s, lane)[j];
    if (!(d <= HIGHEST && d >= OF(least)(s)) || IS_NEGATIVE_ZERO(d))
        return refute(s, REFUTED_RANGE, lane, j, -1);
    if (d > OF(most)(s) && d < HIGHEST)
        return refute(s, REFUTED_BEYOND_LIMIT, lane, j, -1);
    if (i == j && d != TO_ITSELF)
        return refute(s, REFUTED_DIAGONAL_DISTANCE, lane, j, -1);
    const int32_t p = s->pred_row[lane][j];
    return refute(s,
                  p < -1 || p >= s->g->n ? REFUTED_PREDECESSOR_NO_VERTEX
                  : i == j               ? REFUTED_DIAGONAL_PREDECESSOR
                  : p == -1              ? REFUTED_PREDECESSOR_MISSING
                                         : REFUTED_PREDECESSOR_OF_UNREACHABLE,
                  lane, j, p);
}

static bool OF(entry_is_sound)(const struct certificate_prover *s, int lane, int32_t j) {
    const int32_t i = s->source[lane];
    const CELL d = OF(row)(s, lane)[j];
    if ((!(d <= OF(most)(s)) && d != NO_PATH) || d < OF(least)(s) || IS_NEGATIVE_ZERO(d) ||
        (i == j && d != TO_ITSELF))
        return false;
    if (s->pred_row == NULL)
        return true;
    const int32_t p = s->pred_row[lane][j];
    return p >= -1 && p < s->g->n && (p == -1) == (d == NO_PATH || i == j);
}

static enum status OF(check_entries)(struct certificate_prover *s) {
    for (int lane = 0; lane < s->count; lane++) {
        const int32_t *pred = s->pred_row != NULL ? s->pred_row[lane] : NULL;
        if (s->kernels->OF(of).row_is_sound(OF(row)(s, lane), pred, s->g->n, s->source[lane],
                                            OF(least)(s), OF(most)(s)))
            continue;
        for (int32_t j = 0; j < s->g->n; j++) {
            if (!OF(entry_is_sound)(s, lane, j))
                return OF(refute_entry)(s, lane, j);
        }
    }
    return STATUS_OK;
}

/* Transposes `count` rows of n entries; lanes from `count` on repeat the first row. */
static void OF(transpose)(const void *const *rows, int32_t n, int32_t count, CELL *lanes) {
    enum { BLOCK = 64 / sizeof(CELL) }; /* columns at a time: one cache line of every row */
    for (int32_t block = 0; block < n; block += BLOCK) {
        int32_t width = n - block < BLOCK ? n - block : BLOCK;
        for (int lane = 0; lane < LANES; lane++) {
            const CELL *row = (const CELL *)rows[lane < count ? lane : 0] + block;
            CELL *to = lanes + (size_t)block * LANES + lane;
            for (int32_t j = 0; j < width; j++)
                to[j * LANES] = row[j];
        }
    }
}

static enum status OF(refute_edge)(struct certificate_prover *s, int32_t v, int lane) {
    const CELL to = OF(lanes)(s, v)[lane], no_path = OF(no_path)(s);
    for (int64_t e = s->in->first[v]; e < s->in->first[v + 1]; e++) {
        const int32_t u = s->in->head[e];
        const WEIGHT w = s->in->WEIGHTS[e];
        const CELL from = OF(lanes)(s, u)[lane];
        const SUM through = JOIN(from, w);
        if (from == no_path || (s->limit < NO_LIMIT && through > OF(most)(s)))
            continue;
        if (to == no_path && (IS_MIN_PLUS || REFUTES(through, to)))
            return refute_by_edge(s, REFUTED_REACHABLE, lane, v, u, w);
        if (REFUTES(through, to))
            return refute_by_edge(s, REFUTED_TOO_LONG, lane, v, u, w);
    }
    return refute(s, REFUTED_TOO_LONG, lane, v,
                  v); /* cannot happen: some edge above has refuted v */
}

/* Checks (c) for the edges into v and, without predecessors, that an edge into v is tight. */
static enum status OF(check_edges_into)(struct certificate_prover *s, int32_t v) {
    const int64_t first = s->in->first[v];
    const struct edges_from edges = {
        s->in->head + first, {.WEIGHTS = s->in->WEIGHTS + first}, s->in->first[v + 1] - first};
    const CELL *to = OF(lanes)(s, v), no_path = OF(no_path)(s);
    struct lane_flags flags = {0};
    /* Sums over light edges are at most BEYOND. */
    const CELL most = s->limit < NO_LIMIT ? OF(most)(s) : BEYOND;
    if (s->plain || !IS_MIN_PLUS)
        s->kernels->OF(of).check_plain_edges(s->dist, &edges, to, most, &flags);
    else
        s->kernels->OF(of).check_light_edges(s->dist, &edges, to, most, &flags);
    if (s->has_heavy)
        check_heavy_edges(s, v, &flags);
    for (int lane = 0; lane < s->count; lane++) {
        if (flags.violated[lane])
            return OF(refute_edge)(s, v, lane);
    }
    for (int lane = 0; lane < s->count && s->pred == NULL; lane++) {
        if (!flags.tight[lane] && to[lane] != no_path && v != s->source[lane])
            return refute(s, REFUTED_NO_TIGHT_PATH, lane, v, -1);
    }
    return STATUS_OK;
}

/* Checks the predecessor of v in one lane, for check_predecessors_of. */
static enum status OF(check_predecessor)(struct certificate_prover *s, int32_t v, int lane) {
    const int32_t p = s->pred[(size_t)v * LANES + (size_t)lane];
    if (p < 0)
        return STATUS_OK;
    const CELL to = OF(lanes)(s, v)[lane], from = OF(lanes)(s, p)[lane];
    const WEIGHT weight = ((const WEIGHT *)s->weight_to)[p];
    if (p == v)
        return refute(s, REFUTED_PREDECESSOR_ITSELF, lane, v, p);
    if (weight == NO_EDGE)
        return refute(s, REFUTED_PREDECESSOR_NO_NEIGHBOUR, lane, v, p);
    if (from == OF(no_path)(s))
        return refute(s, REFUTED_PREDECESSOR_UNREACHABLE, lane, v, p);
    if (to != JOIN(from, weight))
        return refute_by_edge(s, REFUTED_PREDECESSOR_SUM, lane, v, p, weight);
    return STATUS_OK;
}

/* Checks (b) except its last clause: the last edge of every path to v exists and accounts for the
 * difference between the distances of v and of its predecessor. weight_to holds NO_EDGE before and
 * after the call. */
static enum status OF(check_predecessors_of)(struct certificate_prover *s, int32_t v) {
    enum status status = STATUS_OK;
    WEIGHT *const weight_to = s->weight_to;
    for (int64_t e = s->in->first[v]; e < s->in->first[v + 1]; e++)
        weight_to[s->in->head[e]] = s->in->WEIGHTS[e];
    for (int lane = 0; lane < s->count && status == STATUS_OK; lane++)
        status = OF(check_predecessor)(s, v, lane);
    for (int64_t e = s->in->first[v]; e < s->in->first[v + 1]; e++)
        weight_to[s->in->head[e]] = NO_EDGE;
    return status;
}

static void OF(forget_weights)(struct certificate_prover *s) {
    WEIGHT *const weight_to = s->weight_to;
    for (int32_t v = 0; v < s->g->n; v++)
        weight_to[v] = NO_EDGE;
}

/* Searches from i over tight edges: parent[v] is the vertex from which the search reached v; -1 for
 * i and for vertices that the search does not reach. queue: scratch of n cells. */
static void OF(search_tight)(const struct graph *g, const void *dist, int32_t i, int32_t *parent,
                             int32_t *queue) {
    const CELL *const row = dist;
    int32_t head = 0, tail = 0;
    for (int32_t v = 0; v < g->n; v++)
        parent[v] = -1;
    queue[tail++] = i;
    while (head < tail) {
        int32_t u = queue[head++];
        if (u < g->zones && u != i)
            continue;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int32_t v = g->head[e];
            if (v != i && parent[v] < 0 && row[v] != NO_PATH &&
                row[v] == JOIN(row[u], g->WEIGHTS[e])) {
                parent[v] = u;
                queue[tail++] = v;
            }
        }
    }
}

/* Checks (b) without predecessors: the search over tight edges reaches every vertex at a finite
 * distance. */
static enum status OF(check_tight_reach)(struct certificate_prover *s, int lane) {
    const int32_t i = s->source[lane], n = s->g->n;
    const CELL *row = OF(row)(s, lane);
    int32_t *parent = s->scratch;
    OF(search_tight)(s->g, row, i, parent, s->scratch + n);
    for (int32_t j = 0; j < n; j++) {
        if (row[j] != NO_PATH && j != i && parent[j] < 0)
            return refute(s, REFUTED_NO_TIGHT_PATH, lane, j, -1);
    }
    return STATUS_OK;
}

/* Sets `plain` and `grows` of the strip, and replaces "no path" in its lanes by no_path(s). */
static void OF(look_at_strip)(struct certificate_prover *s) {
#if IS_MIN_PLUS
    const size_t cells = (size_t)s->g->n * LANES;
    CELL *const dist = s->dist, largest = 0;
    for (size_t k = 0; k < cells; k++) {
        const CELL finite = dist[k] < NO_PATH ? dist[k] : 0;
        largest = finite > largest ? finite : largest;
    }
    s->plain = (s->g->min_weight >= 0 || s->g->type != NUMBER_INT32) &&
               (SUM)largest + (SUM)s->g->max_weight < NO_PATH;
    s->grows = s->g->min_weight > 0 && s->g->min_weight > (double)largest * HALF_EPSILON;
    const CELL no_path = OF(no_path)(s);
    for (size_t k = 0; k < cells && no_path != NO_PATH; k++)
        dist[k] = dist[k] == NO_PATH ? no_path : dist[k];
#else
    s->plain = true;
    s->grows = false;
#endif
}

static enum status OF(check_strip)(struct certificate_prover *s) {
    RETURN_ON_FAILURE(OF(check_entries)(s));
    OF(transpose)(s->dist_row, s->g->n, s->count, s->dist);
    OF(look_at_strip)(s);
    if (s->pred != NULL)
        transpose_i32((const void *const *)s->pred_row, s->g->n, s->count, s->pred);
    for (int32_t v = 0; v < s->g->n; v++) {
        RETURN_ON_FAILURE(OF(check_edges_into)(s, v));
        if (s->pred != NULL)
            RETURN_ON_FAILURE(OF(check_predecessors_of)(s, v));
    }
    /* If distances grow along every edge, they decrease strictly along predecessors and tight
     * edges, so every chain ends, and only the source can end it. */
    for (int lane = 0; lane < s->count && !s->grows; lane++)
        RETURN_ON_FAILURE(s->pred != NULL ? check_tree(s, lane) : OF(check_tight_reach)(s, lane));
    return STATUS_OK;
}
