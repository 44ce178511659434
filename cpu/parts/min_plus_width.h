// SPDX-License-Identifier: MIT
/* The kernels of min_plus.h for one type of cells. min_plus_kernels.c includes this once for each
 * type: CELL is the type, VECTOR a vector of it, NO_PATH its "no path"; a cell times CELLS_OF_WORD
 * fills a word of the left operand; OF_CELL(name) is the name with a suffix for the type. */

_Static_assert(MIN_PLUS_BLOCK % MIN_PLUS_GROUP == 0 && MIN_PLUS_GROUP % ROWS == 0 &&
                   MIN_PLUS_BLOCK % WIDTH == 0,
               "a tile belongs to the pivot's rows or columns as a whole or not at all");

static void OF_CELL(pack_left)(const void *cells, size_t ld, int depth, void *packed) {
    const CELL *from = cells;
    int32_t *restrict to = packed;
    for (int k = 0; k < depth; k++) {
        for (int r = 0; r < ROWS; r++)
            to[k * ROWS + r] = from[(size_t)r * ld + (size_t)k] * CELLS_OF_WORD;
    }
}

static void OF_CELL(multiply)(const void *left, const void *right, int depth, void *tile, size_t ld,
                              const void *next) {
    const int32_t *a = left;
    const CELL *b = right, *wanted_next = next;
    CELL *to = tile, *wanted = tile;
    VECTOR best[ROWS][VECTORS];
    UNROLLED
    for (int r = 0; r < ROWS; r++) {
        UNROLLED
        for (int v = 0; v < VECTORS; v++)
            best[r][v] = vector_all(VECTOR, NO_PATH);
    }
    for (int k = 0; k < depth; k++, a += ROWS, b += WIDTH) {
        /* The tile is needed after the sums. Its lines are prefetched a few at a time, because the
         * CPU has few prefetches under way at once, and the operands need some of these. */
        if (k % 4 == 0 && k < 4 * ROWS) {
            UNROLLED
            for (int v = 0; v < VECTORS; v++) {
                __builtin_prefetch(wanted + v * LANES);
                __builtin_prefetch(wanted_next + v * LANES);
            }
            wanted += ld;
            wanted_next += WIDTH;
        }
        UNROLLED
        for (int r = 0; r < ROWS; r++) {
            const VECTOR from_row = (VECTOR)vector_all(vector_i32, a[r]);
            UNROLLED
            for (int v = 0; v < VECTORS; v++) {
                best[r][v] = vector_min(best[r][v], from_row + vector_load(b + v * LANES));
                vector_keep(best[r][v]);
            }
        }
    }
    UNROLLED
    for (int r = 0; r < ROWS; r++) {
        UNROLLED
        for (int v = 0; v < VECTORS; v++) {
            CELL *cell = to + (size_t)r * ld + v * LANES;
            vector_store(cell, vector_min(best[r][v], vector_load(cell)));
        }
    }
}

/* Row k does not change in step k, because no cell on the diagonal is below 0. */
static void OF_CELL(close)(void *block, int size) {
    CELL *cell = block;
    for (int k = 0; k < size; k++) {
        const CELL *row_k = cell + (ptrdiff_t)k * MIN_PLUS_BLOCK;
        for (int i = 0; i < MIN_PLUS_BLOCK; i++) {
            CELL *row = cell + (ptrdiff_t)i * MIN_PLUS_BLOCK;
            const VECTOR to_k = vector_all(VECTOR, row[k]);
            for (int j = 0; j < MIN_PLUS_BLOCK; j += LANES) {
                const VECTOR through_k = to_k + vector_load(row_k + j);
                vector_store(row + j, vector_min(vector_load(row + j), through_k));
            }
        }
    }
}

static void OF_CELL(clear)(void *cells, size_t count) {
    CELL *cell = cells;
    for (size_t c = 0; c < count; c++)
        cell[c] = NO_PATH;
}

static int32_t OF_CELL(widen)(const void *cells, size_t count, int32_t *restrict to,
                              int32_t largest) {
    const CELL *from = cells;
    for (size_t c = 0; c < count; c++) {
        const int32_t finite = from[c] < NO_PATH ? from[c] : 0;
        largest = finite > largest ? finite : largest;
        to[c] = from[c] < NO_PATH ? from[c] : INF;
    }
    return largest;
}

static const struct min_plus OF_CELL(kernel) = {
    .cell_size = sizeof(CELL),
    .rows = ROWS,
    .width = WIDTH,
    .pack_left = OF_CELL(pack_left),
    .multiply = OF_CELL(multiply),
    .close = OF_CELL(close),
    .clear = OF_CELL(clear),
    .widen = OF_CELL(widen),
};
