// SPDX-License-Identifier: MIT
#include "common/base/zip_member.h"

#include "common/base/memory.h" // memory_alloc, memory_free

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LOCAL = 0x04034b50, /* signatures of the parts of an archive */
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
    END64 = 0x06064b50,
    LOCATOR64 = 0x07064b50,
    DESCRIPTOR = 0x08074b50,
    CENTRAL_BYTES = 46,
    END_BYTES = 22,
    END64_BYTES = 56,
    LOCATOR64_BYTES = 20,
    LONGEST_COMMENT = UINT16_MAX,
    SIZES64 = 1, /* identifier of ZIP64's extra field */
    FLAG_ENCRYPTED = 1 << 0,
    FLAG_DESCRIBED = 1 << 3,
};

static uint64_t number_at(const unsigned char *at, int bytes) {
    uint64_t number = 0;
    for (int b = bytes; b-- > 0;)
        number = number << 8 | at[b];
    return number;
}

/* Returns whether a name is that of a file: neither of a folder nor of the attributes that macOS
 * adds. */
static bool is_file(const char *name, size_t length) {
    static const char of_macos[] = "__MACOSX/";
    const size_t prefix = sizeof of_macos - 1;
    return length > 0 && name[length - 1] != '/' &&
           (length < prefix || memcmp(name, of_macos, prefix) != 0);
}

bool zip_add_name(struct zip_names *names, const char *name, size_t length) {
    const size_t used = strlen(names->text), left = sizeof names->text - used;
    if (!is_file(name, length))
        return false;
    if (names->shown == names->count++ && length + sizeof ", " <= left) {
        snprintf(names->text + used, left, "%s%.*s", used > 0 ? ", " : "", (int)length, name);
        names->shown++;
    }
    return true;
}

bool zip_begins_directory(const unsigned char *bytes) {
    return number_at(bytes, 4) == CENTRAL;
}

/* Takes the fields that ZIP64 has in the extra field because they do not fit in 32 bits, in their
 * order. place: NULL in a local header. */
static void take_sizes64(const unsigned char *extra, size_t length, struct zip_file *file,
                         uint64_t *place) {
    uint64_t *const fields[] = {&file->bytes, &file->packed, place};
    while (length >= 4) {
        const size_t size = number_at(extra + 2, 2);
        if (size > length - 4)
            return;
        if (number_at(extra, 2) == SIZES64) {
            size_t at = 0;
            for (int f = 0; f < 3; f++) {
                if (fields[f] != NULL && *fields[f] == UINT32_MAX && at + 8 <= size) {
                    *fields[f] = number_at(extra + 4 + at, 8);
                    at += 8;
                }
            }
            return;
        }
        extra += 4 + size;
        length -= 4 + size;
    }
}

/* Takes the fields that a local header and the directory have in common. */
static void take_common(const unsigned char *at, struct zip_file *file) {
    const uint64_t flags = number_at(at, 2);
    *file = (struct zip_file){
        .method = (int)number_at(at + 2, 2),
        .encrypted = (flags & FLAG_ENCRYPTED) != 0,
        .described = (flags & FLAG_DESCRIBED) != 0,
        .crc = (uint32_t)number_at(at + 8, 4),
        .packed = number_at(at + 12, 4),
        .bytes = number_at(at + 16, 4),
        .name_length = number_at(at + 20, 2),
        .extra_length = number_at(at + 22, 2),
    };
}

bool zip_take_local(const unsigned char *header, struct zip_file *file) {
    if (number_at(header, 4) != LOCAL)
        return false;
    take_common(header + 6, file);
    return true;
}

void zip_take_local_extra(const unsigned char *extra, size_t length, struct zip_file *file) {
    take_sizes64(extra, length, file, NULL);
}

size_t zip_descriptor_length(const unsigned char *bytes, size_t size, const struct zip_file *file) {
    for (int form = 0; form < 4; form++) { /* with or without a signature, sizes of 32 or 64 bits */
        const size_t before = form % 2 == 0 ? 4 : 0;
        const int width = form / 2 == 0 ? 4 : 8;
        const uint64_t mask = width == 4 ? UINT32_MAX : UINT64_MAX;
        const size_t length = before + 4 + 2 * (size_t)width;
        if (length <= size && (before == 0 || number_at(bytes, 4) == DESCRIPTOR) &&
            number_at(bytes + before, 4) == file->crc &&
            number_at(bytes + before + 4, width) == (file->packed & mask) &&
            number_at(bytes + before + 4 + width, width) == (file->bytes & mask))
            return length;
    }
    return 0;
}

/* An archive that can be read at any offset. */
struct zip_archive {
    int fd;
    off_t origin;
    uint64_t bytes; /* number of bytes from the origin to the end */
    const char *name;
};

static enum status malformed(const struct zip_archive *a, const char *what, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", a->name, what);
}

