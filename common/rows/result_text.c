// SPDX-License-Identifier: MIT
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/crc32.h"       // crc32_add
#include "common/base/digits.h"      // digits_put
#include "common/base/memory.h"      // memory_alloc, memory_check
#include "common/base/number_text.h" // number_put
#include "common/base/output.h"      // output_open, output_commit
#include "common/base/threads.h"     // threads_or_default
#include "common/graph/graph.h"      // INF
#include "common/rows/result_io.h"   // struct result
#include "common/rows/result_parts.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* A result that ends after its distances is truncated unless it has this line. */
static const char no_predecessors[] = "# predecessors: none";

/* Beginning of a line with the name of a vertex. */
#define ID_KEY       "# id "
#define SEMIRING_KEY "semiring"
#define GRID_KEY     "# weights rounded to multiples of:"

enum {
    LONGEST_LINE = 1 << 20, /* the least limit of a line's length, in bytes */
    LONGEST_CELL = 12,      /* bytes of the longest cell, "-1073741822" and a tab */
    LONGEST_REAL = NUMBER_TEXT_MAX,
    MAX_CELL_READ = 32, /* bytes that are read of a cell; a longer one cannot be a number */
    EXCERPT = 48,
};

/* Formats the cells of rows first .. last - 1; returns the end of the text. */
static char *format_rows(const struct digits *digits, const struct matrix *m, int32_t first,
                         int32_t last, bool distances, char *to) {
    for (int32_t i = first; i < last; i++) {
        const int32_t *row = matrix_row(m, i);
        for (int32_t j = 0; j < m->n; j++) {
            uint32_t value = (uint32_t)row[j];
            if (value < DIGITS_GROUP) {
                const char *text = digits->plain[value];
                memcpy(to, text, 8);
                to += text[7];
            } else if (distances && row[j] == INF) {
                memcpy(to, "INF", 3);
                to += 3;
            } else if (distances && row[j] == -INF) {
                memcpy(to, "-INF", 4);
                to += 4;
            } else {
                to = digits_put(digits, to, row[j]);
            }
            *to++ = '\t';
        }
        to[-1] = '\n';
    }
    return to;
}

/* Does what format_rows does for real distances. */
static char *format_real_rows(const struct matrix *m, int32_t first, int32_t last, char *to) {
    for (int32_t i = first; i < last; i++) {
        const void *const row = matrix_row_cells(m, i);
        for (int32_t j = 0; j < m->n; j++) {
            const double dist = number_at(m->type, row, j);
            if (isinf(dist)) {
                to = stpcpy(to, dist > 0 ? "INF" : "-INF");
            } else {
                to = number_put(to, dist, m->type);
            }
            *to++ = '\t';
        }
        to[-1] = '\n';
    }
    return to;
}

/* Many threads format chunks of rows, which are written in order. A thread sleeps until its turn
 * comes, because spinning, as OpenMP's ordered regions do, would take the cores from threads that
 * still format. */
struct turn {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int32_t chunk;
    enum status status;
    struct error error;
};

static void write_in_turn(struct turn *turn, int32_t chunk, struct output *out, const char *text,
                          size_t size, enum status formatted, const struct error *reason) {
    pthread_mutex_lock(&turn->lock);
    while (turn->chunk != chunk)
        pthread_cond_wait(&turn->changed, &turn->lock);
    if (turn->status == STATUS_OK && formatted != STATUS_OK) {
        turn->status = formatted;
        turn->error = *reason;
    }
    if (turn->status == STATUS_OK)
        turn->status = output_write(out, text, size, &turn->error);
    turn->chunk++;
    pthread_cond_broadcast(&turn->changed);
    pthread_mutex_unlock(&turn->lock);
}

/* Returns the most bytes of a row as text. */
static size_t row_bytes_of(bool is_real, int32_t n) {
    return (size_t)n * (is_real ? LONGEST_REAL : LONGEST_CELL);
}

/* Returns the number of rows in a chunk. */
static int32_t rows_at_once(size_t row_bytes) {
    return row_bytes < block_sizes.text_bytes ? (int32_t)(block_sizes.text_bytes / row_bytes) : 1;
}

