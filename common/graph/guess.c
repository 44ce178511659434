// SPDX-License-Identifier: MIT
/* Tells lists of edges, METIS, thesis text and matrices of numbers apart by their first lines,
 * below comments, too. What may be several of them is refused. */
#include "common/graph/readers.h"

#include <stdio.h>
#include <string.h>

enum { WINDOW = 1 << 16 }; /* number of bytes that are examined */

/* Ways in which the fields of a line are separated. */
enum separation { BY_BLANKS, BY_TABS, BY_SIGNS };

/* Properties of a line. Its fields are separated by commas, semicolons or bars if it has any of
 * these, otherwise by blanks. */
struct line_shape {
    int fields, integers; /* numbers of fields, and of fields that are integers */
    bool numbers;         /* all fields are numbers */
    bool last_is_number;  /* the last field is a number */
    bool has_attributes;  /* the third field begins with '{' */
    int64_t first[2];     /* the first two fields, if they are integers */
    int64_t third;        /* the third field, if it is an integer; otherwise -1 */
    enum separation by;
    bool separated, quoted; /* separated: not by blanks; quoted: some field is in quotes */
};

/* Properties of the lines after the first one, as far as the window shows them. */
struct rest_shape {
    /* numbers of lines with fields, and of empty lines between or after them */
    int64_t lines, blank;
    int64_t fields, threes; /* numbers of fields in all lines, and of lines of three fields */
    int least, most;        /* least and largest number of fields of a line */
    bool integers, numbers; /* all fields are integers; all fields are numbers */
    int64_t highest;        /* the highest integer */
    bool whole;             /* the window contains all lines of the file */
    bool has_problem;       /* some line names a problem, as in DIMACS */
    int64_t corner;         /* last field of the last line, if it is an integer; otherwise -1 */
    int64_t numbered;       /* number of lines with an integer */
};

static bool separates(char c, enum separation by) {
    return by == BY_BLANKS ? text_is_blank(c)
           : by == BY_TABS ? c == '\t'
                           : c == ',' || c == ';' || c == '|';
}

/* Adds a field to the shape of its line. */
static void add_field(struct line_shape *shape, struct text_line field) {
    struct text_line rest = field;
    int64_t integer = -1;
    double number;
    const bool is_integer =
        field.begin < field.end && text_take_integer(&rest, &integer) && rest.begin == rest.end;
    rest = field;
    const bool is_number =
        is_integer || (text_take_real(&rest, NUMBER_FLOAT64, &number) != TEXT_NO_NUMBER &&
                       rest.begin == rest.end);
    shape->quoted |= field.begin < field.end && *field.begin == '"';
    shape->has_attributes |= shape->fields == 2 && field.begin < field.end && *field.begin == '{';
    if (shape->fields < 2)
        shape->first[shape->fields] = is_integer ? integer : -1;
    else if (shape->fields == 2 && is_integer)
        shape->third = integer;
    shape->integers += is_integer;
    shape->numbers &= is_number;
    shape->last_is_number = is_number;
    shape->fields++;
}

static struct line_shape split_by(struct text_line line, enum separation by) {
    struct line_shape shape = {
        .numbers = true, .third = -1, .by = by, .separated = by != BY_BLANKS};
    while (line.begin < line.end && !shape.has_attributes) {
        struct text_line field = line;
        while (line.begin < line.end && !separates(*line.begin, by))
            line.begin++;
        field.end = line.begin;
        line.begin += line.begin < line.end;
        if (by == BY_BLANKS)
            text_skip_blanks(&line);
        add_field(&shape, readers_trimmed(field));
    }
    return shape;
}

/* Returns whether a line has two integers and one more field, which would be a weight. */
static bool begins_as_edge(const struct line_shape *shape) {
    return shape->fields == EDGE_FIELDS && shape->first[0] >= 0 && shape->first[1] >= 0;
}

/* Returns whether a line looks like an edge: two ends and perhaps a number. */
static bool is_edge(const struct line_shape *shape) {
    return shape->has_attributes || shape->fields == 2 ||
           (shape->fields == EDGE_FIELDS && shape->last_is_number) || begins_as_edge(shape);
}

