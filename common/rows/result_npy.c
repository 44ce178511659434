// SPDX-License-Identifier: MIT
#include "common/base/crc32.h"     // crc32_add
#include "common/base/json_text.h" // struct json_writer, json_text_read
#include "common/base/memory.h"    // memory_free
#include "common/base/output.h"    // output_write
#include "common/rows/npy_sink.h"  // struct npy_sink
#include "common/rows/result_parts.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Members of the .json for the CRC-32 of whole files. */
#define DIST_CRC       "dist_checksum"
#define PRED_CRC       "pred_checksum"
#define SOURCES_CRC    "sources_checksum"
#define TARGETS_CRC    "targets_checksum"
#define NPZ_CRC        "npz_checksum"
#define IDS_CRC        "ids_checksum"
/* Members of the .json for the entry that stands for no path, and for a real type, in which no path
 * is infinite. */
#define INFINITY_ENTRY "infinity"
#define WIDE_TYPE      "type" /* absent for int32 and narrow types */
#define LIMIT          "limit"
#define SEMIRING       "semiring"

enum {
    DIST = NPY_DIST,
    PRED = NPY_PRED,
    SOURCES = NPY_SOURCES,
    TARGETS = NPY_TARGETS,
};

enum { NPY_ALIGNMENT = 64 };

char *result_path(const char *prefix, const char *suffix, struct error *err) {
    char *path;
    if (asprintf(&path, "%s%s", prefix, suffix) < 0) {
        fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", prefix, suffix);
        return NULL;
    }
    return path;
}

/* NumPy's format 1.0: magic, version, length of the header, and a Python dict, padded with blanks
 * to a multiple of 64 bytes and ended by a line feed. */
size_t npy_head_of(const char *description, const char *shape, char *head) {
    int length =
        snprintf(head + NPY_MAGIC_BYTES, NPY_LONGEST_HEAD - NPY_MAGIC_BYTES,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", description, shape);
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
    return npy_head_of(npy_types[type].description, shape, head);
}

size_t npy_head_of_vector(enum npy_type type, int64_t count, char *head) {
    char shape[32];
    snprintf(shape, sizeof shape, "%lld,", (long long)count);
    return npy_head_of(npy_types[type].description, shape, head);
}

enum status sidecar_write(struct output *out, const struct sidecar_content *content,
                          struct error *err) {
    const struct provenance *made = content->made;
    const struct result_layout *layout = content->layout;
    const bool some_rows = layout->sources.source != NULL;
    const bool some_columns = layout->targets.source != NULL, is_npz = content->entries >= 0;
    char checksum[9], crc[NPY_FILES][9];
    snprintf(checksum, sizeof checksum, "%08x", made->checksum);
    for (int f = 0; f < NPY_FILES; f++)
        snprintf(crc[f], sizeof crc[f], "%08x", content->crc[f]);
    struct json_writer json;
    json_write_begin(&json, NULL);
    json_write_integer(&json, "vertices", layout->n);
    json_write_integer(&json, "edges", content->edges);
    json_write_bool(&json, "predecessors", layout->with_pred);
    if (is_npz)
        json_write_integer(&json, "entries", content->entries);
    if (npy_type_is_real(layout->type) || layout->type == NPY_INT64)
        json_write_text(&json, WIDE_TYPE, npy_types[layout->type].name);
    if (!npy_type_is_real(layout->type) && !is_npz)
        json_write_integer(&json, INFINITY_ENTRY, npy_types[layout->type].no_path);
    if (some_rows)
        json_write_integer(&json, "sources", layout->sources.count);
    if (some_columns)
        json_write_integer(&json, "targets", layout->targets.count);
    if (layout->limit < NO_LIMIT)
        json_write_number(&json, LIMIT,
                          npy_type_is_real(layout->type) ? NUMBER_FLOAT64 : NUMBER_INT32,
                          layout->limit);
    result_write_semiring(&json, layout->semiring);
    if (made->along[0] != '\0')
        json_write_text(&json, "along", made->along);
    if (made->proved)
        json_write_bool(&json, "proved", true);
    json_write_text(&json, "program", made->program);
    json_write_text(&json, "variant", made->variant);
    json_write_real(&json, "solve_s", made->solve_s, 17);
    json_write_real(&json, "total_s", made->total_s, 17);
    result_write_grid(&json, made);
    if (made->has_checksum)
        json_write_text(&json, "graph_checksum", checksum);
    json_write_text(&json, is_npz ? NPZ_CRC : DIST_CRC, crc[is_npz ? NPY_NPZ : DIST]);
    if (layout->with_pred)
        json_write_text(&json, PRED_CRC, crc[PRED]);
    if (some_rows)
        json_write_text(&json, SOURCES_CRC, crc[SOURCES]);
    if (some_columns)
        json_write_text(&json, TARGETS_CRC, crc[TARGETS]);
    /* JSON has to be UTF-8, but a file name may be any bytes. */
    json_write_text(&json, "graph", made->graph);
    if (layout->naming.names != NULL)
        json_write_text(&json, IDS_CRC, crc[NPY_IDS]);
    else
        json_write_integer(&json, "vertices_from", made->naming.first);
    json_write_close(&json);
    return output_write(out, json.text, json.length, err);
}

enum status result_write_npy(const char *prefix, const struct result *result, int threads,
                             struct error *err) {
    const struct matrix *const dist = &result->dist;
    const bool with_pred = result->pred.cell != NULL;
    const struct result_layout layout = {.n = result_vertices(result),
                                         .naming = result->made.naming,
                                         .sources = result_rows(result),
                                         .targets = result_columns(result),
                                         .limit = result->limit,
                                         .semiring = result->made.semiring,
                                         .with_pred = with_pred,
                                         .type = result->type};
    struct npy_sink sink;
    enum status status = STATUS_OK;
    TRY(npy_sink_open(&sink, prefix, &layout, NULL, err));
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

/* Reads `size` bytes, or fewer at the end of the file; returns -1 with errno set after a failure.
 */
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

/* Reads the whole file, at most JSON_LONGEST bytes, into `text`, which has room for one byte more.
 */
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

/* Takes an integer in lowest .. highest; -1 if the member is absent. */
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

/* Takes the name of int64 or of a real type; "" if the member is absent. */
static enum status take_type(const struct json_value *json, struct sidecar *said,
                             struct error *err) {
    static const enum npy_type types[] = {NPY_INT64, NPY_FLOAT32, NPY_FLOAT64};
    const struct json_value *member = json_text_member(json, WIDE_TYPE);
    said->type[0] = '\0';
    if (member == NULL)
        return STATUS_OK;
    for (size_t t = 0; t < sizeof types / sizeof *types && member->kind == JSON_IS_TEXT; t++) {
        if (strcmp(member->text, npy_types[types[t]].name) == 0)
            snprintf(said->type, sizeof said->type, "%s", npy_types[types[t]].name);
    }
    if (said->type[0] != '\0')
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected \"" WIDE_TYPE "\": %s, %s or %s", said->path,
                npy_types[types[0]].name, npy_types[types[1]].name, npy_types[types[2]].name);
}

enum status result_take_limit(const struct json_value *json, const char *path, double *limit,
                              struct error *err) {
    const struct json_value *member = json_text_member(json, LIMIT);
    *limit = member != NULL ? member->number : NO_LIMIT;
    if (member == NULL || ((member->kind == JSON_IS_INTEGER || member->kind == JSON_IS_REAL) &&
                           *limit >= 0 && *limit < NO_LIMIT))
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected \"" LIMIT "\": a number of 0 or more", path);
}

