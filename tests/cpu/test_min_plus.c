// SPDX-License-Identifier: MIT
/* Instruction sets and their choice; min-plus products on each, against plain loops. */
#include "common/base/isa.h"
#include "cpu/parts/min_plus.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

static void test_choice(void) {
    struct error err;
    enum isa isa, best = ISA_PORTABLE;
    for (int k = 0; k < ISA_COUNT; k++) {
        const bool supported = isa_is_supported((enum isa)k);
        best = supported ? (enum isa)k : best;
        setenv("APSP_SIMD", isa_name((enum isa)k), 1);
        CU_ASSERT_EQUAL(isa_choose(&isa, &err), supported ? STATUS_OK : STATUS_NO_RESOURCE);
        CU_ASSERT(supported ? isa == (enum isa)k
                            : strstr(err.text, "expected instructions of this CPU") != NULL);
    }
    setenv("APSP_SIMD", "mmx", 1);
    CU_ASSERT_EQUAL(isa_choose(&isa, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "APSP_SIMD: expected portable"));
    setenv("APSP_SIMD", "", 1);
    CU_ASSERT_EQUAL(isa_choose(&isa, &err), STATUS_OK);
    CU_ASSERT_EQUAL(isa, best);
    unsetenv("APSP_SIMD");
    CU_ASSERT_EQUAL(isa_choose(&isa, &err), STATUS_OK);
    CU_ASSERT_EQUAL(isa, best);
}

/* Cells of either type, as 32-bit numbers. */

static int32_t get(const struct min_plus *kernel, const void *cells, size_t at) {
    return kernel->cell_size == sizeof(int32_t) ? ((const int32_t *)cells)[at]
                                                : ((const uint16_t *)cells)[at];
}

static void set(const struct min_plus *kernel, void *cells, size_t at, int32_t value) {
    if (kernel->cell_size == sizeof(int32_t))
        ((int32_t *)cells)[at] = value;
    else
        ((uint16_t *)cells)[at] = (uint16_t)value;
}

static int32_t no_path(const struct min_plus *kernel) {
    return kernel->cell_size == sizeof(int32_t) ? INF : INF16;
}

/* Any lengths, those near either end of the range and its middle as likely as others. */
static void *random_cells(struct random *random, const struct min_plus *kernel, size_t count) {
    const int32_t most = no_path(kernel);
    void *cells = aligned_alloc(64, (count * kernel->cell_size + 63) / 64 * 64);
    CU_ASSERT_PTR_NOT_NULL_FATAL(cells);
    for (size_t c = 0; c < count; c++) {
        const int32_t kind = random_in(random, 1, 4);
        set(kernel, cells, c,
            kind == 1   ? most - random_in(random, 0, 3)
            : kind == 2 ? random_in(random, 0, 3)
            : kind == 3 ? most / 2 + random_in(random, -2, 2)
                        : random_in(random, 0, most));
    }
    return cells;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void check_multiply(struct random *random, const struct min_plus *kernel, int depth) {
    const size_t ld = (size_t)kernel->width + 5;
    const size_t rows = (size_t)kernel->rows, width = (size_t)kernel->width;
    void *left = random_cells(random, kernel, rows * MIN_PLUS_BLOCK);
    int32_t *packed = aligned_alloc(64, rows * MIN_PLUS_BLOCK * sizeof *packed);
    CU_ASSERT_PTR_NOT_NULL_FATAL(packed);
    void *right = random_cells(random, kernel, width * MIN_PLUS_BLOCK);
    void *tile = random_cells(random, kernel, rows * ld);
    void *before = random_cells(random, kernel, rows * ld);
    memcpy(before, tile, rows * ld * kernel->cell_size);
    kernel->pack_left(left, MIN_PLUS_BLOCK, depth, packed);
    kernel->multiply(packed, right, depth, tile, ld, left);
    bool same = true;
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < ld; c++) {
            int32_t expected = get(kernel, before, r * ld + c);
            for (size_t k = 0; k < (size_t)depth && c < width; k++)
                expected = smaller(expected, get(kernel, left, r * MIN_PLUS_BLOCK + k) +
                                                 get(kernel, right, k * width + c));
            same = same && get(kernel, tile, r * ld + c) == expected;
        }
    }
    CU_ASSERT(same);
    free(left);
    free(packed);
    free(right);
    free(tile);
    free(before);
}

static void check_close(struct random *random, const struct min_plus *kernel, int size) {
    const size_t side = MIN_PLUS_BLOCK;
    void *block = random_cells(random, kernel, side * side);
    for (size_t v = 0; v < side; v++)
        set(kernel, block, v * side + v, 0);
    void *expected = aligned_alloc(64, side * side * kernel->cell_size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(expected);
    memcpy(expected, block, side * side * kernel->cell_size);
    for (size_t k = 0; k < (size_t)size; k++) {
        for (size_t i = 0; i < side; i++) {
            for (size_t j = 0; j < side; j++)
                set(kernel, expected, i * side + j,
                    smaller(get(kernel, expected, i * side + j),
                            get(kernel, expected, i * side + k) +
                                get(kernel, expected, k * side + j)));
        }
    }
    kernel->close(block, size);
    CU_ASSERT_EQUAL(memcmp(block, expected, side * side * kernel->cell_size), 0);
    free(block);
    free(expected);
}

static void check_widen(struct random *random, const struct min_plus *kernel, int count) {
    enum { MAX_N = 70, AFTER = -5 };
    void *cells = random_cells(random, kernel, MAX_N);
    int32_t to[MAX_N + 1], largest = random_in(random, 0, no_path(kernel) / 2);
    to[count] = AFTER;
    const int32_t returned = kernel->widen(cells, (size_t)count, to, largest);
    for (int c = 0; c < count; c++) {
        const int32_t cell = get(kernel, cells, (size_t)c);
        CU_ASSERT_EQUAL(to[c], cell < no_path(kernel) ? cell : INF);
        if (cell < no_path(kernel) && cell > largest)
            largest = cell;
    }
    CU_ASSERT_EQUAL(returned, largest);
    CU_ASSERT_EQUAL(to[count], AFTER);
    free(cells);
}

static void check_kernel(const struct min_plus *kernel) {
    static const int sizes[] = {1, 2, 7, 8, 9, 31, 48, 95, 96};
    struct random random = {1};
    CU_ASSERT_EQUAL_FATAL(MIN_PLUS_BLOCK % kernel->rows, 0);
    CU_ASSERT_EQUAL_FATAL(MIN_PLUS_BLOCK % kernel->width, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        check_multiply(&random, kernel, sizes[s]);
        check_close(&random, kernel, sizes[s]);
    }
    void *cells = random_cells(&random, kernel, 70);
    kernel->clear(cells, 69);
    for (size_t c = 0; c < 69; c++)
        CU_ASSERT_EQUAL(get(kernel, cells, c), no_path(kernel));
    free(cells);
    for (int count = 0; count < 70; count++)
        check_widen(&random, kernel, count);
}

static void test_kernels(void) {
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_is_supported((enum isa)isa))
            continue;
        check_kernel(min_plus_kernels((enum isa)isa)->narrow);
        check_kernel(min_plus_kernels((enum isa)isa)->wide);
    }
}

CU_TestInfo min_plus_tests[] = {
    {"choice of an instruction set", test_choice},
    {"min-plus products on every instruction set", test_kernels},
    CU_TEST_INFO_NULL,
};
