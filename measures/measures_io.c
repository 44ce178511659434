// SPDX-License-Identifier: MIT
#include "measures/measures_io.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/memory.h"      // memory_alloc
#include "common/base/number_text.h" // number_text
#include "common/base/output.h"      // atomic files
#include "common/base/threads.h"     // threads_worth
#include "common/rows/result_parts.h"
#include "measures/table.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CSV_SUFFIX  ".csv"
#define JSON_SUFFIX ".json"
/* Members of the .json. */
#define EDGES       "edges"
#define CHECKSUM    "graph_checksum"
#define NUMBERING   "vertices_from"
#define CSV_CRC     "csv_checksum"
#define TYPE        "type"    /* type of the distances; absent: int32 */
#define LIMIT       "limit"   /* longest path that counts; absent: any */
#define OMITTED     "omitted" /* parts (measures.h) that were not wanted; absent: none */

enum {
    REAL_DIGITS = 17, /* which give back the same double */
    VERTEX_SIZE = 16, /* bytes of a row at most, without the name of its vertex and the columns */
    NUMBER_SIZE = 32, /* bytes of a column of a row at most, with its comma */
    EXACT_SIZE = 48,  /* an exact_sum as text */
    ROW_STEPS = 2000, /* what a row takes, in steps of threads_worth() */
};

/* Names of columns ---------------------------------------------------------------------------- */

/* Which columns there are. */
struct columns {
    bool directed, all; /* the graph is; all vertices are sources */
    unsigned parts;     /* of measures.h */
};

static struct columns columns_of(const struct measures *m) {
    return (struct columns){m->directed, m->source == NULL, m->parts};
}

static bool has_column(struct columns columns, const struct measure_of_vertices *row) {
    return (row->part & ~columns.parts) == 0;
}

/* The columns of vertices in one direction after `column` of them were skipped, which is counted
 * down: the name of that one, or NULL. */
static const char *column_in(struct columns columns, bool inwards, int *column) {
    const struct measure_of_vertices *row;
    for (size_t k = 0; (row = measure_of_vertices_at(k)) != NULL; k++) {
        if (has_column(columns, row) && (*column)-- == 0)
            return measure_column(row, columns.directed, inwards);
    }
    return NULL;
}

/* The name of a column after those of the vertex and its name; NULL after the last. */
static const char *column_name(struct columns columns, int column) {
    const char *const name = column_in(columns, false, &column);
    return name == NULL && columns.directed && columns.all ? column_in(columns, true, &column)
                                                           : name;
}

static int count_columns(struct columns columns) {
    int count = 0;
    while (column_name(columns, count) != NULL)
        count++;
    return count;
}

/* Stores the line with the names of all columns, and its length with the line feed. The caller
 * frees it with memory_free. */
static enum status make_head(struct columns columns, char **head, size_t *length,
                             struct error *err) {
    static const char first[] = "vertex,id";
    size_t size = sizeof first + 1;
    void *memory;
    for (int c = 0; column_name(columns, c) != NULL; c++)
        size += 1 + strlen(column_name(columns, c));
    RETURN_ON_FAILURE(memory_alloc(&memory, size, 1, "a line of text", err));
    char *at = *head = memory;
    at = stpcpy(at, first);
    for (int c = 0; column_name(columns, c) != NULL; c++) {
        *at++ = ',';
        at = stpcpy(at, column_name(columns, c));
    }
    stpcpy(at, "\n");
    *length = size - 1;
    return STATUS_OK;
}

static int put_number(const struct measure_of_vertices *row, enum number_type type,
                      const struct any_totals *totals, char *to) {
    if (measure_is_integer(row->form, type))
        return sprintf(to, "%" PRId64, row->integer(totals));
    if (type == NUMBER_INT32)
        return json_text_real(to, row->real(totals), REAL_DIGITS);
    return json_text_number(to, row->form == MEASURE_DISTANCE ? type : NUMBER_FLOAT64,
                            row->real(totals));
}

static int put_vertex(const struct measures *m, bool inwards, int32_t position, char *to) {
    const struct any_totals totals = measures_totals(m, inwards, position);
    const struct columns columns = columns_of(m);
    const struct measure_of_vertices *row;
    int length = 0;
    for (size_t k = 0; (row = measure_of_vertices_at(k)) != NULL; k++) {
        if (!has_column(columns, row))
            continue;
        to[length++] = ',';
        length += put_number(row, m->type, &totals, to + length);
    }
    return length;
}

/* The bytes of a row at most, with the name of its vertex and an end. */
static size_t row_size(const struct measures *m, const struct vertex_naming *naming) {
    return VERTEX_SIZE + naming_longest_field(naming) +
           (size_t)count_columns(columns_of(m)) * NUMBER_SIZE;
}