static bool is_checksum(const struct json_value *member, uint32_t *crc) {
    return member != NULL && member->kind == JSON_IS_TEXT &&
           result_parse_checksum(member->text, crc);
}

/* Takes the checksum of a file, which must be present if, and only if, the file is wanted. */
static enum status take_crc(const struct json_value *json, const char *name, bool wanted,
                            struct sidecar *said, int which, struct error *err) {
    const struct json_value *member = json_text_member(json, name);
    if (!wanted)
        return member == NULL ? STATUS_OK
                              : fail(err, STATUS_BAD_INPUT,
                                     "%s: expected no \"%s\" in a result without predecessors",
                                     said->path, name);
    said->has_crc[which] = is_checksum(member, &said->crc[which]);
    return said->has_crc[which]
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": eight hexadecimal digits",
                      said->path, name);
}

/* Takes a text if the member is present; null stands for a text that is not UTF-8. */
static enum status take_name(const struct json_value *json, const char *name, const char *path,
                             char *to, size_t size, struct error *err) {
    const struct json_value *const member = json_text_member(json, name);
    if (member == NULL || member->kind == JSON_IS_NULL)
        return STATUS_OK;
    if (member->kind != JSON_IS_TEXT)
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": a text", path, name);
    snprintf(to, size, "%s", member->text);
    return STATUS_OK;
}

static enum status take_seconds(const struct json_value *json, const char *name, const char *path,
                                double *seconds, struct error *err) {
    const struct json_value *const member = json_text_member(json, name);
    if (member == NULL)
        return STATUS_OK;
    if ((member->kind != JSON_IS_REAL && member->kind != JSON_IS_INTEGER) || member->number < 0)
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": seconds, 0 or more", path, name);
    *seconds = member->number;
    return STATUS_OK;
}

static const char member_grid[] = "grid_spacing", member_grid_error[] = "grid_error";

void result_write_semiring(struct json_writer *json, enum semiring semiring) {
    if (semiring != SEMIRING_MIN_PLUS)
        json_write_text(json, SEMIRING, semiring_name(semiring));
}