static enum status read_at(const struct zip_archive *a, uint64_t place, void *to, size_t size,
                           struct error *err) {
    if (place > a->bytes || size > a->bytes - place)
        return malformed(a, "a place beyond the end of the zip archive", err);
    for (size_t done = 0; done < size;) {
        const ssize_t got =
            pread(a->fd, (char *)to + done, size - done, a->origin + (off_t)(place + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return malformed(a, strerror(errno), err);
        if (got == 0)
            return malformed(a, "unexpected end of file", err);
        done += (size_t)got;
    }
    return STATUS_OK;
}

/* Place of the directory, and its number of members. */
struct directory {
    uint64_t at, bytes, members;
};

static enum status take_end64(const struct zip_archive *a, uint64_t end_at, struct directory *d,
                              struct error *err) {
    unsigned char locator[LOCATOR64_BYTES], end[END64_BYTES];
    if (end_at < sizeof locator)
        return STATUS_OK;
    RETURN_ON_FAILURE(read_at(a, end_at - sizeof locator, locator, sizeof locator, err));
    if (number_at(locator, 4) != LOCATOR64)
        return STATUS_OK;
    RETURN_ON_FAILURE(read_at(a, number_at(locator + 8, 8), end, sizeof end, err));
    if (number_at(end, 4) != END64)
        return malformed(a, "a malformed end of the zip archive", err);
    d->members = number_at(end + 32, 8);
    d->bytes = number_at(end + 40, 8);
    d->at = number_at(end + 48, 8);
    return STATUS_OK;
}

/* Finds the end record of the archive, which follows the directory. tail: room for the record and a
 * comment behind it. */
static enum status find_directory(const struct zip_archive *a, unsigned char *tail,
                                  struct directory *d, struct error *err) {
    const uint64_t longest = END_BYTES + LONGEST_COMMENT;
    const size_t size = (size_t)(a->bytes < longest ? a->bytes : longest);
    RETURN_ON_FAILURE(read_at(a, a->bytes - size, tail, size, err));
    for (size_t at = size < END_BYTES ? 0 : size - END_BYTES + 1; at-- > 0;) {
        if (number_at(tail + at, 4) != END || number_at(tail + at + 20, 2) != size - END_BYTES - at)
            continue;
        *d = (struct directory){.members = number_at(tail + at + 10, 2),
                                .bytes = number_at(tail + at + 12, 4),
                                .at = number_at(tail + at + 16, 4)};
        return take_end64(a, a->bytes - size + at, d, err);
    }
    return malformed(a, "a zip archive without its end", err);
}

/* Reads the directory's entry at *place, and moves *place behind it. room: memory for a name and an
 * extra field. */
static enum status take_entry(const struct zip_archive *a, uint64_t *place, unsigned char *room,
                              struct zip_file *file, struct zip_names *names, struct error *err) {
    unsigned char entry[CENTRAL_BYTES];
    struct zip_file found;
    RETURN_ON_FAILURE(read_at(a, *place, entry, sizeof entry, err));
    if (number_at(entry, 4) != CENTRAL)
        return malformed(a, "a malformed directory of the zip archive", err);
    take_common(entry + 8, &found);
    uint64_t local_at = number_at(entry + 42, 4);
    const size_t behind = found.name_length + found.extra_length;
    RETURN_ON_FAILURE(read_at(a, *place + sizeof entry, room, behind, err));
    take_sizes64(room + found.name_length, found.extra_length, &found, &local_at);
    *place += sizeof entry + behind + number_at(entry + 32, 2);
    if (!zip_add_name(names, (const char *)room, found.name_length))
        return STATUS_OK;
    found.at = local_at;
    if (names->count == 1)
        *file = found;
    return STATUS_OK;
}

/* Replaces the offset of a file's local header by that of its bytes. */
static enum status pass_local(const struct zip_archive *a, struct zip_file *file,
                              struct error *err) {
    unsigned char header[ZIP_LOCAL_BYTES];
    struct zip_file local;
    RETURN_ON_FAILURE(read_at(a, file->at, header, sizeof header, err));
    if (!zip_take_local(header, &local))
        return malformed(a, "a malformed header in the zip archive", err);
    file->at += sizeof header + local.name_length + local.extra_length;
    file->described = false;
    if (file->at > a->bytes || file->packed > a->bytes - file->at)
        return malformed(a, "a place beyond the end of the zip archive", err);
    return STATUS_OK;
}

enum status zip_find_file(int fd, off_t origin, const char *name, struct zip_file *file,
                          struct zip_names *names, struct error *err) {
    enum { ROOM = 2 * (UINT16_MAX + 1) };
    struct zip_archive a = {.fd = fd, .origin = origin, .name = name};
    struct directory d = {0};
    struct stat stat;
    void *room = NULL;
    *names = (struct zip_names){.count = 0};
    *file = (struct zip_file){0};
    if (fstat(fd, &stat) != 0)
        return malformed(&a, strerror(errno), err);
    a.bytes = stat.st_size > origin ? (uint64_t)(stat.st_size - origin) : 0;
    enum status status = memory_alloc(&room, ROOM, 1, name, err);
    if (status != STATUS_OK)
        return status;
    TRY(find_directory(&a, room, &d, err));
    for (uint64_t m = 0, place = d.at; m < d.members; m++)
        TRY(take_entry(&a, &place, room, file, names, err));
    if (names->count == 1)
        TRY(pass_local(&a, file, err));
cleanup:
    memory_free(room);
    return status;
}