/* Examines a first line, which shows what separates fields. */
static struct line_shape look_at(struct text_line line) {
    line = readers_trimmed(line);
    const struct line_shape blanks = split_by(line, BY_BLANKS);
    const size_t length = (size_t)(line.end - line.begin);
    for (const char *c = line.begin;
         c < line.end && !blanks.has_attributes && !begins_as_edge(&blanks); c++) {
        if (separates(*c, BY_SIGNS))
            return split_by(line, BY_SIGNS);
    }
    if (!is_edge(&blanks) && !blanks.numbers && memchr(line.begin, '\t', length) != NULL)
        return split_by(line, BY_TABS);
    return blanks;
}

/* Returns whether a line, which may be cut off, names a problem of DIMACS: 'p sp ...'. */
static bool names_problem(struct text_line line) {
    static const char *const problems[] = {"sp", "edge", "col", "tw", "max"};
    if (!readers_take_this_word(&line, "p"))
        return false;
    const struct text_line word = readers_take_token(&line);
    const size_t length = (size_t)(word.end - word.begin);
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        if (length <= strlen(problems[k]) && memcmp(word.begin, problems[k], length) == 0)
            return true;
    }
    return false;
}

/* Up to WINDOW bytes that follow the last line that was read. */
struct window {
    struct text_line text;
    bool whole; /* the file ends with these bytes */
};

/* Shows the bytes that follow a line. *line is read again, because it moves with the buffer. */
static enum status look_below(const struct reading *r, struct text_line *line,
                              struct window *window, struct error *err) {
    bool found;
    text_source_put_back(r->source, *line);
    RETURN_ON_FAILURE(text_source_peek(r->source, WINDOW, &window->text, err));
    window->whole = window->text.end - window->text.begin < WINDOW;
    RETURN_ON_FAILURE(text_source_next(r->source, READERS_MAX_LINE, line, &found, err));
    window->text.begin = r->source->buffer + r->source->begin;
    return STATUS_OK;
}

/* Takes the next line; returns false at the end of the window, where a line may be cut off. */
static bool take_line(const struct reading *r, struct window *window, struct text_line *line) {
    struct text_line *const text = &window->text;
    if (text->begin == text->end)
        return false;
    const char *const feed =
        memchr(text->begin, r->source->feed, (size_t)(text->end - text->begin));
    *line = (struct text_line){text->begin, feed != NULL ? feed : text->end};
    text->begin = feed != NULL ? feed + 1 : text->end;
    return feed != NULL || window->whole;
}

/* Examines the lines of the window; comments begin with % or `comment`. */
static struct rest_shape look_at_rest(const struct reading *r, struct window window,
                                      enum separation by, char comment) {
    struct rest_shape rest = {.integers = true, .numbers = true, .whole = window.whole};
    struct text_line line;
    while (take_line(r, &window, &line)) {
        const struct line_shape shape = split_by(readers_trimmed(line), by);
        rest.has_problem |= names_problem(line);
        if (readers_begins_with(line, '%') || readers_begins_with(line, comment))
            continue;
        rest.blank += shape.fields == 0;
        if (shape.fields == 0)
            continue;
        rest.least = rest.lines == 0 || shape.fields < rest.least ? shape.fields : rest.least;
        rest.most = shape.fields > rest.most ? shape.fields : rest.most;
        rest.lines++;
        rest.fields += shape.fields;
        rest.threes += shape.fields == EDGE_FIELDS;
        rest.numbered += shape.integers > 0;
        rest.integers &= shape.integers == shape.fields;
        rest.numbers &= shape.numbers;
        rest.corner = shape.fields == 2 ? shape.first[1] : shape.third;
        for (int k = 0; k < 2 && k < shape.fields; k++)
            rest.highest = shape.first[k] > rest.highest ? shape.first[k] : rest.highest;
    }
    return rest;
}

/* Returns whether the file may be a square matrix of numbers. Two rows count as a matrix only if
 * both vertices have distance 0 to themselves, because lists of two edges are more frequent. */
static bool is_square(const struct line_shape *first, const struct rest_shape *rest) {
    if (first->fields == 2 && (first->first[0] != 0 || rest->corner != 0))
        return false;
    return first->numbers && rest->numbers && rest->whole && first->fields > 1 &&
           rest->lines + 1 == first->fields && rest->least == first->fields &&
           rest->most == first->fields;
}

