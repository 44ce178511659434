// SPDX-License-Identifier: MIT
/* Totals of the rows of an eliminated graph, without the rows.
 *
 * What the distances from a source are to a region (regions.h) that it lies outside of depends on
 * its distances to the region's boundary. If those of two sources differ by a constant, their rows
 * in the region differ by the same constant: over (min, +), where a constant is a factor, the rows
 * are proportional. Most are: from afar there are few ways into a region. So of all rows in a
 * region only one of each class is found, relative to its least distance to the boundary, and its
 * totals. Regions are nested, and so are classes: the rows of a region are those of its sources and
 * one of each class, and these fall into classes in each region inside. */
#ifndef CLASSES_PROPORTIONAL_H
#define CLASSES_PROPORTIONAL_H

#include "certificate/class_proof.h" // struct class_proof
#include "classes/region_layouts.h"  // struct region_layouts
#include "classes/regions.h"         // struct regions_options
#include "common/base/isa.h"         // enum isa
#include "common/base/progress.h"    // struct progress
#include "common/graph/row_block.h"  // struct row_totals
#include "elimination/eliminate.h"   // struct lengths

#include <stdbool.h>

#define proportional_open    BY_LENGTH(proportional_open)
#define proportional_predict BY_LENGTH(proportional_predict)
#define proportional_steps   BY_LENGTH(proportional_steps)
#define proportional_totals  BY_LENGTH(proportional_totals)
#define proportional_values  BY_LENGTH(proportional_values)
#define proportional_close   BY_LENGTH(proportional_close)
#define proportional_row     BY_LENGTH(proportional_row)
#ifdef LENGTH_F64
#define length_totals grid_totals
#else
#define length_totals row_totals
#endif

/* A graph that was eliminated without a core, all of whose lengths are >= 0. */
struct proportional_graph {
    const struct tree *tree;
    const struct structure *structure;
    struct lengths lengths; /* exchanged: of the reversed graph */
};

/* Number of sources below which classes gain nothing. */
enum { PROPORTIONAL_FEWEST = 256 };

/* Sums over the targets of a row, beside totals: `width` float64 numbers for each row. The numbers
 * of parts of the targets add up, and those of a row follow from those of a row that is shorter by
 * a constant. */
struct row_values {
    const void *context;
    int32_t width;
    /* Stores in sum[k * PROPORTIONAL_LANES + lane] number k of the row in each of the first `rows`
     * lanes over the targets at position[0 .. count - 1], whose distances label[] has as
     * proportional_kernels.h lays it out. Threads call it at the same time. */
    void (*take)(const void *context, const path_length *label, int32_t rows,
                 const int32_t *position, int32_t count, double *sum);
    /* Adds to to[0 .. width - 1] the numbers of a row that is longer by `constant` than the row
     * that has the numbers `from`. */
    void (*add)(const void *context, const double *from, path_length constant, double *to);
    /* Durations of take and of add, for one label and for one row, in relaxations. */
    int64_t take_steps, add_steps;
};

struct proportional_options {
    int threads; /* >= 1 */
    enum isa isa;
    struct progress *progress; /* receives progress; NULL: nobody does */
    bool counts;               /* positions that are done are reported to progress */
    /* NULL; or the graph whose rows are to be proved (certificate/class_proof.h). */
    const struct graph *proves;
    /* NULL; or the numbers that proportional_values is to find. */
    const struct row_values *values;
    /* For tests: other regions, if not NULL; so many sources at a time at most, if not 0. */
    const struct regions_options *cut;
    int32_t at_a_time;
};

/* Classes of a graph that are prepared once, for any sources. */
struct proportional {
    struct proportional_graph g;
    struct proportional_options options;
    struct regions regions;
    /* If rows are to be proved, which the proof can if it is ready: */
    struct region_layouts layouts;
    struct class_proof proof;
    double prove_s; /* seconds that the proof has taken */
};

/* Cuts the graph into regions, and prepares the proof. What *g has stays the caller's. The caller
 * frees with proportional_close, also after a failure. STATUS_NO_RESOURCE if there is not enough
 * memory. */
enum status proportional_open(struct proportional *p, const struct proportional_graph *g,
                              const struct proportional_options *options, struct error *err);

/* *pays: whether rows are proportional often enough. If not, the sources' rows are found sooner one
 * by one. They ascend. Fails as proportional_totals. */
enum status proportional_predict(struct proportional *p, const int32_t *source, int32_t count,
                                 bool *pays, struct error *err);

/* Predicts how many relaxations all rows take, one by one if there are fewer than 256. Fails as
 * proportional_totals. */
enum status proportional_steps(struct proportional *p, const int32_t *source, int32_t count,
                               double *steps, struct error *err);

/* Stores in out[k] the totals of the distances from position source[k] to all others, but for high
 * and low, which become 0. The sources ascend. All finite distances must be below LENGTH_INF, or
 * 2^53 in float64. The sums are exact, and so the same for any number of threads. *proved: whether
 * all are proved. STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress
 * says to stop. */
enum status proportional_totals(struct proportional *p, const int32_t *source, int32_t count,
                                struct length_totals *out, bool *proved, struct error *err);

/* Adds the numbers of options.values of the row of position source[k] to out[row[k] * width ..].
 * The sources ascend. The bits depend on the graph, its elimination and the source alone. Fails as
 * proportional_totals. */
enum status proportional_values(struct proportional *p, const int32_t *source, const int32_t *row,
                                int32_t count, double *out, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void proportional_close(struct proportional *p);

/* Finds the distances from one position to all, row[0 .. n - 1], by one sweep on up to `threads`
 * threads, which take regions. */
void proportional_row(const struct proportional_graph *g, const struct regions *regions,
                      int threads, int32_t source, path_length *row);

#endif
