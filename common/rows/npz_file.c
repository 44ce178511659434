// SPDX-License-Identifier: MIT
#include "common/rows/npz_file.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/memory.h"      // memory_alloc
#include "common/graph/graph.h"      // INF

#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* Sets name and size of an array whose head was written. */
static void set_member(struct npz_layout *l, int array, const char *name, size_t head_bytes,
                       uint64_t bytes) {
    l->head_bytes[array] = head_bytes;
    l->member[array] = (struct zip_member){.name = name, .bytes = head_bytes + bytes};
}

void npz_lay_out(struct npz_layout *l, int32_t rows, int64_t entries, enum npy_type data) {
    l->index = entries <= INT32_MAX ? NPY_INT32 : NPY_INT64;
    const uint64_t index_bytes = npy_types[l->index].size;
    set_member(l, NPZ_INDICES, "indices.npy",
               npy_head_of_vector(l->index, entries, l->head[NPZ_INDICES]),
               (uint64_t)entries * index_bytes);
    set_member(l, NPZ_INDPTR, "indptr.npy",
               npy_head_of_vector(l->index, (int64_t)rows + 1, l->head[NPZ_INDPTR]),
               ((uint64_t)rows + 1) * index_bytes);
    set_member(l, NPZ_FORMAT, "format.npy", npy_head_of("|S3", "", l->head[NPZ_FORMAT]), 3);
    set_member(l, NPZ_SHAPE, "shape.npy", npy_head_of_vector(NPY_INT64, 2, l->head[NPZ_SHAPE]),
               2 * sizeof(int64_t));
    set_member(l, NPZ_DATA, "data.npy", npy_head_of_vector(data, entries, l->head[NPZ_DATA]),
               (uint64_t)entries * npy_types[data].size);
    l->bytes = zip_place(l->member, NPZ_ARRAYS);
}

static enum status became_shorter(const struct npz_file *file, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "%s: expected more bytes: it has become shorter",
                file->path);
}

static uint64_t body_at(const struct npz_layout *l, int array) {
    return l->member[array].at + l->head_bytes[array];
}

/* Compares the checksum of the whole file with the expected one. */
static enum status check_crc(const struct npz_file *file, uint64_t bytes, struct error *err) {
    const size_t most = block_sizes.npz_read_bytes;
    void *piece;
    uint32_t crc = 0;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&piece, most, 1, file->path, err));
    for (uint64_t at = 0; at < bytes; at += most) {
        const size_t some = bytes - at < most ? (size_t)(bytes - at) : most;
        if (!result_read_at(file->fd, piece, some, at))
            TRY(became_shorter(file, err));
        crc = crc32_add(crc, piece, some);
    }
    if (crc != file->size.crc)
        status = fail(err, STATUS_BAD_INPUT,
                      "%s: expected the file that its .json describes, CRC-32 %08x, found %08x",
                      file->path, file->size.crc, crc);
cleanup:
    memory_free(piece);
    return status;
}

/* Fails unless the file has these bytes at an offset. */
static enum status expect(const struct npz_file *file, const void *bytes, size_t size, uint64_t at,
                          struct error *err) {
    char found[NPY_LONGEST_HEAD];
    if (!result_read_at(file->fd, found, size, at))
        return became_shorter(file, err);
    return memcmp(found, bytes, size) == 0
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT,
                      "%s: expected a sparse matrix as --format npz writes it, found other bytes "
                      "from %llu on",
                      file->path, (unsigned long long)at);
}

/* Compares the file with the layout, except the numbers in it. */
static enum status check_layout(const struct npz_file *file, const struct npz_layout *l,
                                struct error *err) {
    const int64_t shape[] = {file->size.rows, file->size.columns};
    for (int array = 0; array < NPZ_ARRAYS; array++)
        RETURN_ON_FAILURE(
            expect(file, l->head[array], l->head_bytes[array], l->member[array].at, err));
    RETURN_ON_FAILURE(expect(file, "csr", 3, body_at(l, NPZ_FORMAT), err));
    return expect(file, shape, sizeof shape, body_at(l, NPZ_SHAPE), err);
}

/* Reads `count` columns or starts of rows. room: memory for `count` int64 numbers. */
static bool read_indices(const struct npz_file *file, uint64_t array_at, int64_t first,
                         int64_t count, int64_t *room) {
    const size_t size = npy_types[file->index].size;
    if (!result_read_at(file->fd, room, (size_t)count * size, array_at + (uint64_t)first * size))
        return false;
    /* Narrow numbers are at the beginning of the room, so the last one moves first. */
    for (int64_t k = count - 1; k >= 0 && file->index == NPY_INT32; k--) {
        int32_t narrow;
        memcpy(&narrow, (const char *)room + (size_t)k * sizeof narrow, sizeof narrow);
        room[k] = narrow;
    }
    return true;
}

