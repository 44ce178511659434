// SPDX-License-Identifier: MIT
/* Blocked Floyd-Warshall. A round for every block of MIN_PLUS_BLOCK pivots:
 *
 *     phase 1   closes the diagonal block (one thread; some 2/n of all work)
 *     phase 2   updates the pivots' rows and columns by products with it and packs them
 *
 * and after every ROUNDS rounds
 *
 *     phase 3   updates all cells by products of what they packed
 *
 * with a barrier after each. So most cells come from memory once in ROUNDS rounds. Before phase 3
 * only the pivots' rows and columns are needed, and phases 1 and 2 first apply the products that
 * these lack since the last phase 3. A task of phase 3 is a block of rows by several blocks of
 * columns. Its operands stay in the second-level cache, and the right ones serve the tasks below it
 * in its band too; one panel and the cells that it updates stay in the first-level cache. */
#include "cpu/parts/closure.h"

#include "common/base/memory.h"      // memory_alloc, memory_prefer_huge_pages
#include "cpu/parts/tiles.h"         // struct tiles
#include "cpu/parts/work_stealing.h" // work_queue_take

#include <omp.h>
#include <string.h>

enum {
    BLOCK = MIN_PLUS_BLOCK,
    ROUNDS = 4,
    GROUP = MIN_PLUS_GROUP,
    TASK_COLUMNS = 4 * BLOCK,
    BAND = 8, /* tasks of one column that follow one another in a queue */
    SQUARE = TILES_SQUARE,
};

struct closure {
    struct tiles cells; /* n x n */
    int32_t n;
    int32_t tasks_down, tasks_across; /* tasks of phase 3; `tasks` is their product */
    int64_t tasks;
    char *diagonal; /* the block of phase 1; then the block packed as either operand */
    char *diagonal_left, *diagonal_right;
    char *left[ROUNDS], *right[ROUNDS]; /* packed columns and rows of each round's pivots */
    struct work_queue *queues;
    bool *stopped; /* the work is to stop; all threads read it at the same place */
};

/* The state of a thread in ROUNDS rounds, which share phase 3. */
struct closure_worker {
    const struct closure *c;
    int32_t start;        /* first pivot of the first round */
    int rounds;           /* number of rounds whose phase 2 is done */
    char *block, *packed; /* SQUARE bytes each: operands before phase 2, tiles at the border */
};

/* The first pivot vertex of a round. */
static int32_t first_pivot(const struct closure_worker *w, int round) {
    return w->start + round * BLOCK;
}

/* The number of pivot vertices of a round. */
static int pivots(const struct closure_worker *w, int round) {
    return tiles_least(BLOCK, w->c->n - first_pivot(w, round));
}

/* The first round whose product the rows (or columns) of the block that begins at `start` lack.
 * Rows of pivots have the products of their own round and of all rounds before. */
static int first_lacking(const struct closure_worker *w, int32_t start) {
    const int32_t round = (start - w->start) / BLOCK;
    return start >= w->start && round < w->rounds ? round + 1 : 0;
}

/* Updates the tile of left panel s and right panel p by the product of a round. next: see multiply
 * in min_plus.h. */
static void multiply_tile(const struct closure_worker *w, int round, int32_t s, int32_t p,
                          const char *next) {
    const struct tiles *const cells = &w->c->cells;
    tiles_multiply(cells, tiles_left(cells, w->c->left[round], s),
                   tiles_right(cells, w->c->right[round], p), pivots(w, round), s, p, w->block,
                   next);
}

/* Applies to rows x columns cells from (i, j) on the products that they lack. All rows are in one
 * block. */
static void catch_up(const struct closure_worker *w, int32_t i, int32_t j, int rows, int columns) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->cells.kernel;
    const int32_t last_left = tiles_parts(tiles_least(i + rows, c->n), kernel->rows);
    const int32_t last_right = tiles_parts(tiles_least(j + columns, c->n), kernel->width);
    const int rows_lack = first_lacking(w, i);
    const size_t tile = tiles_bytes(&c->cells, (size_t)kernel->rows * (size_t)kernel->width);
    for (int32_t p = j / kernel->width; p < last_right; p++) {
        const int columns_lack = first_lacking(w, p * kernel->width);
        const int first = rows_lack > columns_lack ? rows_lack : columns_lack;
        for (int round = first; round < w->rounds; round++) {
            /* While one right panel is multiplied by all left panels, the next right panel is
             * prefetched. */
            const char *next = round + 1 < w->rounds
                                   ? tiles_right(&c->cells, c->right[round + 1], p)
                                   : tiles_right(&c->cells, c->right[first], p + 1);
            for (int32_t s = i / kernel->rows; s < last_left; s++, next += tile)
                multiply_tile(w, round, s, p, next);
        }
    }
}

