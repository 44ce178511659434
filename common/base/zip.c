// SPDX-License-Identifier: MIT
#include "common/base/zip.h"

#include "common/base/crc32.h" // crc32_add, crc32_join

#include <string.h>

enum {
    LOCAL_BYTES = 30 + 20, /* bytes of a local header with the sizes of ZIP64, without the name */
    /* bytes of a directory entry with sizes and offset of ZIP64, without the name */
    CENTRAL_BYTES = 46 + 28,
    END_BYTES = 56 + 20 + 22,
    VERSION = 45, /* version of the format that has ZIP64 */
    MADE_ON_UNIX = 3 << 8,
    FIRST_DAY = 1 << 5 | 1, /* 1980-01-01 */
    MODE = 0100644,
};

/* Fields that are joined to a text, little-endian. */
struct text {
    unsigned char byte[ZIP_MAX_MEMBERS * (CENTRAL_BYTES + ZIP_MAX_NAME) + END_BYTES];
    size_t size;
};

static void put(struct text *t, uint64_t number, int bytes) {
    for (int b = 0; b < bytes; b++)
        t->byte[t->size++] = (unsigned char)(number >> 8 * b);
}

/* Appends the fields that a local header and the directory share: from the version to the length of
 * the name. Sizes are in the extra field. */
static void put_member(struct text *t, const struct zip_member *member) {
    put(t, VERSION, 2);
    put(t, 0, 2); /* flags */
    put(t, 0, 2); /* method: stored */
    put(t, 0, 2); /* time: midnight */
    put(t, FIRST_DAY, 2);
    put(t, member->crc, 4);
    put(t, UINT32_MAX, 4);
    put(t, UINT32_MAX, 4);
    put(t, strlen(member->name), 2);
}

static void put_name(struct text *t, const char *name) {
    const size_t length = strlen(name);
    memcpy(t->byte + t->size, name, length);
    t->size += length;
}

/* Appends the head of ZIP64's extra field, and the two sizes. */
static void put_sizes(struct text *t, const struct zip_member *member, int extra_bytes) {
    put(t, 1, 2);
    put(t, (uint64_t)extra_bytes, 2);
    put(t, member->bytes, 8);
    put(t, member->bytes, 8);
}

static void put_local(struct text *t, const struct zip_member *member) {
    put(t, 0x04034b50, 4);
    put_member(t, member);
    put(t, 20, 2); /* bytes of the extra field */
    put_name(t, member->name);
    put_sizes(t, member, 16);
}

static uint64_t local_bytes(const struct zip_member *member) {
    return LOCAL_BYTES + strlen(member->name);
}

static void put_central(struct text *t, const struct zip_member *member) {
    put(t, 0x02014b50, 4);
    put(t, MADE_ON_UNIX | VERSION, 2);
    put_member(t, member);
    put(t, 28, 2); /* bytes of the extra field */
    put(t, 0, 2);  /* length of a comment */
    put(t, 0, 2);  /* number of the disk */
    put(t, 0, 2);  /* internal attributes */
    put(t, (uint64_t)MODE << 16, 4);
    put(t, UINT32_MAX, 4); /* the offset of the local header is in the extra field */
    put_name(t, member->name);
    put_sizes(t, member, 24);
    put(t, member->at - local_bytes(member), 8);
}

/* Appends the end of the directory, in the form of ZIP64 and in the old form, which refers to the
 * other. */
static void put_end(struct text *t, int count, uint64_t directory_at, uint64_t directory_bytes) {
    put(t, 0x06064b50, 4);
    put(t, 44, 8); /* bytes that follow */
    put(t, MADE_ON_UNIX | VERSION, 2);
    put(t, VERSION, 2);
    put(t, 0, 4 + 4); /* number of this disk, and of the disk with the directory */
    put(t, (uint64_t)count, 8);
    put(t, (uint64_t)count, 8);
    put(t, directory_bytes, 8);
    put(t, directory_at, 8);
    put(t, 0x07064b50, 4);
    put(t, 0, 4);
    put(t, directory_at + directory_bytes, 8);
    put(t, 1, 4); /* number of disks */
    put(t, 0x06054b50, 4);
    put(t, 0, 2 + 2);
    put(t, (uint64_t)count, 2);
    put(t, (uint64_t)count, 2);
    put(t, UINT32_MAX, 4);
    put(t, UINT32_MAX, 4);
    put(t, 0, 2); /* length of a comment */
}

uint64_t zip_place(struct zip_member *members, int count) {
    uint64_t at = 0, directory = END_BYTES;
    for (int m = 0; m < count; m++) {
        members[m].at = at + local_bytes(&members[m]);
        at = members[m].at + members[m].bytes;
        directory += CENTRAL_BYTES + strlen(members[m].name);
    }
    return at + directory;
}

enum status zip_write(struct output *out, const struct zip_member *members, int count,
                      uint32_t *crc, struct error *err) {
    struct text directory = {.size = 0};
    uint64_t end = 0; /* end of the members so far */
    *crc = 0;
    for (int m = 0; m < count; m++) {
        struct text local = {.size = 0};
        put_local(&local, &members[m]);
        RETURN_ON_FAILURE(
            output_write_at(out, local.byte, local.size, members[m].at - local.size, err));
        *crc = crc32_join(crc32_add(*crc, local.byte, local.size), &members[m].crc, 1,
                          members[m].bytes);
        put_central(&directory, &members[m]);
        end = members[m].at + members[m].bytes;
    }
    put_end(&directory, count, end, directory.size);
    *crc = crc32_add(*crc, directory.byte, directory.size);
    return output_write_at(out, directory.byte, directory.size, end, err);
}
