// SPDX-License-Identifier: MIT
/* The kernels of predecessors_kernels.h for one type of cells. predecessors_kernels.c includes this
 * once for each type: CELL is the type, VECTOR a vector of it, NO_PATH and NONE stand for no path
 * and no predecessor, OF_CELL(name) is the name with a suffix for the type. */

/* Transposes `count` rows; all further lanes repeat the first row. */
static void OF_CELL(begin)(const int32_t *rows, size_t ld, int count, int32_t n, void *dist,
                           void *pred) {
    CELL *const to = dist, *const restrict none = pred;
    const int32_t *row[SOURCES];
    for (int lane = 0; lane < SOURCES; lane++)
        row[lane] = rows + (size_t)(lane < count ? lane : 0) * ld;
    for (int32_t first = 0; first < n; first += SQUARE) {
        const int columns = n - first < SQUARE ? n - first : SQUARE;
        for (int lane = 0; lane < SOURCES; lane += SQUARE)
            OF_CELL(read_square)
        (row + lane, first, columns, to + (ptrdiff_t)first * SOURCES + lane, SOURCES);
    }
    for (ptrdiff_t cell = 0; cell < (ptrdiff_t)n * SOURCES; cell++)
        none[cell] = NONE;
}

static void OF_CELL(set)(void *pred, int lane, int32_t tail, const int32_t *head, int32_t count) {
    CELL *const cell = pred;
    for (int32_t e = 0; e < count; e++)
        cell[(ptrdiff_t)head[e] * SOURCES + lane] = (CELL)tail;
}

/* Lowers `found` to the least tail of the tight edges among begin .. end - 1, which lead into a
 * vertex at the distances `target`. A lane that looks for nothing has the target NONE, which no sum
 * of a distance and a weight equals. */
static inline void OF_CELL(find_among)(const struct edges_into *edges, int64_t begin, int64_t end,
                                       const CELL *dist, const VECTOR target[VECTORS],
                                       VECTOR found[VECTORS]) {
    const VECTOR none = vector_all(VECTOR, NONE);
    for (int64_t e = begin; e < end; e++) {
        const CELL *from = dist + (ptrdiff_t)edges->tail[e] * SOURCES;
        const VECTOR weight = vector_all(VECTOR, (CELL)edges->weight[e]);
        const VECTOR tail = vector_all(VECTOR, (CELL)edges->tail[e]);
        UNROLLED
        for (int x = 0; x < VECTORS; x++) {
            const VECTOR sum = vector_load(from + x * LANES) + weight;
            found[x] = vector_min(found[x], vector_where_equal(sum, target[x], tail, none));
        }
    }
}

static void OF_CELL(find)(const struct edges_into *edges, int32_t n, const void *dist, void *pred) {
    enum { EDGES = 16 }; /* edges between two checks whether anything is left to find */
    const VECTOR none = vector_all(VECTOR, NONE), no_path = vector_all(VECTOR, NO_PATH);
    const CELL *length = dist;
    CELL *known = pred;
    for (int32_t v = 0; v < n; v++, length += SOURCES, known += SOURCES) {
        VECTOR found[VECTORS], target[VECTORS];
        UNROLLED
        for (int x = 0; x < VECTORS; x++) {
            const VECTOR to_v = vector_load(length + x * LANES);
            found[x] = vector_load(known + x * LANES);
            target[x] = vector_where_equal(to_v, no_path, none, to_v);
            target[x] = vector_where_equal(found[x], none, target[x], none);
        }
        for (int64_t e = edges->first[v], end = edges->first[v + 1]; e < end; e += EDGES) {
            VECTOR left = none ^ none;
            OF_CELL(find_among)(edges, e, end - e < EDGES ? end : e + EDGES, dist, target, found);
            UNROLLED
            for (int x = 0; x < VECTORS; x++)
                left |= none ^ vector_where_equal(found[x], none, target[x], none);
            const bool searching = vector_any(left);
            if (!searching)
                break;
        }
        UNROLLED
        for (int x = 0; x < VECTORS; x++)
            vector_store(known + x * LANES, found[x]);
    }
}

/* Writes the rows, line by line. Beyond vertex n - 1, the last line repeats that vertex. */
static void OF_CELL(end)(const void *pred, int count, int32_t n, int32_t *rows, size_t ld) {
    const CELL *const from = pred;
    int32_t *row[SOURCES];
    for (int lane = 0; lane < count; lane++)
        row[lane] = rows + (size_t)lane * ld;
    for (int32_t first = 0; first < n; first += LINE) {
        const CELL *vertex[LINE];
        for (int v = 0; v < LINE; v++)
            vertex[v] = from + (ptrdiff_t)(first + v < n ? first + v : n - 1) * SOURCES;
        OF_CELL(write_line)(vertex, count, NONE, -1, row, first);
    }
}

static const struct predecessors_width OF_CELL(width) = {
    .cell_size = sizeof(CELL),
    .begin = OF_CELL(begin),
    .set = OF_CELL(set),
    .find = OF_CELL(find),
    .end = OF_CELL(end),
};
