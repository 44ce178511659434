// SPDX-License-Identifier: MIT
/* The one JSON object that a program prints under --json, built with jansson. Where
 * memory runs out in the middle, that library may leave a gap or fail an assertion;
 * so all that an answer needs is allocated before it begins. For programs: jansson's
 * memory is the whole process's. */
#ifndef COMMON_CLI_JSON_ANSWER_H
#define COMMON_CLI_JSON_ANSWER_H

#include "common/base/error.h" // enum status, struct error

#include <jansson.h>
#include <stddef.h>

/* Makes room in the next answer, for an object of a few dozen members whose texts are at most as
 * long as a path may be, and in its arrays `numbers` numbers and `objects` objects of at most
 * sixteen members; without this call it has no such arrays. Best done before anything is written:
 * afterwards an answer cannot fail. STATUS_NO_RESOURCE where the memory is not there. */
enum status json_answer_reserve(size_t numbers, size_t objects, struct error *err);

/* Bytes that it takes. */
size_t json_answer_memory(size_t numbers, size_t objects);

/* From here to json_answer_print() jansson's memory is that of the answer. Nothing of jansson's
 * may be alive. */
void json_answer_begin(void);

/* A string of jansson's. Text that is not UTF-8, as file names need not be, comes with U+FFFD for
 * each of its bytes beyond ASCII. */
json_t *json_answer_text(const char *text);

/* Prints the object on stdout, in one line, and ends the answer. Whether stdout took it
 * is looked at when the program ends (cli.h). */
void json_answer_print(json_t *object);

#endif
