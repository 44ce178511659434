// SPDX-License-Identifier: MIT
/* Rows that several processes share: how they are dealt out, and the closure by bands against that
 * of a whole matrix. Several processes are tests/e2e/test_ranks.py's. */
#include "common/base/memory.h"      // memory_free
#include "cpu/parts/closure.h"       // closure_find
#include "cpu/parts/closure_bands.h" // closure_bands_find
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

/* Every row has one owner, who has it in one place. */
static void test_places(void) {
    for (int owners = 1; owners <= 7; owners++) {
        for (int32_t n = 1; n <= 9000; n += n < 700 ? 23 : 997) {
            int32_t rows = 0;
            bool right = true;
            for (int own = 0; own < owners; own++) {
                const struct bands bands = bands_choose(n, owners, own);
                rows += bands_rows(&bands);
                for (int32_t k = 0; k < bands_rows(&bands); k++) {
                    const int32_t row = bands_row(&bands, k);
                    right = right && row < n && bands_place(&bands, row) == k;
                    for (int other = 0; other < owners; other++) {
                        const struct bands theirs = bands_choose(n, owners, other);
                        right = right && (other == own) == (bands_place(&theirs, row) >= 0);
                    }
                }
            }
            CU_ASSERT(right);
            CU_ASSERT_EQUAL(rows, n);
        }
    }
}

/* Bands are as high as fast products want, but shares are equal. */
static void test_sizes(void) {
    CU_ASSERT_EQUAL(bands_choose(100000, 4, 0).size, 4 * MIN_PLUS_BLOCK);
    CU_ASSERT_EQUAL(bands_choose(8000, 4, 0).size, 3 * MIN_PLUS_BLOCK); /* 28 bands */
    CU_ASSERT_EQUAL(bands_choose(7 * MIN_PLUS_BLOCK, 7, 0).size, MIN_PLUS_BLOCK);
    const struct bands none = bands_choose(2 * MIN_PLUS_BLOCK, 7, 6);
    CU_ASSERT_EQUAL(bands_rows(&none), 0);
}

static void *lengths(struct random *random, bool wide, int32_t n, size_t ld) {
    const size_t cell = wide ? sizeof(int32_t) : sizeof(uint16_t);
    void *const cells = aligned_alloc(64, ((size_t)n * ld * cell + 63) / 64 * 64);
    CU_ASSERT_PTR_NOT_NULL_FATAL(cells);
    for (size_t c = 0; c < (size_t)n * ld; c++) {
        const bool itself = c / ld == c % ld, edge = random_in(random, 1, n) < 5;
        const int32_t length = itself ? 0 : edge ? random_in(random, 0, 300) : wide ? INF : INF16;
        if (wide)
            ((int32_t *)cells)[c] = length;
        else
            ((uint16_t *)cells)[c] = (uint16_t)length;
    }
    return cells;
}

static bool same(const struct min_plus *kernel, const char *a, const char *b, int32_t n,
                 size_t ld) {
    for (size_t i = 0; i < (size_t)n; i++) {
        if (memcmp(a + i * ld * kernel->cell_size, b + i * ld * kernel->cell_size,
                   (size_t)n * kernel->cell_size) != 0)
            return false;
    }
    return true;
}

static void check_closure(enum isa isa, bool wide, int32_t n, int32_t size, int threads) {
    const struct min_plus *const kernel =
        wide ? min_plus_kernels(isa)->wide : min_plus_kernels(isa)->narrow;
    const struct bands bands = {n, size, 1, 0};
    const size_t ld = ((size_t)n + 31) / 32 * 32;
    struct random random = {(uint64_t)n}, again = {(uint64_t)n};
    char *const whole = lengths(&random, wide, n, ld), *const banded = lengths(&again, wide, n, ld);
    struct closure_bands c = {0};
    void *workspace = NULL;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(closure_workspace(&workspace, n, threads, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(closure_bands_open(&c, &bands, threads, &err), STATUS_OK);
    closure_find(kernel, whole, ld, n, threads, workspace, NULL);
    CU_ASSERT_EQUAL(closure_bands_find(&c, kernel, banded, ld, &ranks_alone, NULL, &err),
                    STATUS_OK);
    CU_ASSERT(same(kernel, whole, banded, n, ld));
    closure_bands_close(&c);
    memory_free(workspace);
    free(whole);
    free(banded);
}

static void test_closure(void) {
    static const int32_t sizes[] = {1, 5, 95, 96, 97, 191, 193, 385, 500};
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes && isa_is_supported((enum isa)isa);
             s++) {
            for (int wide = 0; wide <= 1; wide++) {
                check_closure((enum isa)isa, wide, sizes[s], MIN_PLUS_BLOCK, 1 + isa);
                check_closure((enum isa)isa, wide, sizes[s], 2 * MIN_PLUS_BLOCK, 1);
            }
        }
    }
}

/* A closure that is told to stop, at once or in its last round, fails and does not pass garbage off
 * as a result. */
static bool refuse_last(void *context, int64_t done, int64_t total) {
    (void)context;
    return done < total;
}

static void test_stop(void) {
    const struct min_plus *const kernel = min_plus_kernels(ISA_PORTABLE)->wide;
    struct random random = {5};
    for (int at_once = 0; at_once <= 1; at_once++) {
        const struct bands bands = {200, MIN_PLUS_BLOCK, 1, 0};
        struct progress progress = {.on_report = refuse_last, .stopped = at_once};
        struct closure_bands c = {0};
        struct error err;
        void *const cells = lengths(&random, true, 200, 208);
        CU_ASSERT_EQUAL_FATAL(closure_bands_open(&c, &bands, 2, &err), STATUS_OK);
        CU_ASSERT_EQUAL(closure_bands_find(&c, kernel, cells, 208, &ranks_alone, &progress, &err),
                        STATUS_CANCELLED);
        closure_bands_close(&c);
        free(cells);
    }
}

CU_TestInfo bands_tests[] = {
    {"every row has one place", test_places},
    {"heights of bands", test_sizes},
    {"closure by bands", test_closure},
    {"told to stop", test_stop},
    CU_TEST_INFO_NULL,
};
