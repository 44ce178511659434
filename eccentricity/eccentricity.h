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

/* Values that are asked for; the largest distance is always found. */
enum eccentricity_wants {
    ECCENTRICITY_RADIUS = 1,    /* of a strongly connected graph */
    ECCENTRICITY_CENTER = 2,    /* all vertices that have it */
    ECCENTRICITY_PERIPHERY = 4, /* all vertices that have the diameter */
    ECCENTRICITY_ALL = 8,       /* eccentricities of all vertices */
};

struct eccentricity_request {
    const struct graph *graph;
    unsigned wants; /* of enum eccentricity_wants */
    bool check;     /* prove the distances that bounds are taken from (certificate/certificate.h) */
    int threads;    /* 0: one per core */
    int32_t most_sources; /* stop when so many vertices have been searched; 0: go on to the end */
    bool if_together;     /* search nothing unless there is one strongly connected component */
    struct progress *progress; /* counts searches, of as many as there may be; may be NULL */
};

struct eccentricities {
    int32_t n;
    bool directed;
    bool closed; /* all that is said below is known; false: it stopped before, as asked */
    int32_t
        components;   /* strongly connected ones; those of an undirected graph are its components */
    double largest;   /* finite distance; 0 if n = 0 */
    int32_t from, to; /* a pair that has it; -1 if n = 0 */
    /* Eccentricities of vertices lie in lower[v] .. upper[v]; where these are equal, or all are
     * asked for, they are known. n of each. */
    double *lower, *upper;
    /* Infinite unless there is one component; otherwise the largest and the least eccentricity. NAN
     * if not known: the radius was not asked for, or it stopped before. */
    double diameter, radius;
    int32_t central;             /* a vertex that has the radius; -1 unless that is finite */
    int32_t *center, *periphery; /* ascending; NULL unless asked for in a graph of one component */
    int32_t center_count, periphery_count;
    int32_t sources;  /* vertices that searches began at */
    int32_t searches; /* from them and, in a directed graph, to them */
    int32_t proved;   /* searches; all of them with check, otherwise 0 */
};

/* Finds them. The result, the pair and the vertices included, is the same for any number of
 * threads. STATUS_BAD_INPUT for weights below 0, zones, and int32 distances of INF or more;
 * STATUS_REFUTED if a proof fails; STATUS_CANCELLED if progress says to stop. The caller frees with
 * eccentricities_free, also after a failure. O(searches (m + n log n)). */
enum status eccentricities_find(const struct eccentricity_request *request,
                                struct eccentricities *found, struct error *err);

/* Returns the seconds that searches from so many vertices take. threads: 0 for one per core. */
double eccentricity_search_s(const struct graph *g, int32_t sources, int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void eccentricities_free(struct eccentricities *found);

#endif
