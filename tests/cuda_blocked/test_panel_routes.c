// SPDX-License-Identifier: MIT
/* Panels between ranks by messages, as rank 1 of 2 sees it on the shim: the other rank is a
 * transport here. And a rank alone with what stands for NCCL (tests/nccl_stub). Two real processes,
 * by either route, are tests/e2e/test_gpu_ranks.py's. */
#include "cuda_blocked/parts/panel_routes.h"

#include "cuda_runtime_api.h" // the shim's controls
#include "ranks/transport.h"
#include "tests/unit/support.h"
#include "tests/unit/transfers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Panels of N vertices are one segment of block_sizes.panel_bytes, those of LARGE two. */
enum { N = 600, LARGE = 1200, STEPS = 5, OWN = 1, RANKS = 2, LINE = 64, IDENTIFIER = 128 };

/* The byte that fills the panels which the other rank sends, and whether that rank says to stop;
 * the bytes of a panel that this rank has sent, and whether this one said to stop. */
static unsigned char theirs;
static bool stops_there;
static unsigned char *sent;
static size_t sent_size;
static bool stopped_here;
static int copies, copies_from[RANKS];

/* The number of copies from here after which the GPU fails; 0: never. */
static int fails_after;

static int copy_begin(void *data, size_t size, int from) {
    if (size <= LINE || size == IDENTIFIER) /* an agreement: the others say what this one does */
        return 0;
    if (from == OWN && fails_after > 0 && --fails_after == 0)
        cuda_shim_lose_after(1);
    copies++;
    copies_from[from]++;
    if (from == OWN) {
        memcpy(sent + sent_size, data, size - LINE);
        sent_size += size - LINE;
        stopped_here = *(bool *)((char *)data + size - LINE);
    } else {
        memset(data, theirs, size - LINE);
        *(bool *)((char *)data + size - LINE) = stops_there;
    }
    return 0;
}

static const struct ranks_transport transport = {.version = RANKS_TRANSPORT_VERSION,
                                                 .send = transfer_at_once,
                                                 .copy = copy_begin,
                                                 .test = transfer_is_done};
static const struct ranks second = {
    .rank = OWN, .count = RANKS, .rank_here = OWN, .count_here = RANKS, .transport = &transport};

struct fixture {
    struct panel_end end;
    struct panels panels;
    size_t bytes; /* of a panel */
};

