// SPDX-License-Identifier: MIT
#include "cli/json_answer.h"

#include <math.h>
#include <stdio.h>

static struct json_writer writer;

struct json_writer *json_answer_begin(void) {
    json_write_begin(&writer, stdout);
    return &writer;
}

void json_answer_number(struct json_writer *w, const char *name, enum number_type type,
                        double number) {
    if (type == NUMBER_INT32)
        json_answer_integer_if(w, name, isfinite(number), isfinite(number) ? (int64_t)number : 0);
    else
        json_write_real(w, name, number, JSON_EXACT_DIGITS);
}

void json_answer_real(struct json_writer *w, const char *name, double number) {
    json_write_real(w, name, number, JSON_SECONDS_DIGITS);
}

void json_answer_text_if(struct json_writer *w, const char *name, const char *text) {
    if (text != NULL && text[0] != '\0')
        json_write_any_text(w, name, text);
    else
        json_write_null(w, name);
}

void json_answer_integer_if(struct json_writer *w, const char *name, bool known, int64_t integer) {
    if (known)
        json_write_integer(w, name, integer);
    else
        json_write_null(w, name);
}

void json_answer_real_if(struct json_writer *w, const char *name, bool known, double number) {
    if (known)
        json_answer_real(w, name, number);
    else
        json_write_null(w, name);
}
