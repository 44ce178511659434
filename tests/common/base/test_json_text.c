// SPDX-License-Identifier: MIT
/* JSON that is as long as can be, and what is written; tests/e2e/test_json.py compares what is read
 * with what Python reads. */
#include "common/base/json_text.h"
#include "common/base/memory.h" // memory_free
#include "tests/unit/support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest, fullest and deepest JSON that is allowed. */
static void test_limits(void) {
    static const struct {
        const char *head, *part, *tail;
        enum status expected;
    } files[] = {
        {"[", "1,", "0]", STATUS_OK},         {"[", "{},", "0]", STATUS_OK},
        {"[\"", "x", "\"]", STATUS_OK},       {"[", "\"\",", "0]", STATUS_OK},
        {"", "[", "", STATUS_BAD_INPUT},      {"", "{\"\":", "", STATUS_BAD_INPUT},
        {"", "\n", "[]", STATUS_OK},          {"[", "\n", "x]", STATUS_BAD_INPUT},
        {"[1", "0", "]", STATUS_BAD_INPUT},   {"[0.", "0", "1]", STATUS_BAD_INPUT},
        {"[\"", "\\u00e9", "\"]", STATUS_OK},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char *text = malloc(JSON_LONGEST); /* of exact size, for the sanitizer */
        const size_t part = strlen(files[f].part), tail = strlen(files[f].tail);
        size_t size = strlen(files[f].head);
        struct json_document document;
        struct error err;
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        memcpy(text, files[f].head, size);
        for (; size + part + tail <= JSON_LONGEST; size += part)
            memcpy(text + size, files[f].part, part);
        memcpy(text + size, files[f].tail, tail);
        CU_ASSERT_EQUAL(json_text_read("file", text, size + tail, &document, &err),
                        files[f].expected);
        if (files[f].expected != STATUS_OK)
            CU_ASSERT_NSTRING_EQUAL(err.text, "file:", 5);
        memory_free(document.memory);
        free(text);
    }
}

/* Numbers are written as JSON that reads as the same numbers, whatever the locale. */
static void test_writing(void) {
    static const double numbers[] = {0, 1, -2.5, 1e-7, 1.0 / 3, 1e300, 12345678, 0.1};
    const char *const locales[] = {"C", "de_DE.UTF-8"};
    for (int l = 0; l < 2; l++) {
        struct json_writer w;
        if (setlocale(LC_NUMERIC, locales[l]) == NULL)
            continue; /* this machine does not have the locale */
        json_write_begin(&w, NULL);
        json_write_integer(&w, "most", INT64_MAX);
        json_write_bool(&w, "yes", true);
        json_write_text(&w, "text", "a\"\\\n\x01/\xc3\xa9");
        json_write_text(&w, "no text", "\xff");
        json_write_any_text(&w, "any text", "a\xff");
        json_write_real(&w, "infinite", (double)INFINITY, 17);
        json_write_open(&w, "inner");
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            char name[8];
            snprintf(name, sizeof name, "%zu", n);
            json_write_real(&w, name, numbers[n], 17);
        }
        json_write_close(&w);
        json_write_open(&w, "empty");
        json_write_close(&w);
        json_write_bool(&w, "last", false);
        json_write_close(&w);
        struct json_document document;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(json_text_read("w", w.text, w.length, &document, &err), STATUS_OK);
        const struct json_value *const read = document.root;
        CU_ASSERT(json_text_member(read, "most")->integer == INT64_MAX);
        CU_ASSERT_EQUAL(json_text_member(read, "yes")->kind, JSON_IS_TRUE);
        CU_ASSERT_STRING_EQUAL(json_text_member(read, "text")->text, "a\"\\\n\x01/\xc3\xa9");
        CU_ASSERT_EQUAL(json_text_member(read, "no text")->kind, JSON_IS_NULL);
        CU_ASSERT_STRING_EQUAL(json_text_member(read, "any text")->text, "a\xef\xbf\xbd");
        CU_ASSERT_EQUAL(json_text_member(read, "infinite")->kind, JSON_IS_NULL);
        CU_ASSERT_PTR_NULL(json_text_member(read, "empty")->first);
        CU_ASSERT_EQUAL(json_text_member(read, "last")->kind, JSON_IS_FALSE);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            char name[8];
            snprintf(name, sizeof name, "%zu", n);
            const struct json_value *const number =
                json_text_member(json_text_member(read, "inner"), name);
            CU_ASSERT(number->kind == JSON_IS_REAL && number->number == numbers[n]);
        }
        memory_free(document.memory);
    }
    setlocale(LC_NUMERIC, "C");
    CU_ASSERT_EQUAL(localeconv()->decimal_point[0], '.');
}

static void write_all(struct json_writer *w) {
    static const char json[] = "{\n  \"a  b\": 1,\n  \"c\": [1, 2]\n}";
    json_write_integer(w, "integer", -7);
    json_write_array(w, "array");
    json_write_integer(w, NULL, 1);
    json_write_real(w, NULL, 1e-7, 9);
    json_write_real(w, NULL, -2.5e+100, 9);
    json_write_real(w, NULL, 1e20, 17);
    json_write_text(w, NULL, "e+05");
    json_write_array(w, NULL);
    json_write_array_end(w);
    json_write_open(w, NULL);
    json_write_null(w, "nothing");
    json_write_close(w);
    json_write_array_end(w);
    json_write_json(w, "json", json, sizeof json - 1);
    json_write_bool(w, "last", true);
    json_write_close(w);
}

/* The same calls write one member on a line, or all on one line of a stream. */
static void test_layouts(void) {
    static const char lines[] = "{\n"
                                "  \"integer\": -7,\n"
                                "  \"array\": [1, 1e-07, -2.5e+100, 1e+20, \"e+05\", [], {\n"
                                "    \"nothing\": null\n"
                                "  }],\n"
                                "  \"json\": {\n  \"a  b\": 1,\n  \"c\": [1, 2]\n},\n"
                                "  \"last\": true\n"
                                "}\n";
    static const char line[] = "{\"integer\":-7,"
                               "\"array\":[1,1e-7,-2.5e100,1e20,\"e+05\",[],{\"nothing\":null}],"
                               "\"json\":{\"a  b\": 1,\"c\": [1, 2]},\"last\":true}\n";
    char streamed[sizeof line + 1] = "";
    FILE *const file = tmpfile();
    struct json_writer w;
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    json_write_begin(&w, NULL);
    write_all(&w);
    CU_ASSERT_EQUAL(w.length, sizeof lines - 1);
    CU_ASSERT_NSTRING_EQUAL(w.text, lines, sizeof lines - 1);
    json_write_begin(&w, file);
    write_all(&w);
    rewind(file);
    CU_ASSERT_EQUAL(fread(streamed, 1, sizeof streamed, file), sizeof line - 1);
    CU_ASSERT_STRING_EQUAL(streamed, line);
    fclose(file);
}

CU_TestInfo json_text_tests[] = {
    {"the longest", test_limits},
    {"written", test_writing},
    {"in lines and in one", test_layouts},
    CU_TEST_INFO_NULL,
};