/* Returns whether a first line 'V E [FMT [NCON]]' and the lines after it may be METIS. */
static bool may_be_metis(const struct line_shape *first, const struct rest_shape *rest) {
    const int64_t n = first->first[0], m = first->first[1];
    const bool plain = first->fields == 2;
    if (first->separated || first->integers != first->fields || first->fields > 4 ||
        !rest->integers)
        return false;
    if (n < 1 || m < 0)
        return false;
    if (!plain && (first->third < 0 || first->third > 111 || first->third % 10 > 1 ||
                   first->third / 10 % 10 > 1))
        return false;
    if (!rest->whole)
        return plain ? rest->highest <= n : true;
    /* Empty lines at the end may be vertices without neighbours, or nothing. */
    const bool right_lines = rest->lines <= n && n <= rest->lines + rest->blank;
    return right_lines && (plain ? rest->fields == 2 * m && rest->highest <= n : true);
}

static enum status ambiguous(const struct reading *r, const char *found, const char *way_on,
                             struct error *err) {
    return text_source_fail(r->source, err, "expected a graph, found what may be %s: %s", found,
                            way_on);
}

#define READ_MATRIX "apsp.read(\"FILE\", format=\"matrix\")"

static enum status refuse_square(const struct reading *r, const struct line_shape *first,
                                 struct error *err) {
    if (first->fields > EDGE_FIELDS)
        return text_source_fail(r->source, err,
                                "expected a list of edges, found a square matrix of %d rows; "
                                "'python3 -m apsp convert --format matrix FILE graph.csv' makes "
                                "edges of it, and " READ_MATRIX " reads it in Python",
                                first->fields);
    char found[64];
    snprintf(found, sizeof found, "%d edges or a matrix of %d rows", first->fields, first->fields);
    return ambiguous(r, found,
                     first->separated ? "--input-format csv reads edges; in Python, " READ_MATRIX
                                        " reads a matrix"
                                      : "--input-format snap reads edges; in Python, " READ_MATRIX
                                        " reads a matrix",
                     err);
}

static enum status refuse_pairs(const struct reading *r, struct error *err) {
    return ambiguous(r, "a list of edges or METIS's lists of neighbours",
                     "--input-format snap or metis says which", err);
}

/* Returns whether a first line of two integers may be V and E of the pairs after it. */
static bool may_be_sizes(const struct line_shape *first, const struct rest_shape *rest) {
    return first->first[0] >= rest->highest &&
           (rest->whole ? rest->lines == first->first[1] : rest->lines <= first->first[1]);
}

/* Finds the format of a file whose first line has two integers: V and E of thesis text or METIS, or
 * an edge. */
static enum status guess_by_two(const struct reading *r, const struct line_shape *first,
                                const struct rest_shape *rest, const struct graph_format **format,
                                struct error *err) {
    const bool pairs = rest->lines > 0 && rest->least == 2 && rest->most == 2;
    const bool metis = may_be_metis(first, rest);
    *format = &readers_text;
    if (pairs && is_square(first, rest))
        return refuse_square(r, first, err);
    if (pairs && metis)
        return refuse_pairs(r, err);
    if (pairs && may_be_sizes(first, rest))
        return ambiguous(
            r, "a list of edges or 'V E' before edges without weights",
            "--input-format snap reads a list, --input-format text --unweighted V and E", err);
    if (pairs)
        *format = &readers_snap;
    else if (metis && rest->lines > 0 &&
             (rest->whole ? rest->threes < rest->lines || rest->lines != first->first[1]
                          : 2 * rest->threes < rest->lines))
        *format = &readers_metis;
    return STATUS_OK;
}

