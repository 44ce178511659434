// SPDX-License-Identifier: MIT
/* Touches the memory of results before the clock of solve_s starts, because the operating system
 * provides a page only when a thread first touches it, near that thread. */
#ifndef SOLVE_FIRST_TOUCH_H
#define SOLVE_FIRST_TOUCH_H

#include <stddef.h>
#include <stdint.h>

/* Touches every page of a row of n >= 1 cells of `cell` bytes each. */
static inline void first_touch_row(void *row, int32_t n, size_t cell) {
    enum { PAGE = 4096 }; /* bytes */
    const size_t bytes = (size_t)n * cell;
    volatile char *const byte = row;
    for (size_t k = 0; k < bytes; k += PAGE)
        byte[k] = 0;
    byte[bytes - 1] = 0;
}

#endif
