// SPDX-License-Identifier: MIT
#include "cpu/parts/closure_bands.h"

#include "common/base/memory.h" // memory_alloc
#include "cpu/parts/closure.h"  // closure_find
#include "cpu/parts/tiles.h"    // struct tiles

#include <omp.h>
#include <string.h>

enum {
    BLOCK = MIN_PLUS_BLOCK,
    MAX_BLOCKS = 4, /* most blocks in a band */
    TASK_COLUMNS = 4 * BLOCK,
    LINE = 64,
};

/* Bands ------------------------------------------------------------------------------------------
 */

static int32_t band_count(const struct bands *b) {
    return tiles_parts(b->n, b->size);
}

static int owner_of(const struct bands *b, int32_t band) {
    return (int)(band % b->owners);
}

/* The own row at which a band begins; for a band of another process, the own row behind the last
 * earlier band. */
static int32_t first_row(const struct bands *b, int32_t band) {
    return band <= b->own ? 0 : ((band - b->own - 1) / b->owners + 1) * b->size;
}

int32_t bands_rows(const struct bands *b) {
    const int32_t count = band_count(b), rows = first_row(b, count);
    return owner_of(b, count - 1) == b->own ? rows - (count * b->size - b->n) : rows;
}

int32_t bands_row(const struct bands *b, int32_t k) {
    return (k / b->size * b->owners + b->own) * b->size + k % b->size;
}

int32_t bands_place(const struct bands *b, int32_t row) {
    const int32_t band = row / b->size;
    return owner_of(b, band) == b->own ? first_row(b, band) + row % b->size : -1;
}

/* Returns the cost of bands of that size, 1 being an equal share of all steps without overheads:
 * the process with the most rows decides, every cell is loaded and stored once a round, and the
 * owner also updates the band itself. */
static double cost_of(int32_t n, int owners, int32_t size) {
    enum { STEPS_A_LOAD = BLOCK / 2 }; /* steps that take as long as loading and storing a cell */
    const struct bands first = {n, size, owners, 0}; /* no other process has more rows */
    return (double)bands_rows(&first) * owners / n * (1 + (double)STEPS_A_LOAD / size) +
           (double)size / n;
}

struct bands bands_choose(int32_t n, int owners, int own) {
    struct bands best = {n, BLOCK, owners, own};
    for (int32_t size = 2 * BLOCK; size <= MAX_BLOCKS * BLOCK; size += BLOCK) {
        if (cost_of(n, owners, size) < cost_of(n, owners, best.size))
            best.size = size;
    }
    return best;
}

/* Memory -----------------------------------------------------------------------------------------
 */

/* Bytes of each array, enough for cells of 16 or 32 bits. */
struct sizes {
    size_t right, left, square, scratch;
};

static struct sizes sizes_of(const struct bands *b) {
    const size_t high = (size_t)b->size * sizeof(int32_t);
    return (struct sizes){
        .right = (size_t)tiles_parts(b->n, BLOCK) * BLOCK * high + LINE,
        .left = (size_t)tiles_parts(bands_rows(b), BLOCK) * BLOCK * high,
        .square = (size_t)b->size * high,
        .scratch = 2 * BLOCK * high,
    };
}

static size_t bytes_of(const struct bands *b, int threads) {
    const struct sizes s = sizes_of(b);
    return 2 * s.right + s.left + 2 * s.square + (size_t)threads * s.scratch;
}

uint64_t closure_bands_memory(const struct bands *bands, int threads) {
    return bytes_of(bands, threads) + closure_memory(bands->size, threads);
}

enum status closure_bands_open(struct closure_bands *c, const struct bands *bands, int threads,
                               struct error *err) {
    const struct sizes s = sizes_of(bands);
    *c = (struct closure_bands){.bands = *bands, .threads = threads};
    RETURN_ON_FAILURE(
        memory_alloc(&c->memory, bytes_of(bands, threads), 1, "packed operands", err));
    memory_prefer_huge_pages(c->memory, 2 * s.right + s.left);
    c->right[0] = c->memory;
    c->right[1] = c->right[0] + s.right;
    c->left = c->right[1] + s.right;
    c->square = c->left + s.left;
    c->square_left = c->square + s.square;
    c->scratch = c->square_left + s.square;
    const enum status status = closure_workspace(&c->inner, bands->size, threads, err);
    if (status != STATUS_OK)
        closure_bands_close(c);
    return status;
}

void closure_bands_close(struct closure_bands *c) {
    memory_free(c->inner);
    memory_free(c->memory);
    *c = (struct closure_bands){0};
}

/* Rounds -----------------------------------------------------------------------------------------
 */

/* The round of one band in one process. */
struct band_round {
    const struct closure_bands *c;
    const struct bands *bands;
    struct tiles cells; /* the own rows of the process */
    const struct ranks *ranks;
    struct progress *progress;
    int32_t band;
    char *right; /* the band's rows, packed */
};

static struct band_round round_of(const struct band_round *other, int32_t band) {
    struct band_round round = *other;
    round.band = band;
    round.right = round.c->right[band % 2];
    return round;
}