static void phase_1(const struct closure_worker *w) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->cells.kernel;
    const int32_t first = first_pivot(w, w->rounds);
    const int depth = pivots(w, w->rounds);
    catch_up(w, first, first, BLOCK, BLOCK);
    tiles_load(&c->cells, first, first, BLOCK, BLOCK, c->diagonal);
    kernel->close(c->diagonal, depth);
    tiles_store(&c->cells, first, first, BLOCK, BLOCK, c->diagonal);
    for (int32_t s = 0; s < BLOCK / kernel->rows; s++)
        kernel->pack_left(c->diagonal +
                              tiles_bytes(&c->cells, (size_t)s * (size_t)kernel->rows * BLOCK),
                          BLOCK, depth, tiles_left(&c->cells, c->diagonal_left, s));
    const size_t width = tiles_bytes(&c->cells, (size_t)kernel->width),
                 pitch = tiles_bytes(&c->cells, BLOCK);
    for (int32_t p = 0; p < BLOCK / kernel->width; p++) {
        for (int k = 0; k < BLOCK; k++)
            memcpy(tiles_right(&c->cells, c->diagonal_right, p) + (size_t)k * width,
                   c->diagonal + (size_t)k * pitch + (size_t)p * width, width);
    }
}

/* Returns whether the row or column `start` belongs to this round's pivots. */
static bool is_pivot(const struct closure_worker *w, int32_t start) {
    const int32_t first = first_pivot(w, w->rounds);
    return start >= first && start < first + BLOCK;
}

static void phase_2_panel(const struct closure_worker *w, int32_t p) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->cells.kernel;
    const int32_t first = first_pivot(w, w->rounds), j = p * kernel->width;
    const int depth = pivots(w, w->rounds);
    char *const updated = tiles_right(&c->cells, c->right[w->rounds], p);
    if (is_pivot(w, j))
        return;
    catch_up(w, first, j, BLOCK, kernel->width);
    tiles_load(&c->cells, first, j, BLOCK, kernel->width, w->block);
    memcpy(updated, w->block, tiles_bytes(&c->cells, (size_t)kernel->width * BLOCK));
    for (int32_t s = 0; s < tiles_parts(depth, kernel->rows); s++)
        kernel->multiply(tiles_left(&c->cells, c->diagonal_left, s), w->block, depth,
                         updated + tiles_bytes(&c->cells, (size_t)s * (size_t)kernel->rows *
                                                              (size_t)kernel->width),
                         (size_t)kernel->width, w->block);
    tiles_store(&c->cells, first, j, depth, kernel->width, updated);
}

/* Does phase 2 for GROUP rows: a right panel is in a cache while it is multiplied by all left
 * panels of these rows. */
static void phase_2_group(const struct closure_worker *w, int32_t group) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->cells.kernel;
    const int32_t first = first_pivot(w, w->rounds), i = group * GROUP;
    const int depth = pivots(w, w->rounds);
    const int panels = tiles_parts(tiles_least(GROUP, c->n - i), kernel->rows);
    const size_t pitch =
        tiles_bytes(&c->cells, (size_t)kernel->rows * BLOCK); /* bytes between left panels */
    if (is_pivot(w, i))
        return;
    catch_up(w, i, first, GROUP, BLOCK);
    tiles_load(&c->cells, i, first, GROUP, BLOCK, w->block);
    for (int s = 0; s < panels; s++)
        kernel->pack_left(w->block + (size_t)s * pitch, BLOCK, depth,
                          tiles_left(&c->cells, w->packed, s));
    for (int p = 0; p < tiles_parts(depth, kernel->width); p++) {
        char *const cells = w->block + tiles_bytes(&c->cells, (size_t)p * (size_t)kernel->width);
        for (int s = 0; s < panels; s++)
            kernel->multiply(tiles_left(&c->cells, w->packed, s),
                             tiles_right(&c->cells, c->diagonal_right, p), depth,
                             cells + (size_t)s * pitch, BLOCK, cells);
    }
    for (int s = 0; s < panels; s++)
        kernel->pack_left(w->block + (size_t)s * pitch, BLOCK, depth,
                          tiles_left(&c->cells, c->left[w->rounds], i / kernel->rows + s));
    tiles_store(&c->cells, i, first, GROUP, BLOCK, w->block);
}

