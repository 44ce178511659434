#include "common/graph.h"       // INF
#include "common/json_memory.h" // memory that does not fail in the middle
#include "common/memory.h"      // memory_check
#include "common/output.h"      // atomic files
#include "common/result_parts.h"
#include "common/threads.h" // threads_or_default

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIST_SUFFIX ".dist.npy"
#define PRED_SUFFIX ".pred.npy"
#define JSON_SUFFIX ".json"

enum {
    NPY_ALIGNMENT = 64,
    NPY_MAGIC_BYTES = 10, /* magic, version 1.0, header length */
    LONGEST_HEADER = 4096,
    COPY_BYTES = 1 << 20,
    LONG_ROW_BYTES = 1 << 13, /* copied by the system in longer than a call to it takes */
    WORTH_A_THREAD = 1 << 20, /* bytes of a file */
};

/* PREFIX + suffix, to free; NULL and an error where memory is out. */
static char *join(const char *prefix, const char *suffix, struct error *err) {
    char *path;
    if (asprintf(&path, "%s%s", prefix, suffix) < 0) {
        fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", prefix, suffix);
        return NULL;
    }
    return path;
}

/* NumPy format 1.0: magic, version, header length, a Python dict padded with
 * blanks to a multiple of 64 and closed by a line feed. */
static size_t npy_head(int32_t n, char *head) {
    int length = snprintf(head + NPY_MAGIC_BYTES, LONGEST_HEADER - NPY_MAGIC_BYTES,
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (%d, %d), }", n, n);
    size_t used = NPY_MAGIC_BYTES + (size_t)length + 1;
    size_t whole = (used + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    memset(head + used - 1, ' ', whole - used);
    head[whole - 1] = '\n';
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)((whole - NPY_MAGIC_BYTES) & 0xff);
    head[9] = (char)((whole - NPY_MAGIC_BYTES) >> 8);
    return whole;
}

/* A file being written from a matrix. */
struct npy_file {
    struct output out;
    const struct matrix *matrix;
    char *packed; /* room for as many rows as are written at a time; NULL: they are not packed */
    enum status status;
    struct error error;
};

/* Rows that are written at a time: long ones singly, from where they are. */
static int32_t rows_at_once(const struct matrix *m) {
    const size_t row_bytes = (size_t)m->n * sizeof(int32_t);
    return row_bytes < LONG_ROW_BYTES ? (int32_t)(COPY_BYTES / row_bytes) : 1;
}

static enum status npy_open(struct npy_file *file, const char *path, const struct matrix *m,
                            struct error *err) {
    file->matrix = m;
    enum status status = output_open(&file->out, path, err);
    if (status != STATUS_OK || rows_at_once(m) == 1)
        return status;
    void *packed;
    status = memory_alloc(&packed, (size_t)rows_at_once(m), (size_t)m->n * sizeof(int32_t),
                          "a buffer to write", err);
    file->packed = packed;
    return status;
}

uint64_t result_npy_memory(int32_t n, bool with_pred) {
    const size_t row_bytes = (size_t)n * sizeof(int32_t);
    return row_bytes < LONG_ROW_BYTES ? (with_pred ? 2 : 1) * (uint64_t)COPY_BYTES : 0;
}

static void write_npy(struct npy_file *file) {
    char head[LONGEST_HEADER];
    const struct matrix *m = file->matrix;
    const size_t row_bytes = (size_t)m->n * sizeof(int32_t);
    const int32_t rows = rows_at_once(m);
    enum status status = output_write(&file->out, head, npy_head(m->n, head), &file->error);
    for (int32_t first = 0; first < m->n && status == STATUS_OK; first += rows) {
        const int32_t count = rows < m->n - first ? rows : m->n - first;
        for (int32_t i = 0; i < count && file->packed != NULL; i++)
            memcpy(file->packed + (size_t)i * row_bytes, matrix_row(m, first + i), row_bytes);
        const void *data = file->packed != NULL ? (void *)file->packed : matrix_row(m, first);
        status = output_write(&file->out, data, (size_t)count * row_bytes, &file->error);
    }
    file->status = status;
}

/* At the same time, where they are large: nearly all of it is the system's time, for one file on
 * one core. By threads of OpenMP, of which those that have just solved may still be spinning on all
 * cores; the ones that are not in the team stop. Of several failures the first file's is told. */
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

