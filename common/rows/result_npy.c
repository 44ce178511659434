// SPDX-License-Identifier: MIT
#include "common/base/crc32.h"     // crc32_add
#include "common/base/json_text.h" // struct json_writer, json_text_read
#include "common/base/memory.h"    // memory_check
#include "common/base/output.h"    // output_open, output_commit_all
#include "common/base/threads.h"   // threads_or_default
#include "common/graph/graph.h"    // INF
#include "common/rows/npy_sink.h"  // struct npy_sink
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
#define DIST_CRC       "dist_checksum"
#define PRED_CRC       "pred_checksum"
#define SOURCES_CRC    "sources_checksum"
#define TARGETS_CRC    "targets_checksum"
/* And the entry that stands for no path. */
#define INFINITY_ENTRY "infinity"

enum {
    DIST = NPY_DIST,
    PRED = NPY_PRED,
    JSON = NPY_JSON,
    SOURCES = NPY_SOURCES,
    TARGETS = NPY_TARGETS,
};

enum {
    NPY_ALIGNMENT = 64,
    NPY_MAGIC_BYTES = 10, /* magic, version 1.0, header length */
};

const char *const npy_suffixes[NPY_FILES] = {
    [NPY_DIST] = RESULT_DIST_SUFFIX,       [NPY_PRED] = RESULT_PRED_SUFFIX,
    [NPY_JSON] = RESULT_JSON_SUFFIX,       [NPY_SOURCES] = RESULT_SOURCES_SUFFIX,
    [NPY_TARGETS] = RESULT_TARGETS_SUFFIX,
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
static size_t npy_head_of(enum npy_type type, const char *shape, char *head) {
    int length = snprintf(head + NPY_MAGIC_BYTES, NPY_LONGEST_HEAD - NPY_MAGIC_BYTES,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                          npy_types[type].description, shape);
    size_t used = NPY_MAGIC_BYTES + (size_t)length + 1;
    size_t whole = (used + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    memset(head + used - 1, ' ', whole - used);
    head[whole - 1] = '\n';
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)((whole - NPY_MAGIC_BYTES) & 0xff);
    head[9] = (char)((whole - NPY_MAGIC_BYTES) >> 8);
    return whole;
}

size_t npy_head(enum npy_type type, int32_t rows, int32_t columns, char *head) {
    char shape[32];
    snprintf(shape, sizeof shape, "%d, %d", rows, columns);
    return npy_head_of(type, shape, head);
}

enum status npy_write_list(struct output *out, const char *path, const struct row_sources *list,
                           uint32_t *crc, struct error *err) {
    char shape[16], head[NPY_LONGEST_HEAD];
    if (list->source == NULL)
        return output_open_removal(out, path, err);
    snprintf(shape, sizeof shape, "%d,", list->count);
    const size_t head_bytes = npy_head_of(NPY_INT32, shape, head);
    const size_t bytes = (size_t)list->count * sizeof *list->source;
    RETURN_ON_FAILURE(output_open(out, path, err));
    RETURN_ON_FAILURE(output_write(out, head, head_bytes, err));
    RETURN_ON_FAILURE(output_write(out, list->source, bytes, err));
    *crc = crc32_add(crc32_add(0, head, head_bytes), list->source, bytes);
    return STATUS_OK;
}

enum status sidecar_write(struct output *out, const struct sidecar_content *content,
                          struct error *err) {
    const struct provenance *made = content->made;
    const struct result_layout *layout = content->layout;
    const bool some_rows = layout->sources.source != NULL;
    const bool some_columns = layout->targets.source != NULL;
    char checksum[9], crc[NPY_FILES][9];
    snprintf(checksum, sizeof checksum, "%08x", made->checksum);
    for (int f = 0; f < NPY_FILES; f++)
        snprintf(crc[f], sizeof crc[f], "%08x", content->crc[f]);
    struct json_writer json;
    json_write_open(&json, NULL);
    json_write_integer(&json, "vertices", layout->n);
    json_write_integer(&json, "edges", content->edges);
    json_write_bool(&json, "predecessors", layout->with_pred);
    json_write_integer(&json, INFINITY_ENTRY, npy_types[layout->type].no_path);
    if (some_rows)
        json_write_integer(&json, "sources", layout->sources.count);
    if (some_columns)
        json_write_integer(&json, "targets", layout->targets.count);
    if (made->proved)
        json_write_bool(&json, "proved", true);
    json_write_text(&json, "program", made->program);
    json_write_text(&json, "variant", made->variant);
    json_write_real(&json, "solve_s", made->solve_s, 17);
    json_write_real(&json, "total_s", made->total_s, 17);
    if (made->has_checksum)
        json_write_text(&json, "graph_checksum", checksum);
    json_write_text(&json, DIST_CRC, crc[DIST]);
    if (layout->with_pred)
        json_write_text(&json, PRED_CRC, crc[PRED]);
    if (some_rows)
        json_write_text(&json, SOURCES_CRC, crc[SOURCES]);
    if (some_columns)
        json_write_text(&json, TARGETS_CRC, crc[TARGETS]);
    /* JSON demands UTF-8, but a file name may be anything. */
    json_write_text(&json, "graph", made->graph);
    json_write_integer(&json, "vertices_from", made->vertices_from);
    json_write_close(&json);
    return output_write(out, json.text, json.length, err);
}

enum status result_write_npy(const char *prefix, const struct result *result, int threads,
                             struct error *err) {
    const struct matrix *const dist = &result->dist;
    const bool with_pred = result->pred.cell != NULL;
    const struct result_layout layout = {.n = result_vertices(result),
                                         .vertices_from = result->made.vertices_from,
                                         .sources = result_rows(result),
                                         .targets = result_columns(result),
                                         .with_pred = with_pred,
                                         .type = result->type};
    struct npy_sink sink;
    enum status status = STATUS_OK;
    TRY(npy_sink_open(&sink, prefix, &layout, err));
    TRY(row_sink_take_matrices(&sink.sink, &layout.sources, dist, with_pred ? &result->pred : NULL,
                               threads, err));
    TRY(npy_sink_finish(&sink, result->edges_read, &result->made, err));
cleanup:
    npy_sink_close(&sink);
    return status;
}

static enum status malformed(const char *path, const char *expected, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "%s: expected %s", path, expected);
}