static bool is_own(const struct band_round *r) {
    return owner_of(r->bands, r->band) == r->bands->own;
}

/* The pivots of a round: the first one, their number, and how many of them are in block number
 * b. */
static int32_t first_pivot(const struct band_round *r) {
    return r->band * r->bands->size;
}

static int32_t pivots(const struct band_round *r) {
    return tiles_least(r->bands->size, r->bands->n - first_pivot(r));
}

static int pivots_in(const struct band_round *r, int b) {
    return tiles_least(BLOCK, pivots(r) - b * BLOCK);
}

static int blocks_in(const struct band_round *r) {
    return tiles_parts(pivots(r), BLOCK);
}

/* Returns where block b of the pivots begins in panel p of the band's rows. A panel has all pivots,
 * one after the other. */
static char *right_panel(const struct band_round *r, int32_t p, int b) {
    const size_t row = tiles_bytes(&r->cells, (size_t)r->cells.kernel->width);
    return r->right + ((size_t)p * (size_t)r->bands->size + (size_t)b * BLOCK) * row;
}

/* Returns the bytes of the panels. A byte behind the panels tells whether all processes are to
 * stop. */
static size_t right_size(const struct band_round *r) {
    const size_t panels = (size_t)tiles_parts(r->bands->n, r->cells.kernel->width);
    return tiles_bytes(&r->cells, panels * (size_t)r->cells.kernel->width * (size_t)r->bands->size);
}

/* Returns panel s of block b of a packed left operand that has `rows` rows. */
static char *left_panel(const struct band_round *r, char *packed, int32_t rows, int b, int32_t s) {
    return tiles_left(&r->cells,
                      packed + (size_t)b * (size_t)tiles_parts(rows, BLOCK) * TILES_SQUARE, s);
}

static char *scratch_of(const struct band_round *r) {
    return r->c->scratch + (size_t)omp_get_thread_num() * sizes_of(r->bands).scratch;
}

/* Closes the square on the diagonal and packs it as a left operand. */
static void close_square(const struct band_round *r) {
    const struct closure_bands *const c = r->c;
    const struct min_plus *const kernel = r->cells.kernel;
    const int32_t size = r->bands->size;
    tiles_load(&r->cells, first_row(r->bands, r->band), first_pivot(r), size, size, c->square);
    /* No progress: the square takes too little time for reports and stops. */
    closure_find(kernel, c->square, (size_t)size, pivots(r), c->threads, c->inner, NULL);
    for (int b = 0; b < blocks_in(r); b++) {
        for (int32_t s = 0; s < size / kernel->rows; s++) {
            const size_t at = (size_t)s * (size_t)kernel->rows * (size_t)size + (size_t)b * BLOCK;
            kernel->pack_left(c->square + tiles_bytes(&r->cells, at), (size_t)size, pivots_in(r, b),
                              left_panel(r, c->square_left, size, b, s));
        }
    }
}

/* Updates panel p of the band by a product with the square. */
static void update_panel(const struct band_round *r, int32_t p, char *scratch) {
    const struct min_plus *const kernel = r->cells.kernel;
    const int32_t size = r->bands->size, row = first_row(r->bands, r->band);
    const int32_t column = p * kernel->width;
    const size_t line = tiles_bytes(&r->cells, (size_t)kernel->width);
    char *const updated = right_panel(r, p, 0), *const before = scratch;
    tiles_load(&r->cells, row, column, size, kernel->width, updated);
    memcpy(before, updated, (size_t)size * line);
    for (int b = 0; b < blocks_in(r); b++) {
        const char *const right = before + (size_t)b * BLOCK * line;
        for (int32_t s = 0; s < tiles_parts(pivots(r), kernel->rows); s++)
            kernel->multiply(left_panel(r, r->c->square_left, size, b, s), right, pivots_in(r, b),
                             updated + (size_t)s * (size_t)kernel->rows * line,
                             (size_t)kernel->width, right);
    }
    tiles_store(&r->cells, row, column, pivots(r), kernel->width, updated);
}

/* Updates the band and packs it. The band's owner calls this when all earlier rounds have updated
 * the band. */
static void update_band(const struct band_round *r) {
    const int32_t panels = tiles_parts(r->bands->n, r->cells.kernel->width);
    close_square(r);
#pragma omp parallel for num_threads(r->c->threads) schedule(dynamic)
    for (int32_t p = 0; p < panels; p++) {
        if (progress_goes_on(r->progress))
            update_panel(r, p, scratch_of(r));
    }
    const bool stops = !progress_goes_on(r->progress) || claims_stopped(r->ranks);
    memset(r->right + right_size(r), stops, LINE);
}

static bool stops(const struct band_round *r) {
    return r->right[right_size(r)] != 0;
}

