// SPDX-License-Identifier: MIT
/* Names of vertices: every name is found again, also in a block of bytes that came from a file. */
#include "common/base/memory.h"
#include "common/graph/name_table.h"
#include "common/graph/names.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 3000 };

/* Checks that every vertex has the name at its index and is found by it, and that other names are
 * not found. */
static void check(const struct vertex_names *names, char (*expected)[32], int32_t n) {
    char name[NAMES_LONGEST + 1];
    CU_ASSERT_EQUAL_FATAL(names->n, n);
    CU_ASSERT(names_are_sound(names));
    for (int32_t v = 0; v < n; v++) {
        int32_t found = -1;
        const size_t length = names_put(names, v, name, sizeof name);
        CU_ASSERT_STRING_EQUAL(name, expected[v]);
        CU_ASSERT_EQUAL(length, strlen(expected[v]));
        CU_ASSERT(names_find(names, name, length, &found));
        CU_ASSERT_EQUAL(found, v);
        CU_ASSERT(!names_find(names, strcat(name, "'"), length + 1, &found));
    }
}

static void test_numbers(void) {
    static char expected[MANY][32];
    static int64_t number[MANY];
    struct vertex_names *names = NULL, *view = NULL;
    struct error err;
    for (int32_t v = 0; v < MANY; v++) {
        number[v] = v * INT64_C(7000000001) - INT64_C(900000000000000);
        sprintf(expected[v], "%lld", (long long)number[v]);
    }
    for (int32_t n = 1; n <= MANY; n = n < 9 ? n + 1 : 9 * n) {
        CU_ASSERT_EQUAL_FATAL(names_of_numbers(&names, number, n, &err), STATUS_OK);
        check(names, expected, n);
        CU_ASSERT_EQUAL(names_at_least(names, number[0] - 1), 0);
        CU_ASSERT_EQUAL(names_at_least(names, number[n - 1] + 1), n);
        CU_ASSERT_EQUAL_FATAL(names_view(&view, names->block, names->bytes, n, &err), STATUS_OK);
        check(view, expected, n);
        CU_ASSERT(names_equal(names, view));
        names_free(view);
        CU_ASSERT_EQUAL(names_view(&view, names->block, names->bytes - 8, n, &err),
                        STATUS_BAD_INPUT);
        CU_ASSERT_EQUAL(names_view(&view, names->block, names->bytes, n + 1, &err),
                        STATUS_BAD_INPUT);
        names_free(names_share(names));
        names_free(names);
    }
}

