// SPDX-License-Identifier: MIT
#include "common/base/crc32.h"     // crc32_add
#include "common/base/json_text.h" // struct json_writer, json_text_read
#include "common/base/memory.h"    // memory_check
#include "common/base/output.h"    // output_open, output_commit_all
#include "common/base/threads.h"   // threads_or_default
#include "common/graph/graph.h"    // INF
#include "common/rows/result_parts.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Members of the .json: CRC-32 of the whole files. */
#define DIST_CRC "dist_checksum"
#define PRED_CRC "pred_checksum"

enum {
    NPY_ALIGNMENT = 64,
    NPY_MAGIC_BYTES = 10, /* magic, version 1.0, header length */
    COPY_BYTES = 1 << 20,
    LONG_ROW_BYTES = 1 << 13, /* the system takes longer to copy it than to start the call */
    WORTH_A_THREAD = 1 << 20, /* bytes of a file */
};

const char *const npy_suffixes[NPY_FILES] = {
    [NPY_DIST] = RESULT_DIST_SUFFIX,
    [NPY_PRED] = RESULT_PRED_SUFFIX,
    [NPY_JSON] = RESULT_JSON_SUFFIX,
    [NPY_SOURCES] = RESULT_SOURCES_SUFFIX,
};

char *result_path(const char *prefix, const char *suffix, struct error *err) {
    char *path;
    if (asprintf(&path, "%s%s", prefix, suffix) < 0) {
        fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", prefix, suffix);
        return NULL;
    }
    return path;
}

/* NumPy format 1.0: magic, version, header length, a Python dict padded with
 * blanks to a multiple of 64 and closed by a line feed. */
static size_t npy_head_of(const char *shape, char *head) {
    int length = snprintf(head + NPY_MAGIC_BYTES, NPY_LONGEST_HEAD - NPY_MAGIC_BYTES,
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (%s), }", shape);
    size_t used = NPY_MAGIC_BYTES + (size_t)length + 1;
    size_t whole = (used + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    memset(head + used - 1, ' ', whole - used);
    head[whole - 1] = '\n';
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)((whole - NPY_MAGIC_BYTES) & 0xff);
    head[9] = (char)((whole - NPY_MAGIC_BYTES) >> 8);
    return whole;
}

size_t npy_head(int32_t rows, int32_t n, char *head) {
    char shape[32];
    snprintf(shape, sizeof shape, "%d, %d", rows, n);
    return npy_head_of(shape, head);
}

size_t npy_head_of_vector(int32_t count, char *head) {
    char shape[32];
    snprintf(shape, sizeof shape, "%d,", count);
    return npy_head_of(shape, head);
}

/* A file that a matrix is written to. */
struct npy_file {
    struct output out;
    const struct matrix *matrix;
    char *packed; /* room for the rows of one write; NULL: rows are not packed */
    uint32_t crc; /* of the bytes written */
    enum status status;
    struct error error;
};

/* The number of rows for one write. Long rows are written one by one, without a copy. */
static int32_t rows_at_once(const struct matrix *m) {
    const size_t row_bytes = (size_t)m->n * sizeof(int32_t);
    return row_bytes < LONG_ROW_BYTES ? (int32_t)(COPY_BYTES / row_bytes) : 1;
}

static enum status npy_open(struct npy_file *file, const char *path, const struct matrix *m,
                            struct error *err) {
    file->matrix = m;
    RETURN_ON_FAILURE(output_open(&file->out, path, err));
    if (rows_at_once(m) == 1)
        return STATUS_OK;
    void *packed;
    RETURN_ON_FAILURE(memory_alloc(&packed, (size_t)rows_at_once(m), (size_t)m->n * sizeof(int32_t),
                                   "a buffer to write", err));
    file->packed = packed;
    return STATUS_OK;
}

uint64_t result_npy_memory(int32_t n, bool with_pred) {
    const size_t row_bytes = (size_t)n * sizeof(int32_t);
    return row_bytes < LONG_ROW_BYTES ? (with_pred ? 2 : 1) * (uint64_t)COPY_BYTES : 0;
}

