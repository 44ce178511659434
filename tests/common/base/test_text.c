// SPDX-License-Identifier: MIT
/* Numbers and lines: digits.h, number_text.h and text_source.h. */
#include "common/base/digits.h"
#include "common/base/number_text.h"
#include "common/base/text_source.h"
#include "tests/unit/support.h"

#include <math.h>
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
        size_t rest; /* number of characters left */
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
            /* The limit is a bound, not a value. */
            CU_ASSERT(value == cases[k].value ||
                      (value >= 100000000000000000 && cases[k].value == 100000000000000000));
            CU_ASSERT_EQUAL((size_t)(line.end - line.begin), cases[k].rest);
        }
    }
}

/* Numbers beyond 10^17 become 10^17. */
static void test_scaled(void) {
    static const struct {
        const char *text;
        int32_t scale;
        enum text_number number;
        int64_t value;
    } cases[] = {
        {"12", 1, TEXT_INTEGER, 12},
        {" -2.50\t", 2, TEXT_INTEGER, -5},
        {"+.5", 10, TEXT_INTEGER, 5},
        {"5.", 3, TEXT_INTEGER, 15},
        {"-0.0", 7, TEXT_INTEGER, 0},
        {"0e999999999999", 1, TEXT_INTEGER, 0},
        {"1e3", 1, TEXT_INTEGER, 1000},
        {"1.25E+2", 1, TEXT_INTEGER, 125},
        {"12000e-3", 1, TEXT_INTEGER, 12},
        {"0.1", 1, TEXT_NO_INTEGER, 0},
        {"0.1", 9, TEXT_NO_INTEGER, 0},
        {"0.1", 1000000000, TEXT_INTEGER, 100000000},
        {"0.29", 100, TEXT_INTEGER, 29}, /* 28.999... in binary floating-point */
        {"1.1", 10, TEXT_INTEGER, 11},
        {"0.000000001", 1000000000, TEXT_INTEGER, 1},
        {"0.0000000001", 1000000000, TEXT_NO_INTEGER, 0},
        {"1e-1000000000000", 1000000000, TEXT_NO_INTEGER, 0},
        {"2147483647.9999999999999999999999999999999999999999", 1, TEXT_NO_INTEGER, 0},
        {"2147483647.0000000000000000000000000000000000000000", 1, TEXT_INTEGER, 2147483647},
        /* 5^29 / 10^29 has the most digits from which an integer can come. */
        {"0.00000000186264514923095703125", 536870912, TEXT_INTEGER, 1},
        {"0.00000000186264514923095703125", 536870911, TEXT_NO_INTEGER, 0},
        {"3.99999999813735485076904296875", 536870912, TEXT_INTEGER, 2147483647},
        {"1e13", 1, TEXT_INTEGER, 10000000000000},
        {"9007199254740993e0", 1, TEXT_INTEGER, 9007199254740993},
        {"9007199254740992.5", 1, TEXT_NO_INTEGER, 0},
        {"9007199254740992.5", 2, TEXT_INTEGER, 18014398509481985},
        {"1e17", 1, TEXT_INTEGER, 100000000000000000},
        {"-1e99999999999999", 1, TEXT_INTEGER, -100000000000000000},
        {"999999999999e0", 1000000000, TEXT_INTEGER, 100000000000000000},
        {"00000000000000000000000000000000000000000000000000001", 1, TEXT_INTEGER, 1},
        {"", 1, TEXT_NO_NUMBER, 0},
        {".", 1, TEXT_NO_NUMBER, 0},
        {"-", 1, TEXT_NO_NUMBER, 0},
        {"e5", 1, TEXT_NO_NUMBER, 0},
        {".e5", 1, TEXT_NO_NUMBER, 0},
        {"1e", 1, TEXT_NO_NUMBER, 0},
        {"1e+", 1, TEXT_NO_NUMBER, 0},
        {"1e5.0", 1, TEXT_NO_NUMBER, 0},
        {"1.2.3", 1, TEXT_NO_NUMBER, 0},
        {"1,5", 1, TEXT_NO_NUMBER, 0},
        {"1.5x", 1, TEXT_NO_NUMBER, 0},
        {"nan", 1, TEXT_NO_NUMBER, 0},
        {"inf", 1, TEXT_NO_NUMBER, 0},
        {"0x10", 1, TEXT_NO_NUMBER, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct text_line line = {cases[k].text, cases[k].text + strlen(cases[k].text)};
        int64_t value = 0;
        enum text_number number = text_take_scaled(&line, cases[k].scale, &value);
        CU_ASSERT_EQUAL(number, cases[k].number);
        if (number == TEXT_INTEGER)
            CU_ASSERT_EQUAL(value, cases[k].value);
    }
}

/* value / scale, written out exactly, is read back as value: random scales are products of twos and
 * fives, so that the digits end. */
static void test_scaled_random(void) {
    struct random random = {3};
    for (int k = 0; k < 20000; k++) {
        int32_t scale = 1;
        while (random_in(&random, 0, 12) > 0 && scale < TEXT_HIGHEST_SCALE / 5)
            scale *= random_in(&random, 0, 1) == 0 ? 2 : 5;
        const int32_t value = (int32_t)random_word(&random);
        const uint64_t magnitude = (uint64_t)(value < 0 ? -(int64_t)value : value);
        char text[128];
        int length = snprintf(text, sizeof text, "%s%lld.", value < 0 ? "-" : "",
                              (long long)(magnitude / (uint64_t)scale));
        uint64_t remainder = magnitude % (uint64_t)scale;
        for (; remainder != 0; remainder %= (uint64_t)scale) {
            remainder *= 10;
            text[length++] = (char)('0' + (int)(remainder / (uint64_t)scale));
        }
        struct text_line line = {text, text + length};
        int64_t found = 0;
        CU_ASSERT_EQUAL(text_take_scaled(&line, scale, &found), TEXT_INTEGER);
        CU_ASSERT_EQUAL(found, value);
        /* One more digit is one too many. */
        text[length++] = '0';
        text[length++] = (char)('1' + random_in(&random, 0, 8));
        line = (struct text_line){text, text + length};
        const enum text_number more = text_take_scaled(&line, scale, &found);
        CU_ASSERT(more == TEXT_NO_INTEGER || found != value);
    }
}

static void check_number_text(double value, enum number_type type) {
    char text[NUMBER_TEXT_MAX + 1], shorter[64];
    text[NUMBER_TEXT_MAX] = 'x';
    const char *const end = number_put(text, value, type);
    CU_ASSERT(*end == '\0' && text[NUMBER_TEXT_MAX] == 'x');
    struct text_line line = {text, end};
    double read = 0;
    CU_ASSERT_EQUAL(text_take_real(&line, type, &read), TEXT_REAL);
    CU_ASSERT(memcmp(&read, &value, sizeof read) == 0);
    int digits = 0, zeros = 0; /* zeros: number of zeros that are not yet among the digits */
    for (const char *c = text; *c != '\0' && *c != 'e'; c++) {
        zeros += *c == '0' && digits > 0;
        if (*c >= '1' && *c <= '9') {
            digits += zeros + 1;
            zeros = 0;
        }
    }
    if (digits < 2)
        return;
    snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
    read = type == NUMBER_FLOAT32 ? (double)strtof(shorter, NULL) : strtod(shorter, NULL);
    CU_ASSERT(read != value);
}

/* The text of a real number reads back to the same bits, by every path of the code, and a text with
 * one digit less does not. */
static void test_real_text(void) {
    static const struct {
        double value;
        enum number_type type;
        const char *text;
    } cases[] = {
        {0.1, NUMBER_FLOAT64, "0.1"},
        {(double)0.1F, NUMBER_FLOAT32, "0.1"},
        {-0.0, NUMBER_FLOAT64, "-0"},
        {123456, NUMBER_INT32, "123456"},
        {1e15, NUMBER_FLOAT64, "1000000000000000"},
        {1e16, NUMBER_FLOAT64, "1e+16"},
        {0.0001, NUMBER_FLOAT64, "0.0001"},
        {1e-5, NUMBER_FLOAT64, "1e-05"},
        {1e23, NUMBER_FLOAT64, "1e+23"},
        {9007199254740993e3, NUMBER_FLOAT64, "9.007199254740993e+18"},
        {0x1p-44, NUMBER_FLOAT64, "5.684341886080802e-14"},
        {0x1p-1074, NUMBER_FLOAT64, "5e-324"},
        {1.7976931348623157e308, NUMBER_FLOAT64, "1.7976931348623157e+308"},
        {0x1p-149, NUMBER_FLOAT32, "1e-45"},
        {0x1.fffffep127, NUMBER_FLOAT32, "3.4028235e+38"},
        {-INFINITY, NUMBER_FLOAT64, "-inf"},
    };
    char text[NUMBER_TEXT_MAX];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        number_put(text, cases[k].value, cases[k].type);
        CU_ASSERT_STRING_EQUAL(text, cases[k].text);
    }
    struct random random = {5};
    for (int k = 0; k < 50000; k++) {
        const uint64_t bits = random_word(&random);
        const uint32_t narrow_bits = (uint32_t)(bits >> 32);
        double value;
        float narrow;
        memcpy(&value, &bits, sizeof value);
        memcpy(&narrow, &narrow_bits, sizeof narrow);
        if (isfinite(value))
            check_number_text(value, NUMBER_FLOAT64);
        if (isfinite(narrow))
            check_number_text((double)narrow, NUMBER_FLOAT32);
        check_number_text((double)(bits >> 20) / 1e4, NUMBER_FLOAT64);
    }
}

