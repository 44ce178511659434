// SPDX-License-Identifier: MIT
/* The readers of graph formats: functions that several of them use (readers.c), and the one struct
 * by which each describes itself. Each family of formats has a file, readers_*.c. */
#ifndef COMMON_GRAPH_READERS_H
#define COMMON_GRAPH_READERS_H

#include "common/base/text_source.h" // struct text_source, struct text_line
#include "common/graph/edge_list.h"  // struct edge_list
#include "common/graph/graph_io.h"   // struct graph_reading

enum {
    READERS_MAX_LINE = 2 * NAMES_LONGEST, /* the most bytes of a line, if it is limited */
    READERS_EXCERPT = 48,
    READERS_MOST_NOTES = 8, /* the most lines about one file; further ones are left out */
};

/* The number of edges if a format does not announce it, and the largest that it may announce. */
#define READERS_UNKNOWN   INT64_MAX
#define READERS_MAX_EDGES INT64_C(99999999999999999)

/* A graph being read. */
struct reading {
    struct text_source *source;
    const struct graph_reading *how;
    struct edge_list list;
    int64_t absent;     /* number of edges whose weight means that there is no edge */
    int64_t attributed; /* number of edges that have the attribute for weights */
    int32_t n;          /* number of vertices; for a list, once its edges are read */
    int32_t zones;      /* as in struct graph */
    struct vertex_naming naming;
    char comment;       /* begins comments above the edges that showed the format; '\0': none */
    bool both_ways;     /* every edge stands for its reverse as well */
    bool skew;          /* the reverse has the negated weight */
    bool listed_both;   /* the file lists every edge and its reverse, which must agree */
    bool has_large;     /* an integer was too large for an int32 */
    bool has_too_large; /* an integer was too large for a float64: a mistake unless has_decimal */
    bool has_decimal;   /* some weight was no integer */
    struct error too_large;
    struct error notes[READERS_MOST_NOTES]; /* lines for how->on_note, if reading succeeds */
    int note_count;
};

/* Return the type of a graph with real weights, and whether weights are real in any case. */
static inline enum number_type readers_real_type(const struct graph_reading *how) {
    return how->type == READ_FLOAT32 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
}
static inline bool readers_wants_real(const struct graph_reading *how) {
    return how->type == READ_FLOAT32 || how->type == READ_FLOAT64 || how->type == READ_INT64 ||
           how->semiring == SEMIRING_MAX_PRODUCT;
}

/* A format. A comment above its reader describes its files. */
struct graph_format {
    const char *name;        /* its name for --input-format */
    const char *first_lines; /* examples of its first line, in quotes, for messages; NULL: the line
                                does not show it */
    /* Returns whether a file with this first line, which is not empty, is of the format. NULL: its
     * first line does not show that. */
    bool (*matches)(struct text_line first);
    /* Reads the file; `first` is its first line. */
    enum status (*read)(struct reading *r, struct text_line first, struct error *err);
    unsigned traits; /* bits of enum graph_format_trait */
};

/* The formats, in the order in which help and messages name them. The first one that matches reads
 * a file. */
#define READERS_FORMATS(FORMAT)                                                                    \
    FORMAT(readers_text)                                                                           \
    FORMAT(readers_gr)                                                                             \
    FORMAT(readers_mtx)                                                                            \
    FORMAT(readers_wel)                                                                            \
    FORMAT(readers_snap)                                                                           \
    FORMAT(readers_konect)                                                                         \
    FORMAT(readers_csv)                                                                            \
    FORMAT(readers_metis)                                                                          \
    FORMAT(readers_tntp)

#define READERS_DECLARE(format) extern const struct graph_format format;
READERS_FORMATS(READERS_DECLARE)
#undef READERS_DECLARE

/* Refuses a file whose first line is that of no format, and shows first lines of the formats. */
enum status readers_refuse(const struct reading *r, struct text_line first, struct error *err);

/* Finds the format of a file whose first line, the last line that was read, matches no format: a
 * list of edges, METIS or thesis text, by the numbers of fields of its first lines. *first moves
 * with the buffer. STATUS_BAD_INPUT, with advice in the message, for a file that may be several of
 * these or none. */
enum status readers_guess(const struct reading *r, struct text_line *first,
                          const struct graph_format **format, struct error *err);

/* Finds the format of a file whose first line is a comment, by the lines after its comments: a list
 * or a table of edges, or METIS. Stores in r->comment the character that begins a comment. */
enum status readers_guess_below(struct reading *r, struct text_line *first,
                                const struct graph_format **format, struct error *err);

/* The fields of an edge. */
enum edge_field { FIELD_TAIL, FIELD_HEAD, FIELD_WEIGHT, EDGE_FIELDS };

/* The form in which a format writes an edge on a line of its own. */
struct edge_syntax {
    const char *expected; /* description of a line, for messages */
    const char *keyword;  /* one letter in front of an edge; NULL: none */
    char comment;         /* first character of lines that readers skip; '\0': none */
    char separator;  /* character between the fields of a plain line (plain_edges.h); '\0': no line
                        is plain */
    int32_t first;   /* number of the first vertex in the file */
    bool named;      /* ends are names, not numbers from `first` on */
    bool unweighted; /* the file has no weights; they are 1 */
    bool integral;   /* weights must be written as integers, not as 5.0 or 1e3 */
    bool natural;    /* weights must not be negative */
    bool skew;       /* there are no self-loops, and the negated weight must be valid too */
    bool has_time;   /* a field may follow the weight, and is ignored */
    /* Unless NULL, reads the edges of a line, in place of the reader of fields separated by blanks.
     */
    enum status (*take_row)(struct reading *r, const struct edge_syntax *syntax,
                            struct text_line row, struct error *err);
    const void *columns; /* data for take_row */
};

