// SPDX-License-Identifier: MIT
/* Families of graphs: roads, grids, neighbour graphs and others. Each is a row of one table that
 * parsing, help and tests read. The same request gives the same graph on every machine, with any
 * number of threads, because only integers decide. */
#ifndef GRAPHGEN_FAMILIES_H
#define GRAPHGEN_FAMILIES_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/output.h" // struct output
#include "common/graph/graph.h" // struct edge
#include "graphgen/generate.h"  // struct graph_description
#include "graphgen/layout.h"    // struct graph_layout

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal parameters are stored as integers, in thousandths. */
enum { THOUSANDTHS = 1000 };

struct family;

struct family_request {
    const struct family *family;
    struct graph_description graph; /* description of the graph; family_write sets its `edges` */
    int64_t degree;                 /* degree in thousandths, if the family has one */
    int64_t cut_exponent;           /* cut exponent in thousandths, if the family has one */
    int64_t towns;                  /* how much the densities of towns differ, in thousandths, if
                                       the family has towns; 0: not at all */
    int64_t one_way;                /* share of roads that lead one way only, in thousandths, if the
                                       family has one-way streets */
    int dimensions;                 /* 2 or 3, if the family has them */
    bool lengths;                   /* weights are the family's lengths, not drawn */
    bool undirected;                /* each edge is written once, not in both directions */
    bool asymmetric;                /* the directions of an edge have weights of their own */
    int64_t dropped; /* drawn edges that are not in the graph; family_write sets it */
};

/* Receives a generator's graph: begin() with the number of edges, and the number of those that lead
 * one way only although the family is not directed; then put_one_way() once for each of those, and
 * put() for each other edge. Lengths are 0 if the family has none. */
struct edge_sink {
    void *to; /* first argument of the three functions */
    enum status (*begin)(void *to, int64_t edges, int64_t one_way, struct error *err);
    enum status (*put)(void *to, int32_t u, int32_t v, int32_t length, struct error *err);
    enum status (*put_one_way)(void *to, int32_t u, int32_t v, int32_t length, struct error *err);
};

struct family {
    const char *name;    /* the value of --family */
    const char *summary; /* one line for --help */
    struct {
        const char *meaning; /* meaning of --degree, for --help; NULL: the family has no degree */
        int64_t lowest, highest, step, usual; /* degrees in thousandths: range, step, default */
    } degree;
    bool cut_exponent, dimensions, lengths;
    bool streets;      /* edges are streets of towns, and may lead one way only */
    bool drops;        /* loops and repeated edges are dropped, so that vertices may have fewer
                               edges than --degree says */
    bool power_of_two; /* the number of vertices must be a power of two */
    bool one_way;      /* edges are directed; otherwise put() gets one direction of each edge */
    enum status (*generate)(const struct family_request *request, const struct edge_sink *sink,
                            struct error *err);
};

extern const struct family families[];
extern const size_t family_count;

/* Range and usual value of the cut exponent, in thousandths. */
enum { CUT_EXPONENT_LOWEST = 200, CUT_EXPONENT_HIGHEST = 500, CUT_EXPONENT_USUAL = 350 };

/* Range of how unlike densities are, and of the share of one-way roads, in thousandths. */
enum { TOWNS_HIGHEST = 1000, ONE_WAY_HIGHEST = 1000 };

/* The family of that name, or NULL. */
const struct family *family_find(const char *name);

/* A decimal number with at most three places, as thousandths; false for any other text. */
bool thousandths_read(const char *text, int64_t *value);

/* Writes a number of thousandths as decimal text, for people; returns text. */
const char *thousandths_write(int64_t value, char *text, size_t size);

/* family_names writes "grid|road|...", family_summaries the table in lines, for --help, into text
 * of `size` bytes. */
void family_names(char *text, size_t size);
void family_summaries(char *text, size_t size);

/* The number of edges that a family with `drops` draws. */
int64_t family_draws(const struct family_request *request);

/* Writes the graph and sets request->graph.edges to the edges written, and request->dropped. Takes
 * memory in proportion to the vertices at most: STATUS_NO_RESOURCE if that is not there.
 * STATUS_BAD_INPUT if so many roads cannot lead one way. */
enum status family_write(struct family_request *request, const struct graph_layout *layout,
                         struct output *out, struct error *err);

/* The generators of the table. */
typedef enum status family_generator(const struct family_request *request,
                                     const struct edge_sink *sink, struct error *err);
family_generator generate_grid, generate_road, generate_geometric, generate_knn,
    generate_power_grid, generate_transit, generate_river, generate_surface, generate_power_law,
    generate_rmat, generate_disconnected, generate_tree, generate_ring, generate_star,
    generate_complete;

/* The probabilities of Graph500's quadrants, in percent; the fourth has the remaining 5. */
enum { RMAT_A = 57, RMAT_B = 19, RMAT_C = 19 };

/* The index-th edge that R-MAT draws among 2^scale vertices, before these are permuted. It takes
 * one of the four quadrants of the adjacency matrix, then one of the quadrants of that, and so on.
 * A: low tail and low head, B: low tail and high head, C: high tail and low head. The weight is
 * 0. */
struct edge rmat_edge(uint64_t key, uint64_t index, int scale);

/* The least r with r^power >= x. */
int64_t root_above(uint64_t x, int power);

/* The length of a vector whose square is `square`, rounded down, at least 1. */
int32_t length_of(uint64_t square);

/* A key for one of a family's uses of random numbers. */
uint64_t family_key(const struct family_request *request, uint64_t use);

#endif
