// SPDX-License-Identifier: MIT
/* Diameter, radius and eccentricities without the distances of all pairs: each search from a vertex
 * bounds the eccentricities of all others from below and from above, and tens of searches mostly
 * close the bounds that matter (Takes and Kosters, "Determining the diameter of small world
 * networks", 2011; Borassi et al., "Fast diameter and radius BFS-based computation in (weakly
 * connected) real-world graphs", 2015). The answer is always exact: if bounds do not close,
 * searches go on until every vertex has had its own.
 *
 * The eccentricity of a vertex is its largest distance to a vertex that it reaches, as measures
 * have it (measures/measures.h). */
#ifndef ECCENTRICITY_ECCENTRICITY_H
#define ECCENTRICITY_ECCENTRICITY_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

#include <stdbool.h>
#include <stdint.h>

/* Values that may be requested; the largest distance is always found. */
enum eccentricity_wants {
    ECCENTRICITY_RADIUS = 1,    /* radius of a strongly connected graph */
    ECCENTRICITY_CENTER = 2,    /* all vertices whose eccentricity is the radius */
    ECCENTRICITY_PERIPHERY = 4, /* all vertices whose eccentricity is the diameter */
    ECCENTRICITY_ALL = 8,       /* eccentricities of all vertices */
};

struct eccentricity_request {
    const struct graph *graph;
    unsigned wants; /* sum of values of enum eccentricity_wants */
    bool check;     /* prove the distances that bounds are taken from (certificate/certificate.h) */
    int threads;    /* number of threads; 0: one for each core */
    int32_t most_sources;      /* number of searched vertices at which to stop; 0: no limit */
    bool if_together;          /* search nothing unless there is one strongly connected component */
    struct progress *progress; /* counts searches, out of as many as there may be; may be NULL */
};

struct eccentricities {
    int32_t n;
    bool directed;
    bool closed; /* all values below are known; false: the search stopped before, at most_sources */
    int32_t components; /* number of strongly connected components; in an undirected graph, of
                           components */
    double largest;     /* largest finite distance; 0 if n = 0 */
    int32_t from, to;   /* a pair of vertices at this distance; -1 if n = 0 */
    /* Bounds of the eccentricity of each vertex, n entries each. The eccentricity is known where
     * they are equal, and everywhere if ECCENTRICITY_ALL was requested. */
    double *lower, *upper;
    /* Largest and least eccentricity; infinite unless there is one component; NAN: not known,
     * because the radius was not requested or the search stopped before. */
    double diameter, radius;
    int32_t central;             /* a vertex whose eccentricity is the radius; -1 unless the radius
                                    is finite */
    int32_t *center, *periphery; /* vertices with the radius and with the diameter, ascending; NULL:
                                    not requested, or there are several components */
    int32_t center_count, periphery_count;
    int32_t sources;  /* number of vertices from which searches began */
    int32_t searches; /* number of searches: from these vertices and, in a directed graph, to
                         them */
    int32_t proved;   /* number of proved searches: all of them with `check`, otherwise 0 */
};

/* Finds the requested values. The result, including the pair and the vertices, is the same for any
 * number of threads. STATUS_BAD_INPUT for weights below 0, zones, and int32 distances of INF or
 * more; STATUS_REFUTED if a proof fails; STATUS_CANCELLED if progress says to stop. The caller
 * frees *found with eccentricities_free, also after a failure. O(searches (m + n log n)). */
enum status eccentricities_find(const struct eccentricity_request *request,
                                struct eccentricities *found, struct error *err);

/* Returns the seconds that searches from `sources` vertices take. threads: 0 for one for each
 * core. */
double eccentricity_search_s(const struct graph *g, int32_t sources, int threads);

/* Frees *found and zeroes it; safe on a zeroed struct. */
void eccentricities_free(struct eccentricities *found);

#endif
