// SPDX-License-Identifier: MIT
/* The tables of measures: a row says what a measure is called, when there is one, how it is written
 * and how it follows from what was added up. The files, --json, reports, verify, libapsp and Python
 * read them. docs/add-a-measure.md adds a row. */
#ifndef MEASURES_TABLE_H
#define MEASURES_TABLE_H

#include "common/base/number.h" // enum number_type
#include "measures/measures.h"  // struct measures, struct any_totals

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a measure is written. */
enum measure_form {
    MEASURE_COUNT,    /* an integer */
    MEASURE_SUM,      /* of distances: an integer if they are int32, otherwise of float64 */
    MEASURE_DISTANCE, /* a number of the distances' type */
    MEASURE_REAL,     /* a real number of distances of any type */
    /* values of the graph only */
    MEASURE_TRUTH,
    MEASURE_VERTICES,  /* those that have an eccentricity */
    MEASURE_PAIR,      /* the largest distance with its vertices */
    MEASURE_HISTOGRAM, /* counts of distances with their bins */
};

/* Returns whether a measure of vertices is an integer, of distances that are written as numbers of
 * a type.
 */
static inline bool measure_is_integer(enum measure_form form, enum number_type type) {
    return form == MEASURE_COUNT || (form != MEASURE_REAL && type == NUMBER_INT32);
}

/* A measure that every source has and, inwards, every vertex: columns of the .csv. */
struct measure_of_vertices {
    /* The column if the graph is undirected; if it is directed, of distances from the vertex and of
     * those to it. A name that NetworkX has is the column of NetworkX's direction. in_name is NULL
     * if a measure is of both. */
    const char *name, *out_name, *in_name;
    /* The measure's apsp_vertex_measure in apsp.h: never changes, and numbers have no gaps. */
    int number;
    enum measure_form form;
    /* The power of a length that it is: 1 grows like distances, -1 like their reciprocals. */
    int dimension;
    unsigned part; /* the bit of the part it belongs to; 0: there is always one */
    /* Returns the exact value, if measure_is_integer(); NULL if the form is MEASURE_REAL. */
    exact_sum (*integer)(const struct any_totals *totals);
    double (*real)(const struct any_totals *totals); /* rounded */
};

/* Which measures there are. */
enum measure_scope {
    MEASURE_OF_PAIRS,    /* of any sources, with any limit */
    MEASURE_OF_ALL,      /* only if measures_are_of_graph */
    MEASURE_IF_CONNECTED /* the same; null unless the graph is connected, strongly if directed */
};

/* The value of a measure of the graph. */
struct measured {
    exact_sum exact; /* of a count, a truth or a sum of int32 distances */
    double real;     /* of all other forms, and of sums; an eccentricity of vertices; NaN: none */
};

/* A measure that a graph, or the pairs of its sources, have once: a member of the .json. */
struct measure_of_graph {
    const char *name, *directed_name; /* NULL: a directed graph's is the same */
    const char *label; /* of its line for people; NULL: another line says it, or none */
    enum measure_form form;
    enum measure_scope scope;
    unsigned part; /* the bit of the part it belongs to; 0: of none */
    struct measured (*value)(const struct measures *m); /* NULL: its form says which */
};

/* The rows, in the order of columns and of members. NULL beyond the last. */
const struct measure_of_vertices *measure_of_vertices_at(size_t row);
const struct measure_of_graph *measure_of_graph_at(size_t row);

/* The row of a number of apsp.h; NULL if there is none. */
const struct measure_of_vertices *measure_of_vertices_numbered(int number);

/* The name of a measure of vertices in a direction. */
static inline const char *measure_column(const struct measure_of_vertices *row, bool directed,
                                         bool inwards) {
    return !directed ? row->name : inwards ? row->in_name : row->out_name;
}

/* The name of a measure of the graph. */
static inline const char *measure_member(const struct measure_of_graph *row, bool directed) {
    return directed && row->directed_name != NULL ? row->directed_name : row->name;
}

/* Returns whether finished measures have one of the graph. */
static inline bool measures_have(const struct measures *m, const struct measure_of_graph *row) {
    return (row->part & ~m->parts) == 0 &&
           (row->scope == MEASURE_OF_PAIRS || measures_are_of_graph(m));
}

/* Returns whether one that finished measures have is null: only a connected graph has a value. */
static inline bool measure_is_null(const struct measures *m, const struct measure_of_graph *row) {
    return row->scope == MEASURE_IF_CONNECTED && m->of_graph.components != 1;
}

/* The bit of the part that the measure of a name in the files belongs to; 0 if it belongs to none,
 * and if no measure has the name. */
unsigned measures_part_of(const char *name);

#endif
