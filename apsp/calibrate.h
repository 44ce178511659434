/* Measures the rates of this machine. */
#ifndef APSP_CALIBRATE_H
#define APSP_CALIBRATE_H

#include "apsp/rates.h"    // struct rates
#include "common/solver.h" // struct solver_options

#include <stdio.h>

/* Measures what can be measured here, and leaves built in what cannot: without a GPU its rates, and
 * what was left when some `seconds` were over. Takes at least a few. options: threads, device. */
enum status calibrate(const struct solver_options *options, double seconds, struct rates *rates,
                      FILE *to, struct error *err);

/* The same, and keeps them in the file of rates_path. What is measured is said line by line. */
enum status calibrate_and_keep(const struct solver_options *options, double seconds, FILE *to,
                               struct error *err);

#endif
