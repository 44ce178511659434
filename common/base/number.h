// SPDX-License-Identifier: MIT
/* The types of weights and distances. */
#ifndef COMMON_BASE_NUMBER_H
#define COMMON_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sums of the two real types are rounded to nearest after every addition. */
enum number_type { NUMBER_INT32, NUMBER_FLOAT32, NUMBER_FLOAT64, NUMBER_TYPES };

/* Name, in options and files, of integers of 64 bits, which are float64 numbers in memory. float64
 * represents all integers up to INTEGERS_MOST. */
#define INT64_NAME    "int64"
#define INTEGERS_MOST 0x1p53

/* Returns the name of a type, as in options and files. */
static inline const char *number_name(enum number_type type) {
    static const char *const names[NUMBER_TYPES] = {"int32", "float32", "float64"};
    return names[type];
}

/* Returns the type of that name; NUMBER_TYPES if there is none. */
static inline enum number_type number_find(const char *name) {
    for (int type = 0; type < NUMBER_TYPES; type++) {
        if (strcmp(number_name((enum number_type)type), name) == 0)
            return (enum number_type)type;
    }
    return NUMBER_TYPES;
}

/* Returns a sum, or another number, rounded to the type. The sum of two float32 numbers becomes
 * their sum in float32, because float64 has more than twice as many digits. */
static inline double number_rounded(enum number_type type, double number) {
    return type == NUMBER_FLOAT32 ? (double)(float)number : number;
}

/* Returns the bytes of a number. */
static inline size_t number_size(enum number_type type) {
    return type == NUMBER_FLOAT64 ? 8 : 4;
}

/* Returns the number at an index of an array of that type. */
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
