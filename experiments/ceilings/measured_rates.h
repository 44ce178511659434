// SPDX-License-Identifier: MIT
/* Rates in the programs that measure ceilings: those of one ceiling's repetitions, and the CSV of
 * all. */
#ifndef EXPERIMENTS_CEILINGS_MEASURED_RATES_H
#define EXPERIMENTS_CEILINGS_MEASURED_RATES_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdio.h>

struct measured_rates {
    int repetitions;
    double *values; /* rates of one ceiling, `repetitions` entries */
    FILE *rows;     /* the CSV, in memory until it is complete */
    char *text;     /* the text of `rows`, once that is flushed */
    size_t text_bytes;
};

/* Allocates room for `repetitions` rates, and begins the CSV with the header, a line.
 * STATUS_NO_RESOURCE if there is no memory. The caller frees with rates_release(), also after a
 * failure; {0} may be freed, too. */
enum status rates_prepare(struct measured_rates *rates, int repetitions, const char *header,
                          struct error *err);

/* The median of the rates, which are sorted by this call. */
double rates_median(struct measured_rates *rates);

/* Writes the CSV into a file; path NULL: nothing is written. */
enum status rates_write(struct measured_rates *rates, const char *path, struct error *err);

void rates_release(struct measured_rates *rates);

#endif