/* The row at a position, into row_size() bytes. */
static int put_row(const struct measures *m, const struct vertex_naming *naming, int32_t position,
                   char *to) {
    const int32_t v = measures_source(m, position);
    int length = sprintf(to, "%" PRId32 ",", v);
    length += (int)naming_put_field(naming, v, to + length);
    length += put_vertex(m, false, position, to + length);
    if (measures_have_in(m))
        length += put_vertex(m, true, position, to + length);
    to[length++] = '\n';
    to[length] = '\0';
    return length;
}

/* Writing ------------------------------------------------------------------------------------- */

/* Writes the rows from `first` on that a thread makes at a time; returns their length. */
static size_t fill_chunk(char *text, const struct measures *m, const struct vertex_naming *naming,
                         int32_t first) {
    size_t length = 0;
    for (int32_t p = first; p < m->count && p < first + block_sizes.csv_rows; p++)
        length += (size_t)put_row(m, naming, p, text + length);
    return length;
}

/* Threads make rows, which takes longer than to write them. */
static enum status write_csv(struct output *out, const struct measures *m,
                             const struct vertex_naming *naming, uint32_t *crc, struct error *err) {
    const int32_t chunks = (m->count - 1) / block_sizes.csv_rows + 1;
    const int most = threads_worth(m->threads, (double)m->count * ROW_STEPS);
    const int threads = most < chunks ? most : chunks;
    const size_t chunk_size = (size_t)block_sizes.csv_rows * row_size(m, naming);
    char *head = NULL;
    size_t head_length;
    void *memory = NULL, *lengths = NULL;
    enum status status = STATUS_OK;
    TRY(make_head(columns_of(m), &head, &head_length, err));
    TRY(memory_alloc(&memory, (size_t)threads, chunk_size, "rows of text", err));
    TRY(memory_alloc(&lengths, (size_t)threads, sizeof(size_t), "rows of text", err));
    char *const text = memory;
    size_t *const length = lengths;
    *crc = crc32_add(0, head, head_length);
    TRY(output_write(out, head, head_length, err));
    for (int32_t first = 0; first < chunks; first += threads) {
        const int now = chunks - first < threads ? chunks - first : threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int k = 0; k < now; k++)
            length[k] = fill_chunk(text + (size_t)k * chunk_size, m, naming,
                                   (first + k) * block_sizes.csv_rows);
        for (int k = 0; k < now; k++) {
            *crc = crc32_add(*crc, text + (size_t)k * chunk_size, length[k]);
            TRY(output_write(out, text + (size_t)k * chunk_size, length[k], err));
        }
    }
cleanup:
    memory_free(head);
    memory_free(memory);
    memory_free(lengths);
    return status;
}

/* From the back of the text. */
static const char *exact_text(exact_sum value, char text[EXACT_SIZE]) {
    exact_sum rest = value < 0 ? -value : value;
    int at = EXACT_SIZE - 1;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        text[--at] = '-';
    return text + at;
}

/* Beyond 64 bits a real number: many readers of JSON have no larger integers. */
static void write_exact(struct json_writer *json, const char *name, exact_sum value) {
    if (value >= INT64_MIN && value <= INT64_MAX)
        json_write_integer(json, name, (int64_t)value);
    else
        json_write_real(json, name, (double)value, REAL_DIGITS);
}

/* A sum of distances: exact if they are integers, otherwise rounded. */
static void write_sum(struct json_writer *json, const char *name, const struct measures *m,
                      exact_sum exact, double rounded) {
    if (m->type == NUMBER_INT32)
        write_exact(json, name, exact);
    else
        json_write_number(json, name, NUMBER_FLOAT64, rounded);
}

/* A number that is real whatever the distances are; null if it is NaN. */
static void write_real(struct json_writer *json, const char *name, const struct measures *m,
                       double real) {
    if (m->type == NUMBER_INT32 && !isnan(real))
        json_write_real(json, name, real, REAL_DIGITS);
    else
        json_write_number(json, name, NUMBER_FLOAT64, real);
}

static void write_made(struct json_writer *json, const struct provenance *made, uint32_t csv_crc) {
    char checksum[9];
    json_write_text(json, "program", made->program);
    json_write_text(json, "variant", made->variant);
    json_write_real(json, "solve_s", made->solve_s, REAL_DIGITS);
    json_write_real(json, "total_s", made->total_s, REAL_DIGITS);
    snprintf(checksum, sizeof checksum, "%08x", made->checksum);
    if (made->has_checksum)
        json_write_text(json, CHECKSUM, checksum);
    snprintf(checksum, sizeof checksum, "%08x", csv_crc);
    json_write_text(json, CSV_CRC, checksum);
    json_write_text(json, "graph", made->graph);
    if (made->naming.names == NULL)
        json_write_integer(json, NUMBERING, made->naming.first);
}

