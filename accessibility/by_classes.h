// SPDX-License-Identifier: MIT
/* Decayed sums by elimination and classes of rows (classes/proportional.h).
 *
 * If the distances from two sources to a region differ by a constant c, so do the rows in it, and
 * the decayed sums over the region differ by the factor exp(-c / decay). So the sums over a region
 * are found once for each class of rows, relative to the least distance of its boundary. A factor
 * is less than the least normal number only if those of all targets are. */
#ifndef ACCESSIBILITY_BY_CLASSES_H
#define ACCESSIBILITY_BY_CLASSES_H

#include "accessibility/accessibility.h" // struct accessibility_request
#include "classes/regions.h"             // struct regions_options
#include "common/base/isa.h"             // enum isa
#include "common/base/length.h"          // BY_LENGTH

#define decays_by_classes BY_LENGTH(decays_by_classes)

struct class_decays {
    const struct accessibility_request *request;
    const struct graph *graph; /* of int32, or float64 on a grid: struct exact */
    double unit;               /* length of 1 of its numbers */
    double other_s; /* seconds that the other way takes; infinite: classes whatever they take */
    int threads;    /* >= 1 */
    enum isa isa;
    const struct decay_engine *engine; /* one on a GPU, for large graphs; NULL: the CPU */
    int device;                        /* number of that GPU */
    const struct regions_options *cut; /* for tests: other regions, if not NULL */
    bool only_predicts; /* nothing is found, and `seconds` is set whatever the other way takes */
    double seconds;     /* set to the predicted time; infinite: it cannot be */
    bool on_gpu;        /* set to whether the engine finds them, or what is predicted is its time */
};

/* Adds all decayed sums to `decayed`, which is zeroed, as struct accessibility has them. Sets *done
 * to false, and leaves it zeroed, if that is not predicted to pay. Where the engine has not enough
 * memory, the CPU finds them. Fails as accessibility_find. */
enum status decays_by_classes(struct class_decays *c, double *decayed, bool *done,
                              struct error *err);
#ifndef LENGTH_F64
/* The same for a graph of float64. */
enum status decays_by_classes_f64(struct class_decays *c, double *decayed, bool *done,
                                  struct error *err);
#endif

#endif
