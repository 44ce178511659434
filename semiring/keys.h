// SPDX-License-Identifier: MIT
/* Weights and lengths of min-max and max-min as keys: unsigned numbers, the lower the better. So
 * both semirings are one problem, whatever the type of the weights. Key 0 is the length from a
 * vertex to itself, and the largest key stands for no path; no finite number has these two keys. */
#ifndef SEMIRING_KEYS_H
#define SEMIRING_KEYS_H

#include "common/graph/graph.h" // INF

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the bytes of a key of a number of that type. */
static inline size_t key_size(enum number_type type) {
    return type == NUMBER_FLOAT64 ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Returns key k of an array of keys of numbers of that type. */
static inline uint64_t key_at(const void *keys, enum number_type type, int64_t k) {
    return type == NUMBER_FLOAT64 ? ((const uint64_t *)keys)[k] : ((const uint32_t *)keys)[k];
}

/* Compares keys of 64 bits for qsort. */
static inline int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Return the key of a number. The bits of a float or double below 0 have the reverse order of the
 * numbers, and must come before those of other numbers. */
static inline uint32_t key_of_i32(int32_t number, bool greatest) {
    const uint32_t key = (uint32_t)number ^ UINT32_C(1) << 31;
    return greatest ? ~key : key;
}

static inline uint32_t key_of_f32(float number, bool greatest) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    const uint32_t key = bits >> 31 != 0 ? ~bits : bits | UINT32_C(1) << 31;
    return greatest ? ~key : key;
}

static inline uint64_t key_of_f64(double number, bool greatest) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    const uint64_t key = bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
    return greatest ? ~key : key;
}

/* Return the number that has a key. */
static inline int32_t key_to_i32(uint32_t key, bool greatest) {
    const int32_t best = greatest ? INF : -INF;
    if (key == 0 || key == UINT32_MAX)
        return key == 0 ? best : -best;
    return (int32_t)((greatest ? ~key : key) ^ UINT32_C(1) << 31);
}

static inline float key_to_f32(uint32_t key, bool greatest) {
    const float best = greatest ? INFINITY : -INFINITY;
    if (key == 0 || key == UINT32_MAX)
        return key == 0 ? best : -best;
    const uint32_t above = greatest ? ~key : key;
    const uint32_t bits = above >> 31 != 0 ? above ^ UINT32_C(1) << 31 : ~above;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline double key_to_f64(uint64_t key, bool greatest) {
    const double best = greatest ? (double)INFINITY : -(double)INFINITY;
    if (key == 0 || key == UINT64_MAX)
        return key == 0 ? best : -best;
    const uint64_t above = greatest ? ~key : key;
    const uint64_t bits = above >> 63 != 0 ? above ^ UINT64_C(1) << 63 : ~above;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

#endif