static void write_pair(struct json_writer *json, const char *name, const struct measures *m) {
    json_write_open(json, name);
    json_write_number(json, "distance", m->type, m->pairs.largest);
    json_write_integer(json, "from", m->pairs.from);
    json_write_integer(json, "to", m->pairs.to);
    json_write_close(json);
}

/* The vertices of an eccentricity. */
static enum status write_vertices(struct json_writer *json, const char *name,
                                  const struct measures *m, double eccentricity,
                                  struct json_long_text *text, struct error *err) {
    json_write_array(json, name);
    for (int32_t v = 0; v < m->n; v++) {
        if (measures_eccentricity(m, v) != eccentricity)
            continue;
        json_write_integer(json, NULL, v);
        if (json->length > JSON_LONGEST / 2)
            RETURN_ON_FAILURE(json_write_out(json, text, err));
    }
    json_write_array_end(json);
    return STATUS_OK;
}

static enum status write_histogram(struct json_writer *json, const char *name,
                                   const struct measures *m, struct json_long_text *text,
                                   struct error *err) {
    const struct distance_histogram *const histogram = &m->pairs.histogram;
    const enum number_type type = m->type == NUMBER_INT32 ? NUMBER_INT32 : NUMBER_FLOAT64;
    json_write_open(json, name);
    json_write_number(json, "bin_width", type, histogram->width);
    json_write_number(json, "first", type, histogram->first);
    json_write_array(json, "counts");
    for (int32_t k = 0; k < histogram->bins; k++) {
        json_write_integer(json, NULL, histogram->count[k]);
        if (json->length > JSON_LONGEST / 2)
            RETURN_ON_FAILURE(json_write_out(json, text, err));
    }
    json_write_array_end(json);
    json_write_close(json);
    return STATUS_OK;
}

static bool is_connected(const struct measures *m) {
    return m->of_graph.components == 1;
}

static enum status write_measure(struct json_writer *json, const struct measures *m,
                                 const struct measure_of_graph *row, struct json_long_text *text,
                                 struct error *err) {
    const char *const name = measure_member(row, m->directed);
    const struct measured value = row->value != NULL ? row->value(m) : (struct measured){0};
    if (row->scope == MEASURE_IF_CONNECTED && !is_connected(m)) {
        json_write_null(json, name);
        return STATUS_OK;
    }
    switch (row->form) {
    case MEASURE_COUNT:
        write_exact(json, name, value.exact);
        return STATUS_OK;
    case MEASURE_SUM:
        write_sum(json, name, m, value.exact, value.real);
        return STATUS_OK;
    case MEASURE_DISTANCE:
        json_write_number(json, name, m->type, value.real);
        return STATUS_OK;
    case MEASURE_REAL:
        write_real(json, name, m, value.real);
        return STATUS_OK;
    case MEASURE_TRUTH:
        json_write_bool(json, name, value.exact != 0);
        return STATUS_OK;
    case MEASURE_VERTICES:
        return write_vertices(json, name, m, value.real, text, err);
    case MEASURE_PAIR:
        write_pair(json, name, m);
        return STATUS_OK;
    case MEASURE_HISTOGRAM:
        return write_histogram(json, name, m, text, err);
    }
    return STATUS_OK;
}

/* The whole .json or, if `made` is NULL, what can be computed anew. A limit in a file may be
 * written in another way than ours (limit_for), so `with_limit` is false for what is compared. The
 * caller frees the text, also after a failure. */
static enum status write_json(const struct measures *m, const struct provenance *made,
                              uint32_t csv_crc, bool with_limit, struct json_long_text *text,
                              struct error *err) {
    struct json_writer json;
    const struct measure_of_graph *row;
    char omitted[MEASURES_PARTS_TEXT];
    json_write_begin(&json, NULL);
    json_write_integer(&json, "vertices", m->n);
    if (made != NULL) {
        if (m->graph->edges_read >= 0)
            json_write_integer(&json, EDGES, m->graph->edges_read);
        if (m->type != NUMBER_INT32)
            json_write_text(&json, TYPE, number_name(m->type));
        write_made(&json, made, csv_crc);
    }
    json_write_bool(&json, "directed", m->directed);
    json_write_bool(&json, "all_sources", m->source == NULL);
    json_write_integer(&json, "sources", m->count);
    if (m->limit < NO_LIMIT && with_limit)
        json_write_number(&json, LIMIT, m->type == NUMBER_INT32 ? NUMBER_INT32 : NUMBER_FLOAT64,
                          m->limit);
    if (m->parts != MEASURES_ALL)
        json_write_text(&json, OMITTED,
                        measures_parts_text(MEASURES_ALL & ~m->parts, ",", omitted));
    for (size_t k = 0; (row = measure_of_graph_at(k)) != NULL; k++) {
        if (measures_have(m, row))
            RETURN_ON_FAILURE(write_measure(&json, m, row, text, err));
    }
    json_write_close(&json);
    return json_write_out(&json, text, err);
}

