#include "common/error.h"

#include <stdarg.h>
#include <stdio.h>

#undef fail
enum status fail(struct error *err, enum status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    // cppcheck-suppress ctuuninitvar ; it is written, not read
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    /* File names reach these lines: a newline or an escape sequence in one
     * must not break the promise of one line. */
    for (char *c = err->text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return status;
}
