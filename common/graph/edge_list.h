// SPDX-License-Identifier: MIT
/* The edges of a graph while its file is read, and the names of their ends in the file. */
#ifndef COMMON_GRAPH_EDGE_LIST_H
#define COMMON_GRAPH_EDGE_LIST_H

#include "common/base/error.h"       // enum status, struct error
#include "common/base/text_source.h" // struct text_source
#include "common/graph/graph.h"      // struct edge, struct real_edge
#include "common/graph/name_table.h" // struct name_table

#include <stdbool.h>
#include <stdint.h>

enum { EDGE_COLUMNS_MOST = 16 }; /* the most numbers that an edge has in addition to its weight */

/* The list has integer weights as long as all weights are integers. The ends of an edge are numbers
 * in the file, as long as all of them are in 0 .. INT32_MAX - 1; otherwise they are indices in the
 * table of names. */
struct edge_list {
    const struct text_source *source; /* source of the edges, for messages */
    bool is_real;
    union {
        void *memory;
        struct edge *edges;
        struct real_edge *real_edges; /* edges if is_real; otherwise see `edges` */
    };
    int64_t count, capacity;
    /* number of extras: numbers of each edge in addition to its weight; 0: none */
    int extras;
    double *extra;                  /* count * extras: extras of edge e begin at e * extras */
    int64_t extra_capacity;         /* number of edges for whose extras `extra` has room */
    double next[EDGE_COLUMNS_MOST]; /* extras of the edges that are appended next */
    int64_t most;                   /* number of edges that the file announces */
    bool uses_names;                /* ends are indices in the table of names */
    struct name_table names;
    bool has_number;       /* some name in a table of words is written like a number */
    int64_t first_word_at; /* number of the line with the first word; 0: there is no word */
    char first_word[VERTEX_NAME_SIZE];
};

/* A weight as it was read. */
struct read_weight {
    bool is_real;
    bool is_absent;  /* the weight means that there is no edge */
    int64_t integer; /* value if it is an integer, not is_real */
    double real;
};

/* Adds an edge with these ends. */
enum status edge_list_append(struct edge_list *list, int32_t from, int32_t to,
                             struct read_weight weight, struct error *err);

/* Makes room for `capacity` edges. */
enum status edge_list_reserve(struct edge_list *list, int64_t capacity, struct error *err);

/* Turns integer weights into real ones. */
enum status edge_list_make_real(struct edge_list *list, struct error *err);

/* Adds the reverse of every edge except self-loops, with the negated weight if `negated`. */
enum status edge_list_append_reverses(struct edge_list *list, bool negated, struct error *err);

/* Finds the ends of an edge by their names in the file, or adds these names. STATUS_BAD_INPUT for
 * an empty name, for a name longer than NAMES_LONGEST, and for "nan" and the like among numbers. */
enum status edge_list_take_ends(struct edge_list *list, struct text_line tail,
                                struct text_line head, int32_t *from, int32_t *to,
                                struct error *err);

/* Makes vertices of the ends, as edge_list_take_ends found them, of an edge whose weight means that
 * there is none. */
enum status edge_list_mention(struct edge_list *list, int32_t from, int32_t to, struct error *err);

/* Mapping from the names in a list to the vertices 0 .. n - 1 of a graph. */
struct list_vertices {
    int32_t n;
    struct vertex_naming naming; /* names of the vertices; the caller frees them */
    int64_t lowest, highest;     /* lowest and highest number that occurs, unless names are words */
    /* numbers are not all of 0, 1, ... or all of 1, 2, ... up to the highest */
    bool has_gaps;
};

/* Makes vertices of the names that occur: numbers in ascending order, words in the order of first
 * appearance. Replaces the ends of edges by vertices. The list must have at least one edge. */
enum status edge_list_find_vertices(struct edge_list *list, struct list_vertices *vertices,
                                    struct error *err);

/* Makes vertices of all numbers from `first` up to `last`, or to the highest one that occurs if
 * `last` is -1. If some names are not numbers in that range, only sets *outside. */
enum status edge_list_keep_numbers(struct edge_list *list, int32_t first, int32_t last,
                                   struct list_vertices *vertices, bool *outside,
                                   struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void edge_list_free(struct edge_list *list);

#endif
