// SPDX-License-Identifier: MIT
/* Accessibility: what can be reached from each vertex, weighted by how far it is.
 *
 * Every vertex t has masses, say numbers of jobs and of shops. For a source s and a mass,
 *     decayed = sum over t of mass(t) exp(-d(s, t) / decay)
 *     within  = sum over t with d(s, t) <= limit of mass(t),
 * s itself included, whose distance is 0. Vertices without a path from s have no part in either.
 * (Hansen 1959; Wachs and Kumagai 1973.) Distances are exact. A decayed sum has a relative error of
 * at most (2 D / decay + n + 64) 2^-53, where D is the largest distance that counts: terms with d >
 * 700 decay, whose factor is below 10^-304, may be missing or have fewer digits. Sums within a
 * limit have one of at most n 2^-53, and none if masses are whole numbers that add up to at most
 * 2^53. All values depend on the graph, the masses, the way that is taken, and the instruction set
 * or that it is on a GPU, alone: any number of threads finds the same bits. */
#ifndef ACCESSIBILITY_ACCESSIBILITY_H
#define ACCESSIBILITY_ACCESSIBILITY_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sources

/* Ways to find decayed sums. Sums within limits are found by searches. */
enum accessibility_way {
    ACCESSIBILITY_BY_ANY,      /* the one that is predicted to be the fastest */
    ACCESSIBILITY_BY_SEARCHES, /* Dijkstra's algorithm from each source */
    ACCESSIBILITY_BY_CLASSES,  /* elimination and classes of rows, where that is possible */
};

struct decay_engine; /* decay_engine.h */

/* Finds the way with a name: "auto", "searches" or "classes". Returns false if there is none. */
bool accessibility_way_find(const char *name, enum accessibility_way *way);
const char *accessibility_way_name(enum accessibility_way way);

/* Returns the name of a way, with "on a GPU" if one takes it. */
const char *accessibility_engine_name(enum accessibility_way way, bool on_gpu);

struct accessibility_request {
    const struct graph *graph;
    struct row_sources sources;
    const double *mass;  /* masses of each vertex: mass[v * masses + m], finite, 0 or more */
    int32_t masses;      /* >= 1 */
    const double *decay; /* decays, in the unit of weights, DECAY_LEAST .. DECAY_MOST */
    int32_t decays;      /* 0: no decayed sums */
    const double *limit; /* limits, in the unit of weights, 0 or more, in any order */
    int32_t limits;      /* 0: no sums within limits */
    enum accessibility_way way;
    int threads;                       /* 0: one per core */
    const struct decay_engine *engine; /* one on a GPU, for large graphs; NULL: the CPU */
    int device;                        /* number of that GPU */
    struct progress *progress; /* may be NULL; counts sources, or positions if all is by classes */
};

struct accessibility {
    double *decayed; /* decayed[(source * decays + j) * masses + m], by position of the source */
    double *within;  /* within[(source * limits + j) * masses + m] */
    enum accessibility_way way; /* that was taken for decayed sums */
    bool on_gpu;                /* the request's engine found these */
};

/* Finds the accessibility of a graph whose weights are integers or, on a grid, float64
 * (solve/grid.h), all of 0 or more. STATUS_BAD_INPUT for other weights, real ones that are on no
 * grid, distances of 2^52 or more, zones, masses and decays outside their ranges, and masses whose
 * sum is beyond float64; STATUS_NO_RESOURCE if there is not enough memory; STATUS_CANCELLED if
 * progress says to stop. The caller frees with accessibility_free. */
enum status accessibility_find(const struct accessibility_request *request,
                               struct accessibility *found, struct error *err);

/* Predicted seconds. */
struct accessibility_plan {
    double searches_s; /* decayed sums by searches; 0 if none are wanted */
    double classes_s;  /* by classes, with the elimination; infinite if that cannot be */
    bool on_gpu;       /* classes_s is that of the request's engine */
    double limits_s;   /* sums within limits, at most; nothing beside decayed sums by searches; 0 if
                          none are wanted */
};

/* Predicts what accessibility_find would take, and fails as that does. */
enum status accessibility_predict(const struct accessibility_request *request,
                                  struct accessibility_plan *plan, struct error *err);

/* Safe on a zeroed struct, and after a failure; leaves it zeroed. */
void accessibility_free(struct accessibility *a);

#endif
