// SPDX-License-Identifier: MIT
/* Signs of life between ranks, second by second. The other ranks are a transport here; stopped
 * processes are tests/e2e/test_ranks.py's. */
#include "ranks/heartbeat.h"

#include "ranks/link.h"
#include "tests/unit/support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 4, TIMEOUT = 5, NOBODY = -2 };

/* Behaviour of the other ranks, and counts of events here. */
static bool alive[RANKS], waiting[RANKS];
static int beats[RANKS], fails_at, lost, lost_code, losses, stuck, unmet;
static atomic_int listens;

static int post(int to, const struct ranks_note *note, int *posted) {
    CU_ASSERT_EQUAL(note->kind, NOTE_ALIVE);
    *posted = 1;
    beats[to]++;
    waiting[to] = alive[to];
    return to == fails_at ? 7 : 0;
}

static int take(int *from, struct ranks_note *note) {
    *note = (struct ranks_note){.kind = NOTE_ALIVE};
    *from = -1;
    for (int rank = 0; rank < RANKS && *from < 0; rank++)
        *from = waiting[rank] ? rank : -1;
    if (*from >= 0)
        waiting[*from] = false;
    return 0;
}

static bool listen(void) {
    listens++;
    return false;
}

static void lose(int rank, int code) {
    lost = rank;
    lost_code = code;
    losses++;
}

static void be_stuck(void) {
    stuck++;
}

static void be_unmet(void) {
    unmet++;
}

static const struct ranks_transport transport = {
    .version = RANKS_TRANSPORT_VERSION, .post = post, .take = take};
static const struct heartbeat_events events = {be_unmet, listen, lose, be_stuck};

static struct ranks rank_of(int rank) {
    return (struct ranks){.rank = rank, .count = RANKS, .transport = &transport};
}

/* Returns a heartbeat without a thread: the test takes its turns. */
static struct heartbeat make(const struct ranks *ranks, int timeout) {
    for (int rank = 0; rank < RANKS; rank++) {
        alive[rank] = true;
        waiting[rank] = false;
        beats[rank] = 0;
    }
    fails_at = lost = NOBODY;
    losses = stuck = unmet = 0;
    return (struct heartbeat){.ranks = ranks,
                              .timeout = timeout,
                              .others = ranks->rank > 1,
                              .events = &events,
                              .silent = calloc(RANKS, sizeof(int)),
                              .told = -1};
}

/* Returns in which of `seconds` seconds a rank was lost; 0: in none. */
static int lost_in(struct heartbeat *h, int seconds) {
    link_set_taker(NOTE_ALIVE, heartbeat_hear, h);
    for (int second = 1; second <= seconds; second++) {
        CU_ASSERT_TRUE(heartbeat_turn(h));
        if (losses > 0)
            return second;
    }
    return 0;
}

static void test_silence(void) {
    const struct ranks first = rank_of(0), second = rank_of(1), third = rank_of(2);
    struct heartbeat h = make(&first, TIMEOUT);
    CU_ASSERT_EQUAL(lost_in(&h, 20), 0);
    CU_ASSERT_EQUAL(beats[0], 0);
    CU_ASSERT_EQUAL(beats[3], 20);
    alive[2] = false;
    CU_ASSERT_EQUAL(lost_in(&h, TIMEOUT), 0);
    alive[2] = true; /* just in time */
    CU_ASSERT_EQUAL(lost_in(&h, 20), 0);
    alive[2] = false;
    CU_ASSERT_EQUAL(lost_in(&h, 20), TIMEOUT + 1);
    CU_ASSERT_EQUAL(lost, 2);
    CU_ASSERT_EQUAL(lost_code, 0);
    free(h.silent);

    h = make(&second, TIMEOUT); /* rank 1 exchanges signs only with rank 0 */
    alive[0] = alive[2] = alive[3] = false;
    CU_ASSERT_EQUAL(lost_in(&h, 20), TIMEOUT + 1);
    CU_ASSERT_EQUAL(lost, 0);
    CU_ASSERT_EQUAL(beats[2], 0);
    free(h.silent);

    h = make(&third, TIMEOUT); /* rank 2 leaves it to rank 1 to end all */
    alive[0] = false;
    CU_ASSERT_TRUE(lost_in(&h, 60) > TIMEOUT + HEARTBEAT_GRACE);
    free(h.silent);
}

/* After a loss nothing is sent; if the process has not ended after the grace time, stuck() is
 * called, once. */
static void test_stuck(void) {
    const struct ranks first = rank_of(0);
    struct heartbeat h = make(&first, TIMEOUT);
    fails_at = 3;
    CU_ASSERT_EQUAL(lost_in(&h, 1), 1);
    CU_ASSERT_EQUAL(lost, 3);
    CU_ASSERT_EQUAL(lost_code, 7);
    for (int second = 1; second < HEARTBEAT_GRACE; second++)
        CU_ASSERT_TRUE(heartbeat_turn(&h));
    CU_ASSERT_EQUAL(stuck, 0);
    CU_ASSERT_FALSE(heartbeat_turn(&h));
    CU_ASSERT_EQUAL(stuck, 1);
    CU_ASSERT_EQUAL(losses, 1);
    CU_ASSERT_EQUAL(beats[1], 1);
    free(h.silent);
}

