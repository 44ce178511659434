// SPDX-License-Identifier: MIT
/* Fuzzes the reader of text results, each input through two buffers, as fuzz_graph.c
 * does. */
#include "common/base/crc32.h"        // crc32_add
#include "common/rows/result_parts.h" // result_read_text_source
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return setenv("APSP_MEMORY_LIMIT", FUZZ_MEMORY_BYTES, 1);
}

/* A summary that stays when the result is gone: two results at a time would not fit into the memory
 * that there is for one, and the reader would say so. */
struct seen {
    enum status status;
    int32_t n;
    bool has_pred, has_checksum;
    uint32_t dist, pred, checksum; /* of the matrices' rows, and of the graph */
    int64_t edges_read;
};

static uint32_t crc_of(const struct matrix *m) {
    uint32_t crc = 0;
    for (int32_t i = 0; m->cell != NULL && i < m->rows; i++)
        crc = crc32_add(crc, matrix_row_cells(m, i), (size_t)m->n * number_size(m->type));
    return crc;
}

static struct seen read_through(const uint8_t *data, size_t size, size_t capacity,
                                struct error *err) {
    struct text_source source;
    struct result result = {.limit = NO_LIMIT};
    enum status status = text_source_open_memory(&source, "input", data, size, capacity, err);
    FUZZ_REQUIRE(status == STATUS_OK);
    status =
        result_read_text_source(&source, (enum number_type)(size % NUMBER_TYPES), &result, err);
    text_source_close(&source);
    FUZZ_REQUIRE(status == STATUS_OK || err->text[0] != '\0');
    struct seen seen = {.status = status};
    if (status == STATUS_OK)
        seen = (struct seen){
            .status = status,
            .n = result.dist.n,
            .has_pred = result.pred.cell != NULL,
            .has_checksum = result.made.has_checksum,
            .dist = crc_of(&result.dist),
            .pred = crc_of(&result.pred),
            .checksum = result.made.checksum,
            .edges_read = result.edges_read,
        };
    result_free(&result);
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error err[2] = {0};
    const struct seen whole = read_through(data, size, size + 1, &err[0]);
    const struct seen parts = read_through(data, size, 1 + size % 61, &err[1]);
    FUZZ_REQUIRE(whole.status == parts.status && strcmp(err[0].text, err[1].text) == 0);
    FUZZ_REQUIRE(whole.n == parts.n && whole.has_pred == parts.has_pred);
    FUZZ_REQUIRE(whole.dist == parts.dist && whole.pred == parts.pred);
    FUZZ_REQUIRE(whole.edges_read == parts.edges_read);
    FUZZ_REQUIRE(whole.has_checksum == parts.has_checksum && whole.checksum == parts.checksum);
    return 0;
}
