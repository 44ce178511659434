// SPDX-License-Identifier: MIT
#include "measures/read.h"

#include "common/base/crc32.h"  // crc32_add
#include "common/base/memory.h" // memory_alloc
#include "common/base/output.h" // output_open_together
#include "common/rows/result_parts.h"
#include "measures/csv.h"
#include "measures/file_names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *path, const char *suffix) {
    const size_t length = strlen(path), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

static bool exists(const char *path, size_t length, const char *suffix) {
    char name[PATH_MAX];
    struct stat file;
    return snprintf(name, sizeof name, "%.*s%s", (int)length, path, suffix) < (int)sizeof name &&
           stat(name, &file) == 0 && !S_ISDIR(file.st_mode);
}

/* Returns how many bytes of a path are the PREFIX. */
static size_t prefix_length(const char *path) {
    const size_t length = strlen(path);
    /* PREFIX may end with ".edges" itself. */
    const bool edges = ends_with(path, MEASURES_EDGES) &&
                       !exists(path, length - strlen(MEASURES_CSV), MEASURES_JSON);
    return edges                            ? length - strlen(MEASURES_EDGES)
           : ends_with(path, MEASURES_CSV)  ? length - strlen(MEASURES_CSV)
           : ends_with(path, MEASURES_JSON) ? length - strlen(MEASURES_JSON)
                                            : length;
}

bool measures_are_meant(const char *path) {
    const size_t length = prefix_length(path);
    if (ends_with(path, MEASURES_CSV))
        return true;
    return exists(path, length, MEASURES_CSV) && !exists(path, length, ".dist.npy") &&
           !(length == strlen(path) && exists(path, length, ""));
}

static enum status read_whole(int fd, const char *path, char **text, size_t *size,
                              struct error *err) {
    struct stat file;
    void *memory;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
        return fail(err, STATUS_BAD_INPUT, "%s: expected a regular file", path);
    *size = (size_t)file.st_size;
    RETURN_ON_FAILURE(memory_alloc(&memory, *size + 1, 1, path, err));
    *text = memory;
    for (size_t got = 0; got < *size;) {
        const ssize_t more = read(fd, *text + got, *size - got);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", path,
                        more < 0 ? strerror(errno) : "it became shorter");
        got += (size_t)more;
    }
    (*text)[*size] = '\0';
    return STATUS_OK;
}

static enum status take_integer(const struct measures_file *file, const char *name, int64_t least,
                                int64_t most, int64_t *value, struct error *err) {
    const struct json_value *member = json_text_member(file->json.root, name);
    if (member == NULL || member->kind != JSON_IS_INTEGER || member->integer < least ||
        member->integer > most)
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": an integer in %lld .. %lld",
                    file->json_path, name, (long long)least, (long long)most);
    *value = member->integer;
    return STATUS_OK;
}

static enum status take_bool(const struct measures_file *file, const char *name, bool *value,
                             struct error *err) {
    const struct json_value *member = json_text_member(file->json.root, name);
    if (member == NULL || (member->kind != JSON_IS_TRUE && member->kind != JSON_IS_FALSE))
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": true or false", file->json_path,
                    name);
    *value = member->kind == JSON_IS_TRUE;
    return STATUS_OK;
}

static enum status take_parts(struct measures_file *file, struct error *err) {
    const struct json_value *const member = json_text_member(file->json.root, MEMBER_OMITTED);
    unsigned omitted = 0;
    char expected[MEASURES_PARTS_TEXT];
    if (member != NULL &&
        (member->kind != JSON_IS_TEXT || !measures_parts_find(member->text, &omitted)))
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": %s", file->json_path,
                    MEMBER_OMITTED, measures_parts_expected(expected));
    file->parts = MEASURES_ALL & ~omitted;
    return STATUS_OK;
}

