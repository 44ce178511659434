// SPDX-License-Identifier: MIT
/* The types of weights and distances. */
#ifndef COMMON_BASE_NUMBER_H
#define COMMON_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sums of the last two are rounded to nearest after every addition. */
enum number_type { NUMBER_INT32, NUMBER_FLOAT32, NUMBER_FLOAT64, NUMBER_TYPES };

/* The name of integers of 64 bits, which are float64 numbers in memory, as options and files have
 * it. Up to INTEGERS_MOST float64 has all integers. */
#define INT64_NAME    "int64"
#define INTEGERS_MOST 0x1p53

/* The name of a type, as options and files have it. */
static inline const char *number_name(enum number_type type) {
    static const char *const names[NUMBER_TYPES] = {"int32", "float32", "float64"};
    return names[type];
}

/* The type of that name; NUMBER_TYPES if there is none. */
static inline enum number_type number_find(const char *name) {
    for (int type = 0; type < NUMBER_TYPES; type++) {
        if (strcmp(number_name((enum number_type)type), name) == 0)
            return (enum number_type)type;
    }
    return NUMBER_TYPES;
}

/* A sum, or another number, rounded to the type. For the sum of two float32 numbers this is their
 * sum in float32, because float64 has more than twice as many digits. */
static inline double number_rounded(enum number_type type, double number) {
    return type == NUMBER_FLOAT32 ? (double)(float)number : number;
}

/* Bytes of a number. */
static inline size_t number_size(enum number_type type) {
    return type == NUMBER_FLOAT64 ? 8 : 4;
}

/* The number at an index of an array of that type. */
static inline double number_at(enum number_type type, const void *numbers, int64_t index) {
    switch (type) {
    case NUMBER_FLOAT32:
        return (double)((const float *)numbers)[index];
    case NUMBER_FLOAT64:
        return ((const double *)numbers)[index];
    default:
        return ((const int32_t *)numbers)[index];
    }
}

#endif
