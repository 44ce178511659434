// SPDX-License-Identifier: MIT
#include "common/cli/timing_csv.h"

#include "common/base/output.h" // output_open_append

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char header[] = "program,variant,graph,vertices,edges,checksum,predecessors,threads,"
                             "tile,device,checked,repetition,solve_s,total_s,transfer_s\n";
enum { HEADER = sizeof header - 1 };

/* Puts text in quotes and doubles the quotes in it (RFC 4180). */
static void put_quoted(FILE *file, const char *text) {
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

/* Formats the header, if wanted, and the rows. The caller frees *text. */
static enum status format_rows(const struct timing_rows *rows, bool with_header, char **text,
                               size_t *size, struct error *err) {
    FILE *file = open_memstream(text, size);
    bool failed = file == NULL;
    if (!failed) {
        if (with_header)
            fputs(header, file);
        for (int r = 0; r < rows->repetitions; r++) {
            fprintf(file, "%s,%s,", rows->program, rows->variant);
            put_quoted(file, rows->graph);
            fprintf(file, ",%d,%lld,%08x,%d,%d,%d,", rows->vertices, (long long)rows->edges,
                    rows->checksum, rows->predecessors, rows->threads, rows->tile);
            put_quoted(file, rows->device);
            fprintf(file, ",%d,%d,%.9g,%.9g,%.9g\n", rows->checked, r + 1, rows->timings[r].solve_s,
                    rows->timings[r].total_s, rows->timings[r].transfer_s);
        }
        failed = ferror(file) != 0;
        failed |= fclose(file) != 0;
    }
    return failed ? fail(err, STATUS_NO_RESOURCE, "out of memory: the rows of timings") : STATUS_OK;
}

/* Checks the header of a regular file that is not empty. */
static enum status check_header(int fd, const char *path, struct error *err) {
    enum { EXCERPT = 40 };
    char found[HEADER + 1];
    const ssize_t got = pread(fd, found, HEADER, 0);
    if (got < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (got == HEADER && memcmp(found, header, HEADER) == 0)
        return STATUS_OK;
    found[got] = '\0';
    found[strcspn(found, "\n")] = '\0';
    return fail(err, STATUS_BAD_INPUT,
                "%s: expected an empty file or timings, which begin '%.15s...', found '%.*s%s'",
                path, header, EXCERPT, found, strlen(found) > EXCERPT ? "..." : "");
}

enum status timing_check_csv(const char *path, struct error *err) {
    struct stat file;
    enum status status = STATUS_OK;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size == 0)
        return STATUS_OK;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return STATUS_OK;
    status = check_header(fd, path, err);
    close(fd);
    return status;
}

/* Gets the error that close() would report, but keeps the file open; returns 0 or an errno. */
static int close_copy(int fd) {
    const int copy = dup(fd);
    return copy >= 0 && close(copy) == 0 ? 0 : errno;
}

/* Appends the rows to an open file. `ours`: it is a regular file, and locked. */
static enum status append(int fd, bool ours, const char *path, const struct timing_rows *rows,
                          struct error *err) {
    struct stat before;
    char *text = NULL;
    size_t size = 0;
    if (fstat(fd, &before) != 0)
        return fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s", path, strerror(errno));
    enum status status;
    if (ours && before.st_size > 0)
        RETURN_ON_FAILURE(check_header(fd, path, err));
    TRY(format_rows(rows, before.st_size == 0, &text, &size, err));
    int reason = output_write_all(fd, text, size); /* one call, unless the system cuts it */
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

enum status timing_append_csv(const char *path, const struct timing_rows *rows, struct error *err) {
    int fd;
    bool direct;
    enum status status;
    RETURN_ON_FAILURE(output_open_append(path, &fd, &direct, err));
    if (!direct)
        TRY(output_lock(fd, path, err));
    TRY(append(fd, !direct, path, rows, err));
cleanup:
    close(fd); /* append() has checked its errors on a copy */
    return status;
}
