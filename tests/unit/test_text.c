/* Numbers and lines: digits.h and text_source.h. */
#include "common/digits.h"
#include "common/text_source.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_digits(const struct digits *digits, int32_t value) {
    char expected[32], found[32];
    snprintf(expected, sizeof expected, "%d", value);
    memset(found, 'x', sizeof found);
    char *end = digits_put(digits, found, value);
    CU_ASSERT_EQUAL((size_t)(end - found), strlen(expected));
    CU_ASSERT_EQUAL(memcmp(found, expected, strlen(expected)), 0);
    CU_ASSERT_EQUAL(found[DIGITS_LONGEST], 'x');
}

static void test_digits(void) {
    struct digits *digits = malloc(sizeof *digits);
    struct random random = {1};
    CU_ASSERT_PTR_NOT_NULL_FATAL(digits);
    digits_fill(digits);
    for (int32_t value = -20000; value <= 20000; value++)
        check_digits(digits, value);
    for (int64_t power = 1; power <= INT32_MAX; power *= 10) {
        for (int32_t off = -1; off <= 1; off++) {
            check_digits(digits, (int32_t)power + off);
            check_digits(digits, -((int32_t)power + off));
        }
    }
    check_digits(digits, INT32_MAX);
    check_digits(digits, INT32_MIN);
    for (int k = 0; k < 100000; k++)
        check_digits(digits, (int32_t)random_word(&random));
    free(digits);
}

static void test_integers(void) {
    static const struct {
        const char *text;
        bool taken;
        int64_t value;
        size_t rest; /* characters left */
    } cases[] = {
        {"12", true, 12, 0},
        {"  -7\t9", true, -7, 2},
        {"+5 ", true, 5, 1},
        {"0012", true, 12, 0},
        {"2147483648", true, 2147483648, 0},
        {"99999999999999999999999999", true, 100000000000000000, 0},
        {"", false, 0, 0},
        {"  ", false, 0, 2},
        {"-", false, 0, 1},
        {"+-3", false, 0, 3},
        {"1.5", false, 0, 3},
        {"1e3", false, 0, 3},
        {"12x", false, 0, 3},
        {"x12", false, 0, 3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct text_line line = {cases[k].text, cases[k].text + strlen(cases[k].text)};
        int64_t value = 0;
        CU_ASSERT_EQUAL(text_take_integer(&line, &value), cases[k].taken);
        if (cases[k].taken) {
            /* The cut-off is a bound, not a value. */
            CU_ASSERT(value == cases[k].value ||
                      (value >= 100000000000000000 && cases[k].value == 100000000000000000));
            CU_ASSERT_EQUAL((size_t)(line.end - line.begin), cases[k].rest);
        }
    }
}

/* Lines of every length around the buffer's, with both line ends. */
static void test_lines(void) {
    enum { LINES = 3 };
    static const size_t lengths[] = {0, 1, 2, 1000, (1 << 20) - 2, (1 << 20) - 1, 1 << 20, 3000000};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const size_t length = lengths[k];
        char *text = malloc(LINES * (length + 2) + 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        size_t size = 0;
        for (int l = 0; l < LINES; l++) {
            memset(text + size, 'a' + l, length);
            size += length;
            memcpy(text + size, "\r\n", 2);
            size += 2;
        }
        text[size++] = 'z'; /* a last line without line feed */

        struct text_source source;
        struct error err;
        struct text_line line;
        bool found;
        CU_ASSERT_EQUAL(text_source_open(&source, temporary_file(text, size), &err), STATUS_OK);
        for (int l = 0; l < LINES; l++) {
            CU_ASSERT_EQUAL(text_source_next(&source, 1 << 23, &line, &found, &err), STATUS_OK);
            CU_ASSERT(found);
            CU_ASSERT_EQUAL((size_t)(line.end - line.begin), length);
            if (length > 0) {
                CU_ASSERT_EQUAL(line.begin[0], 'a' + l);
                CU_ASSERT_EQUAL(line.end[-1], 'a' + l);
            }
            CU_ASSERT_EQUAL(source.line, l + 1);
        }
        CU_ASSERT_EQUAL(text_source_next(&source, 1 << 23, &line, &found, &err), STATUS_OK);
        CU_ASSERT(found && line.end - line.begin == 1 && *line.begin == 'z');
        CU_ASSERT_EQUAL(text_source_next(&source, 1 << 23, &line, &found, &err), STATUS_OK);
        CU_ASSERT(!found);
        text_source_close(&source);
        free(text);
    }
}

static void test_line_too_long(void) {
    const size_t size = 5000000;
    char *text = malloc(size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, '7', size);
    struct text_source source;
    struct error err;
    struct text_line line;
    bool found;
    CU_ASSERT_EQUAL(text_source_open(&source, temporary_file(text, size), &err), STATUS_OK);
    CU_ASSERT_EQUAL(text_source_next(&source, 4096, &line, &found, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ":1: expected a line of at most 4096 bytes"));
    CU_ASSERT(source.capacity <= 1 << 21);
    text_source_close(&source);
    free(text);
}

static void test_excerpt(void) {
    static const struct {
        const char *text, *excerpt;
    } cases[] = {
        {"", "the end of the line"},
        {" \t ", "the end of the line"},
        {"abc def", "'abc'"},
        {"\x01\x80z", "'??z'"},
        {"abcdefghijklmnopqrstuvwxyz", "'abcdefghijklmn...'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char out[20];
        struct text_line line = {cases[k].text, cases[k].text + strlen(cases[k].text)};
        CU_ASSERT_STRING_EQUAL(text_excerpt(line, out, sizeof out), cases[k].excerpt);
    }
}

CU_TestInfo text_tests[] = {
    {"digits of every kind of number", test_digits},
    {"integers on a line", test_integers},
    {"lines around the size of the buffer", test_lines},
    {"line without end", test_line_too_long},
    {"excerpts for messages", test_excerpt},
    CU_TEST_INFO_NULL,
};
