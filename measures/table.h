// SPDX-License-Identifier: MIT
/* The tables of measures: each row has the name of a measure, the condition for its existence, the
 * form in which it is written and how it follows from the totals. The files, --json, reports,
 * verify, libapsp and Python read them. docs/add-a-measure.md adds a row. */
#ifndef MEASURES_TABLE_H
#define MEASURES_TABLE_H

#include "common/base/number.h" // enum number_type
#include "measures/measures.h"  // struct measures, struct any_totals

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The form in which a measure is written. */
enum measure_form {
    MEASURE_COUNT,    /* an integer */
    MEASURE_SUM,      /* a sum of distances: an integer if they are int32, otherwise of float64 */
    MEASURE_DISTANCE, /* a number of the distances' type */
    MEASURE_REAL,     /* a real number, whatever the distances' type */
    /* The forms below occur only among measures of the graph. */
    MEASURE_TRUTH,
    MEASURE_VERTICES,  /* the vertices that have a given eccentricity */
    MEASURE_PAIR,      /* the largest distance with its two vertices */
    MEASURE_HISTOGRAM, /* counts of distances with their bins */
};

/* Returns whether a measure of vertices is an integer if distances are written as numbers of that
 * type. */
static inline bool measure_is_integer(enum measure_form form, enum number_type type) {
    return form == MEASURE_COUNT || (form != MEASURE_REAL && type == NUMBER_INT32);
}

/* A measure that every source has and, for distances to it, every vertex: columns of the .csv. */
struct measure_of_vertices {
    /* Names of columns. name: in an undirected graph. In a directed one, out_name: for distances
     * from the vertex; in_name: for distances to it, NULL if the measure does not depend on the
     * direction. A name of NetworkX stands for NetworkX's direction. */
    const char *name, *out_name, *in_name;
    /* The measure's apsp_vertex_measure in apsp.h. It never changes, and numbers have no gaps. */
    int number;
    enum measure_form form;
    /* Power of a length that the measure scales with: 1 like distances, -1 like their reciprocals.
     */
    int dimension;
    unsigned part;  /* bit of the part that the measure belongs to; 0: it is always there */
    bool sums_only; /* lengths of other semirings than min-plus do not have the measure */
    /* Returns the exact value, if measure_is_integer(); NULL if the form is MEASURE_REAL. */
    exact_sum (*integer)(const struct any_totals *totals);
    double (*real)(const struct any_totals *totals); /* returns the value, rounded */
};

/* Conditions on which a measure exists. */
enum measure_scope {
    MEASURE_OF_PAIRS, /* for any sources, with any limit */
    MEASURE_OF_ALL,   /* only if measures_are_of_graph */
    /* only if measures_are_of_graph; null unless the graph is (strongly) connected */
    MEASURE_IF_CONNECTED
};

/* The value of a measure of the graph. */
struct measured {
    exact_sum exact; /* the value of a count, a truth or a sum of int32 distances */
    /* the value of all other forms, and of sums; for MEASURE_VERTICES, the eccentricity; NaN: none
     */
    double real;
};

/* A measure that a graph, or the pairs of its sources, have once: a member of the .json. */
struct measure_of_graph {
    /* directed_name: name in a directed graph, other_name: in another semiring than min-plus; NULL:
     * `name` serves */
    const char *name, *directed_name, *other_name;
    const char *label; /* label of its line in reports; NULL: another line has it, or none */
    enum measure_form form;
    enum measure_scope scope;
    unsigned part;  /* bit of the part that the measure belongs to; 0: none */
    bool sums_only; /* as in struct measure_of_vertices */
    /* returns the value; NULL: the form says which */
    struct measured (*value)(const struct measures *m);
};

/* Return the rows by index, in the order of columns and of members; NULL after the last. */
const struct measure_of_vertices *measure_of_vertices_at(size_t row);
const struct measure_of_graph *measure_of_graph_at(size_t row);

/* Returns the row with that number in apsp.h; NULL if there is none. */
const struct measure_of_vertices *measure_of_vertices_numbered(int number);

/* Returns the name of a measure of vertices in a direction. */
static inline const char *measure_column(const struct measure_of_vertices *row, bool directed,
                                         bool inwards) {
    return !directed ? row->name : inwards ? row->in_name : row->out_name;
}

/* Returns the name of a measure of a graph whose lengths are sums or not. */
static inline const char *measure_member(const struct measure_of_graph *row, bool directed,
                                         bool is_sum) {
    return directed && row->directed_name != NULL ? row->directed_name
           : !is_sum && row->other_name != NULL   ? row->other_name
                                                  : row->name;
}

/* Returns whether finished measures have the measure of that row. */
static inline bool measures_have(const struct measures *m, const struct measure_of_graph *row) {
    return (row->part & ~m->parts) == 0 && (m->order.is_sum || !row->sums_only) &&
           (row->scope == MEASURE_OF_PAIRS || measures_are_of_graph(m));
}

/* Returns whether a measure that finished measures have is null, because the graph is not
 * connected. */
static inline bool measure_is_null(const struct measures *m, const struct measure_of_graph *row) {
    return row->scope == MEASURE_IF_CONNECTED && m->of_graph.components != 1;
}

/* Returns the bit of the part to which the measure with that name in the files belongs; 0 if it
 * belongs to none, or if no measure has the name. */
unsigned measures_part_of(const char *name);

#endif