static void write_npy(struct npy_file *file) {
    char head[NPY_LONGEST_HEAD];
    const struct matrix *m = file->matrix;
    const size_t row_bytes = (size_t)m->n * sizeof(int32_t);
    const int32_t rows = rows_at_once(m);
    const size_t head_bytes = npy_head(m->rows, m->n, head);
    enum status status = output_write(&file->out, head, head_bytes, &file->error);
    file->crc = crc32_add(0, head, head_bytes);
    for (int32_t first = 0; first < m->n && status == STATUS_OK; first += rows) {
        const int32_t count = rows < m->n - first ? rows : m->n - first;
        for (int32_t i = 0; i < count && file->packed != NULL; i++)
            memcpy(file->packed + (size_t)i * row_bytes, matrix_row(m, first + i), row_bytes);
        const void *data = file->packed != NULL ? (void *)file->packed : matrix_row(m, first);
        file->crc = crc32_add(file->crc, data, (size_t)count * row_bytes);
        status = output_write(&file->out, data, (size_t)count * row_bytes, &file->error);
    }
    file->status = status;
}

/* Writes large files in parallel, because nearly all of the time is the system's, which uses one
 * core for a file. It uses OpenMP because the threads that have just solved may still be spinning
 * on all cores, and those outside a team stop. If several files fail, it reports the first one. */
static enum status write_all(struct npy_file *files, int count, int threads, struct error *err) {
    const size_t n = (size_t)files[0].matrix->n;
    const bool at_once = n * n * sizeof(int32_t) >= WORTH_A_THREAD;
    const int most = at_once ? threads_or_default(threads) : 1;
#pragma omp parallel for num_threads(most < count ? most : count) schedule(static, 1)
    for (int f = 0; f < count; f++)
        write_npy(&files[f]);
    for (int f = 0; f < count; f++) {
        if (files[f].status == STATUS_OK)
            continue;
        *err = files[f].error;
        return files[f].status;
    }
    return STATUS_OK;
}

enum { DIST, PRED, FILES }; /* of matrices */

static enum status write_json(struct output *out, const struct result *result,
                              const struct npy_file *files, struct error *err) {
    const struct provenance *made = &result->made;
    char checksum[9], crc[FILES][9];
    snprintf(checksum, sizeof checksum, "%08x", made->checksum);
    for (int f = 0; f < FILES; f++)
        snprintf(crc[f], sizeof crc[f], "%08x", files[f].crc);
    struct json_writer json;
    json_write_open(&json, NULL);
    json_write_integer(&json, "vertices", result->dist.n);
    json_write_integer(&json, "edges", result->edges_read);
    json_write_bool(&json, "predecessors", result->pred.cell != NULL);
    json_write_text(&json, "program", made->program);
    json_write_text(&json, "variant", made->variant);
    json_write_real(&json, "solve_s", made->solve_s, 17);
    json_write_real(&json, "total_s", made->total_s, 17);
    if (made->has_checksum)
        json_write_text(&json, "graph_checksum", checksum);
    json_write_text(&json, DIST_CRC, crc[DIST]);
    if (result->pred.cell != NULL)
        json_write_text(&json, PRED_CRC, crc[PRED]);
    /* JSON demands UTF-8, but a file name may be anything. */
    json_write_text(&json, "graph", made->graph);
    json_write_integer(&json, "vertices_from", made->vertices_from);
    json_write_close(&json);
    return output_write(out, json.text, json.length, err);
}

