// SPDX-License-Identifier: MIT
/* Readers of text whose input in memory ends in front of a page that nobody may read: one that
 * looks beyond the end crashes, with sanitizers and without. */
#include "common/graph/graph_io.h"    // graph_read_source
#include "common/rows/result_parts.h" // result_read_text_source
#include "tests/unit/support.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Edges in plain lines, among them the shortest and the longest ones; the beginning of the file is
 * written with its length. */
static const char *const graphs[] = {
    "3 9\n0 1 5\n0000001 0000002 0000003\n2 0 -0000009\n0 1 1\n1 0 1234567\n0 2 1\n0000000 0000001 "
    "1234567\n1 2 3\n2 1 0000004\n",
    "p sp 3 5\na 1 2 5\na 0000001 0000002 0000003\na 3 1 -0000009\na 2 1 1\na 0000003 0000002 "
    "1234567\n",
    "%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 2 5\n0000001 0000003 0000003\n"
    "3 1 -0000009\n0000002 0000001 1234567\n",
    "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n0000001 0000003\n"
    "0000002 0000001\n",
    "0 1 5\n0000001 0000002 0000003\n2 0 0000009\n0000002 0000001 1234567\n",
};
static const char *const results[] = {
    ("|V| = 2, |E| = 3\n\n0\t123456789\nINF\t0\n\n-1\t000000000\n-1\t-1\n# solver: cpu sequential\n"
     "# graph checksum: 0123abcd\n"),
    "|V| = 2, |E| = 3\n\n0\t-1073741822\n\u221e\t0\n# predecessors: none\n",
    "|V|=1,|E|=0\n\n0\n\n-1\n",
};

typedef enum status read_function(struct text_source *source, struct error *err);

static enum status read_graph(struct text_source *source, struct error *err) {
    const struct graph_reading how = {0};
    struct graph g;
    const enum status status = graph_read_source(source, &how, &g, err);
    graph_free(&g);
    return status;
}

static enum status read_result(struct text_source *source, struct error *err) {
    struct result result = {0};
    const enum status status = result_read_text_source(source, NUMBER_INT32, &result, err);
    result_free(&result);
    return status;
}

/* Returns the status of a source that has read the last `size` bytes before a page without access.
 */
static enum status read_at_end(read_function *read, char *page, const char *text, size_t size,
                               struct error *err) {
    char *begin = page - size;
    memcpy(begin, text, size);
    struct text_source source = {
        .name = "input", .buffer = begin, .capacity = size, .end = size, .at_end = true};
    return read(&source, err); /* the source does not have to be closed */
}

/* Checks that every beginning of the text gives the same result as with room behind it. */
static void check_beginnings(read_function *read, char *page, const char *text) {
    for (size_t size = 0; size <= strlen(text); size++) {
        struct error err[2] = {0};
        struct text_source source;
        CU_ASSERT_FATAL(text_source_open_memory(&source, "input", text, size, 4096, &err[0]) ==
                        STATUS_OK);
        const enum status expected = read(&source, &err[0]);
        text_source_close(&source);
        CU_ASSERT_EQUAL(read_at_end(read, page, text, size, &err[1]), expected);
        CU_ASSERT_STRING_EQUAL(err[1].text, err[0].text);
        CU_ASSERT(size < strlen(text) || expected == STATUS_OK);
    }
}

static void test_end_of_memory(void) {
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    char *memory =
        mmap(NULL, 2 * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_FATAL(memory != MAP_FAILED);
    char *page = memory + page_bytes;
    CU_ASSERT_FATAL(mprotect(page, page_bytes, PROT_NONE) == 0);
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++)
        check_beginnings(read_graph, page, graphs[g]);
    for (size_t r = 0; r < sizeof results / sizeof *results; r++)
        check_beginnings(read_result, page, results[r]);
    munmap(memory, 2 * page_bytes);
}

CU_TestInfo read_ahead_tests[] = {
    {"no reader looks beyond the end of what is in memory", test_end_of_memory},
    CU_TEST_INFO_NULL,
};
