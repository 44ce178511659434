// SPDX-License-Identifier: MIT
/* What the readers of graph formats share behind graph_io.h: one file for a family of
 * formats, readers_*.c; their table is in graph_io.c, with what is below. */
#ifndef COMMON_GRAPH_READERS_H
#define COMMON_GRAPH_READERS_H

#include "common/base/text_source.h" // struct text_source, struct text_line
#include "common/graph/graph_io.h"   // struct graph_reading

enum {
    READERS_MAX_LINE = 4096, /* bytes of a line that can be bounded beforehand */
    READERS_EXCERPT = 48,
};

/* A number of edges that a format does not announce, and the largest that it may. */
#define READERS_UNKNOWN   INT64_MAX
#define READERS_MAX_EDGES INT64_C(99999999999999999)

/* Edges read so far. */
struct edge_list {
    struct edge *edges;
    int64_t count, capacity;
    int64_t most; /* announced */
};

/* A graph being read. */
struct reading {
    struct text_source *source;
    const struct graph_reading *how;
    struct edge_list list;
    int32_t n;
    int32_t first_vertex; /* its number in the file */
    bool both_ways;       /* every edge stands for its reverse as well */
    bool skew;            /* whose weight is the negated one then */
    bool listed_both;     /* every edge was read with its reverse, which must be the same */
};

/* The fields of an edge, and where a row of a table has them, counted from 0. */
enum edge_field { FIELD_TAIL, FIELD_HEAD, FIELD_WEIGHT, EDGE_FIELDS };

/* How a format writes an edge on a line of its own. */
struct edge_syntax {
    const char *expected; /* for messages */
    const char *keyword;  /* one letter that stands in front; NULL: none does */
    char comment;         /* lines that begin with it are skipped; '\0': none are */
    char separator;       /* between fields of a plainly written line; '\0': none is plain */
    int32_t first;        /* number of the first vertex */
    bool unweighted;      /* weights are 1 and not written */
    bool decimal;         /* weights are integers, but may be written as 5.0 or 1e3 */
    bool natural;         /* weights are not negative */
    bool skew;            /* no self-loops, and the negated weight is a weight too */
    /* Unless NULL, finds the fields in a row of a table that has others, too. */
    enum status (*split)(const struct reading *r, const struct edge_syntax *syntax,
                         struct text_line row, struct text_line fields[EDGE_FIELDS],
                         struct error *err);
    struct {
        int at[EDGE_FIELDS], count;
        char separator;
    } columns; /* for split */
};

/* Whether the line begins with this character, which, if it is a letter, is neither the beginning
 * of a longer word nor the name of a column. Never if the character is '\0'. */
bool readers_begins_with(struct text_line line, char comment);

/* The next line that is neither empty nor a comment. */
enum status readers_next_line(const struct reading *r, char comment, struct text_line *line,
                              bool *found, struct error *err);

/* The same, where the end of the file would be a mistake. */
enum status readers_demand_line(const struct reading *r, char comment, const char *expected,
                                struct text_line *line, struct error *err);

/* A line that ends after what the caller took. */
enum status readers_expect_end(const struct text_source *source, struct text_line rest,
                               const char *expected, struct error *err);

/* Takes one of `count` words, in capitals or not, off the front of the line;
 * returns which, or -1. */
int readers_take_word(struct text_line *rest, const char *const *words, int count);
bool readers_take_this_word(struct text_line *rest, const char *word);

enum status readers_take_number(const struct text_source *source, struct text_line *rest,
                                const char *expected, const char *what, int64_t lowest,
                                int64_t highest, int64_t *value, struct error *err);

enum status readers_take_weight(const struct reading *r, const struct edge_syntax *syntax,
                                struct text_line *rest, int64_t *weight, struct error *err);

/* "V E" off the front of a line. */
enum status readers_take_sizes(const struct reading *r, struct text_line *rest,
                               const char *expected, int64_t *vertices, int64_t *edges,
                               struct error *err);

/* To be called where |V| and |E| are known from the head of a file: refuses a |V| that is too
 * large, sets r->n, and tells the caller. */
enum status readers_announce(struct reading *r, int64_t vertices, int64_t edges, struct error *err);

/* Adds an edge to the list. */
enum status readers_append(struct reading *r, struct edge edge, struct error *err);

/* All edges up to the end of the source; `announced` of them, or any number where it is
 * READERS_UNKNOWN. */
enum status readers_read_edges(struct reading *r, const struct edge_syntax *syntax,
                               int64_t announced, struct error *err);

/* The same for formats that announce nothing, from a line on that was handed out last: |V| is the
 * largest vertex plus 1. */
enum status readers_read_edges_alone(struct reading *r, const struct edge_syntax *syntax,
                                     struct error *err);

/* Of each format: whether a first line that is not empty can be nothing else, and the reader,
 * which is handed that line. */
bool text_matches(struct text_line first);
enum status text_read(struct reading *r, struct text_line first, struct error *err);
bool wel_matches(struct text_line first);
enum status wel_read(struct reading *r, struct text_line first, struct error *err);
bool snap_matches(struct text_line first);
enum status snap_read(struct reading *r, struct text_line first, struct error *err);
bool gr_matches(struct text_line first);
enum status gr_read(struct reading *r, struct text_line first, struct error *err);
bool mtx_matches(struct text_line first);
enum status mtx_read(struct reading *r, struct text_line first, struct error *err);
bool csv_matches(struct text_line first);
enum status csv_read(struct reading *r, struct text_line first, struct error *err);
bool tntp_matches(struct text_line first);
enum status tntp_read(struct reading *r, struct text_line first, struct error *err);
enum status metis_read(struct reading *r, struct text_line first, struct error *err);

#endif
