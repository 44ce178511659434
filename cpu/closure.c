/* For every block of MIN_PLUS_BLOCK pivots:
 *
 *     phase 1   closes the diagonal block (one thread; 1/n of the work of phase 3 or less)
 *     phase 2   updates the pivots' rows and columns by a product with it and packs them
 *     phase 3   updates all other cells by products of what is packed
 *
 * with a barrier after each. Rows and columns of the pivots are left out of phase 3. A task of
 * phase 3 is a block of rows by several blocks of columns: its operands stay in the second-level
 * cache, a panel of the right one in the first. */
#include "cpu/closure.h"

#include "common/memory.h" // memory_alloc
#include "cpu/shares.h"    // share_take

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = MIN_PLUS_BLOCK, TASK_COLUMNS = 4 * BLOCK };

struct closure {
    const struct min_plus *kernel;
    char *cells;
    size_t ld;
    int32_t n;
    int64_t tasks, tasks_across; /* of phase 3: in all, in a row of tasks */
    char *diagonal;              /* the block of phase 1, then packed as either operand */
    char *diagonal_left, *diagonal_right;
    char *left, *right; /* the pivots' columns and rows, packed */
    struct share *shares;
};

/* A thread's part in a round. */
struct worker {
    const struct closure *c;
    int32_t first;        /* pivot */
    int depth;            /* number of pivots */
    char *block, *packed; /* BLOCK x BLOCK cells each, for operands before phase 2 and edges */
};

static int least(int a, int b) {
    return a < b ? a : b;
}

static size_t bytes_of(const struct closure *c, size_t cells) {
    return cells * c->kernel->cell_size;
}

static char *cell_at(const struct closure *c, int32_t i, int32_t j) {
    return c->cells + bytes_of(c, (size_t)i * c->ld + (size_t)j);
}

/* Strips and panels are numbered from the upper left; each is BLOCK deep in memory. */
static char *strip(const struct closure *c, char *packed, int32_t number) {
    return packed + bytes_of(c, (size_t)number * (size_t)c->kernel->rows * BLOCK);
}

static char *panel(const struct closure *c, char *packed, int32_t number) {
    return packed + bytes_of(c, (size_t)number * (size_t)c->kernel->width * BLOCK);
}

static int32_t parts(int32_t whole, int part) {
    return (whole + part - 1) / part;
}

/* Copies the cells from (i, j) on that the matrix has, and "no path" for the others. */
static void load(const struct closure *c, int32_t i, int32_t j, int rows, int columns, char *to) {
    const size_t pitch = bytes_of(c, (size_t)columns);
    const int inside_rows = least(rows, c->n - i), inside_columns = least(columns, c->n - j);
    if (inside_rows < rows || inside_columns < columns)
        c->kernel->clear(to, (size_t)rows * (size_t)columns);
    for (int r = 0; r < inside_rows; r++)
        memcpy(to + (size_t)r * pitch, cell_at(c, i + r, j), bytes_of(c, (size_t)inside_columns));
}

static void store(const struct closure *c, int32_t i, int32_t j, int rows, int columns,
                  const char *from) {
    const size_t pitch = bytes_of(c, (size_t)columns);
    const int inside_rows = least(rows, c->n - i), inside_columns = least(columns, c->n - j);
    for (int r = 0; r < inside_rows; r++)
        memcpy(cell_at(c, i + r, j), from + (size_t)r * pitch, bytes_of(c, (size_t)inside_columns));
}

static void phase_1(const struct worker *w) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->kernel;
    load(c, w->first, w->first, BLOCK, BLOCK, c->diagonal);
    kernel->close(c->diagonal, w->depth);
    store(c, w->first, w->first, BLOCK, BLOCK, c->diagonal);
    for (int32_t s = 0; s < BLOCK / kernel->rows; s++)
        kernel->pack_left(strip(c, c->diagonal, s), BLOCK, w->depth, strip(c, c->diagonal_left, s));
    const size_t width = bytes_of(c, (size_t)kernel->width), pitch = bytes_of(c, BLOCK);
    for (int32_t p = 0; p < BLOCK / kernel->width; p++) {
        for (int k = 0; k < BLOCK; k++)
            memcpy(panel(c, c->diagonal_right, p) + (size_t)k * width,
                   c->diagonal + (size_t)k * pitch + (size_t)p * width, width);
    }
}

/* Whether a strip or panel that starts here is of the pivots' rows or columns. */
static bool is_pivot(const struct worker *w, int32_t start) {
    return start >= w->first && start < w->first + BLOCK;
}

static void phase_2_panel(const struct worker *w, int32_t p) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->kernel;
    const int32_t j = p * kernel->width;
    char *const updated = panel(c, c->right, p);
    if (is_pivot(w, j))
        return;
    load(c, w->first, j, BLOCK, kernel->width, w->block);
    memcpy(updated, w->block, bytes_of(c, (size_t)kernel->width * BLOCK));
    for (int32_t s = 0; s < parts(w->depth, kernel->rows); s++)
        kernel->multiply(strip(c, c->diagonal_left, s), w->block, w->depth,
                         updated +
                             bytes_of(c, (size_t)s * (size_t)kernel->rows * (size_t)kernel->width),
                         (size_t)kernel->width);
    store(c, w->first, j, w->depth, kernel->width, updated);
}

