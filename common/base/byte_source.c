// SPDX-License-Identifier: MIT
#include "common/base/byte_source.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/memory.h"      // memory_alloc, memory_free
#include "common/base/zip_member.h"  // zip_find_file

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef APSP_BZIP2
#include <bzlib.h>
#endif
#ifdef APSP_LZMA
#include <lzma.h>
#endif
#include <zlib.h>

enum {
    PACKED_BYTES =
        1 << 18, /* bytes of the buffer for packed bytes: any header of a zip file fits */
    /* the most bytes that a read unpacks, so that they fit in an unsigned */
    MOST_UNPACKED = 1 << 20,
    LONGEST_MARK = 10,     /* the most bytes that identify a kind of compression */
    DEFLATE_FACTOR = 1032, /* the most bytes that deflate makes of one byte */
};

enum step { STEP_ON, STEP_END, STEP_CORRUPT, STEP_NO_MEMORY };

/* A kind of compression. */
struct packing {
    const char *name;
    bool (*matches)(const unsigned char *bytes, size_t size);
    /* Prepares for unpacking the bytes that follow. NULL: this build cannot unpack them. */
    enum status (*begin)(struct byte_source *s, struct error *err);
    /* Unpacks bytes of s->at into `to`; sets *made. */
    enum step (*step)(struct byte_source *s, unsigned char *to, size_t room, size_t *made);
    void (*end)(struct byte_source *s);
    /* At the end of a stream, passes to the next stream of the file; sets s->ended if there is
     * none. */
    enum status (*pass)(struct byte_source *s, struct error *err);
    uint64_t factor;     /* the most bytes that one packed byte becomes; 0: no bound */
    const char *command; /* a program that unpacks a file to standard output, for messages */
};

struct byte_source {
    int fd;
    const char *name;
    /* offset of the first byte, if the file can be read at any offset; -1: it cannot */
    off_t origin;
    int threads;                   /* most threads that read together */
    uint64_t file_bytes;           /* size of the file as it is stored; UINT64_MAX: not known */
    const struct packing *packing; /* NULL: the bytes are not packed, or nothing has been read */
    bool begun, at_end;            /* begun: something has been read; at_end: the file has ended */
    bool unpacking;                /* the decompressor has been begun and holds memory */
    bool ended;                    /* everything has been unpacked */
    union {
        z_stream zlib;
#ifdef APSP_LZMA
        struct {
            lzma_stream stream;
            lzma_allocator allocator;
        } lzma;
#endif
#ifdef APSP_BZIP2
        bz_stream bzip2;
#endif
    };
    struct error refusal; /* the reason why a decompressor was refused memory */
    struct {
        struct zip_file file;
        struct zip_names names;
        bool unwanted; /* the member is no file and is skipped */
        uint64_t taken, made;
        uint32_t crc;
    } zip;
    const unsigned char *at; /* bytes of `packed` that have not been unpacked yet */
    size_t left;
    unsigned char packed[PACKED_BYTES];
};

static enum status unreadable(const struct byte_source *s, const char *reason, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", s->name, reason);
}

/* Reads pieces of a file, each by one thread. Returns the number of bytes before the first that no
 * thread could read; 0: read() can tell why. */
static size_t read_pieces(const struct byte_source *s, char *to, size_t room) {
    const size_t piece = block_sizes.piece_bytes;
    const int64_t pieces = (int64_t)((room - 1) / piece + 1);
    const off_t at = lseek(s->fd, 0, SEEK_CUR);
    size_t end = room;
    if (at < 0)
        return 0;
#pragma omp parallel for num_threads(s->threads) schedule(static) reduction(min : end)
    for (int64_t k = 0; k < pieces; k++) {
        const size_t begin = (size_t)k * piece, most = room - begin < piece ? room - begin : piece;
        size_t done = 0;
        ssize_t got = 1;
        while (done < most && got > 0) {
            got = pread(s->fd, to + begin + done, most - done, at + (off_t)(begin + done));
            done += got > 0 ? (size_t)got : 0;
        }
        if (done < most && begin + done < end)
            end = begin + done;
    }
    return lseek(s->fd, at + (off_t)end, SEEK_SET) < 0 ? 0 : end;
}

static enum status read_some(struct byte_source *s, void *to, size_t room, size_t *got,
                             struct error *err) {
    if (s->threads > 1 && s->origin >= 0 && room >= 2 * block_sizes.piece_bytes) {
        *got = read_pieces(s, to, room);
        if (*got > 0)
            return STATUS_OK;
    }
    const ssize_t bytes = read(s->fd, to, room);
    if (bytes < 0)
        return unreadable(s, strerror(errno), err);
    *got = (size_t)bytes;
    s->at_end = bytes == 0;
    return STATUS_OK;
}

