// SPDX-License-Identifier: MIT
/* The readers of graph formats: what they share (readers.c), and the one struct by which each
 * describes itself. Each family of formats has a file, readers_*.c. */
#ifndef COMMON_GRAPH_READERS_H
#define COMMON_GRAPH_READERS_H

#include "common/base/text_source.h" // struct text_source, struct text_line
#include "common/graph/edge_list.h"  // struct edge_list
#include "common/graph/graph_io.h"   // struct graph_reading

enum {
    READERS_MAX_LINE = 2 * NAMES_LONGEST, /* bytes of a line, if the format bounds its length */
    READERS_EXCERPT = 48,
    READERS_MOST_NOTES = 8, /* lines about one file; further ones are left out */
};

/* The number of edges if a format does not announce it, and the largest that it may announce. */
#define READERS_UNKNOWN   INT64_MAX
#define READERS_MAX_EDGES INT64_C(99999999999999999)

/* A graph being read. */
struct reading {
    struct text_source *source;
    const struct graph_reading *how;
    struct edge_list list;
    int64_t absent;     /* number of edges whose weight says that there is none */
    int64_t attributed; /* number of edges with the attribute that is the weight */
    int32_t n;          /* vertices; of a list, once its edges are read */
    int32_t zones;      /* as in struct graph */
    struct vertex_naming naming;
    char comment;       /* begins the comments over the edges, if these told the format; or '\0' */
    bool both_ways;     /* every edge stands for its reverse as well */
    bool skew;          /* the reverse has the negated weight */
    bool listed_both;   /* the file lists every edge and its reverse, which must agree */
    bool has_large;     /* an integer was too large for an int32 */
    bool has_too_large; /* an integer was too large for a float64, which is a mistake unless */
    bool has_decimal;   /* another weight was not integral */
    struct error too_large;
    struct error notes[READERS_MOST_NOTES]; /* for how->on_note, if reading succeeds */
    int note_count;
};

/* The type of the graph, if its weights are real; whether they are real whatever the file has. */
static inline enum number_type readers_real_type(const struct graph_reading *how) {
    return how->type == READ_FLOAT32 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
}
static inline bool readers_wants_real(const struct graph_reading *how) {
    return how->type == READ_FLOAT32 || how->type == READ_FLOAT64 || how->type == READ_INT64 ||
           how->semiring == SEMIRING_MAX_PRODUCT;
}

