// SPDX-License-Identifier: MIT
/* ZIP archives of members that are stored uncompressed, of any size (ZIP64), as numpy.savez writes
 * them. The offsets of all bytes are known before the first is written, so several threads may
 * write them in any order. Libraries cannot do this: they write one byte after another, and take
 * longer for a checksum than crc32.h. The format is in APPNOTE.TXT 6.3.10 of PKWARE. Equal members
 * make equal archives, because all dates are 1980-01-01. */
#ifndef COMMON_BASE_ZIP_H
#define COMMON_BASE_ZIP_H

#include "common/base/output.h" // struct output

#include <stdint.h>

enum { ZIP_MAX_MEMBERS = 8, ZIP_MAX_NAME = 32 };

struct zip_member {
    const char *name; /* at most ZIP_MAX_NAME bytes of ASCII */
    uint64_t bytes;
    uint64_t at;  /* offset of its bytes in the archive */
    uint32_t crc; /* checksum of its bytes */
};

/* Sets where the bytes of 1 .. ZIP_MAX_MEMBERS members begin; returns the size of the archive. */
uint64_t zip_place(struct zip_member *members, int count);

/* Writes the headers and the directory around the members' bytes; their offsets and checksums are
 * set. The caller writes the bytes themselves, before or after. Stores the checksum of the whole
 * archive in *crc. */
enum status zip_write(struct output *out, const struct zip_member *members, int count,
                      uint32_t *crc, struct error *err);

#endif
