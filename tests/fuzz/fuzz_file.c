// SPDX-License-Identifier: MIT
/* Fuzzes reading from files, plain and compressed: every input is read as a graph and as a text
 * result, and through a pipe. A plain one must give what it gives in memory. */
#include "common/base/byte_source.h"
#include "common/graph/graph_io.h"    // graph_read, graph_read_source
#include "common/rows/result_parts.h" // result_read
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;
static char path[64];

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    file = memfd_create("input", MFD_CLOEXEC);
    FUZZ_REQUIRE(file >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return setenv("APSP_MEMORY_LIMIT", FUZZ_MEMORY_BYTES, 1);
}

/* Tells whether it may be: a plain file has none of these marks. */
static bool is_compressed(const uint8_t *data, size_t size) {
    static const char *const marks[] = {"\x1f\x8b", "\x1f\x9d",         "\xfd\x37", "BZh",
                                        "PK",       "\x28\xb5\x2f\xfd", "\x04\x22"};
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        const size_t length = strlen(marks[m]);
        if (size >= length && memcmp(data, marks[m], length) == 0)
            return true;
    }
    return false;
}

/* Reads bytes of which none can be read again. */
static void check_pipe(const uint8_t *data, size_t size) {
    enum { PIPE_HOLDS = 1 << 16, MOST = 1 << 24 };
    static unsigned char bytes[1 << 12];
    struct error err = {0};
    struct byte_source *source;
    size_t got = 1, all = 0;
    int ends[2];
    if (size > PIPE_HOLDS)
        return;
    FUZZ_REQUIRE(pipe(ends) == 0 && write(ends[1], data, size) == (ssize_t)size);
    close(ends[1]);
    enum status status = byte_source_open(&source, ends[0], "input", &err);
    FUZZ_REQUIRE(status == STATUS_OK);
    for (; status == STATUS_OK && got > 0 && all < MOST; all += got)
        status = byte_source_read(source, bytes, sizeof bytes, &got, &err);
    FUZZ_REQUIRE((status == STATUS_OK) == (err.text[0] == '\0'));
    byte_source_close(source);
}

static void check_graph(const uint8_t *data, size_t size) {
    static const struct graph_reading as_it_is = {0};
    struct error err = {0}, in_memory = {0};
    struct text_source source;
    struct graph g, same;
    const enum status status = graph_read(path, &g, &err);
    FUZZ_REQUIRE((status == STATUS_OK) == (err.text[0] == '\0'));
    if (!is_compressed(data, size)) {
        FUZZ_REQUIRE(text_source_open_memory(&source, path, data, size, size + 1, &in_memory) ==
                     STATUS_OK);
        FUZZ_REQUIRE(graph_read_source(&source, &as_it_is, &same, &in_memory) == status);
        text_source_close(&source);
        FUZZ_REQUIRE(strcmp(err.text, in_memory.text) == 0);
        FUZZ_REQUIRE(status != STATUS_OK || graph_checksum(&g) == graph_checksum(&same));
        graph_free(&same);
    }
    graph_free(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error err = {0};
    struct result result;
    FUZZ_REQUIRE(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    check_graph(data, size);
    check_pipe(data, size);
    const enum status status = result_read(path, &result, &err);
    FUZZ_REQUIRE((status == STATUS_OK) == (err.text[0] == '\0'));
    result_free(&result);
    return 0;
}
