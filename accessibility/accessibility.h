// SPDX-License-Identifier: MIT
/* Accessibility: what can be reached from each vertex, weighted by how far it is.
 *
 * Every vertex t has masses, say numbers of jobs and of shops. For a source s and a mass,
 *     decayed = sum over t of mass(t) exp(-d(s, t) / decay)
 *     within  = sum over t with d(s, t) <= limit of mass(t),
 * where t may be s itself, at distance 0. Neither sum counts vertices without a path from s.
 * (Hansen 1959; Wachs and Kumagai 1973.) Distances are exact. The relative error of a decayed sum
 * is at most (2 D / decay + n + 64) 2^-53, where D is the largest distance that counts: terms with
 * d > 700 decay, whose factor is below 10^-304, may be missing or have fewer digits. The relative
 * error of a sum within a limit is at most n 2^-53, and 0 if the masses are whole numbers that add
 * up to at most 2^53. All values depend only on the graph, the masses, the way that is used, and
 * the instruction set or GPU; any number of threads finds the same bits. */
#ifndef ACCESSIBILITY_ACCESSIBILITY_H
#define ACCESSIBILITY_ACCESSIBILITY_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sources

/* Ways to find decayed sums. Sums within limits are found by searches. */
enum accessibility_way {
    ACCESSIBILITY_BY_ANY,      /* the way that is predicted to be the fastest */
    ACCESSIBILITY_BY_SEARCHES, /* Dijkstra's algorithm from each source */
    ACCESSIBILITY_BY_CLASSES,  /* elimination and classes of rows, if they can be used */
};

struct decay_engine; /* see decay_engine.h */

/* Finds the way with a name: "auto", "searches" or "classes". Returns false if there is none. */
bool accessibility_way_find(const char *name, enum accessibility_way *way);
const char *accessibility_way_name(enum accessibility_way way);

/* Returns the name of a way, with "on a GPU" if it ran on one. */
const char *accessibility_engine_name(enum accessibility_way way, bool on_gpu);

struct accessibility_request {
    const struct graph *graph;
    struct row_sources sources;
    const double *mass;  /* masses of each vertex: mass[v * masses + m], finite, 0 or more */
    int32_t masses;      /* number of masses of a vertex, >= 1 */
    const double *decay; /* decays, in the unit of weights, DECAY_LEAST .. DECAY_MOST */
    int32_t decays;      /* number of decays; 0: no decayed sums */
    const double *limit; /* limits, in the unit of weights, >= 0, in any order */
    int32_t limits;      /* number of limits; 0: no sums within limits */
    enum accessibility_way way;
    int threads;                       /* number of threads; 0: one for each core */
    const struct decay_engine *engine; /* engine on a GPU that may be used for large graphs; NULL:
                                          only the CPU */
    int device;                        /* number of the engine's GPU */
    struct progress *progress;         /* counts sources, or positions if all sums are found by
                                          classes; may be NULL */
};

struct accessibility {
    double *decayed;            /* decayed sums: decayed[(source * decays + j) * masses + m], by
                                   position of the source */
    double *within;             /* sums within limits: within[(source * limits + j) * masses + m],
                                   by position of the source */
    enum accessibility_way way; /* way that was used for decayed sums */
    bool on_gpu;                /* the request's engine found the decayed sums */
};

/* Finds the accessibility of a graph whose weights are integers or, on a grid, float64
 * (solve/grid.h), all of 0 or more. STATUS_BAD_INPUT for other weights, real ones that are on no
 * grid, distances of 2^52 or more, zones, masses and decays outside their ranges, and masses whose
 * sum is beyond float64; STATUS_NO_RESOURCE if there is not enough memory; STATUS_CANCELLED if
 * progress says to stop. The caller frees *found with accessibility_free. */
enum status accessibility_find(const struct accessibility_request *request,
                               struct accessibility *found, struct error *err);

/* Predicted seconds of the parts of a request. */
struct accessibility_plan {
    double searches_s; /* seconds of decayed sums by searches; 0: none are wanted */
    double classes_s;  /* seconds of decayed sums by classes, with the elimination; infinite:
                          classes cannot be used */
    bool on_gpu;       /* classes_s is the time of the request's engine */
    double limits_s;   /* most seconds of sums within limits; 0 if none are wanted, or if the
                          searches for decayed sums find them, too */
};

/* Predicts the seconds that accessibility_find takes. Fails as accessibility_find. */
enum status accessibility_predict(const struct accessibility_request *request,
                                  struct accessibility_plan *plan, struct error *err);

/* Frees *a and zeroes it; safe on a zeroed struct and after a failure. */
void accessibility_free(struct accessibility *a);

#endif
