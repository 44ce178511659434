// SPDX-License-Identifier: MIT
/* Rows that come from the device in chunks, on the shim: there a copy leaves garbage until it has
 * been waited for. */
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "cuda_runtime_api.h"         // the shim's controls
#include "gpu/gpu_download.h"
#include "tests/unit/support.h"

#include <string.h>

enum { LD = 160, MAX_ROWS = 130, ROW_BYTES = LD * sizeof(int32_t) };

/* "device" memory; each cell is a number made of its row, column and matrix */
static int32_t cells[2][MAX_ROWS * LD];

static void fill_cells(void) {
    for (int k = 0; k < 2; k++) {
        for (int32_t c = 0; c < MAX_ROWS * LD; c++)
            cells[k][c] = 2 * c + k;
    }
}

/* The answer to a graph of n vertices without edges, in memory. reversed: the first row is that of
 * the last vertex. */
struct answer {
    struct graph g;
    struct matrix dist, pred;
    struct matrix_sink sink;
    struct delivery delivery;
    int32_t source[MAX_ROWS];
    bool reversed;
};

static void begin_answer(struct answer *a, int32_t n, bool with_pred, bool reversed) {
    struct error err;
    a->g = graph_of(n, NULL, 0);
    a->dist = new_matrix(n);
    a->pred = new_matrix(n);
    a->reversed = reversed;
    for (int32_t p = 0; p < n; p++)
        a->source[p] = reversed ? n - 1 - p : p;
    memset(a->dist.cell, 0x5a, sizeof(int32_t) * (size_t)n * a->dist.ld);
    memset(a->pred.cell, 0x5a, sizeof(int32_t) * (size_t)n * a->pred.ld);
    matrix_sink_begin(&a->sink, &a->dist, with_pred ? &a->pred : NULL);
    a->delivery = (struct delivery){.graph = &a->g,
                                    .limit = NO_LIMIT,
                                    .sources = {reversed ? a->source : NULL, n},
                                    .with_pred = with_pred,
                                    .sink = &a->sink.sink};
    CU_ASSERT_EQUAL_FATAL(delivery_open(&a->delivery, 1, &err), STATUS_OK);
}

static void end_answer(struct answer *a) {
    delivery_close(&a->delivery);
    graph_free(&a->g);
    matrix_free(&a->dist);
    matrix_free(&a->pred);
}

/* Takes the rows in two parts. */
static enum status take(struct answer *a, bool by_vertex, size_t chunk_bytes, struct error *err) {
    const int32_t n = a->g.n, half = n / 2;
    struct gpu_download d;
    enum status status = STATUS_OK;
    TRY(gpu_download_open(&d, &a->delivery, LD, n, chunk_bytes, 2, err));
    TRY(delivery_begin(&a->delivery, 2, err));
    for (int part = half > 0 ? 0 : 1; part < 2; part++) {
        const size_t skipped = by_vertex || part == 0 ? 0 : (size_t)half * LD;
        const struct gpu_rows rows = {.dist = cells[0] + skipped,
                                      .pred = a->delivery.with_pred ? cells[1] + skipped : NULL,
                                      .first = part == 0 ? 0 : half,
                                      .count = part == 0 ? half : n - half,
                                      .by_vertex = by_vertex};
        TRY(gpu_download_take(&d, &rows, err));
    }
    TRY(delivery_end(&a->delivery, err));
cleanup:
    gpu_download_close(&d);
    return status;
}

/* Returns whether rows arrived: in the order of vertices if they were taken by vertex, otherwise in
 * that of the device. */
static bool arrived(const struct answer *a, const struct matrix *m, int number, bool by_vertex) {
    for (int32_t p = 0; p < m->n; p++) {
        const int32_t row = by_vertex && a->reversed ? m->n - 1 - p : p;
        for (int32_t j = 0; j < m->n; j++) {
            if (matrix_row(m, p)[j] != 2 * (row * LD + j) + number)
                return false;
        }
    }
    return true;
}

static void check_chunks(int32_t n, size_t chunk_bytes, bool with_pred, bool reversed,
                         bool by_vertex) {
    struct answer a;
    struct error err;
    begin_answer(&a, n, with_pred, reversed);
    CU_ASSERT_EQUAL(take(&a, by_vertex, chunk_bytes, &err), STATUS_OK);
    CU_ASSERT(arrived(&a, &a.dist, 0, by_vertex));
    CU_ASSERT(with_pred ? arrived(&a, &a.pred, 1, by_vertex)
                        : matrix_row(&a.pred, n - 1)[n - 1] == 0x5a5a5a5a);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    end_answer(&a);
}

static void test_every_chunk_size(void) {
    static const int32_t sizes[] = {1, 2, 3, 63, 64, MAX_ROWS};
    static const size_t rows[] = {0, 1, 2, 3, 32, 65, 1000}; /* 0: a chunk has no room for a row */
    fill_cells();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            for (int how = 0; how < 8; how++)
                check_chunks(sizes[s], rows[r] * ROW_BYTES + 9, how & 1, how & 2, how & 4);
        }
    }
}

/* Without pinned memory the rows arrive all the same. Any other failure is reported, and no copy is
 * left running. */
static void test_failures(void) {
    enum { PINNING = 1 /* number of the call that pins memory */ };
    int call = 1;
    fill_cells();
    for (bool failed = true; failed; call++) {
        struct answer a;
        struct error err = {0};
        begin_answer(&a, MAX_ROWS, true, false);
        cuda_shim_fail_after(call);
        const enum status status = take(&a, false, 30 * ROW_BYTES, &err);
        failed = cuda_shim_fail_after(0) == 0;
        const bool without = call == PINNING || !failed;
        CU_ASSERT_EQUAL(status, without ? STATUS_OK : STATUS_NO_RESOURCE);
        CU_ASSERT_EQUAL(arrived(&a, &a.dist, 0, false) && arrived(&a, &a.pred, 1, false), without);
        CU_ASSERT_EQUAL(strstr(err.text, "unknown error") == NULL, without);
        CU_ASSERT_EQUAL(cuda_shim_pending(), 0);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        end_answer(&a);
    }
    /* 9 chunks of two matrices, each copied twice, recorded and waited for */
    CU_ASSERT(call > 9 * 4);
}

static enum status refuse_row_40(struct row_sink *self, const struct row_block *block,
                                 struct error *err) {
    (void)self;
    for (int32_t r = 0; r < block->count; r++) {
        if (block->position[r] == 40)
            return fail(err, STATUS_REFUTED, "row 40");
        CU_ASSERT(block->position[r] < 50); /* the rows behind are not wanted */
    }
    return STATUS_OK;
}

/* Chunks after the one in which a sink fails are not copied. */
static void test_sink_failing(void) {
    struct answer a;
    struct error err;
    struct row_sink sink = {.take = refuse_row_40};
    fill_cells();
    begin_answer(&a, MAX_ROWS, false, false);
    a.delivery.sink = &sink;
    CU_ASSERT_EQUAL(take(&a, false, 10 * ROW_BYTES, &err), STATUS_REFUTED);
    CU_ASSERT_STRING_EQUAL(err.text, "row 40");
    CU_ASSERT_EQUAL(cuda_shim_pending(), 0);
    end_answer(&a);
}

CU_TestInfo gpu_download_tests[] = {
    {"chunks of every size", test_every_chunk_size},
    {"every CUDA call failing", test_failures},
    {"a sink that fails", test_sink_failing},
    CU_TEST_INFO_NULL,
};