/* Reads what the .json says about betweenness, if it has an object of it. */
static enum status take_flows(struct measures_file *file, struct error *err) {
    const struct json_value *const member = json_text_member(file->json.root, MEMBER_FLOWS);
    if (member == NULL)
        return STATUS_OK;
    const struct json_value *const endpoints =
        member->kind == JSON_IS_OBJECT ? json_text_member(member, MEMBER_ENDPOINTS) : NULL;
    if (endpoints == NULL || (endpoints->kind != JSON_IS_TRUE && endpoints->kind != JSON_IS_FALSE))
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": an object with \"%s\"",
                    file->json_path, MEMBER_FLOWS, MEMBER_ENDPOINTS);
    const struct json_value *const times = json_text_member(member, MEMBER_TIMES),
                                   *const spacing = json_text_member(member, MEMBER_SPACING);
    if (times == NULL || times->kind != JSON_IS_INTEGER || times->integer < 1)
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\" in \"%s\": an integer of 1 or more",
                    file->json_path, MEMBER_TIMES, MEMBER_FLOWS);
    if (spacing != NULL && !(spacing->kind == JSON_IS_REAL && spacing->number > 0) &&
        !(spacing->kind == JSON_IS_INTEGER && spacing->integer > 0))
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\" in \"%s\": a number above 0",
                    file->json_path, MEMBER_SPACING, MEMBER_FLOWS);
    file->times = (double)times->integer;
    file->spacing = spacing != NULL ? spacing->number : 0;
    file->parts |= MEASURES_FLOWS;
    file->endpoints = endpoints->kind == JSON_IS_TRUE;
    return STATUS_OK;
}

/* Checks a file by its CRC-32; a .json without one is accepted. */
static enum status check_crc(const struct measures_file *file, const char *name, const char *path,
                             const char *text, size_t size, struct error *err) {
    const struct json_value *member = json_text_member(file->json.root, name);
    const uint32_t found = crc32_add(0, text, size);
    uint32_t said;
    if (member == NULL)
        return STATUS_OK;
    if (member->kind != JSON_IS_TEXT || !result_parse_checksum(member->text, &said))
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": eight hexadecimal digits",
                    file->json_path, name);
    return said == found ? STATUS_OK
                         : fail(err, STATUS_BAD_INPUT,
                                "%s: expected the file that %s describes, CRC-32 %08x, found %08x",
                                path, file->json_path, said, found);
}

/* Reads the vertex at the beginning of a row. */
static bool parse_vertex(struct csv_text field, int32_t n, int32_t *vertex) {
    int64_t value = 0;
    const char *at = field.begin;
    for (; at < field.end && *at >= '0' && *at <= '9' && value < n; at++)
        value = value * 10 + (*at - '0');
    *vertex = (int32_t)value;
    return at == field.end && at > field.begin && value < n;
}

static enum status check_row(const struct measures_file *file, int64_t number, struct csv_text row,
                             int columns, int32_t *vertex, struct error *err) {
    char text[CSV_QUOTED];
    struct csv_text rest = row;
    const struct csv_text first = csv_next_field(&rest);
    int fields = 1;
    if (!parse_vertex(first, file->n, vertex))
        return fail(err, STATUS_BAD_INPUT, "%s:%lld: expected a vertex in 0 .. %d, found %s",
                    file->csv_path, (long long)number, file->n - 1, csv_quoted(first, text));
    for (; rest.begin < rest.end; fields++)
        (void)csv_next_field(&rest);
    fields += row.end[-1] == ','; /* counts an empty field at the end */
    if (fields != columns)
        return fail(err, STATUS_BAD_INPUT, "%s:%lld: expected %d columns, found %d", file->csv_path,
                    (long long)number, columns, fields);
    return STATUS_OK;
}

static enum status check_head(const struct measures_file *file, struct measures_columns columns,
                              struct csv_text line, struct error *err) {
    char *head, text[CSV_QUOTED];
    size_t length;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(measures_csv_head(columns, &head, &length, err));
    head[--length] = '\0';
    if (!csv_same(line, (struct csv_text){head, head + length}))
        status = fail(err, STATUS_BAD_INPUT, "%s:1: expected '%s', found %s", file->csv_path, head,
                      csv_quoted(line, text));
    memory_free(head);
    return status;
}

