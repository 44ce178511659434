/* The kernels of min_plus.h for cells of one type. Included by min_plus_kernels.c once for each:
 * CELL is the type, VECTOR a vector of it, NO_PATH its "no path"; OF_CELL(name) makes a name of its
 * own for it, and VECTOR_OF_CELL(name) finds the vector function of vector.h. */

_Static_assert(MIN_PLUS_BLOCK % ROWS == 0 && MIN_PLUS_BLOCK % WIDTH == 0,
               "a tile belongs to the pivot's rows or columns as a whole or not at all");

static void OF_CELL(pack_left)(const void *cells, size_t ld, int depth, void *packed) {
    const CELL *from = cells;
    CELL *restrict to = packed;
    for (int k = 0; k < depth; k++) {
        for (int r = 0; r < ROWS; r++)
            to[k * ROWS + r] = from[(size_t)r * ld + (size_t)k];
    }
}

static void OF_CELL(multiply)(const void *left, const void *right, int depth, void *tile,
                              size_t ld) {
    const CELL *a = left, *b = right;
    CELL *to = tile;
    VECTOR best[ROWS][VECTORS];
    UNROLLED for (int r = 0; r < ROWS; r++) {
        UNROLLED for (int v = 0; v < VECTORS; v++) best[r][v] = VECTOR_OF_CELL(all)(NO_PATH);
    }
    for (int k = 0; k < depth; k++, a += ROWS, b += WIDTH) {
        if (k < ROWS) { /* the tile is wanted when the sums are done */
            UNROLLED for (int v = 0; v < VECTORS; v++)
                __builtin_prefetch(to + (size_t)k * ld + v * LANES, 1);
        }
        UNROLLED for (int r = 0; r < ROWS; r++) {
            const VECTOR from_row = VECTOR_OF_CELL(all)(a[r]);
            UNROLLED for (int v = 0; v < VECTORS; v++) best[r][v] =
                VECTOR_OF_CELL(min)(best[r][v], from_row + VECTOR_OF_CELL(load)(b + v * LANES));
        }
    }
    UNROLLED for (int r = 0; r < ROWS; r++) {
        UNROLLED for (int v = 0; v < VECTORS; v++) {
            CELL *cell = to + (size_t)r * ld + v * LANES;
            VECTOR_OF_CELL(store)
            (cell, VECTOR_OF_CELL(min)(best[r][v], VECTOR_OF_CELL(load)(cell)));
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
            const VECTOR to_k = VECTOR_OF_CELL(all)(row[k]);
            for (int j = 0; j < MIN_PLUS_BLOCK; j += LANES) {
                const VECTOR through_k = to_k + VECTOR_OF_CELL(load)(row_k + j);
                VECTOR_OF_CELL(store)
                (row + j, VECTOR_OF_CELL(min)(VECTOR_OF_CELL(load)(row + j), through_k));
            }
        }
    }
}

static void OF_CELL(clear)(void *cells, size_t count) {
    CELL *cell = cells;
    for (size_t c = 0; c < count; c++)
        cell[c] = NO_PATH;
}

static const struct min_plus OF_CELL(kernel) = {
    .cell_size = sizeof(CELL),
    .rows = ROWS,
    .width = WIDTH,
    .pack_left = OF_CELL(pack_left),
    .multiply = OF_CELL(multiply),
    .close = OF_CELL(close),
    .clear = OF_CELL(clear),
};
