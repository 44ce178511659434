// SPDX-License-Identifier: MIT
/* The kernels of real_strip.h for one type. real_kernels.c includes this once for each type, so it
 * has no guard: CELL is the type, VECTOR a vector of it, INTEGER and INTEGERS the integer of the
 * same width and a vector of it, RANK that integer without a sign, OF_CELL(name) the name with a
 * suffix for the type. LANES_AT_ONCE lanes of labels or predecessors become lines of rows,
 * CELLS_OF_LINE labels or CELLS_32 predecessors long, by LINE_OF_CELLS or LINE_OF_PREDS. */

#define LANES     (REAL_STRIP_BYTES / (int)sizeof(CELL))
#define LANE(k)   ((k)*VECTOR_BYTES / (int)sizeof(CELL)) /* the first lane of vector k */
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

static void OF_CELL(replace)(struct real_strip *s, double limit, double with) {
    CELL *const label = s->label;
    for (size_t cell = 0; cell < ROW(s->edges->g->n); cell++)
        label[cell] = (double)label[cell] > limit ? (CELL)with : label[cell];
}

/* Relaxes at most `most` edges into v; returns whether a label changed. Without weights below 0, an
 * edge that weighs as much as the largest label of v cannot lower any. */
static inline bool OF_CELL(relax)(struct real_strip *s, int32_t v, int64_t most) {
    const struct real_edges *const edges = s->edges;
    const CELL *const weight = edges->weight;
    const int32_t *const tail = edges->tail;
    const int64_t first = edges->first[v], degree = edges->first[v + 1] - first;
    const int64_t end = first + (degree < most ? degree : most);
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

/* Returns an upper bound of all labels. */
static CELL OF_CELL(bound)(const struct real_strip *s) {
    const CELL *const label = s->label;
    CELL bound = 0;
    if (s->edges->is_signed)
        return (CELL)INFINITY;
    for (int32_t v = 0; v < s->edges->g->n; v++) {
        const CELL largest = OF_CELL(largest)(label + ROW(v));
        bound = largest > bound ? largest : bound;
    }
    return bound;
}

/* Makes the heads of the edges from v that weigh less than `bound` pending. */
static inline void OF_CELL(make_pending)(struct real_strip *s, int32_t v, CELL bound) {
    const struct real_edges *const edges = s->edges;
    const CELL *const weight = edges->out_weight;
    const int64_t end = edges->out_first[v + 1];
    for (int64_t e = edges->out_first[v]; e < end && weight[e] < bound; e++)
        s->pending[edges->out_head[e]] = 1;
}

/* Relaxes the pending vertices, or every one; if it tracks, a vertex that changes makes its
 * out-neighbours pending. Returns how many changed. */
static int32_t OF_CELL(sweep)(struct real_strip *s, bool every, bool tracks, int64_t most) {
    const int32_t n = s->edges->g->n;
    const CELL bound = tracks ? OF_CELL(bound)(s) : 0;
    int32_t changed = 0;
    for (int32_t v = 0; v < n && progress_goes_on(s->progress); v++) {
        if (!every && !s->pending[v])
            continue;
        s->pending[v] = 0;
        if (!OF_CELL(relax)(s, v, most))
            continue;
        changed++;
        if (tracks)
            OF_CELL(make_pending)(s, v, bound);
    }
    return changed;
}

static void OF_CELL(correct)(struct real_strip *s, int64_t work, int64_t sweeps) {
    const int32_t n = s->edges->g->n;
    const bool long_rows = s->edges->g->m / n > LIGHT_EDGES && !s->edges->is_signed && !s->is_near;
    bool every = true, tracks = s->is_near;
    s->work = 0;
    s->sweeps = 0;
    s->settled = false;
    memset(s->pending, 0, (size_t)n);
    while (!s->settled && s->work <= work && s->sweeps < sweeps && progress_goes_on(s->progress)) {
        const bool light = long_rows && s->sweeps < LIGHT_SWEEPS;
        const int32_t changed = OF_CELL(sweep)(s, every, tracks, light ? LIGHT_EDGES : INT64_MAX);
        s->sweeps++;
        s->settled = changed == 0 && !light;
        /* While most vertices change, relaxing all of them costs less than tracking. */
        every = !tracks;
        tracks = tracks || (changed <= n / 2 && !light);
    }
}

/* Relaxes the edges from v. Heads whose labels change become pending. Returns the first place in
 * s->order of such a head, or INT32_MAX. The loop has no branch on a change, because about half of
 * the heads change. */
static inline int32_t OF_CELL(relax_from)(struct real_strip *s, int32_t v) {
    const struct real_edges *const edges = s->edges;
    const CELL *const weight = edges->out_weight;
    const int64_t first = edges->out_first[v], end = edges->out_first[v + 1];
    CELL *const label = s->label;
    const CELL *const from = label + ROW(v);
    int32_t least = INT32_MAX;
    VECTOR dist[VECTORS];
    UNROLLED
    for (int k = 0; k < VECTORS; k++)
        dist[k] = vector_load(from + LANE(k));
    for (int64_t e = first; e < end; e++) {
        const int32_t head = edges->out_head[e], place = s->place[head];
        const VECTOR added = vector_all(VECTOR, weight[e]);
        CELL *const to = label + ROW(head);
        INTEGERS less = {0};
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            const VECTOR through = dist[k] + added, before = vector_load(to + LANE(k));
            less |= through < before;
            vector_store(to + LANE(k), vector_min(through, before));
        }
        const int32_t changed = vector_any(less);
        const int32_t here = changed ? place : INT32_MAX;
        s->pending[place] |= (uint8_t)changed;
        least = here < least ? here : least;
    }
    s->work += end - first + UNITS_PER_VERTEX;
    return least;
}