static void phase_2_strip(const struct worker *w, int32_t s) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->kernel;
    const int32_t i = s * kernel->rows;
    if (is_pivot(w, i))
        return;
    load(c, i, w->first, kernel->rows, BLOCK, w->block);
    kernel->pack_left(w->block, BLOCK, w->depth, w->packed);
    for (int32_t p = 0; p < parts(w->depth, kernel->width); p++)
        kernel->multiply(w->packed, panel(c, c->diagonal_right, p), w->depth,
                         w->block + bytes_of(c, (size_t)p * (size_t)kernel->width), BLOCK);
    kernel->pack_left(w->block, BLOCK, w->depth, strip(c, c->left, s));
    store(c, i, w->first, kernel->rows, BLOCK, w->block);
}

static void phase_3_tile(const struct worker *w, int32_t s, int32_t p) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->kernel;
    const int32_t i = s * kernel->rows, j = p * kernel->width;
    const char *const left = strip(c, c->left, s), *const right = panel(c, c->right, p);
    if (i + kernel->rows <= c->n && j + kernel->width <= c->n) {
        kernel->multiply(left, right, w->depth, cell_at(c, i, j), c->ld);
        return;
    }
    load(c, i, j, kernel->rows, kernel->width, w->block);
    kernel->multiply(left, right, w->depth, w->block, (size_t)kernel->width);
    store(c, i, j, kernel->rows, kernel->width, w->block);
}

static void phase_3_task(const struct worker *w, int64_t task) {
    const struct closure *c = w->c;
    const struct min_plus *kernel = c->kernel;
    const int32_t i = (int32_t)(task / c->tasks_across) * BLOCK;
    const int32_t j = (int32_t)(task % c->tasks_across) * TASK_COLUMNS;
    if (is_pivot(w, i))
        return;
    const int32_t last_strip = parts(least(i + BLOCK, c->n), kernel->rows);
    const int32_t last_panel = parts(least(j + TASK_COLUMNS, c->n), kernel->width);
    for (int32_t p = j / kernel->width; p < last_panel; p++) {
        for (int32_t s = i / kernel->rows; s < last_strip && !is_pivot(w, p * kernel->width); s++)
            phase_3_tile(w, s, p);
    }
}

/* All rounds, as thread `thread` of `threads`. */
static void work(const struct closure *c, char *scratch, int thread, int threads,
                 struct progress *progress) {
    struct worker w = {.c = c, .block = scratch, .packed = scratch + bytes_of(c, BLOCK * BLOCK)};
    for (w.first = 0; w.first < c->n; w.first += BLOCK) {
        w.depth = least(BLOCK, c->n - w.first);
#pragma omp single
        phase_1(&w);
#pragma omp for schedule(static) nowait
        for (int32_t p = 0; p < parts(c->n, c->kernel->width); p++)
            phase_2_panel(&w, p);
        share_reset(c->shares, c->tasks, thread, threads);
#pragma omp for schedule(static)
        for (int32_t s = 0; s < parts(c->n, c->kernel->rows); s++)
            phase_2_strip(&w, s);
        int helped = 0;
        int64_t task;
        while (share_take(c->shares, c->tasks, thread, threads, &helped, &task))
            phase_3_task(&w, task);
#pragma omp barrier
        if (thread == 0)
            progress_report(progress, parts(w.first + w.depth, BLOCK), parts(c->n, BLOCK));
    }
}

enum status closure_find(const struct min_plus *kernel, void *cells, size_t ld, int32_t n,
                         int threads, struct progress *progress, struct error *err) {
    struct closure c = {.kernel = kernel, .cells = cells, .ld = ld, .n = n};
    c.tasks_across = parts(n, TASK_COLUMNS);
    c.tasks = parts(n, BLOCK) * c.tasks_across;
    threads = (int)(threads < c.tasks ? threads : c.tasks);

    const size_t square = bytes_of(&c, BLOCK * BLOCK);
    const size_t operand = (size_t)parts(n, BLOCK) * square;
    void *memory, *shares;
    enum status status = memory_alloc(&memory, 2 * operand + (3 + 2 * (size_t)threads) * square, 1,
                                      "packed operands", err);
    if (status != STATUS_OK)
        return status;
    status = memory_alloc(&shares, (size_t)threads, sizeof *c.shares, "the threads' shares", err);
    if (status == STATUS_OK) {
        c.shares = shares;
        c.left = memory;
        c.right = c.left + operand;
        c.diagonal = c.right + operand;
        c.diagonal_left = c.diagonal + square;
        c.diagonal_right = c.diagonal_left + square;
        char *const scratch = c.diagonal_right + square;
#pragma omp parallel num_threads(threads)
        {
            const int thread = omp_get_thread_num();
            work(&c, scratch + (size_t)thread * 2 * square, thread, omp_get_num_threads(),
                 progress);
        }
        free(shares);
    }
    free(memory);
    return status;
}