/* What the header of a file says. */
struct npy_shape {
    int64_t rows, columns; /* columns 0: a vector */
    enum npy_type type;
};

/* Whether the header, without its blanks, describes a matrix or vector of one of the types in C
 * order. */
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
    /* At most ten digits, because %lld is undefined if a number overflows. */
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
    *shape = (struct npy_shape){rows, columns, NPY_INT32};
    while (shape->type < NPY_TYPES && strcmp(npy_types[shape->type].description, description) != 0)
        shape->type++;
    return shape->type < NPY_TYPES && rows >= 1 && rows <= INT32_MAX && columns <= INT32_MAX &&
           (!is_matrix || columns >= 1);
}

/* What a file holds: a row for every vertex, rows for some, or numbers of vertices. */
enum npy_form { NPY_SQUARE, NPY_ROWS, NPY_VECTOR };

static bool has_form(const struct npy_shape *shape, enum npy_form form) {
    return form == NPY_VECTOR   ? shape->columns == 0
           : form == NPY_SQUARE ? shape->columns == shape->rows
                                : shape->columns > 0;
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
    const size_t size = npy_types[type].size;
    if (!read_fully(fd, wide != NULL ? wide : row, (size_t)m->n * size))
        return malformed(path, "more bytes", err);
    *crc = crc32_add(*crc, wide != NULL ? wide : row, (size_t)m->n * size);
    if (npy_type_is_narrow(type))
        npy_type_widen(type, wide, m->n, row);
    for (int32_t j = 0; j < m->n && wide != NULL && !npy_type_is_narrow(type); j++) {
        if (!convert(type, (const char *)wide + (size_t)j * size, distances, &row[j]))
            return fail(err, STATUS_BAD_INPUT,
                        "%s: row %d, column %d, from 0: expected an integer of 32 bits%s", path, i,
                        j, distances ? ", or infinity" : "");
    }
    for (int32_t j = 0; j < m->n && !distances; j++)
        row[j] = row[j] == SCIPY_NONE ? -1 : row[j];
    return STATUS_OK;
}

/* Whether a file may have an unsigned type: predecessors and lists of vertices do not. */
static bool takes_narrow(enum npy_form form, bool distances) {
    return distances && form != NPY_VECTOR;
}