/* Returns whether the line begins with this character. A letter must stand alone: it must neither
 * begin a longer word nor be the name of a column. Returns false for '\0'. */
bool readers_begins_with(struct text_line line, char comment);

/* Reads the next line that is neither empty nor a comment. */
enum status readers_next_line(const struct reading *r, char comment, struct text_line *line,
                              bool *found, struct error *err);

/* Reads the next line that is neither empty nor a comment; the end of the file is STATUS_BAD_INPUT.
 */
enum status readers_demand_line(const struct reading *r, char comment, const char *expected,
                                struct text_line *line, struct error *err);

/* Returns STATUS_BAD_INPUT unless the rest of the line is blank. */
enum status readers_expect_end(const struct text_source *source, struct text_line rest,
                               const char *expected, struct error *err);

/* Takes one of `count` words, in upper or lower case, off the front of the line; returns its index,
 * or -1. */
int readers_take_word(struct text_line *rest, const char *const *words, int count);
bool readers_take_this_word(struct text_line *rest, const char *word);

/* Takes the text up to the next blank off the front of the line. */
struct text_line readers_take_token(struct text_line *rest);

/* Takes a field and the separator after it, if any, off the front of a row of a table. *field is
 * its content: without the quotes, or without the blanks around it; *last tells whether it is the
 * last one. Several blanks are one separator. Returns false if a quoted field has no closing quote
 * before the separator. */
bool readers_take_field(struct text_line *rest, char separator, struct text_line *field,
                        bool *last);

/* Returns the separator that occurs most often in the first line of a table, outside of quotes: a
 * comma, a semicolon, a tab or a bar; a blank if none of them does. */
char readers_guess_separator(struct text_line line);

/* Copies up to `most` bytes of a quoted field, in which two quotes stand for one. Returns their
 * number. */
size_t readers_unquote(struct text_line field, char *to, size_t most);

/* Copies a field as readers_unquote does, as the name of a vertex: without blanks around it if it
 * is a number. Blanks inside the quotes of other names are part of them. */
size_t readers_vertex_name(struct text_line field, char *to, size_t most);

/* Returns the line without the blanks at its ends. */
struct text_line readers_trimmed(struct text_line line);

/* Finds the columns in which edges begin and end by their names, as in CSV. Stores their indices in
 * `names`; -1: no column has such a name. Returns false if several columns do. */
bool readers_find_ends(const struct text_line *names, int count, int *tail, int *head);

/* Writes the names of columns for messages, the first ones if there are many; a column without a
 * name is shown as ''. Returns `text`. */
const char *readers_list_columns(const struct text_line *names, int count, char *text, size_t size);

enum status readers_take_number(const struct text_source *source, struct text_line *rest,
                                const char *expected, const char *what, int64_t lowest,
                                int64_t highest, int64_t *value, struct error *err);

/* Takes both ends of an edge. */
enum status readers_take_ends(struct reading *r, const struct edge_syntax *syntax,
                              struct text_line *rest, int32_t *from, int32_t *to,
                              struct error *err);

/* Takes a weight, and scales and transforms it; if none is written, it is readers_unit_weight. */
enum status readers_take_weight(struct reading *r, const struct edge_syntax *syntax,
                                struct text_line *rest, struct read_weight *weight,
                                struct error *err);
struct read_weight readers_unit_weight(const struct reading *r);

/* Begins to read the columns of --along: the format calls it once for each, in the order of the
 * option, with the column's name in the file. STATUS_BAD_INPUT if there are too many columns, or if
 * the name is a duplicate or too long. */
enum status readers_add_column(struct reading *r, struct text_line name, struct error *err);

/* Takes the next name or number of a column off --along; false: none is left. *rest must begin with
 * the option's value. */
bool readers_next_column(const char **rest, struct text_line *name);

/* Takes the number of an edge in a column of --along, which must be all that the field contains.
 * Edges that are appended from then on have this number. */
enum status readers_take_column(struct reading *r, int column, struct text_line field,
                                struct error *err);

/* Takes "V E" off the front of a line. */
enum status readers_take_sizes(const struct reading *r, struct text_line *rest,
                               const char *expected, int64_t *vertices, int64_t *edges,
                               struct error *err);

/* Announces |V| and |E|, once a reader knows them from the head of a file. Refuses a |V| that is
 * too large, sets r->n, and calls on_size. */
enum status readers_announce(struct reading *r, int64_t vertices, int64_t edges, struct error *err);

/* Notes a line about something in the file that the graph does not reproduce; the caller gets it
 * once the file is read. */
void readers_note(struct reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds an edge to the list. */
enum status readers_append(struct reading *r, int32_t from, int32_t to, struct read_weight weight,
                           struct error *err);

/* Reads all edges up to the end of the source. Their number must be `announced`, unless that is
 * READERS_UNKNOWN. */
enum status readers_read_edges(struct reading *r, const struct edge_syntax *syntax,
                               int64_t announced, struct error *err);

/* Reads all edges of a list, which begins with the last line that was read. Its vertices are the
 * names that occur. */
enum status readers_read_list(struct reading *r, const struct edge_syntax *syntax,
                              struct error *err);

/* Checks that the edges and a result fit into memory. */
enum status readers_check_memory(const struct reading *r, int64_t n, int64_t edges,
                                 struct error *err);

#endif
