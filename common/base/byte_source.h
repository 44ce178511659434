// SPDX-License-Identifier: MIT
/* The bytes of a file, decompressed: gzip, xz and bzip2 by zlib, liblzma and libbz2, and the one
 * file of a zip archive. The file's first bytes decide, not its name. Memory holds only one buffer
 * and the state of a decompressor, which memory.h counts. */
#ifndef COMMON_BASE_BYTE_SOURCE_H
#define COMMON_BASE_BYTE_SOURCE_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

struct byte_source;

/* Takes over an open file, which byte_source_close closes, also after a failure. Reads nothing yet.
 * name: for messages; the caller keeps it alive. */
enum status byte_source_open(struct byte_source **source, int fd, const char *name,
                             struct error *err);

/* Lets up to `threads` threads, >= 1, read a file that is not packed together, a piece each: some
 * file systems serve one thread at a fraction of their speed. */
void byte_source_share(struct byte_source *source, int threads);

/* Closes the file and frees the source, which may be NULL. */
void byte_source_close(struct byte_source *source);

/* Reads 1 .. room bytes; 0 at the end of the file. STATUS_BAD_INPUT if the file cannot be read, if
 * it is truncated, corrupt or followed by other data, if this build cannot decompress it, or if it
 * is a zip archive of several files, which the message names. */
enum status byte_source_read(struct byte_source *source, void *to, size_t room, size_t *got,
                             struct error *err);

/* Returns the names of the files of a zip archive that was refused because it has several, as in
 * the message; otherwise "". */
const char *byte_source_members(const struct byte_source *source);

/* Returns an upper bound of the uncompressed bytes of the whole file; UINT64_MAX if none is known.
 */
uint64_t byte_source_max_bytes(const struct byte_source *source);

#endif
