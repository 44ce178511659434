// SPDX-License-Identifier: MIT
/* Reads and writes JSON: the sidecars of results, the rates of apsp, and the answers of the
 * programs (json_answer.h). A document that is read takes one allocation, what is written takes
 * none. */
#ifndef COMMON_BASE_JSON_TEXT_H
#define COMMON_BASE_JSON_TEXT_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/number.h" // enum number_type

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The longest JSON that json_writer holds, and the longest sidecar and rates that are read. */
enum { JSON_LONGEST = 8192 };

/* Reading. */

enum json_kind {
    JSON_IS_NULL,
    JSON_IS_FALSE,
    JSON_IS_TRUE,
    JSON_IS_INTEGER, /* fits in 64 bits and has neither point nor exponent */
    JSON_IS_REAL,
    JSON_IS_TEXT,
    JSON_IS_ARRAY,
    JSON_IS_OBJECT,
};

struct json_value {
    enum json_kind kind;
    const char *name; /* the name of an object's member; otherwise NULL */
    const char *text; /* of JSON_IS_TEXT, in UTF-8 */
    int64_t integer;
    double number; /* of either kind of number */
    /* The first value inside an array or object, and the next value inside the same one; or NULL */
    struct json_value *first, *next;
};

/* A document and its memory, which the caller frees with memory_free(). */
struct json_document {
    void *memory;
    struct json_value *root;
};

/* Reads `size` bytes that are one array or object (RFC 8259), for which 30 times as many are
 * allocated. Names must be unique in their object, U+0000 is not allowed, and at most 100 values
 * may be nested. STATUS_BAD_INPUT names path and line. The caller frees the memory after a failure,
 * too.
 */
enum status json_text_read(const char *path, const char *text, size_t size,
                           struct json_document *document, struct error *err);

/* A member of an object; NULL if it has none of that name, or if `object` is no object. */
const struct json_value *json_text_member(const struct json_value *object, const char *name);

/* Writing. */

struct json_writer {
    char text[JSON_LONGEST];
    size_t length; /* of the text; JSON_LONGEST if it was cut off */
    int depth;     /* objects that are open */
    bool follows;  /* the innermost object or array has a member already */
    FILE *to;      /* where the text goes when it is full; NULL: the caller takes it */
};

/* Begins a document with its outermost object: a member a line, in the writer's text, or on one
 * line of the stream `to` if that is not NULL. What is written to a stream may be of any length;
 * errors stay with the stream (ferror). */
void json_write_begin(struct json_writer *w, FILE *to);

/* From here on a name is that of a member of the object that was opened last, or NULL for an
 * element of the array that was opened last. */

/* Opens an object, and closes the object that was opened last. A line feed follows the outermost
 * one, with which the document is complete. */
void json_write_open(struct json_writer *w, const char *name);
void json_write_close(struct json_writer *w);

/* Opens an array, and closes it. */
void json_write_array(struct json_writer *w, const char *name);
void json_write_array_end(struct json_writer *w);

/* A text that is not UTF-8 becomes null. A real number has `digits` significant digits and a point
 * in every locale; null if it is not finite. */
void json_write_text(struct json_writer *w, const char *name, const char *text);
void json_write_integer(struct json_writer *w, const char *name, int64_t integer);
void json_write_real(struct json_writer *w, const char *name, double number, int digits);
void json_write_bool(struct json_writer *w, const char *name, bool truth);
void json_write_null(struct json_writer *w, const char *name);

/* A text that may not be UTF-8, as names of files are: then U+FFFD replaces each byte beyond ASCII.
 */
void json_write_any_text(struct json_writer *w, const char *name, const char *text);

/* A value that is `size` bytes of JSON already. On a stream, its lines become one. */
void json_write_json(struct json_writer *w, const char *name, const char *json, size_t size);

/* For JSON that may be longer than JSON_LONGEST: appends what is written so far to a text that the
 * caller frees with memory_free(), and writes on from there. Of one call to the next no more than
 * JSON_LONGEST bytes may be written. */
struct json_long_text {
    void *text; /* NULL at first */
    size_t size, capacity;
};
enum status json_write_out(struct json_writer *w, struct json_long_text *to, struct error *err);

/* Room for a number as text. */
enum { JSON_REAL_SIZE = 64 };

/* Writes a number of that type as a member: an integer or a real number with a point and the fewest
 * digits that read back to it; null if it is not finite. */
void json_write_number(struct json_writer *w, const char *name, enum number_type type,
                       double number);

/* The number as it stands there, or "inf", "-inf" or "nan", into `text`; returns its length. */
int json_text_number(char text[JSON_REAL_SIZE], enum number_type type, double number);

/* A real number with so many digits and a point, as it stands in JSON, into `text`; returns its
 * length. */
int json_text_real(char text[JSON_REAL_SIZE], double number, int digits);

#endif