static bool rounds_as_printf(double value, int digits) {
    char found[NUMBER_TEXT_MAX + 1], expected[64];
    found[NUMBER_TEXT_MAX] = 'x';
    snprintf(expected, sizeof expected, "%.*g", digits, value);
    const char *const end = number_put_rounded(found, value, digits);
    return strcmp(found, expected) == 0 && end == found + strlen(expected) &&
           found[NUMBER_TEXT_MAX] == 'x';
}

/* Texts of 1 to 17 digits are those of the C library: for any bits, for numbers of few digits and
 * in the middle between two of them, near powers of ten, and for integers. */
static void test_rounded_text(void) {
    static const double special[] = {0.0,    -0.0,  1.0,  -1.0,      9.5,       0.5,
                                     2.5,    1e22,  1e23, 0x1p-1022, 5e-324,    0x1p-1074,
                                     1e-300, 1e308, 1e16, INFINITY,  -INFINITY, NAN};
    struct random random = {9};
    for (int digits = 1; digits <= 17; digits++) {
        bool right = true;
        for (size_t k = 0; k < sizeof special / sizeof *special; k++)
            right = right && rounds_as_printf(special[k], digits);
        for (int power = -320; power <= 308; power++) {
            const double value = pow(10, power);
            right = right && rounds_as_printf(value, digits) &&
                    rounds_as_printf(nextafter(value, 0), digits) &&
                    rounds_as_printf(-value * (1 - 0x1p-20), digits);
        }
        CU_ASSERT(right);
    }
    bool right = true;
    for (int k = 0; k < 100000; k++) {
        const uint64_t bits = random_word(&random);
        const int digits = random_in(&random, 1, 17);
        double value;
        memcpy(&value, &bits, sizeof value);
        right = right && rounds_as_printf(value, digits) &&
                rounds_as_printf((double)(bits >> 20) / 1e9, 17) &&
                rounds_as_printf((double)(bits >> 40) / 16, digits) &&
                rounds_as_printf((double)(int64_t)bits, digits);
    }
    CU_ASSERT(right);
}

