// SPDX-License-Identifier: MIT
/* Finds the one file in a ZIP archive, by its directory or, where nobody can seek, by the header in
 * front of it. The format is in APPNOTE.TXT 6.3.10 of PKWARE. */
#ifndef COMMON_BASE_ZIP_MEMBER_H
#define COMMON_BASE_ZIP_MEMBER_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> // off_t

enum {
    ZIP_LOCAL_BYTES = 30,      /* a local header without its name and extra field */
    ZIP_DESCRIPTOR_BYTES = 24, /* the longest data descriptor */
    ZIP_STORED = 0,            /* methods of compression */
    ZIP_DEFLATED = 8,
    ZIP_NAMES_SHOWN = 512,
};

struct zip_file {
    int method;
    bool encrypted;
    bool described;  /* a data descriptor behind the bytes has checksum and sizes, which are 0 */
    uint32_t crc;    /* of the unpacked bytes */
    uint64_t packed; /* bytes in the archive */
    uint64_t bytes;  /* unpacked */
    uint64_t at;     /* offset of the bytes in the archive; not known from a local header */
    size_t name_length, extra_length; /* bytes behind a local header */
};

/* Names of an archive's files, for messages: "a.txt, b.txt and 7 more". */
struct zip_names {
    char text[ZIP_NAMES_SHOWN];
    uint64_t count, shown;
};

/* Adds a member's name and returns true if the member is a file: no folder, and none of the
 * attributes that macOS adds. */
bool zip_add_name(struct zip_names *names, const char *name, size_t length);

/* Tells whether a member of the directory begins at these four bytes. */
bool zip_begins_directory(const unsigned char *bytes);

/* Reads the directory of the archive that begins at offset `origin` of a file of which any byte can
 * be read. Sets *file if the archive has one file. Collects the names of all. STATUS_BAD_INPUT if
 * the directory is malformed or missing; `name` is the archive's for messages. */
enum status zip_find_file(int fd, off_t origin, const char *name, struct zip_file *file,
                          struct zip_names *names, struct error *err);

/* Takes the ZIP_LOCAL_BYTES of a local header; false if they are not one. */
bool zip_take_local(const unsigned char *header, struct zip_file *file);

/* Takes the sizes in ZIP64's extra field of a local header, if they are there. */
void zip_take_local_extra(const unsigned char *extra, size_t length, struct zip_file *file);

/* Returns the length of the data descriptor at `bytes` if it says what the file is known to be;
 * otherwise 0. */
size_t zip_descriptor_length(const unsigned char *bytes, size_t size, const struct zip_file *file);

#endif