void result_write_grid(struct json_writer *json, const struct provenance *made) {
    if (made->grid == 0)
        return;
    json_write_number(json, member_grid, NUMBER_FLOAT64, made->grid);
    json_write_number(json, member_grid_error, NUMBER_FLOAT64, made->grid_error);
}

/* Takes the numbers on a grid, which are >= 0, if they are present. */
static enum status take_grid(const struct json_value *json, const char *path,
                             struct provenance *made, struct error *err) {
    const char *const names[] = {member_grid, member_grid_error};
    double *const to[] = {&made->grid, &made->grid_error};
    for (int k = 0; k < 2; k++) {
        const struct json_value *const member = json_text_member(json, names[k]);
        const bool is_number =
            member != NULL && (member->kind == JSON_IS_REAL || member->kind == JSON_IS_INTEGER);
        if (member == NULL)
            continue;
        if (!is_number || !(member->number >= 0 && member->number <= DBL_MAX))
            return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": a number, 0 or more", path,
                        names[k]);
        *to[k] = member->number;
    }
    return STATUS_OK;
}

/* Takes the semiring, if it is present. */
static enum status take_semiring(const struct json_value *json, const char *path,
                                 enum semiring *semiring, struct error *err) {
    const struct json_value *const member = json_text_member(json, SEMIRING);
    if (member == NULL)
        return STATUS_OK;
    *semiring = member->kind == JSON_IS_TEXT ? semiring_find(member->text) : SEMIRINGS;
    return *semiring != SEMIRINGS ? STATUS_OK
                                  : fail(err, STATUS_BAD_INPUT,
                                         "%s: expected \"" SEMIRING "\": " SEMIRING_NAMES, path);
}

enum status result_take_made(const struct json_value *json, const char *path,
                             struct provenance *made, struct error *err) {
    const struct json_value *const checksum = json_text_member(json, "graph_checksum");
    const struct json_value *const proved = json_text_member(json, "proved");
    int64_t from;
    RETURN_ON_FAILURE(take_semiring(json, path, &made->semiring, err));
    RETURN_ON_FAILURE(take_name(json, "along", path, made->along, sizeof made->along, err));
    RETURN_ON_FAILURE(take_name(json, "program", path, made->program, sizeof made->program, err));
    RETURN_ON_FAILURE(take_name(json, "variant", path, made->variant, sizeof made->variant, err));
    RETURN_ON_FAILURE(take_name(json, "graph", path, made->graph, sizeof made->graph, err));
    RETURN_ON_FAILURE(take_seconds(json, "solve_s", path, &made->solve_s, err));
    RETURN_ON_FAILURE(take_seconds(json, "total_s", path, &made->total_s, err));
    RETURN_ON_FAILURE(take_grid(json, path, made, err));
    RETURN_ON_FAILURE(take_count(json, "vertices_from", path, 0, 1, &from, err));
    made->naming.first = from == 1;
    if (proved != NULL && proved->kind != JSON_IS_TRUE && proved->kind != JSON_IS_FALSE)
        return malformed(path, "\"proved\": true or false", err);
    made->has_checksum = is_checksum(checksum, &made->checksum);
    if (checksum != NULL && !made->has_checksum)
        snprintf(made->note, sizeof made->note, "its graph checksum is not %s",
                 "eight hexadecimal digits");
    return STATUS_OK;
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
        take_count(json, INFINITY_ENTRY, said->path, 1, INT64_MAX, &said->infinity, err));
    RETURN_ON_FAILURE(take_type(json, said, err));
    RETURN_ON_FAILURE(result_take_limit(json, said->path, &result->limit, err));
    /* Older results have no checksums of files. */
    if (json_text_member(json, DIST_CRC) != NULL || json_text_member(json, PRED_CRC) != NULL) {
        RETURN_ON_FAILURE(take_crc(json, DIST_CRC, true, said, DIST, err));
        RETURN_ON_FAILURE(take_crc(json, PRED_CRC, said->with_pred, said, PRED, err));
    }
    RETURN_ON_FAILURE(take_count(json, "entries", said->path, 0, INT64_MAX, &said->entries, err));
    if (said->entries >= 0)
        RETURN_ON_FAILURE(take_crc(json, NPZ_CRC, true, said, NPY_NPZ, err));
    if (said->sources >= 0)
        RETURN_ON_FAILURE(take_crc(json, SOURCES_CRC, true, said, SOURCES, err));
    if (json_text_member(json, IDS_CRC) != NULL && said->vertices > 0) {
        RETURN_ON_FAILURE(take_crc(json, IDS_CRC, true, said, NPY_IDS, err));
        result->made.ids = (int32_t)said->vertices;
        result->made.ids_checksum = said->crc[NPY_IDS];
    }
    return result_take_made(json, said->path, &result->made, err);
}

enum status sidecar_read(int fd, struct result *result, struct sidecar *said, struct error *err) {
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
