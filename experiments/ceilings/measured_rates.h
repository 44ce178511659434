// SPDX-License-Identifier: MIT
/* Rates that the programs that measure ceilings keep: those of one ceiling's repetitions, and all
 * of them as CSV. */
#ifndef EXPERIMENTS_CEILINGS_MEASURED_RATES_H
#define EXPERIMENTS_CEILINGS_MEASURED_RATES_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdio.h>

struct measured_rates {
    int repetitions;
    double *values; /* so many, of one ceiling */
    FILE *rows;     /* the CSV, in memory until it is complete */
    char *text;     /* what is in it, once it is flushed */
    size_t text_bytes;
};

/* Room for `repetitions` rates, and rows under the header, a line. STATUS_NO_RESOURCE if memory is
 * out. rates_release() releases it in any case; of {0}, too. */
enum status rates_prepare(struct measured_rates *rates, int repetitions, const char *header,
                          struct error *err);

/* The median of the rates, which are sorted then. */
double rates_median(struct measured_rates *rates);

/* Writes all rows into a file; path may be NULL: into none. */
enum status rates_write(struct measured_rates *rates, const char *path, struct error *err);

void rates_release(struct measured_rates *rates);

#endif
