// SPDX-License-Identifier: MIT
/* Reading text, plain or gzip-compressed, line by line, and the numbers on a
 * line. Every reader of the project's text formats stands on this. */
#ifndef COMMON_BASE_TEXT_SOURCE_H
#define COMMON_BASE_TEXT_SOURCE_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h> // gzFile

struct text_source {
    gzFile file;       /* NULL where the bytes come from memory */
    uint64_t most;     /* bytes that the file may have, uncompressed; UINT64_MAX: not known */
    const char *bytes; /* what memory still holds */
    size_t bytes_left;
    const char *name; /* for messages */
    char *buffer;     /* bytes begin .. end-1 are read and not yet handed out */
    size_t capacity, begin, end;
    const struct progress *progress; /* NULL; STATUS_CANCELLED if it says to stop */
    bool at_end, begun;              /* begun: a line was handed out */
    int64_t line;                    /* number of the line handed out last, from 1 */
};

/* One line of a source, valid until the next call; without its line feed and
 * without a carriage return before it. */
struct text_line {
    const char *begin, *end;
};

/* Opens a file, or standard input where path is "-". The caller keeps path
 * alive and calls text_source_close, also after a failure. */
enum status text_source_open(struct text_source *source, const char *path, struct error *err);
void text_source_close(struct text_source *source);

/* The same for `size` bytes in memory, as they are (no gzip), which the caller
 * keeps as well. They pass through a buffer of at first `capacity` >= 1 bytes:
 * tests choose where it ends. */
enum status text_source_open_memory(struct text_source *source, const char *name, const void *bytes,
                                    size_t size, size_t capacity, struct error *err);

/* The most bytes that are still to be handed out; UINT64_MAX where that is not known. */
uint64_t text_source_max_bytes(const struct text_source *source);

/* The next line; *found is false at the end of the input. A line longer than
 * max_length bytes is bad input, so that memory stays bounded. Of the first line a
 * UTF-8 byte order mark is no part. */
enum status text_source_next(struct text_source *source, size_t max_length, struct text_line *line,
                             bool *found, struct error *err);

/* The same for the next line that holds more than blanks. */
enum status text_source_next_filled(struct text_source *source, size_t max_length,
                                    struct text_line *line, bool *found, struct error *err);

/* Takes back the line that was handed out last: the next call hands it out again. */
void text_source_put_back(struct text_source *source, struct text_line line);

/* fail() with STATUS_BAD_INPUT and "name:line: " before the message. */
enum status text_source_fail(const struct text_source *source, struct error *err,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Copies what stands at `at`, up to the next blank, into a printable, quoted
 * and shortened form for messages ("end of line" where nothing stands). */
const char *text_excerpt(struct text_line rest, char *out, size_t size);

static inline bool text_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static inline void text_skip_blanks(struct text_line *rest) {
    while (rest->begin < rest->end && text_is_blank(*rest->begin))
        rest->begin++;
}

/* Takes a decimal integer, optionally signed, off the front of the line, with
 * the blanks before it. False, and nothing taken, where there is none or where
 * it is not followed by a blank or the end. Values beyond +-10^17 are cut off
 * there, which keeps them out of every range that callers accept. */
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

/* What text_take_scaled found. */
enum text_number {
    TEXT_NO_NUMBER,  /* nothing taken */
    TEXT_NO_INTEGER, /* a number, but times the scale it is no integer; taken */
    TEXT_INTEGER,    /* taken, *value set */
};

enum { TEXT_HIGHEST_SCALE = 1000000000 };

/* Takes a decimal number ("7", "-2.50", "+.5", "1e3") off the front of the line,
 * with the blanks before it, and multiplies it by scale, 1 .. TEXT_HIGHEST_SCALE:
 * exactly, digit by digit. It must be followed by a blank or the end. Values
 * too large for an int32 may be cut off, but stay too large. */
enum text_number text_take_scaled(struct text_line *rest, int32_t scale, int64_t *value);

#endif
