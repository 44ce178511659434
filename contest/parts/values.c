// SPDX-License-Identifier: MIT
#include "contest/parts/values.h"

#include "common/base/block_sizes.h"  // block_sizes
#include "common/base/memory.h"       // memory_alloc
#include "common/base/output.h"       // struct output
#include "common/base/splitmix64.h"   // splitmix64_mix
#include "common/base/text_source.h"  // struct text_source
#include "common/rows/result_parts.h" // npy_head_of

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct value_type_facts value_types[] = {
    [VALUE_INT32] = {"int32", "<i4", sizeof(int32_t)},
    [VALUE_INT64] = {"int64", "<i8", sizeof(int64_t)},
    [VALUE_FLOAT32] = {"float32", "<f4", sizeof(float)},
};

enum {
    LONGEST_LINE = 1 << 30, /* because all numbers of a file may be on one line */
    LONGEST_NUMBER = 63,    /* most characters of a float */
};

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1 };

enum status values_alloc(struct values *values, enum value_type type, int64_t count,
                         const char *what, struct error *err) {
    void *entries;
    RETURN_ON_FAILURE(memory_alloc(&entries, (size_t)count, value_types[type].size, what, err));
    *values = (struct values){type, count, entries};
    return STATUS_OK;
}

void values_free(struct values *values) {
    memory_free(values->entries);
    *values = (struct values){0};
}

/* Reading .npy ---------------------------------------------------------------- */

/* Reads the head of a .npy file, and stores the size of the head in bytes and the number of
 * entries. */
static enum status read_head(int fd, const char *path, enum value_type type, int64_t *count,
                             size_t *head_bytes, struct error *err) {
    char head[NPY_LONGEST_HEAD], packed[NPY_LONGEST_HEAD], description[8] = "";
    unsigned char start[NPY_MAGIC_BYTES];
    size_t used = 0;
    int end = -1;
    long long found = 0;
    if (!result_read_at(fd, start, sizeof start, 0) || start[6] != 1 || start[7] != 0)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a NumPy file of format 1.0", path);
    const size_t length = (size_t)start[8] | (size_t)start[9] << 8;
    if (length >= sizeof head || !result_read_at(fd, head, length, sizeof start))
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a header of less than %zu bytes, found one of %zu or the end of "
                    "the file",
                    path, sizeof head, length);
    for (size_t k = 0; k < length; k++) {
        if (strchr(" \n", head[k]) == NULL)
            packed[used++] = head[k];
    }
    packed[used] = '\0';
    /* At most twelve digits, because %lld is undefined if a number overflows. */
    if (sscanf(packed, "{'descr':'%7[^']','fortran_order':False,'shape':(%12lld,),}%n", description,
               &found, &end) != 2 ||
        end < 0 || packed[end] != '\0' || strcmp(description, value_types[type].description) != 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected one dimension of '%s' (%s), found the header %.200s", path,
                    value_types[type].description, value_types[type].name, packed);
    *count = found;
    *head_bytes = sizeof start + length;
    return STATUS_OK;
}

static enum status check_count(const char *path, int64_t count, int64_t most, struct error *err) {
    if (count >= 1 && count <= most)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected 1 .. %lld numbers, found %lld", path,
                (long long)most, (long long)count);
}

static enum status read_npy(struct values *values, int fd, const char *path, enum value_type type,
                            int64_t most, struct error *err) {
    struct stat file;
    int64_t count;
    size_t head_bytes;
    RETURN_ON_FAILURE(read_head(fd, path, type, &count, &head_bytes, err));
    RETURN_ON_FAILURE(check_count(path, count, most, err));
    const size_t bytes = (size_t)count * value_types[type].size;
    if (fstat(fd, &file) != 0 || (uint64_t)file.st_size != head_bytes + bytes)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %zu bytes for %lld numbers, found %lld",
                    path, head_bytes + bytes, (long long)count, (long long)file.st_size);
    RETURN_ON_FAILURE(values_alloc(values, type, count, path, err));
    if (!result_read_at(fd, values->entries, bytes, head_bytes))
        return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    return STATUS_OK;
}

