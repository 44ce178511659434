// SPDX-License-Identifier: MIT
/* How several takers of an answer share its rows out. */
#include "common/solve/delivery.h"

#include "common/ranks/transport.h"
#include "tests/unit/support.h"

static const enum delivery_part parts[] = {DELIVERY_HALF, DELIVERY_THREE_QUARTERS};

static void test_parts(void) {
    CU_ASSERT_EQUAL(delivery_share(801, 4, DELIVERY_HALF, 1, 1000), 101);
    CU_ASSERT_EQUAL(delivery_share(801, 4, DELIVERY_THREE_QUARTERS, 1, 1000), 151);
    CU_ASSERT_EQUAL(delivery_share(801, 1, DELIVERY_THREE_QUARTERS, 1, 1000), 601);
    /* in whole units, but at most so many */
    CU_ASSERT_EQUAL(delivery_share(801, 4, DELIVERY_HALF, 64, 1000), 128);
    CU_ASSERT_EQUAL(delivery_share(801, 4, DELIVERY_THREE_QUARTERS, 64, 1000), 192);
    CU_ASSERT_EQUAL(delivery_share(801, 4, DELIVERY_THREE_QUARTERS, 64, 190), 190);
    CU_ASSERT_EQUAL(delivery_share(1, 8, DELIVERY_HALF, 64, 1000), 64);
    CU_ASSERT_EQUAL(delivery_share(1, 8, DELIVERY_THREE_QUARTERS, 64, 7), 7);
    CU_ASSERT_EQUAL(delivery_share(INT32_MAX, 1, DELIVERY_THREE_QUARTERS, 4096, INT32_MAX),
                    1610612736);
    CU_ASSERT_EQUAL(delivery_share(INT32_MAX, 1, DELIVERY_HALF, INT32_MAX, INT32_MAX), INT32_MAX);
}

/* Takers in turn take all rows, and the last takes no more than a unit. */
static void test_ends_together(void) {
    enum { ROWS = 100000, UNIT = 64 };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        for (int takers = 2; takers <= 32; takers *= 2) {
            int32_t left = ROWS, last = ROWS, turns = 0;
            while (left > 0) {
                const int32_t share = delivery_share(left, takers, parts[p], UNIT, ROWS);
                CU_ASSERT(share <= last && share % UNIT == 0);
                last = share;
                left -= share;
                turns++;
            }
            CU_ASSERT_EQUAL(last, UNIT);
            CU_ASSERT(turns > takers);
        }
    }
}

static uint64_t words[16];

static int open_words(size_t count) {
    CU_ASSERT_FATAL(count <= sizeof words / sizeof *words);
    for (size_t k = 0; k < count; k++)
        words[k] = 0;
    return 0;
}

static int or_word(size_t word, uint64_t bits, uint64_t *before) {
    *before = words[word];
    words[word] |= bits;
    return 0;
}

static int add_to_word(size_t word, uint64_t number, uint64_t *before) {
    *before = words[word];
    words[word] += number;
    return 0;
}

static int close_words(void) {
    return 0;
}

static int meet(void *data, size_t size, int rank) {
    (void)data, (void)size, (void)rank;
    return 0;
}

static int have_met(int *done) {
    *done = 1;
    return 0;
}

/* Processes claim by the same rule. */
static void test_processes(void) {
    enum { ROWS = 500, UNIT = 8, MOST = 200 };
    static const struct ranks_transport transport = {.version = RANKS_TRANSPORT_VERSION,
                                                     .meet = meet,
                                                     .test = have_met,
                                                     .words_open = open_words,
                                                     .words_or = or_word,
                                                     .words_add = add_to_word,
                                                     .words_close = close_words};
    const struct ranks three = {.count = 3, .transport = &transport};
    const struct delivery d = {.ranks = &three};
    struct error err;
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        int32_t claimed = 0, first, count;
        CU_ASSERT_EQUAL_FATAL(ranks_claims_open(&three, ROWS, &err), STATUS_OK);
        while (claimed < ROWS) {
            const int32_t left = ROWS - claimed;
            const int32_t share = delivery_share(left, three.count, parts[p], UNIT, MOST);
            count = delivery_claims_next(&d, parts[p], UNIT, MOST, &first);
            CU_ASSERT_FATAL(count > 0);
            CU_ASSERT_EQUAL(first, claimed);
            CU_ASSERT_EQUAL(count, share < left ? share : left);
            claimed += count;
        }
        CU_ASSERT_EQUAL(delivery_claims_next(&d, parts[p], UNIT, MOST, &first), 0);
        CU_ASSERT_EQUAL(ranks_claims_close(&three, &err), STATUS_OK);
    }
}

CU_TestInfo delivery_tests[] = {
    {"parts of a share", test_parts},
    {"all takers end at about the same time", test_ends_together},
    {"processes claim by the same rule", test_processes},
    CU_TEST_INFO_NULL,
};