/* Reads the header, the number of rows and, unless all vertices are sources, the sources. */
static enum status take_rows(struct measures_file *file, bool all, struct error *err) {
    const char *at = file->csv, *end = file->csv + file->csv_size;
    struct csv_text line = {at, at};
    enum { VERTEX_AND_NAME = 2 };
    const struct measures_columns columns = {file->directed, all, file->parts,
                                             file->made.semiring != SEMIRING_MIN_PLUS};
    const int fields = VERTEX_AND_NAME + measures_count_columns(columns);
    csv_next_line(&at, end, &line);
    RETURN_ON_FAILURE(check_head(file, columns, line, err));
    const int32_t rows = (file->parts & MEASURES_FLOWS) != 0 ? file->n : file->sources.count;
    if ((uint64_t)rows > file->csv_size)
        return fail(err, STATUS_BAD_INPUT, "%s: truncated: expected %d rows", file->csv_path, rows);
    int32_t *source = NULL;
    if (!all) {
        void *memory;
        RETURN_ON_FAILURE(
            memory_alloc(&memory, (size_t)file->sources.count, sizeof *source, "sources", err));
        file->sources.source = source = memory;
    }
    for (int32_t p = 0; p < rows; p++) {
        int32_t vertex;
        if (!csv_next_line(&at, end, &line))
            return fail(err, STATUS_BAD_INPUT, "%s: truncated: expected %d rows, found %d",
                        file->csv_path, rows, p);
        RETURN_ON_FAILURE(check_row(file, (int64_t)p + 2, line, fields, &vertex, err));
        if (source != NULL && p < file->sources.count)
            source[p] = vertex;
        else if (source == NULL && vertex != p)
            return fail(err, STATUS_BAD_INPUT, "%s:%lld: expected vertex %d, found %d",
                        file->csv_path, (long long)p + 2, p, vertex);
    }
    if (at != end)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %d rows and nothing behind them",
                    file->csv_path, rows);
    return STATUS_OK;
}

static enum status understand(struct measures_file *file, struct error *err) {
    int64_t n = 0, count = 0;
    bool all = false;
    RETURN_ON_FAILURE(take_integer(file, "vertices", 1, INT32_MAX, &n, err));
    RETURN_ON_FAILURE(take_integer(file, "sources", 1, INT32_MAX, &count, err));
    RETURN_ON_FAILURE(take_bool(file, "directed", &file->directed, err));
    RETURN_ON_FAILURE(take_bool(file, "all_sources", &all, err));
    if (all && count != n)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %lld \"sources\", all of them, found %lld",
                    file->json_path, (long long)n, (long long)count);
    RETURN_ON_FAILURE(result_take_limit(file->json.root, file->json_path, &file->limit, err));
    const struct json_value *const type = json_text_member(file->json.root, MEMBER_TYPE);
    file->integral =
        type != NULL && type->kind == JSON_IS_TEXT && strcmp(type->text, INT64_NAME) == 0;
    if (type != NULL && type->kind == JSON_IS_TEXT)
        file->type = file->integral ? NUMBER_FLOAT64 : number_find(type->text);
    if ((type != NULL && type->kind != JSON_IS_TEXT) || file->type == NUMBER_TYPES)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a \"%s\" of int32, int64, float32 or float64", file->json_path,
                    MEMBER_TYPE);
    file->limit = limit_for(file->type, file->limit);
    RETURN_ON_FAILURE(result_take_made(file->json.root, file->json_path, &file->made, err));
    RETURN_ON_FAILURE(take_parts(file, err));
    RETURN_ON_FAILURE(take_flows(file, err));
    file->n = (int32_t)n;
    file->sources.count = (int32_t)count;
    if (json_text_member(file->json.root, MEMBER_EDGES) != NULL)
        RETURN_ON_FAILURE(take_integer(file, MEMBER_EDGES, 0, INT64_MAX, &file->edges_read, err));
    RETURN_ON_FAILURE(
        check_crc(file, MEMBER_CSV_CRC, file->csv_path, file->csv, file->csv_size, err));
    return take_rows(file, all, err);
}

enum { CSV, JSON, EDGES, FILES };

