// SPDX-License-Identifier: MIT
/* Reads graphs. Every program loads its graph by these functions. */
#ifndef COMMON_GRAPH_GRAPH_IO_H
#define COMMON_GRAPH_GRAPH_IO_H

#include "common/base/text_source.h"   // struct text_source, TEXT_HIGHEST_SCALE
#include "common/graph/edge_columns.h" // struct edge_columns
#include "common/graph/graph.h"        // struct graph

#define DEFAULT_GRAPH_FILE "graphFile.txt"

/* Finds a format of graph files by its name; NULL if there is none of that name. */
struct graph_format;
const struct graph_format *graph_format_find(const char *name);

/* Returns the name of a format, for index 0, 1, ...; NULL beyond the last one. */
const char *graph_format_at(size_t index);

/* Features that only some formats have, as bits. */
enum graph_format_trait {
    FORMAT_EDGE_COLUMNS = 1,       /* a table: --edge-columns may name its columns */
    FORMAT_WEIGHT_COLUMN = 2,      /* a table: --weight-column may name one */
    FORMAT_WEIGHT_ATTRIBUTE = 4,   /* edges with attributes: --weight-column may name one */
    FORMAT_OCCURRING_VERTICES = 8, /* a list: its vertices are the names that occur */
    FORMAT_FURTHER_COLUMNS = 32,   /* --along may name columns or attributes */
    FORMAT_ZONES = 16,             /* paths lead through no zone, unless --through-zones */
};

/* Writes the names of the formats that have the trait (0: of all) into `text`, with `between`
 * between two of them and `last` between the last two. Returns it. */
enum { GRAPH_FORMAT_NAMES = 256 };
const char *graph_format_names(unsigned trait, const char *between, const char *last,
                               char text[GRAPH_FORMAT_NAMES]);

/* The number of the first vertex in a file. */
enum vertices_from {
    VERTICES_FROM_FILE, /* as the format has it */
    VERTICES_FROM_0,
    VERTICES_FROM_1,
};

/* The type of a graph that is read. */
enum reading_type {
    READ_BY_WEIGHTS, /* int32 or, beyond it, int64 if all weights are integers, otherwise float64 */
    READ_INT32,      /* weights must be integers */
    READ_INT64,      /* weights must be integers; the graph is an integral one of float64 */
    READ_FLOAT32,
    READ_FLOAT64,
};

/* Weights that are made of those in the file. */
enum weight_transform {
    WEIGHTS_AS_READ,
    WEIGHTS_ONE,     /* 1 for every edge: paths with the fewest edges */
    WEIGHTS_INVERSE, /* 1 / w, of similarities; an edge of weight 0 is none */
};

/* How to read a file. If all is zero, the content tells the format, the weights tell the type,
 * and edges are read as they are. */
struct graph_reading {
    const struct graph_format *format; /* NULL: the content tells */
    const char *edge_columns;          /* "TAIL,HEAD", columns of a table; NULL: their names tell */
    const char *weight_column;         /* of a table; NULL: the format's own, see below */
    const char *along;                 /* columns, with commas between them, whose numbers add up
                                          along paths; NULL: none */
    struct edge_columns *columns;      /* gets them, unless it is NULL; the caller's to free */
    bool undirected;                   /* read every edge in both directions */
    bool keep_gaps;     /* numbers of a list that do not occur are vertices without edges, too */
    bool through_zones; /* paths may lead through the zones of a network */
    enum reading_type type;
    enum weight_transform transform;
    int32_t scale; /* 1 .. TEXT_HIGHEST_SCALE: weights are multiplied by it, which must give
                      integers; 0: they are not */
    enum vertices_from vertices_from;
    /* semiring of the paths that are asked for: parallel edges and the range of weights depend on
     * it. Weights of max-product are real. */
    enum semiring semiring;
    bool semiring_given;
    double grid;  /* what somebody else is to round the weights to (solve/grid.h) */
    int matrices; /* 1 or 2: matrices of the result, which must fit into memory beside the graph;
                     0: not known, at least distances */
    int32_t rows; /* unless 0, only so many rows of the result must fit, and no matrix */
    int threads;  /* threads that read, at most; 0: one per core */
    /* Unless NULL, called when a file announces its |V| and |E|. Both may still prove wrong. */
    void (*on_size)(void *context, int32_t vertices, int64_t edges);
    /* Unless NULL, called with a line for what the file says otherwise than the graph has it. */
    void (*on_note)(void *context, const char *line);
    void *callback_context;          /* for both */
    const struct progress *progress; /* NULL; STATUS_CANCELLED if it says to stop */
};

/* Hands on_note a line, unless the line is empty or nobody asks for lines. */
static inline void graph_note(const struct graph_reading *how, const char *line) {
    if (how->on_note != NULL && line[0] != '\0')
        how->on_note(how->callback_context, line);
}

/* Loads the graph in `path` ("-" is standard input), plain or compressed, in any known format.
 * Memory grows only with edges that were really read. STATUS_NO_RESOURCE if the matrices for |V| or
 * the edges do not fit into memory (memory.h); if the file announces its size, before edges are
 * read. STATUS_BAD_INPUT, with file and line, for anything malformed. The caller frees the graph
 * with graph_free.
 *
 * Each format describes itself in its file, readers_*.c; docs/graph-formats.md has them all.
 * The vertices of FORMAT_OCCURRING_VERTICES are the numbers or words that occur (edge_list.h,
 * edge_list_find_vertices), whatever they are; those of the others are announced by the file.
 *
 * Weights are decimal numbers: 5, -0.25, 1e3. Those of a graph of a real type are rounded once, to
 * the nearest number of the type; a finite one that is too large for the type, and a "nan", is
 * STATUS_BAD_INPUT; an edge of weight "inf" is no edge, and counts in edges_read only, but is
 * STATUS_BAD_INPUT where the greatest length is the best. The weights
 * are integral if their values are, whatever the notation, but Matrix Market's integers must be
 * written as such. Integers that int32 does not hold make an integral graph of float64 unless other
 * weights have decimals, and must be below 2^53.
 *
 * Unless said otherwise, blanks separate fields and empty lines are skipped. edges_read counts an
 * edge that is read in both directions as two, unless it is a self-loop. */
enum status graph_read_as(const char *path, const struct graph_reading *how, struct graph *g,
                          struct error *err);

/* The same if `how` is all zero. */
enum status graph_read(const char *path, struct graph *g, struct error *err);

/* The same for an open source, which the caller closes. */
enum status graph_read_source(struct text_source *source, const struct graph_reading *how,
                              struct graph *g, struct error *err);

#endif
