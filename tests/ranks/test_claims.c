// SPDX-License-Identifier: MIT
/* How ranks share numbers out. The others are a transport here; real processes are
 * tests/e2e/test_ranks.py's. */
#include "ranks/claims.h"

#include "ranks/link.h"
#include "tests/unit/support.h"
#include "tests/unit/transfers.h"

#include <string.h>

enum { RANKS = 4, NUMBERS = 1000 };

static const enum claims_part parts[] = {CLAIMS_HALF, CLAIMS_THREE_QUARTERS};

static int64_t share(int64_t left, int takers, enum claims_part part, int64_t unit, int64_t most) {
    const struct claims_size size = {.part = part, .unit = unit, .most = most};
    return claims_share(left, takers, &size);
}

static void test_parts(void) {
    CU_ASSERT_EQUAL(share(801, 4, CLAIMS_HALF, 1, 1000), 101);
    CU_ASSERT_EQUAL(share(801, 4, CLAIMS_THREE_QUARTERS, 1, 1000), 151);
    CU_ASSERT_EQUAL(share(801, 1, CLAIMS_THREE_QUARTERS, 1, 1000), 601);
    /* whole units, up to the limit */
    CU_ASSERT_EQUAL(share(801, 4, CLAIMS_HALF, 64, 1000), 128);
    CU_ASSERT_EQUAL(share(801, 4, CLAIMS_THREE_QUARTERS, 64, 1000), 192);
    CU_ASSERT_EQUAL(share(801, 4, CLAIMS_THREE_QUARTERS, 64, 190), 190);
    CU_ASSERT_EQUAL(share(1, 8, CLAIMS_HALF, 64, 1000), 64);
    CU_ASSERT_EQUAL(share(1, 8, CLAIMS_THREE_QUARTERS, 64, 7), 7);
    CU_ASSERT_EQUAL(share(INT32_MAX, 1, CLAIMS_THREE_QUARTERS, 4096, INT32_MAX), 1610612736);
    CU_ASSERT_EQUAL(share(INT32_MAX, 1, CLAIMS_HALF, INT32_MAX, INT32_MAX), INT32_MAX);
}

/* Takers take all rows in turn, and the last one takes no more than a unit. */
static void test_ends_together(void) {
    enum { ROWS = 100000, UNIT = 64 };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        for (int takers = 2; takers <= 32; takers *= 2) {
            int32_t left = ROWS, last = ROWS, turns = 0;
            while (left > 0) {
                const int32_t now = (int32_t)share(left, takers, parts[p], UNIT, ROWS);
                CU_ASSERT(now <= last && now % UNIT == 0);
                last = now;
                left -= now;
                turns++;
            }
            CU_ASSERT_EQUAL(last, UNIT);
            CU_ASSERT(turns > takers);
        }
    }
}

/* The last note posted to each rank, by kind, and the note on its way here. */
static struct ranks_note posted[RANKS][NOTE_KINDS], coming;
static int posts[RANKS][NOTE_KINDS], comes_from, busy;

static int post(int to, const struct ranks_note *note, int *is_posted) {
    *is_posted = busy == 0;
    busy -= busy > 0;
    if (*is_posted) {
        posted[to][note->kind] = *note;
        posts[to][note->kind]++;
    }
    return 0;
}

static int take(int *from, struct ranks_note *note) {
    *note = coming;
    *from = comes_from;
    comes_from = -1;
    return 0;
}

/* Rank 0 answers the question of rank 1 at once. */
static int take_answer(int *from, struct ranks_note *note) {
    const struct ranks_note *const question = &posted[0][NOTE_CLAIM];
    *from = -1;
    if (posts[0][NOTE_CLAIM] == 0)
        return 0;
    posts[0][NOTE_CLAIM] = 0;
    *note = (struct ranks_note){
        .kind = NOTE_CLAIMED, .round = question->round, .word = {100, question->word[1]}};
    *from = 0;
    return 0;
}

static const struct ranks_transport at_first = {.version = RANKS_TRANSPORT_VERSION,
                                                .meet = transfer_at_once,
                                                .test = transfer_is_done,
                                                .post = post,
                                                .take = take};
static const struct ranks_transport at_second = {.version = RANKS_TRANSPORT_VERSION,
                                                 .meet = transfer_at_once,
                                                 .test = transfer_is_done,
                                                 .post = post,
                                                 .take = take_answer};
static const struct ranks first = {.count = RANKS, .transport = &at_first};
static const struct ranks second = {.rank = 1, .count = RANKS, .transport = &at_second};
static const struct claims_size tens = {.part = CLAIMS_HALF, .unit = 10, .most = NUMBERS};