/* Refuses columns whose meaning neither names nor numbers show. */
static enum status refuse_columns(const struct reading *r, const struct line_shape *first,
                                  const struct rest_shape *rest, struct text_line line,
                                  struct error *err) {
    const bool is_labelled = rest->whole && rest->lines + 1 == first->fields &&
                             rest->least == first->fields && rest->most == first->fields;
    char shown[160];
    const struct text_line trimmed = readers_trimmed(line);
    const int length = trimmed.end - trimmed.begin < (int)sizeof shown - 4
                           ? (int)(trimmed.end - trimmed.begin)
                           : (int)sizeof shown - 4;
    snprintf(shown, sizeof shown, "%.*s%s", length, trimmed.begin,
             length < trimmed.end - trimmed.begin ? "..." : "");
    return text_source_fail(r->source, err,
                            "expected a graph, found %d columns of which none is known to hold the "
                            "ends of edges: %s; --edge-columns A,B (and --weight-column C) says by "
                            "name or number which do%s",
                            first->fields, shown,
                            is_labelled ? "; or if it is a matrix under the names of its columns, "
                                          "in Python " READ_MATRIX " reads it"
                                        : "");
}

/* Returns whether the first line is an edge. Two fields that are not both integers are an edge only
 * if all lines have two fields; in a table they, and words above numbers, may as well name its
 * columns. */
static bool is_list(const struct line_shape *first, const struct rest_shape *rest) {
    if (first->fields != 2 || first->integers == 2)
        return is_edge(first);
    const bool over_numbers = first->integers == 0 && rest->numbered == rest->lines;
    return !first->separated && !first->quoted && !over_numbers && rest->lines > 0 &&
           rest->least == 2 && rest->most == 2;
}

enum status readers_guess(const struct reading *r, struct text_line *line,
                          const struct graph_format **format, struct error *err) {
    struct window window;
    const struct line_shape first = look_at(*line);
    RETURN_ON_FAILURE(look_below(r, line, &window, err));
    const struct rest_shape rest = look_at_rest(r, window, first.by, '\0');
    const bool dimacs = readers_begins_with(*line, 'c') || readers_begins_with(*line, 'a') ||
                        readers_begins_with(*line, 'p');
    if (dimacs && (rest.has_problem || rest.lines == 0 || !is_edge(&first))) {
        *format = &readers_gr;
        return STATUS_OK;
    }
    if (is_square(&first, &rest))
        return refuse_square(r, &first, err);
    if (first.fields == 2 && first.integers == 2 && !first.separated)
        return guess_by_two(r, &first, &rest, format, err);
    if (first.fields > 2 && may_be_metis(&first, &rest) &&
        (rest.least != first.fields || rest.most != first.fields)) {
        *format = &readers_metis;
        return STATUS_OK;
    }
    if (is_list(&first, &rest)) {
        const bool weighted = begins_as_edge(&first) && !first.has_attributes;
        *format = first.separated || first.quoted ? &readers_csv
                  : weighted                      ? &readers_wel
                                                  : &readers_snap;
        return STATUS_OK;
    }
    const bool table = rest.lines > 0 && rest.numbered == rest.lines && first.fields > 1;
    if (first.separated || first.quoted || first.integers >= 2 || table)
        return refuse_columns(r, &first, &rest, *line, err);
    return readers_refuse(r, *line, err);
}

enum status readers_guess_below(struct reading *r, struct text_line *line,
                                const struct graph_format **format, struct error *err) {
    struct window window;
    struct text_line top;
    r->comment = readers_begins_with(*line, '%') ? '%' : '#';
    *format = &readers_snap;
    RETURN_ON_FAILURE(look_below(r, line, &window, err));
    do {
        if (!take_line(r, &window, &top))
            return STATUS_OK;
    } while (readers_begins_with(top, r->comment) || readers_trimmed(top).begin == top.end);
    const struct line_shape first = look_at(top);
    const struct rest_shape rest = look_at_rest(r, window, first.by, r->comment);
    if (first.fields > 2 && is_square(&first, &rest)) /* two lines of two fields are two edges */
        return refuse_square(r, &first, err);
    const bool pairs = first.fields == 2 && rest.lines > 0 && rest.least == 2 && rest.most == 2;
    const bool metis = r->comment == '%' && first.fields >= 2 && may_be_metis(&first, &rest);
    if (metis && (pairs || (first.fields == 2 && rest.lines == 0)))
        return refuse_pairs(r, err);
    if (metis && (first.fields == 2 || rest.least != first.fields || rest.most != first.fields))
        *format = &readers_metis;
    else if (first.separated || first.quoted || readers_csv.matches(top))
        *format = &readers_csv;
    return STATUS_OK;
}
