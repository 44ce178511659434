// SPDX-License-Identifier: MIT
/* Fuzzes the reader of measures and their comparison. FUZZ_PART says which of the two files the
 * input is; the other one is right, without a checksum. The files are in memory, behind symbolic
 * links, and read as any file is. */
#include "measures/compare.h"
#include "measures/write.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CSV, JSON, PARTS, N = 3 };
static const char *const suffixes[PARTS] = {".csv", ".json"};

static char folder[] = "/tmp/apsp-fuzz-XXXXXX";
static char link_names[PARTS][64];
static int files[PARTS];
static const char *right_json;
static struct graph graph;
static struct measures right;

static void remove_links(void) {
    for (int p = 0; p < PARTS; p++)
        unlink(link_names[p]);
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

/* The path 0 -> 1 -> 2. */
static void measure(struct error *err) {
    static _Alignas(64) int32_t dist[N][16] = {{0, 5, 7}, {INF, 0, 2}, {INF, INF, 0}};
    struct edge edges[] = {{0, 1, 5}, {1, 2, 2}};
    const struct row_sources sources = {NULL, N};
    struct row_block block = {.n = N, .count = N};
    for (int32_t v = 0; v < N; v++) {
        block.position[v] = block.source[v] = v;
        block.dist[v] = dist[v];
    }
    FUZZ_REQUIRE(graph_build(&graph, N, edges, 2, err) == STATUS_OK);
    measures_init(&right, &graph, 1);
    FUZZ_REQUIRE(right.sink.begin(&right.sink, N, NUMBER_INT32, &sources, false, 1, err) ==
                 STATUS_OK);
    FUZZ_REQUIRE(right.sink.take(&right.sink, &block, err) == STATUS_OK);
    FUZZ_REQUIRE(measures_finish(&right, err) == STATUS_OK);
}

/* The file that was written, without what it says of the other. */
static void fill_right(int part, const char *path) {
    static char bytes[PARTS][4096];
    FILE *file = fopen(path, "rb");
    FUZZ_REQUIRE(file != NULL);
    const size_t size = fread(bytes[part], 1, sizeof bytes[part] - 1, file);
    fclose(file);
    unlink(path);
    bytes[part][size] = '\0';
    char *checksum = strstr(bytes[part], "csv_checksum");
    if (checksum != NULL)
        *checksum = 'x';
    fill(part, bytes[part], size);
    right_json = bytes[JSON];
}

static void read_right(void) {
    struct measures_file file;
    struct error err;
    FUZZ_REQUIRE(measures_read(link_names[CSV], &file, &err) == STATUS_OK);
    FUZZ_REQUIRE(measures_compare(&file, &right, &err) == STATUS_OK);
    measures_file_free(&file);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static const struct provenance made = {.program = "cpu", .variant = "johnson"};
    struct error err;
    char prefix[64], path[80];
    (void)argc, (void)argv;
    FUZZ_REQUIRE(setenv("APSP_MEMORY_LIMIT", FUZZ_MEMORY_BYTES, 1) == 0);
    FUZZ_REQUIRE(mkdtemp(folder) != NULL && atexit(remove_links) == 0);
    measure(&err);
    snprintf(prefix, sizeof prefix, "%s/written", folder);
    FUZZ_REQUIRE(measures_write(prefix, &right, &made, &err) == STATUS_OK);
    for (int p = 0; p < PARTS; p++) {
        files[p] = memfd_create(suffixes[p], MFD_CLOEXEC);
        FUZZ_REQUIRE(files[p] >= 0);
        snprintf(path, sizeof path, "%s%s", prefix, suffixes[p]);
        fill_right(p, path);
        snprintf(link_names[p], sizeof link_names[p], "%s/m%s", folder, suffixes[p]);
        link_to_memory(p);
    }
    read_right();
    return 0;
}

/* A .json for a .csv with the columns of some sources, or of an undirected graph. */
static void fill_matching(const uint8_t *data, size_t size) {
    const bool directed = memmem(data, size, "out_", 4) != NULL;
    const bool all = !directed || memmem(data, size, "in_", 3) != NULL;
    if (directed && all) {
        fill(JSON, right_json, strlen(right_json));
        return;
    }
    char json[128];
    const int length =
        snprintf(json, sizeof json,
                 "{\"vertices\": 3, \"sources\": %d, \"directed\": %s, \"all_sources\": %s}",
                 all ? 3 : 2, directed ? "true" : "false", all ? "true" : "false");
    fill(JSON, json, (size_t)length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct measures_file file;
    struct error err = {0};
    fill(FUZZ_PART, data, size);
    if (FUZZ_PART == CSV)
        fill_matching(data, size);
    /* No bytes: no file; one: no regular file. */
    if (size < 2)
        link_to(FUZZ_PART, size == 0 ? NULL : "/dev/null");
    enum status status = measures_read(link_names[CSV], &file, &err);
    if (size < 2)
        link_to_memory(FUZZ_PART);
    FUZZ_REQUIRE((status == STATUS_OK) == (err.text[0] == '\0'));
    FUZZ_REQUIRE(status != STATUS_REFUTED);
    if (status == STATUS_OK) {
        FUZZ_REQUIRE(file.n >= 1 && file.sources.count >= 1);
        for (int32_t p = 0; p < file.sources.count; p++) {
            const int32_t source = row_source(&file.sources, p);
            FUZZ_REQUIRE(source >= 0 && source < file.n);
        }
        if (file.n == N && file.sources.source == NULL) {
            measures_choose(&right, file.parts);
            status = measures_compare(&file, &right, &err);
            FUZZ_REQUIRE((status == STATUS_OK) == (err.text[0] == '\0'));
            FUZZ_REQUIRE(status != STATUS_NO_RESOURCE);
        }
    }
    measures_file_free(&file);
    return 0;
}
