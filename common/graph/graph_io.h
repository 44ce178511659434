// SPDX-License-Identifier: MIT
/* Reads graphs. Every program loads its graph by these functions. */
#ifndef COMMON_GRAPH_GRAPH_IO_H
#define COMMON_GRAPH_GRAPH_IO_H

#include "common/base/text_source.h"   // struct text_source, TEXT_HIGHEST_SCALE
#include "common/graph/edge_columns.h" // struct edge_columns
#include "common/graph/graph.h"        // struct graph

#define DEFAULT_GRAPH_FILE "graphFile.txt"

/* A format of graph files. The function finds one by its name; NULL if there is none. */
struct graph_format;
const struct graph_format *graph_format_find(const char *name);

/* Returns the name of the format with index 0, 1, ...; NULL after the last one. */
const char *graph_format_at(size_t index);

/* Features that only some formats have, as bits. */
enum graph_format_trait {
    FORMAT_EDGE_COLUMNS = 1, /* the file is a table; --edge-columns may name its columns */
    /* the file is a table; --weight-column may name one of its columns */
    FORMAT_WEIGHT_COLUMN = 2,
    FORMAT_WEIGHT_ATTRIBUTE = 4,   /* edges have attributes; --weight-column may name one of them */
    FORMAT_OCCURRING_VERTICES = 8, /* the file is a list; its vertices are the names that occur */
    FORMAT_FURTHER_COLUMNS = 32,   /* --along may name columns or attributes */
    FORMAT_ZONES = 16,             /* paths lead through no zone, unless --through-zones */
};

/* Writes the names of the formats that have the trait (0: of all formats) into `text`, separated by
 * `between`, the last two by `last`. Returns `text`. */
enum { GRAPH_FORMAT_NAMES = 256 };
const char *graph_format_names(unsigned trait, const char *between, const char *last,
                               char text[GRAPH_FORMAT_NAMES]);

/* The number of the first vertex in a file. */
enum vertices_from {
    VERTICES_FROM_FILE, /* as the format prescribes */
    VERTICES_FROM_0,
    VERTICES_FROM_1,
};

/* The type of a graph that is read. */
enum reading_type {
    READ_BY_WEIGHTS, /* by the weights: int32 if all are integers, or int64 if some do not fit;
                        otherwise float64 */
    READ_INT32,      /* weights must be integers */
    READ_INT64,      /* weights must be integers; the graph is an integral float64 graph */
    READ_FLOAT32,
    READ_FLOAT64,
};

/* Ways to make weights from those in the file. */
enum weight_transform {
    WEIGHTS_AS_READ,
    WEIGHTS_ONE,     /* 1 for every edge: paths with the fewest edges */
    WEIGHTS_INVERSE, /* 1 / w, for similarities; an edge of weight 0 becomes none */
};

/* How to read a file. If all is zero, the content tells the format, the weights tell the type,
 * and edges are read as they are. */
struct graph_reading {
    const struct graph_format *format; /* NULL: the file's content decides */
    /* "TAIL,HEAD", columns of a table; NULL: the names of its columns decide */
    const char *edge_columns;
    /* column or attribute with the weights; NULL: the format's own */
    const char *weight_column;
    /* columns, separated by commas, whose numbers are summed along paths; NULL: none */
    const char *along;
    /* gets the numbers of the columns in `along`; the caller frees them; NULL: not wanted */
    struct edge_columns *columns;
    bool undirected; /* read every edge in both directions */
    /* numbers that do not occur in a list of edges are vertices, too, without edges */
    bool keep_gaps;
    bool through_zones; /* paths may lead through the zones of a network */
    enum reading_type type;
    enum weight_transform transform;
    int32_t scale; /* 1 .. TEXT_HIGHEST_SCALE: weights are multiplied by this, and must then be
                      integers; 0: they are not */
    enum vertices_from vertices_from;
    /* semiring of the wanted paths: parallel edges and the range of weights depend on it. Weights
     * of max-product are real. */
    enum semiring semiring;
    bool semiring_given;
    double grid;  /* spacing to which the caller is going to round the weights (solve/grid.h) */
    int matrices; /* number of matrices of the result that must fit into memory in addition to the
                     graph: 1 or 2; 0: not known, at least distances */
    int32_t rows; /* number of rows of the result that must fit into memory in place of matrices; 0:
                     matrices must fit */
    int threads;  /* the most threads that read; 0: one per core */
    /* Unless NULL, called when a file announces its |V| and |E|. Both may still prove wrong. */
    void (*on_size)(void *context, int32_t vertices, int64_t edges);
    /* Unless NULL, called with a line about something in the file that the graph does not
     * reproduce. */
    void (*on_note)(void *context, const char *line);
    void *callback_context;          /* context for on_size and on_note */
    const struct progress *progress; /* if it says to stop, STATUS_CANCELLED; NULL: never */
};

/* Passes a line to on_note, unless the line is empty or on_note is NULL. */
static inline void graph_note(const struct graph_reading *how, const char *line) {
    if (how->on_note != NULL && line[0] != '\0')
        how->on_note(how->callback_context, line);
}

/* Loads the graph in `path` ("-" is standard input), plain or compressed, in any known format.
 * Memory grows only with edges that were really read. STATUS_NO_RESOURCE if the matrices for |V| or
 * the edges do not fit into memory (memory.h); if the file announces its size, this is found before
 * edges are read. STATUS_BAD_INPUT, with file and line in the message, for anything malformed. The
 * caller frees the graph with graph_free.
 *
 * Each format describes itself in its file, readers_*.c; docs/graph-formats.md has them all. The
 * vertices of FORMAT_OCCURRING_VERTICES are the numbers or words that occur (edge_list.h,
 * edge_list_find_vertices), whatever they are; files of all other formats announce their vertices.
 *
 * Weights are decimal numbers: 5, -0.25, 1e3. Those of a graph of a real type are rounded once, to
 * the nearest number of the type; a finite one that is too large for the type, and a "nan", is
 * STATUS_BAD_INPUT; an edge of weight "inf" is no edge, and counts in edges_read only, but is
 * STATUS_BAD_INPUT if the greatest length is the best. The weights are integral if their values
 * are, whatever the notation, but Matrix Market's integers must be written as such. Integers that
 * int32 does not hold make an integral graph of float64 unless other weights have decimals, and
 * must be below 2^53.
 *
 * Unless said otherwise, blanks separate fields and empty lines are skipped. edges_read counts an
 * edge that is read in both directions as two, unless it is a self-loop. */
enum status graph_read_as(const char *path, const struct graph_reading *how, struct graph *g,
                          struct error *err);

/* Does what graph_read_as does with a struct graph_reading that is all zero. */
enum status graph_read(const char *path, struct graph *g, struct error *err);

/* Does what graph_read_as does for an open source, which the caller closes. */
enum status graph_read_source(struct text_source *source, const struct graph_reading *how,
                              struct graph *g, struct error *err);

#endif