static enum status read_opened(const int fds[], const int reasons[], struct measures_file *file,
                               struct error *err) {
    const char *const paths[] = {file->csv_path, file->json_path, file->edges_path};
    char *json = NULL;
    size_t size = 0;
    for (int f = 0; f < EDGES; f++) {
        if (fds[f] < 0)
            return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s%s", paths[f],
                        strerror(reasons[f]),
                        f == JSON && reasons[f] == ENOENT
                            ? "; only measures have it beside their .csv (other tables cannot be "
                              "verified: apsp --check proves --pairs and --diameter)"
                            : "");
    }
    enum status status = read_whole(fds[CSV], file->csv_path, &file->csv, &file->csv_size, err);
    if (status == STATUS_OK)
        status = read_whole(fds[JSON], file->json_path, &json, &size, err);
    if (status == STATUS_OK)
        status = json_text_read(file->json_path, json, size, &file->json, err);
    memory_free(json);
    RETURN_ON_FAILURE(status);
    RETURN_ON_FAILURE(understand(file, err));
    if ((file->parts & MEASURES_FLOWS) == 0)
        return STATUS_OK;
    if (fds[EDGES] < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s, which %s describes: %s",
                    file->edges_path, file->json_path, strerror(reasons[EDGES]));
    RETURN_ON_FAILURE(
        read_whole(fds[EDGES], file->edges_path, &file->edges, &file->edges_size, err));
    return check_crc(file, MEMBER_EDGES_CRC, file->edges_path, file->edges, file->edges_size, err);
}

enum status measures_read(const char *path, struct measures_file *file, struct error *err) {
    int fds[FILES] = {-1, -1, -1}, reasons[FILES];
    enum status status = STATUS_NO_RESOURCE;
    *file = (struct measures_file){.edges_read = -1, .limit = NO_LIMIT};
    char *prefix = strndup(path, prefix_length(path));
    if (prefix == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: %s", path);
    file->csv_path = measures_file_name(prefix, MEASURES_CSV, err);
    file->json_path = measures_file_name(prefix, MEASURES_JSON, err);
    file->edges_path = measures_file_name(prefix, MEASURES_EDGES, err);
    free(prefix);
    if (file->csv_path != NULL && file->json_path != NULL && file->edges_path != NULL) {
        const char *const paths[] = {file->csv_path, file->json_path, file->edges_path};
        output_open_together(paths, FILES, fds, reasons);
        status = read_opened(fds, reasons, file, err);
    }
    for (int f = 0; f < FILES; f++) {
        if (fds[f] >= 0)
            close(fds[f]);
    }
    if (status != STATUS_OK)
        measures_file_free(file);
    return status;
}

enum status measures_semiring(const char *path, enum semiring *semiring, struct error *err) {
    struct provenance made = {0};
    struct json_document json = {0};
    char *text = NULL, *name = NULL, *prefix = strndup(path, prefix_length(path));
    size_t size;
    int fd = -1;
    enum status status = STATUS_NO_RESOURCE;
    if (prefix == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: %s", path);
    *semiring = SEMIRING_MIN_PLUS;
    name = measures_file_name(prefix, MEASURES_JSON, err);
    if (name == NULL)
        goto cleanup;
    fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    status = STATUS_OK;
    if (fd < 0)
        goto cleanup; /* measures_read says what is wrong */
    TRY(read_whole(fd, name, &text, &size, err));
    TRY(json_text_read(name, text, size, &json, err));
    TRY(result_take_made(json.root, name, &made, err));
    *semiring = made.semiring;
cleanup:
    if (fd >= 0)
        close(fd);
    memory_free(json.memory);
    memory_free(text);
    free(name);
    free(prefix);
    return status;
}

void measures_file_free(struct measures_file *file) {
    free(file->csv_path);
    free(file->edges_path);
    free(file->json_path);
    memory_free(file->csv);
    memory_free(file->edges);
    memory_free(file->json.memory);
    memory_free((void *)(uintptr_t)file->sources.source); /* the sources' array belongs to *file */
    *file = (struct measures_file){0};
}