/* Packs the pivots' columns in own rows. */
static void pack_columns(const struct band_round *r) {
    const struct min_plus *const kernel = r->cells.kernel;
    const int32_t rows = r->cells.rows;
#pragma omp parallel for num_threads(r->c->threads) schedule(static)
    for (int32_t s = 0; s < tiles_parts(rows, kernel->rows); s++) {
        char *const loaded = scratch_of(r);
        for (int b = 0; b < blocks_in(r); b++) {
            tiles_load(&r->cells, s * kernel->rows, first_pivot(r) + b * BLOCK, kernel->rows, BLOCK,
                       loaded);
            kernel->pack_left(loaded, BLOCK, pivots_in(r, b),
                              left_panel(r, r->c->left, rows, b, s));
        }
    }
}

/* Updates TASK_COLUMNS columns of a block of own rows. */
static void multiply(const struct band_round *r, int32_t block, int32_t task, char *scratch) {
    const struct min_plus *const kernel = r->cells.kernel;
    const int32_t n = r->bands->n, rows = r->cells.rows;
    const int32_t last_left = tiles_parts(tiles_least((block + 1) * BLOCK, rows), kernel->rows);
    const int32_t last_right =
        tiles_parts(tiles_least((task + 1) * TASK_COLUMNS, n), kernel->width);
    const size_t tile = tiles_bytes(&r->cells, (size_t)kernel->rows * (size_t)kernel->width);
    for (int32_t p = task * TASK_COLUMNS / kernel->width; p < last_right; p++) {
        for (int b = 0; b < blocks_in(r); b++) {
            /* The next panel, which is prefetched, lies behind this one. */
            const char *next = right_panel(r, p, b + 1);
            for (int32_t s = block * BLOCK / kernel->rows; s < last_left; s++, next += tile)
                tiles_multiply(&r->cells, left_panel(r, r->c->left, rows, b, s),
                               right_panel(r, p, b), pivots_in(r, b), s, p, scratch, next);
        }
    }
}

/* Updates blocks first .. last - 1 of own rows. */
static void update_rows(const struct band_round *r, int32_t first, int32_t last) {
    const int32_t across = tiles_parts(r->bands->n, TASK_COLUMNS), down = last - first;
    const int64_t tasks = (int64_t)across * down;
    if (down <= 0)
        return;
#pragma omp parallel for num_threads(r->c->threads) schedule(dynamic)
    for (int64_t t = 0; t < tasks; t++) {
        if (omp_get_thread_num() == 0)
            ranks_copy_help(r->ranks);
        if (progress_goes_on(r->progress))
            multiply(r, first + (int32_t)(t % down), (int32_t)(t / down), scratch_of(r));
    }
}

/* The blocks of own rows that belong to the band begin at first_block and end before end_block;
 * both are equal if another process owns the band. */
static int32_t first_block(const struct band_round *r) {
    return first_row(r->bands, r->band) / BLOCK;
}

static int32_t end_block(const struct band_round *r) {
    return first_block(r) + (is_own(r) ? blocks_in(r) : 0);
}

static enum status copy_begin(const struct band_round *r, struct error *err) {
    return ranks_copy_begin(r->ranks, owner_of(r->bands, r->band), r->right, right_size(r) + LINE,
                            err);
}

/* Updates own rows by the band. The owner of the next band updates that band first and begins to
 * send it, because all others wait for it. */
static enum status do_round(const struct band_round *r, struct error *err) {
    const int32_t end = tiles_parts(r->cells.rows, BLOCK);
    const bool is_last = r->band + 1 == band_count(r->bands);
    const struct band_round next = round_of(r, r->band + 1);
    int32_t done = end_block(r); /* the rows of the band need no update */
    if (!is_last && !is_own(&next))
        RETURN_ON_FAILURE(copy_begin(&next, err));
    pack_columns(r);
    if (!is_last && is_own(&next)) {
        update_rows(r, first_block(&next), end_block(&next));
        update_band(&next);
        RETURN_ON_FAILURE(copy_begin(&next, err));
        done = end_block(&next);
    }
    update_rows(r, 0, first_block(r));
    update_rows(r, done, end);
    return is_last ? STATUS_OK : ranks_copy_end(r->ranks, err);
}

enum status closure_bands_find(const struct closure_bands *c, const struct min_plus *kernel,
                               void *cells, size_t ld, const struct ranks *ranks,
                               struct progress *progress, struct error *err) {
    const struct bands *const bands = &c->bands;
    const int32_t count = band_count(bands);
    const struct band_round all = {.c = c,
                                   .bands = bands,
                                   .cells = {kernel, cells, ld, bands_rows(bands), bands->n},
                                   .ranks = ranks,
                                   .progress = progress};
    struct band_round r = round_of(&all, 0);
    if (is_own(&r))
        update_band(&r);
    RETURN_ON_FAILURE(copy_begin(&r, err));
    RETURN_ON_FAILURE(ranks_copy_end(ranks, err));
    for (;;) {
        if (stops(&r))
            return progress_cancelled(err);
        RETURN_ON_FAILURE(do_round(&r, err));
        if (!progress_report(progress, r.band + 1, count))
            claims_stop(ranks);
        if (r.band + 1 == count)
            return progress_goes_on(progress) ? STATUS_OK : progress_cancelled(err);
        r = round_of(&all, r.band + 1);
    }
}