/* Makes `wanted` packed bytes available, or fewer at the end of the file. */
static enum status look(struct byte_source *s, size_t wanted, struct error *err) {
    if (s->left >= wanted)
        return STATUS_OK;
    memmove(s->packed, s->at, s->left);
    s->at = s->packed;
    while (s->left < wanted && !s->at_end) {
        size_t got = 0;
        RETURN_ON_FAILURE(read_some(s, s->packed + s->left, sizeof s->packed - s->left, &got, err));
        s->left += got;
    }
    return STATUS_OK;
}

static void take(struct byte_source *s, size_t bytes) {
    s->at += bytes;
    s->left -= bytes;
}

/* Allocates memory for the libraries; memory.h counts and limits it. */
static void *allocate(struct byte_source *s, size_t count, size_t size) {
    void *block = NULL;
    return memory_alloc(&block, count, size, s->name, &s->refusal) == STATUS_OK ? block : NULL;
}

static enum status no_memory(const struct byte_source *s, struct error *err) {
    *err = s->refusal;
    return STATUS_NO_RESOURCE;
}

static enum status pass_to_stream(struct byte_source *s, struct error *err);

/* zlib: gzip, and files of zip. -----------------------------------------------------------------
 */

static void *zlib_allocate(void *to, unsigned count, unsigned size) {
    return allocate(to, count, size);
}

static void zlib_free(void *to, void *block) {
    (void)to;
    memory_free(block);
}

static enum status begin_zlib(struct byte_source *s, int window, struct error *err) {
    s->zlib = (z_stream){.zalloc = zlib_allocate, .zfree = zlib_free, .opaque = s};
    if (inflateInit2(&s->zlib, window) != Z_OK)
        return no_memory(s, err);
    s->unpacking = true;
    return STATUS_OK;
}

static enum status begin_gzip(struct byte_source *s, struct error *err) {
    return begin_zlib(s, MAX_WBITS + 16, err);
}

static enum step step_zlib(struct byte_source *s, unsigned char *to, size_t room, size_t *made) {
    s->zlib.next_in = (z_const Bytef *)(uintptr_t)s->at;
    s->zlib.avail_in = (unsigned)s->left;
    s->zlib.next_out = to;
    s->zlib.avail_out = (unsigned)room;
    const int code = inflate(&s->zlib, Z_NO_FLUSH);
    take(s, s->left - s->zlib.avail_in);
    *made = room - s->zlib.avail_out;
    return code == Z_STREAM_END                  ? STEP_END
           : code == Z_OK || code == Z_BUF_ERROR ? STEP_ON
           : code == Z_MEM_ERROR                 ? STEP_NO_MEMORY
                                                 : STEP_CORRUPT;
}

static void end_zlib(struct byte_source *s) {
    inflateEnd(&s->zlib);
}

