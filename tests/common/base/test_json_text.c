// SPDX-License-Identifier: MIT
/* Small JSON files, against what jansson makes of the same bytes. */
#include "common/base/json_text.h"
#include "common/base/memory.h" // memory_free
#include "tests/unit/support.h"

#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_value(const struct json_value *ours, const json_t *theirs) {
    size_t count = 0;
    switch (ours->kind) {
    case JSON_IS_NULL:
        return json_is_null(theirs);
    case JSON_IS_FALSE:
        return json_is_false(theirs);
    case JSON_IS_TRUE:
        return json_is_true(theirs);
    case JSON_IS_INTEGER:
        return json_is_integer(theirs) && ours->integer == json_integer_value(theirs) &&
               ours->number == json_number_value(theirs);
    case JSON_IS_REAL:
        return json_is_real(theirs) && ours->number == json_real_value(theirs);
    case JSON_IS_TEXT:
        return json_is_string(theirs) && strcmp(ours->text, json_string_value(theirs)) == 0;
    case JSON_IS_ARRAY:
        for (const struct json_value *v = ours->first; v != NULL; v = v->next, count++) {
            if (!same_value(v, json_array_get(theirs, count)))
                return false;
        }
        return json_is_array(theirs) && count == json_array_size(theirs);
    case JSON_IS_OBJECT:
        for (const struct json_value *v = ours->first; v != NULL; v = v->next, count++) {
            if (json_text_member(ours, v->name) != v ||
                !same_value(v, json_object_get(theirs, v->name)))
                return false;
        }
        return json_is_object(theirs) && count == json_object_size(theirs);
    }
    return false;
}

/* Whether the two agree on what the bytes say, or that they say nothing. */
static bool agree(const char *text, size_t size) {
    struct json_document ours;
    struct error err;
    json_error_t reason;
    json_t *theirs = json_loadb(text, size, JSON_REJECT_DUPLICATES, &reason);
    const enum status status = json_text_read("file", text, size, &ours, &err);
    const bool same = status == STATUS_OK ? theirs != NULL && same_value(ours.root, theirs)
                                          : status == STATUS_BAD_INPUT && theirs == NULL;
    if (!same)
        printf("\n    %.*s: %s; %s\n", (int)size, text, status == STATUS_OK ? "read" : err.text,
               theirs != NULL ? "read" : reason.text);
    memory_free(ours.memory);
    json_decref(theirs);
    return same;
}

static const char *const texts[] = {
    "{}",
    "[]",
    " [ ] ",
    "",
    " ",
    "null",
    "5",
    "\"a\"",
    "{",
    "[",
    "}",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1}{}",
    "{\"a\":1} x",
    "[true,false,null]",
    "[tru]",
    "[nulll]",
    "[True]",
    "[0,-0,1,-1,12,9223372036854775807,-9223372036854775808]",
    "[9223372036854775808]",
    "[01]",
    "[-]",
    "[+1]",
    "[.5]",
    "[5.]",
    "[0.5,-0.25,1e3,1E-3,1e+3,1.5e300]",
    "[1e]",
    "[1e+]",
    "[1e999]",
    "[-1e999]",
    "[1e-999]",
    "[NaN]",
    "[Infinity]",
    "[0x1]",
    "[1.2.3]",
    "[\"\",\"a\",\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\\uABCD\"]",
    "[\"\\u0000\"]",
    "[\"\\ud83d\"]",
    "[\"\\ude00\"]",
    "[\"\\ud83d\\u0041\"]",
    "[\"\\u12\"]",
    "[\"\\x\"]",
    "[\"a]",
    "[\"a\nb\"]",
    "[\"\\",
    "[\"\x01\"]",
    "[\"\xc3\xa9\xe2\x82\xac\"]",
    "[\"\xf0\x9f\x98\x80\"]",
    "[\"\xff\"]",
    "[\"\xc3\"]",
    "[\"\xc0\x80\"]",
    "[\"\xe0\x80\x80\"]",
    "[\"\xed\xa0\x80\"]",
    "[\"\xf4\x90\x80\x80\"]",
    "[\"\xf8\x88\x80\x80\x80\"]",
    "\xef\xbb\xbf[]",
    "{\"a\":{\"b\":[{\"c\":1},{\"c\":[]}]},\"d\":\"e\"}",
    "{\"\":1}",
    "[[[[[[1]]]]]]",
    "[1]]",
    "\t\r\n{\r\n\"predecessors\":\ttrue , \"x\" : [ 1 , { } ] }\n",
    "[1 2]",
    "{\"a\" 1}",
    "{1:2}",
};

