// SPDX-License-Identifier: MIT
/* Measures the rates of this machine. */
#ifndef APSP_CALIBRATE_H
#define APSP_CALIBRATE_H

#include "apsp/rates.h"          // struct rates
#include "common/solve/solver.h" // struct solver_options

#include <stdbool.h>
#include <stdio.h>

/* What others were seen to take of the machine, at the worst of all measurements. */
struct disturbance {
    bool found;
    double share;  /* of the processor time that threads wanted they got */
    double spread; /* the second shortest time of the same work, by the shortest */
};

/* Whether times are those of this machine alone, as far as these two tell. */
bool calibrate_is_steady(double share, double spread);

/* Measures what can be measured here, and leaves built in what cannot: without a GPU its rates, and
 * what was left when some `seconds` were over. Takes at least a few. options: threads, device. What
 * is measured is said to `to`, unless that is NULL, line by line. What is disturbed is measured
 * three times at most, and the shortest time counts. Files are made in $TMPDIR, or /tmp where that
 * is not set, and have no names while they are used. */
enum status calibrate(const struct solver_options *options, double seconds, struct rates *rates,
                      struct disturbance *disturbance, FILE *to, struct error *err);

#endif