/* Reports the text that is there instead of a header. */
static enum status unknown_head(const char *path, enum npy_form form, bool distances,
                                const char *head, size_t length, struct error *err) {
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
                "%s: expected %s of '<i4', '<i8'%s in C order, found the header %s%s", path,
                forms[form],
                takes_narrow(form, distances) ? ", '<f8', '|u1' or '<u2'" : " or '<f8'", text,
                shown < length ? "..." : "");
}

/* Reads entries of one form from an open file; a vector becomes a matrix of one row. *crc is that
 * of the whole file, *type that of its entries. */
static enum status read_npy_open(int fd, const char *path, enum npy_form form, bool distances,
                                 struct matrix *m, enum npy_type *type, uint32_t *crc,
                                 struct error *err) {
    unsigned char magic[NPY_MAGIC_BYTES];
    char head[NPY_LONGEST_HEAD];
    struct stat file;
    struct npy_shape shape;
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
    if (!understand_head(head, length, &shape) || !has_form(&shape, form) ||
        (npy_type_is_narrow(shape.type) && !takes_narrow(form, distances)))
        return unknown_head(path, form, distances, head, length, err);
    const int64_t rows = form == NPY_VECTOR ? 1 : shape.rows;
    const int64_t n = form == NPY_VECTOR ? shape.rows : shape.columns;
    const size_t row_bytes = (size_t)n * npy_types[shape.type].size;
    /* The sum may overflow for n below 2^31 and entries of 8 bytes. */
    uint64_t expected =
        memory_add(NPY_MAGIC_BYTES + length, memory_times((uint64_t)rows, row_bytes));
    uint64_t found = (uint64_t)file.st_size;
    if (found != expected)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: %s: expected %llu bytes for %lld vertices, found %llu", path,
                    found < expected ? "truncated" : "too long", (unsigned long long)expected,
                    (long long)n, (unsigned long long)found);
    const struct memory_part part = {"for this matrix", matrix_memory_of_rows(rows, n), 0};
    enum status status;
    TRY(memory_check(path, n, &part, 1, err));
    TRY(matrix_alloc_rows(m, (int32_t)rows, (int32_t)n, path, err));
    if (shape.type != NPY_INT32)
        TRY(memory_alloc(&wide, row_bytes, 1, path, err));
    *type = shape.type;
    *crc = crc32_add(crc32_add(0, magic, sizeof magic), head, length);
    for (int32_t i = 0; i < rows; i++)
        TRY(read_row(fd, path, shape.type, distances, i, m, wide, crc, err));
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
    int64_t sources;  /* -1: all vertices */
    int64_t targets;  /* -1: all vertices */
    int64_t infinity; /* the entry for no path; -1: nothing */
    bool has_crc;
    uint32_t crc[NPY_FILES];
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
    RETURN_ON_FAILURE(take_count(json, "sources", said->path, 1, INT32_MAX, &said->sources, err));
    RETURN_ON_FAILURE(take_count(json, "targets", said->path, 1, INT32_MAX, &said->targets, err));
    RETURN_ON_FAILURE(
        take_count(json, INFINITY_ENTRY, said->path, 1, INT32_MAX, &said->infinity, err));
    /* Older results have no checksums of files. */
    said->has_crc =
        json_text_member(json, DIST_CRC) != NULL || json_text_member(json, PRED_CRC) != NULL;
    if (said->has_crc) {
        RETURN_ON_FAILURE(take_crc(json, DIST_CRC, true, said, &said->crc[DIST], err));
        RETURN_ON_FAILURE(take_crc(json, PRED_CRC, said->with_pred, said, &said->crc[PRED], err));
    }
    if (said->sources >= 0)
        RETURN_ON_FAILURE(take_crc(json, SOURCES_CRC, true, said, &said->crc[SOURCES], err));
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
    enum npy_type type;
    uint32_t crc;
    result->edges_read = -1;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* does not wait if it is a pipe */
    if (fd < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    enum status status = read_npy_open(fd, path, NPY_SQUARE, true, &result->dist, &type, &crc, err);
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

/* Checks that the .json means the entry that we take for no path. */
static enum status compare_infinity(const struct sidecar *said, const char *path,
                                    enum npy_type type, struct error *err) {
    return said->infinity < 0 || said->infinity == npy_types[type].no_path
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT,
                      "%s: expected \"" INFINITY_ENTRY "\": %d, as %s is %s, found %lld",
                      said->path, npy_types[type].no_path, path, npy_types[type].name,
                      (long long)said->infinity);
}

