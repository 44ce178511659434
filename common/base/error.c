// SPDX-License-Identifier: MIT
#include "common/base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the number of bytes of the printable character at `at`; 0 if it is not UTF-8 or not
 * printable. Reads no byte after the 0 that ends the text, because 0 continues no character. */
static int shown_character(const unsigned char *at) {
    static const uint32_t least[] = {0, ' ', 0xa0, 0x800,
                                     0x10000}; /* 0x80 .. 0x9f are control characters */
    const int length = at[0] < 0x80   ? 1
                       : at[0] < 0xc0 ? 0
                       : at[0] < 0xe0 ? 2
                       : at[0] < 0xf0 ? 3
                                      : 4;
    uint32_t code = length <= 1 ? at[0] : at[0] & (0x7fu >> length);
    for (int k = 1; k < length; k++) {
        if (at[k] >> 6 != 2)
            return 0;
        code = code << 6 | (at[k] & 0x3fu);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    const bool turns = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    const bool outside = code < least[length] || code == 0x7f || code > 0x10ffff || at[0] > 0xf4;
    return surrogate || turns || outside ? 0 : length;
}

void printable(char *text) {
    while (*text != '\0') {
        const int length = shown_character((const unsigned char *)text);
        if (length == 0)
            *text = '?';
        text += length > 0 ? length : 1;
    }
}

const char *printable_copy(const char *text, char *copy, size_t size) {
    snprintf(copy, size, "%s", text);
    printable(copy);
    return copy;
}

#undef fail
enum status fail(struct error *err, enum status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    // cppcheck-suppress ctuuninitvar ; it is written, not read
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    printable(err->text);
    err->is_out_of_range = false;
    return status;
}
