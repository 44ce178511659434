// SPDX-License-Identifier: MIT
/* Measures the rates of this machine. */
#ifndef APSP_CALIBRATE_H
#define APSP_CALIBRATE_H

#include "engines/rates.h" // struct rates
#include "solve/solver.h"  // struct solver_options

#include <stdbool.h>
#include <stdio.h>

/* How much other programs disturbed the worst of all measurements. */
struct disturbance {
    bool found;
    double share;  /* processor time that threads got, divided by the time that they wanted */
    double spread; /* the second shortest time of the same work, divided by the shortest */
};

/* Returns whether other programs left measurements alone, as far as `share` and `spread` (struct
 * disturbance) tell. */
bool calibrate_is_steady(double share, double spread);

/* Measures the rates of this machine, for about `seconds`. Rates that are not measured keep their
 * built-in values: those of the GPU if there is none, and those for which no time was left. Takes
 * at least a few seconds. Reads threads and device of the options. Prints each rate to `to`, unless
 * that is NULL. A measurement that is disturbed is repeated, three times at most, and the shortest
 * time counts. Files are made in $TMPDIR, or /tmp if that is not set, and have no names while they
 * are used. STATUS_NO_RESOURCE if memory or files cannot be had. */
enum status calibrate(const struct solver_options *options, double seconds, struct rates *rates,
                      struct disturbance *disturbance, FILE *to, struct error *err);

#endif
