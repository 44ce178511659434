/* Reading graphs: what is accepted, and what is said of what is not. */
#include "common/graph_io.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LITERAL(text) text, sizeof(text) - 1

static void test_accepted(void) {
    static const struct {
        const char *text;
        size_t size;
    } files[] = {
        {LITERAL("3 2\n0 1 5\n1 2 -7\n")},
        {LITERAL("3 2\n0 1 5\n1 2 -7")},
        {LITERAL("3 2\r\n0 1 5\r\n1 2 -7\r\n")},
        {LITERAL("\n\n  3\t2 \n\n 0   1\t5\n\n1 2 -7 \n\n")},
        {LITERAL("3 2\n1 2 -7\n0 1 +5\n")},
        {LITERAL("3 4\n1 2 -7\n0 1 5\n0 1 6\n2 2 0\n")},
    };
    uint32_t checksum = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct graph g;
        struct error err;
        CU_ASSERT_EQUAL(graph_read(temporary_file(files[f].text, files[f].size), &g, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(g.n, 3);
        CU_ASSERT_EQUAL(g.m, 2);
        if (f == 0)
            checksum = graph_checksum(&g);
        CU_ASSERT_EQUAL(graph_checksum(&g), checksum);
        graph_free(&g);
    }
}

static void test_refused(void) {
    static const struct {
        const char *text;
        size_t size;
        enum status status;
        const char *message;
    } files[] = {
        {LITERAL(""), STATUS_BAD_INPUT, "expected a graph, found an empty file"},
        {LITERAL(" \n\r\n\t\n"), STATUS_BAD_INPUT, "expected a graph, found an empty file"},
        {LITERAL("abc\n"), STATUS_BAD_INPUT,
         ":1: expected a graph whose first line is 'V E', found 'abc'"},
        {LITERAL("3\n"), STATUS_BAD_INPUT,
         ":1: expected a first line 'V E', found the end of the line where the number of edges E "
         "should be"},
        {LITERAL("3 x\n"), STATUS_BAD_INPUT, ":1: expected a first line 'V E', found 'x'"},
        {LITERAL("3 1 7\n"), STATUS_BAD_INPUT,
         ":1: expected a first line 'V E', found '7' after it"},
        {LITERAL("0 0\n"), STATUS_BAD_INPUT,
         ":1: expected the number of vertices V in 1 .. 2147483647, found '0'"},
        {LITERAL("-3 0\n"), STATUS_BAD_INPUT, ":1: expected the number of vertices V"},
        {LITERAL("99999999999 0\n"), STATUS_BAD_INPUT, ":1: expected the number of vertices V"},
        {LITERAL("3 -1\n"), STATUS_BAD_INPUT, ":1: expected the number of edges E"},
        {LITERAL("2147483647 0\n"), STATUS_NO_RESOURCE, "2147483647 vertices need"},
        {LITERAL("3 2\n0 1 5\n"), STATUS_BAD_INPUT,
         ":2: expected 2 edges, found the end of the file after 1"},
        {LITERAL("3 1000000000000\n0 1 5\n"), STATUS_BAD_INPUT, ":2: expected 1000000000000 edges"},
        {LITERAL("3 1\n0 1 5\n1 2 7\n"), STATUS_BAD_INPUT,
         ":3: expected the end of the file after 1 edges, found '1'"},
        {LITERAL("3 1\n0 1 5\n\ntrailing\n"), STATUS_BAD_INPUT,
         ":4: expected the end of the file after 1 edges, found 'trailing'"},
        {LITERAL("3 1\n3 1 5\n"), STATUS_BAD_INPUT, ":2: expected the tail u in 0 .. 2, found '3'"},
        {LITERAL("3 1\n-1 1 5\n"), STATUS_BAD_INPUT,
         ":2: expected the tail u in 0 .. 2, found '-1'"},
        {LITERAL("3 1\n0 3 5\n"), STATUS_BAD_INPUT, ":2: expected the head v in 0 .. 2, found '3'"},
        {LITERAL("3 1\n0 1 2.5\n"), STATUS_BAD_INPUT,
         ":2: expected an edge 'u v w', found '2.5' where the weight w should be"},
        {LITERAL("3 1\n0 1 2147483648\n"), STATUS_BAD_INPUT,
         ":2: expected the weight w in -2147483648 .. 2147483647, found '2147483648'"},
        {LITERAL("3 1\n0 1 -99999999999999999999\n"), STATUS_BAD_INPUT,
         ":2: expected the weight w"},
        {LITERAL("3 1\n0 1\n"), STATUS_BAD_INPUT,
         ":2: expected an edge 'u v w', found the end of the line where the weight w should be"},
        {LITERAL("3 1\n0 1 5 6\n"), STATUS_BAD_INPUT,
         ":2: expected an edge 'u v w', found '6' after it"},
        {LITERAL("3 1\n0 1 5\0\n"), STATUS_BAD_INPUT, ":2: expected an edge 'u v w'"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct graph g;
        struct error err = {""};
        enum status status = graph_read(temporary_file(files[f].text, files[f].size), &g, &err);
        CU_ASSERT_EQUAL(status, files[f].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, files[f].message));
        if (strstr(err.text, files[f].message) == NULL)
            printf("\n    expected \"%s\"\n    found    \"%s\"\n", files[f].message, err.text);
        CU_ASSERT_PTR_NULL(g.first);
    }
}

static void test_unreadable(void) {
    struct graph g;
    struct error err;
    CU_ASSERT_EQUAL(graph_read("/no/such/file", &g, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "cannot open /no/such/file: No such file or directory");
    CU_ASSERT_EQUAL(graph_read("/tmp", &g, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "cannot read /tmp"));
}

static void test_gzip(void) {
    static const char text[] = "3 2\n0 1 5\n1 2 -7\n";
    const char *path = temporary_path();
    gzFile file = gzopen(path, "wb");
    struct graph g;
    struct error err;
    char bytes[256];
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    gzputs(file, text);
    gzclose(file);
    CU_ASSERT_EQUAL(graph_read(path, &g, &err), STATUS_OK);
    CU_ASSERT_EQUAL(g.m, 2);
    graph_free(&g);

    FILE *whole = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
    size_t size = fread(bytes, 1, sizeof bytes, whole);
    fclose(whole);
    /* Cut anywhere behind its ten bytes of header, or damaged in its checksum. */
    for (size_t cut = 10; cut < size; cut++)
        CU_ASSERT_EQUAL(graph_read(temporary_file(bytes, cut), &g, &err), STATUS_BAD_INPUT);
    bytes[size - 5] ^= 1;
    CU_ASSERT_EQUAL(graph_read(temporary_file(bytes, size), &g, &err), STATUS_BAD_INPUT);
}

/* Written and read back, larger than any buffer on the way. */
static void test_round_trip(void) {
    enum { N = 400 };
    struct random random = {1};
    struct graph g = random_graph(&random, N, 70, WEIGHTS_NEGATIVE), read;
    struct error err;
    const char *path = temporary_path();
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "%d %lld\n", N, (long long)g.m);
    for (int32_t u = 0; u < N; u++) {
        for (int64_t e = g.first[u]; e < g.first[u + 1]; e++)
            fprintf(file, "%d %d %d\n", u, g.head[e], g.weight[e]);
    }
    fclose(file);
    CU_ASSERT_EQUAL_FATAL(graph_read(path, &read, &err), STATUS_OK);
    CU_ASSERT_EQUAL(read.m, g.m);
    CU_ASSERT_EQUAL(graph_checksum(&read), graph_checksum(&g));
    graph_free(&g);
    graph_free(&read);
}

CU_TestInfo graph_io_tests[] = {
    {"accepted oddities", test_accepted},  {"refused, with the reason", test_refused},
    {"unreadable files", test_unreadable}, {"gzip, whole, cut and damaged", test_gzip},
    {"round trip", test_round_trip},       CU_TEST_INFO_NULL,
};
