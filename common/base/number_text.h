// SPDX-License-Identifier: MIT
/* Numbers of any type as text for people. */
#ifndef COMMON_BASE_NUMBER_TEXT_H
#define COMMON_BASE_NUMBER_TEXT_H

#include "common/base/number.h" // enum number_type

/* Stores a number of that type in `text` and returns it: an int32 number as an integer, any other
 * with the fewest digits that read back to the same number of the type, with a point in every
 * locale, and "inf", "-inf" or "nan". */
enum { NUMBER_TEXT = 32 };
const char *number_text(enum number_type type, double number, char text[NUMBER_TEXT]);

#endif