/* Reading text ---------------------------------------------------------------- */

/* Takes a float and the blanks before it off the front of the line. */
static bool take_float(struct text_line *rest, float *value) {
    char number[LONGEST_NUMBER + 1], *end;
    text_skip_blanks(rest);
    size_t length = 0;
    while (rest->begin + length < rest->end && !text_is_blank(rest->begin[length]))
        length++;
    if (length == 0 || length > LONGEST_NUMBER)
        return false;
    memcpy(number, rest->begin, length);
    number[length] = '\0';
    errno = 0;
    *value = strtof(number, &end);
    const bool overflows = errno == ERANGE && (*value > 1 || *value < -1);
    if (*end != '\0' || overflows || strpbrk(number, "xX(") != NULL)
        return false;
    rest->begin += length;
    return true;
}

/* Takes the next number off the line and stores it as entry k. */
static enum status take_number(const struct text_source *source, struct text_line *rest,
                               struct values *values, int64_t k, struct error *err) {
    char excerpt[64];
    const struct text_line before = *rest;
    int64_t integer;
    if (values->type == VALUE_FLOAT32) {
        if (take_float(rest, (float *)values->entries + k))
            return STATUS_OK;
    } else if (text_take_integer(rest, &integer) && integer >= INT32_MIN && integer <= INT32_MAX) {
        ((int32_t *)values->entries)[k] = (int32_t)integer;
        return STATUS_OK;
    }
    return text_source_fail(source, err, "expected %s, found %s",
                            values->type == VALUE_FLOAT32 ? "a number of float32"
                                                          : "an integer in -2^31 .. 2^31 - 1",
                            text_excerpt(before, excerpt, sizeof excerpt));
}

/* Makes room for entry k of `count`. Memory grows with the entries that are read, not with the
 * number that the file announces. */
static enum status make_room(struct values *values, int64_t k, int64_t count, int64_t *capacity,
                             const char *path, struct error *err) {
    const int64_t at_first = 1 << 16;
    if (k < *capacity)
        return STATUS_OK;
    const int64_t wanted = *capacity == 0 ? at_first : 2 * *capacity;
    const int64_t larger = wanted < count ? wanted : count;
    RETURN_ON_FAILURE(
        memory_resize(&values->entries, (size_t)larger, value_types[values->type].size, path, err));
    *capacity = larger;
    return STATUS_OK;
}

static enum status next_line(struct text_source *source, struct text_line *rest, bool *found,
                             struct error *err) {
    return text_source_next_filled(source, LONGEST_LINE, rest, found, err);
}

static enum status read_numbers(struct values *values, struct text_source *source,
                                enum value_type type, int64_t most, struct error *err) {
    struct text_line rest = {NULL, NULL};
    bool found;
    int64_t count = 0, capacity = 0;
    char excerpt[64];
    values->type = type;
    RETURN_ON_FAILURE(next_line(source, &rest, &found, err));
    if (!found)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a count, then the numbers, found nothing",
                    source->name);
    if (!text_take_integer(&rest, &count))
        return text_source_fail(source, err, "expected a count, then the numbers, found %s",
                                text_excerpt(rest, excerpt, sizeof excerpt));
    RETURN_ON_FAILURE(check_count(source->name, count, most, err));
    for (int64_t k = 0; k < count; k++) {
        for (text_skip_blanks(&rest); rest.begin == rest.end; text_skip_blanks(&rest)) {
            RETURN_ON_FAILURE(next_line(source, &rest, &found, err));
            if (!found)
                return text_source_fail(source, err, "expected %lld numbers, found %lld",
                                        (long long)count, (long long)k);
        }
        RETURN_ON_FAILURE(make_room(values, k, count, &capacity, source->name, err));
        RETURN_ON_FAILURE(take_number(source, &rest, values, k, err));
    }
    values->count = count;
    text_skip_blanks(&rest);
    found = rest.begin < rest.end;
    if (!found)
        RETURN_ON_FAILURE(next_line(source, &rest, &found, err));
    if (found)
        return text_source_fail(source, err, "expected the end after %lld numbers, found %s",
                                (long long)count, text_excerpt(rest, excerpt, sizeof excerpt));
    return STATUS_OK;
}

