// SPDX-License-Identifier: MIT
#include "graphgen/generate.h"

#include <ctype.h>
#include <string.h>

/* Products of numbers of edges are exact in 128 bits. */
__extension__ typedef __int128 int128;

struct schedule_row {
    const char *class_name;
    int32_t v;
    int64_t e;
};

/* The thesis's tables 1, 3 and 5: every graph that it measured, ascending in v within a class. */
static const struct schedule_row schedule[] = {
    {"dense", 5, 10},          {"dense", 10, 40},        {"dense", 20, 160},
    {"dense", 40, 640},        {"dense", 200, 6000},     {"dense", 400, 24000},
    {"dense", 800, 96000},     {"dense", 1000, 150000},  {"dense", 2000, 400000},
    {"dense", 5000, 500000},   {"dense", 7500, 1125000}, {"dense", 10000, 2000000},
    {"dense", 12500, 3125000}, {"sparse", 5, 2},         {"sparse", 10, 5},
    {"sparse", 20, 10},        {"sparse", 40, 20},       {"sparse", 200, 100},
    {"sparse", 400, 200},      {"sparse", 800, 400},     {"sparse", 1000, 500},
    {"sparse", 2000, 1000},    {"sparse", 5000, 2500},   {"sparse", 7500, 3750},
    {"sparse", 10000, 5000},   {"sparse", 12500, 6250},  {"medium", 5, 5},
    {"medium", 10, 15},        {"medium", 20, 40},       {"medium", 40, 100},
    {"medium", 200, 700},      {"medium", 400, 1600},    {"medium", 800, 3200},
    {"medium", 1000, 4500},    {"medium", 2000, 10000},  {"medium", 5000, 30000},
    {"medium", 7500, 45000},   {"medium", 10000, 65000}, {"medium", 12500, 81250},
};
enum { SCHEDULE_ROWS = sizeof schedule / sizeof *schedule };

static int64_t divide_rounded(int128 numerator, int128 denominator) {
    return (int64_t)((2 * numerator + denominator) / (2 * denominator));
}

static int64_t interpolated_edges(const struct schedule_row *below,
                                  const struct schedule_row *above, int32_t n) {
    const int128 pairs = (int128)n * (n - 1);
    if (below == NULL)
        return divide_rounded(above->e * pairs, (int128)above->v * (above->v - 1));
    if (above == NULL && strcmp(below->class_name, "dense") == 0)
        return divide_rounded(below->e * pairs, (int128)below->v * (below->v - 1));
    if (above == NULL || below->v == n)
        return divide_rounded((int128)below->e * n, below->v);
    int128 degrees =
        (int128)below->e * above->v * (above->v - n) + (int128)above->e * below->v * (n - below->v);
    return divide_rounded(degrees * n, (int128)below->v * above->v * (above->v - below->v));
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
    enum { MAX_DIGITS = 18 };
    int128 numerator = 0, denominator = 1;
    int digits = 0;
    bool fraction = false;
    if (class_edges(text, n, edges))
        return true;
    for (; isdigit((unsigned char)*text) || (*text == '.' && !fraction); text++) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        if (++digits > MAX_DIGITS)
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
