// SPDX-License-Identifier: MIT
/* Tables of masses: a row for each vertex, a named column for each mass. */
#ifndef ACCESSIBILITY_MASS_TABLE_H
#define ACCESSIBILITY_MASS_TABLE_H

#include "common/graph/graph.h" // struct graph

struct mass_table {
    int32_t masses;  /* number of columns with masses; may be 0 */
    char **name;     /* name of each mass, ended by '\0', masses entries */
    double *mass;    /* masses by vertex, n x masses; 0 for vertices that the table lacks */
    int32_t rows;    /* number of vertices that the table has */
    int32_t *vertex; /* these vertices, in the table's order, rows entries */
};

/* Reads a table with a head, plain or compressed, whose fields are separated by commas, semicolons,
 * tabs or bars, whichever the head has most of. The vertices, called as in the graph's file, are in
 * the column "id" of a table that begins with "vertex,id", as apsp writes them, otherwise in the
 * first one; all other columns are masses, finite numbers of 0 or more. STATUS_BAD_INPUT, with the
 * line, for anything else: for an unknown vertex, a vertex or a name that occurs twice, and a
 * column of masses that is called id, vertex, node, vertex_id or node_id. The caller frees *table
 * with mass_table_free, also after a failure. */
enum status mass_table_read(const char *path, const struct graph *g, struct mass_table *table,
                            struct error *err);

/* Returns the number of the mass with a name of `length` bytes; -1: there is none. */
int32_t mass_table_find(const struct mass_table *table, const char *name, size_t length);

/* Frees *table and zeroes it; safe on a zeroed struct. */
void mass_table_free(struct mass_table *table);

#endif