enum status result_write_npy(const char *prefix, const struct result *result, int threads,
                             struct error *err) {
    struct npy_file files[FILES] = {[DIST].out.fd = -1, [PRED].out.fd = -1};
    struct output *dist = &files[DIST].out, *pred = &files[PRED].out, json = {.fd = -1};
    const bool with_pred = result->pred.cell != NULL;
    char *dist_path = result_path(prefix, RESULT_DIST_SUFFIX, err);
    char *pred_path = result_path(prefix, RESULT_PRED_SUFFIX, err);
    char *json_path = result_path(prefix, RESULT_JSON_SUFFIX, err);
    enum status status = STATUS_NO_RESOURCE;
    if (dist_path == NULL || pred_path == NULL || json_path == NULL)
        goto cleanup;
    TRY(npy_open(&files[DIST], dist_path, &result->dist, err));
    TRY(with_pred ? npy_open(&files[PRED], pred_path, &result->pred, err)
                  : output_open_removal(pred, pred_path, err));
    TRY(write_all(files, with_pred ? 2 : 1, threads, err));
    TRY(output_open(&json, json_path, err));
    TRY(write_json(&json, result, files, err));
    TRY(output_commit_all((struct output *[]){&json, dist, pred}, 3, err));
cleanup:
    output_discard(&json);
    for (int f = 0; f < FILES; f++) {
        output_discard(&files[f].out);
        memory_free(files[f].packed);
    }
    free(dist_path);
    free(pred_path);
    free(json_path);
    return status;
}

static enum status malformed(const char *path, const char *expected, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "%s: expected %s", path, expected);
}

/* The types of entries: ours, and those that NumPy and SciPy use for distances and predecessors. */
enum npy_type { NPY_INT32, NPY_INT64, NPY_FLOAT64, NPY_TYPES };
static const char *const npy_descriptions[NPY_TYPES] = {"<i4", "<i8", "<f8"};
static const size_t npy_sizes[NPY_TYPES] = {sizeof(int32_t), sizeof(int64_t), sizeof(double)};

/* Whether the header, without its blanks, describes a square matrix of one of the types in C order;
 * *n is its side. */
static bool understand_head(const char *head, size_t length, int64_t *n, enum npy_type *type) {
    char packed[NPY_LONGEST_HEAD], description[4] = "";
    size_t used = 0;
    int end = -1;
    long long rows = 0, columns = 0;
    for (size_t k = 0; k < length; k++) {
        if (!isspace((unsigned char)head[k]))
            packed[used++] = head[k];
    }
    packed[used] = '\0';
    /* At most ten digits, because %lld is undefined if a number overflows. */
    if (sscanf(packed, "{'descr':'%3[^']','fortran_order':False,'shape':(%10lld,%10lld),}%n",
               description, &rows, &columns, &end) != 3 ||
        end < 0 || packed[end] != '\0')
        return false;
    *type = NPY_INT32;
    while (*type < NPY_TYPES && strcmp(npy_descriptions[*type], description) != 0)
        ++*type;
    if (*type == NPY_TYPES)
        return false;
    *n = rows;
    return rows == columns && rows >= 1 && rows <= INT32_MAX;
}

