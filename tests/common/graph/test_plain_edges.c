// SPDX-License-Identifier: MIT
/* Edges that several threads read at the same time: the graph or the message is that of one thread
 * that reads every line by itself. */
#include "common/graph/graph_io.h"    // graph_read_source
#include "common/graph/plain_edges.h" // plain_edges_take
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

enum {
    N = 1000,
    MOST_LINES = 600,
    MOST_BYTES = 1 << 15
}; /* MOST_LINES: more lines than are examined before the first is read */

/* A format: its head, with the number of edges; the text in front of an edge; and the separator. */
struct form {
    const char *head, *before;
    char separator;
    int first;
    bool unweighted, tells_count;
};
static const struct form forms[] = {
    {"1000 %d\n", "", ' ', 0, false, true},
    {"p sp 1000 %d\n", "a ", ' ', 1, false, true},
    {"%%%%MatrixMarket matrix coordinate real general\n1000 1000 %d\n", "", ' ', 1, false, true},
    {"%%%%MatrixMarket matrix coordinate integer symmetric\n1000 1000 %d\n", "", ' ', 1, false,
     true},
    {"%%%%MatrixMarket matrix coordinate pattern general\n1000 1000 %d\n", "", ' ', 1, true, true},
    {"0 1 2\n", "", ' ', 0, false, false},
    {"# x\n0\t1\t0.5\n", "", '\t', 0, false, false},
    {"# x\n0\t1\n", "", '\t', 0, true, false},
    {"tail,head,weight\n0,1,0.25\n", "", ',', 0, false, false},
    {"tail\thead\tweight\n0\t1\t0.25\n", "", '\t', 0, false, false},
};

/* Lines that are inserted at one place of a file; %s: a line, without its line feed. */
static const char *const accidents[] = {
    "\n%s\n",
    "# %s\n%s\n",
    "c %s\n",
    "%s\r\n",
    " %s\n",
    "%s \n",
    "%s.\n",
    "%s x\n",
    "x%s\n",
    "-%s\n",
    "%s0000000\n",
    "%s0000000000000\n",
    "%s\n1 2\n",
    "%s\n1 2 3 4\n",
    "%s\n00 01 7\n",
    "%s\r",
    "%s\n1\n",
    "%s\n1000 1 1\n",
    "%s\n4294967297 1 1\n",
    "%s\n1 00000000001 1\n",
    "%s\n0 0 0\n",
    "%s\n \t1 1 1\n",
    "%s\n1\t1\t\t1.5\n",
    "%s\n1,1,\t1.5\n",
    "%s\n1 1  1.5\n",
    "%s\na 1  1.5\n",
    "%s",
};

/* Weights of real graphs, and some that decide on the type. */
static const char *const weights[] = {
    "0.5",
    "-0.5",
    "1e3",
    "2.50",
    "-0.0",
    "0",
    "-0",
    "1e-400",
    "1e400",
    "inf",
    "-inf",
    "nan",
    "0.1",
    "16777217",
    "16777217.0",
    "16777216.5",
    "2147483647",
    "2147483648",
    "2147483648.0",
    "9007199254740993",
    "9007199254740993.0",
    "1e-310",
    "3.4e38",
    "1e-45",
    "160.85714285714286",
    "0.30000000000000004441",
    "+1.5",
    "1.5e",
    ".5",
    "5.",
    "12345678.0",
    "9999999",
    "00000001.5",
    "0.5 x",
    "0.00000000000000000000000000000001",
};