enum status measures_answer(const struct measures *m, struct json_long_text *text,
                            struct error *err) {
    return write_json(m, NULL, 0, true, text, err);
}

static char *join(const char *prefix, const char *suffix, struct error *err) {
    char *path;
    if (asprintf(&path, "%s%s", prefix, suffix) < 0) {
        fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", prefix, suffix);
        return NULL;
    }
    return path;
}

enum status measures_files_write(struct measures_files *files, const char *prefix,
                                 const struct measures *m, const struct provenance *made,
                                 struct error *err) {
    struct json_long_text text = {0};
    uint32_t crc;
    enum status status = STATUS_NO_RESOURCE;
    *files = (struct measures_files){.csv = {.fd = -1}, .json = {.fd = -1}};
    files->csv_path = join(prefix, CSV_SUFFIX, err);
    files->json_path = join(prefix, JSON_SUFFIX, err);
    if (files->csv_path == NULL || files->json_path == NULL)
        goto cleanup;
    TRY(output_open(&files->csv, files->csv_path, err));
    TRY(write_csv(&files->csv, m, &made->naming, &crc, err));
    TRY(write_json(m, made, crc, true, &text, err));
    TRY(output_open(&files->json, files->json_path, err));
    TRY(output_write(&files->json, text.text, text.size, err));
cleanup:
    memory_free(text.text);
    return status;
}

enum status measures_files_commit(struct measures_files *files, struct error *err) {
    return output_commit_all((struct output *[]){&files->json, &files->csv}, 2, err);
}

void measures_files_discard(struct measures_files *files) {
    output_discard(&files->json);
    output_discard(&files->csv);
    free(files->csv_path);
    free(files->json_path);
    files->csv_path = files->json_path = NULL;
}

enum status measures_write(const char *prefix, const struct measures *m,
                           const struct provenance *made, struct error *err) {
    struct measures_files files;
    enum status status = measures_files_write(&files, prefix, m, made, err);
    if (status == STATUS_OK)
        status = measures_files_commit(&files, err);
    measures_files_discard(&files);
    return status;
}

/* For people ---------------------------------------------------------------------------------- */

static void print_name(FILE *to, const char *name) {
    fprintf(to, "%-30s", name);
}

/* "8 vertices: 0 3 4 7 ..." */
static void print_vertices(FILE *to, const char *name, const struct measures *m,
                           double eccentricity) {
    enum { SHOWN = 8 };
    int32_t count = 0, shown = 0;
    for (int32_t v = 0; v < m->n; v++)
        count += measures_eccentricity(m, v) == eccentricity;
    print_name(to, name);
    fprintf(to, "%d %s:", count, count == 1 ? "vertex" : "vertices");
    for (int32_t v = 0; v < m->n && shown < SHOWN; v++) {
        if (measures_eccentricity(m, v) == eccentricity)
            shown += fprintf(to, " %s", graph_name(m->graph, v).text) > 0;
    }
    fprintf(to, "%s\n", count > SHOWN ? " ..." : "");
}

static void print_pairs(FILE *to, const struct measures *m) {
    const struct pair_measures *pairs = &m->pairs;
    char text[NUMBER_TEXT_MAX];
    print_name(to, "pairs of vertices");
    fprintf(to, "%" PRId64, pairs->pairs);
    if (m->source != NULL)
        fprintf(to, ", from %d %s", m->count, m->count == 1 ? "source" : "sources");
    if (pairs->without_path > 0)
        fprintf(to, "; %" PRId64 " without a path, left out", pairs->without_path);
    if (m->limit < NO_LIMIT)
        fprintf(to, "; only paths up to %s count", limit_digits(m->limit, text));
    fprintf(to, "\n");
    print_name(to, "largest distance");
    fprintf(to, "%s, from %s to %s\n", number_text(m->type, pairs->largest, text),
            graph_name(m->graph, pairs->from).text, graph_name(m->graph, pairs->to).text);
    if (pairs->without_path == pairs->pairs)
        return;
    print_name(to, "average distance");
    fprintf(to, "%.6g\n", pairs->average);
}

/* The lines of measures that have one of their own. */
static void print_labelled(FILE *to, const struct measures *m) {
    const struct measure_of_graph *row;
    for (size_t k = 0; (row = measure_of_graph_at(k)) != NULL; k++) {
        char text[EXACT_SIZE];
        if (row->label == NULL || !measures_have(m, row) ||
            (row->scope == MEASURE_IF_CONNECTED && !is_connected(m)))
            continue;
        const struct measured value = row->value(m);
        if (row->form == MEASURE_VERTICES) {
            print_vertices(to, row->label, m, value.real);
            continue;
        }
        print_name(to, row->label);
        if (row->form == MEASURE_REAL)
            fprintf(to, "%.6g\n", value.real);
        else if (row->form == MEASURE_DISTANCE)
            fprintf(to, "%s\n", number_text(m->type, value.real, text));
        else
            fprintf(to, "%s\n",
                    measure_is_integer(row->form, m->type)
                        ? exact_text(value.exact, text)
                        : number_text(NUMBER_FLOAT64, value.real, text));
    }
}

