#include "graphgen/generate.h"

#include <ctype.h>
#include <string.h>

/* 128 bits keep the products below exact. */
__extension__ typedef __int128 wide;

struct schedule_row {
    const char *class_name;
    int32_t v;
    int64_t e;
};

/* One row for each published cell, made from thesis_tables/published by the
 * Makefile; ascending in v within a class. */
static const struct schedule_row schedule[] = {
#include "schedule.inc"
};
enum { SCHEDULE_ROWS = sizeof schedule / sizeof *schedule };

static int64_t divide_rounded(wide numerator, wide denominator) {
    return (int64_t)((2 * numerator + denominator) / (2 * denominator));
}

static int64_t interpolated_edges(const struct schedule_row *below,
                                  const struct schedule_row *above, int32_t n) {
    const wide pairs = (wide)n * (n - 1);
    if (below == NULL)
        return divide_rounded(above->e * pairs, (wide)above->v * (above->v - 1));
    if (above == NULL && strcmp(below->class_name, "dense") == 0)
        return divide_rounded(below->e * pairs, (wide)below->v * (below->v - 1));
    if (above == NULL || below->v == n)
        return divide_rounded((wide)below->e * n, below->v);
    wide degrees =
        (wide)below->e * above->v * (above->v - n) + (wide)above->e * below->v * (n - below->v);
    return divide_rounded(degrees * n, (wide)below->v * above->v * (above->v - below->v));
}

static bool class_edges(const char *class_name, int32_t n, int64_t *edges) {
    const struct schedule_row *below = NULL, *above = NULL;
    for (int k = 0; k < SCHEDULE_ROWS; k++) {
        const struct schedule_row *row = &schedule[k];
        if (strcmp(row->class_name, class_name) != 0)
            continue;
        if (row->v <= n)
            below = row;
        else if (above == NULL)
            above = row;
    }
    if (below == NULL && above == NULL)
        return false;
    *edges = interpolated_edges(below, above, n);
    if (*edges > graph_pairs(n))
        *edges = graph_pairs(n);
    return true;
}

bool density_edges(const char *text, int32_t n, int64_t *edges) {
    enum { MOST_DIGITS = 18 };
    wide numerator = 0, denominator = 1;
    int digits = 0;
    bool fraction = false;
    if (class_edges(text, n, edges))
        return true;
    for (; isdigit((unsigned char)*text) || (*text == '.' && !fraction); text++) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        if (++digits > MOST_DIGITS)
            return false;
        numerator = numerator * 10 + (*text - '0');
        if (fraction)
            denominator *= 10;
    }
    if (*text == '%') {
        denominator *= 100;
        text++;
    }
    if (digits == 0 || *text != '\0' || numerator > denominator)
        return false;
    *edges = divide_rounded(numerator * graph_pairs(n), denominator);
    return true;
}
