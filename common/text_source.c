#include "common/text_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 1 << 20 };

enum status text_source_open(struct text_source *source, const char *path, struct error *err) {
    *source = (struct text_source){.name = path};
    int fd;
    if (strcmp(path, "-") == 0) {
        source->name = "standard input";
        fd = dup(STDIN_FILENO);
    } else {
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (fd < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", source->name, strerror(errno));
    source->file = gzdopen(fd, "rb");
    source->buffer = malloc(FIRST_CAPACITY);
    source->capacity = FIRST_CAPACITY;
    if (source->file == NULL) {
        close(fd);
        return fail(err, STATUS_NO_RESOURCE, "out of memory: cannot read %s", source->name);
    }
    if (source->buffer == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: cannot read %s", source->name);
    return STATUS_OK;
}

void text_source_close(struct text_source *source) {
    if (source->file != NULL)
        gzclose(source->file);
    free(source->buffer);
    source->file = NULL;
    source->buffer = NULL;
}

/* Makes room, then reads once. Sets at_end where there is nothing more. */
static enum status refill(struct text_source *source, struct error *err) {
    if (source->begin > 0) {
        memmove(source->buffer, source->buffer + source->begin, source->end - source->begin);
        source->end -= source->begin;
        source->begin = 0;
    }
    if (source->end == source->capacity) {
        char *larger = realloc(source->buffer, source->capacity * 2);
        if (larger == NULL)
            return fail(err, STATUS_NO_RESOURCE, "out of memory: line of %zu bytes in %s",
                        source->capacity, source->name);
        source->buffer = larger;
        source->capacity *= 2;
    }
    size_t room = source->capacity - source->end;
    errno = 0;
    int got = gzread(source->file, source->buffer + source->end,
                     room > FIRST_CAPACITY ? FIRST_CAPACITY : (unsigned)room);
    int code = Z_OK;
    const char *message = got <= 0 ? gzerror(source->file, &code) : "";
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
        return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", source->name,
                    code == Z_ERRNO ? strerror(errno) : message);
    source->end += (size_t)got;
    source->at_end = got == 0;
    return STATUS_OK;
}

enum status text_source_next(struct text_source *source, size_t max_length, struct text_line *line,
                             bool *found, struct error *err) {
    size_t searched = 0;
    const char *feed;
    for (;;) {
        const char *begin = source->buffer + source->begin;
        size_t available = source->end - source->begin;
        feed = memchr(begin + searched, '\n', available - searched);
        searched = available;
        if (feed != NULL || source->at_end || available > max_length)
            break;
        enum status status = refill(source, err);
        if (status != STATUS_OK)
            return status;
    }
    line->begin = source->buffer + source->begin;
    line->end = feed != NULL ? feed : source->buffer + source->end;
    *found = feed != NULL || line->begin < line->end;
    if (!*found)
        return STATUS_OK;
    source->line++;
    if ((size_t)(line->end - line->begin) > max_length)
        return text_source_fail(source, err, "expected a line of at most %zu bytes", max_length);
    source->begin = (size_t)(line->end - source->buffer) + (feed != NULL);
    if (line->end > line->begin && line->end[-1] == '\r')
        line->end--;
    return STATUS_OK;
}

enum status text_source_next_filled(struct text_source *source, size_t max_length,
                                    struct text_line *line, bool *found, struct error *err) {
    for (;;) {
        enum status status = text_source_next(source, max_length, line, found, err);
        if (status != STATUS_OK || !*found)
            return status;
        struct text_line rest = *line;
        text_skip_blanks(&rest);
        if (rest.begin < rest.end)
            return STATUS_OK;
    }
}

enum status text_source_fail(const struct text_source *source, struct error *err,
                             const char *format, ...) {
    char text[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail(err, STATUS_BAD_INPUT, "%s:%lld: %s", source->name, (long long)source->line, text);
}

const char *text_excerpt(struct text_line rest, char *out, size_t size) {
    text_skip_blanks(&rest);
    if (rest.begin == rest.end) {
        snprintf(out, size, "the end of the line");
        return out;
    }
    const size_t longest = size - sizeof "'...'";
    size_t length = 0;
    while (rest.begin + length < rest.end && !text_is_blank(rest.begin[length]))
        length++;
    bool cut = length > longest;
    if (cut)
        length = longest;
    char *to = out;
    *to++ = '\'';
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)rest.begin[k];
        *to++ = c < ' ' || c >= 0x7f ? '?' : (char)c;
    }
    strcpy(to, cut ? "...'" : "'");
    return out;
}