static void test_integer_text(void) {
    static const int64_t cases[] = {0, 1, -1, 9, 10, 99, 100, INT32_MAX, INT64_MAX, INT64_MIN};
    char found[NUMBER_TEXT_MAX], expected[NUMBER_TEXT_MAX];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(expected, sizeof expected, "%lld", (long long)cases[k]);
        CU_ASSERT_PTR_EQUAL(number_put_integer(found, cases[k]), found + strlen(expected));
        CU_ASSERT_STRING_EQUAL(found, expected);
    }
}

/* Decimal numbers of every length are rounded as the C library rounds them. */
static void test_real_random(void) {
    struct random random = {7};
    for (int k = 0; k < 50000; k++) {
        const int digits = random_in(&random, 1, 25), point = random_in(&random, 0, digits);
        char text[64];
        int length = 0;
        for (int d = 0; d < digits; d++) {
            if (d == point)
                text[length++] = '.';
            text[length++] = (char)('0' + random_in(&random, 0, 9));
        }
        length += snprintf(text + length, 16, "e%d", random_in(&random, -50, 30));
        for (int type = NUMBER_FLOAT32; type <= NUMBER_FLOAT64; type++) {
            struct text_line line = {text, text + length};
            double value = 0;
            const double expected =
                type == NUMBER_FLOAT32 ? (double)strtof(text, NULL) : strtod(text, NULL);
            const enum text_number number = text_take_real(&line, (enum number_type)type, &value);
            CU_ASSERT_EQUAL(number, isinf(expected) ? TEXT_TOO_LARGE : TEXT_REAL);
            CU_ASSERT_EQUAL(value, expected);
        }
    }
}

