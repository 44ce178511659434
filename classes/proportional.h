// SPDX-License-Identifier: MIT
/* Totals of the rows of an eliminated graph, without the rows.
 *
 * The distances from a source to the vertices of a region (regions.h) that it lies outside of
 * follow from its distances to the region's boundary. If these differ by a constant for two
 * sources, the rows of the two sources in the region differ by the same constant: over (min, +),
 * where a constant is a factor, the rows are proportional. Most rows are, because from afar there
 * are few ways into a region. So for all rows of a region, only one row of each class is found,
 * relative to its least distance to the boundary, with its totals. Regions are nested, and so are
 * classes: a region has a row for each of its sources and one for each class, and these rows fall
 * into classes in each region inside. */
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

/* A graph that was eliminated without a core; all its lengths are >= 0. */
struct proportional_graph {
    const struct tree *tree;
    const struct structure *structure;
    struct lengths lengths; /* with `up` and `down` exchanged: lengths of the reversed graph */
};

/* Number of sources below which classes gain nothing. */
enum { PROPORTIONAL_FEWEST = 256 };

/* Sums over the targets of a row, in addition to totals: `width` float64 numbers for each row. The
 * numbers of a row are the sums of those over parts of its targets. The numbers of a row that is
 * longer by a constant than another follow from the other's. */
struct row_values {
    const void *context;
    int32_t width;
    /* Stores in sum[k * PROPORTIONAL_LANES + lane] number k of the row in `lane`, lane < rows, over
     * the targets at position[0 .. count - 1]. label[] has their distances, laid out as in
     * proportional_kernels.h. Threads call the function at the same time. */
    void (*take)(const void *context, const path_length *label, int32_t rows,
                 const int32_t *position, int32_t count, double *sum);
    /* Adds to to[0 .. width - 1] the numbers of a row that is longer by `constant` than the row
     * that has the numbers `from`. */
    void (*add)(const void *context, const double *from, path_length constant, double *to);
    /* Cost of take for one label, and of add for one row, in relaxations. */
    int64_t take_steps, add_steps;
};

struct proportional_options {
    int threads; /* number of threads, >= 1 */
    enum isa isa;
    struct progress *progress; /* receives reports of progress; may be NULL */
    bool counts;               /* positions that are done are counted in progress */
    /* Graph whose rows are to be proved (certificate/class_proof.h); NULL: none are proved. */
    const struct graph *proves;
    /* Numbers that proportional_values is to find; NULL: none. */
    const struct row_values *values;
    /* For tests. cut: how to cut the graph into regions; NULL: as usual. at_a_time: most sources at
     * a time; 0: no limit. */
    const struct regions_options *cut;
    int32_t at_a_time;
};

/* A graph prepared to find the classes of its rows, for any sources. */
struct proportional {
    struct proportional_graph g;
    struct proportional_options options;
    struct regions regions;
    /* Layouts of the regions for the proof, and the proof; it is ready if rows are to be proved and
     * can be. */
    struct region_layouts layouts;
    struct class_proof proof;
    double prove_s; /* seconds that the proof took */
};

/* Cuts the graph into regions, and prepares the proof. The arrays of *g stay the caller's. The
 * caller frees *p with proportional_close, also after a failure. STATUS_NO_RESOURCE if there is not
 * enough memory. */
enum status proportional_open(struct proportional *p, const struct proportional_graph *g,
                              const struct proportional_options *options, struct error *err);

/* Predicts in *pays whether rows are proportional often enough; if not, finding the sources' rows
 * one by one takes less time. The sources ascend. Fails as proportional_totals. */
enum status proportional_predict(struct proportional *p, const int32_t *source, int32_t count,
                                 bool *pays, struct error *err);

/* Predicts how many relaxations the rows of all sources take, found one by one if there are fewer
 * than 256. Fails as proportional_totals. */
enum status proportional_steps(struct proportional *p, const int32_t *source, int32_t count,
                               double *steps, struct error *err);

/* Stores in out[k] the totals of the distances from position source[k] to all others; the fields
 * high and low become 0. The sources ascend. All finite distances must be below LENGTH_INF, or 2^53
 * in float64. The sums are exact, and so do not depend on the number of threads. *proved: all
 * totals are proved. STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress
 * says to stop. */
enum status proportional_totals(struct proportional *p, const int32_t *source, int32_t count,
                                struct length_totals *out, bool *proved, struct error *err);

/* Adds the numbers of options.values of the row of position source[k] to out[row[k] * width ..].
 * The sources ascend. The result, to the bit, depends only on the graph, its elimination and the
 * source. Fails as proportional_totals. */
enum status proportional_values(struct proportional *p, const int32_t *source, const int32_t *row,
                                int32_t count, double *out, struct error *err);

/* Frees *p and zeroes it; safe on a zeroed struct. */
void proportional_close(struct proportional *p);

/* Finds the distances from one position to all others, row[0 .. n - 1], by one sweep on up to
 * `threads` threads, each of which takes regions. */
void proportional_row(const struct proportional_graph *g, const struct regions *regions,
                      int threads, int32_t source, path_length *row);

#endif