/* Reads `size` bytes, fewer only at the end of the file; returns -1 with errno set on failure. */
static ssize_t read_up_to(int fd, void *to, size_t size) {
    size_t done = 0;
    while (done < size) {
        const size_t most = size - done < SSIZE_MAX ? size - done : SSIZE_MAX;
        ssize_t got = read(fd, (char *)to + done, most);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static bool read_fully(int fd, void *to, size_t size) {
    return read_up_to(fd, to, size) == (ssize_t)size;
}

/* Converts an entry of 8 bytes; an infinite distance means no path. False if an int32 cannot hold
 * it. */
static bool convert(enum npy_type type, const void *from, bool distances, int32_t *to) {
    double real;
    int64_t integer;
    if (type == NPY_FLOAT64) {
        memcpy(&real, from, sizeof real);
        if (distances && isinf(real) && real > 0) {
            *to = INF;
            return true;
        }
        if (!(real >= INT32_MIN && real <= INT32_MAX) || real != trunc(real))
            return false;
        integer = (int64_t)real;
    } else {
        memcpy(&integer, from, sizeof integer);
    }
    *to = (int32_t)integer;
    return integer >= INT32_MIN && integer <= INT32_MAX;
}

/* Reads row i. A type other than int32 goes through `wide`, which has room for a row. Adds the
 * bytes of the file to *crc. */
static enum status read_row(int fd, const char *path, enum npy_type type, bool distances, int32_t i,
                            struct matrix *m, void *wide, uint32_t *crc, struct error *err) {
    enum { SCIPY_NONE = -9999 }; /* no predecessor */
    int32_t *row = matrix_row(m, i);
    const size_t size = npy_sizes[type];
    if (!read_fully(fd, wide != NULL ? wide : row, (size_t)m->n * size))
        return malformed(path, "more bytes", err);
    *crc = crc32_add(*crc, wide != NULL ? wide : row, (size_t)m->n * size);
    for (int32_t j = 0; j < m->n && wide != NULL; j++) {
        if (!convert(type, (const char *)wide + (size_t)j * size, distances, &row[j]))
            return fail(err, STATUS_BAD_INPUT,
                        "%s: row %d, column %d, from 0: expected an integer of 32 bits%s", path, i,
                        j, distances ? ", or infinity" : "");
    }
    for (int32_t j = 0; j < m->n && !distances; j++)
        row[j] = row[j] == SCIPY_NONE ? -1 : row[j];
    return STATUS_OK;
}

/* Reports the text that is there instead of a header. */
static enum status unknown_head(const char *path, const char *head, size_t length,
                                struct error *err) {
    enum { SHOWN = 120 };
    char text[SHOWN + 1];
    while (length > 0 && isspace((unsigned char)head[length - 1]))
        length--;
    const size_t shown = length < SHOWN ? length : SHOWN;
    for (size_t k = 0; k < shown; k++)
        text[k] = head[k] != '\0' ? head[k] : '?';
    text[shown] = '\0';
    return fail(
        err, STATUS_BAD_INPUT,
        "%s: expected a square matrix of '<i4', '<i8' or '<f8' in C order, found the header %s%s",
        path, text, shown < length ? "..." : "");
}

/* Reads a matrix from an open file. *crc is that of the whole file. */
static enum status read_npy_open(int fd, const char *path, bool distances, struct matrix *m,
                                 uint32_t *crc, struct error *err) {
    unsigned char magic[NPY_MAGIC_BYTES];
    char head[NPY_LONGEST_HEAD];
    struct stat file;
    int64_t n;
    enum npy_type type;
    void *wide = NULL;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
        return malformed(path, "a regular file", err);
    if (!read_fully(fd, magic, sizeof magic) || memcmp(magic, "\x93NUMPY", 6) != 0)
        return malformed(path, "a NumPy file, found none", err);
    if (magic[6] != 1 || magic[7] != 0)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a NumPy file of format 1.0, found %d.%d",
                    path, magic[6], magic[7]);
    size_t length = (size_t)magic[8] | (size_t)magic[9] << 8;
    if (length >= sizeof head)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a header of less than %zu bytes, found one of %zu", path,
                    sizeof head, length);
    if (!read_fully(fd, head, length))
        return fail(err, STATUS_BAD_INPUT,
                    "%s: truncated: expected a header of %zu bytes, found the end of the file",
                    path, length);
    if (!understand_head(head, length, &n, &type))
        return unknown_head(path, head, length, err);
    size_t row_bytes = (size_t)n * npy_sizes[type];
    /* The sum may overflow for n below 2^31 and entries of 8 bytes. */
    uint64_t expected = memory_add(NPY_MAGIC_BYTES + length, memory_times((uint64_t)n, row_bytes));
    uint64_t found = (uint64_t)file.st_size;
    if (found != expected)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: %s: expected %llu bytes for %lld vertices, found %llu", path,
                    found < expected ? "truncated" : "too long", (unsigned long long)expected,
                    (long long)n, (unsigned long long)found);
    const struct memory_part part = {"for this matrix", matrix_memory(n, 1), 0};
    enum status status;
    TRY(memory_check(path, n, &part, 1, err));
    TRY(matrix_alloc(m, (int32_t)n, path, err));
    if (type != NPY_INT32)
        TRY(memory_alloc(&wide, row_bytes, 1, path, err));
    *crc = crc32_add(crc32_add(0, magic, sizeof magic), head, length);
    for (int32_t i = 0; i < n; i++)
        TRY(read_row(fd, path, type, distances, i, m, wide, crc, err));