/* Lines of every length near the buffer's length, with both line ends. */
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
        text[size++] = 'z'; /* last line, without a line feed */

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

/* Names are shown with characters of UTF-8, but without any that a terminal acts on. */
static void test_printable(void) {
    static const struct {
        const char *name, *shown;
    } names[] = {
        {"", ""},
        {"g.txt ~", "g.txt ~"},
        {"a\nb\rc\td\033[31m\x7f\x01", "a?b?c?d?[31m??"},
        {"\u0161uma \u20ac \U0001f600 \u00a0", "\u0161uma \u20ac \U0001f600 \u00a0"},
        {"\xc2\x9b"
         "1m",
         "??1m"}, /* CSI in one character */
        /* line separator, marks of direction */
        {"\u2028\u202e\u2066x\u2027", "?????????x\u2027"},
        {"\xff\x80 \xc3( \xc3", "?? ?( ?"}, /* not UTF-8 */
        /* encodings that are longer than needed */
        {"\xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf", "?? ??? ????"},
        {"\xed\xa0\x80 \xf4\x90\x80\x80 \xf8\x88\x80\x80\x80", "??? ???? ?????"},
        {"\xe2\x82", "??"},
    };
    char copy[64];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        CU_ASSERT_STRING_EQUAL(printable_copy(names[k].name, copy, sizeof copy), names[k].shown);
        struct error err;
        fail(&err, STATUS_BAD_INPUT, "cannot open %s: ", names[k].name);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, names[k].shown));
    }
    /* A character that is cut off at the end is not shown. */
    CU_ASSERT_STRING_EQUAL(printable_copy("ab\u20ac", copy, 5), "ab??");
}

CU_TestInfo text_tests[] = {
    {"names made printable", test_printable},
    {"digits of every kind of number", test_digits},
    {"integers on a line", test_integers},
    {"decimal numbers times a scale", test_scaled},
    {"random decimal numbers", test_scaled_random},
    {"the shortest text of real numbers", test_real_text},
    {"the rounded text of real numbers", test_rounded_text},
    {"the text of integers", test_integer_text},
    {"random real numbers", test_real_random},
    {"lines around the size of the buffer", test_lines},
    {"line without end", test_line_too_long},
    {"excerpts for messages", test_excerpt},
    CU_TEST_INFO_NULL,
};
