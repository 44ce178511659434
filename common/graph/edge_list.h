// SPDX-License-Identifier: MIT
/* The edges of a graph while its file is read, and what the file calls their ends. */
#ifndef COMMON_GRAPH_EDGE_LIST_H
#define COMMON_GRAPH_EDGE_LIST_H

#include "common/base/error.h"       // enum status, struct error
#include "common/base/text_source.h" // struct text_source
#include "common/graph/graph.h"      // struct edge, struct real_edge
#include "common/graph/name_table.h" // struct name_table

#include <stdbool.h>
#include <stdint.h>

enum { EDGE_COLUMNS_MOST = 16 }; /* numbers of an edge beside its weight */

/* Weights are integers as long as all of them are. The ends of an edge are numbers of the file, as
 * long as all of them are in 0 .. INT32_MAX - 1; then places in the table of names. */
struct edge_list {
    const struct text_source *source; /* for messages */
    bool is_real;
    union {
        void *memory;
        struct edge *edges;
        struct real_edge *real_edges; /* if is_real */
    };
    int64_t count, capacity;
    int extras;                     /* numbers of each edge beside its weight; 0: there are none */
    double *extra;                  /* count * extras: those of edge e begin at e * extras */
    int64_t extra_capacity;         /* edges that `extra` has room for */
    double next[EDGE_COLUMNS_MOST]; /* extras: those of the edges that are appended from now on */
    int64_t most;                   /* number of edges that the file announces */
    bool uses_names;                /* ends are places in the table */
    struct name_table names;
    bool has_number;       /* some name in the table of words is written like a number */
    int64_t first_word_at; /* number of the line with the first word; 0: there is none */
    char first_word[VERTEX_NAME_SIZE];
};

/* A weight as it was read. */
struct read_weight {
    bool is_real;
    bool is_absent;  /* the weight says that there is no edge */
    int64_t integer; /* unless is_real */
    double real;
};

/* Adds an edge with these ends. */
enum status edge_list_append(struct edge_list *list, int32_t from, int32_t to,
                             struct read_weight weight, struct error *err);

/* Makes room for `capacity` edges. */
enum status edge_list_reserve(struct edge_list *list, int64_t capacity, struct error *err);

/* Turns integral weights into real ones. */
enum status edge_list_make_real(struct edge_list *list, struct error *err);

/* Adds the reverse of every edge but self-loops, with the negated weight if `negated`. */
enum status edge_list_append_reverses(struct edge_list *list, bool negated, struct error *err);

/* Finds the ends of an edge by the names that the file has for them, or adds them. STATUS_BAD_INPUT
 * for an empty name, for one longer than NAMES_LONGEST, and for "nan" and the like among numbers.
 */
enum status edge_list_take_ends(struct edge_list *list, struct text_line tail,
                                struct text_line head, int32_t *from, int32_t *to,
                                struct error *err);

/* Makes vertices of the ends, as edge_list_take_ends found them, of an edge that is absent. */
enum status edge_list_mention(struct edge_list *list, int32_t from, int32_t to, struct error *err);

/* How the names of a list become the vertices 0 .. n-1 of a graph. */
struct list_vertices {
    int32_t n;
    struct vertex_naming naming; /* the caller's to free */
    int64_t lowest, highest;     /* numbers that occur, unless names are words */
    bool has_gaps;               /* numbers from 0 on, or from 1 on, are left out */
};

/* Makes vertices of the names that occur: numbers in ascending order, words in the order of first
 * appearance. The ends of edges become vertices. The list has at least one edge. */
enum status edge_list_find_vertices(struct edge_list *list, struct list_vertices *vertices,
                                    struct error *err);

/* Makes vertices of all numbers from `first` up to `last`, or to the highest that occurs if `last`
 * is -1. *outside is set, and nothing else is done, if the names are not all numbers of that range.
 */
enum status edge_list_keep_numbers(struct edge_list *list, int32_t first, int32_t last,
                                   struct list_vertices *vertices, bool *outside,
                                   struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void edge_list_free(struct edge_list *list);

#endif
