// SPDX-License-Identifier: MIT
/* Library code reports a failure by a status and a message of one line. */
#ifndef COMMON_BASE_ERROR_H
#define COMMON_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Statuses. All but STATUS_CANCELLED are exit statuses of every program. */
enum status {
    STATUS_OK = 0,
    STATUS_REFUTED = 1,        /* the checker disproved a result */
    STATUS_BAD_INPUT = 2,      /* usage, malformed file, distance out of range, variant not exact */
    STATUS_NEGATIVE_CYCLE = 3, /* no shortest paths exist */
    STATUS_NO_RESOURCE = 4,    /* memory, GPU, device failure, output cannot be written */
    STATUS_CANCELLED = 5,      /* the caller asked to stop; never an exit status */
};

/* A message of one line, without the program's name and without a newline. */
struct error {
    char text[1024];
    bool is_out_of_range; /* a distance does not fit in the type of the weights */
};

/* Replaces every byte of `text` by '?' that a terminal would act on or could not show: control
 * characters, characters that end lines or change the direction of writing, and bytes that are not
 * UTF-8. File names may contain any of these. */
void printable(char *text);

/* Copies the first size - 1 bytes of `text`, makes the copy printable and returns it. */
const char *printable_copy(const char *text, char *copy, size_t size);

/* Formats a message into err, makes it printable and returns status, so that a failing function can
 * end with `return fail(err, STATUS_..., "...")`. */
enum status fail(struct error *err, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__
/* Lets the static analyzer, which sees one source at a time, know that fail() returns its argument.
 */
#define fail(err, status, ...) ((void)(fail)(err, status, __VA_ARGS__), (status))
#endif

/* Error propagation, in the manner of LAGraph's LG_TRY. RETURN_ON_FAILURE returns the status of
 * `call` unless it is STATUS_OK: for functions that own nothing. TRY stores the status in the
 * function's variable `status` and, unless it is STATUS_OK, goes to the label `cleanup`, which
 * frees what the function owns and returns `status`. */
#define RETURN_ON_FAILURE(call)                                                                    \
    do {                                                                                           \
        const enum status status_of_call = (call);                                                 \
        if (status_of_call != STATUS_OK)                                                           \
            return status_of_call;                                                                 \
    } while (0)
#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != STATUS_OK)                                                                   \
            goto cleanup;                                                                          \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
