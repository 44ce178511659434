// SPDX-License-Identifier: MIT
/* Atomic updates that C lacks. Several threads may make them at the same time; the result does not
 * depend on their order. */
#ifndef COMMON_BASE_ATOMICS_H
#define COMMON_BASE_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

/* Replaces *number by `other` if that is less. */
static inline void atomic_lower(int32_t *number, int32_t other) {
    int32_t before = __atomic_load_n(number, __ATOMIC_RELAXED);
    while (other < before && !__atomic_compare_exchange_n(number, &before, other, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Replaces *number by `other` if that is greater. */
static inline void atomic_raise(int32_t *number, int32_t other) {
    int32_t before = __atomic_load_n(number, __ATOMIC_RELAXED);
    while (other > before && !__atomic_compare_exchange_n(number, &before, other, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Replaces *rank by `other` if that is less. */
static inline void atomic_lower_rank(uint64_t *rank, uint64_t other) {
    uint64_t before = __atomic_load_n(rank, __ATOMIC_RELAXED);
    while (other < before && !__atomic_compare_exchange_n(rank, &before, other, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

#endif
