// SPDX-License-Identifier: MIT
/* The kernels of strip.h for one type of cells. strip_kernels.c includes this file once for each
 * type: CELL is the type, NONE its value for "no predecessor", VECTOR a vector of it, OF_CELL(name)
 * the name with a suffix for the type. */

#define LANES     (STRIP_BYTES / (int)sizeof(CELL))
#define LANE(k)   ((k)*VECTOR_BYTES / (int)sizeof(CELL)) /* first lane of vector k */
#define ROW(rows) ((size_t)(rows)*LANES)

static inline int32_t OF_CELL(largest)(const CELL *row) {
    CELL largest = 0;
    for (int lane = 0; lane < LANES; lane++)
        largest = row[lane] > largest ? row[lane] : largest;
    return largest;
}

/* Marks the heads of the edges from v that weigh less than `bound` as pending. */
static inline void OF_CELL(make_pending)(struct strip *s, int32_t v, int32_t bound) {
    const struct ordered_edge *edge = s->ordered->out + s->ordered->out_first[v];
    const struct ordered_edge *const end = s->ordered->out + s->ordered->out_first[v + 1];
    for (; edge < end && edge->weight < bound; edge++)
        s->pending[edge->end] = 1;
}

static void OF_CELL(start)(struct strip *s) {
    const int32_t n = s->ordered->n;
    CELL *label = s->label;
    for (size_t cell = 0; cell < ROW(n); cell++)
        label[cell] = (CELL)s->no_path;
    for (int lane = 0; lane < LANES; lane++) /* lanes from `count` on repeat the sources */
        label[ROW(s->source[lane % s->count]) + (size_t)lane] = 0;
    for (int32_t v = 0; v < n; v++)
        s->largest[v] = s->no_path;
    s->work = 0;
    s->sweeps = 0;
    /* If rows are long, every vertex is reached soon. */
    s->every = s->ordered->m / n > LIGHT_EDGES;
    s->corrected = false;
    memset(s->pending, 0, (size_t)n * sizeof *s->pending);
    for (int lane = 0; lane < s->count && !s->every; lane++)
        OF_CELL(make_pending)(s, s->source[lane], s->no_path);
}

/* Relaxes at most `most` edges into v; returns whether a label changed. An edge that weighs as much
 * as the largest label of v cannot lower any. */
static inline bool OF_CELL(relax)(struct strip *s, int32_t v, int64_t most) {
    const struct ordered_edge *const first = s->ordered->in + s->ordered->in_first[v];
    const int64_t degree = s->ordered->in_first[v + 1] - s->ordered->in_first[v];
    const struct ordered_edge *const end = first + (degree < most ? degree : most), *edge = first;
    CELL *const label = s->label, *const to = label + ROW(v);
    VECTOR best[VECTORS], differs = {0};
    int32_t bound = s->largest[v];
    UNROLLED
    for (int k = 0; k < VECTORS; k++)
        best[k] = vector_load(to + LANE(k));
    while (edge < end && edge->weight < bound) {
        const struct ordered_edge *const stop =
            end - edge > EDGES_AT_A_TIME ? edge + EDGES_AT_A_TIME : end;
        for (; edge < stop && edge->weight < bound; edge++) {
            const CELL *const from = label + ROW(edge->end);
            const VECTOR weight = vector_all(VECTOR, (CELL)edge->weight);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                best[k] = vector_min(best[k], vector_load(from + LANE(k)) + weight);
        }
        /* Stores even unchanged labels, so that no branch waits for the minimum. */
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            differs |= best[k] ^ vector_load(to + LANE(k));
            vector_store(to + LANE(k), best[k]);
        }
        if (degree > LONG_ROW)
            bound = s->largest[v] = OF_CELL(largest)(to);
    }
    s->work += edge - first + UNITS_PER_VERTEX;
    return vector_any(differs);
}

/* Relaxes every vertex; returns the number of vertices that changed. */
static int32_t OF_CELL(sweep_all)(struct strip *s, int64_t most) {
    const int32_t n = s->ordered->n;
    int32_t changed = 0;
    for (int32_t at = 0; at < n && progress_goes_on(s->progress); at++) {
        const int32_t ahead = s->order[at < n - VERTICES_AHEAD ? at + VERTICES_AHEAD : at];
        const uintptr_t edges_ahead = (uintptr_t)(s->ordered->in + s->ordered->in_first[ahead]);
        __builtin_prefetch((const void *)edges_ahead);
        __builtin_prefetch((const void *)(edges_ahead + 64));
        changed += OF_CELL(relax)(s, s->order[at], most);
    }
    return changed;
}

/* Relaxes the pending vertices, or all if `every`. A vertex that changes marks its out-neighbours
 * as pending. Returns the number of vertices that changed. */
static int32_t OF_CELL(sweep_pending)(struct strip *s, bool every) {
    const int32_t n = s->ordered->n;
    int32_t changed = 0, bound = 0;
    for (int32_t v = 0; v < n; v++)
        bound = s->largest[v] > bound ? s->largest[v] : bound;
    for (int32_t at = 0; at < n && progress_goes_on(s->progress); at++) {
        const int32_t v = s->order[at];
        if (!every && !s->pending[v])
            continue;
        s->pending[v] = 0;
        if (!OF_CELL(relax)(s, v, INT64_MAX))
            continue;
        changed++;
        OF_CELL(make_pending)(s, v, bound);
    }
    return changed;
}

