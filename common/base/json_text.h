// SPDX-License-Identifier: MIT
/* Small JSON files: sidecars of results and the rates of apsp. Own code, because the library that
 * reads and writes JSON for the programs (jansson 2.14) cannot be trusted with it inside libapsp:
 * where an allocation fails in the middle it may leave a gap in what it writes, call what it reads
 * bad JSON, or end the process by an assertion, and its allocator, by which that could be avoided,
 * is one for the whole process, which is not ours to change. Here one allocation does for all. */
#ifndef COMMON_BASE_JSON_TEXT_H
#define COMMON_BASE_JSON_TEXT_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest JSON that json_writer holds, and the longest sidecar and rates that are read. */
enum { JSON_LONGEST = 8192 };

/* Reading. */

enum json_kind {
    JSON_IS_NULL,
    JSON_IS_FALSE,
    JSON_IS_TRUE,
    JSON_IS_INTEGER, /* in 64 bits, without point and exponent */
    JSON_IS_REAL,
    JSON_IS_TEXT,
    JSON_IS_ARRAY,
    JSON_IS_OBJECT,
};

struct json_value {
    enum json_kind kind;
    const char *name; /* of a member of an object; otherwise NULL */
    const char *text; /* of JSON_IS_TEXT, in UTF-8 */
    int64_t integer;
    double number; /* of either kind of number */
    /* Of an array or object, in their order; of what is in one, the one behind. Or NULL. */
    struct json_value *first, *next;
};

/* What json_text_read made, with the memory behind it; *memory to be freed with memory_free(). */
struct json_document {
    void *memory;
    struct json_value *root;
};

/* `size` bytes that are one array or object, for which 30 times as many are allocated: RFC 8259,
 * with names that are unique in their object, no U+0000, and at most 100 values inside one another.
 * STATUS_BAD_INPUT names path and line. The memory is to be freed after a failure, too. */
enum status json_text_read(const char *path, const char *text, size_t size,
                           struct json_document *document, struct error *err);

/* A member of an object; NULL where it has none of that name, or is none. */
const struct json_value *json_text_member(const struct json_value *object, const char *name);

/* Writing. */

struct json_writer {
    char text[JSON_LONGEST + 1];
    size_t length; /* of the text; JSON_LONGEST where it was cut off */
    int depth;     /* objects that are open */
    bool follows;  /* something comes before in the innermost one */
};

/* An object: a member of the one that is open, or, with a name of NULL, the outermost one; and its
 * end, which after the outermost one is followed by a line feed. */
void json_write_open(struct json_writer *w, const char *name);
void json_write_close(struct json_writer *w);

/* Members of the object that was opened last. A text that is not UTF-8 becomes null. A real number
 * has so many digits and, like every one of ours, a point whatever the locale says. */
void json_write_text(struct json_writer *w, const char *name, const char *text);
void json_write_integer(struct json_writer *w, const char *name, int64_t integer);
void json_write_real(struct json_writer *w, const char *name, double number, int digits);
void json_write_bool(struct json_writer *w, const char *name, bool truth);
void json_write_null(struct json_writer *w, const char *name);

/* An array of integers, on one line. */
void json_write_array(struct json_writer *w, const char *name);
void json_write_element(struct json_writer *w, int64_t integer);
void json_write_array_end(struct json_writer *w);

/* For JSON that may be longer than JSON_LONGEST: appends what is written so far to a text that the
 * caller frees with memory_free(), and writes on from there. Of one call to the next no more than
 * JSON_LONGEST bytes may be written. */
struct json_long_text {
    void *text; /* NULL at first */
    size_t size, capacity;
};
enum status json_write_out(struct json_writer *w, struct json_long_text *to, struct error *err);

/* A real number with so many digits and a point, as it stands in JSON, into `text`; returns its
 * length. */
enum { JSON_REAL_SIZE = 64 };
int json_text_real(char text[JSON_REAL_SIZE], double number, int digits);

#endif
