// SPDX-License-Identifier: MIT
/* The times of every solver. */
#ifndef COMMON_BASE_TIMING_H
#define COMMON_BASE_TIMING_H

#include "common/base/error.h" // enum status, struct error

/* Parts of a solve, in seconds; 0 if a variant has no such part. */
struct timing_phases {
    /* Parts of dissection: */
    double order_s;     /* finding an order, even if that was done to make a plan */
    double eliminate_s; /* all steps before the first sweep */
    double sweep_s;     /* finding the distances */
    double prove_s;     /* proofs on a device, which are no part of solve_s */
    /* Parts of solving real weights by variants for integers (refine.h): */
    double rounded_s; /* rounding the weights and solving the rounded graph */
    double refine_s;  /* refining the rows */
};

/* Times of one repetition, in seconds. */
struct timing {
    double solve_s;    /* from the input in memory to the result in memory: includes potentials, all
                          phases and the check of the range, but no allocation and no transfer */
    double total_s;    /* from the loaded graph to the answer in host memory: adds the creation of a
                          context, allocation and transfers */
    double transfer_s; /* the part of total_s that sends edges to the device and fetches results; 0
                          on the CPU */
    struct timing_phases phases; /* phases of the last repetition */
};

/* Stores in *result the median of each figure over count >= 1 repetitions (median.h).
 * STATUS_NO_RESOURCE if there is no memory for a copy. */
enum status timing_median(const struct timing *timings, int count, struct timing *result,
                          struct error *err);

#endif
