// SPDX-License-Identifier: MIT
/* One of two processes that divide rows, each with a GPU, on the shim. The other one is a transport
 * here, which says what this process says and claims rows between its claims. Two real processes
 * are tests/e2e/test_gpu_ranks.py's. */
#include "cuda_runtime_api.h" // the shim's controls
#include "dissection/gpu/gpu.h"
#include "elimination/order.h"    // order_is_available
#include "engines/sparse_model.h" // cuda_sparse_others
#include "engines/sparse_variants.h"
#include "ranks/claims.h"
#include "ranks/transport.h"
#include "tests/unit/support.h"
#include "tests/unit/transfers.h"

#include <stdlib.h>
#include <string.h>

enum { N = 300, AT_A_TIME = 64 };

/* The bytes that this process sent last, and whether the other process is on another host. */
static char said[1024];
static size_t said_size;
static bool elsewhere;
static bool fails_there; /* the other process fails once this one has claimed rows */

static struct ranks_note question;
static bool asked, stops;
static int64_t next; /* next number to claim */
/* How often each row was taken, and each number was claimed by the other process. */
static int taken[N], claimed_there[N];

static int say(void *data, size_t size, int to) {
    (void)to;
    said_size = size < sizeof said ? size : sizeof said;
    memcpy(said, data, said_size);
    return 0;
}

static int hear(void *data, size_t size, int from) {
    (void)from;
    for (size_t k = 0; k < size; k++)
        ((char *)data)[k] = said[k % said_size];
    if (elsewhere && size > said_size) /* the data of both processes */
        ((char *)data)[0] ^= 1;
    return 0;
}

/* The claims of rank 0: this process asks; after its claim, the other process claims, unless that
 * one fails. */
static int post(int to, const struct ranks_note *note, int *posted) {
    CU_ASSERT(to == 0 && note->kind == NOTE_CLAIM);
    question = *note;
    *posted = asked = true;
    return 0;
}

static int take_note(int *from, struct ranks_note *note) {
    const int64_t left = N - next;
    *from = asked || stops ? 0 : -1;
    if (!asked) {
        *note = (struct ranks_note){.kind = NOTE_STOP, .round = question.round};
        stops = false;
        return 0;
    }
    asked = false;
    stops = fails_there;
    const struct claims_size size = {(enum claims_part)question.word[0], question.word[1],
                                     question.word[2]};
    const int64_t share = left > 0 ? claims_share(left, 2, &size) : 0;
    const int64_t got = share < left ? share : left;
    *note = (struct ranks_note){.kind = NOTE_CLAIMED, .round = question.round, .word = {next, got}};
    next += got;
    for (int k = 0; k < AT_A_TIME && next < N; k++)
        claimed_there[next++]++;
    return 0;
}

static const struct ranks_transport transport = {.version = RANKS_TRANSPORT_VERSION,
                                                 .send = say,
                                                 .copy = hear,
                                                 .meet = hear,
                                                 .test = transfer_is_done,
                                                 .post = post,
                                                 .take = take_note};
static const struct ranks second = {.rank = 1,
                                    .count = 2,
                                    .rank_here = 1,
                                    .count_here = 2,
                                    .host = "host",
                                    .transport = &transport};

/* Compares rows with the answer to the whole graph. */
static struct matrix expected;

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    (void)self, (void)err;
    for (int32_t r = 0; r < block->count; r++) {
        taken[block->position[r]]++;
        CU_ASSERT_EQUAL(
            memcmp(block->dist[r], matrix_row(&expected, block->source[r]), N * sizeof(int32_t)),
            0);
    }
    return STATUS_OK;
}

static void keep_memory(void *context, const struct gpu_memory *memory) {
    *(struct gpu_memory *)context = *memory;
}

/* Solves on a GPU with that number of bytes, which the other process uses too unless it is
 * elsewhere. */