/* Another thread has found the link broken. The link stays broken, so this test has a process of
 * its own. */
static void test_broken(void) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        const struct ranks first = rank_of(0);
        struct heartbeat h = make(&first, TIMEOUT);
        struct error err;
        fail(&err, STATUS_NO_RESOURCE, "a message was cut");
        link_break(&err);
        const bool tells = lost_in(&h, 1) == 1 && lost == -1 && lost_code == 0 && beats[1] == 0;
        for (int second = 1; second < HEARTBEAT_GRACE; second++)
            (void)heartbeat_turn(&h);
        _exit(tells && !heartbeat_turn(&h) && stuck == 1 && losses == 1 ? 0 : 1);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
}

/* Another thread stays within the transport. */
static void test_locked_out(void) {
    const struct ranks first = rank_of(0);
    struct heartbeat h = make(&first, 1);
    pthread_mutex_lock(&link_lock);
    CU_ASSERT_EQUAL(lost_in(&h, 2), 2);
    pthread_mutex_unlock(&link_lock);
    CU_ASSERT_EQUAL(lost, -1);
    CU_ASSERT_EQUAL(beats[1], 0);
    free(h.silent);
}

/* Before the ranks have met, the lowest rank reports first. */
static void test_start(void) {
    for (int later = 0; later < 3; later++) {
        const struct ranks none = rank_of(0);
        struct heartbeat h = make(&none, TIMEOUT);
        h.ranks = NULL;
        h.others = later;
        const int patience = TIMEOUT + later * (HEARTBEAT_GRACE + 5);
        for (int second = 0; second < patience; second++)
            CU_ASSERT_TRUE(heartbeat_turn(&h));
        CU_ASSERT_EQUAL(unmet, 0);
        CU_ASSERT_FALSE(heartbeat_turn(&h));
        CU_ASSERT_EQUAL(unmet, 1);
        CU_ASSERT_EQUAL(losses + stuck, 0);
        free(h.silent);
    }
}

static void test_any_time(void) {
    const struct ranks first = rank_of(0);
    struct heartbeat h = make(&first, 0);
    alive[1] = false;
    CU_ASSERT_EQUAL(lost_in(&h, 1000), 0);
    CU_ASSERT_EQUAL(beats[2], 0);
    free(h.silent);
}

/* The thread uses the time that the ranks have agreed on. */
static void test_thread(void) {
    const struct ranks first = rank_of(0);
    struct heartbeat h = {.timeout = 100, .events = &events};
    struct error err;
    free(make(&first, 0).silent);
    CU_ASSERT_EQUAL(heartbeat_start(&h, &err), STATUS_OK);
    CU_ASSERT_EQUAL(heartbeat_watch(&h, &first, 200, &err), STATUS_OK);
    CU_ASSERT_EQUAL(h.timeout, 200);
    CU_ASSERT_EQUAL(h.others, 0);
    for (int waits = 0; atomic_load(&listens) == 0;)
        link_wait(&waits);
    heartbeat_stop(&h);
    heartbeat_stop(&h);
    CU_ASSERT_EQUAL(losses + stuck + unmet, 0);
}

static void test_timeout(void) {
    static const char *const wrong[] = {"x", "-1", "5s", "1000001", " 5", "99999999999999999999"};
    struct error err;
    int seconds;
    unsetenv("APSP_RANK_TIMEOUT");
    CU_ASSERT_EQUAL(heartbeat_timeout(&seconds, &err), STATUS_OK);
    CU_ASSERT_EQUAL(seconds, 120);
    setenv("APSP_RANK_TIMEOUT", "0", 1);
    CU_ASSERT_EQUAL(heartbeat_timeout(&seconds, &err), STATUS_OK);
    CU_ASSERT_EQUAL(seconds, 0);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv("APSP_RANK_TIMEOUT", wrong[k], 1);
        CU_ASSERT_EQUAL(heartbeat_timeout(&seconds, &err), STATUS_BAD_INPUT);
    }
    unsetenv("APSP_RANK_TIMEOUT");
}

CU_TestInfo heartbeat_tests[] = {
    {"ranks that give no sign of life", test_silence},
    {"a rank that cannot be reached, and no end", test_stuck},
    {"what another thread has found", test_broken},
    {"a thread within the transport", test_locked_out},
    {"ranks that do not meet", test_start},
    {"any time", test_any_time},
    {"its thread begins and ends", test_thread},
    {"the variable for the time-out", test_timeout},
    CU_TEST_INFO_NULL,
};
