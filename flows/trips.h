// SPDX-License-Identifier: MIT
/* Trips from origins to destinations: a demand to be loaded on a network, or pairs of vertices
 * whose distances are wanted. */
#ifndef FLOWS_TRIPS_H
#define FLOWS_TRIPS_H

#include "common/graph/graph.h" // struct graph

struct trips {
    int32_t origins;   /* number of vertices at which trips begin */
    int32_t *origin;   /* these vertices, ascending, origins entries */
    int64_t *first;    /* index in `to` at which each origin's destinations begin, origins + 1
                          entries */
    int32_t *to;       /* destinations, ascending for each origin, first[origins] entries */
    double *count;     /* number of trips to each destination, finite, > 0 */
    int64_t added;     /* number of rows whose trips were added to those of an earlier row with the
                          same pair */
    struct error note; /* note on what the reader of a file left aside or guessed, in one line; "":
                          nothing */
};

/* Reads a table of trips, plain or compressed: rows ORIGIN,DESTINATION,TRIPS with commas,
 * semicolons, tabs, bars or blanks, or rows without TRIPS, of one trip each; or a TNTP file of
 * trips (https://github.com/bstabler/TransportationNetworks). Vertices are called as in the graph's
 * file. A first line none of whose fields is a vertex or a number is a head. If it names the two
 * ends as the head of a CSV graph does, these columns are used, in any order. Trips are then in the
 * only other column with a name or, if there are several, in the one called trips, demand, flow,
 * volume or count. If the head does not name the ends, a note says how the columns are used. Pairs
 * without trips are left out. STATUS_BAD_INPUT, with the line, for anything else, for unknown
 * vertices, numbers below 0, and a table without trips. The caller frees *trips with trips_free,
 * also after a failure. */
enum status trips_read(const char *path, const struct graph *g, struct trips *trips,
                       struct error *err);

/* Makes the table of `rows` rows: count[k] trips from origin[k] to destination[k], finite and >= 0;
 * count NULL: one trip each. The vertices are in 0 .. n - 1. */
enum status trips_make(const int32_t *origin, const int32_t *destination, const double *count,
                       int64_t rows, struct trips *trips, struct error *err);

/* Makes the table of the trips of some origins of `all`; `origin` ascends. The caller frees it with
 * trips_free, also after a failure. */
enum status trips_of_some(const struct trips *all, const int32_t *origin, int32_t origins,
                          struct trips *trips, struct error *err);

/* Returns the number of trips between two vertices, 0 if there are none. */
double trips_between(const struct trips *trips, int32_t origin, int32_t destination);

/* Frees *trips and zeroes it; safe on a zeroed struct. */
void trips_free(struct trips *trips);

/* Pairs of vertices in the order of a table. */
struct pairs {
    int64_t count;
    int32_t *from;          /* origin of each pair, count entries */
    int64_t *place;         /* index of each pair in by_origin.to, count entries */
    struct trips by_origin; /* the different pairs; numbers of trips have no meaning */
};

/* Reads the pairs of a table of trips, including pairs without trips. Other columns are ignored,
 * which by_origin.note says. Otherwise as trips_read. The caller frees *pairs with pairs_free. */
enum status pairs_read(const char *path, const struct graph *g, struct pairs *pairs,
                       struct error *err);

/* Frees *pairs and zeroes it; safe on a zeroed struct. */
void pairs_free(struct pairs *pairs);

#endif
