// SPDX-License-Identifier: MIT
#include "common/base/number_text.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a text in the current locale reads back to the number. */
static bool reads_back(enum number_type type, const char *text, double number) {
    return type == NUMBER_FLOAT32 ? strtof(text, NULL) == (float)number
                                  : strtod(text, NULL) == number;
}

const char *number_text(enum number_type type, double number, char text[NUMBER_TEXT]) {
    if (type == NUMBER_INT32) {
        snprintf(text, NUMBER_TEXT, "%.0f", number);
        return text;
    }
    if (isnan(number)) {
        strcpy(text, "nan");
        return text;
    }
    int digits = type == NUMBER_FLOAT32 ? 6 : 15; /* that any decimal number keeps */
    do
        snprintf(text, NUMBER_TEXT, "%.*g", digits, number);
    while (!reads_back(type, text, number) && digits++ < 17);
    const char *const local = localeconv()->decimal_point;
    char *const point = strstr(text, local);
    if (point != NULL) {
        const size_t length = strlen(local);
        *point = '.';
        memmove(point + 1, point + length, strlen(point + length) + 1);
    }
    return text;
}