/* Tasks are numbered band by band, and column by column in a band. */
static void phase_3_task(const struct closure_worker *w, int64_t task) {
    const struct closure *c = w->c;
    const int64_t in_band = (int64_t)BAND * c->tasks_across;
    const int32_t top = (int32_t)(task / in_band) * BAND, place = (int32_t)(task % in_band);
    const int32_t down = tiles_least(BAND, c->tasks_down - top);
    catch_up(w, (top + place % down) * BLOCK, place / down * TASK_COLUMNS, BLOCK, TASK_COLUMNS);
}

/* Does all rounds as thread `thread` of `threads`. Threads may learn at different times that they
 * are to stop, and skip their work from then on. All threads leave in phase 1, so that all have met
 * at the same barriers. */
static void work(const struct closure *c, char *scratch, int thread, int threads,
                 struct progress *progress) {
    struct closure_worker w = {.c = c, .block = scratch, .packed = scratch + SQUARE};
    for (; w.start < c->n; w.start += ROUNDS * BLOCK) {
        work_queue_reset(c->queues, c->tasks, thread, threads);
        for (w.rounds = 0; w.rounds < ROUNDS && first_pivot(&w, w.rounds) < c->n; w.rounds++) {
#pragma omp single
            {
                *c->stopped = !progress_goes_on(progress);
                if (!*c->stopped)
                    phase_1(&w);
            }
            if (*c->stopped)
                return;
#pragma omp for schedule(static) nowait
            for (int32_t p = 0; p < tiles_parts(c->n, c->cells.kernel->width); p++) {
                if (progress_goes_on(progress))
                    phase_2_panel(&w, p);
            }
#pragma omp for schedule(static)
            for (int32_t g = 0; g < tiles_parts(c->n, GROUP); g++) {
                if (progress_goes_on(progress))
                    phase_2_group(&w, g);
            }
        }
        int helped = 0;
        int64_t task;
        while (work_queue_take(c->queues, c->tasks, thread, threads, &helped, &task)) {
            if (progress_goes_on(progress))
                phase_3_task(&w, task);
        }
#pragma omp barrier
        if (thread == 0)
            progress_report(progress, tiles_parts(w.start, BLOCK) + w.rounds,
                            tiles_parts(c->n, BLOCK));
    }
}

/* operand_bytes: bytes of one packed operand; operand_rounds: number of rounds with operands of
 * their own. */
static size_t operand_bytes(int32_t n) {
    return (size_t)tiles_parts(n, BLOCK) * SQUARE;
}

static int operand_rounds(int32_t n) {
    return tiles_least(ROUNDS, tiles_parts(n, BLOCK));
}

size_t closure_memory(int32_t n, int threads) {
    return 2 * (size_t)operand_rounds(n) * operand_bytes(n) + (3 + 2 * (size_t)threads) * SQUARE +
           (size_t)threads * sizeof(struct work_queue);
}

enum status closure_workspace(void **workspace, int32_t n, int threads, struct error *err) {
    enum { PAGE = 4096 };
    const size_t operand = operand_bytes(n);
    const int operands = 2 * operand_rounds(n);
    RETURN_ON_FAILURE(
        memory_alloc(workspace, closure_memory(n, threads), 1, "packed operands", err));
    char *const packed = *workspace;
    memory_prefer_huge_pages(packed, (size_t)operands * operand);
#pragma omp parallel num_threads(threads)
    for (int o = 0; o < operands; o++) {
#pragma omp for schedule(static) nowait
        for (size_t byte = 0; byte < operand; byte += PAGE)
            packed[(size_t)o * operand + byte] = 0;
    }
    return STATUS_OK;
}

void closure_find(const struct min_plus *kernel, void *cells, size_t ld, int32_t n, int threads,
                  void *workspace, struct progress *progress) {
    bool stopped = false;
    struct closure c = {.cells = {kernel, cells, ld, n, n}, .n = n, .stopped = &stopped};
    c.tasks_down = tiles_parts(n, BLOCK);
    c.tasks_across = tiles_parts(n, TASK_COLUMNS);
    c.tasks = (int64_t)c.tasks_down * c.tasks_across;
    char *next = workspace;
    for (int r = 0; r < operand_rounds(n); r++) {
        c.left[r] = next;
        c.right[r] = c.left[r] + operand_bytes(n);
        next = c.right[r] + operand_bytes(n);
    }
    c.diagonal = next;
    c.diagonal_left = c.diagonal + SQUARE;
    c.diagonal_right = c.diagonal_left + SQUARE;
    char *const scratch = c.diagonal_right + SQUARE;
    c.queues = (struct work_queue *)(void *)(scratch + 2 * (size_t)threads * SQUARE);
#pragma omp parallel num_threads(threads)
    {
        const int thread = omp_get_thread_num();
        work(&c, scratch + (size_t)thread * 2 * SQUARE, thread, omp_get_num_threads(), progress);
    }
}
