// SPDX-License-Identifier: MIT
/* Lists of the rows and columns that a caller wants, in the form in which people write them. */
#ifndef COMMON_ROWS_VERTEX_LIST_H
#define COMMON_ROWS_VERTEX_LIST_H

#include "common/base/error.h"      // enum status, struct error
#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sources

/* A list of vertices: sources, or targets. */
struct vertex_list {
    int32_t *vertex; /* NULL: all vertices */
    int32_t count;
};

/* Reads a list from text: vertices and ranges with commas between them ("0,17,100-199"), "@FILE"
 * for a file that holds such lists on its lines, with blanks or commas between the numbers and
 * comments from # on (of words, from a # after a blank), or "random:K:SEED" for K different
 * vertices, ascending, that depend on K, SEED and the number of vertices only. Vertices are called
 * as in the graph's file (graph_name) and must differ. Words are separated by commas or ends of
 * lines; a word with a comma, or with the beginning of a comment, is in double quotes
 * (naming_take_field). If vertices are the numbers that occur, a range stands for those in it that
 * occur. Rows have the order of the list. text is NULL for all vertices. STATUS_BAD_INPUT, with a
 * message that begins with the name of the option; STATUS_NO_RESOURCE if memory is short. The
 * caller frees with vertex_list_free, also after a failure. */
enum status vertex_list_parse(const char *option, const char *text, const struct graph *g,
                              struct vertex_list *list, struct error *err);

static inline struct row_sources vertex_list_rows(const struct vertex_list *list,
                                                  const struct graph *g) {
    return (struct row_sources){list->vertex, list->vertex != NULL ? list->count : g->n};
}

/* Refuses, with STATUS_BAD_INPUT, an output that would replace the file of such a text, which may
 * be NULL. option: the option that named the output; path: its path (output_refuse_input). */
enum status vertex_list_refuse_output(const char *text, const char *option, const char *path,
                                      struct error *err);

/* Copies `count` >= 1 vertices from a file, which must differ and be below n; otherwise
 * STATUS_BAD_INPUT, with a message that begins with the file's path. The caller frees with
 * vertex_list_free, also after a failure. */
enum status vertex_list_copy(const char *path, const int32_t *vertex, int32_t count, int32_t n,
                             struct vertex_list *list, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void vertex_list_free(struct vertex_list *list);

#endif
