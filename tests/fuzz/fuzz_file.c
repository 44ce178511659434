// SPDX-License-Identifier: MIT
/* Fuzzes reading from files, plain and gzip-compressed: every input is read as a
 * graph and as a text result. A plain one must give what it gives in memory. */
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

static void check_graph(const uint8_t *data, size_t size) {
    static const struct graph_reading as_it_is = {0};
    struct error err = {""}, in_memory = {""};
    struct text_source source;
    struct graph g, same;
    const enum status status = graph_read(path, &g, &err);
    FUZZ_REQUIRE((status == STATUS_OK) == (err.text[0] == '\0'));
    const bool compressed = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
    if (!compressed) {
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
    struct error err = {""};
    struct result result;
    FUZZ_REQUIRE(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    check_graph(data, size);
    const enum status status = result_read(path, &result, &err);
    FUZZ_REQUIRE((status == STATUS_OK) == (err.text[0] == '\0'));
    result_free(&result);
    return 0;
}
