/* Fuzzes the reader of text results, each input through two buffers, as fuzz_graph.c
 * does. */
#include "common/rows/result_parts.h" // result_read_text_source
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return setenv("APSP_MEMORY_LIMIT", FUZZ_MEMORY_BYTES, 1);
}

static enum status read_through(const uint8_t *data, size_t size, size_t capacity,
                                struct result *result, struct error *err) {
    struct text_source source;
    *result = (struct result){0};
    enum status status = text_source_open_memory(&source, "input", data, size, capacity, err);
    FUZZ_REQUIRE(status == STATUS_OK);
    status = result_read_text_source(&source, result, err);
    text_source_close(&source);
    FUZZ_REQUIRE(status == STATUS_OK || err->text[0] != '\0');
    return status;
}

static void check_same(const struct matrix *a, const struct matrix *b) {
    FUZZ_REQUIRE((a->cell == NULL) == (b->cell == NULL) && a->n == b->n);
    for (int32_t i = 0; a->cell != NULL && i < a->n; i++) {
        const size_t bytes = (size_t)a->n * sizeof(int32_t);
        FUZZ_REQUIRE(memcmp(matrix_row(a, i), matrix_row(b, i), bytes) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct result whole, parts;
    struct error err[2] = {{""}, {""}};
    const enum status status = read_through(data, size, size + 1, &whole, &err[0]);
    FUZZ_REQUIRE(read_through(data, size, 1 + size % 61, &parts, &err[1]) == status);
    FUZZ_REQUIRE(strcmp(err[0].text, err[1].text) == 0);
    if (status == STATUS_OK) {
        check_same(&whole.dist, &parts.dist);
        check_same(&whole.pred, &parts.pred);
        FUZZ_REQUIRE(whole.edges_read == parts.edges_read);
        FUZZ_REQUIRE(whole.made.has_checksum == parts.made.has_checksum &&
                     whole.made.checksum == parts.made.checksum);
    }
    result_free(&whole);
    result_free(&parts);
    return 0;
}