static bool is_gzip(const unsigned char *bytes, size_t size) {
    return size >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

/* xz, by liblzma. -------------------------------------------------------------------------------
 */

static bool is_xz(const unsigned char *bytes, size_t size) {
    static const unsigned char mark[] = {0xfd, '7', 'z', 'X', 'Z', 0};
    return size >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0;
}

#ifdef APSP_LZMA
static void *lzma_allocate(void *to, size_t count, size_t size) {
    return allocate(to, count, size);
}

static void lzma_free_block(void *to, void *block) {
    (void)to;
    memory_free(block);
}

static enum status begin_lzma(struct byte_source *s, struct error *err) {
    s->lzma.allocator = (lzma_allocator){lzma_allocate, lzma_free_block, s};
    s->lzma.stream = (lzma_stream)LZMA_STREAM_INIT;
    s->lzma.stream.allocator = &s->lzma.allocator;
    /* no limit here, because the allocator limits memory */
    if (lzma_stream_decoder(&s->lzma.stream, UINT64_MAX, 0) != LZMA_OK)
        return no_memory(s, err);
    s->unpacking = true;
    return STATUS_OK;
}

static enum step step_lzma(struct byte_source *s, unsigned char *to, size_t room, size_t *made) {
    lzma_stream *const stream = &s->lzma.stream;
    stream->next_in = s->at;
    stream->avail_in = s->left;
    stream->next_out = to;
    stream->avail_out = room;
    const lzma_ret code = lzma_code(stream, LZMA_RUN);
    take(s, s->left - stream->avail_in);
    *made = room - stream->avail_out;
    return code == LZMA_STREAM_END                     ? STEP_END
           : code == LZMA_OK || code == LZMA_BUF_ERROR ? STEP_ON
           : code == LZMA_MEM_ERROR                    ? STEP_NO_MEMORY
                                                       : STEP_CORRUPT;
}

static void end_lzma(struct byte_source *s) {
    lzma_end(&s->lzma.stream);
}
#define XZ .begin = begin_lzma, .step = step_lzma, .end = end_lzma
#else
#define XZ .begin = NULL
#endif

/* bzip2, by libbz2. -----------------------------------------------------------------------------
 */

/* Returns whether bytes begin a bzip2 file: the size of its blocks follows, and then the digits of
 * pi or, in a file without blocks, of its square root. */
static bool is_bzip2(const unsigned char *bytes, size_t size) {
    static const unsigned char pi[] = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
    static const unsigned char root[] = {0x17, 0x72, 0x45, 0x38, 0x50, 0x90};
    return size >= 4 + sizeof pi && memcmp(bytes, "BZh", 3) == 0 && bytes[3] >= '1' &&
           bytes[3] <= '9' &&
           (memcmp(bytes + 4, pi, sizeof pi) == 0 || memcmp(bytes + 4, root, sizeof root) == 0);
}

#ifdef APSP_BZIP2
static void *bzip2_allocate(void *to, int count, int size) {
    return allocate(to, (size_t)count, (size_t)size);
}

static void bzip2_free(void *to, void *block) {
    (void)to;
    memory_free(block);
}

static enum status begin_bzip2(struct byte_source *s, struct error *err) {
    s->bzip2 = (bz_stream){.bzalloc = bzip2_allocate, .bzfree = bzip2_free, .opaque = s};
    if (BZ2_bzDecompressInit(&s->bzip2, 0, 0) != BZ_OK)
        return no_memory(s, err);
    s->unpacking = true;
    return STATUS_OK;
}

static enum step step_bzip2(struct byte_source *s, unsigned char *to, size_t room, size_t *made) {
    s->bzip2.next_in = (char *)(uintptr_t)s->at;
    s->bzip2.avail_in = (unsigned)s->left;
    s->bzip2.next_out = (char *)to;
    s->bzip2.avail_out = (unsigned)room;
    const int code = BZ2_bzDecompress(&s->bzip2);
    take(s, s->left - s->bzip2.avail_in);
    *made = room - s->bzip2.avail_out;
    return code == BZ_STREAM_END  ? STEP_END
           : code == BZ_OK        ? STEP_ON
           : code == BZ_MEM_ERROR ? STEP_NO_MEMORY
                                  : STEP_CORRUPT;
}

static void end_bzip2(struct byte_source *s) {
    BZ2_bzDecompressEnd(&s->bzip2);
}
#define BZIP2 .begin = begin_bzip2, .step = step_bzip2, .end = end_bzip2
#else
#define BZIP2 .begin = NULL
#endif

/* zip, by zlib. ---------------------------------------------------------------------------------
 */

static bool is_zip(const unsigned char *bytes, size_t size) {
    return size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

static enum status refuse_members(const struct byte_source *s, struct error *err) {
    const struct zip_names *const names = &s->zip.names;
    char more[40] = "";
    if (names->count == 0)
        return unreadable(s, "a zip archive without a file", err);
    if (names->count > names->shown)
        snprintf(more, sizeof more, " and %llu more",
                 (unsigned long long)(names->count - names->shown));
    return fail(err, STATUS_BAD_INPUT,
                "cannot read %s: expected a zip archive of one file, found %s%s; "
                "'unzip -p ARCHIVE FILE | apsp -' reads one of them",
                s->name, names->text, more);
}

static enum status begin_member(struct byte_source *s, struct error *err) {
    const struct zip_file *const file = &s->zip.file;
    s->zip.crc = 0;
    s->zip.taken = s->zip.made = 0;
    if (file->encrypted)
        return unreadable(s, "the zip archive is encrypted", err);
    if (file->method == ZIP_DEFLATED)
        return begin_zlib(s, -MAX_WBITS, err);
    if (file->method != ZIP_STORED || file->described)
        return unreadable(s, "a zip archive that only unzip reads: 'unzip -p ARCHIVE | apsp -'",
                          err);
    return STATUS_OK;
}

/* Passes to the next member of an archive that is read from its beginning to its end. */
static enum status next_member(struct byte_source *s, struct error *err) {
    RETURN_ON_FAILURE(look(s, ZIP_LOCAL_BYTES, err));
    struct zip_file file;
    if (s->left < ZIP_LOCAL_BYTES || !zip_take_local(s->at, &file)) {
        s->ended = true;
        if (s->zip.names.count == 0)
            return refuse_members(s, err);
        return s->left >= 4 && zip_begins_directory(s->at)
                   ? STATUS_OK
                   : unreadable(s, "a zip archive without its directory", err);
    }
    const size_t head = ZIP_LOCAL_BYTES + file.name_length + file.extra_length;
    RETURN_ON_FAILURE(look(s, head, err));
    if (s->left < head)
        return unreadable(s, "unexpected end of file", err);
    const char *const name = (const char *)s->at + ZIP_LOCAL_BYTES;
    zip_take_local_extra(s->at + ZIP_LOCAL_BYTES + file.name_length, file.extra_length, &file);
    s->zip.unwanted = !zip_add_name(&s->zip.names, name, file.name_length);
    s->zip.file = file;
    take(s, head);
    return s->zip.names.count > 1 ? refuse_members(s, err) : begin_member(s, err);
}

static enum status begin_zip(struct byte_source *s, struct error *err) {
    if (s->origin < 0)
        return next_member(s, err);
    struct zip_file *const file = &s->zip.file;
    RETURN_ON_FAILURE(zip_find_file(s->fd, s->origin, s->name, file, &s->zip.names, err));
    if (s->zip.names.count != 1)
        return refuse_members(s, err);
    if (lseek(s->fd, s->origin + (off_t)file->at, SEEK_SET) < 0)
        return unreadable(s, strerror(errno), err);
    s->left = 0;
    s->at_end = false;
    return begin_member(s, err);
}

static enum step step_zip(struct byte_source *s, unsigned char *to, size_t room, size_t *made) {
    const size_t before = s->left;
    enum step step = STEP_ON;
    if (s->zip.file.method == ZIP_DEFLATED) {
        step = step_zlib(s, to, room, made);
    } else {
        const uint64_t rest = s->zip.file.packed - s->zip.taken;
        *made = room < s->left ? room : s->left;
        *made = *made < rest ? *made : (size_t)rest;
        memcpy(to, s->at, *made);
        take(s, *made);
        step = *made == rest ? STEP_END : STEP_ON;
    }
    s->zip.taken += before - s->left;
    s->zip.made += *made;
    s->zip.crc = crc32_add(s->zip.crc, to, *made);
    return step;
}

static enum status pass_member(struct byte_source *s, struct error *err) {
    const struct zip_file *const known = &s->zip.file;
    const struct zip_file found = {.crc = s->zip.crc, .packed = s->zip.taken, .bytes = s->zip.made};
    bool right =
        known->crc == found.crc && known->packed == found.packed && known->bytes == found.bytes;
    if (known->described) {
        RETURN_ON_FAILURE(look(s, ZIP_DESCRIPTOR_BYTES, err));
        const size_t length = zip_descriptor_length(s->at, s->left, &found);
        right = length > 0;
        take(s, length);
    }
    if (!right)
        return unreadable(s, "corrupt zip archive: sizes or the checksum of its file differ", err);
    s->ended = s->origin >= 0;
    return s->ended ? STATUS_OK : next_member(s, err);
}

/* All kinds. ------------------------------------------------------------------------------------
 */

static bool is_zstd(const unsigned char *bytes, size_t size) {
    return size >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0;
}

static bool is_compress(const unsigned char *bytes, size_t size) {
    return size >= 2 && memcmp(bytes, "\x1f\x9d", 2) == 0;
}

static bool is_lz4(const unsigned char *bytes, size_t size) {
    return size >= 4 && memcmp(bytes, "\x04\x22\x4d\x18", 4) == 0;
}

static const struct packing packings[] = {
    {"gzip", is_gzip, begin_gzip, step_zlib, end_zlib, pass_to_stream, DEFLATE_FACTOR, NULL},
    {"zip", is_zip, begin_zip, step_zip, end_zlib, pass_member, DEFLATE_FACTOR, NULL},
    {.name = "xz", .matches = is_xz, XZ, .pass = pass_to_stream, .command = "xz -dc"},
    {.name = "bzip2", .matches = is_bzip2, BZIP2, .pass = pass_to_stream, .command = "bzip2 -dc"},
    {.name = "zstd", .matches = is_zstd, .command = "zstd -dc"},
    {.name = "compress", .matches = is_compress, .command = "gzip -dc"},
    {.name = "lz4", .matches = is_lz4, .command = "lz4 -dc"},
};
enum { PACKINGS = sizeof packings / sizeof *packings };

static enum status begin(struct byte_source *s, struct error *err) {
    s->begun = true;
    RETURN_ON_FAILURE(look(s, LONGEST_MARK, err));
    for (size_t p = 0; p < PACKINGS && s->packing == NULL; p++) {
        if (packings[p].matches(s->at, s->left))
            s->packing = &packings[p];
    }
    if (s->packing == NULL)
        return STATUS_OK;
    if (s->packing->begin == NULL)
        return fail(err, STATUS_BAD_INPUT,
                    "cannot read %s: it is compressed by %s, which this build does not read; "
                    "'%s FILE | apsp -' does",
                    s->name, s->packing->name, s->packing->command);
    return s->packing->begin(s, err);
}

/* Passes to the next stream of the same kind, if there is one. Zeros may fill up a file, as on
 * tapes. */
static enum status pass_to_stream(struct byte_source *s, struct error *err) {
    do {
        while (s->left > 0 && *s->at == 0)
            take(s, 1);
        RETURN_ON_FAILURE(look(s, LONGEST_MARK, err));
    } while (s->left > 0 && *s->at == 0);
    s->ended = s->left == 0;
    if (s->ended)
        return STATUS_OK;
    return s->packing->matches(s->at, s->left)
               ? s->packing->begin(s, err)
               : unreadable(s, "something else follows what is compressed", err);
}

static void end(struct byte_source *s) {
    if (s->unpacking)
        s->packing->end(s);
    s->unpacking = false;
}

static enum status corrupt(const struct byte_source *s, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "cannot read %s: corrupt %s data", s->name,
                s->packing->name);
}

static enum status unpack(struct byte_source *s, unsigned char *to, size_t room, size_t *got,
                          struct error *err) {
    while (*got == 0 && !s->ended) {
        RETURN_ON_FAILURE(look(s, 1, err));
        const bool unwanted = s->zip.unwanted;
        const size_t before = s->left;
        size_t made = 0;
        switch (s->packing->step(s, to, room, &made)) {
        case STEP_ON:
            if (made == 0 && s->left == before)
                return before == 0 ? unreadable(s, "unexpected end of file", err) : corrupt(s, err);
            break;
        case STEP_END:
            end(s);
            RETURN_ON_FAILURE(s->packing->pass(s, err));
            break;
        case STEP_NO_MEMORY:
            return no_memory(s, err);
        case STEP_CORRUPT:
            return corrupt(s, err);
        }
        *got = unwanted ? 0 : made;
    }
    return STATUS_OK;
}

enum status byte_source_read(struct byte_source *s, void *to, size_t room, size_t *got,
                             struct error *err) {
    *got = 0;
    if (room > MOST_UNPACKED)
        room = MOST_UNPACKED;
    if (!s->begun)
        RETURN_ON_FAILURE(begin(s, err));
    if (s->packing != NULL)
        return unpack(s, to, room, got, err);
    if (s->left == 0)
        return read_some(s, to, room, got, err);
    *got = room < s->left ? room : s->left;
    memcpy(to, s->at, *got);
    take(s, *got);
    return STATUS_OK;
}

uint64_t byte_source_max_bytes(const struct byte_source *s) {
    if (s->packing == NULL)
        return s->file_bytes;
    return s->packing->factor > 0 ? memory_times(s->file_bytes, s->packing->factor) : UINT64_MAX;
}

const char *byte_source_members(const struct byte_source *s) {
    return s->zip.names.count > 1 ? s->zip.names.text : "";
}

enum status byte_source_open(struct byte_source **source, int fd, const char *name,
                             struct error *err) {
    struct stat stat;
    void *memory;
    const enum status status = memory_alloc(&memory, sizeof **source, 1, name, err);
    if (status != STATUS_OK) {
        close(fd);
        return status;
    }
    struct byte_source *const s = *source = memory;
    memset(s, 0, offsetof(struct byte_source, packed));
    s->fd = fd;
    s->name = name;
    s->at = s->packed;
    s->threads = 1;
    const bool regular = fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode);
    s->file_bytes = regular ? (uint64_t)stat.st_size : UINT64_MAX;
    s->origin = regular ? lseek(fd, 0, SEEK_CUR) : -1;
    return STATUS_OK;
}

void byte_source_share(struct byte_source *s, int threads) {
    s->threads = threads;
}

void byte_source_close(struct byte_source *s) {
    if (s == NULL)
        return;
    end(s);
    close(s->fd);
    memory_free(s);
}