static int threads_for(int32_t rows, size_t row_bytes, int threads) {
    const int32_t chunk = rows_at_once(row_bytes), chunks = (rows - 1) / chunk + 1;
    return threads < chunks ? threads : chunks;
}

uint64_t result_text_memory(const struct result_layout *layout, int threads) {
    const bool is_real =
        npy_type_is_real(layout->type) || layout->type == NPY_INT64; /* type in memory */
    const size_t row = row_bytes_of(is_real, layout->targets.count);
    const uint64_t chunk = (uint64_t)rows_at_once(row) * row + DIGITS_LONGEST;
    threads = threads_for(layout->sources.count, row, threads_or_default(threads));
    return sizeof(struct digits) + (uint64_t)threads * chunk;
}

static enum status write_matrix(struct output *out, const struct digits *digits,
                                const struct matrix *m, bool distances, int threads,
                                struct error *err) {
    const bool is_real = m->type != NUMBER_INT32;
    const size_t row_bytes = row_bytes_of(is_real, m->n);
    const int32_t rows = rows_at_once(row_bytes), chunks = (m->rows + rows - 1) / rows;
    struct turn turn = {
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, STATUS_OK, {.text = ""}};
    turn.status = output_write(out, "\n", 1, &turn.error);
#pragma omp parallel num_threads(threads_for(m->rows, row_bytes, threads))
    {
        void *text = NULL;
        struct error mine;
        enum status allocated = memory_alloc(&text, (size_t)rows * row_bytes + DIGITS_LONGEST, 1,
                                             "an output buffer", &mine);
#pragma omp for schedule(static, 1)
        for (int32_t chunk = 0; chunk < chunks; chunk++) {
            int32_t first = chunk * rows;
            int32_t last = first + rows < m->rows ? first + rows : m->rows;
            char *end = allocated != STATUS_OK ? text
                        : is_real              ? format_real_rows(m, first, last, text)
                                  : format_rows(digits, m, first, last, distances, text);
            write_in_turn(&turn, chunk, out, text, (size_t)(end - (char *)text), allocated, &mine);
        }
        memory_free(text);
    }
    if (turn.status != STATUS_OK)
        *err = turn.error;
    return turn.status;
}

static enum status write_head(struct output *out, const struct result *result, struct error *err) {
    char text[96];
    int length = snprintf(text, sizeof text, "|V| = %d, |E| = %lld\n", result_vertices(result),
                          (long long)result->edges_read);
    return output_write(out, text, (size_t)length, err);
}

/* Writes "semiring = NAME", unless it is min-plus. */
static enum status write_semiring(struct output *out, enum semiring semiring, struct error *err) {
    char text[64];
    const int length = snprintf(text, sizeof text, SEMIRING_KEY " = %s\n", semiring_name(semiring));
    return semiring != SEMIRING_MIN_PLUS ? output_write(out, text, (size_t)length, err) : STATUS_OK;
}

/* Writes "|S| = k: v v ...", the vertices of the rows, or "|T| = ...", those of the columns, unless
 * they are all vertices. */
static enum status write_list(struct output *out, char name, const struct vertex_list *list,
                              struct error *err) {
    enum { LONGEST = 12, MAX_TEXT = 4096 };
    char text[MAX_TEXT + LONGEST];
    if (list->vertex == NULL)
        return STATUS_OK;
    int length = snprintf(text, sizeof text, "|%c| = %d:", name, list->count);
    for (int32_t k = 0; k < list->count; k++) {
        length += snprintf(text + length, LONGEST, " %d", list->vertex[k]);
        if (length < MAX_TEXT)
            continue;
        RETURN_ON_FAILURE(output_write(out, text, (size_t)length, err));
        length = 0;
    }
    text[length++] = '\n';
    return output_write(out, text, (size_t)length, err);
}

/* Writes the line "limit = L" if there is a limit. */
static enum status write_limit(struct output *out, double limit, struct error *err) {
    char text[NUMBER_TEXT_MAX + 16], digits[NUMBER_TEXT_MAX];
    const int length = snprintf(text, sizeof text, "limit = %s\n", limit_digits(limit, digits));
    return limit < NO_LIMIT ? output_write(out, text, (size_t)length, err) : STATUS_OK;
}