static enum status solve_here(const char *variant, size_t bytes, struct gpu_memory *memory,
                              struct error *err) {
    struct random random = {51};
    struct graph g = random_graph(&random, N, 1, WEIGHTS_POSITIVE);
    struct matrix pred;
    struct row_sink sink = {.take = take};
    const struct solver_options options = {
        .ranks = &second, .rows = AT_A_TIME, .on_memory = keep_memory, .callback_context = memory};
    struct delivery delivery = {
        .graph = &g, .sources = {NULL, N}, .limit = NO_LIMIT, .sink = &sink, .ranks = &second};
    const struct solver_task task = {.graph = &g,
                                     .delivery = &delivery,
                                     .limit = NO_LIMIT,
                                     .repetitions = 1,
                                     .options = &options};
    const struct cuda_dissection_options sizes = {.leaf = 8, .middle = 30, .most = N};
    struct cuda_dissection_report report;
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    memset(taken, 0, sizeof taken);
    memset(claimed_there, 0, sizeof claimed_there);
    solve_reference(&g, &expected, &pred);
    cuda_shim_set_memory(bytes);
    CU_ASSERT_EQUAL_FATAL(delivery_open(&delivery, 1, err), STATUS_OK);
    next = 0;
    asked = stops = false;
    CU_ASSERT_EQUAL_FATAL(claims_open(&second, N, err), STATUS_OK);
    const struct solver_variant *const found = solver_find(&cuda_sparse_solver, variant);
    const enum status status =
        strcmp(variant, "dissection") == 0
            ? cuda_dissection_solve(&cuda_sparse_others, &task, &sizes, &report, &times, err)
            : found->solve(found, &task, &times, err);
    delivery_close(&delivery);
    cuda_shim_set_memory((size_t)1 << 30);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    matrix_free(&expected);
    matrix_free(&pred);
    graph_free(&g);
    return status;
}

/* Each row is solved by one process, and both solve some. The numbers that `dissection` claims are
 * in the order of elimination. */
static void test_rows(void) {
    static const char *const variants[] = {"multisource", "queued", "auto", "dissection"};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        struct gpu_memory memory;
        struct error err = {0};
        const bool in_order = strcmp(variants[v], "dissection") != 0;
        int here = 0, there = 0;
        if (!in_order && !order_is_available())
            continue;
        CU_ASSERT_EQUAL(solve_here(variants[v], (size_t)1 << 30, &memory, &err), STATUS_OK);
        for (int32_t p = 0; p < N; p++) {
            CU_ASSERT(in_order ? taken[p] + claimed_there[p] == 1 : taken[p] <= 1);
            here += taken[p];
            there += claimed_there[p];
        }
        CU_ASSERT(here + there == N && here >= AT_A_TIME && there >= AT_A_TIME);
    }
}

/* Two processes on a GPU have half of its memory each; memory that suffices for one is too little
 * for two. */
static void test_memory(void) {
    enum { BYTES = 90 << 20, FEW_BYTES = 1 << 20 };
    struct gpu_memory memory;
    struct error err = {0};
    CU_ASSERT_EQUAL(solve_here("queued", (size_t)1 << 30, &memory, &err), STATUS_OK);
    CU_ASSERT(memory.free == (size_t)1 << 29 && memory.all == (size_t)1 << 30);
    CU_ASSERT_EQUAL(solve_here("queued", BYTES, &memory, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "0.04 GiB of its 0.09 GiB are free for each of 2 "
                                            "processes: at most "));
    elsewhere = true;
    CU_ASSERT_EQUAL(solve_here("queued", BYTES, &memory, &err), STATUS_OK);
    CU_ASSERT_EQUAL(memory.free, BYTES);
    elsewhere = false;
    if (!order_is_available())
        return;
    CU_ASSERT_EQUAL(solve_here("dissection", FEW_BYTES, &memory, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "GPU 0: allocating "));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, " are free for each of 2 processes"));
}

/* The other process fails while this one solves its first block, so that the block may be garbage.
 */
static void test_failure_elsewhere(void) {
    static const char *const variants[] = {"multisource", "queued", "auto"};
    fails_there = true;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        struct gpu_memory memory;
        struct error err = {0};
        CU_ASSERT_EQUAL(solve_here(variants[v], (size_t)1 << 30, &memory, &err), STATUS_OK);
        for (int32_t p = 0; p < N; p++)
            CU_ASSERT_EQUAL(taken[p], 0);
    }
    fails_there = false;
}

CU_TestInfo gpu_ranks_tests[] = {
    {"rows of two processes", test_rows},
    {"a GPU of two processes", test_memory},
    {"a failure of the other process", test_failure_elsewhere},
    CU_TEST_INFO_NULL,
};