static int any(struct random *random, int count) {
    return random_in(random, 0, count - 1);
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

enum { INTEGERS, DECIMALS, BITS, PROBABILITIES, KINDS };

/* Writes a weight of one of the kinds or, seldom, of any kind. */
static void put_weight(struct random *random, int kind, char text[64]) {
    if (any(random, 200) == 0)
        strcpy(text, weights[any(random, COUNT(weights))]);
    else if (kind == INTEGERS || (kind == DECIMALS && any(random, 4) == 0))
        sprintf(text, "%d", random_in(random, -99, 9999));
    else if (kind == DECIMALS)
        sprintf(text, "%.*f", random_in(random, 1, 15), random_in(random, 1, 99999) / 7.0);
    else
        sprintf(text, "%d%s", any(random, 2), kind == PROBABILITIES ? "e-1" : "");
}

/* Writes a file of `lines` edges with at most one inserted line. Returns its size. */
static size_t put_file(struct random *random, char *text) {
    const struct form *const form = &forms[any(random, COUNT(forms))];
    const int lines = random_in(random, 1, random_in(random, 1, MOST_LINES));
    const int kind = any(random, KINDS);
    const bool begins_long = any(random, 8) == 0; /* the first weight is an integer beyond int32 */
    const int accident = random_in(random, 1, lines + lines / 2);
    char *to = text + sprintf(text, form->head, lines);
    for (int k = 0; k < lines; k++) {
        char line[128], weight[64];
        int length = sprintf(line, "%s%d%c%d", form->before, random_in(random, form->first, N - 1),
                             form->separator, random_in(random, form->first, N - 1));
        put_weight(random, kind, weight);
        if (k == 0 && begins_long)
            strcpy(weight, any(random, 2) == 0 ? "2147483648" : "9007199254740993");
        if (!form->unweighted)
            sprintf(line + length, "%c%s", form->separator, weight);
        const char *how = k + 1 == accident ? accidents[any(random, COUNT(accidents))] : "%s\n";
        for (; *how != '\0'; how++) {
            if (*how != '%')
                *to++ = *how;
            else
                to += sprintf(to, "%s", line), how++;
        }
    }
    return (size_t)(to - text) - (size_t)(any(random, 4) == 0);
}

/* The result of reading: a checksum and the messages. */
struct outcome {
    enum status status;
    uint32_t checksum;
    int64_t edges_read;
    bool integral;
    struct error err;
};

static struct outcome read_by(const char *text, size_t size, size_t capacity,
                              const struct graph_reading *how) {
    struct outcome outcome = {.edges_read = 0};
    struct text_source source;
    struct graph g;
    CU_ASSERT_FATAL(text_source_open_memory(&source, "input", text, size, capacity, &outcome.err) ==
                    STATUS_OK);
    source.feed = '\n'; /* so that it is not searched in the whole file, in a buffer as large */
    outcome.status = graph_read_source(&source, how, &g, &outcome.err);
    if (outcome.status == STATUS_OK) {
        outcome.checksum = graph_checksum(&g);
        outcome.edges_read = g.edges_read;
        outcome.integral = g.integral;
    }
    text_source_close(&source);
    graph_free(&g);
    return outcome;
}

/* Puts a blank at the end of every line, so that no line is plain. Returns the size. */
static size_t put_blanks(const char *text, size_t size, char *blank) {
    char *to = blank;
    for (const char *at = text; at < text + size; at++) {
        if (*at == '\n')
            *to++ = ' ';
        *to++ = *at;
    }
    return (size_t)(to - blank);
}

static bool same(const struct outcome *a, const struct outcome *b) {
    return a->status == b->status && a->checksum == b->checksum && a->edges_read == b->edges_read &&
           a->integral == b->integral && strcmp(a->err.text, b->err.text) == 0;
}

/* Reads files with up to `threads` threads, whole and through a buffer of any size. Returns how
 * many are graphs. */
static int check_files(int threads, int files) {
    static const enum semiring semirings[] = {SEMIRING_MIN_PLUS, SEMIRING_MIN_PLUS,
                                              SEMIRING_MAX_MIN, SEMIRING_MAX_PRODUCT};
    struct random random = {(uint64_t)threads};
    int graphs = 0;
    for (int f = 0; f < files; f++) {
        char text[MOST_BYTES], blank[MOST_BYTES];
        const size_t size = put_file(&random, text);
        struct graph_reading how = {
            .threads = 1,
            .type = (enum reading_type)(any(&random, 2) * any(&random, READ_FLOAT64 + 1)),
            .semiring = semirings[any(&random, COUNT(semirings))],
            .undirected = any(&random, 4) == 0,
            .scale = any(&random, 8) == 0 ? 10 : 0};
        const size_t with_blanks = put_blanks(text, size, blank);
        const struct outcome expected = read_by(blank, with_blanks, with_blanks, &how);
        const size_t capacity = (size_t)random_in(&random, 1, (int)size + 1);
        how.threads = threads;
        const struct outcome part = read_by(text, size, capacity, &how);
        const struct outcome whole = read_by(text, size, size + 1, &how);
        const bool right = same(&expected, &part) && same(&expected, &whole);
        CU_ASSERT(right);
        if (!right)
            printf("\n%.*s\n%d threads, a buffer of %zu: '%s' and '%s', not '%s'\n", (int)size,
                   text, threads, capacity, part.err.text, whole.err.text, expected.err.text);
        graphs += expected.status == STATUS_OK;
    }
    return graphs;
}

static void test_threads(void) {
    /* With one thread only the way in which lines are read is tested, on the most files. */
    static const struct { int threads, files; } teams[] = {{1, 4000}, {2, 200}, {3, 100}, {16, 40}};
    for (int t = 0; t < COUNT(teams); t++)
        CU_ASSERT(check_files(teams[t].threads, teams[t].files) > teams[t].files / 5);
}

/* A mistake follows a real weight, in the middle of plain lines. */
static void test_rest_of_line(void) {
    enum { LINES = 60, WRONG = 30 };
    const struct graph_reading how = {.threads = 1};
    char text[MOST_BYTES], *to = text + sprintf(text, "1000 %d\n", LINES);
    for (int k = 0; k < LINES; k++)
        to += sprintf(to, "0 1 0.5%s\n", k == WRONG ? " x" : "");
    const size_t size = (size_t)(to - text);
    const struct outcome outcome = read_by(text, size, size + 1, &how);
    CU_ASSERT_EQUAL(outcome.status, STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.err.text, "input:32: "));
}