/* Writes a line "# id V: NAME" for each vertex, unless vertices are numbered. */
static enum status write_ids(struct output *out, const struct result *result, struct error *err) {
    char line[NAMES_LONGEST + sizeof ID_KEY + 16];
    const struct vertex_naming *const naming = &result->made.naming;
    for (int32_t v = 0; naming->names != NULL && v < result_vertices(result); v++) {
        size_t length = (size_t)sprintf(line, ID_KEY "%d: ", v);
        length += naming_put(naming, v, line + length, NAMES_LONGEST + 1);
        line[length++] = '\n';
        RETURN_ON_FAILURE(output_write(out, line, length, err));
    }
    return STATUS_OK;
}

static enum status write_provenance(struct output *out, const struct result *result,
                                    struct error *err) {
    char text[1024];
    const struct provenance *made = &result->made;
    /* Numbers have a point in every locale. */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    char grid[64] = "";
    if (made->grid > 0)
        snprintf(grid, sizeof grid, GRID_KEY " %.17g\n", made->grid);
    int length = snprintf(
        text, sizeof text,
        "%s%s"
        "# solver: %s %s\n"
        "# solve_s: %.9g\n"
        "# total_s: %.9g\n"
        "# graph: %s\n"
        "%s%s%s",
        result->pred.cell == NULL ? no_predecessors : "", result->pred.cell == NULL ? "\n" : "",
        made->program, made->variant, made->solve_s, made->total_s, made->graph,
        made->naming.names != NULL || made->naming.first == 0 ? "" : "# vertices from: 1\n", grid,
        made->proved ? "# proved: before it was written\n" : "");
    /* A result that was read may lack the checksum of its graph. */
    if (made->has_checksum)
        length += snprintf(text + length, sizeof text - (size_t)length, "# graph checksum: %08x\n",
                           made->checksum);
    uselocale(before);
    if (plain != (locale_t)0)
        freelocale(plain);
    RETURN_ON_FAILURE(output_write(out, text, (size_t)length, err));
    return write_ids(out, result, err);
}

enum status result_write_text(const char *path, const struct result *result, int threads,
                              struct error *err) {
    struct output out;
    void *table = NULL;
    enum status status;
    RETURN_ON_FAILURE(output_open(&out, path, err));
    TRY(memory_alloc(&table, 1, sizeof(struct digits), "a table of digits", err));
    struct digits *digits = table;
    digits_fill(digits);
    threads = threads_or_default(threads);
    TRY(write_head(&out, result, err));
    TRY(write_semiring(&out, result->made.semiring, err));
    TRY(write_list(&out, 'S', &result->sources, err));
    TRY(write_list(&out, 'T', &result->targets, err));
    TRY(write_limit(&out, result->limit, err));
    TRY(write_matrix(&out, digits, &result->dist, true, threads, err));
    if (result->pred.cell != NULL)
        TRY(write_matrix(&out, digits, &result->pred, false, threads, err));
    TRY(write_provenance(&out, result, err));
    TRY(output_commit(&out, err));
cleanup:
    output_discard(&out);
    memory_free(table);
    return status;
}

/* A text result that is being read. */
struct text_reading {
    struct text_source *source;
    enum number_type type; /* type of the distances */
    enum semiring semiring;
    size_t max_line;
};

static bool take_text(struct text_line *rest, const char *text) {
    size_t length = strlen(text);
    text_skip_blanks(rest);
    if ((size_t)(rest->end - rest->begin) < length || memcmp(rest->begin, text, length) != 0)
        return false;
    rest->begin += length;
    return true;
}

