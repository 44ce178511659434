// SPDX-License-Identifier: MIT
/* Writes real numbers as text: with the fewest digits that read back to the same bits and, among
 * such texts, the one nearest to the number. */
#ifndef COMMON_BASE_NUMBER_TEXT_H
#define COMMON_BASE_NUMBER_TEXT_H

#include "common/base/number.h" // enum number_type

/* Bytes of the longest text, such as "-2.2250738585072014e-308", and a zero byte. */
enum { NUMBER_TEXT_MAX = 25 };

/* Writes a number of a type at `to`, which has room for NUMBER_TEXT_MAX bytes; a number of type
 * int32 or float32 must be representable in it. Texts look like "5", "0.25", "1e-07", "2.5e+20",
 * "inf" and "nan", with a point and an exponent only if needed, whatever the locale. Returns the
 * end of the text, where it stores a zero byte.
 *
 * Source: Raffaello Giulietti, The Schubfach way to render doubles, 2020. */
char *number_put(char *to, double value, enum number_type type);

/* Does what number_put does; returns the beginning of the text. */
static inline const char *number_text(enum number_type type, double value,
                                      char text[NUMBER_TEXT_MAX]) {
    number_put(text, value, type);
    return text;
}

#endif
