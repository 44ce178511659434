// SPDX-License-Identifier: MIT
/* Finds the one file in a ZIP archive, by the archive's directory or, if the file cannot be seeked,
 * by the header in front of the member. The format is in APPNOTE.TXT 6.3.10 of PKWARE. */
#ifndef COMMON_BASE_ZIP_MEMBER_H
#define COMMON_BASE_ZIP_MEMBER_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> // off_t

enum {
    ZIP_LOCAL_BYTES = 30,      /* bytes of a local header without its name and extra field */
    ZIP_DESCRIPTOR_BYTES = 24, /* bytes of the longest data descriptor */
    ZIP_STORED = 0,            /* number of a method of compression, as is ZIP_DEFLATED */
    ZIP_DEFLATED = 8,
    ZIP_NAMES_SHOWN = 512,
};

struct zip_file {
    int method;
    bool encrypted;
    /* a data descriptor after the bytes has the checksum and sizes, which are 0 here */
    bool described;
    uint32_t crc;    /* checksum of the unpacked bytes */
    uint64_t packed; /* number of bytes in the archive */
    uint64_t bytes;  /* number of bytes after unpacking */
    uint64_t at;     /* offset of the bytes in the archive; not known from a local header */
    /* bytes of the name and of the extra field after a local header */
    size_t name_length, extra_length;
};

/* Names of an archive's files, for messages: "a.txt, b.txt and 7 more". */
struct zip_names {
    char text[ZIP_NAMES_SHOWN];
    uint64_t count, shown;
};

/* Adds a member's name and returns true if the member is a file: neither a folder nor a file of
 * attributes that macOS adds. */
bool zip_add_name(struct zip_names *names, const char *name, size_t length);

/* Returns whether these four bytes begin an entry of the directory. */
bool zip_begins_directory(const unsigned char *bytes);

/* Reads the directory of the archive that begins at offset `origin` of a file that can be read at
 * any offset. Sets *file if the archive has one file, and collects the names of all.
 * STATUS_BAD_INPUT if the directory is malformed or missing. name: that of the archive, for
 * messages. */
enum status zip_find_file(int fd, off_t origin, const char *name, struct zip_file *file,
                          struct zip_names *names, struct error *err);

/* Reads ZIP_LOCAL_BYTES bytes as a local header; false if they are none. */
bool zip_take_local(const unsigned char *header, struct zip_file *file);

/* Reads the sizes in ZIP64's extra field of a local header, if there is one. */
void zip_take_local_extra(const unsigned char *extra, size_t length, struct zip_file *file);

/* Returns the length of the data descriptor at `bytes` if it agrees with *file; otherwise 0. */
size_t zip_descriptor_length(const unsigned char *bytes, size_t size, const struct zip_file *file);

#endif