static enum status write_json(struct output *out, const struct result *result, struct error *err) {
    const struct provenance *made = &result->made;
    char checksum[9];
    snprintf(checksum, sizeof checksum, "%08x", made->checksum);
    json_memory_start();
    json_t *json =
        json_pack("{s:i, s:I, s:b, s:s, s:s, s:f, s:f, s:s}", "vertices", result->dist.n, "edges",
                  (json_int_t)result->edges_read, "predecessors", result->pred.cell != NULL,
                  "program", made->program, "variant", made->variant, "solve_s", made->solve_s,
                  "total_s", made->total_s, "graph_checksum", checksum);
    /* A file name need not be UTF-8, which JSON demands. */
    json_t *graph = json_string(made->graph);
    json_object_set_new(json, "graph", graph != NULL ? graph : json_null());
    char *text = json_dumps(json, JSON_INDENT(2));
    enum status status =
        text != NULL ? output_write(out, text, strlen(text), err)
                     : fail(err, STATUS_NO_RESOURCE, "out of memory: cannot write %s", out->name);
    if (status == STATUS_OK)
        status = output_write(out, "\n", 1, err);
    json_memory_free(text);
    json_decref(json);
    json_memory_end();
    return status;
}

enum status result_write_npy(const char *prefix, const struct result *result, int threads,
                             struct error *err) {
    enum { DIST, PRED, FILES };
    struct npy_file files[FILES] = {[DIST].out.fd = -1, [PRED].out.fd = -1};
    struct output *dist = &files[DIST].out, *pred = &files[PRED].out, json = {.fd = -1};
    const bool with_pred = result->pred.cell != NULL;
    char *dist_path = join(prefix, DIST_SUFFIX, err);
    char *pred_path = join(prefix, PRED_SUFFIX, err);
    char *json_path = join(prefix, JSON_SUFFIX, err);
    enum status status = STATUS_NO_RESOURCE;
    if (dist_path == NULL || pred_path == NULL || json_path == NULL)
        goto cleanup;
    status = npy_open(&files[DIST], dist_path, &result->dist, err);
    if (status == STATUS_OK && with_pred)
        status = npy_open(&files[PRED], pred_path, &result->pred, err);
    if (status == STATUS_OK)
        status = write_all(files, with_pred ? 2 : 1, threads, err);
    if (status == STATUS_OK)
        status = output_open(&json, json_path, err);
    if (status == STATUS_OK)
        status = write_json(&json, result, err);

    /* While the matrices change, no .json may vouch for them. */
    if (status == STATUS_OK && json.target != NULL && unlink(json.target) != 0 && errno != ENOENT)
        status = fail(err, STATUS_NO_RESOURCE, "cannot replace %s: %s", json_path, strerror(errno));
    if (status == STATUS_OK)
        status = output_commit(dist, err);
    if (status == STATUS_OK && with_pred)
        status = output_commit(pred, err);
    if (status == STATUS_OK && !with_pred && unlink(pred_path) != 0 && errno != ENOENT)
        status = fail(err, STATUS_NO_RESOURCE, "cannot remove %s: %s", pred_path, strerror(errno));
    if (status == STATUS_OK)
        status = output_commit(&json, err);
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

/* Whether the header, with its blanks taken out, describes a square int32
 * matrix in C order; *n is its side. */
static bool understand_head(const char *head, size_t length, int64_t *n) {
    char packed[LONGEST_HEADER];
    size_t used = 0;
    int end = -1;
    long long rows = 0, columns = 0;
    for (size_t k = 0; k < length; k++) {
        if (!isspace((unsigned char)head[k]))
            packed[used++] = head[k];
    }
    packed[used] = '\0';
    /* %lld of a number that overflows is undefined: at most ten digits. */
    if (sscanf(packed, "{'descr':'<i4','fortran_order':False,'shape':(%10lld,%10lld),}%n", &rows,
               &columns, &end) != 2 ||
        end < 0 || packed[end] != '\0')
        return false;
    *n = rows;
    return rows == columns && rows >= 1 && rows <= INT32_MAX;
}

/* Up to `size` bytes, fewer only at the end of the file; -1 with errno set. */
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

static enum status read_npy_open(int fd, const char *path, struct matrix *m, struct error *err) {
    unsigned char magic[NPY_MAGIC_BYTES];
    char head[LONGEST_HEADER];
    struct stat file;
    int64_t n;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
        return malformed(path, "a regular file", err);
    if (!read_fully(fd, magic, sizeof magic) || memcmp(magic, "\x93NUMPY\x01\x00", 8) != 0)
        return malformed(path, "a NumPy file of format 1.0", err);
    size_t length = (size_t)magic[8] | (size_t)magic[9] << 8;
    if (length >= sizeof head || !read_fully(fd, head, length) ||
        !understand_head(head, length, &n))
        return malformed(path, "a square matrix of '<i4' in C order", err);
    size_t row_bytes = (size_t)n * sizeof(int32_t);
    /* Fits for every n below 2^31. */
    uint64_t expected = NPY_MAGIC_BYTES + length + (uint64_t)n * row_bytes;
    uint64_t found = (uint64_t)file.st_size;
    if (found != expected)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: %s: expected %llu bytes for %lld vertices, found %llu", path,
                    found < expected ? "truncated" : "too long", (unsigned long long)expected,
                    (long long)n, (unsigned long long)found);
    const struct memory_part part = {"for this matrix", memory_matrices(n, 1), 0};
    enum status status = memory_check(path, n, &part, 1, err);
    if (status == STATUS_OK)
        status = matrix_alloc(m, (int32_t)n, path, err);
    for (int32_t i = 0; i < n && status == STATUS_OK; i++) {
        if (!read_fully(fd, matrix_row(m, i), row_bytes))
            status = malformed(path, "more bytes", err);
    }
    return status;
}