static enum status read_text(struct values *values, const char *path, enum value_type type,
                             int64_t most, struct error *err) {
    struct text_source source;
    enum status status = text_source_open(&source, path, err);
    if (status == STATUS_OK)
        status = read_numbers(values, &source, type, most, err);
    text_source_close(&source);
    return status;
}

enum status values_read(struct values *values, const char *path, enum value_type type, int64_t most,
                        struct error *err) {
    char start[MAGIC];
    *values = (struct values){0};
    const int fd = strcmp(path, "-") == 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool npy =
        fd >= 0 && result_read_at(fd, start, MAGIC, 0) && memcmp(start, magic, MAGIC) == 0;
    const enum status status = npy ? read_npy(values, fd, path, type, most, err)
                                   : read_text(values, path, type, most, err);
    if (fd >= 0)
        close(fd);
    return status;
}

/* Random values --------------------------------------------------------------- */

enum status values_draw(struct values *values, enum value_type type,
                        const struct random_values *how, struct error *err) {
    const uint64_t key = splitmix64_mix(how->seed + SPLITMIX64_STEP);
    const double range = how->highest - how->lowest;
    RETURN_ON_FAILURE(values_alloc(values, type, how->count, "random numbers", err));
    const int64_t count = how->count, lowest = (int64_t)how->lowest;
    int32_t *const integers = values->entries;
    float *const floats = values->entries;
#pragma omp parallel for
    for (int64_t k = 0; k < count; k++) {
        const uint64_t word = splitmix64_mix(key + (uint64_t)k * SPLITMIX64_STEP) >> 32;
        if (type == VALUE_FLOAT32)
            floats[k] = (float)(how->lowest + range * ((double)word * 0x1p-32));
        else
            integers[k] = (int32_t)(lowest + (int64_t)((word * ((uint64_t)range + 1)) >> 32));
    }
    return STATUS_OK;
}

/* Writing --------------------------------------------------------------------- */

/* Writes one number and a line feed at `to`; returns the length. */
static int put_number(const struct values *values, int64_t k, char *to, size_t size) {
    switch (values->type) {
    case VALUE_INT32:
        return snprintf(to, size, "%" PRId32 "\n", ((const int32_t *)values->entries)[k]);
    case VALUE_INT64:
        return snprintf(to, size, "%" PRId64 "\n", ((const int64_t *)values->entries)[k]);
    case VALUE_FLOAT32:
        return snprintf(to, size, "%.9g\n", (double)((const float *)values->entries)[k]);
    }
    return 0;
}

static enum status write_text(const struct values *values, struct output *out, struct error *err) {
    enum { LONGEST = 32 };
    char buffer[BLOCK_CONTEST_TEXT_MAX];
    size_t used = (size_t)snprintf(buffer, sizeof buffer, "%lld\n", (long long)values->count);
    for (int64_t k = 0; k < values->count; k++) {
        if (used + LONGEST > block_sizes.contest_text_bytes) {
            RETURN_ON_FAILURE(output_write(out, buffer, used, err));
            used = 0;
        }
        used += (size_t)put_number(values, k, buffer + used, LONGEST);
    }
    return output_write(out, buffer, used, err);
}

static enum status write_npy(const struct values *values, struct output *out, struct error *err) {
    char head[NPY_LONGEST_HEAD], shape[32];
    const struct value_type_facts *const type = &value_types[values->type];
    snprintf(shape, sizeof shape, "%lld,", (long long)values->count);
    const size_t head_bytes = npy_head_of(type->description, shape, head);
    RETURN_ON_FAILURE(output_write(out, head, head_bytes, err));
    return output_write(out, values->entries, (size_t)values->count * type->size, err);
}

enum status values_write(const struct values *values, const char *path, bool npy,
                         struct error *err) {
    struct output out;
    enum status status = output_open(&out, path, err);
    if (status == STATUS_OK)
        status = npy ? write_npy(values, &out, err) : write_text(values, &out, err);
    if (status == STATUS_OK)
        status = output_commit(&out, err);
    output_discard(&out);
    return status;
}