static void print_graph(FILE *to, const struct measures *m) {
    const struct graph_measures *g = &m->of_graph;
    char diameter[NUMBER_TEXT_MAX], radius[NUMBER_TEXT_MAX];
    print_name(to, m->directed ? "strongly connected" : "connected");
    if (is_connected(m))
        fprintf(to, "yes\n");
    else
        fprintf(to, "no: %d components, the largest of %d %s\n", g->components,
                g->largest_component, g->largest_component == 1 ? "vertex" : "vertices");
    print_name(to, "diameter, radius");
    if (is_connected(m))
        fprintf(to, "%s, %s\n", number_text(m->type, g->diameter, diameter),
                number_text(m->type, g->radius, radius));
    else
        fprintf(to, "infinite\n");
}

void measures_print(FILE *to, const struct measures *m) {
    print_pairs(to, m);
    if (measures_are_of_graph(m))
        print_graph(to, m);
    print_labelled(to, m);
    if (m->pairs.histogram.bins == 0)
        return;
    print_name(to, "histogram");
    char width[NUMBER_TEXT_MAX], first[NUMBER_TEXT_MAX];
    fprintf(to, "%d bins of width %s from %s\n", m->pairs.histogram.bins,
            number_text(NUMBER_FLOAT64, m->pairs.histogram.width, width),
            number_text(NUMBER_FLOAT64, m->pairs.histogram.first, first));
}

/* Reading ------------------------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *suffix) {
    const size_t length = strlen(path), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

/* How much of a path is the PREFIX. */
static size_t prefix_length(const char *path) {
    const size_t length = strlen(path);
    return ends_with(path, CSV_SUFFIX)    ? length - strlen(CSV_SUFFIX)
           : ends_with(path, JSON_SUFFIX) ? length - strlen(JSON_SUFFIX)
                                          : length;
}

static bool exists(const char *path, size_t length, const char *suffix) {
    char name[PATH_MAX];
    struct stat file;
    return snprintf(name, sizeof name, "%.*s%s", (int)length, path, suffix) < (int)sizeof name &&
           stat(name, &file) == 0 && !S_ISDIR(file.st_mode);
}

bool measures_are_meant(const char *path) {
    const size_t length = prefix_length(path);
    if (ends_with(path, CSV_SUFFIX))
        return true;
    return exists(path, length, CSV_SUFFIX) && !exists(path, length, ".dist.npy") &&
           !(length == strlen(path) && exists(path, length, ""));
}

/* A line without its end; false behind the last. */
struct line {
    const char *begin, *end;
};

static bool next_line(const char **at, const char *end, struct line *line) {
    if (*at == end)
        return false;
    const char *feed = memchr(*at, '\n', (size_t)(end - *at));
    *line = (struct line){*at, feed != NULL ? feed : end};
    *at = feed != NULL ? feed + 1 : end;
    if (line->end > line->begin && line->end[-1] == '\r')
        line->end--;
    return true;
}

/* Takes a field and the comma after it; a comma in quotes is part of the field. */
static struct line next_field(struct line *rest) {
    const struct line whole = *rest;
    bool quoted = false;
    while (rest->begin < rest->end && (quoted || *rest->begin != ',')) {
        quoted ^= *rest->begin == '"';
        rest->begin++;
    }
    const struct line field = {whole.begin, rest->begin};
    rest->begin += rest->begin < rest->end;
    return field;
}

static bool same_text(struct line a, struct line b) {
    const size_t length = (size_t)(a.end - a.begin);
    return length == (size_t)(b.end - b.begin) && memcmp(a.begin, b.begin, length) == 0;
}

/* For messages. */
static const char *quoted(struct line field, char text[64]) {
    snprintf(text, 64, "'%.*s'", (int)(field.end - field.begin < 40 ? field.end - field.begin : 40),
             field.begin);
    return text;
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
    const struct json_value *const member = json_text_member(file->json.root, OMITTED);
    unsigned omitted = 0;
    char expected[MEASURES_PARTS_TEXT];
    if (member != NULL &&
        (member->kind != JSON_IS_TEXT || !measures_parts_find(member->text, &omitted)))
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": %s", file->json_path, OMITTED,
                    measures_parts_expected(expected));
    file->parts = MEASURES_ALL & ~omitted;
    return STATUS_OK;
}