static enum status read_npy(const char *path, struct matrix *m, struct error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    enum status status = read_npy_open(fd, path, m, err);
    close(fd);
    return status;
}

/* The whole file, of at most JSON_LONGEST bytes, into text, which has room for one more. */
static enum status read_json_text(const char *path, char *text, size_t *size, struct error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : read_up_to(fd, text, JSON_LONGEST + 1);
    const int reason = errno;
    if (fd >= 0)
        close(fd);
    if (got < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot read %s, which marks the result complete: %s",
                    path, strerror(reason));
    if (got > JSON_LONGEST)
        return fail(err, STATUS_BAD_INPUT, "%s: expected at most %d bytes", path, JSON_LONGEST);
    *size = (size_t)got;
    return STATUS_OK;
}

static enum status understand_json(const char *path, const char *text, size_t size,
                                   struct result *result, bool *with_pred, struct error *err) {
    json_error_t reason;
    enum status status = STATUS_OK;
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &reason);
    if (json == NULL)
        return fail(err, STATUS_BAD_INPUT, "%s:%d: expected JSON: %s", path, reason.line,
                    reason.text);
    const json_t *predecessors = json_object_get(json, "predecessors");
    if (!json_is_boolean(predecessors))
        status = malformed(path, "\"predecessors\": true or false", err);
    *with_pred = json_is_true(predecessors);
    const char *checksum = json_string_value(json_object_get(json, "graph_checksum"));
    if (checksum != NULL)
        result_parse_checksum(checksum, &result->made);
    json_decref(json);
    return status;
}

static enum status read_json(const char *path, struct result *result, bool *with_pred,
                             struct error *err) {
    char text[JSON_LONGEST + 1];
    size_t size = 0;
    enum status status = read_json_text(path, text, &size, err);
    if (status != STATUS_OK)
        return status;
    json_memory_start();
    status = understand_json(path, text, size, result, with_pred, err);
    json_memory_end();
    return status;
}

enum status result_read_npy(const char *prefix, struct result *result, struct error *err) {
    bool with_pred = false;
    char *dist_path = join(prefix, DIST_SUFFIX, err);
    char *pred_path = join(prefix, PRED_SUFFIX, err);
    char *json_path = join(prefix, JSON_SUFFIX, err);
    enum status status = STATUS_NO_RESOURCE;
    if (dist_path == NULL || pred_path == NULL || json_path == NULL)
        goto cleanup;
    result->edges_read = -1;
    status = read_npy(dist_path, &result->dist, err);
    if (status == STATUS_OK)
        status = read_json(json_path, result, &with_pred, err);
    if (status == STATUS_OK && with_pred)
        status = read_npy(pred_path, &result->pred, err);
    if (status == STATUS_OK && with_pred && result->pred.n != result->dist.n)
        status = fail(err, STATUS_BAD_INPUT, "%s: expected %d vertices as in %s, found %d",
                      pred_path, result->dist.n, dist_path, result->pred.n);
cleanup:
    free(dist_path);
    free(pred_path);
    free(json_path);
    return status;
}
