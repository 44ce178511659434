// SPDX-License-Identifier: MIT
/* The one JSON object that a program prints under --json, in one line on stdout. It goes there
 * while it is written (json_text.h) and needs no memory, so an answer cannot fail; the program
 * checks at its end whether stdout took it (cli.h). */
#ifndef CLI_JSON_ANSWER_H
#define CLI_JSON_ANSWER_H

#include "common/base/json_text.h" // struct json_writer, json_write_integer, ...
#include "common/base/number.h"    // enum number_type

#include <stdbool.h>
#include <stdint.h>

enum {
    JSON_SECONDS_DIGITS = 9, /* significant digits, as in the rows of --csv */
    JSON_EXACT_DIGITS = 17,  /* significant digits from which the same double is read back */
};

/* Begins an answer, and returns its writer, of which there is one. json_write_close() ends the
 * answer. */
struct json_writer *json_answer_begin(void);

/* Writes a number of that type: an integer, or a real number with all its digits; null if it is not
 * finite. */
void json_answer_number(struct json_writer *w, const char *name, enum number_type type,
                        double number);

/* Writes a real number, as a rule seconds, with JSON_SECONDS_DIGITS. */
void json_answer_real(struct json_writer *w, const char *name, double number);

/* Write a member: its value if that is known, otherwise null. A text is known unless it is NULL or
 * empty, and is written as by json_write_any_text(). */
void json_answer_text_if(struct json_writer *w, const char *name, const char *text);
void json_answer_integer_if(struct json_writer *w, const char *name, bool known, int64_t integer);
void json_answer_real_if(struct json_writer *w, const char *name, bool known, double number);

#endif