/* Reads "|V| = n, |E| = m". */
static bool take_head(struct text_line line, int64_t *n, int64_t *m) {
    char digits[64];
    if (!take_text(&line, "|V|") || !take_text(&line, "="))
        return false;
    /* A comma follows the number, not a blank. */
    const char *comma = memchr(line.begin, ',', (size_t)(line.end - line.begin));
    if (comma == NULL || comma - line.begin >= (ptrdiff_t)sizeof digits)
        return false;
    struct text_line number = {line.begin, comma};
    line.begin = comma + 1;
    if (!text_take_integer(&number, n))
        return false;
    text_skip_blanks(&number);
    if (number.begin != number.end || !take_text(&line, "|E|") || !take_text(&line, "="))
        return false;
    if (!text_take_integer(&line, m))
        return false;
    text_skip_blanks(&line);
    return line.begin == line.end;
}

/* Takes one distance or predecessor. The most frequent case, a few digits before a blank, is
 * decoded here. */
static bool take_cell(struct text_line *rest, bool distances, int32_t *cell) {
    text_skip_blanks(rest);
    const char *at = rest->begin;
    int64_t value = 0;
    while (at < rest->end && (unsigned)(*at - '0') < 10 && at - rest->begin < 9)
        value = value * 10 + (*at++ - '0');
    if (at > rest->begin && (at == rest->end || text_is_blank(*at))) {
        rest->begin = at;
        *cell = (int32_t)value;
        return true;
    }
    if (distances && (take_text(rest, "INF") || take_text(rest, "\u221e"))) {
        *cell = INF;
        return rest->begin == rest->end || text_is_blank(*rest->begin);
    }
    const int64_t limit = distances ? INF - 1 : INT32_MAX;
    struct text_line taken = *rest;
    if (!text_take_integer(&taken, &value) || value > limit || value < -limit)
        return false;
    *rest = taken;
    *cell = (int32_t)value;
    return true;
}

/* Takes a length of -INF, which occurs in other semirings than min-plus. */
static bool take_lowest(struct text_line *rest, int32_t *cell) {
    struct text_line taken = *rest;
    if (!take_text(&taken, "-INF") || (taken.begin < taken.end && !text_is_blank(*taken.begin)))
        return false;
    *rest = taken;
    *cell = -INF;
    return true;
}

/* Does what take_cell does for a real distance, which may be infinite, and below 0 if
 * may_be_lowest. */
static bool take_real_cell(struct text_line *rest, enum number_type type, bool may_be_lowest,
                           void *row, int32_t j) {
    double value;
    text_skip_blanks(rest);
    if (take_text(rest, "\u221e")) {
        value = INFINITY;
        if (rest->begin < rest->end && !text_is_blank(*rest->begin))
            return false;
    } else if (text_take_real(rest, type, &value) != TEXT_REAL ||
               (value < -DBL_MAX && !may_be_lowest)) {
        return false;
    }
    if (type == NUMBER_FLOAT32)
        ((float *)row)[j] = (float)value;
    else
        ((double *)row)[j] = value;
    return true;
}

/* Reports the text that is in place of a cell; if a number is too large, also the range. */
static enum status wrong_cell(const struct text_reading *r, struct text_line at, bool distances,
                              int32_t number, int32_t n, struct error *err) {
    char found[EXCERPT], range[64] = "";
    int64_t value;
    const int32_t most = distances ? INF - 1 : INT32_MAX;
    text_excerpt(at, found, sizeof found);
    if (distances && r->type != NUMBER_INT32)
        snprintf(range, sizeof range, ", which is no %s", number_name(r->type));
    else if (text_take_integer(&at, &value))
        snprintf(range, sizeof range, ", outside -%d .. %d", most, most);
    text_source_fail(r->source, err, "expected %s number %d of %d, found %s%s",
                     distances ? "distance" : "predecessor", number, n, found, range);
    err->is_out_of_range = distances && r->type == NUMBER_INT32 && range[0] != '\0';
    return STATUS_BAD_INPUT;
}

