// SPDX-License-Identifier: MIT
#include "common/base/median.h"

#include <stdlib.h>

static int compare(const void *left, const void *right) {
    const double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