/* Ends of any number of digits are taken if they are below 2^31. */
static void test_long_ends(void) {
    static const struct {
        const char *end;
        int32_t value;
    } cases[] = {
        {"9999999", 9999999},     {"10000000", 10000000},
        {"123456789", 123456789}, {"2147483646", INT32_MAX - 1},
        {"2147483647", -1},       {"2147483648", -1},
        {"4294967298", -1},       {"9999999999", -1},
        {"00000000007", 7},       {"000000000007", -1},
        {"10000000000", -1},      {"1234567a", -1},
    };
    static const struct edge_syntax syntax = {.keyword = "a", .separator = ' '};
    for (int k = 0; k < 2 * COUNT(cases); k++) {
        const int32_t value = cases[k / 2].value;
        const char *const end = cases[k / 2].end, *const other = "30";
        struct plain_edges plain = {
            .syntax = &syntax, .n = INT32_MAX, .threads = 1, .window = SIZE_MAX};
        struct text_source source;
        struct text_line bytes;
        struct edge edge = {-1, -1, -1};
        struct error err;
        char text[256];
        const int size = sprintf(text, "a %s %s 5\n%100s", k % 2 == 0 ? end : other,
                                 k % 2 == 0 ? other : end, "\n");
        CU_ASSERT_FATAL(text_source_open_memory(&source, "input", text, (size_t)size, sizeof text,
                                                &err) == STATUS_OK);
        source.feed = '\n';
        CU_ASSERT_EQUAL(text_source_peek(&source, (size_t)size, &bytes, &err), STATUS_OK);
        CU_ASSERT_EQUAL(plain_edges_take(&plain, &source, &edge, 1), value >= 0);
        CU_ASSERT_EQUAL(k % 2 == 0 ? edge.from : edge.to, value);
        CU_ASSERT_EQUAL(edge.weight, value >= 0 ? 5 : -1);
        text_source_close(&source);
    }
}

CU_TestInfo plain_edges_tests[] = {
    {"any number of threads reads what one thread reads line by line", test_threads},
    {"nothing follows a real weight", test_rest_of_line},
    {"long numbers of vertices", test_long_ends},
    CU_TEST_INFO_NULL,
};
