// SPDX-License-Identifier: MIT
/* An answer has the memory that was reserved for it: nothing of it is missing. */
#include "cli/json_answer.h"
#include "tests/unit/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Prints the object into a file instead, and reads it back; to be released. */
static json_t *printed(json_t *object) {
    const char *path = temporary_path();
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO), file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    CU_ASSERT_FATAL(kept >= 0 && file >= 0);
    dup2(file, STDOUT_FILENO);
    json_answer_print(object);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(file);
    json_t *again = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(again);
    return again;
}

/* Around the sizes at which jansson's tables grow. */
static void test_arrays(void) {
    static const size_t counts[] = {0, 1, 7, 8, 9, 16, 17, 1000, 4096, 4097, 8193};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const size_t count = counts[c];
        struct error err;
        CU_ASSERT_EQUAL_FATAL(json_answer_reserve(2 * count, count, &err), STATUS_OK);
        json_answer_begin();
        json_t *reals = json_array(), *integers = json_array(), *objects = json_array();
        for (size_t k = 0; k < count; k++) {
            json_array_append_new(reals, json_real((double)k + 0.5));
            json_array_append_new(integers, json_integer((json_int_t)k));
            json_array_append_new(objects,
                                  json_pack("{s:i, s:f, s:i, s:f, s:s, s:s, s:i, s:f, "
                                            "s:i, s:f, s:i, s:f, s:s, s:s, s:i, s:f}",
                                            "vertex", (int)k, "distance", 1.5, "predecessor", 3,
                                            "weight", 4.5, "summary", "a short text in a member",
                                            "exact_up_to", "another", "i", 7, "j", 8.5, "k", 1, "l",
                                            1.5, "m", 3, "n", 4.5, "o", "a short text in a member",
                                            "p", "another", "q", 7, "r", 8.5));
        }
        json_t *again = printed(
            json_pack("{s:o, s:o, s:o}", "reals", reals, "integers", integers, "objects", objects));
        CU_ASSERT_EQUAL(json_array_size(json_object_get(again, "reals")), count);
        CU_ASSERT_EQUAL(json_array_size(json_object_get(again, "integers")), count);
        CU_ASSERT_EQUAL(json_array_size(json_object_get(again, "objects")), count);
        size_t whole = 0;
        for (size_t k = 0; k < count; k++) {
            const json_t *object = json_array_get(json_object_get(again, "objects"), k);
            whole += json_object_size(object) == 16 &&
                     json_integer_value(json_object_get(object, "vertex")) == (json_int_t)k;
        }
        CU_ASSERT_EQUAL(whole, count);
        json_decref(again);
    }
}

/* Without a reserve: the fixed memory takes every text, however long and odd. */
static void test_texts(void) {
    static char longest[4096];
    memset(longest, 0xff, sizeof longest - 1); /* not UTF-8, three bytes each */
    for (int repeated = 0; repeated < 2; repeated++) {
        json_answer_begin();
        json_t *object = json_object();
        for (int k = 0; k < 6; k++) {
            const char name[] = {(char)('a' + k), '\0'};
            json_object_set_new(object, name, json_answer_text(longest));
        }
        json_object_set_new(object, "kept", json_answer_text("\xc5\xa1uma \" \\ \x01"));
        json_t *again = printed(object);
        CU_ASSERT_EQUAL(json_object_size(again), 7);
        CU_ASSERT_EQUAL(json_string_length(json_object_get(again, "f")), 3 * 4095);
        CU_ASSERT_EQUAL(memcmp(json_string_value(json_object_get(again, "a")), "\xef\xbf\xbd", 3),
                        0);
        CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(again, "kept")),
                               "\xc5\xa1uma \" \\ \x01");
        json_decref(again);
    }
}

/* Jansson has its own memory again afterwards; an answer begun after a reserve that was not
 * needed, and one after it, are whole. */
static void test_one_after_the_other(void) {
    struct error err;
    json_malloc_t before, after;
    json_free_t unused;
    json_get_alloc_funcs(&before, &unused);
    CU_ASSERT_EQUAL(json_answer_reserve(10, 10, &err), STATUS_OK);
    CU_ASSERT_EQUAL(json_answer_reserve(0, 0, &err), STATUS_OK);
    for (int k = 0; k < 3; k++) {
        json_answer_begin();
        json_t *again = printed(json_pack("{s:i}", "k", k));
        CU_ASSERT_EQUAL(json_integer_value(json_object_get(again, "k")), k);
        json_decref(again);
        json_get_alloc_funcs(&after, &unused);
        CU_ASSERT(before == after);
    }
}

CU_TestInfo json_answer_tests[] = {
    {"arrays of every size", test_arrays},
    {"texts that are long or not UTF-8", test_texts},
    {"one after the other", test_one_after_the_other},
    CU_TEST_INFO_NULL,
};