static enum status read_row(const struct text_reading *r, struct text_line line, bool distances,
                            int32_t n, void *row, struct error *err) {
    char found[EXCERPT];
    const bool is_real = distances && r->type != NUMBER_INT32;
    const bool may_be_lowest = distances && r->semiring != SEMIRING_MIN_PLUS;
    for (int32_t j = 0; j < n; j++) {
        struct text_line before = line;
        if (!is_real && may_be_lowest && take_lowest(&line, (int32_t *)row + j))
            continue;
        if (is_real ? !take_real_cell(&line, r->type, may_be_lowest, row, j)
                    : !take_cell(&line, distances, (int32_t *)row + j))
            return wrong_cell(r, before, distances, j + 1, n, err);
    }
    text_skip_blanks(&line);
    if (line.begin < line.end)
        return text_source_fail(r->source, err, "expected %d entries, found %s after them", n,
                                text_excerpt(line, found, sizeof found));
    return STATUS_OK;
}

/* Reads rows of n entries; line: the first row. */
static enum status read_matrix(struct text_reading *r, struct text_line line, bool distances,
                               int32_t rows, int32_t n, struct matrix *m, struct error *err) {
    const char *what = distances ? "distances" : "predecessors";
    RETURN_ON_FAILURE(
        matrix_alloc_typed(m, distances ? r->type : NUMBER_INT32, rows, n, what, err));
    for (int32_t i = 0; i < rows; i++) {
        bool found = true;
        if (i > 0)
            RETURN_ON_FAILURE(text_source_next_filled(r->source, r->max_line, &line, &found, err));
        if (!found)
            return fail(err, STATUS_BAD_INPUT,
                        "%s: truncated: expected %d rows of %s, found the end of the file after %d",
                        r->source->name, rows, what, i);
        RETURN_ON_FAILURE(read_row(r, line, distances, n, matrix_row_cells(m, i), err));
    }
    return STATUS_OK;
}

/* Reads "V: NAME"; names are in the order of vertices. */
static void take_id(struct text_line line, struct provenance *made) {
    char number[16];
    const int length = snprintf(number, sizeof number, "%d: ", made->ids);
    if (line.end - line.begin < length || memcmp(line.begin, number, (size_t)length) != 0) {
        snprintf(made->note, sizeof made->note, "its ids are not in the order of vertices");
        return;
    }
    line.begin += length;
    made->ids++;
    made->ids_checksum = crc32_add(made->ids_checksum, line.begin, (size_t)(line.end - line.begin));
    made->ids_checksum = crc32_add(made->ids_checksum, "\n", 1);
}

/* Reads a line "# key: value"; unknown keys are skipped. */
static void take_provenance(struct text_line line, struct provenance *made,
                            bool *without_predecessors) {
    static const char key[] = "# graph checksum:";
    char value[16] = "";
    if (take_text(&line, no_predecessors)) {
        *without_predecessors = true;
    } else if (take_text(&line, "# vertices from: 1")) {
        made->naming.first = 1;
    } else if (take_text(&line, ID_KEY)) {
        take_id(line, made);
    } else if (take_text(&line, GRID_KEY)) {
        text_skip_blanks(&line);
        double spacing = 0;
        if (text_take_real(&line, NUMBER_FLOAT64, &spacing) == TEXT_REAL && spacing > 0 &&
            spacing <= DBL_MAX)
            made->grid = spacing;
    } else if (take_text(&line, key)) {
        text_skip_blanks(&line);
        const size_t length = (size_t)(line.end - line.begin);
        const bool second = made->has_checksum || made->note[0] != '\0';
        if (length < sizeof value)
            memcpy(value, line.begin, length);
        made->has_checksum = !second && result_parse_checksum(value, &made->checksum);
        if (!made->has_checksum)
            snprintf(made->note, sizeof made->note, "%s",
                     second ? "it has two graph checksums"
                            : "its graph checksum is not eight hexadecimal digits");
    }
}

/* Checks that a matrix fits into memory before it is read. */
static enum status check_memory(const struct text_reading *r, enum number_type type, int64_t rows,
                                int64_t n, const char *what, struct error *err) {
    const struct memory_part part = {what, matrix_memory_typed(type, rows, n), 0};
    return memory_check(r->source->name, n, &part, 1, err);
}

/* Reads "|S| = k: v v ..." if that is the current line: then *rows becomes k, and *line the next
 * line. */
