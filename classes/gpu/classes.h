// SPDX-License-Identifier: MIT
/* Totals of proportional rows (classes/proportional.h) on a GPU, or decayed sums over them.
 *
 * There is a level of regions for each depth. From the outermost to the innermost, all rows of a
 * level's regions are products of matrices over (min, +): those of the sources in a region, and
 * one of each class. Then their classes in the regions inside are found, in tables that all threads
 * fill at the same time. From the innermost to the outermost, totals are added. Where memory is
 * short, a level is taken in groups of regions, and the sources in parts. */
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
#define gpu_classes_totals  BY_LENGTH(gpu_classes_totals)
#define gpu_classes_values  BY_LENGTH(gpu_classes_values)
#define gpu_classes_proved  BY_LENGTH(gpu_classes_proved)
#define gpu_classes_predict BY_LENGTH(gpu_classes_predict)
#define gpu_classes_most    BY_LENGTH(gpu_classes_most)
#define gpu_classes_close   BY_LENGTH(gpu_classes_close)

struct gpu_classes {
    const struct regions *regions; /* the caller's */
    struct progress *progress;
    int threads;                 /* of the host */
    int32_t n, count, depths;    /* positions, regions, depths */
    int32_t *depth;              /* depths + 1: the first region of each depth */
    int32_t *numbered;           /* count: which of `regions` each region is */
    struct class_region *region; /* count: what the device has of them, too */
    struct class_graph graph;    /* on the device */
    /* If all rows are to be proved; otherwise proof is not ready, and nothing of rows is there. */
    struct gpu_class_proof proof;
    struct class_rows *rows; /* count: what the proof knows of regions */
    int64_t label_cells;     /* room for labels, if they are kept; 0: they are not */
    const int32_t *vertex;   /* of each position; the caller's */
    bool unreached;          /* a source did not reach itself */
    double prove_s;          /* seconds of the proof */
    double transfer_s;  /* seconds of copying totals and regions, with the regions' allocation */
    void *fixed;        /* device memory of the arrays that outlive a solve */
    size_t fixed_bytes; /* size of `fixed` */
    struct device_stack stack; /* memory of a solve */
    int32_t at_a_time;         /* most sources in one part; halved where memory is short */
    int32_t fewest;            /* parts of so few sources are not halved: the call fails */
    double steps;              /* number of steps so far; a relaxation is one */
    /* For reports of progress, if `all` is not 0: sources in all, and before the next call's; both
     * are the caller's. Of the part that is being solved: those before it and of it, and how many
     * positions are done. */
    int32_t all, base, before, part, positions;
};

/* Options of gpu_classes_open. */
struct gpu_classes_options {
    int threads;                /* of the host, >= 1 */
    size_t room;                /* bytes on the device, at most */
    struct progress *progress;  /* may be NULL */
    const struct graph *proves; /* NULL; or the graph whose rows are to be proved, if they can be */
    const struct class_values *values; /* NULL; or what gpu_classes_values is to find, if nothing is
                                          to be proved. Its arrays are on the host */
};

/* Prepares on the current device: closes all regions. The caller keeps *regions and what *g has,
 * and frees *c with gpu_classes_close. STATUS_NO_RESOURCE if there is not enough memory, or shared
 * memory. */
enum status gpu_classes_open(struct gpu_classes *c, const struct proportional_graph *g,
                             const struct regions *regions,
                             const struct gpu_classes_options *options, struct error *err);

/* Stores in out[k] the totals of the distances from position source[k], ascending, to all others.
 * All finite distances must be below LENGTH_INF, or 2^52 in float64. STATUS_NO_RESOURCE if there is
 * not enough memory, STATUS_CANCELLED if progress says to stop. */
enum status gpu_classes_totals(struct gpu_classes *c, const int32_t *source, int32_t count,
                               struct gpu_class_total *out, struct error *err);

/* Stores in out[row[k] * width ..] the numbers of options.values of the row of position source[k];
 * the positions ascend. The bits depend on the graph, its elimination, the regions and the source
 * alone. Fails as gpu_classes_totals. */
enum status gpu_classes_values(struct gpu_classes *c, const int32_t *source, const int32_t *row,
                               int32_t count, double *out, struct error *err);

/* Stores whether the totals of all solves since the opening are proved, those of
 * gpu_classes_predict among them. */
enum status gpu_classes_proved(const struct gpu_classes *c, bool *proved, struct error *err);

/* Predicts how many steps gpu_classes_totals takes for these sources, or gpu_classes_values if that
 * is prepared: it finds the totals of some of them, up to 1024, and extrapolates. */
enum status gpu_classes_predict(struct gpu_classes *c, const int32_t *source, int32_t count,
                                double *steps, struct error *err);

/* Returns how many steps these take for so many sources if no two rows are alike. */
double gpu_classes_most(const struct gpu_classes *c, int32_t sources);

/* Safe on a zeroed struct; leaves it zeroed. */
void gpu_classes_close(struct gpu_classes *c);

#endif
