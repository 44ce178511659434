// SPDX-License-Identifier: MIT
/* Reads text line by line, plain or compressed (byte_source.h), and the numbers on a line. All
 * readers of text formats use it. */
#ifndef COMMON_BASE_TEXT_SOURCE_H
#define COMMON_BASE_TEXT_SOURCE_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/number.h"   // enum number_type
#include "common/base/progress.h" // struct progress

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_source;

struct text_source {
    struct byte_source *file; /* NULL: the bytes come from memory */
    const char *bytes;        /* the rest of the bytes in memory */
    size_t bytes_left;
    const char *name; /* for messages */
    char *buffer;     /* bytes begin .. end - 1 have been read and not been handed out yet */
    size_t capacity, begin, end;
    /* if it says to stop, STATUS_CANCELLED; NULL: reading never stops early */
    const struct progress *progress;
    /* at_end: the input has no more bytes; begun: a line was read */
    bool at_end, begun;
    char feed;    /* byte that ends lines: '\n', or '\r' in a file whose first buffer has no '\n';
                     '\0': not known yet */
    int64_t line; /* number of the last line that was read, from 1 */
};

/* A line of a source, without its line feed and a carriage return before it. It is valid until the
 * next call. */
struct text_line {
    const char *begin, *end;
};

/* Opens a file, or standard input if path is "-". The caller keeps path alive and calls
 * text_source_close, also after a failure. */
enum status text_source_open(struct text_source *source, const char *path, struct error *err);

/* Does what text_source_open does for a text on which `threads` >= 1 threads work: it reads more at
 * a time, but no more than the file has. */
enum status text_source_open_shared(struct text_source *source, const char *path, int threads,
                                    struct error *err);
void text_source_close(struct text_source *source);

/* Opens `size` bytes of plain text in memory, which the caller keeps alive. They pass through a
 * buffer of at first `capacity` >= 1 bytes: tests choose where it ends. */
enum status text_source_open_memory(struct text_source *source, const char *name, const void *bytes,
                                    size_t size, size_t capacity, struct error *err);

/* Returns an upper bound of the bytes that are still to come; UINT64_MAX if none is known. */
uint64_t text_source_max_bytes(const struct text_source *source);

/* Reads the next line; *found is false at the end of the input. A line longer than max_length bytes
 * is STATUS_BAD_INPUT, so that memory stays bounded. A UTF-8 byte order mark at the beginning of
 * the first line is left out. */
enum status text_source_next(struct text_source *source, size_t max_length, struct text_line *line,
                             bool *found, struct error *err);

/* Shows the next `wanted` bytes that have not been read, or fewer at the end of the input. They
 * remain unread, and are valid until the next call. */
enum status text_source_peek(struct text_source *source, size_t wanted, struct text_line *bytes,
                             struct error *err);

/* Returns the names of the files of a zip archive that was refused because it has several;
 * otherwise "". */
const char *text_source_members(const struct text_source *source);

/* Reads the next line that is not blank. */
enum status text_source_next_filled(struct text_source *source, size_t max_length,
                                    struct text_line *line, bool *found, struct error *err);

/* Puts back the last line that was read: the next call reads it again. */
void text_source_put_back(struct text_source *source, struct text_line line);

/* Fails with STATUS_BAD_INPUT and a message that begins with "NAME:LINE: ", or with "NAME: " if no
 * line has been read. */
enum status text_source_fail(const struct text_source *source, struct error *err,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes the beginning of `rest` up to the next blank into `out`, printable, quoted and shortened,
 * for messages; "end of line" if there is nothing. Returns `out`. */
const char *text_excerpt(struct text_line rest, char *out, size_t size);

static inline bool text_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static inline void text_skip_blanks(struct text_line *rest) {
    while (rest->begin < rest->end && text_is_blank(*rest->begin))
        rest->begin++;
}

/* Takes a decimal integer, optionally signed, and the blanks before it off the front of the line. A
 * blank or the end must follow; otherwise returns false and takes nothing. Values beyond +-10^17,
 * outside every range that callers accept, become +-10^17. */
static inline bool text_take_integer(struct text_line *rest, int64_t *value) {
    const int64_t limit = 100000000000000000;
    text_skip_blanks(rest);
    const char *at = rest->begin;
    bool negative = false;
    if (at < rest->end && (*at == '-' || *at == '+'))
        negative = *at++ == '-';
    const char *digits = at;
    int64_t magnitude = 0;
    while (at < rest->end && *at >= '0' && *at <= '9') {
        if (magnitude < limit)
            magnitude = magnitude * 10 + (*at - '0');
        at++;
    }
    if (at == digits || (at < rest->end && !text_is_blank(*at)))
        return false;
    *value = negative ? -magnitude : magnitude;
    rest->begin = at;
    return true;
}

/* The result of text_take_scaled and text_take_real. */
enum text_number {
    TEXT_NO_NUMBER,  /* nothing was taken */
    TEXT_NO_INTEGER, /* a number was taken whose product with the scale is no integer */
    TEXT_INTEGER,    /* a number was taken, and *value set */
    TEXT_TOO_LARGE,  /* a finite number was taken that rounds to infinity in the type */
    TEXT_REAL,       /* a number was taken, and *value set */
};

enum { TEXT_HIGHEST_SCALE = 1000000000 };

/* Takes a decimal number ("7", "-2.50", "+.5", "1e3") and the blanks before it off the front of the
 * line and multiplies it exactly, digit by digit, by scale, 1 .. TEXT_HIGHEST_SCALE. A blank or the
 * end must follow. Values beyond +-10^17 become +-10^17. */
enum text_number text_take_scaled(struct text_line *rest, int32_t scale, int64_t *value);

/* Takes a decimal number, "inf" or "infinity", in upper or lower case and optionally signed, and
 * the blanks before it off the front of the line, and rounds the number once, to the nearest one of
 * a real type. A blank or the end must follow. "nan", and a text longer than TEXT_LONGEST_REAL
 * bytes, is no number. */
enum { TEXT_LONGEST_REAL = 4096 };
enum text_number text_take_real(struct text_line *rest, enum number_type type, double *value);

#endif
