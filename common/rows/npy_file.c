// SPDX-License-Identifier: MIT
#include "common/rows/npy_file.h"

#include "common/base/crc32.h"  // crc32_add, crc32_join
#include "common/base/memory.h" // memory_alloc
#include "common/rows/result_parts.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Shape and type in the header of a file. */
struct npy_shape {
    int64_t rows, columns; /* sizes of the matrix; columns is 0 for a vector */
    enum npy_type type;
};

/* Returns whether the header, without its blanks, describes a matrix or vector in C order of a
 * known type. */
static bool understand_head(const char *head, size_t length, struct npy_shape *shape) {
    char packed[NPY_LONGEST_HEAD], description[4] = "";
    size_t used = 0;
    int end = -1;
    long long rows = 0, columns = 0;
    for (size_t k = 0; k < length; k++) {
        if (!isspace((unsigned char)head[k]))
            packed[used++] = head[k];
    }
    packed[used] = '\0';
    /* At most ten digits are read, because %lld is undefined if a number overflows. */
    const bool is_matrix =
        sscanf(packed, "{'descr':'%3[^']','fortran_order':False,'shape':(%10lld,%10lld),}%n",
               description, &rows, &columns, &end) == 3;
    if (!is_matrix)
        columns = 0;
    if (!is_matrix &&
        sscanf(packed, "{'descr':'%3[^']','fortran_order':False,'shape':(%10lld,),}%n", description,
               &rows, &end) != 2)
        return false;
    if (end < 0 || packed[end] != '\0')
        return false;
    *shape = (struct npy_shape){rows, columns, npy_type_find(description)};
    return shape->type < NPY_TYPES && rows >= 1 && rows <= INT32_MAX && columns <= INT32_MAX &&
           (!is_matrix || columns >= 1);
}

static bool has_form(const struct npy_shape *shape, enum npy_form form) {
    return form == NPY_VECTOR   ? shape->columns == 0
           : form == NPY_SQUARE ? shape->columns == shape->rows
                                : shape->columns > 0;
}

/* Returns whether a file may have an unsigned type, which predecessors and lists of vertices may
 * not. */
static bool takes_narrow(const struct npy_file *file, enum npy_form form) {
    return file->distances && form != NPY_VECTOR;
}

/* Reports the text that is in place of a header. */
static enum status unknown_head(const struct npy_file *file, enum npy_form form, const char *head,
                                size_t length, struct error *err) {
    enum { SHOWN = 120 };
    static const char *const forms[] = {
        [NPY_SQUARE] = "a square matrix", [NPY_ROWS] = "a matrix", [NPY_VECTOR] = "a vector"};
    char text[SHOWN + 1];
    while (length > 0 && isspace((unsigned char)head[length - 1]))
        length--;
    const size_t shown = length < SHOWN ? length : SHOWN;
    for (size_t k = 0; k < shown; k++)
        text[k] = head[k] != '\0' ? head[k] : '?';
    text[shown] = '\0';
    return fail(err, STATUS_BAD_INPUT,
                "%s: expected %s of '<i4', '<i8'%s in C order, found the header %s%s", file->path,
                forms[form],
                takes_narrow(file, form) ? ", '<f4', '<f8', '|u1' or '<u2'" : ", '<f4' or '<f8'",
                text, shown < length ? "..." : "");
}

static enum status malformed(const char *path, const char *expected, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "%s: expected %s", path, expected);
}