/* A .csv without checksum is accepted. */
static enum status check_crc(const struct measures_file *file, struct error *err) {
    const struct json_value *member = json_text_member(file->json.root, CSV_CRC);
    const uint32_t found = crc32_add(0, file->csv, file->csv_size);
    uint32_t said;
    if (member == NULL)
        return STATUS_OK;
    if (member->kind != JSON_IS_TEXT || !result_parse_checksum(member->text, &said))
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"%s\": eight hexadecimal digits",
                    file->json_path, CSV_CRC);
    return said == found ? STATUS_OK
                         : fail(err, STATUS_BAD_INPUT,
                                "%s: expected the file that %s describes, CRC-32 %08x, found %08x",
                                file->csv_path, file->json_path, said, found);
}

/* The vertex at the begin of a row. */
static bool parse_vertex(struct line field, int32_t n, int32_t *vertex) {
    int64_t value = 0;
    const char *at = field.begin;
    for (; at < field.end && *at >= '0' && *at <= '9' && value < n; at++)
        value = value * 10 + (*at - '0');
    *vertex = (int32_t)value;
    return at == field.end && at > field.begin && value < n;
}

static enum status check_row(const struct measures_file *file, int64_t number, struct line row,
                             int columns, int32_t *vertex, struct error *err) {
    char text[64];
    struct line rest = row;
    const struct line first = next_field(&rest);
    int fields = 1;
    if (!parse_vertex(first, file->n, vertex))
        return fail(err, STATUS_BAD_INPUT, "%s:%lld: expected a vertex in 0 .. %d, found %s",
                    file->csv_path, (long long)number, file->n - 1, quoted(first, text));
    for (; rest.begin < rest.end; fields++)
        (void)next_field(&rest);
    fields += row.end[-1] == ','; /* an empty field at the end */
    if (fields != columns)
        return fail(err, STATUS_BAD_INPUT, "%s:%lld: expected %d columns, found %d", file->csv_path,
                    (long long)number, columns, fields);
    return STATUS_OK;
}

static enum status check_head(const struct measures_file *file, struct columns columns,
                              struct line line, struct error *err) {
    char *head, text[64];
    size_t length;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(make_head(columns, &head, &length, err));
    head[--length] = '\0';
    if (!same_text(line, (struct line){head, head + length}))
        status = fail(err, STATUS_BAD_INPUT, "%s:1: expected '%s', found %s", file->csv_path, head,
                      quoted(line, text));
    memory_free(head);
    return status;
}

/* The head, the number of rows, and the sources unless they are all vertices. */
static enum status take_rows(struct measures_file *file, bool all, struct error *err) {
    const char *at = file->csv, *end = file->csv + file->csv_size;
    struct line line = {at, at};
    enum { VERTEX_AND_NAME = 2 };
    const struct columns columns = {file->directed, all, file->parts};
    const int fields = VERTEX_AND_NAME + count_columns(columns);
    next_line(&at, end, &line);
    RETURN_ON_FAILURE(check_head(file, columns, line, err));
    if ((uint64_t)file->sources.count > file->csv_size)
        return fail(err, STATUS_BAD_INPUT, "%s: truncated: expected %d rows", file->csv_path,
                    file->sources.count);
    int32_t *source = NULL;
    if (!all) {
        void *memory;
        RETURN_ON_FAILURE(
            memory_alloc(&memory, (size_t)file->sources.count, sizeof *source, "sources", err));
        file->sources.source = source = memory;
    }
    for (int32_t p = 0; p < file->sources.count; p++) {
        int32_t vertex;
        if (!next_line(&at, end, &line))
            return fail(err, STATUS_BAD_INPUT, "%s: truncated: expected %d rows, found %d",
                        file->csv_path, file->sources.count, p);
        RETURN_ON_FAILURE(check_row(file, (int64_t)p + 2, line, fields, &vertex, err));
        if (source != NULL)
            source[p] = vertex;
        else if (vertex != p)
            return fail(err, STATUS_BAD_INPUT, "%s:%lld: expected vertex %d, found %d",
                        file->csv_path, (long long)p + 2, p, vertex);
    }
    if (at != end)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %d rows and nothing behind them",
                    file->csv_path, file->sources.count);
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
    const struct json_value *const type = json_text_member(file->json.root, TYPE);
    if (type != NULL && type->kind == JSON_IS_TEXT)
        file->type = number_find(type->text);
    if ((type != NULL && type->kind != JSON_IS_TEXT) || file->type == NUMBER_TYPES)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a \"%s\" of int32, float32 or float64",
                    file->json_path, TYPE);
    file->limit = limit_for(file->type, file->limit);
    RETURN_ON_FAILURE(take_parts(file, err));
    file->n = (int32_t)n;
    file->sources.count = (int32_t)count;
    if (json_text_member(file->json.root, EDGES) != NULL)
        RETURN_ON_FAILURE(take_integer(file, EDGES, 0, INT64_MAX, &file->edges_read, err));
    RETURN_ON_FAILURE(result_take_made(file->json.root, file->json_path, &file->made, err));
    RETURN_ON_FAILURE(check_crc(file, err));
    return take_rows(file, all, err);
}

