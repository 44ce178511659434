// SPDX-License-Identifier: MIT
#include "common/base/number_text.h"

#include <langinfo.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* The powers of ten by which numbers are multiplied, from 10^LOWEST on. Each is stored as its 128
 * leading bits, rounded up. */
enum { LOWEST = -292, HIGHEST = 324, POWERS = HIGHEST - LOWEST + 1 };
static wide power_of_ten[POWERS];

/* Integers of many bits are arrays of limbs of 32 bits, the lowest first. 2^TOP / 10^-LOWEST has
 * more than 128 bits, and 10^HIGHEST fits. */
enum { LIMB_BITS = 32, LIMBS = 40, TOP = LIMBS * LIMB_BITS - 1 };

/* Returns bits 0 .. 127 of the integer, shifted so that its highest bit is bit 127. Sets *exact if
 * no bit is lost. */
static wide leading_bits(const uint32_t *limb, bool *exact) {
    int top = LIMBS - 1;
    wide bits = 0;
    while (limb[top] == 0)
        top--;
    for (int k = 0; k < 4; k++)
        bits = bits << LIMB_BITS | (top >= k ? limb[top - k] : 0);
    const uint32_t next = top >= 4 ? limb[top - 4] : 0;
    const int shift = __builtin_clz(limb[top]);
    *exact = (uint32_t)((uint64_t)next << shift) == 0;
    for (int k = top - 5; k >= 0; k--)
        *exact &= limb[k] == 0;
    return shift == 0 ? bits : bits << shift | next >> (LIMB_BITS - shift);
}