static void test_words(void) {
    static char expected[MANY][32];
    struct name_table table = {0};
    struct vertex_names *names = NULL;
    struct error err;
    int32_t index;
    for (int32_t v = 0; v < MANY; v++) {
        sprintf(expected[v], v % 3 == 0 ? "%d" : v % 3 == 1 ? "a%d" : "00%d \xc3\xbc", v);
        /* Names are numbers until there is a word; then numbers are added as words. */
        CU_ASSERT_EQUAL_FATAL(
            v % 3 == 0 ? name_table_number(&table, v, &index, &err)
                       : name_table_word(&table, expected[v], strlen(expected[v]), &index, &err),
            STATUS_OK);
        CU_ASSERT_EQUAL(index, v);
    }
    for (int32_t v = 0; v < MANY; v++) {
        CU_ASSERT_EQUAL(name_table_word(&table, expected[v], strlen(expected[v]), &index, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(index, v);
    }
    CU_ASSERT_EQUAL_FATAL(names_of_words(&names, table.start, table.text, table.count, &err),
                          STATUS_OK);
    check(names, expected, MANY);
    /* Words that begin with the same letters as longer words before them in the table. */
    const char *const longest = memset(expected, 'a', sizeof expected);
    for (int32_t length = 300; length > 0; length--) {
        CU_ASSERT_EQUAL(name_table_word(&table, longest, (size_t)length, &index, &err), STATUS_OK);
        CU_ASSERT_EQUAL(index, MANY + 300 - length);
    }
    name_table_free(&table);
    names_free(names);
}

/* A block with any byte changed is read within its bounds, and found unsound unless the change is
 * only in the letters of a word. */
static void test_damage(void) {
    static const char text[] = "bcaxyz";
    static const uint64_t start[] = {0, 1, 3, 6};
    struct vertex_names *names = NULL, *view = NULL;
    struct error err;
    char name[16];
    int32_t found;
    CU_ASSERT_EQUAL_FATAL(names_of_words(&names, start, text, 3, &err), STATUS_OK);
    for (size_t at = 0; at < names->bytes; at++) {
        for (int bit = 0; bit < 8; bit++) {
            /* of exact size: sanitizers notice reads outside of it */
            char *const copy = malloc(names->bytes);
            memcpy(copy, names->block, names->bytes);
            copy[at] ^= (char)(1 << bit);
            if (names_view(&view, copy, names->bytes, 3, &err) == STATUS_OK) {
                const bool in_text = at >= names->bytes - strlen(text);
                CU_ASSERT(in_text || !names_are_sound(view));
                for (int32_t v = 0; v < 3; v++)
                    (void)names_put(view, v, name, sizeof name);
                (void)names_find(view, "ca", 2, &found);
                names_free(view);
            }
            free(copy);
        }
    }
    names_free(names);
}

static void test_naming(void) {
    static const uint64_t start[] = {0, 5, 5 + 8};
    struct vertex_naming naming = {.first = 1};
    struct error err;
    char field[64], text[80];
    int32_t v = -1;
    CU_ASSERT_STRING_EQUAL(naming_name(&naming, 4).text, "5");
    CU_ASSERT(naming_find(&naming, 5, "5", 1, &v));
    CU_ASSERT_EQUAL(v, 4);
    CU_ASSERT(!naming_find(&naming, 5, "0", 1, &v));
    CU_ASSERT(!naming_find(&naming, 5, "6", 1, &v));
    CU_ASSERT(!naming_find(&naming, 5, "05", 2, &v));
    CU_ASSERT_EQUAL(naming_take(&naming, 5, "--from", "6", 1, &v, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "--from: expected vertices 1 .. 5, found 6 (vertices are numbered from 1)");
    CU_ASSERT_EQUAL_FATAL(names_of_words(&naming.names, start, "AliceBob, \"B\"", 2, &err),
                          STATUS_OK);
    CU_ASSERT_EQUAL(naming_put_field(&naming, 0, field), 5);
    CU_ASSERT_NSTRING_EQUAL(field, "Alice", 5);
    CU_ASSERT_EQUAL(naming_put_field(&naming, 1, field), 12);
    CU_ASSERT_NSTRING_EQUAL(field, "\"Bob, \"\"B\"\"\"", 12);
    CU_ASSERT(naming_longest_field(&naming) >= 12);
    CU_ASSERT_EQUAL(naming_take(&naming, 2, "--from", "Al", 2, &v, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "which are called Alice, ..., Bob"));
    CU_ASSERT_STRING_EQUAL(naming_remark(&naming), "");
    naming_free(&naming);
    /* A long name is shortened in messages. */
    memset(text, 'x', sizeof text);
    CU_ASSERT_EQUAL_FATAL(
        names_of_words(&naming.names, (uint64_t[]){0, sizeof text}, text, 1, &err), STATUS_OK);
    CU_ASSERT_EQUAL(strlen(naming_name(&naming, 0).text), VERTEX_NAME_SIZE - 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(naming_name(&naming, 0).text, "xxx..."));
    naming_free(&naming);
    /* Names with blanks at an end, or with separators, need quotes. */
    CU_ASSERT_EQUAL_FATAL(names_of_words(&naming.names, (uint64_t[]){0, 2, 4, 6, 8, 10, 13},
                                         " cd a;b,c\te f", 6, &err),
                          STATUS_OK);
    for (v = 0; v < 6; v++)
        CU_ASSERT_EQUAL(naming_put_field(&naming, v, field), v < 5 ? 4 : 3);
    naming_free(&naming);
}

/* Returns the text with that number among those of `length` of these letters. */
static const char *nth_text(int number, const char *letters, int length, char text[8]) {
    const int count = (int)strlen(letters);
    for (int k = 0; k < length; k++, number /= count)
        text[k] = letters[number % count];
    text[length] = '\0';
    return text;
}

static int number_of_texts(const char *letters, int length) {
    int number = 1;
    while (length-- > 0)
        number *= (int)strlen(letters);
    return number;
}

/* A text is a number if numbers are printed so, and every name in a table is read back. */
static void test_all_texts(void) {
    static const char of_numbers[] = "-+0179a .", of_words[] = "a \",;\t";
    char text[8], printed[32];
    for (int length = 0; length <= 4; length++) {
        for (int k = number_of_texts(of_numbers, length); k-- > 0;) {
            int64_t number = 0;
            const long value = strtol(nth_text(k, of_numbers, length, text), NULL, 10);
            sprintf(printed, "%ld", value);
            const bool is_number = names_take_number(text, (size_t)length, &number);
            CU_ASSERT_EQUAL(is_number, strcmp(text, printed) == 0);
            CU_ASSERT_EQUAL(number, is_number ? value : number);
        }
        for (int k = number_of_texts(of_words, length); k-- > 0 && length > 0;) {
            struct vertex_naming naming = {.first = 0};
            struct error err;
            CU_ASSERT_EQUAL_FATAL(names_of_words(&naming.names, (uint64_t[]){0, (uint64_t)length},
                                                 nth_text(k, of_words, length, text), 1, &err),
                                  STATUS_OK);
            for (const char *separator = ",;\t"; *separator != '\0'; separator++) {
                char field[64], name[NAMES_LONGEST + 1];
                const char *at = field;
                size_t taken;
                const size_t put = naming_put_field(&naming, 0, field);
                field[put] = *separator;
                CU_ASSERT(naming_take_field(&at, field + put + 1, *separator, name, &taken));
                CU_ASSERT_PTR_EQUAL(at, field + put);
                CU_ASSERT(taken == (size_t)length && memcmp(name, text, taken) == 0);
            }
            naming_free(&naming);
        }
    }
}

CU_TestInfo names_tests[] = {
    {"numbers", test_numbers},           {"words", test_words},
    {"damaged blocks", test_damage},     {"in messages, options and tables", test_naming},
    {"all short texts", test_all_texts}, CU_TEST_INFO_NULL,
};