static enum status read_opened(const int fds[], const int reasons[], struct measures_file *file,
                               struct error *err) {
    const char *const paths[] = {file->csv_path, file->json_path};
    char *json = NULL;
    size_t size = 0;
    for (int f = 0; f < 2; f++) {
        if (fds[f] < 0)
            return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", paths[f],
                        strerror(reasons[f]));
    }
    enum status status = read_whole(fds[0], file->csv_path, &file->csv, &file->csv_size, err);
    if (status == STATUS_OK)
        status = read_whole(fds[1], file->json_path, &json, &size, err);
    if (status == STATUS_OK)
        status = json_text_read(file->json_path, json, size, &file->json, err);
    memory_free(json);
    return status == STATUS_OK ? understand(file, err) : status;
}

enum status measures_read(const char *path, struct measures_file *file, struct error *err) {
    int fds[2] = {-1, -1}, reasons[2];
    enum status status = STATUS_NO_RESOURCE;
    *file = (struct measures_file){.edges_read = -1, .limit = NO_LIMIT};
    char *prefix = strndup(path, prefix_length(path));
    if (prefix == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: %s", path);
    file->csv_path = join(prefix, CSV_SUFFIX, err);
    file->json_path = join(prefix, JSON_SUFFIX, err);
    free(prefix);
    if (file->csv_path != NULL && file->json_path != NULL) {
        const char *const paths[] = {file->csv_path, file->json_path};
        output_open_together(paths, 2, fds, reasons);
        status = read_opened(fds, reasons, file, err);
    }
    for (int f = 0; f < 2; f++) {
        if (fds[f] >= 0)
            close(fds[f]);
    }
    if (status != STATUS_OK)
        measures_file_free(file);
    return status;
}

void measures_file_free(struct measures_file *file) {
    free(file->csv_path);
    free(file->json_path);
    memory_free(file->csv);
    memory_free(file->json.memory);
    memory_free((void *)(uintptr_t)file->sources.source); /* its own */
    *file = (struct measures_file){0};
}

/* Comparing ----------------------------------------------------------------------------------- */

static const char *value_text(const struct json_value *value, char text[JSON_REAL_SIZE]) {
    switch (value->kind) {
    case JSON_IS_NULL:
        return "null";
    case JSON_IS_TRUE:
        return "true";
    case JSON_IS_FALSE:
        return "false";
    case JSON_IS_INTEGER:
        snprintf(text, JSON_REAL_SIZE, "%" PRId64, value->integer);
        return text;
    case JSON_IS_REAL:
        json_text_real(text, value->number, REAL_DIGITS);
        return text;
    default:
        return value->kind == JSON_IS_ARRAY ? "an array" : "text or an object";
    }
}

static bool is_number(const struct json_value *value) {
    return value->kind == JSON_IS_INTEGER || value->kind == JSON_IS_REAL;
}

static bool same_scalar(const struct json_value *a, const struct json_value *b) {
    if (a->kind == JSON_IS_INTEGER && b->kind == JSON_IS_INTEGER)
        return a->integer == b->integer;
    if (a->kind == JSON_IS_TEXT && b->kind == JSON_IS_TEXT)
        return strcmp(a->text, b->text) == 0;
    return is_number(a) && is_number(b) ? a->number == b->number : a->kind == b->kind;
}

static enum status compare_value(const struct measures_file *file, const char *name,
                                 const struct json_value *expected, const struct json_value *found,
                                 struct error *err);

static enum status compare_members(const struct measures_file *file,
                                   const struct json_value *expected,
                                   const struct json_value *found, struct error *err) {
    for (const struct json_value *member = expected->first; member != NULL; member = member->next)
        RETURN_ON_FAILURE(
            compare_value(file, member->name, member, json_text_member(found, member->name), err));
    return STATUS_OK;
}

/* Names the subject of the measures, for messages. */
static const char *kind_of(const struct measures *m) {
    return m->limit < NO_LIMIT        ? "distances up to a limit"
           : m->source != NULL        ? "some sources"
           : m->parts != MEASURES_ALL ? "a graph, without those that are omitted"
           : m->directed              ? "a directed graph"
                                      : "a graph that is not directed";
}

/* A measure that nobody computes anew would seem proved. */
static enum status refuse_others(const struct measures_file *file, const struct measures *m,
                                 const struct json_value *expected, struct error *err) {
    const struct measure_of_graph *row;
    for (size_t k = 0; (row = measure_of_graph_at(k)) != NULL; k++) {
        const char *const names[] = {row->name, measure_member(row, true)};
        for (int n = 0; n < 2; n++) {
            if (json_text_member(file->json.root, names[n]) != NULL &&
                json_text_member(expected, names[n]) == NULL)
                return fail(err, STATUS_BAD_INPUT, "%s: expected no \"%s\" in measures of %s",
                            file->json_path, names[n], kind_of(m));
        }
    }
    return STATUS_OK;
}

static enum status compare_arrays(const struct measures_file *file, const char *name,
                                  const struct json_value *expected, const struct json_value *found,
                                  struct error *err) {
    const struct json_value *a = expected->first, *b = found->first;
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        RETURN_ON_FAILURE(compare_value(file, name, a, b, err));
    return a == NULL && b == NULL ? STATUS_OK
                                  : fail(err, STATUS_REFUTED, "%s: \"%s\" has too %s numbers",
                                         file->json_path, name, a != NULL ? "few" : "many");
}

static enum status compare_value(const struct measures_file *file, const char *name,
                                 const struct json_value *expected, const struct json_value *found,
                                 struct error *err) {
    char wanted[JSON_REAL_SIZE], had[JSON_REAL_SIZE];
    if (found == NULL || (found->kind == JSON_IS_TEXT) != (expected->kind == JSON_IS_TEXT) ||
        (found->kind == JSON_IS_OBJECT) != (expected->kind == JSON_IS_OBJECT))
        return fail(err, STATUS_BAD_INPUT, "%s: expected the measure \"%s\"", file->json_path,
                    name);
    if (expected->kind == JSON_IS_OBJECT)
        return compare_members(file, expected, found, err);
    if (expected->kind == JSON_IS_ARRAY && found->kind == JSON_IS_ARRAY)
        return compare_arrays(file, name, expected, found, err);
    if (same_scalar(expected, found))
        return STATUS_OK;
    return fail(err, STATUS_REFUTED, "%s: \"%s\": expected %s, found %s", file->json_path, name,
                value_text(expected, wanted), value_text(found, had));
}

static enum status compare_json(const struct measures_file *file, const struct measures *m,
                                struct error *err) {
    struct json_long_text text = {0};
    struct json_document expected = {0};
    enum status status;
    TRY(write_json(m, NULL, 0, false, &text, err));
    TRY(json_text_read("measures", text.text, text.size, &expected, err));
    TRY(compare_members(file, expected.root, file->json.root, err));
    TRY(refuse_others(file, m, expected.root, err));
cleanup:
    memory_free(text.text);
    memory_free(expected.memory);
    return status;
}

/* Whether a field is written like a number. */
static bool is_numeric(struct line field) {
    const char *c = field.begin;
    while (c < field.end && strchr("+-.0123456789eE", *c) != NULL && *c != '\0')
        c++;
    return c == field.end && c > field.begin;
}

/* Compares a row with that of the file; `row` has room for it. */
static enum status compare_row(const struct measures_file *file, const struct measures *m,
                               int32_t position, struct line found, char *row, struct error *err) {
    enum { NUMBER = -2, NAME };
    char wanted[64], had[64];
    const int length = put_row(m, &m->graph->naming, position, row);
    struct line expected = {row, row + length - 1};
    for (int c = NUMBER; expected.begin < expected.end; c++) {
        const struct line a = next_field(&expected), b = next_field(&found);
        if (same_text(a, b))
            continue;
        return fail(err, is_numeric(b) || c == NAME ? STATUS_REFUTED : STATUS_BAD_INPUT,
                    "%s:%lld: %s of vertex %s: expected %s, found %s%s", file->csv_path,
                    (long long)position + 2,
                    c == NUMBER ? "the number"
                    : c == NAME ? "the id"
                                : column_name(columns_of(m), c),
                    graph_name(m->graph, measures_source(m, position)).text, quoted(a, wanted),
                    quoted(b, had), graph_numbering(m->graph));
    }
    return STATUS_OK;
}

enum status measures_compare(const struct measures_file *file, const struct measures *m,
                             struct error *err) {
    const char *at = file->csv, *const end = file->csv + file->csv_size;
    struct line line;
    if (file->directed != m->directed)
        return fail(err, STATUS_REFUTED, "%s: \"directed\": expected %s, found %s", file->json_path,
                    m->directed ? "true" : "false", file->directed ? "true" : "false");
    next_line(&at, end,
              &line); /* the head, which measures_read has seen, like the number of rows */
    void *row;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&row, row_size(m, &m->graph->naming), 1, "a row of text", err));
    for (int32_t p = 0; p < m->count && status == STATUS_OK && next_line(&at, end, &line); p++)
        status = compare_row(file, m, p, line, row, err);
    memory_free(row);
    RETURN_ON_FAILURE(status);
    return compare_json(file, m, err);
}