static void fill_powers(void) {
    uint32_t limb[LIMBS] = {1};
    bool exact;
    for (int k = 0; k <= HIGHEST; k++) {
        const wide bits = leading_bits(limb, &exact);
        uint64_t carry = 0;
        power_of_ten[k - LOWEST] = bits + !exact;
        for (int l = 0; l < LIMBS; l++) {
            carry += (uint64_t)limb[l] * 10;
            limb[l] = (uint32_t)carry;
            carry >>= LIMB_BITS;
        }
    }
    memset(limb, 0, sizeof limb);
    limb[LIMBS - 1] = (uint32_t)1 << (LIMB_BITS - 1);
    for (int k = -1; k >= LOWEST; k--) {
        uint64_t rest = 0;
        for (int l = LIMBS - 1; l >= 0; l--) {
            rest = rest << LIMB_BITS | limb[l];
            limb[l] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        /* rounded up, since 10^k for k < 0 is no binary fraction */
        power_of_ten[k - LOWEST] = leading_bits(limb, &exact) + 1;
    }
}

/* A positive number, digits * 10^power. */
struct positive_decimal {
    uint64_t digits;
    int power;
};

/* Returns the high 64 bits of a * b / 2^64; the lowest bit is also set if bits are lost. */
static uint64_t multiply(wide a, uint64_t b) {
    const wide low = (wide)(uint64_t)a * b;
    const wide sum = (wide)(uint64_t)(a >> 64) * b + (uint64_t)(low >> 64);
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

/* log2_of_ten returns the floor of log2(10^power), log10_of_two that of log10(2^power), for the
 * exponents of doubles. */
static int log2_of_ten(int power) {
    return (power * 1741647) >> 19;
}
static int log10_of_two(int power) {
    return (power * 1262611) >> 22;
}

/* Returns the shortest form of c * 2^q. uneven: the next lower number is only half as far away as
 * the next higher one. Names are those of the paper. */
static struct positive_decimal shorten(uint64_t c, int q, bool uneven) {
    /* floor of log10(2^q) or, if uneven, of log10(3/4 2^q) */
    const int k = (q * 1262611 - (uneven ? 524031 : 0)) >> 22;
    const int h = q + log2_of_ten(-k) + 1;
    const wide g = power_of_ten[-k - LOWEST];
    const uint64_t odd = c & 1;
    const uint64_t lower = multiply(g, (4 * c - 2 + uneven) << h) + odd;
    const uint64_t middle = multiply(g, (4 * c) << h);
    const uint64_t upper = multiply(g, (4 * c + 2) << h) - odd;
    const uint64_t s = middle / 4;
    if (s >= 10) { /* try one digit less */
        const uint64_t t = s / 10;
        const bool below = lower <= 40 * t, above = 40 * t + 40 <= upper;
        if (below != above)
            return (struct positive_decimal){t + above, k + 1};
    }
    const bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above)
        return (struct positive_decimal){s + above, k};
    const uint64_t half = 4 * s + 2;
    return (struct positive_decimal){s + (middle > half || (middle == half && s % 2 == 1)), k};
}

/* Returns the shortest form of a positive finite number. bits: its bits, of which the lowest
 * `width` are the fraction; bias: makes the exponent that of the fraction's last bit. */
static struct positive_decimal shortest(uint64_t bits, int width, int bias) {
    const uint64_t fraction = bits & (((uint64_t)1 << width) - 1);
    const int exponent = (int)(bits >> width);
    const uint64_t c = exponent > 0 ? fraction | (uint64_t)1 << width : fraction;
    const int q = (exponent > 0 ? exponent : 1) - bias;
    if (q <= 0 && q > -width - 1 && (c & (((uint64_t)1 << -q) - 1)) == 0)
        return (struct positive_decimal){c >> -q, 0}; /* the number is an integer */
    return shorten(c, q, fraction == 0 && exponent > 1);
}

/* Writes the digits of a positive number; returns their number. */
static int put_digits(char *to, uint64_t value) {
    enum { MOST = 20 };
    char text[MOST];
    int at = MOST;
    for (; value > 0; value /= 10)
        text[--at] = (char)('0' + value % 10);
    memcpy(to, text + at, (size_t)(MOST - at));
    return MOST - at;
}

static char *put_exponent(char *to, int exponent) {
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    exponent = exponent < 0 ? -exponent : exponent;
    if (exponent < 10)
        *to++ = '0';
    return to + put_digits(to, (uint64_t)exponent);
}

/* Writes a number: with an exponent if more than `most` digits would stand before the point, or
 * more than three zeros between the point and its digits. */
static char *put_decimal(char *to, struct positive_decimal d, int most) {
    enum { MOST_ZEROS = 3 };
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.power++;
    }
    char digits[20] = "";
    const int count = put_digits(digits, d.digits), before = count + d.power;
    if (before > most || before < -MOST_ZEROS) {
        *to++ = digits[0];
        if (count > 1) {
            *to++ = '.';
            memcpy(to, digits + 1, (size_t)count - 1);
            to += count - 1;
        }
        return put_exponent(to, before - 1);
    }
    if (before <= 0) {
        memcpy(to, "0.000", 5);
        memcpy(to + 2 - before, digits, (size_t)count);
        return to + 2 - before + count;
    }
    const int whole = before < count ? before : count;
    memcpy(to, digits, (size_t)whole);
    memset(to + whole, '0', (size_t)(before - whole));
    to += before;
    if (count > whole) {
        *to++ = '.';
        memcpy(to, digits + whole, (size_t)(count - whole));
        to += count - whole;
    }
    return to;
}

/* FRACTION_BITS: number of bits of a double's fraction. FRACTION_BIAS: the exponent field of a
 * double minus this number is the binary exponent of the fraction's last bit. */
enum { FRACTION_BITS = 52, FRACTION_BIAS = 1023 + FRACTION_BITS };

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Returns the shortest form of a positive finite number of a real type. */
static struct positive_decimal shortest_of(double value, enum number_type type) {
    enum { WIDTH_32 = 23, BIAS_32 = 127 + WIDTH_32 };
    if (type == NUMBER_FLOAT32) {
        const float narrow = (float)value;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        return shortest(bits, WIDTH_32, BIAS_32);
    }
    return shortest(bits_of(value), FRACTION_BITS, FRACTION_BIAS);
}

static void need_powers(void) {
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    pthread_once(&filled, fill_powers);
}

