// SPDX-License-Identifier: MIT
#include "cli/json_answer.h"

#include "common/base/memory.h" // memory_alloc

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Upper bounds of the bytes that jansson 2.14 takes if freed memory is not reused: a growing array
 * doubles its table, an object has a bucket, a pair and a number for each member, and printing
 * remembers every container. */
enum {
    NUMBER_BYTES = 128,
    OBJECT_BYTES = 4096,
    TEXTS = 10,                    /* as long as a path: eight, and the notes on the graph */
    TEXT_BYTES = 2 * 3 * PATH_MAX, /* U+FFFD takes three bytes, and it is copied */
    FIXED_BYTES = TEXTS * TEXT_BYTES + 64 * 1024,
    ALIGNMENT = _Alignof(max_align_t),
    SECONDS_DIGITS = 9, /* as in the rows of --csv */
    EXACT_DIGITS = 17,  /* which give back the same double */
};

/* It takes no memory until it is touched. */
static _Alignas(max_align_t) char fixed[FIXED_BYTES];

static char *reserved; /* NULL: an answer takes the fixed memory */
static size_t size = FIXED_BYTES, used;

static json_malloc_t plain_malloc;
static json_free_t plain_free;

static void *allocate(size_t wanted) {
    char *memory = reserved != NULL ? reserved : fixed;
    wanted = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (wanted > size - used)
        return NULL;
    used += wanted;
    return memory + used - wanted;
}

static void leave(void *unused) {
    (void)unused;
}

static void release(void) {
    memory_free(reserved);
    reserved = NULL;
    size = FIXED_BYTES;
}

size_t json_answer_memory(size_t numbers, size_t objects) {
    return FIXED_BYTES + numbers * NUMBER_BYTES + objects * OBJECT_BYTES;
}

enum status json_answer_reserve(size_t numbers, size_t objects, struct error *err) {
    const size_t bytes = json_answer_memory(numbers, objects);
    void *memory;
    release();
    RETURN_ON_FAILURE(memory_alloc(&memory, bytes, 1, "the answer in JSON", err));
    reserved = memory;
    size = bytes;
    return STATUS_OK;
}

void json_answer_begin(void) {
    used = 0;
    json_get_alloc_funcs(&plain_malloc, &plain_free);
    json_set_alloc_funcs(allocate, leave);
}

/* Whether the answer has numbers that must read back to the same ones. */
static bool has_exact;

json_t *json_answer_number(enum number_type type, double number) {
    if (!isfinite(number))
        return json_null();
    has_exact = has_exact || type != NUMBER_INT32;
    return type == NUMBER_INT32 ? json_integer((json_int_t)number) : json_real(number);
}

json_t *json_answer_text(const char *text) {
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    enum { WIDTH = sizeof replacement - 1 };
    json_t *string = json_string(text);
    char *ascii = string == NULL ? allocate(WIDTH * strlen(text) + 1) : NULL;
    if (ascii == NULL)
        return string;
    char *to = ascii;
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x80) {
            *to++ = *text;
        } else {
            memcpy(to, replacement, WIDTH);
            to += WIDTH;
        }
    }
    *to = '\0';
    return json_string(ascii);
}

static struct {
    const char *name; /* NULL: no member is appended */
    const char *json;
    size_t size;
} appended;

void json_answer_append(const char *name, const char *json, size_t bytes) {
    appended.name = name;
    appended.json = json;
    appended.size = bytes;
}

/* In one line: outside of strings, which have no line feed, each begins an indentation. */
static void print_appended(void) {
    const char *at = appended.json, *const end = at + appended.size;
    printf(",\"%s\":", appended.name);
    while (at < end) {
        const char *const feed = memchr(at, '\n', (size_t)(end - at));
        fwrite(at, 1, (size_t)((feed != NULL ? feed : end) - at), stdout);
        for (at = feed != NULL ? feed + 1 : end; at < end && *at == ' ';)
            at++;
    }
    appended.name = NULL;
}

void json_answer_print(json_t *object) {
    const size_t digits = has_exact ? EXACT_DIGITS : SECONDS_DIGITS;
    putchar('{');
    json_dumpf(object, stdout, JSON_COMPACT | JSON_EMBED | JSON_REAL_PRECISION(digits));
    if (appended.name != NULL)
        print_appended();
    puts("}");
    has_exact = false;
    json_decref(object);
    json_set_alloc_funcs(plain_malloc, plain_free);
    release();
}