/* While most vertices change, relaxing all of them costs less than tracking which are pending. */
static void OF_CELL(correct)(struct strip *s, int32_t sweeps, int64_t work) {
    const int32_t n = s->ordered->n;
    const bool long_rows = s->ordered->m / n > LIGHT_EDGES;
    int32_t changed = n;
    while (!s->corrected && s->sweeps < sweeps && s->work <= work &&
           progress_goes_on(s->progress)) {
        if (s->every && changed > n / 2) {
            const bool light = long_rows && s->sweeps < LIGHT_SWEEPS;
            changed = OF_CELL(sweep_all)(s, light ? LIGHT_EDGES : INT64_MAX);
            s->corrected = changed == 0 && !light;
        } else {
            changed = OF_CELL(sweep_pending)(s, s->every);
            s->every = changed > n / 2;
            s->corrected = changed == 0;
        }
        s->sweeps++;
    }
}

static bool OF_CELL(overflowed)(const struct strip *s) {
    const struct ordered_graph *ordered = s->ordered;
    const CELL *const label = s->label;
    const VECTOR no_path = vector_all(VECTOR, (CELL)s->no_path);
    for (int32_t v = 0; v < ordered->n && progress_goes_on(s->progress); v++) {
        const CELL *const to = label + ROW(v);
        VECTOR reached[VECTORS] = {{0}}, lost = {0};
        if (OF_CELL(largest)(to) < s->no_path)
            continue;
        for (int64_t e = ordered->in_first[v]; e < ordered->in_first[v + 1]; e++) {
            const CELL *const from = label + ROW(ordered->in[e].end);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                reached[k] |= vector_load(from + LANE(k)) ^ no_path;
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            lost |= vector_where_equal(vector_load(to + LANE(k)), no_path, reached[k], (VECTOR){0});
        const bool any_lost = vector_any(lost);
        if (any_lost)
            return true;
    }
    return false;
}

static void OF_CELL(find_predecessors)(const struct strip *s) {
    const struct ordered_graph *ordered = s->ordered;
    const CELL *const label = s->label;
    const VECTOR no_path = vector_all(VECTOR, (CELL)s->no_path);
    const VECTOR none = vector_all(VECTOR, (CELL)NONE);
    for (int32_t v = 0; v < ordered->n && progress_goes_on(s->progress); v++) {
        const CELL *const to = label + ROW(v);
        CELL *const pred = (CELL *)s->pred + ROW(v);
        const int32_t largest = OF_CELL(largest)(to);
        const int32_t heaviest = largest < s->no_path ? largest : s->no_path - 1;
        VECTOR dist[VECTORS], found[VECTORS];
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            dist[k] = vector_load(to + LANE(k));
            found[k] = none;
        }
        for (int64_t e = ordered->in_first[v];
             e < ordered->in_first[v + 1] && ordered->in[e].weight <= heaviest; e++) {
            const CELL *const from = label + ROW(ordered->in[e].end);
            const VECTOR weight = vector_all(VECTOR, (CELL)ordered->in[e].weight);
            const VECTOR tail = vector_all(VECTOR, (CELL)ordered->in_tail[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                found[k] = vector_where_equal(dist[k], vector_load(from + LANE(k)) + weight, tail,
                                              found[k]);
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            vector_store(pred + LANE(k), vector_where_equal(dist[k], no_path, none, found[k]));
        }
    }
}

/* Writes the rows line by line; the last line is filled beyond n from the last vertex. */
static void OF_CELL(write)(const struct strip *s, bool rows_of_pred, int32_t *const *row) {
    const int32_t n = s->ordered->n;
    const CELL *const cells = rows_of_pred ? s->pred : s->label;
    const CELL none = rows_of_pred ? (CELL)NONE : (CELL)s->no_path;
    const int32_t written = rows_of_pred ? -1 : INF;
    for (int32_t first = 0; first < n; first += LINE) {
        const CELL *vertex[LINE];
        for (int v = 0; v < LINE; v++)
            vertex[v] = cells + ROW(s->ordered->number[first + v < n ? first + v : n - 1]);
        OF_CELL(write_line)(vertex, s->count, none, written, row, first);
    }
}

static void OF_CELL(read)(struct strip *s, int lane, const int32_t *row) {
    CELL *const label = s->label;
    for (int32_t v = 0; v < s->ordered->n; v++) {
        const int32_t dist = row[s->ordered->vertex[v]];
        label[ROW(v) + (size_t)lane] = (CELL)(dist < s->no_path ? dist : s->no_path);
    }
}

static const struct strip_kernel OF_CELL(kernel) = {
    .lanes = LANES,
    .start = OF_CELL(start),
    .correct = OF_CELL(correct),
    .overflowed = OF_CELL(overflowed),
    .find_predecessors = OF_CELL(find_predecessors),
    .write = OF_CELL(write),
    .read = OF_CELL(read),
};

#undef LANES
#undef LANE
#undef ROW