cleanup:
    memory_free(wide);
    return status;
}

/* Reads the whole file, at most JSON_LONGEST bytes, into text, which has room for one more. */
static enum status read_json_text(int fd, const char *path, char *text, size_t *size,
                                  struct error *err) {
    struct stat file;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
        return malformed(path, "a regular file", err);
    const ssize_t got = read_up_to(fd, text, JSON_LONGEST + 1);
    if (got < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot read %s, which marks the result complete: %s",
                    path, strerror(errno));
    if (got > JSON_LONGEST)
        return fail(err, STATUS_BAD_INPUT, "%s: expected at most %d bytes", path, JSON_LONGEST);
    *size = (size_t)got;
    return STATUS_OK;
}

/* The description of the matrices in a .json. */
struct sidecar {
    const char *path;
    bool with_pred;
    int64_t vertices; /* -1: nothing */
    bool has_crc;
    uint32_t crc[FILES];
};

/* Takes an integer in lowest .. highest, or -1 if the member is absent. */
static enum status take_count(const struct json_value *json, const char *name, const char *path,
                              int64_t lowest, int64_t highest, int64_t *count, struct error *err) {
    const struct json_value *member = json_text_member(json, name);
    *count = member != NULL ? member->integer : -1;
    if (member == NULL ||
        (member->kind == JSON_IS_INTEGER && *count >= lowest && *count <= highest))
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": an integer in %lld .. %lld", path,
                name, (long long)lowest, (long long)highest);
}

static bool is_checksum(const struct json_value *member, uint32_t *crc) {
    return member != NULL && member->kind == JSON_IS_TEXT &&
           result_parse_checksum(member->text, crc);
}

/* Takes the checksum of a file; it must be there if, and only if, the file is wanted. */
static enum status take_crc(const struct json_value *json, const char *name, bool wanted,
                            const struct sidecar *said, uint32_t *crc, struct error *err) {
    const struct json_value *member = json_text_member(json, name);
    if (!wanted)
        return member == NULL ? STATUS_OK
                              : fail(err, STATUS_BAD_INPUT,
                                     "%s: expected no \"%s\" in a result without predecessors",
                                     said->path, name);
    return is_checksum(member, crc)
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": eight hexadecimal digits",
                      said->path, name);
}

static void take_graph_checksum(const struct json_value *json, struct provenance *made) {
    const struct json_value *member = json_text_member(json, "graph_checksum");
    if (member == NULL)
        return;
    made->has_checksum = is_checksum(member, &made->checksum);
    if (!made->has_checksum)
        snprintf(made->note, sizeof made->note, "its graph checksum is not %s",
                 "eight hexadecimal digits");
}

static enum status understand_json(const struct json_value *json, struct result *result,
                                   struct sidecar *said, struct error *err) {
    const struct json_value *predecessors = json_text_member(json, "predecessors");
    said->with_pred = predecessors != NULL && predecessors->kind == JSON_IS_TRUE;
    if (predecessors == NULL || (!said->with_pred && predecessors->kind != JSON_IS_FALSE))
        return malformed(said->path, "\"predecessors\": true or false", err);
    RETURN_ON_FAILURE(take_count(json, "vertices", said->path, 1, INT32_MAX, &said->vertices, err));
    RETURN_ON_FAILURE(
        take_count(json, "edges", said->path, -1, INT64_MAX, &result->edges_read, err));
    /* Older results have no checksums of files. */
    said->has_crc =
        json_text_member(json, DIST_CRC) != NULL || json_text_member(json, PRED_CRC) != NULL;
    if (said->has_crc) {
        RETURN_ON_FAILURE(take_crc(json, DIST_CRC, true, said, &said->crc[DIST], err));
        RETURN_ON_FAILURE(take_crc(json, PRED_CRC, said->with_pred, said, &said->crc[PRED], err));
    }
    take_graph_checksum(json, &result->made);
    const struct json_value *from = json_text_member(json, "vertices_from");
    result->made.vertices_from =
        from != NULL && from->kind == JSON_IS_INTEGER && from->integer == 1;
    return STATUS_OK;
}

