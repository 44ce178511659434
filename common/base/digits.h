// SPDX-License-Identifier: MIT
/* Writes integers as text, fast: four digits at a time, from a table. */
#ifndef COMMON_BASE_DIGITS_H
#define COMMON_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

enum {
    DIGITS_GROUP = 10000,
    DIGITS_LONGEST = 16, /* the most bytes that digits_put writes, even if it advances by fewer */
};

/* The numbers 0 .. 9999 as text. plain: without leading zeros, the length in byte 7. padded: four
 * digits. */
struct digits {
    char plain[DIGITS_GROUP][8];
    char padded[DIGITS_GROUP][4];
};

static inline void digits_fill(struct digits *d) {
    for (int value = 0; value < DIGITS_GROUP; value++) {
        int rest = value, length = value > 999 ? 4 : value > 99 ? 3 : value > 9 ? 2 : 1;
        for (int place = 3; place >= 0; place--) {
            d->padded[value][place] = (char)('0' + rest % 10);
            rest /= 10;
        }
        memset(d->plain[value], 0, sizeof d->plain[value]);
        memcpy(d->plain[value], d->padded[value] + 4 - length, (size_t)length);
        d->plain[value][7] = (char)length;
    }
}

/* Writes any int32 at `to`; returns the end of the text. May write up to DIGITS_LONGEST bytes. */
static inline char *digits_put(const struct digits *d, char *to, int32_t value) {
    uint32_t rest = (uint32_t)value;
    if (value < 0) {
        *to++ = '-';
        rest = -rest;
    }
    uint32_t groups[3];
    int count = 0;
    while (rest >= DIGITS_GROUP) {
        groups[count++] = rest % DIGITS_GROUP;
        rest /= DIGITS_GROUP;
    }
    memcpy(to, d->plain[rest], 8);
    to += d->plain[rest][7];
    while (count > 0) {
        memcpy(to, d->padded[groups[--count]], 4);
        to += 4;
    }
    return to;
}

#endif