static enum status read_sources(struct text_reading *r, struct text_line *line, bool *found,
                                int32_t n, int32_t *rows, struct vertex_list *sources,
                                struct error *err) {
    struct text_line rest = *line, number;
    char excerpt[EXCERPT];
    int64_t count = 0;
    void *list = NULL;
    enum status status = STATUS_OK;
    *rows = n;
    if (!take_text(&rest, "|S|") || !take_text(&rest, "="))
        return STATUS_OK;
    const char *const colon = memchr(rest.begin, ':', (size_t)(rest.end - rest.begin));
    number = (struct text_line){rest.begin, colon};
    if (colon == NULL || !text_take_integer(&number, &count) || number.begin != colon ||
        count < 1 || count > n)
        return text_source_fail(r->source, err, "expected '|S| = k: vertices', found %s",
                                text_excerpt(*line, excerpt, sizeof excerpt));
    rest.begin = colon + 1;
    TRY(memory_alloc(&list, (size_t)count, sizeof(int32_t), "the sources", err));
    TRY(read_row(r, rest, false, (int32_t)count, list, err));
    TRY(vertex_list_copy(r->source->name, list, (int32_t)count, n, sources, err));
    *rows = (int32_t)count;
    status = text_source_next_filled(r->source, r->max_line, line, found, err);
cleanup:
    memory_free(list);
    return status;
}

/* Fails if the line is "|T| = k: v v ...". */
static enum status refuse_targets(const struct text_reading *r, struct text_line line, int64_t n,
                                  struct error *err) {
    int64_t targets = 0;
    if (!take_text(&line, "|T|") || !take_text(&line, "="))
        return STATUS_OK;
    const char *const colon = memchr(line.begin, ':', (size_t)(line.end - line.begin));
    struct text_line number = {line.begin, colon != NULL ? colon : line.begin};
    (void)text_take_integer(&number, &targets);
    return result_refuse_columns(r->source->name, targets, n, err);
}

/* Reads "limit = L" if that is the current line; then *line becomes the next line. */
static enum status read_limit(struct text_reading *r, struct text_line *line, bool *found,
                              double *limit, struct error *err) {
    struct text_line rest = *line;
    char excerpt[EXCERPT];
    double value = 0;
    if (!take_text(&rest, "limit"))
        return STATUS_OK;
    const bool has_sign = take_text(&rest, "=");
    struct text_line wrong = has_sign ? rest : *line;
    text_skip_blanks(&wrong);
    const bool is_limit = has_sign && text_take_real(&rest, NUMBER_FLOAT64, &value) == TEXT_REAL &&
                          value >= 0 && value < NO_LIMIT;
    text_skip_blanks(&rest);
    if (is_limit)
        wrong = rest;
    if (!is_limit || rest.begin != rest.end)
        return text_source_fail(r->source, err,
                                "expected 'limit = L' with L of 0 or more, found %s",
                                text_excerpt(wrong, excerpt, sizeof excerpt));
    *limit = value;
    return text_source_next_filled(r->source, r->max_line, line, found, err);
}

/* Reads "semiring = NAME" if that is the current line; then *line becomes the next line. */
static enum status read_semiring(struct text_reading *r, struct text_line *line, bool *found,
                                 struct error *err) {
    struct text_line rest = *line;
    char name[16] = "", excerpt[EXCERPT];
    if (!take_text(&rest, SEMIRING_KEY))
        return STATUS_OK;
    const bool has_sign = take_text(&rest, "=");
    text_skip_blanks(&rest);
    while (rest.end > rest.begin && text_is_blank(rest.end[-1]))
        rest.end--;
    const size_t length = (size_t)(rest.end - rest.begin);
    if (length < sizeof name)
        memcpy(name, rest.begin, length);
    r->semiring = semiring_find(name);
    if (!has_sign || r->semiring == SEMIRINGS)
        return text_source_fail(r->source, err,
                                "expected '" SEMIRING_KEY " = ' and " SEMIRING_NAMES ", found %s",
                                text_excerpt(*line, excerpt, sizeof excerpt));
    return text_source_next_filled(r->source, r->max_line, line, found, err);
}