static enum status read_json(int fd, struct result *result, struct sidecar *said,
                             struct error *err) {
    char text[JSON_LONGEST + 1];
    size_t size = 0;
    enum status status;
    RETURN_ON_FAILURE(read_json_text(fd, said->path, text, &size, err));
    struct json_document json;
    TRY(json_text_read(said->path, text, size, &json, err));
    TRY(understand_json(json.root, result, said, err));
cleanup:
    memory_free(json.memory);
    return status;
}

enum status result_read_npy_alone(const char *path, struct result *result, struct error *err) {
    uint32_t crc;
    result->edges_read = -1;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* does not wait if it is a pipe */
    if (fd < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    enum status status = read_npy_open(fd, path, true, &result->dist, &crc, err);
    close(fd);
    return status;
}

/* Checks that a matrix is the one that the .json describes. */
static enum status compare(const struct sidecar *said, int file, const char *path,
                           const struct matrix *m, uint32_t crc, struct error *err) {
    if (said->vertices >= 0 && said->vertices != m->n)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %lld vertices as in %s, found %d", path,
                    (long long)said->vertices, said->path, m->n);
    if (said->has_crc && said->crc[file] != crc)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected the file that %s describes, CRC-32 %08x, found %08x", path,
                    said->path, said->crc[file], crc);
    return STATUS_OK;
}

/* The files in the order in which they are opened. */
enum { JSON = FILES, ALL_FILES };

static enum status read_opened(char *const paths[], const int fds[], const int reasons[],
                               struct result *result, struct error *err) {
    struct sidecar said = {.path = paths[JSON]};
    uint32_t crc[FILES] = {0};
    if (fds[DIST] < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", paths[DIST],
                    strerror(reasons[DIST]));
    RETURN_ON_FAILURE(read_npy_open(fds[DIST], paths[DIST], true, &result->dist, &crc[DIST], err));
    if (fds[JSON] < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot read %s, which marks the result complete: %s",
                    paths[JSON], strerror(reasons[JSON]));
    RETURN_ON_FAILURE(read_json(fds[JSON], result, &said, err));
    RETURN_ON_FAILURE(compare(&said, DIST, paths[DIST], &result->dist, crc[DIST], err));
    if (!said.with_pred)
        return STATUS_OK;
    if (fds[PRED] < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", paths[PRED],
                    strerror(reasons[PRED]));
    RETURN_ON_FAILURE(read_npy_open(fds[PRED], paths[PRED], false, &result->pred, &crc[PRED], err));
    if (result->pred.n != result->dist.n)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %d vertices as in %s, found %d",
                    paths[PRED], result->dist.n, paths[DIST], result->pred.n);
    return compare(&said, PRED, paths[PRED], &result->pred, crc[PRED], err);
}

enum status result_read_npy(const char *prefix, struct result *result, struct error *err) {
    char *paths[ALL_FILES] = {
        [DIST] = result_path(prefix, RESULT_DIST_SUFFIX, err),
        [PRED] = result_path(prefix, RESULT_PRED_SUFFIX, err),
        [JSON] = result_path(prefix, RESULT_JSON_SUFFIX, err),
    };
    int fds[ALL_FILES] = {-1, -1, -1}, reasons[ALL_FILES];
    enum status status = STATUS_NO_RESOURCE;
    result->edges_read = -1;
    if (paths[DIST] != NULL && paths[PRED] != NULL && paths[JSON] != NULL) {
        output_open_together((const char *const *)paths, ALL_FILES, fds, reasons);
        status = read_opened(paths, fds, reasons, result, err);
    }
    for (int f = 0; f < ALL_FILES; f++) {
        if (fds[f] >= 0)
            close(fds[f]);
        free(paths[f]);
    }
    return status;
}
