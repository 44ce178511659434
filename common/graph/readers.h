// SPDX-License-Identifier: MIT
/* The readers of graph formats share these functions, which graph_io.c implements. Each family of
 * formats has a file, readers_*.c; the table of all formats is in graph_io.c. */
#ifndef COMMON_GRAPH_READERS_H
#define COMMON_GRAPH_READERS_H

#include "common/base/text_source.h" // struct text_source, struct text_line
#include "common/graph/graph_io.h"   // struct graph_reading

enum {
    READERS_MAX_LINE = 4096, /* bytes of a line, if the format bounds its length */
    READERS_EXCERPT = 48,
};

/* The number of edges if a format does not announce it, and the largest that it may announce. */
#define READERS_UNKNOWN   INT64_MAX
#define READERS_MAX_EDGES INT64_C(99999999999999999)

/* Edges read so far: with integral weights, as long as all of them are. */
struct edge_list {
    bool is_real;
    union {
        void *memory;
        struct edge *edges;
        struct real_edge *real_edges; /* if is_real */
    };
    int64_t count, capacity;
    int64_t most; /* announced */
};

/* A weight as it was read. */
struct read_weight {
    bool is_real;
    int64_t integer; /* unless is_real */
    double real;
};

/* A graph being read. */
struct reading {
    struct text_source *source;
    const struct graph_reading *how;
    struct edge_list list;
    int32_t n;
    int32_t first_vertex; /* its number in the file */
    bool both_ways;       /* every edge stands for its reverse as well */
    bool skew;            /* the reverse has the negated weight */
    bool listed_both;     /* the file lists every edge and its reverse, which must agree */
    bool has_too_large;   /* an integer was too large for an int32, which is a mistake unless */
    bool has_decimal;     /* another weight was not integral */
    struct error too_large;
};

/* The fields of an edge. */
enum edge_field { FIELD_TAIL, FIELD_HEAD, FIELD_WEIGHT, EDGE_FIELDS };

/* How a format writes an edge on a line of its own. */
struct edge_syntax {
    const char *expected; /* for messages */
    const char *keyword;  /* one letter that stands in front; NULL: none does */
    char comment;         /* readers skip lines that begin with it; '\0': none */
    char separator;       /* between the fields of a simple line; '\0': no line is simple */
    int32_t first;        /* number of the first vertex */
    bool unweighted;      /* the file has no weights; they are 1 */
    bool integral;        /* weights are integers, not written as 5.0 or 1e3 */
    bool natural;         /* weights are not negative */
    bool skew;            /* no self-loops, and the negated weight must be a weight too */
    /* Unless NULL, finds the fields of an edge among the columns of a table. */
    enum status (*split)(const struct reading *r, const struct edge_syntax *syntax,
                         struct text_line row, struct text_line fields[EDGE_FIELDS],
                         struct error *err);
    struct {
        int at[EDGE_FIELDS], count;
        char separator;
    } columns; /* for split: the column of each field, from 0 */
};

/* Whether the line begins with this character. A letter must stand alone: it must neither begin a
 * longer word nor be the name of a column. False if the character is '\0'. */
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

enum status readers_take_number(const struct text_source *source, struct text_line *rest,
                                const char *expected, const char *what, int64_t lowest,
                                int64_t highest, int64_t *value, struct error *err);

/* Takes a weight, scaled; one that is not written is readers_unit_weight. */
enum status readers_take_weight(struct reading *r, const struct edge_syntax *syntax,
                                struct text_line *rest, struct read_weight *weight,
                                struct error *err);
struct read_weight readers_unit_weight(const struct reading *r);

/* Takes "V E" off the front of a line. */
enum status readers_take_sizes(const struct reading *r, struct text_line *rest,
                               const char *expected, int64_t *vertices, int64_t *edges,
                               struct error *err);

/* Readers call it when they know |V| and |E| from the head of a file. It refuses a |V| that is too
 * large, sets r->n, and calls on_size. */
enum status readers_announce(struct reading *r, int64_t vertices, int64_t edges, struct error *err);

/* Adds an edge to the list. */
enum status readers_append(struct reading *r, int32_t from, int32_t to, struct read_weight weight,
                           struct error *err);

/* Reads all edges up to the end of the source. There must be `announced` of them, unless that is
 * READERS_UNKNOWN. */
enum status readers_read_edges(struct reading *r, const struct edge_syntax *syntax,
                               int64_t announced, struct error *err);

/* The same for formats that announce nothing. It begins with the line that was read last; |V| is
 * the largest vertex plus 1. */
enum status readers_read_edges_alone(struct reading *r, const struct edge_syntax *syntax,
                                     struct error *err);

/* Each format has a function that tells whether a file with this first line, which is not empty, is
 * of the format, and a reader, which gets that line. */
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
