// SPDX-License-Identifier: MIT
#include "cli/csv_file.h"

#include "common/base/output.h" // output_open_append

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_HEADER = 255 };

/* Rows that are appended. */
struct rows {
    const char *header, *what;
    void (*put)(FILE *to, const void *context);
    const void *context;
};

void csv_put_quoted(FILE *file, const char *text) {
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

/* Formats the header, if wanted, and the rows. The caller frees *text. */
static enum status format_rows(const struct rows *rows, bool with_header, char **text, size_t *size,
                               struct error *err) {
    FILE *file = open_memstream(text, size);
    bool failed = file == NULL;
    if (!failed) {
        if (with_header)
            fputs(rows->header, file);
        rows->put(file, rows->context);
        failed = ferror(file) != 0;
        failed |= fclose(file) != 0;
    }
    return failed ? fail(err, STATUS_NO_RESOURCE, "out of memory: the rows of %s", rows->what)
                  : STATUS_OK;
}

/* Checks the header of a regular file that is not empty. */
static enum status check_header(int fd, const char *path, const char *header, const char *what,
                                struct error *err) {
    enum { EXCERPT = 40 };
    char found[LONGEST_HEADER + 1];
    const size_t length = strlen(header);
    const ssize_t got = pread(fd, found, length < LONGEST_HEADER ? length : LONGEST_HEADER, 0);
    if (got < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    if ((size_t)got == length && memcmp(found, header, length) == 0)
        return STATUS_OK;
    found[got] = '\0';
    found[strcspn(found, "\n")] = '\0';
    return fail(err, STATUS_BAD_INPUT,
                "%s: expected an empty file or %s, which begin '%.15s...', found '%.*s%s'", path,
                what, header, EXCERPT, found, strlen(found) > EXCERPT ? "..." : "");
}

enum status csv_check(const char *path, const char *header, const char *what, struct error *err) {
    struct stat file;
    enum status status = STATUS_OK;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size == 0)
        return STATUS_OK;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return STATUS_OK;
    status = check_header(fd, path, header, what, err);
    close(fd);
    return status;
}

/* Closes a copy of the descriptor to learn the error that close() would report; returns 0 or an
 * errno. */
static int close_copy(int fd) {
    const int copy = dup(fd);
    return copy >= 0 && close(copy) == 0 ? 0 : errno;
}

/* Appends the rows to an open file. `ours`: it is a regular file that this process has locked. */
static enum status append(int fd, bool ours, const char *path, const struct rows *rows,
                          struct error *err) {
    struct stat before;
    char *text = NULL;
    size_t size = 0;
    if (fstat(fd, &before) != 0)
        return fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s", path, strerror(errno));
    enum status status;
    if (ours && before.st_size > 0)
        RETURN_ON_FAILURE(check_header(fd, path, rows->header, rows->what, err));
    TRY(format_rows(rows, before.st_size == 0, &text, &size, err));
    int reason = output_write_all(fd, text, size); /* one write, if the system takes all */
    if (reason == 0)
        reason = output_sync(fd);
    if (reason == 0)
        reason = close_copy(fd);
    const bool stays = reason != 0 && S_ISREG(before.st_mode) && ftruncate(fd, before.st_size) != 0;
    if (reason != 0)
        status = fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s%s", path, strerror(reason),
                      stays ? "; part of a row stays there" : "");
cleanup:
    free(text);
    return status;
}

enum status csv_append(const char *path, const char *header, const char *what,
                       void (*put_rows)(FILE *to, const void *context), const void *context,
                       struct error *err) {
    const struct rows rows = {header, what, put_rows, context};
    int fd;
    bool direct;
    enum status status;
    RETURN_ON_FAILURE(output_open_append(path, &fd, &direct, err));
    if (!direct)
        TRY(output_lock(fd, path, err));
    TRY(append(fd, !direct, path, &rows, err));
cleanup:
    close(fd); /* errors of close: append() has seen them on a copy */
    return status;
}