char *number_put(char *to, double value, enum number_type type) {
    enum { MOST_BEFORE_POINT = 16 };
    need_powers();
    if (value != value)
        return strcpy(to, "nan") + 3;
    if (__builtin_signbit(value)) {
        *to++ = '-';
        value = -value;
    }
    if (__builtin_isinf(value))
        return strcpy(to, "inf") + 3;
    if (value == 0)
        *to++ = '0';
    else
        to = put_decimal(to, shortest_of(value, type), MOST_BEFORE_POINT);
    *to = '\0';
    return to;
}

enum { MOST_DIGITS = 17 };

/* Rounds a number to `digits` digits; returns false if it is not positive and normal, or lies so
 * close to the middle between two roundings that its product with 128 bits of a power of ten does
 * not tell which is nearer. */
static bool find_rounded(double value, int digits, struct positive_decimal *d) {
    static const uint64_t beyond[MOST_DIGITS + 1] = {
        1,
        10,
        100,
        1000,
        10000,
        100000,
        1000000,
        10000000,
        100000000,
        1000000000,
        10000000000,
        100000000000,
        1000000000000,
        10000000000000,
        100000000000000,
        1000000000000000,
        10000000000000000,
        100000000000000000,
    };
    enum { WORD = 64, LONGEST_SHIFT = 120 };
    const int exponent = (int)(bits_of(value) >> FRACTION_BITS);
    const uint64_t c =
        (bits_of(value) & ((UINT64_C(1) << FRACTION_BITS) - 1)) | UINT64_C(1) << FRACTION_BITS;
    const int q = exponent - FRACTION_BIAS;
    if (exponent <= 0 || exponent >= 0x7ff)
        return false;
    /* The power of ten of the first digit; it may have to be one more. */
    for (int first = log10_of_two(q + FRACTION_BITS);; first++) {
        const int power = digits - 1 - first;
        if (power < LOWEST || power > HIGHEST)
            return false;
        const wide g = power_of_ten[power - LOWEST];
        const wide low = (wide)(uint64_t)g * c;
        /* less than 1 from the product without its lowest word */
        const wide product = (wide)(uint64_t)(g >> WORD) * c + (uint64_t)(low >> WORD);
        const int shift = WORD - 1 - q - log2_of_ten(power);
        if (shift < 2 || shift > LONGEST_SHIFT)
            return false;
        const wide middle = (wide)1 << (shift - 1), rest = product & (2 * middle - 1);
        if (rest >= middle - 1 && rest <= middle + 1)
            return false;
        *d = (struct positive_decimal){(uint64_t)(product >> shift) + (rest > middle), -power};
        if (d->digits < beyond[digits])
            return true;
    }
}

/* Does what number_put_rounded does by printf, whose point is that of the locale. */
static char *print_rounded(char *to, double value, int digits) {
    enum { LONGEST_POINT = 16 };
    char text[NUMBER_TEXT_MAX + LONGEST_POINT];
    const char *const local = nl_langinfo(RADIXCHAR);
    snprintf(text, sizeof text, "%.*g", digits, value);
    char *const point = strstr(text, local);
    if (point == NULL)
        return stpcpy(to, text);
    memcpy(to, text, (size_t)(point - text));
    to += point - text;
    *to++ = '.';
    return stpcpy(to, point + strlen(local));
}

char *number_put_rounded(char *to, double value, int digits) {
    struct positive_decimal d;
    need_powers();
    if (__builtin_signbit(value) && value == value) {
        *to++ = '-';
        value = -value;
    }
    if (value == 0)
        return stpcpy(to, "0");
    if (!find_rounded(value, digits, &d))
        return print_rounded(to, value, digits);
    to = put_decimal(to, d, digits);
    *to = '\0';
    return to;
}

char *number_put_integer(char *to, int64_t value) {
    if (value < 0)
        *to++ = '-';
    if (value == 0)
        *to++ = '0';
    else
        to += put_digits(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
    *to = '\0';
    return to;
}