static enum status read_starts(struct npz_file *file, const struct npz_layout *l,
                               struct error *err) {
    const struct npz_size *const size = &file->size;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)size->rows + 1, sizeof *file->start, file->path, err));
    file->start = memory;
    if (!read_indices(file, body_at(l, NPZ_INDPTR), 0, (int64_t)size->rows + 1, file->start))
        return became_shorter(file, err);
    bool ascend = file->start[0] == 0 && file->start[size->rows] == size->entries;
    for (int32_t p = 0; p < size->rows && ascend; p++) {
        const int64_t start = file->start[p], end = file->start[p + 1];
        ascend = start <= end && end - start <= size->columns;
    }
    return ascend ? STATUS_OK
                  : fail(err, STATUS_BAD_INPUT,
                         "%s: expected rows one after the other in indptr, from 0 to %lld",
                         file->path, (long long)size->entries);
}

enum status npz_file_open(struct npz_file *file, int fd, const char *path,
                          const struct npz_size *size, struct error *err) {
    struct npz_layout layout;
    struct stat is;
    *file = (struct npz_file){.path = path, .fd = fd, .size = *size};
    if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode))
        return fail(err, STATUS_BAD_INPUT, "%s: expected a regular file", path);
    const bool countable = size->entries <= is.st_size / 8; /* an entry has 8 bytes or more */
    if (countable)
        npz_lay_out(&layout, size->rows, size->entries, size->data);
    if (!countable || layout.bytes != (uint64_t)is.st_size)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected as many bytes as a sparse matrix of %d x %d with %lld entries "
                    "has, found %lld",
                    path, size->rows, size->columns, (long long)size->entries,
                    (long long)is.st_size);
    file->index = layout.index;
    file->columns_at = body_at(&layout, NPZ_INDICES);
    file->distances_at = body_at(&layout, NPZ_DATA);
    RETURN_ON_FAILURE(check_layout(file, &layout, err));
    RETURN_ON_FAILURE(check_crc(file, layout.bytes, err));
    return read_starts(file, &layout, err);
}

size_t npz_file_row_room(const struct npz_file *file) {
    return (size_t)file->size.columns * (sizeof(int64_t) + npy_types[file->size.data].size);
}

static void fill_no_path(enum number_type type, double no_path, int32_t count, void *to) {
    for (int32_t j = 0; j < count; j++) {
        if (type == NUMBER_FLOAT64)
            ((double *)to)[j] = no_path;
        else if (type == NUMBER_FLOAT32)
            ((float *)to)[j] = (float)no_path;
        else
            ((int32_t *)to)[j] = (int32_t)no_path;
    }
}

/* Copies a distance; returns false if it is the one for no path. */
static bool copy_entry(enum semiring semiring, enum number_type type, const void *distance,
                       int64_t k, void *to, int64_t j) {
    const double entry = number_at(type, distance, k);
    memcpy((char *)to + (size_t)j * number_size(type),
           (const char *)distance + (size_t)k * number_size(type), number_size(type));
    return entry != semiring_no_path(semiring, type) &&
           (!isinf(entry) || entry == semiring_to_itself(semiring, type));
}

/* Reads entry k of a row as a number of the type as which rows are read. */
static enum status take_entry(const struct npz_file *file, int32_t row, const void *distance,
                              int64_t k, int64_t column, void *to, struct error *err) {
    const enum npy_type type = file->size.data;
    const enum number_type as = file->size.as;
    double room;
    if (type != npy_type_of(as)) {
        const char *const from = (const char *)distance + (size_t)k * npy_types[type].size;
        if (npy_type_read(type, from, 1, true, as, &room) < 1) {
            fail(err, STATUS_BAD_INPUT, "%s: row %d, column %lld: expected %s", file->path, row,
                 (long long)column, as == NUMBER_INT32 ? "an integer of 32 bits" : number_name(as));
            err->is_out_of_range = type == NPY_INT64 && as == NUMBER_INT32;
            return STATUS_BAD_INPUT;
        }
        distance = &room;
        k = 0;
    }
    if (copy_entry(file->size.semiring, as, distance, k, to, column))
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "%s: row %d, column %lld: expected a distance, found the entry for no path",
                file->path, row, (long long)column);
}

enum status npz_file_read_row(const struct npz_file *file, int32_t row, void *room, void *to,
                              struct error *err) {
    const int32_t n = file->size.columns;
    const enum npy_type type = file->size.data;
    const size_t size = npy_types[type].size;
    const int64_t start = file->start[row], count = file->start[row + 1] - start;
    int64_t *const column = room;
    void *const distance = column + n;
    if (!read_indices(file, file->columns_at, start, count, column) ||
        !result_read_at(file->fd, distance, (size_t)count * size,
                        file->distances_at + (uint64_t)start * size))
        return became_shorter(file, err);
    fill_no_path(file->size.as, semiring_no_path(file->size.semiring, file->size.as), n, to);
    for (int64_t k = 0, before = -1; k < count; before = column[k++]) {
        if (column[k] <= before || column[k] >= n)
            return fail(
                err, STATUS_BAD_INPUT,
                "%s: row %d: expected columns in 0 .. %d that ascend, found %lld after %lld",
                file->path, row, n - 1, (long long)column[k], (long long)before);
        RETURN_ON_FAILURE(take_entry(file, row, distance, k, column[k], to, err));
    }
    return STATUS_OK;
}

void npz_file_close(struct npz_file *file) {
    memory_free(file->start);
    *file = (struct npz_file){0};
}