static void OF_CELL(correct_in_order)(struct real_strip *s, int64_t work) {
    const struct real_edges *const edges = s->edges;
    const int32_t n = edges->g->n;
    int32_t at = 0;
    s->work = 0;
    s->sweeps = 1;
    memset(s->pending, 0, (size_t)n);
    for (int lane = 0; lane < s->count; lane++)
        s->pending[s->place[edges->number[s->source[lane]]]] = 1;
    while (at < n && s->work <= work && progress_goes_on(s->progress)) {
        if (!s->pending[at]) {
            at++;
            continue;
        }
        const int32_t ahead = s->order[at < n - VERTICES_AHEAD ? at + VERTICES_AHEAD : at];
        fetch_row(s->label, ahead);
        __builtin_prefetch(edges->out_head + edges->out_first[ahead]);
        __builtin_prefetch((const CELL *)edges->out_weight + edges->out_first[ahead]);
        s->pending[at] = 0;
        const int32_t least = OF_CELL(relax_from)(s, s->order[at]);
        at = least <= at ? least : at + 1;
    }
    s->settled = at == n;
}

/* Numbers that are not below 0 have the order of their bits. The most significant of those are
 * enough for an order. */
static void OF_CELL(rank)(const struct real_strip *s, uint32_t *key) {
    const CELL *const label = s->label;
    for (int32_t k = 0; k < s->edges->g->n; k++) {
        VECTOR least = vector_load(label + ROW(k));
        CELL lane[VECTOR_BYTES / sizeof(CELL)];
        RANK bits;
        UNROLLED
        for (int v = 1; v < VECTORS; v++)
            least = vector_min(least, vector_load(label + ROW(k) + LANE(v)));
        memcpy(lane, &least, sizeof least);
        for (size_t l = 1; l < sizeof lane / sizeof *lane; l++)
            lane[0] = lane[l] < lane[0] ? lane[l] : lane[0];
        memcpy(&bits, lane, sizeof bits);
        key[k] = (uint32_t)(bits >> (8 * sizeof bits - 32));
    }
}

