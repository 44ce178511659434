// SPDX-License-Identifier: MIT
/* The size of a hash table in which a GPU looks for classes of rows. */
#ifndef CLASSES_CLASS_SLOTS_H
#define CLASSES_CLASS_SLOTS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the number of slots, a power of two, of a table for `rows` rows, which may be of as many
 * classes. */
static inline size_t class_slots(int32_t rows) {
    size_t slots = 64;
    while (2 * slots < 3 * (size_t)rows)
        slots *= 2;
    return slots;
}

#endif