/* A format. What a file of it looks like stands over its reader. */
struct graph_format {
    const char *name;        /* by which --input-format calls it */
    const char *first_lines; /* how its first line may look, in quotes, for a message; NULL: it
                                does not tell */
    /* Tells whether a file with this first line, which is not empty, is of the format. NULL: its
     * first line does not tell. */
    bool (*matches)(struct text_line first);
    /* Reads the file, of which it gets that line. */
    enum status (*read)(struct reading *r, struct text_line first, struct error *err);
    unsigned traits; /* graph_format_trait */
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

/* Refuses a file whose first line is that of no format, and says how those of the formats look. */
enum status readers_refuse(const struct reading *r, struct text_line first, struct error *err);

/* Finds the format of a file whose first line, the line that was read last, no format claims: a
 * list of edges, METIS or thesis text, by the numbers of fields of its first lines. *first moves
 * with the buffer. STATUS_BAD_INPUT, with the way on, for what may be several of these, and for
 * anything else. */
enum status readers_guess(const struct reading *r, struct text_line *first,
                          const struct graph_format **format, struct error *err);

/* The same for a file whose first line is a comment, by the lines after its comments: a list or a
 * table of edges, or METIS. Stores in r->comment the character that begins a comment. */
enum status readers_guess_below(struct reading *r, struct text_line *first,
                                const struct graph_format **format, struct error *err);

/* The fields of an edge. */
enum edge_field { FIELD_TAIL, FIELD_HEAD, FIELD_WEIGHT, EDGE_FIELDS };

/* How a format writes an edge on a line of its own. */
struct edge_syntax {
    const char *expected; /* for messages */
    const char *keyword;  /* one letter that stands in front; NULL: none does */
    char comment;         /* readers skip lines that begin with it; '\0': none */
    char separator;       /* between the fields of a simple line; '\0': no line is simple */
    int32_t first;        /* number of the first vertex */
    bool named;           /* ends are names, not numbers from `first` on */
    bool unweighted;      /* the file has no weights; they are 1 */
    bool integral;        /* weights are integers, not written as 5.0 or 1e3 */
    bool natural;         /* weights are not negative */
    bool skew;            /* no self-loops, and the negated weight must be a weight too */
    bool has_time;        /* a field may follow the weight, and is left aside */
    /* Unless NULL, reads the edges of a line instead of the reader of fields between blanks. */
    enum status (*take_row)(struct reading *r, const struct edge_syntax *syntax,
                            struct text_line row, struct error *err);
    const void *columns; /* for take_row */
};

/* Returns whether the line begins with this character. A letter must stand alone: it must neither
 * begin a longer word nor be the name of a column. False if the character is '\0'. */
bool readers_begins_with(struct text_line line, char comment);

/* Reads the next line that is neither empty nor a comment. */
enum status readers_next_line(const struct reading *r, char comment, struct text_line *line,
                              bool *found, struct error *err);

/* The same; the end of the file is STATUS_BAD_INPUT. */
enum status readers_demand_line(const struct reading *r, char comment, const char *expected,
                                struct text_line *line, struct error *err);

/* STATUS_BAD_INPUT unless the rest of the line is blank. */
enum status readers_expect_end(const struct text_source *source, struct text_line rest,
                               const char *expected, struct error *err);

/* Takes one of `count` words, in upper or lower case, off the front of the line; returns its index,
 * or -1. */
int readers_take_word(struct text_line *rest, const char *const *words, int count);
bool readers_take_this_word(struct text_line *rest, const char *word);

/* Takes what stands up to the next blank. */
struct text_line readers_take_token(struct text_line *rest);

/* Takes a field and the separator after it, if any, off the front of a row of a table. *field is
 * its content: that of a quoted one without the quotes, otherwise without blanks around it; *last
 * tells whether none follows. Several blanks are one separator. False if a quoted field has no
 * closing quote before the separator. */
bool readers_take_field(struct text_line *rest, char separator, struct text_line *field,
                        bool *last);

/* Returns the separator that the first line of a table has most of, outside of quotes: a comma, a
 * semicolon, a tab or a bar; a blank if it has none. */
char readers_guess_separator(struct text_line line);

/* Copies up to `most` bytes of such a field, in which doubled quotes stand for one each. Returns
 * their number. */
size_t readers_unquote(struct text_line field, char *to, size_t most);

/* The same for the name of a vertex, without blanks around it if it is a number; blanks inside the
 * quotes of other names are a part of them. */
size_t readers_vertex_name(struct text_line field, char *to, size_t most);

/* The line without the blanks at its ends. */
struct text_line readers_trimmed(struct text_line line);

/* Finds by their names, as in CSV, the columns in which edges, or ways, begin and end: places in
 * `names`, from 0; -1: no name is known for it. False if several are. */
bool readers_find_ends(const struct text_line *names, int count, int *tail, int *head);

/* Writes the names of columns for messages, of many the first ones; one without a name is shown as
 * ''. Returns `text`. */
const char *readers_list_columns(const struct text_line *names, int count, char *text, size_t size);

enum status readers_take_number(const struct text_source *source, struct text_line *rest,
                                const char *expected, const char *what, int64_t lowest,
                                int64_t highest, int64_t *value, struct error *err);

/* Takes both ends of an edge. */
enum status readers_take_ends(struct reading *r, const struct edge_syntax *syntax,
                              struct text_line *rest, int32_t *from, int32_t *to,
                              struct error *err);

/* Takes a weight, scaled and transformed; one that is not written is readers_unit_weight. */
enum status readers_take_weight(struct reading *r, const struct edge_syntax *syntax,
                                struct text_line *rest, struct read_weight *weight,
                                struct error *err);
struct read_weight readers_unit_weight(const struct reading *r);

/* Begins to read the columns of --along: the format calls it once for each, in the order of the
 * option, with the name that the file has for it. STATUS_BAD_INPUT if there are too many, or if the
 * name is there already or too long. */
enum status readers_add_column(struct reading *r, struct text_line name, struct error *err);

/* Takes the next name or number of a column off --along; false: there is none left. *rest begins
 * with the option. */
bool readers_next_column(const char **rest, struct text_line *name);

/* Takes the number that an edge has in a column of --along, the field's only content; the edges
 * that are appended from now on have it. */
enum status readers_take_column(struct reading *r, int column, struct text_line field,
                                struct error *err);

/* Takes "V E" off the front of a line. */
enum status readers_take_sizes(const struct reading *r, struct text_line *rest,
                               const char *expected, int64_t *vertices, int64_t *edges,
                               struct error *err);

/* Readers call it when they know |V| and |E| from the head of a file. It refuses a |V| that is too
 * large, sets r->n, and calls on_size. */
enum status readers_announce(struct reading *r, int64_t vertices, int64_t edges, struct error *err);

/* Tells the caller, once the file is read, in one line what the graph has otherwise than the file.
 */
void readers_note(struct reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds an edge to the list. */
enum status readers_append(struct reading *r, int32_t from, int32_t to, struct read_weight weight,
                           struct error *err);

/* Reads all edges up to the end of the source. There must be `announced` of them, unless that is
 * READERS_UNKNOWN. */
enum status readers_read_edges(struct reading *r, const struct edge_syntax *syntax,
                               int64_t announced, struct error *err);

/* The same for a list, which begins with the line that was read last. Its vertices are the names
 * that occur. */
enum status readers_read_list(struct reading *r, const struct edge_syntax *syntax,
                              struct error *err);

/* Checks that the edges and a result fit into memory. */
enum status readers_check_memory(const struct reading *r, int64_t n, int64_t edges,
                                 struct error *err);

#endif
