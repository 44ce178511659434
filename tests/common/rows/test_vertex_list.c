// SPDX-License-Identifier: MIT
/* Lists of vertices, as options and files give them. */
#include "common/rows/vertex_list.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 10 };

/* Returns the list as text, or the message about it. */
static const char *read_names(const char *text, struct vertex_names *names, char *to, size_t size) {
    const struct graph g = {.n = names != NULL ? names->n : N, .naming.names = names};
    struct vertex_list list;
    struct error err;
    if (vertex_list_parse("--sources", text, &g, &list, &err) != STATUS_OK)
        snprintf(to, size, "%s", err.text);
    else
        to[0] = '\0';
    for (int32_t k = 0; k < list.count; k++)
        snprintf(to + strlen(to), size - strlen(to), " %d", list.vertex[k]);
    vertex_list_free(&list);
    return to;
}

static const char *read_list(const char *text, char *to, size_t size) {
    return read_names(text, NULL, to, size);
}

static void test_lists(void) {
    static const char file[] = "3, 1 # and 2\n\n# 4\n5-7\r\n0";
    static const struct {
        const char *text, *expected;
    } lists[] = {
        {"9", " 9"},
        {"4,0-2,9", " 4 0 1 2 9"},
        {"0-9", " 0 1 2 3 4 5 6 7 8 9"},
        {"10", "expected vertices 0 .. 9"},
        {"5-5,9-9", " 5 9"},
        {"8-10", "expected vertices 0 .. 9"},
        {"3,3", "twice"},
        {"2-4,3", "twice"},
        {"5-4", "found '5-4'"},
        {"1,x", "found 'x'"},
        {"", "expected at least one vertex"},
        {"random:0:1", "with K in 1 .. 10"},
        {"random:11:1", "with K in 1 .. 10"},
        {"random:3", "expected random:K:SEED"},
    };
    char found[1100], name[256];
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const char *const expected = lists[k].expected;
        read_list(lists[k].text, found, sizeof found);
        if (expected[0] == ' ' ? strcmp(found, expected) != 0 : strstr(found, expected) == NULL) {
            printf("'%s': expected '%s', found '%s'\n", lists[k].text, expected, found);
            CU_FAIL("another list");
        }
    }
    snprintf(name, sizeof name, "@%s", temporary_file(file, strlen(file)));
    CU_ASSERT_STRING_EQUAL(read_list(name, found, sizeof found), " 3 1 5 6 7 0");
}

/* Words with commas, quotes or a beginning of a comment are in quotes, as in tables. */
static void test_words(void) {
    static const char text[] = "aSplit, harbour\"b\"#cD #5@e";
    static const uint64_t start[] = {0, 1, 15, 18, 20, 24, 26};
    static const char file[] = "\"D #5\", a # not \"b\"\n#c\n \"#c\" #c\n@e,\"Split, harbour\"";
    static const struct {
        const char *text, *expected;
    } lists[] = {
        {"a", " 0"},
        {"\"Split, harbour\",a", " 1 0"},
        {" a , \"a\"", "twice"},
        {"\"\"\"b\"\"\",#c,D #5", " 2 3 4"},
        {"\"@e\"", " 5"},
        {"a,Split, harbour", "found 'Split'; a name with commas is put in double quotes"},
        {"\"Split, harbour", "expected a second quote and a comma after the name"},
        {"\"a\"b", "expected a second quote and a comma after the name"},
        {"\"b\"", "found 'b'"},
    };
    char found[1100], name[256];
    struct vertex_names *names;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(names_of_words(&names, start, text, 6, &err), STATUS_OK);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        read_names(lists[k].text, names, found, sizeof found);
        CU_ASSERT(lists[k].expected[0] == ' ' ? strcmp(found, lists[k].expected) == 0
                                              : strstr(found, lists[k].expected) != NULL);
    }
    snprintf(name, sizeof name, "@%s", temporary_file(file, strlen(file)));
    CU_ASSERT_STRING_EQUAL(read_names(name, names, found, sizeof found), " 4 0 3 5 1");
    names_free(names);
}

/* Every seed draws the requested number of vertices, and all vertices are drawn equally often. */
static void test_random(void) {
    enum { SEEDS = 4000, WANTED = 3, MOST_OFF = 150 };
    const struct graph g = {.n = N};
    int drawn[N] = {0};
    for (int seed = 0; seed < SEEDS; seed++) {
        struct vertex_list list;
        struct error err;
        char text[32];
        snprintf(text, sizeof text, "random:%d:%d", WANTED, seed);
        CU_ASSERT_EQUAL_FATAL(vertex_list_parse("-", text, &g, &list, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(list.count, WANTED);
        for (int k = 0; k < WANTED; k++)
            drawn[list.vertex[k]]++;
        CU_ASSERT(list.vertex[0] < list.vertex[1] && list.vertex[1] < list.vertex[2]);
        vertex_list_free(&list);
    }
    for (int v = 0; v < N; v++)
        CU_ASSERT(abs(drawn[v] - SEEDS * WANTED / N) < MOST_OFF);
}

CU_TestInfo vertex_list_tests[] = {
    {"lists, ranges and files", test_lists},
    {"words", test_words},
    {"random ones", test_random},
    CU_TEST_INFO_NULL,
};
