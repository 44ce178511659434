// SPDX-License-Identifier: MIT
/* The one JSON object that a program prints under --json, built with jansson. If memory runs out in
 * the middle, jansson may leave a gap or fail an assertion, so an answer gets all its memory before
 * it begins. Only programs may do this, because jansson's allocator belongs to the whole process;
 * the library uses json_text.h. */
#ifndef CLI_JSON_ANSWER_H
#define CLI_JSON_ANSWER_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/number.h" // enum number_type

#include <jansson.h>
#include <stddef.h>

/* Reserves memory for the next answer: an object of a few dozen members, whose texts are at most as
 * long as a path may be, with arrays of `numbers` numbers and `objects` objects of at most
 * sixteen members. An answer without arrays needs no call. After it, the answer cannot fail, so
 * call it before anything is written. STATUS_NO_RESOURCE if there is not enough memory. */
enum status json_answer_reserve(size_t numbers, size_t objects, struct error *err);

/* Returns how many bytes json_answer_reserve() takes. */
size_t json_answer_memory(size_t numbers, size_t objects);

/* Until json_answer_print(), jansson takes its memory from the answer. No object of jansson may
 * exist when it is called. */
void json_answer_begin(void);

/* Makes a string. If the text is not UTF-8, as file names may be, U+FFFD replaces each byte beyond
 * ASCII. */
json_t *json_answer_text(const char *text);

/* Makes a number of that type: an integer, or a real number that the answer prints with all its
 * digits; null if it is not finite. */
json_t *json_answer_number(enum number_type type, double number);

/* Appends a member to the next answer that is printed, whose value is `bytes` bytes of JSON by
 * json_text.h. The text is the caller's, until then. */
void json_answer_append(const char *name, const char *json, size_t bytes);

/* Prints the object on stdout, in one line, and ends the answer. The program checks at its end
 * whether stdout took it (cli.h). */
void json_answer_print(json_t *object);

#endif