bool result_read_at(int fd, void *to, size_t size, uint64_t offset) {
    for (size_t done = 0; done < size;) {
        const size_t most = size - done < SSIZE_MAX ? size - done : SSIZE_MAX;
        const ssize_t got = pread(fd, (char *)to + done, most, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Reads the head, and sets the shape and the CRC-32 of the bytes before the entries. */
static enum status read_head(struct npy_file *file, enum npy_form form, struct npy_shape *shape,
                             struct error *err) {
    unsigned char magic[NPY_MAGIC_BYTES];
    char head[NPY_LONGEST_HEAD];
    const char *const path = file->path;
    if (!result_read_at(file->fd, magic, sizeof magic, 0) || memcmp(magic, "\x93NUMPY", 6) != 0)
        return malformed(path, "a NumPy file, found none", err);
    if (magic[6] != 1 || magic[7] != 0)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a NumPy file of format 1.0, found %d.%d",
                    path, magic[6], magic[7]);
    const size_t length = (size_t)magic[8] | (size_t)magic[9] << 8;
    if (length >= sizeof head)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a header of less than %zu bytes, found one of %zu", path,
                    sizeof head, length);
    if (!result_read_at(file->fd, head, length, sizeof magic))
        return fail(err, STATUS_BAD_INPUT,
                    "%s: truncated: expected a header of %zu bytes, found the end of the file",
                    path, length);
    if (!understand_head(head, length, shape) || !has_form(shape, form) ||
        (npy_type_is_narrow(shape->type) && !takes_narrow(file, form)))
        return unknown_head(file, form, head, length, err);
    file->head_bytes = sizeof magic + length;
    file->head_crc = crc32_add(crc32_add(0, magic, sizeof magic), head, length);
    return STATUS_OK;
}

enum status npy_file_open(struct npy_file *file, int fd, const char *path, enum npy_form form,
                          bool distances, enum number_type as, struct error *err) {
    struct stat found;
    struct npy_shape shape = {0};
    void *row_crc;
    *file = (struct npy_file){.path = path, .fd = fd, .distances = distances, .as = as};
    if (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode))
        return malformed(path, "a regular file", err);
    RETURN_ON_FAILURE(read_head(file, form, &shape, err));
    const int64_t rows = form == NPY_VECTOR ? 1 : shape.rows;
    const int64_t n = form == NPY_VECTOR ? shape.rows : shape.columns;
    /* The sum may overflow for n below 2^31 and entries of 8 bytes. */
    const uint64_t expected = memory_add(
        file->head_bytes, memory_times((uint64_t)rows, (uint64_t)n * npy_types[shape.type].size));
    const uint64_t size = (uint64_t)found.st_size;
    if (size != expected)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: %s: expected %llu bytes for %lld vertices, found %llu", path,
                    size < expected ? "truncated" : "too long", (unsigned long long)expected,
                    (long long)n, (unsigned long long)size);
    RETURN_ON_FAILURE(memory_alloc(&row_crc, (size_t)rows, sizeof(uint32_t), path, err));
    file->type = shape.type;
    file->rows = (int32_t)rows;
    file->n = (int32_t)n;
    file->row_crc = row_crc;
    return STATUS_OK;
}

static bool converts(const struct npy_file *file) {
    return file->type != npy_type_of(file->as);
}

size_t npy_file_row_room(const struct npy_file *file) {
    return converts(file) ? (size_t)file->n * npy_types[file->type].size : 0;
}

enum status npy_file_read_row(const struct npy_file *file, int32_t row, void *room, void *to,
                              struct error *err) {
    enum { SCIPY_NONE = -9999 }; /* SciPy's entry for no predecessor */
    const size_t bytes = (size_t)file->n * npy_types[file->type].size;
    void *const as_it_is = converts(file) ? room : to;
    if (!result_read_at(file->fd, as_it_is, bytes, file->head_bytes + (uint64_t)row * bytes))
        return malformed(file->path, "more bytes", err);
    file->row_crc[row] = crc32_add(0, as_it_is, bytes);
    const int32_t converted =
        converts(file) ? npy_type_read(file->type, room, file->n, file->distances, file->as, to)
                       : file->n;
    if (converted < file->n) {
        fail(err, STATUS_BAD_INPUT, "%s: row %d, column %d, from 0: expected %s%s", file->path, row,
             converted, file->as == NUMBER_INT32 ? "an integer of 32 bits" : number_name(file->as),
             file->distances ? ", or infinity" : "");
        err->is_out_of_range = file->distances && file->as == NUMBER_INT32;
        return STATUS_BAD_INPUT;
    }
    int32_t *const vertices = to;
    for (int32_t j = 0; j < file->n && !file->distances; j++)
        vertices[j] = vertices[j] == SCIPY_NONE ? -1 : vertices[j];
    return STATUS_OK;
}

uint32_t npy_file_crc(const struct npy_file *file) {
    return crc32_join(file->head_crc, file->row_crc, file->rows,
                      (uint64_t)file->n * npy_types[file->type].size);
}

uint64_t npy_file_memory(int32_t rows) {
    return (uint64_t)rows * sizeof(uint32_t);
}

void npy_file_close(struct npy_file *file) {
    memory_free(file->row_crc);
    *file = (struct npy_file){0};
}