static void open_fixture_of(struct fixture *f, int32_t n, const struct ranks *ranks,
                            bool shares_gpu) {
    struct panel_end *const end = &f->end;
    struct error err;
    memset(f, 0, sizeof *f);
    CU_ASSERT_EQUAL(cudaSetDevice(end->device), cudaSuccess);
    end->part = spread_part_of(SPREAD_INT32, n, ranks->count, ranks->rank);
    CU_ASSERT_FATAL(end->part.tiles >= STEPS);
    CU_ASSERT_EQUAL(cudaMalloc(&end->part.memory, spread_bytes(&end->part)), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamCreateWithFlags(&end->copies, cudaStreamNonBlocking), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventCreate(&end->panel), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventRecord(end->panel, NULL), cudaSuccess);
    for (int k = 0; k < PANELS_KEPT; k++) {
        CU_ASSERT_EQUAL(cudaEventCreate(&end->arrived[k]), cudaSuccess);
        CU_ASSERT_EQUAL(cudaEventCreate(&end->done[k]), cudaSuccess);
    }
    f->bytes = spread_panel_bytes(&end->part);
    f->panels = (struct panels){.end = {end}, .count = 1, .ranks = ranks, .shares_gpu = shares_gpu};
    CU_ASSERT_EQUAL_FATAL(panels_open(&f->panels, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(panels_make_room(&f->panels, f->bytes, &err), STATUS_OK);
    sent = calloc(STEPS, f->bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sent);
    copies = copies_from[0] = copies_from[1] = 0;
    sent_size = 0;
    stops_there = stopped_here = false;
}

static void open_fixture(struct fixture *f) {
    open_fixture_of(f, N, &second, true);
}

static void close_fixture(struct fixture *f) {
    struct panel_end *const end = &f->end;
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    panels_close(&f->panels);
    cudaFree(end->part.memory);
    cudaStreamDestroy(end->copies);
    cudaEventDestroy(end->panel);
    for (int k = 0; k < PANELS_KEPT; k++) {
        cudaEventDestroy(end->arrived[k]);
        cudaEventDestroy(end->done[k]);
    }
    free(sent);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
}

/* Finds the stub beside the folder of this program; it is not built with it. */
static bool find_nccl(char *path, size_t size) {
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    CU_ASSERT_FATAL(length > 0);
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    return snprintf(path, size, "%s/../shim/libnccl.so.2", program) < (int)size &&
           access(path, F_OK) == 0;
}

/* Returns whether all bytes of a panel are `byte`. */
static bool holds(const void *panel, size_t size, unsigned char byte) {
    bool same = true;
    for (size_t k = 0; k < size; k++)
        same &= ((const unsigned char *)panel)[k] == byte;
    return same;
}

static void check_brought(int32_t n, int segments) {
    struct fixture f;
    struct error err;
    open_fixture_of(&f, n, &second, true);
    for (int32_t step = 0; step < STEPS; step++) {
        void *const panel = spread_panel(&f.end.part, step);
        const bool is_own = step % RANKS == OWN;
        const unsigned char byte = (unsigned char)(17 * step + 3);
        theirs = byte;
        sent_size = 0;
        CU_ASSERT_EQUAL(cudaMemset(panel, is_own ? byte : 0, f.bytes), cudaSuccess);
        CU_ASSERT_EQUAL(panels_bring(&f.panels, step, &err), STATUS_OK);
        CU_ASSERT_EQUAL(cudaEventSynchronize(f.end.arrived[step % PANELS_KEPT]), cudaSuccess);
        CU_ASSERT(holds(panel, f.bytes, byte));
        if (is_own)
            CU_ASSERT(holds(sent, f.bytes, byte) && !stopped_here && sent_size == f.bytes);
        CU_ASSERT_EQUAL(cudaEventRecord(f.end.done[step % PANELS_KEPT], NULL), cudaSuccess);
        CU_ASSERT_EQUAL(panels_wait_done(&f.panels, &f.end, step, &err), STATUS_OK);
    }
    CU_ASSERT(copies_from[0] == 3 * segments && copies_from[OWN] == 2 * segments);
    close_fixture(&f);
}

/* Panels of both ranks in turn; each message is another one than the last but one. */
static void test_brought(void) {
    check_brought(N, 1);
    check_brought(LARGE, 2);
}

/* The other rank has failed: nothing is expected of it any more. */
static void test_failure_elsewhere(void) {
    struct fixture f;
    struct error err;
    open_fixture(&f);
    stops_there = true;
    CU_ASSERT_EQUAL(panels_bring(&f.panels, 0, &err), STATUS_CANCELLED);
    panels_abandon(&f.panels, STEPS);
    CU_ASSERT_EQUAL(copies, 1);
    close_fixture(&f);
}

/* This rank fails, before or after a step's panel has come: it says so by the next panel that it
 * owes, and takes no part in later ones. */
static void test_own_failure(void) {
    for (int32_t brought = 0; brought < STEPS; brought++) {
        struct fixture f;
        struct error err;
        open_fixture(&f);
        for (int32_t step = 0; step < brought; step++)
            CU_ASSERT_EQUAL(panels_bring(&f.panels, step, &err), STATUS_OK);
        panels_abandon(&f.panels, STEPS);
        const bool owes = brought < 4; /* steps 1 and 3 are its own */
        CU_ASSERT_EQUAL(copies, owes ? (brought < 2 ? 2 : 4) : STEPS);
        CU_ASSERT_EQUAL(stopped_here, owes);
        close_fixture(&f);
    }
}

/* It fails at its GPU between two segments of a panel: the second segment says so. */
static void test_failure_in_panel(void) {
    struct fixture f;
    struct error err;
    open_fixture_of(&f, LARGE, &second, true);
    CU_ASSERT_EQUAL(panels_bring(&f.panels, 0, &err), STATUS_OK);
    fails_after = 1;
    CU_ASSERT_EQUAL(panels_bring(&f.panels, OWN, &err), STATUS_NO_RESOURCE);
    cuda_shim_lose_after(0);
    CU_ASSERT_FALSE(stopped_here);
    panels_abandon(&f.panels, STEPS);
    CU_ASSERT(stopped_here && copies == 4);
    close_fixture(&f);
}

/* Another size of panels for other cells, and another matrix. */
static void test_again(void) {
    struct fixture f;
    struct error err;
    open_fixture(&f);
    for (int turn = 0; turn < 2; turn++) {
        panels_restart(&f.panels);
        for (int32_t step = 0; step < 3; step++)
            CU_ASSERT_EQUAL(panels_bring(&f.panels, step, &err), STATUS_OK);
        CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        CU_ASSERT_EQUAL(panels_make_room(&f.panels, f.bytes, &err), STATUS_OK);
    }
    panels_abandon(&f.panels, 3);
    CU_ASSERT_EQUAL(copies, 6);
    close_fixture(&f);
}

/* NCCL's copies may wait for other ranks, also those from here. */
static void test_sent_by_nccl(void) {
    static const struct ranks alone = {.count = 1, .count_here = 1, .transport = &transport};
    struct fixture f;
    struct error err;
    char path[PATH_MAX];
    CU_ASSERT_FATAL(find_nccl(path, sizeof path));
    setenv("APSP_NCCL", path, 1);
    open_fixture_of(&f, N, &alone, false);
    unsetenv("APSP_NCCL");
    CU_ASSERT_STRING_EQUAL(panels_route(&f.panels, path, sizeof path), "NCCL");
    CU_ASSERT_EQUAL(panels_bring(&f.panels, 0, &err), STATUS_OK);
    CU_ASSERT_EQUAL(cudaEventRecord(f.end.done[0], NULL), cudaSuccess);
    CU_ASSERT_EQUAL(panels_wait_done(&f.panels, &f.end, 0, &err), STATUS_OK);
    /* On the shim an event is reached from the second time on that somebody asks. */
    CU_ASSERT_EQUAL(cudaEventQuery(f.end.arrived[0]), cudaSuccess);
    close_fixture(&f);
}

CU_TestInfo panel_routes_tests[] = {
    {"panels by messages", test_brought},
    {"a failure of another rank", test_failure_elsewhere},
    {"an own failure is told", test_own_failure},
    {"an own failure within a panel", test_failure_in_panel},
    {"another matrix", test_again},
    {"NCCL has sent what is done", test_sent_by_nccl},
    CU_TEST_INFO_NULL,
};
