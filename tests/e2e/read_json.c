// SPDX-License-Identifier: MIT
/* Reads texts by json_text.h, for test_json.py to compare with what Python reads.
 *
 * Each line of standard input is a text, two hexadecimal digits a byte. The answer is a line each:
 * "-" if the text is no JSON, otherwise its value: n null, f false, t true, i an integer, r a real
 * number in hexadecimal, s the bytes of a text, [ ] and { } with values between. A ';' ends numbers
 * and texts; a member is its name and its value. */
#include "common/base/json_text.h"
#include "common/base/memory.h" // memory_free

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_text(const char *text) {
    putchar('s');
    for (; *text != '\0'; text++)
        printf("%02x", (unsigned char)*text);
    putchar(';');
}

/* Nesting is limited to 100, so this may recurse. */
static void print_value(const struct json_value *value) {
    switch (value->kind) {
    case JSON_IS_NULL:
        putchar('n');
        break;
    case JSON_IS_FALSE:
        putchar('f');
        break;
    case JSON_IS_TRUE:
        putchar('t');
        break;
    case JSON_IS_INTEGER:
        printf("i%lld;", (long long)value->integer);
        break;
    case JSON_IS_REAL:
        printf("r%a;", value->number);
        break;
    case JSON_IS_TEXT:
        print_text(value->text);
        break;
    case JSON_IS_ARRAY:
    case JSON_IS_OBJECT:
        putchar(value->kind == JSON_IS_ARRAY ? '[' : '{');
        for (const struct json_value *v = value->first; v != NULL; v = v->next) {
            if (v->name != NULL)
                print_text(v->name);
            print_value(v);
        }
        putchar(value->kind == JSON_IS_ARRAY ? ']' : '}');
        break;
    }
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0) {
        struct json_document document;
        struct error err;
        const size_t size = (size_t)length / 2;
        char *const text = malloc(size + 1); /* exactly, for the sanitizer */
        if (text == NULL)
            return 1;
        for (size_t k = 0; k < size; k++) {
            const char digits[] = {line[2 * k], line[2 * k + 1], '\0'};
            text[k] = (char)strtol(digits, NULL, 16);
        }
        if (json_text_read("text", text, size, &document, &err) == STATUS_OK)
            print_value(document.root);
        else
            putchar('-');
        putchar('\n');
        memory_free(document.memory);
        free(text);
    }
    free(line);
    return 0;
}
