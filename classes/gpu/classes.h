// SPDX-License-Identifier: MIT
/* Totals of proportional rows (classes/proportional.h) on a GPU, or decayed sums over them.
 *
 * The regions of one depth are a level. From the outermost level to the innermost, the rows of a
 * level's regions, one for each source in a region and one for each class, are found as products of
 * matrices over (min, +). Then the classes of these rows in the regions inside are found, in tables
 * that all threads fill at the same time. From the innermost level to the outermost, totals are
 * added. If memory is short, a level is taken in groups of regions, and the sources in parts. */
#ifndef CLASSES_GPU_CLASSES_H
#define CLASSES_GPU_CLASSES_H

#include "certificate/gpu/gpu_class_proof.h" // struct gpu_class_proof
#include "classes/gpu/class_kernels.h"       // struct class_graph
#include "classes/proportional.h"            // struct proportional_graph
#include "classes/regions.h"                 // struct regions
#include "common/base/progress.h"            // struct progress
#include "gpu/device_stack.h"                // struct device_stack

#include <stdbool.h>
#include <stddef.h>

#define gpu_classes_open    BY_LENGTH(gpu_classes_open)
#define gpu_classes_reverse BY_LENGTH(gpu_classes_reverse)
#define gpu_classes_totals  BY_LENGTH(gpu_classes_totals)
#define gpu_classes_values  BY_LENGTH(gpu_classes_values)
#define gpu_classes_proved  BY_LENGTH(gpu_classes_proved)
#define gpu_classes_predict BY_LENGTH(gpu_classes_predict)
#define gpu_classes_most    BY_LENGTH(gpu_classes_most)
#define gpu_classes_close   BY_LENGTH(gpu_classes_close)

struct gpu_classes {
    const struct regions *regions; /* owned by the caller */
    struct progress *progress;
    int threads;                 /* number of host threads */
    int32_t n, count, depths;    /* number of positions, of regions, and of depths */
    int32_t *depth;              /* first region of each depth, depths + 1 entries */
    int32_t *numbered;           /* number in `regions` of each region, `count` entries */
    struct class_region *region; /* host's copy of the device's regions, `count` entries */
    struct class_graph graph;    /* arrays on the device */
    /* Proof of all rows, and the rows that it reads. If rows are not proved, proof is not ready and
     * rows is NULL. */
    struct gpu_class_proof proof;
    struct class_rows *rows; /* rows of each region as the proof sees them, `count` entries */
    int64_t label_cells;     /* number of cells for labels; 0: labels are not kept */
    const int32_t *vertex;   /* vertex at each position; owned by the caller */
    bool unreached;          /* some source did not reach itself */
    double prove_s;          /* seconds of the proof */
    double transfer_s;  /* seconds of copying totals and regions, with the regions' allocation */
    void *fixed;        /* device memory of the arrays that outlive a solve */
    size_t fixed_bytes; /* size of `fixed` */
    struct device_stack stack; /* memory of a solve */
    int32_t find_rows;         /* number of rows whose classes a block finds at a time */
    size_t find_bytes;         /* most bytes of shared memory that these rows take */
    int32_t at_a_time;         /* most sources in one part; halved where memory is short */
    int32_t fewest;            /* parts with up to this number of sources are not halved; the call
                                  fails instead */
    double steps;              /* number of steps so far; a relaxation is one */
    /* For reports of progress. all: number of all sources, 0: no reports; base: number of sources
     * before the next call. The caller sets both. before, part: number of sources before and in the
     * part that is being solved; positions: number of its positions that are done. */
    int32_t all, base, before, part, positions;
};

/* Options of gpu_classes_open. */
struct gpu_classes_options {
    int threads;                       /* number of host threads, >= 1 */
    size_t room;                       /* most bytes of device memory */
    struct progress *progress;         /* may be NULL */
    const struct graph *proves;        /* graph whose rows are to be proved, if they can be; NULL:
                                          none are proved */
    const struct class_values *values; /* masses and decays for gpu_classes_values, with arrays on
                                          the host, if nothing is to be proved; NULL: totals are
                                          wanted */
};

/* Prepares to solve on the current device: closes all regions. The caller keeps *regions and the
 * arrays of *g, and frees *c with gpu_classes_close. STATUS_NO_RESOURCE if there is not enough
 * memory or shared memory. */
enum status gpu_classes_open(struct gpu_classes *c, const struct proportional_graph *g,
                             const struct regions *regions,
                             const struct gpu_classes_options *options, struct error *err);

/* Turns to the reversed graph, or back: closes all regions with the lengths up and down exchanged.
 * proves: the graph whose rows are to be proved from now on, if they were before; NULL: none are
 * proved. *g and the regions are those of the opening. Fails as gpu_classes_open; then *c may only
 * be closed. */
enum status gpu_classes_reverse(struct gpu_classes *c, const struct proportional_graph *g,
                                const struct graph *proves, struct error *err);

/* Stores in out[k] the totals of the distances from position source[k], ascending, to all others.
 * All finite distances must be below LENGTH_INF, or 2^52 in float64. STATUS_NO_RESOURCE if there is
 * not enough memory, STATUS_CANCELLED if progress says to stop. */
enum status gpu_classes_totals(struct gpu_classes *c, const int32_t *source, int32_t count,
                               struct gpu_class_total *out, struct error *err);

/* Stores the numbers of options.values for the row of position source[k] in out[row[k] * width ..];
 * the positions ascend. The result, to the bit, depends only on the graph, its elimination, the
 * regions and the source. Fails as gpu_classes_totals. */
enum status gpu_classes_values(struct gpu_classes *c, const int32_t *source, const int32_t *row,
                               int32_t count, double *out, struct error *err);

/* Stores in *proved whether the totals of all solves since the opening are proved, including those
 * of gpu_classes_predict. */
enum status gpu_classes_proved(const struct gpu_classes *c, bool *proved, struct error *err);

/* Predicts how many steps gpu_classes_totals takes for these sources, or gpu_classes_values if that
 * is prepared. Finds the totals of some sources, up to 1024, and extrapolates. */
enum status gpu_classes_predict(struct gpu_classes *c, const int32_t *source, int32_t count,
                                double *steps, struct error *err);

/* Returns how many steps gpu_classes_totals or gpu_classes_values takes for `sources` sources if no
 * two rows are proportional. */
double gpu_classes_most(const struct gpu_classes *c, int32_t sources);

/* Frees *c and zeroes it; safe on a zeroed struct. */
void gpu_classes_close(struct gpu_classes *c);

#endif
