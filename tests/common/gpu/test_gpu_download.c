// SPDX-License-Identifier: MIT
/* Results that come back in chunks, on the shim: there a copy leaves garbage
 * until it has been waited for. */
#include "common/gpu/gpu_download.h"
#include "cuda_runtime_api.h" // the shim's controls
#include "tests/unit/support.h"

#include <string.h>

enum { LD = 160, MAX_ROWS = 130, ROW_BYTES = LD * sizeof(int32_t) };

static int32_t cells[2][MAX_ROWS * LD]; /* "device" memory: row, column and matrix in one number */

/* What gpu_download uses of a solve. */
static struct gpu_matrices device_results(int32_t n) {
    struct gpu_matrices m = {.dist = cells[0], .pred = cells[1], .n = n, .order = n, .ld = LD};
    for (int k = 0; k < 2; k++) {
        for (int32_t c = 0; c < MAX_ROWS * LD; c++)
            cells[k][c] = 2 * c + k;
    }
    return m;
}

static bool arrived(const struct matrix *m, int number) {
    for (int32_t i = 0; i < m->n; i++) {
        for (int32_t j = 0; j < m->n; j++) {
            if (matrix_row(m, i)[j] != 2 * (i * LD + j) + number)
                return false;
        }
    }
    return true;
}

static void test_every_chunk_size(void) {
    static const int32_t sizes[] = {1, 2, 3, 63, 64, MAX_ROWS};
    static const size_t rows[] = {0, 1, 2, 3, 32, 65, 1000}; /* 0: not even one fits */
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct gpu_matrices m = device_results(sizes[s]);
        struct matrix dist = new_matrix(m.n), pred = new_matrix(m.n);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            struct error err;
            memset(dist.cell, 0x5a, sizeof(int32_t) * (size_t)dist.n * dist.ld);
            memset(pred.cell, 0x5a, sizeof(int32_t) * (size_t)pred.n * pred.ld);
            CU_ASSERT_EQUAL(gpu_download(&m, &dist, NULL, rows[r] * ROW_BYTES + 9, 2, &err),
                            STATUS_OK);
            CU_ASSERT(arrived(&dist, 0));
            CU_ASSERT_EQUAL(matrix_row(&pred, m.n - 1)[m.n - 1], 0x5a5a5a5a);
            CU_ASSERT_EQUAL(gpu_download(&m, &dist, &pred, rows[r] * ROW_BYTES + 9, 2, &err),
                            STATUS_OK);
            CU_ASSERT(arrived(&dist, 0) && arrived(&pred, 1));
        }
        matrix_free(&dist);
        matrix_free(&pred);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    }
}

/* Without pinned memory the results arrive all the same; any other failure is
 * reported, with nothing left under way. */
static void test_failures(void) {
    enum { PINNING = 1 /* the first call */ };
    struct gpu_matrices m = device_results(MAX_ROWS);
    struct matrix dist = new_matrix(m.n), pred = new_matrix(m.n);
    int call = 1;
    for (bool failed = true; failed; call++) {
        struct error err = {""};
        memset(dist.cell, 0x5a, sizeof(int32_t) * (size_t)dist.n * dist.ld);
        memset(pred.cell, 0x5a, sizeof(int32_t) * (size_t)pred.n * pred.ld);
        cuda_shim_fail_after(call);
        const enum status status = gpu_download(&m, &dist, &pred, 30 * ROW_BYTES, 2, &err);
        failed = cuda_shim_fail_after(0) == 0;
        const bool without = call == PINNING || !failed;
        CU_ASSERT_EQUAL(status, without ? STATUS_OK : STATUS_NO_RESOURCE);
        CU_ASSERT_EQUAL(arrived(&dist, 0) && arrived(&pred, 1), without);
        CU_ASSERT_EQUAL(strstr(err.text, "unknown error") == NULL, without);
        CU_ASSERT_EQUAL(cuda_shim_pending(), 0);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    }
    CU_ASSERT(call > 2 * 5 * 3); /* 5 chunks of each matrix: copied, recorded, waited for */
    matrix_free(&dist);
    matrix_free(&pred);
}

CU_TestInfo gpu_download_tests[] = {
    {"chunks of every size", test_every_chunk_size},
    {"every CUDA call failing", test_failures},
    CU_TEST_INFO_NULL,
};
