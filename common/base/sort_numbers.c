// SPDX-License-Identifier: MIT
#include "common/base/sort_numbers.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

void sort_numbers(int32_t *number, int64_t count) {
    enum { FEW = 32 }; /* number up to which insertion takes less time than the calls of qsort */
    if (count > FEW) {
        qsort(number, (size_t)count, sizeof *number, compare);
        return;
    }
    for (int64_t k = 1; k < count; k++) {
        const int32_t moved = number[k];
        int64_t at = k;
        for (; at > 0 && number[at - 1] > moved; at--)
            number[at] = number[at - 1];
        number[at] = moved;
    }
}
