// SPDX-License-Identifier: MIT
/* First touch of the results' memory, before the clock of solve_s starts. The operating system
 * provides a page when a thread first touches it, near that thread. */
#ifndef SOLVE_FIRST_TOUCH_H
#define SOLVE_FIRST_TOUCH_H

#include <stdint.h>

/* Touches every page of a row of n cells. */
static inline void first_touch_row(int32_t *row, int32_t n) {
    enum { CELLS_PER_PAGE = 4096 / sizeof(int32_t) };
    volatile int32_t *const cells = row;
    for (int32_t j = 0; j < n; j += CELLS_PER_PAGE)
        cells[j] = 0;
    cells[n - 1] = 0;
}

#endif
