/* Output files that appear completely or not at all. */
#ifndef COMMON_OUTPUT_H
#define COMMON_OUTPUT_H

#include "common/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>

/* An output being written. Where the target is absent or a regular file, the
 * bytes go to a temporary file in its directory, which output_commit renames
 * over it; symbolic links are followed first. Devices, pipes, "-" (standard
 * output) and names of descriptors (/dev/stdout) are written directly. */
struct output {
    const char *name; /* for messages; the caller's path */
    int fd;
    char *target;    /* NULL where written directly */
    char *temporary; /* NULL where written directly */
};

/* All failures are STATUS_NO_RESOURCE, "cannot write NAME: reason". The caller
 * keeps path alive, and ends with output_commit or output_discard. */
enum status output_open(struct output *out, const char *path, struct error *err);

enum status output_write(struct output *out, const void *data, size_t size, struct error *err);

/* Closes and puts the file in place. On failure the old file, if any, is still
 * there and nothing else is. */
enum status output_commit(struct output *out, struct error *err);

/* Closes and removes what was written; safe after output_open failed, after
 * output_commit, and on a zeroed struct whose fd is -1. */
void output_discard(struct output *out);

/* Whether an output of that name goes to where stdout goes: "-", /dev/stdout or another
 * name of descriptor 1. */
bool output_is_stdout(const char *path);

/* Removes the temporary files of all outputs neither committed nor discarded:
 * for the end of a program. Safe in a signal handler. */
void output_remove_unfinished(void);

/* For main(): has SIGINT, SIGTERM and SIGHUP remove the temporary files, then
 * die by the signal, and a limit on file sizes fail the write instead of killing
 * the program. */
void output_remove_on_signal(void);

#endif
