// SPDX-License-Identifier: MIT
/* The bytes of a file, decompressed: gzip, xz and bzip2 by zlib, liblzma and libbz2, and the one
 * file of a zip archive. The first bytes tell, not the name. Nothing is ever held but one buffer
 * and what a decompressor needs, which memory.h counts. */
#ifndef COMMON_BASE_BYTE_SOURCE_H
#define COMMON_BASE_BYTE_SOURCE_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

struct byte_source;

/* Takes over an open file, which byte_source_close closes, also after a failure. Reads nothing yet.
 * The caller keeps `name`, which is for messages, alive. */
enum status byte_source_open(struct byte_source **source, int fd, const char *name,
                             struct error *err);

/* NULL is allowed. */
void byte_source_close(struct byte_source *source);

/* Reads 1 .. room bytes, 0 at the end. STATUS_BAD_INPUT if the file cannot be read, if it is cut,
 * corrupt or followed by something else, if this build cannot decompress it, or if it is a zip
 * archive of several files, which the message names. */
enum status byte_source_read(struct byte_source *source, void *to, size_t room, size_t *got,
                             struct error *err);

/* The names of the files of a zip archive that was refused for having several, as its message has
 * them; otherwise "". */
const char *byte_source_members(const struct byte_source *source);

/* An upper bound of the bytes that the whole file has; UINT64_MAX if that is not known. */
uint64_t byte_source_max_bytes(const struct byte_source *source);

#endif