static void OF_CELL(find_predecessors)(const struct real_strip *s, int32_t *without) {
    const struct real_edges *const edges = s->edges;
    INTEGERS none[VECTORS] = {{0}};
    INTEGER of_lane[LANES];
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
            const INTEGERS tail = vector_all(INTEGERS, (INTEGER)edges->vertex[edges->tail[e]]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                const VECTOR before = vector_load(from + LANE(k));
                const INTEGERS tight = (before + added == dist[k]) & (before < dist[k]);
                found[k] = (tail & tight) | (found[k] & ~tight);
            }
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            const INTEGERS reached = dist[k] < (CELL)INFINITY;
            found[k] |= ~reached; /* a sum that overflows is no path */
            none[k] -= reached & (found[k] < 0);
            memcpy(pred + LANE(k), &found[k], sizeof found[k]);
        }
    }
    memcpy(of_lane, none, sizeof none);
    for (int lane = 0; lane < s->count; lane++)
        without[lane] = (int32_t)of_lane[lane];
}

static void OF_CELL(approach)(const struct real_strip *s, int lane, void *row) {
    const struct real_edges *const edges = s->edges;
    const CELL *const weight = edges->weight;
    const int32_t n = edges->g->n, tree = lane % REAL_TREES;
    CELL *const label = row;
    for (int32_t k = 0; k < n; k++)
        label[k] = (CELL)INFINITY;
    label[edges->number[s->source[lane]]] = 0;
    for (int32_t at = 0; at < n; at++) {
        const int32_t k = s->order[at], edge = tree_row(s, k)[REAL_TREES + tree];
        if (edge >= 0) {
            const int64_t e = edges->first[k] + edge;
            label[k] = label[edges->tail[e]] + weight[e];
        }
    }
}

static void OF_CELL(read)(struct real_strip *s, void *const *rows, bool by_number) {
    const int32_t *const vertex = s->edges->vertex;
    const CELL *row[LANES];
    CELL *const label = s->label;
    for (int lane = 0; lane < LANES; lane++)
        row[lane] = rows[lane % s->count];
    for (int32_t k = 0; k < s->edges->g->n; k++) {
        const int32_t from = by_number ? k : vertex[k];
        for (int lane = 0; lane < LANES; lane++)
            label[ROW(k) + (size_t)lane] = row[lane][from];
    }
}

static void OF_CELL(write)(const struct real_strip *s, void *const *rows) {
    const void *from[CELLS_OF_LINE];
    void *to[LANES_AT_ONCE];
    for (int32_t first = 0; first < s->edges->g->n; first += CELLS_OF_LINE) {
        for (int lane = 0; lane < s->count; lane += LANES_AT_ONCE) {
            const int count = s->count - lane < LANES_AT_ONCE ? s->count - lane : LANES_AT_ONCE;
            for (int r = 0; r < count; r++)
                to[r] = (CELL *)rows[lane + r] + first;
            rows_from(s, s->label, first, CELLS_OF_LINE, (size_t)lane * sizeof(CELL), from);
            LINE_OF_CELLS(from, count, to);
        }
    }
}

static void OF_CELL(write_pred)(const struct real_strip *s, int32_t *const *rows) {
    const void *from[CELLS_32];
    void *to[LANES_AT_ONCE];
    for (int32_t first = 0; first < s->edges->g->n; first += CELLS_32) {
        for (int lane = 0; lane < s->count; lane += LANES_AT_ONCE) {
            const int count = s->count - lane < LANES_AT_ONCE ? s->count - lane : LANES_AT_ONCE;
            for (int r = 0; r < count; r++)
                to[r] = rows[lane + r] + first;
            rows_from(s, s->pred, first, CELLS_32, (size_t)lane * sizeof(INTEGER), from);
            LINE_OF_PREDS(from, count, to);
        }
    }
}

static const struct real_kernel OF_CELL(kernel) = {
    .lanes = LANES,
    .start = OF_CELL(start),
    .replace = OF_CELL(replace),
    .correct = OF_CELL(correct),
    .correct_in_order = OF_CELL(correct_in_order),
    .rank = OF_CELL(rank),
    .find_predecessors = OF_CELL(find_predecessors),
    .least_of_rows = least_of_rows,
    .find_trees = find_trees,
    .approach = OF_CELL(approach),
    .read = OF_CELL(read),
    .write = OF_CELL(write),
    .write_pred = OF_CELL(write_pred),
};

#undef LANES
#undef LANE
#undef ROW
