// SPDX-License-Identifier: MIT
/* Fuzzes the reader of NumPy results. FUZZ_PART says which of the three files the
 * input is; the other two are those of a right 2 x 2 result. The files are in
 * memory, behind symbolic links, and read as any file is. The distances have a second
 * name, by which they are read without the others. */
#include "common/graph/graph.h"    // INF
#include "common/rows/result_io.h" // result_read
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DIST, PRED, JSON, PARTS };
static const char *const suffixes[PARTS] = {".dist.npy", ".pred.npy", ".json"};

static char folder[] = "/tmp/apsp-fuzz-XXXXXX";
static char link_names[PARTS][64], alone[64];
static int files[PARTS];

static void remove_links(void) {
    for (int p = 0; p < PARTS; p++)
        unlink(link_names[p]);
    unlink(alone);
    rmdir(folder);
}

static void fill(int part, const void *bytes, size_t size) {
    FUZZ_REQUIRE(ftruncate(files[part], 0) == 0);
    FUZZ_REQUIRE(pwrite(files[part], bytes, size, 0) == (ssize_t)size);
}

/* Has the file's name stand for `target`, for what is in memory, or for nothing. */
static void link_to(int part, const char *target) {
    unlink(link_names[part]);
    FUZZ_REQUIRE(target == NULL || symlink(target, link_names[part]) == 0);
}

static void link_to_memory(int part) {
    char target[64];
    snprintf(target, sizeof target, "/proc/self/fd/%d", files[part]);
    link_to(part, target);
}

static void fill_right(int part, const int32_t *cells) {
    static const char head[] = "\x93NUMPY\x01\x00\x76\x00"
                               "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }";
    enum { HEAD = 128, CELLS = 4 };
    char bytes[HEAD + CELLS * sizeof *cells];
    memset(bytes, ' ', HEAD);
    memcpy(bytes, head, sizeof head - 1);
    bytes[HEAD - 1] = '\n';
    memcpy(bytes + HEAD, cells, CELLS * sizeof *cells);
    fill(part, bytes, sizeof bytes);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static const int32_t dist[] = {0, 5, INF, 0}, pred[] = {-1, 0, -1, -1};
    static const char json[] = "{\"predecessors\": true, \"graph_checksum\": \"0123abcd\"}";
    (void)argc, (void)argv;
    FUZZ_REQUIRE(setenv("APSP_MEMORY_LIMIT", FUZZ_MEMORY_BYTES, 1) == 0);
    FUZZ_REQUIRE(mkdtemp(folder) != NULL && atexit(remove_links) == 0);
    for (int p = 0; p < PARTS; p++) {
        files[p] = memfd_create(suffixes[p], MFD_CLOEXEC);
        FUZZ_REQUIRE(files[p] >= 0);
        snprintf(link_names[p], sizeof link_names[p], "%s/r%s", folder, suffixes[p]);
        link_to_memory(p);
    }
    fill_right(DIST, dist);
    fill_right(PRED, pred);
    fill(JSON, json, strlen(json));
    struct result result;
    struct error err;
    FUZZ_REQUIRE(result_read(link_names[DIST], &result, &err) == STATUS_OK);
    result_free(&result);
    FUZZ_REQUIRE(result_read(link_names[PRED], &result, &err) == STATUS_BAD_INPUT);
    char target[64];
    snprintf(target, sizeof target, "/proc/self/fd/%d", files[DIST]);
    snprintf(alone, sizeof alone, "%s/alone.npy", folder);
    FUZZ_REQUIRE(symlink(target, alone) == 0);
    return 0;
}

/* Checks that a matrix that is read with its partners is read the same without them. */
static void check_alone(const struct result *with_partners) {
    struct result result;
    struct error err;
    const enum status status = result_read(alone, &result, &err);
    if (with_partners->dist.cell != NULL) {
        FUZZ_REQUIRE(status == STATUS_OK && result.dist.n == with_partners->dist.n);
        for (int32_t i = 0; i < result.dist.rows; i++)
            FUZZ_REQUIRE(memcmp(matrix_row(&result.dist, i), matrix_row(&with_partners->dist, i),
                                (size_t)result.dist.n * sizeof(int32_t)) == 0);
    }
    result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct result result;
    struct error err = {0};
    /* No bytes: no file; one: no regular file. */
    if (size < 2)
        link_to(FUZZ_PART, size == 0 ? NULL : "/dev/null");
    fill(FUZZ_PART, data, size);
    enum status status = result_read(link_names[DIST], &result, &err);
    if (size < 2)
        link_to_memory(FUZZ_PART);
    FUZZ_REQUIRE((status == STATUS_OK) == (err.text[0] == '\0'));
    if (status == STATUS_OK) {
        FUZZ_REQUIRE(result.dist.n >= 1);
        FUZZ_REQUIRE(result.pred.cell == NULL || result.pred.n == result.dist.n);
    }
    if (FUZZ_PART == DIST)
        check_alone(&result);
    result_free(&result);
    return 0;
}
