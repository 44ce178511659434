// SPDX-License-Identifier: MIT
/* Trips from origins to destinations: a demand that is to be loaded on a network, or pairs of
 * vertices whose distances are wanted. */
#ifndef FLOWS_TRIPS_H
#define FLOWS_TRIPS_H

#include "common/graph/graph.h" // struct graph

struct trips {
    int32_t origins;   /* number of vertices that trips begin at */
    int32_t *origin;   /* origins: these vertices, ascending */
    int64_t *first;    /* origins + 1: where the destinations of each begin */
    int32_t *to;       /* first[origins]: destinations, ascending for each origin */
    double *count;     /* trips to each, finite, above 0 */
    int64_t added;     /* number of rows whose pair had been there, and whose trips were added */
    struct error note; /* what the reader of a file left aside or guessed, in one line, or "" */
};

/* Reads a table of trips, plain or compressed: rows ORIGIN,DESTINATION,TRIPS with commas,
 * semicolons, tabs, bars or blanks, or rows without TRIPS, of one trip each; or a TNTP file of
 * trips (https://github.com/bstabler/TransportationNetworks). Vertices are called as in the graph's
 * file. A first line none of whose fields is a vertex or a number is a head. If it names the ends
 * as the head of a CSV graph does, columns are those, in any order, and trips are in the one other
 * column with a name, or in that of several which is called trips, demand, flow, volume or count;
 * if it does not, a note says how columns are taken. Pairs without trips are left out.
 * STATUS_BAD_INPUT, with the line, for anything else, for unknown vertices, numbers below 0, and a
 * table without trips. The caller frees with trips_free, also after a failure. */
enum status trips_read(const char *path, const struct graph *g, struct trips *trips,
                       struct error *err);

/* Makes the table of `rows` trips from origin[k] to destination[k], count[k] of them, finite and 0
 * or more; count NULL: one each. The vertices are in 0 .. n - 1. */
enum status trips_make(const int32_t *origin, const int32_t *destination, const double *count,
                       int64_t rows, struct trips *trips, struct error *err);

/* Makes the table of the trips of some of the origins of `all`, which ascend. The caller frees with
 * trips_free, also after a failure. */
enum status trips_of_some(const struct trips *all, const int32_t *origin, int32_t origins,
                          struct trips *trips, struct error *err);

/* Returns the trips between two vertices, 0 if there are none. */
double trips_between(const struct trips *trips, int32_t origin, int32_t destination);

/* Safe on a zeroed struct; leaves it zeroed. */
void trips_free(struct trips *trips);

/* Pairs of vertices in the order of a table. */
struct pairs {
    int64_t count;
    int32_t *from;          /* count: the origin of each */
    int64_t *place;         /* count: where each is in by_origin.to */
    struct trips by_origin; /* each of them once; numbers of trips have no meaning */
};

/* Reads the pairs of a table of trips, also those without trips; other columns are left aside,
 * which by_origin.note says. Otherwise as trips_read. The caller frees with pairs_free. */
enum status pairs_read(const char *path, const struct graph *g, struct pairs *pairs,
                       struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void pairs_free(struct pairs *pairs);

#endif
