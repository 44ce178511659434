// SPDX-License-Identifier: MIT
/* Decayed sums by elimination and classes of rows (classes/proportional.h).
 *
 * If the distances from two sources to a region differ by a constant c, so do the rows in it, and
 * the decayed sums over the region differ by the factor exp(-c / decay). So the sums over a region
 * are found once for each class of rows, relative to the row's least distance to the region's
 * boundary. A class's factor is below the least normal number only if the factors of all its
 * targets are. */
#ifndef ACCESSIBILITY_BY_CLASSES_H
#define ACCESSIBILITY_BY_CLASSES_H

#include "accessibility/accessibility.h" // struct accessibility_request
#include "classes/regions.h"             // struct regions_options
#include "common/base/isa.h"             // enum isa
#include "common/base/length.h"          // BY_LENGTH

#define decays_by_classes BY_LENGTH(decays_by_classes)

struct class_decays {
    const struct accessibility_request *request;
    const struct graph *graph; /* graph of int32, or of float64 on a grid: see struct exact */
    double unit;               /* length of 1 in the numbers of `graph`, in the request's unit */
    double other_s;            /* seconds that searches take; infinite: use classes in any case */
    int threads;               /* number of threads, >= 1 */
    enum isa isa;
    const struct decay_engine *engine; /* engine on a GPU that may be used for large graphs; NULL:
                                          only the CPU */
    int device;                        /* number of the engine's GPU */
    const struct regions_options *cut; /* for tests: how to cut the graph into regions; NULL: as
                                          usual */
    bool only_predicts;                /* only sets `seconds`, whatever searches take, and finds
                                          nothing */
    double seconds;                    /* result: predicted seconds; infinite: classes cannot be
                                          used */
    bool on_gpu;                       /* result: the engine finds the sums, or the prediction is
                                          for it */
};

/* Adds all decayed sums to `decayed`, which is zeroed and laid out as in struct accessibility.
 * *done: false if classes are not predicted to pay; `decayed` stays zeroed then. If the engine has
 * not enough memory, the CPU finds the sums. Fails as accessibility_find. */
enum status decays_by_classes(struct class_decays *c, double *decayed, bool *done,
                              struct error *err);
#ifndef LENGTH_F64
/* Does as decays_by_classes for a graph of float64. */
enum status decays_by_classes_f64(struct class_decays *c, double *decayed, bool *done,
                                  struct error *err);
#endif

#endif