static void open(const struct ranks *ranks) {
    struct error err;
    memset(posts, 0, sizeof posts);
    comes_from = -1;
    busy = 0;
    CU_ASSERT_EQUAL_FATAL(claims_open(ranks, NUMBERS, &err), STATUS_OK);
}

/* Hands a note of rank `from` to this rank. */
static void give(const struct ranks *ranks, int from, enum ranks_note_kind kind, uint32_t round) {
    coming = (struct ranks_note){.kind = kind, .round = round, .word = {CLAIMS_HALF, 10, NUMBERS}};
    bool any;
    comes_from = from;
    CU_ASSERT_EQUAL(link_listen(ranks, &any), 0);
    CU_ASSERT_TRUE(any);
}

/* Returns the number of the round of claims that was opened last. */
static uint32_t round_now(void) {
    int64_t number;
    open(&second);
    CU_ASSERT_EQUAL(claims_next(&second, &tens, &number), 10);
    return posted[0][NOTE_CLAIM].round;
}

/* Rank 0 claims and answers other ranks: numbers are consecutive until none is left. */
static void test_rank_0(void) {
    const uint32_t round = round_now() + 1;
    int64_t next = 0, number, got;
    open(&first);
    for (int turn = 0; next < NUMBERS; turn++) {
        const int64_t expected = claims_share(NUMBERS - next, RANKS, &tens);
        if (turn % 2 == 0) {
            got = claims_next(&first, &tens, &number);
        } else {
            busy = 3; /* the last note has not been received yet */
            give(&first, 2, NOTE_CLAIM, round);
            number = posted[2][NOTE_CLAIMED].word[0];
            got = posted[2][NOTE_CLAIMED].word[1];
        }
        CU_ASSERT_EQUAL_FATAL(number, next);
        CU_ASSERT_EQUAL_FATAL(got, expected < NUMBERS - next ? expected : NUMBERS - next);
        next += got;
    }
    CU_ASSERT_EQUAL(claims_next(&first, &tens, &number), 0);
    give(&first, 2, NOTE_CLAIM, round);
    CU_ASSERT_EQUAL(posted[2][NOTE_CLAIMED].word[1], 0);
}

static void test_other_rank(void) {
    int64_t number;
    open(&second);
    CU_ASSERT_EQUAL(claims_next(&second, &tens, &number), 10);
    CU_ASSERT_EQUAL(number, 100);
    CU_ASSERT_EQUAL(posted[0][NOTE_CLAIM].word[0], CLAIMS_HALF);
    CU_ASSERT_EQUAL(posted[0][NOTE_CLAIM].word[2], NUMBERS);
}

/* Rank 0 passes a stop on to every other rank once, and tries again if it cannot post the note. */
static void test_stop(void) {
    const uint32_t round = round_now() + 1;
    int64_t number;
    open(&first);
    give(&first, 3, NOTE_STOP, round - 1); /* a note of an earlier round */
    CU_ASSERT_FALSE(claims_stopped(&first));
    CU_ASSERT_EQUAL(claims_tell(&first), 0);
    CU_ASSERT_EQUAL(posts[1][NOTE_STOP], 0);
    give(&first, 3, NOTE_STOP, round);
    CU_ASSERT_TRUE(claims_stopped(&first));
    CU_ASSERT_EQUAL(claims_next(&first, &tens, &number), 0);
    for (int times = 0; times < 5; times++) {
        busy = times == 0 ? 1 : 0;
        CU_ASSERT_EQUAL(claims_tell(&first), 0);
    }
    for (int rank = 0; rank < RANKS; rank++)
        CU_ASSERT_EQUAL(posts[rank][NOTE_STOP], rank > 0);

    open(&second); /* rank 0 tells the other ranks */
    claims_stop(&second);
    CU_ASSERT_EQUAL(claims_tell(&second), 0);
    CU_ASSERT_EQUAL(claims_next(&second, &tens, &number), 0);
    CU_ASSERT(posts[0][NOTE_STOP] == 1 && posts[2][NOTE_STOP] == 0);
    open(&second);
    CU_ASSERT_FALSE(claims_stopped(&second));
}

CU_TestInfo claims_tests[] = {
    {"parts of a share", test_parts},
    {"all takers end at about the same time", test_ends_together},
    {"rank 0 claims and answers", test_rank_0},
    {"another rank asks", test_other_rank},
    {"all are told to stop", test_stop},
    CU_TEST_INFO_NULL,
};
