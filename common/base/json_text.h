// SPDX-License-Identifier: MIT
/* Reads and writes JSON: the sidecars of results, the rates of apsp, and the answers of the
 * programs (json_answer.h). Reading a document takes one allocation, writing takes none. */
#ifndef COMMON_BASE_JSON_TEXT_H
#define COMMON_BASE_JSON_TEXT_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/number.h" // enum number_type

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The longest JSON that json_writer holds, and the longest sidecar and file of rates that is read,
 * in bytes. */
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
    const char *name; /* name of an object's member; NULL: the value is no member */
    const char *text; /* text of JSON_IS_TEXT, in UTF-8 */
    int64_t integer;
    double number; /* value of either kind of number */
    /* The first value inside an array or object, and the next value inside the one around this;
     * NULL: none. */
    struct json_value *first, *next;
};

/* A document and its memory, which the caller frees with memory_free(). */
struct json_document {
    void *memory;
    struct json_value *root;
};

/* Reads `size` bytes that are one array or object (RFC 8259), and allocates 30 times as many bytes.
 * Names must be unique in their object, U+0000 is not allowed, and at most 100 values may be
 * nested. STATUS_BAD_INPUT, with path and line in the message, for anything else. The caller frees
 * the memory, also after a failure. */
enum status json_text_read(const char *path, const char *text, size_t size,
                           struct json_document *document, struct error *err);

/* Returns the member of an object with that name; NULL if it has none, or if `object` is no object.
 */
const struct json_value *json_text_member(const struct json_value *object, const char *name);

/* Writing. */

struct json_writer {
    char text[JSON_LONGEST];
    size_t length; /* length of the text; JSON_LONGEST if it was cut off */
    int depth;     /* number of objects and arrays that are open */
    bool follows;  /* the innermost object or array has a member already */
    /* stream that gets the text when the writer is full; NULL: the caller takes it */
    FILE *to;
};

/* Begins a document with its outermost object. With `to` NULL, the text is kept in the writer, with
 * one member on a line; otherwise it goes to the stream `to`, all on one line and of any length,
 * and errors stay with the stream (ferror). */
void json_write_begin(struct json_writer *w, FILE *to);

/* In the functions below, name is that of a member if an object was opened last, or NULL for an
 * element if an array was. */

/* Open an object, and close the object that was opened last. Closing the outermost object completes
 * the document and adds a line feed. */
void json_write_open(struct json_writer *w, const char *name);
void json_write_close(struct json_writer *w);

/* Open an array, and close the array that was opened last. */
void json_write_array(struct json_writer *w, const char *name);
void json_write_array_end(struct json_writer *w);

/* Write a value. A text that is not UTF-8 becomes null. A real number has `digits` significant
 * digits and a point in every locale; null if it is not finite. */
void json_write_text(struct json_writer *w, const char *name, const char *text);
void json_write_integer(struct json_writer *w, const char *name, int64_t integer);
void json_write_real(struct json_writer *w, const char *name, double number, int digits);
void json_write_bool(struct json_writer *w, const char *name, bool truth);
void json_write_null(struct json_writer *w, const char *name);

/* Writes a text that may not be UTF-8, such as a file name: if it is not, U+FFFD replaces each byte
 * beyond ASCII. */
void json_write_any_text(struct json_writer *w, const char *name, const char *text);

/* Writes a value that is given as `size` bytes of JSON. On a stream, its lines are joined to one.
 */
void json_write_json(struct json_writer *w, const char *name, const char *json, size_t size);

/* A text for JSON that may be longer than JSON_LONGEST. The function appends what has been written
 * so far to it, and the writer goes on from there. Between two calls no more than JSON_LONGEST
 * bytes may be written. The caller frees the text with memory_free(). */
struct json_long_text {
    void *text; /* the text so far; NULL at first */
    size_t size, capacity;
};
enum status json_write_out(struct json_writer *w, struct json_long_text *to, struct error *err);

/* Bytes of room for a number as text. */
enum { JSON_REAL_SIZE = 64 };

/* Writes a number of that type as a member: an integer, or a real number with a point and the
 * fewest digits that read back to the same number; null if it is not finite. */
void json_write_number(struct json_writer *w, const char *name, enum number_type type,
                       double number);

/* Writes a number as json_write_number does, but "inf", "-inf" or "nan" if it is not finite, into
 * `text`; returns its length. */
int json_text_number(char text[JSON_REAL_SIZE], enum number_type type, double number);

/* Writes a real number with `digits` digits and a point, as in JSON, but "inf", "-inf" or "nan" if
 * it is not finite, into `text`; returns its length. */
int json_text_real(char text[JSON_REAL_SIZE], double number, int digits);

#endif
