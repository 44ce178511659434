// SPDX-License-Identifier: MIT
/* Proves all rows of an answer of which only one row of each class exists (class_regions.h), and
 * sums up what it has proved.
 *
 * It shares with the solvers the loader and the names of vector instructions (isa.h), and nothing
 * else: it finds the numbers and edges by itself and checks that the regions cover the graph. Calls
 * in another order than below, or for rows that do not exist, count as errors of the answer.
 *
 * A region has rows between class_proof_enter and class_proof_leave, each called once: first the
 * rows of the sources in the region, then the rows of classes. A region is entered when all rows of
 * the region around have been taken. Each row is taken once (class_proof_take). It gets the totals
 * of the regions inside once (class_proof_add), when the rows of these regions are complete.
 * Several threads, each with its own prover, may take or add different rows at the same time. */
#ifndef CERTIFICATE_CLASS_PROOF_H
#define CERTIFICATE_CLASS_PROOF_H

#include "certificate/class_regions.h" // struct class_regions
#include "common/base/isa.h"           // enum isa

#define class_check_kernels BY_LENGTH(class_check_kernels)
#define class_proof_open    BY_LENGTH(class_proof_open)
#define class_proof_close   BY_LENGTH(class_proof_close)
#define class_prover_alloc  BY_LENGTH(class_prover_alloc)
#define class_prover_free   BY_LENGTH(class_prover_free)
#define class_proof_begin   BY_LENGTH(class_proof_begin)
#define class_proof_place   BY_LENGTH(class_proof_place)
#define class_proof_enter   BY_LENGTH(class_proof_enter)
#define class_proof_leave   BY_LENGTH(class_proof_leave)
#define class_proof_take    BY_LENGTH(class_proof_take)
#define class_proof_add     BY_LENGTH(class_proof_add)
#define class_proof_end     BY_LENGTH(class_proof_end)

enum { CLASS_LANES = 128 / sizeof(path_length) };

struct class_check_kernels; /* class_check_kernels.h */
struct class_proof_rows;    /* what the proof knows about the rows of a region */

struct class_proof {
    bool is_ready; /* the proof can prove rows of this graph */
    struct class_regions regions;
    int32_t *local; /* index of the label of each number in its region */
    int32_t *outer; /* for numbers on a boundary: index of the label in the region around */
    struct class_proof_rows *rows; /* what is known about the rows of each region */
    const struct class_check_kernels *kernels;
    int32_t *source;           /* the vertices that are sources */
    int32_t sources;           /* number of sources */
    struct class_total *total; /* total of the row of each source */
    int32_t found;             /* number of rows of sources that are complete */
    int32_t wrong;             /* not 0: something is wrong */
};

/* Memory of one thread. */
struct class_prover {
    path_length *row; /* room for a row of each lane */
    uint32_t *tight;  /* room for the bits of the vertices into which a row has a tight edge */
    int32_t *lane;    /* by numbers of a region: the lane whose source has the number; -1: none */
    double seconds;   /* time that the thread has worked */
};

/* Rows of a region that are checked together. The labels of number x in lane l are
 * label[local[x] * CLASS_LANES + l], 64-byte aligned; those of lanes from `count` on are ignored.
 */
struct class_lanes {
    int32_t region, count;    /* count: number of lanes that hold a row */
    const int32_t *row;       /* index in the region of the row in each lane */
    const path_length *label; /* (own + width) x CLASS_LANES */
    const path_length *const
        *class_row; /* for rows of classes: distances to the boundary; by lane */
};

/* Answers what the solver claims about row `row` of the region around region `inside`: within
 * `inside` the row is the row of a class plus a constant. */
struct class_referee {
    const void *context;
    /* Returns the distances of the class to the boundary of `inside`, whose address and cells stay
     * the same until all rows of `inside` have been taken; NULL: there is no path into `inside`. */
    const path_length *(*refers)(const void *context, int32_t inside, int32_t row,
                                 path_length *constant);
    /* Returns the number of the class. Called only after all rows of `inside` have been taken. */
    int32_t (*number)(const void *context, int32_t inside, int32_t row);
};

/* Prepares to prove rows of g's answer, on up to `threads` >= 1 threads. local: index of the label
 * of each entry of `vertex`, below own + width of the region. If it cannot, because of the weights,
 * or because the regions are not those of this graph, is_ready is false, which is no failure. The
 * caller frees with class_proof_close, also after a failure. STATUS_NO_RESOURCE if there is not
 * enough memory. */
enum status class_proof_open(struct class_proof *p, const struct graph *g,
                             const struct class_layout *region, int32_t count,
                             const int32_t *vertex, const int32_t *local, enum isa isa, int threads,
                             struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void class_proof_close(struct class_proof *p);

/* Allocates what one thread works with; false if there is not enough memory. The caller frees it
 * with class_prover_free, which is safe on a zeroed struct. */
bool class_prover_alloc(struct class_prover *prover, const struct class_proof *p);
void class_prover_free(struct class_prover *prover);

/* Begins an answer of rows of other sources, the vertices vertex[0 .. count - 1].
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status class_proof_begin(struct class_proof *p, const int32_t *vertex, int32_t count,
                              struct error *err);

/* Says that sources first .. first + count - 1 lie in a region, before any is entered. */
void class_proof_place(struct class_proof *p, int32_t region, int32_t first, int32_t count);

/* Makes room for what is known about the rows of a region with `classes` classes. Returns false if
 * there is not enough memory. */
bool class_proof_enter(struct class_proof *p, int32_t region, int32_t classes);

/* Forgets the rows of a region, and the references to them from rows of the region around. */
void class_proof_leave(struct class_proof *p, int32_t region);

/* Checks rows and their references to rows of the regions inside, and sums the rows up. */
void class_proof_take(struct class_proof *p, const struct class_lanes *lanes,
                      const struct class_referee *referee, struct class_prover *prover);

/* Adds the totals of the regions inside to the totals of rows from .. to - 1 of a region. */
void class_proof_add(struct class_proof *p, int32_t region, int32_t from, int32_t to,
                     const struct class_referee *referee, struct class_prover *prover);

/* Returns whether the totals of all sources since class_proof_begin, total[0 .. sources - 1], are
 * proved. */
bool class_proof_end(const struct class_proof *p);

#endif
