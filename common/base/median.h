// SPDX-License-Identifier: MIT
#ifndef COMMON_BASE_MEDIAN_H
#define COMMON_BASE_MEDIAN_H

/* Returns the median of count >= 1 numbers, or the mean of the middle two if count is even. Sorts
 * them. */
double median(double *values, int count);

#endif