static void test_texts(void) {
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        CU_ASSERT(agree(texts[t], strlen(texts[t])));
    CU_ASSERT(agree("[\"\0\"]", 5));
    CU_ASSERT(agree("[]\0", 3));
}

/* Every text with bytes replaced, left out and doubled. */
static void test_mangled_texts(void) {
    static const char bytes[] = "{}[]\",:\\/ u0189.eE+-tfn\n\x01\x80\xc3\xff";
    struct random random = {3};
    for (int round = 0; round < 40000; round++) {
        char text[256];
        const char *from = texts[random_in(&random, 0, sizeof texts / sizeof *texts - 1)];
        size_t size = strlen(from);
        memcpy(text, from, size);
        for (int changes = random_in(&random, 1, 3); changes > 0 && size > 0; changes--) {
            const size_t at = (size_t)random_in(&random, 0, (int32_t)size - 1);
            const int32_t kind = random_in(&random, 0, 2);
            if (kind == 0)
                text[at] = bytes[random_in(&random, 0, sizeof bytes - 2)];
            else if (kind == 1)
                memmove(text + at, text + at + 1, --size - at);
            else
                memmove(text + at + 1, text + at, size++ - at);
        }
        CU_ASSERT(agree(text, size));
    }
}

/* As long, as full and as deep as can be. */
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
        char *text = malloc(JSON_LONGEST); /* exactly, for the sanitizer */
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

/* What is written says what it was given, whatever the locale. */
static void test_writing(void) {
    static const double numbers[] = {0, 1, -2.5, 1e-7, 1.0 / 3, 1e300, 12345678, 0.1};
    const char *const locales[] = {"C", "de_DE.UTF-8"};
    for (int l = 0; l < 2; l++) {
        struct json_writer w;
        if (setlocale(LC_NUMERIC, locales[l]) == NULL)
            continue; /* not every machine has it */
        json_write_open(&w, NULL);
        json_write_integer(&w, "most", INT64_MAX);
        json_write_bool(&w, "yes", true);
        json_write_text(&w, "text", "a\"\\\n\x01/\xc3\xa9");
        json_write_text(&w, "no text", "\xff");
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
        CU_ASSERT(agree(w.text, w.length));
        json_t *theirs = json_loadb(w.text, w.length, 0, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(theirs);
        CU_ASSERT(json_integer_value(json_object_get(theirs, "most")) == INT64_MAX);
        CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(theirs, "text")),
                               "a\"\\\n\x01/\xc3\xa9");
        CU_ASSERT(json_is_null(json_object_get(theirs, "no text")));
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            char name[8];
            snprintf(name, sizeof name, "%zu", n);
            const json_t *number = json_object_get(json_object_get(theirs, "inner"), name);
            CU_ASSERT(json_is_real(number) && json_real_value(number) == numbers[n]);
        }
        json_decref(theirs);
    }
    setlocale(LC_NUMERIC, "C");
    CU_ASSERT_EQUAL(localeconv()->decimal_point[0], '.');
}

CU_TestInfo json_text_tests[] = {
    {"texts, as jansson reads them", test_texts},
    {"mangled texts, as jansson reads them", test_mangled_texts},
    {"the longest", test_limits},
    {"written", test_writing},
    CU_TEST_INFO_NULL,
};