/* Reads which rows the result has. *crc: of the file. */
static enum status read_sources(int fd, const char *path, const struct sidecar *said,
                                struct result *result, uint32_t *crc, struct error *err) {
    struct matrix vertices = {0};
    enum npy_type type;
    enum status status = STATUS_OK;
    TRY(read_npy_open(fd, path, NPY_VECTOR, true, &vertices, &type, crc, err));
    if (vertices.n != said->sources) {
        status = fail(err, STATUS_BAD_INPUT, "%s: expected %lld vertices as in %s, found %d", path,
                      (long long)said->sources, said->path, vertices.n);
        goto cleanup;
    }
    TRY(source_list_copy(path, vertices.cell, vertices.n, result->dist.n, &result->sources, err));
cleanup:
    matrix_free(&vertices);
    return status;
}

/* Whether a matrix has the rows that the .json says. */
static enum status compare_rows(const struct sidecar *said, const char *path,
                                const struct matrix *m, struct error *err) {
    const int64_t expected = said->sources >= 0 ? said->sources : m->n;
    return m->rows == expected
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT, "%s: expected %lld rows as in %s, found %d", path,
                      (long long)expected, said->path, m->rows);
}

static enum status read_opened(char *const paths[], const int fds[], const int reasons[],
                               struct result *result, struct error *err) {
    struct sidecar said = {.path = paths[JSON], .sources = -1};
    enum npy_type type;
    uint32_t crc[NPY_FILES] = {0};
    if (fds[DIST] < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", paths[DIST],
                    strerror(reasons[DIST]));
    if (fds[JSON] < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot read %s, which marks the result complete: %s",
                    paths[JSON], strerror(reasons[JSON]));
    RETURN_ON_FAILURE(read_json(fds[JSON], result, &said, err));
    if (said.targets >= 0)
        return result_refuse_columns(paths[DIST], said.targets, said.vertices, err);
    /* Only a result says which rows it has. */
    const enum npy_form form = fds[SOURCES] >= 0 ? NPY_ROWS : NPY_SQUARE;
    RETURN_ON_FAILURE(
        read_npy_open(fds[DIST], paths[DIST], form, true, &result->dist, &type, &crc[DIST], err));
    RETURN_ON_FAILURE(compare(&said, DIST, paths[DIST], &result->dist, crc[DIST], err));
    RETURN_ON_FAILURE(compare_infinity(&said, paths[DIST], type, err));
    RETURN_ON_FAILURE(compare_rows(&said, paths[DIST], &result->dist, err));
    if (said.sources >= 0) {
        if (fds[SOURCES] < 0)
            return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", paths[SOURCES],
                        strerror(reasons[SOURCES]));
        RETURN_ON_FAILURE(
            read_sources(fds[SOURCES], paths[SOURCES], &said, result, &crc[SOURCES], err));
        RETURN_ON_FAILURE(
            compare(&said, SOURCES, paths[SOURCES], &result->dist, crc[SOURCES], err));
    }
    if (!said.with_pred)
        return STATUS_OK;
    if (fds[PRED] < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", paths[PRED],
                    strerror(reasons[PRED]));
    RETURN_ON_FAILURE(
        read_npy_open(fds[PRED], paths[PRED], form, false, &result->pred, &type, &crc[PRED], err));
    if (result->pred.n != result->dist.n)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %d vertices as in %s, found %d",
                    paths[PRED], result->dist.n, paths[DIST], result->pred.n);
    RETURN_ON_FAILURE(compare_rows(&said, paths[PRED], &result->pred, err));
    return compare(&said, PRED, paths[PRED], &result->pred, crc[PRED], err);
}

enum status result_read_npy(const char *prefix, struct result *result, struct error *err) {
    char *paths[NPY_FILES];
    int fds[NPY_FILES], reasons[NPY_FILES];
    enum status status = STATUS_OK;
    result->edges_read = -1;
    for (int f = 0; f < NPY_FILES; f++) {
        fds[f] = -1;
        paths[f] = result_path(prefix, npy_suffixes[f], err);
        if (paths[f] == NULL)
            status = STATUS_NO_RESOURCE;
    }
    if (status == STATUS_OK) {
        output_open_together((const char *const *)paths, NPY_FILES, fds, reasons);
        status = read_opened(paths, fds, reasons, result, err);
    }
    for (int f = 0; f < NPY_FILES; f++) {
        if (fds[f] >= 0)
            close(fds[f]);
        free(paths[f]);
    }
    return status;
}
