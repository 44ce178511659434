// SPDX-License-Identifier: MIT
/* An answer goes to stdout whole, however long it is. */
#include "cli/json_answer.h"
#include "common/base/memory.h" // memory_free
#include "tests/cli/printed.h"
#include "tests/unit/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Elements of arrays whose texts are shorter and longer than what the writer holds. */
static const int counts[] = {0, 1, 7, 1000, 4097, 40000};

static void print_arrays(void *context) {
    const int count = *(const int *)context;
    struct json_writer *const w = json_answer_begin();
    json_write_array(w, "integers");
    for (int k = 0; k < count; k++)
        json_write_integer(w, NULL, k);
    json_write_array_end(w);
    json_write_array(w, "objects");
    for (int k = 0; k < count; k++) {
        json_write_open(w, NULL);
        json_write_integer(w, "vertex", k);
        json_answer_number(w, "distance", NUMBER_FLOAT64, k / 8.0);
        json_answer_text_if(w, "summary", "a short text in a member");
        json_write_close(w);
    }
    json_write_array_end(w);
    json_write_close(w);
}

static void test_arrays(void) {
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        int count = counts[c], integers = 0, objects = 0;
        struct json_document answer;
        read_printed(print_arrays, &count, &answer);
        for (const struct json_value *v = json_text_member(answer.root, "integers")->first;
             v != NULL; v = v->next)
            integers += v->integer == integers;
        for (const struct json_value *v = json_text_member(answer.root, "objects")->first;
             v != NULL; v = v->next)
            objects += json_text_member(v, "vertex")->integer == objects &&
                       json_text_member(v, "distance")->number == objects / 8.0 &&
                       strlen(json_text_member(v, "summary")->text) == 24;
        CU_ASSERT_EQUAL(integers, count);
        CU_ASSERT_EQUAL(objects, count);
        memory_free(answer.memory);
    }
}

/* As long as the writer's text, and three times as long where it is not UTF-8. */
static char odd[JSON_LONGEST + 100];

static void print_texts(void *unused) {
    (void)unused;
    struct json_writer *const w = json_answer_begin();
    json_write_any_text(w, "odd", odd);
    json_write_any_text(w, "kept", "\xc5\xa1uma \" \\ \x01");
    json_answer_text_if(w, "empty", "");
    json_answer_text_if(w, "none", NULL);
    json_write_close(w);
}

static void test_texts(void) {
    struct json_document answer;
    memset(odd, 0xff, sizeof odd - 1);
    odd[1] = 'a';
    read_printed(print_texts, NULL, &answer);
    const char *const text = json_text_member(answer.root, "odd")->text;
    CU_ASSERT_EQUAL(strlen(text), 3 * (sizeof odd - 2) + 1);
    CU_ASSERT_NSTRING_EQUAL(text,
                            "\xef\xbf\xbd"
                            "a\xef\xbf\xbd",
                            7);
    CU_ASSERT_STRING_EQUAL(json_text_member(answer.root, "kept")->text, "\xc5\xa1uma \" \\ \x01");
    CU_ASSERT_EQUAL(json_text_member(answer.root, "empty")->kind, JSON_IS_NULL);
    CU_ASSERT_EQUAL(json_text_member(answer.root, "none")->kind, JSON_IS_NULL);
    memory_free(answer.memory);
}

static void print_numbers(void *unused) {
    (void)unused;
    struct json_writer *const w = json_answer_begin();
    json_answer_number(w, "integer", NUMBER_INT32, 5);
    json_answer_number(w, "no integer", NUMBER_INT32, (double)INFINITY);
    json_answer_number(w, "exact", NUMBER_FLOAT64, 0.1 + 0.2);
    json_answer_number(w, "none", NUMBER_FLOAT64, (double)INFINITY);
    json_answer_real(w, "short", 1.0 / 3);
    json_answer_real_if(w, "unknown", false, 1);
    json_answer_integer_if(w, "unknown too", false, 1);
    json_answer_integer_if(w, "known", true, 1);
    json_write_close(w);
}

static void test_numbers(void) {
    struct json_document answer;
    read_printed(print_numbers, NULL, &answer);
    const struct json_value *const root = answer.root;
    CU_ASSERT_EQUAL(json_text_member(root, "integer")->kind, JSON_IS_INTEGER);
    CU_ASSERT_EQUAL(json_text_member(root, "no integer")->kind, JSON_IS_NULL);
    CU_ASSERT_EQUAL(json_text_member(root, "exact")->number, 0.1 + 0.2);
    CU_ASSERT_EQUAL(json_text_member(root, "none")->kind, JSON_IS_NULL);
    CU_ASSERT_EQUAL(json_text_member(root, "short")->number, 0.333333333);
    CU_ASSERT_EQUAL(json_text_member(root, "unknown")->kind, JSON_IS_NULL);
    CU_ASSERT_EQUAL(json_text_member(root, "unknown too")->kind, JSON_IS_NULL);
    CU_ASSERT_EQUAL(json_text_member(root, "known")->integer, 1);
    memory_free(answer.memory);
}

CU_TestInfo json_answer_tests[] = {
    {"arrays of every size", test_arrays},
    {"texts that are long or not UTF-8", test_texts},
    {"numbers", test_numbers},
    CU_TEST_INFO_NULL,
};