/* Reads the head, and stores the line after it in *line. */
static enum status read_head(struct text_reading *r, int64_t *n, int64_t *edges,
                             struct text_line *line, bool *found, struct error *err) {
    char excerpt[EXCERPT];
    RETURN_ON_FAILURE(text_source_next_filled(r->source, r->max_line, line, found, err));
    if (!*found)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a result, found an empty file",
                    r->source->name);
    if (!take_head(*line, n, edges) || *n < 1 || *n > INT32_MAX)
        return text_source_fail(r->source, err, "expected '|V| = n, |E| = m', found %s",
                                text_excerpt(*line, excerpt, sizeof excerpt));
    r->max_line = (size_t)*n * MAX_CELL_READ + sizeof "\r\n";
    if (r->max_line < LONGEST_LINE)
        r->max_line = LONGEST_LINE;
    RETURN_ON_FAILURE(text_source_next_filled(r->source, r->max_line, line, found, err));
    return *found ? read_semiring(r, line, found, err) : STATUS_OK;
}

static enum status read_all(struct text_reading *r, struct result *result, struct error *err) {
    struct text_line line;
    bool found, without_predecessors = false;
    int64_t n = 0;
    int32_t rows = 0;
    char excerpt[EXCERPT];
    RETURN_ON_FAILURE(read_head(r, &n, &result->edges_read, &line, &found, err));
    result->made.semiring = r->semiring;
    if (found)
        RETURN_ON_FAILURE(read_sources(r, &line, &found, (int32_t)n, &rows, &result->sources, err));
    if (found)
        RETURN_ON_FAILURE(refuse_targets(r, line, n, err));
    RETURN_ON_FAILURE(read_limit(r, &line, &found, &result->limit, err));
    if (!found)
        return fail(err, STATUS_BAD_INPUT, "%s: truncated: no distances", r->source->name);
    RETURN_ON_FAILURE(check_memory(r, r->type, rows, n, "for distances", err));
    RETURN_ON_FAILURE(read_matrix(r, line, true, rows, (int32_t)n, &result->dist, err));
    RETURN_ON_FAILURE(text_source_next_filled(r->source, r->max_line, &line, &found, err));
    if (found && *line.begin != '#') {
        RETURN_ON_FAILURE(check_memory(r, NUMBER_INT32, rows, n, "for predecessors", err));
        RETURN_ON_FAILURE(read_matrix(r, line, false, rows, (int32_t)n, &result->pred, err));
        RETURN_ON_FAILURE(text_source_next_filled(r->source, r->max_line, &line, &found, err));
    }
    while (found) {
        if (*line.begin != '#')
            return text_source_fail(r->source, err, "expected the end of the file, found %s",
                                    text_excerpt(line, excerpt, sizeof excerpt));
        take_provenance(line, &result->made, &without_predecessors);
        RETURN_ON_FAILURE(text_source_next_filled(r->source, r->max_line, &line, &found, err));
    }
    if (result->pred.cell == NULL && !without_predecessors)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: truncated: expected predecessors, or a line '%s', after the distances",
                    r->source->name, no_predecessors);
    return STATUS_OK;
}

enum status result_read_text_source(struct text_source *source, enum number_type type,
                                    struct result *result, struct error *err) {
    struct text_reading r = {.source = source, .type = type, .max_line = LONGEST_LINE};
    return read_all(&r, result, err);
}

enum status result_text_semiring(const char *path, enum semiring *semiring, struct error *err) {
    struct text_source source;
    struct text_reading r = {.source = &source, .max_line = LONGEST_LINE};
    struct text_line line;
    int64_t n, edges;
    bool found;
    enum status status;
    TRY(text_source_open(&source, path, err));
    TRY(read_head(&r, &n, &edges, &line, &found, err));
    *semiring = r.semiring;
cleanup:
    text_source_close(&source);
    return status;
}

enum status result_read_text(const char *path, enum number_type type, struct result *result,
                             struct error *err) {
    struct text_source source;
    enum status status;
    TRY(text_source_open(&source, path, err));
    TRY(result_read_text_source(&source, type, result, err));
cleanup:
    text_source_close(&source);
    return status;
}
