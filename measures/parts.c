// SPDX-License-Identifier: MIT
#include "measures/parts.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned bit;
} parts_table[] = {{"harmonic", MEASURES_HARMONIC}, {"histogram", MEASURES_HISTOGRAM}};

enum { PARTS = sizeof parts_table / sizeof *parts_table };

bool measures_parts_find(const char *list, unsigned *parts) {
    *parts = 0;
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        int k = 0;
        while (k < PARTS && (strlen(parts_table[k].name) != length ||
                             strncmp(at, parts_table[k].name, length) != 0))
            k++;
        if (k == PARTS)
            return false;
        *parts |= parts_table[k].bit;
        at += length;
        if (*at == '\0')
            return true;
    }
}

const char *measures_parts_text(unsigned parts, const char *between,
                                char text[MEASURES_PARTS_TEXT]) {
    int length = 0;
    text[0] = '\0';
    for (int k = 0; k < PARTS; k++) {
        if ((parts & parts_table[k].bit) != 0)
            length += snprintf(text + length, (size_t)(MEASURES_PARTS_TEXT - length), "%s%s",
                               length > 0 ? between : "", parts_table[k].name);
    }
    return text;
}

const char *measures_parts_expected(char text[MEASURES_PARTS_TEXT]) {
    char each[MEASURES_PARTS_TEXT], all[MEASURES_PARTS_TEXT];
    snprintf(text, MEASURES_PARTS_TEXT, "%s or %s", measures_parts_text(MEASURES_ALL, ", ", each),
             measures_parts_text(MEASURES_ALL, ",", all));
    return text;
}
