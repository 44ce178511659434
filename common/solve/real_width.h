// SPDX-License-Identifier: MIT
/* The kernels of real_strip.h for one type. real_kernels.c includes this once for each type, so it
 * has no guard: CELL is the type, VECTOR a vector of it, INTEGER and INTEGERS the integer of the
 * same width and a vector of it, OF_CELL(name) the name with a suffix for the type. */

#define LANES     (REAL_STRIP_BYTES / (int)sizeof(CELL))
#define LANE(k)   ((k)*VECTOR_BYTES / (int)sizeof(CELL)) /* the first one of vector k */
#define ROW(rows) ((size_t)(rows)*LANES)

static inline CELL OF_CELL(largest)(const CELL *row) {
    CELL largest = row[0];
    for (int lane = 1; lane < LANES; lane++)
        largest = row[lane] > largest ? row[lane] : largest;
    return largest;
}

static void OF_CELL(start)(struct real_strip *s) {
    const struct real_edges *const edges = s->edges;
    CELL *const label = s->label;
    for (size_t cell = 0; cell < ROW(edges->g->n); cell++)
        label[cell] = (CELL)INFINITY;
    for (int lane = 0; lane < LANES; lane++)
        label[ROW(edges->number[s->source[lane % s->count]]) + (size_t)lane] = 0;
}

/* Relaxes the edges into v; returns whether a label changed. Without weights below 0, an edge that
 * weighs as much as the largest label of v cannot lower any. */
static inline bool OF_CELL(relax)(struct real_strip *s, int32_t v) {
    const struct real_edges *const edges = s->edges;
    const CELL *const weight = edges->weight;
    const int32_t *const tail = edges->tail;
    const int64_t first = edges->first[v], end = edges->first[v + 1];
    const bool can_leave = end - first > LONG_ROW && !edges->is_signed;
    CELL *const label = s->label, *const to = label + ROW(v);
    VECTOR best[VECTORS];
    INTEGERS less = {0};
    int64_t e = first;
    UNROLLED
    for (int k = 0; k < VECTORS; k++)
        best[k] = vector_load(to + LANE(k));
    while (e < end) {
        const CELL bound = can_leave ? OF_CELL(largest)(to) : (CELL)INFINITY;
        const int64_t stop = can_leave && end - e > EDGES_AT_A_TIME ? e + EDGES_AT_A_TIME : end;
        const int64_t from_here = e;
        for (; e < stop && weight[e] < bound; e++) {
            const CELL *const from = label + ROW(tail[e]);
            const VECTOR added = vector_all(VECTOR, weight[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                best[k] = vector_min(vector_load(from + LANE(k)) + added, best[k]);
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            less |= best[k] < vector_load(to + LANE(k));
            vector_store(to + LANE(k), best[k]);
        }
        if (e < stop || e == from_here)
            break;
    }
    s->work += e - first + UNITS_PER_VERTEX;
    return vector_any(less);
}

/* Relaxes the pending vertices, or all of them. A vertex that changes makes its out-neighbours
 * pending. Returns how many changed. */
static int32_t OF_CELL(sweep)(struct real_strip *s, bool every) {
    const struct real_edges *const edges = s->edges;
    const int32_t n = edges->g->n;
    int32_t changed = 0;
    for (int32_t v = 0; v < n && progress_goes_on(s->progress); v++) {
        if (!every && !s->pending[v])
            continue;
        s->pending[v] = 0;
        if (!OF_CELL(relax)(s, v))
            continue;
        changed++;
        for (int64_t e = edges->out_first[v]; e < edges->out_first[v + 1]; e++)
            s->pending[edges->out_head[e]] = 1;
    }
    return changed;
}

static void OF_CELL(correct)(struct real_strip *s, int64_t work, int64_t sweeps) {
    const int32_t n = s->edges->g->n;
    int32_t changed = n;
    s->work = 0;
    s->sweeps = 0;
    s->settled = false;
    memset(s->pending, 0, (size_t)n);
    while (!s->settled && s->work <= work && s->sweeps < sweeps && progress_goes_on(s->progress)) {
        changed = OF_CELL(sweep)(s, changed > n / 2);
        s->sweeps++;
        s->settled = changed == 0;
    }
}

static void OF_CELL(find_predecessors)(const struct real_strip *s) {
    const struct real_edges *const edges = s->edges;
    const CELL *const label = s->label, *const weight = edges->weight;
    for (int32_t v = 0; v < edges->g->n && progress_goes_on(s->progress); v++) {
        const CELL *const to = label + ROW(v);
        INTEGER *const pred = (INTEGER *)s->pred + ROW(v);
        const CELL heaviest = edges->is_signed ? (CELL)INFINITY : OF_CELL(largest)(to);
        VECTOR dist[VECTORS];
        INTEGERS found[VECTORS];
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            dist[k] = vector_load(to + LANE(k));
            found[k] = vector_all(INTEGERS, -1);
        }
        for (int64_t e = edges->first[v]; e < edges->first[v + 1] && weight[e] <= heaviest; e++) {
            const CELL *const from = label + ROW(edges->tail[e]);
            const VECTOR added = vector_all(VECTOR, weight[e]);
            const INTEGERS tail = vector_all(INTEGERS, (INTEGER)edges->tail[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                const VECTOR before = vector_load(from + LANE(k));
                const INTEGERS tight = (before + added == dist[k]) & (before < dist[k]);
                found[k] = (tail & tight) | (found[k] & ~tight);
            }
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            memcpy(pred + LANE(k), &found[k], sizeof found[k]);
    }
}

static void OF_CELL(read)(struct real_strip *s, int lane, const void *row) {
    const CELL *const dist = row;
    CELL *const label = s->label;
    for (int32_t k = 0; k < s->edges->g->n; k++)
        label[ROW(k) + (size_t)lane] = dist[s->edges->vertex[k]];
}

static void OF_CELL(write)(const struct real_strip *s, int lane, void *row) {
    const CELL *const label = s->label;
    CELL *const dist = row;
    for (int32_t k = 0; k < s->edges->g->n; k++)
        dist[s->edges->vertex[k]] = label[ROW(k) + (size_t)lane];
}

static void OF_CELL(write_pred)(const struct real_strip *s, int lane, int32_t *row) {
    const INTEGER *const pred = s->pred;
    for (int32_t k = 0; k < s->edges->g->n; k++) {
        const int32_t number = (int32_t)pred[ROW(k) + (size_t)lane];
        row[s->edges->vertex[k]] = number < 0 ? -1 : s->edges->vertex[number];
    }
}

static const struct real_kernel OF_CELL(kernel) = {
    .lanes = LANES,
    .start = OF_CELL(start),
    .correct = OF_CELL(correct),
    .find_predecessors = OF_CELL(find_predecessors),
    .read = OF_CELL(read),
    .write = OF_CELL(write),
    .write_pred = OF_CELL(write_pred),
};

#undef LANES
#undef LANE
#undef ROW
