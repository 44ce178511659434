/* Measures the rates of this machine. */
#ifndef APSP_CALIBRATE_H
#define APSP_CALIBRATE_H

#include "apsp/rates.h"    // struct rates
#include "common/solver.h" // struct solver_options

#include <stdio.h>

/* Measures what can be measured here, and leaves built in what cannot: without a GPU its rates, and
 * what was left when some `seconds` were over. Takes at least a few. options: threads, device. What
 * is measured is said to `to`, unless that is NULL, line by line. */
enum status calibrate(const struct solver_options *options, double seconds, struct rates *rates,
                      FILE *to, struct error *err);

#endif
