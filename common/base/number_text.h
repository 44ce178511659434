// SPDX-License-Identifier: MIT
/* Writes numbers as text. Functions return the end of the text, where they store a zero byte. */
#ifndef COMMON_BASE_NUMBER_TEXT_H
#define COMMON_BASE_NUMBER_TEXT_H

#include "common/base/number.h" // enum number_type

#include <stdint.h>

/* Bytes of the longest text, such as "-2.2250738585072014e-308", and a zero byte. */
enum { NUMBER_TEXT_MAX = 25 };

/* Writes a number of a type at `to`, which has room for NUMBER_TEXT_MAX bytes, with the fewest
 * digits that read back to the same bits and, among such texts, the one nearest to the number. A
 * number of type int32 or float32 must be representable in it. Texts look like "5", "0.25",
 * "1e-07", "2.5e+20", "inf" and "nan", with a point and an exponent only if needed, whatever the
 * locale.
 *
 * Source: Raffaello Giulietti, The Schubfach way to render doubles, 2020. */
char *number_put(char *to, double value, enum number_type type);

/* Writes a number rounded to 1 .. 17 digits, as printf's "%.*g" does in the locale C, at `to`,
 * which has room for NUMBER_TEXT_MAX bytes. */
char *number_put_rounded(char *to, double value, int digits);

/* Writes an integer at `to`, which has room for NUMBER_TEXT_MAX bytes. */
char *number_put_integer(char *to, int64_t value);

/* Does what number_put does; returns the beginning of the text. */
static inline const char *number_text(enum number_type type, double value,
                                      char text[NUMBER_TEXT_MAX]) {
    number_put(text, value, type);
    return text;
}

#endif
