// SPDX-License-Identifier: MIT
/* The clocks of every solver. */
#ifndef COMMON_BASE_TIMING_H
#define COMMON_BASE_TIMING_H

#include "common/base/error.h" // enum status, struct error

/* Parts of a solve, in seconds; 0 where a variant has no such part. */
struct timing_phases {
    /* Dissection: */
    double order_s;     /* to find an order, also if that was done to make a plan */
    double eliminate_s; /* all that follows before the first sweep */
    double sweep_s;     /* to find the distances */
    double prove_s;     /* on a device, which is no part of solve_s */
    /* Real weights by variants for integers (refine.h): */
    double rounded_s; /* to round the weights and solve these */
    double refine_s;  /* to refine the rows */
};

/* Seconds of one repetition. */
struct timing {
    double solve_s;    /* from the input in memory to the result in memory: includes potentials, all
                          phases and the check of the range, but no allocation and no transfer */
    double total_s;    /* from the loaded graph to the answer in host memory: adds the creation of a
                          context, allocation and transfers */
    double transfer_s; /* the part of total_s that sends edges to the device and fetches results; 0
                          on the CPU */
    struct timing_phases phases; /* of the last repetition */
};

/* Stores in *result the median of each figure over count >= 1 repetitions (median.h).
 * STATUS_NO_RESOURCE if there is no memory for a copy. */
enum status timing_median(const struct timing *timings, int count, struct timing *result,
                          struct error *err);

#endif
