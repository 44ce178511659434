// SPDX-License-Identifier: MIT
/* Sorts arrays of numbers, which are mostly short. */
#ifndef COMMON_BASE_SORT_NUMBERS_H
#define COMMON_BASE_SORT_NUMBERS_H

#include <stdint.h>

/* Sorts number[0 .. count - 1], ascending. */
void sort_numbers(int32_t *number, int64_t count);

#endif
