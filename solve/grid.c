// SPDX-License-Identifier: MIT
#include "solve/grid.h"

#include "solve/distance_bound.h" // distance_bound_find

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

static const double spacings_most = 0x1p52; /* 2^GRID_BITS */

/* Returns the exponent of the largest power of two that divides a number, which is not 0. */
static int lowest_exponent(double number) {
    int exponent;
    const double mantissa = frexp(number, &exponent); /* has 53 bits */
    const int64_t bits = (int64_t)ldexp(mantissa, DBL_MANT_DIG);
    return exponent - DBL_MANT_DIG + __builtin_ctzll((uint64_t)bits);
}

/* Returns the largest absolute value of a weight. */
static double heaviest_of(const struct graph *g) {
    return fmax(fabs(g->min_weight), fabs(g->max_weight));
}

/* The exponent of the largest power of two that all weights are multiples of. INT_MIN if the
 * heaviest one is 2^52 times that or more, INT_MAX if all are 0. */
static int common_exponent(const struct graph *g) {
    int lowest = INT_MAX, highest;
    frexp(heaviest_of(g), &highest);
    for (int64_t e = 0; e < g->m; e++) {
        if (g->real_weight[e] == 0)
            continue;
        const int own = lowest_exponent(g->real_weight[e]);
        lowest = own < lowest ? own : lowest;
        if (highest - lowest > GRID_BITS)
            return INT_MIN;
    }
    return lowest;
}

/* Sets the grid of a graph if distances of up to `farthest` are below 2^52 spacings; returns
 * whether they are. */
static bool set_grid(struct graph *g, double spacing, double farthest) {
    if (!(farthest < spacings_most * spacing))
        return false;
    g->spacing = spacing;
    g->farthest = farthest;
    return true;
}

/* Number of edges for each vertex up to which a grid pays. Above it the engines for float64 grids
 * save too little, and a bound of the distances costs too much. */
enum { FEW_EDGES = 32 };

static bool is_sparse(const struct graph *g) {
    return g->m <= (int64_t)FEW_EDGES * g->n;
}

static enum status find(struct graph *g, bool takes_negative, const struct progress *progress,
                        struct error *err) {
    double farthest;
    g->spacing = g->farthest = 0;
    if (g->type != NUMBER_FLOAT64 || (g->min_weight < 0 && !takes_negative) || g->zones > 0)
        return STATUS_OK;
    if (g->m == 0) { /* no weights: any grid will do */
        g->spacing = 1;
        return STATUS_OK;
    }
    const int exponent = common_exponent(g);
    if (exponent == INT_MIN)
        return STATUS_OK;
    const double spacing = exponent == INT_MAX ? 1 : ldexp(1, exponent);
    /* A path has at most n - 1 edges. The product with n is an upper bound of its length in spite
     * of rounding. */
    const double crude = heaviest_of(g) * g->n;
    if (g->min_weight < 0 || crude < spacing * (1 << GRID_INT32_BITS)) {
        set_grid(g, spacing, crude);
        return STATUS_OK;
    }
    if (!is_sparse(g) && !g->integral && g->max_weight >= spacing * (1 << GRID_INT32_BITS))
        return STATUS_OK;
    RETURN_ON_FAILURE(distance_bound_find(g, &farthest, progress, err));
    set_grid(g, spacing, farthest);
    return STATUS_OK;
}

enum status grid_find(struct graph *g, const struct progress *progress, struct error *err) {
    return find(g, false, progress, err);
}

/* Returns the nearest multiple of the spacing, ties to even, but not 0 for a weight above 0.
 * Weights of 2^52 spacings or more are multiples of the spacing already. */
static double rounded(double weight, double spacing) {
    if (weight >= spacings_most * spacing)
        return weight;
    const double nearest = nearbyint(weight / spacing);
    return nearest == 0 && weight > 0 ? spacing : nearest * spacing;
}

static double power_not_above(double number) {
    int exponent;
    frexp(number, &exponent);
    return ldexp(1, exponent - 1);
}

/* Returns a spacing such that the bound is at most 2^52 spacings, including what rounding adds to n
 * weights. */
static double spacing_for(double farthest, int32_t n) {
    const double least = 0x1p-1074;
    if (farthest == 0)
        return 1;
    const double spacing = fmax(least, 2 * power_not_above(farthest) / spacings_most);
    return farthest + n * spacing < spacings_most * spacing ? spacing : 2 * spacing;
}

enum status grid_round(struct graph *g, double spacing, struct grid_rounding *rounding,
                       const struct progress *progress, struct error *err) {
    double farthest;
    *rounding = (struct grid_rounding){0};
    g->spacing = g->farthest = 0;
    RETURN_ON_FAILURE(distance_bound_find(g, &farthest, progress, err));
    if (isinf(farthest))
        return fail(err, STATUS_BAD_INPUT,
                    "expected distances that fit in a float64 to round weights to a grid, found a "
                    "bound of them that does not");
    spacing = spacing > 0 ? power_not_above(spacing) : spacing_for(farthest, g->n);
    if (isinf(farthest + g->n * spacing)) /* weights above 0 become a spacing or more */
        return fail(err, STATUS_BAD_INPUT,
                    "expected a spacing of the grid on which distances fit in a float64, found "
                    "%.3g",
                    spacing);
    if (!(farthest + g->n * spacing < spacings_most * spacing))
        return fail(err, STATUS_BAD_INPUT,
                    "expected a spacing of the grid of at least %.3g, as distances may be up to "
                    "%.3g, found %.3g",
                    spacing_for(farthest, g->n), farthest, spacing);
    for (int64_t e = 0; e < g->m; e++) {
        const double weight = g->real_weight[e], to = rounded(weight, spacing);
        rounding->changed += to != weight;
        rounding->weight_by = fmax(rounding->weight_by, fabs(to - weight));
        g->real_weight[e] = to;
    }
    if (g->m > 0) {
        g->min_weight = rounded(g->min_weight, spacing);
        g->max_weight = rounded(g->max_weight, spacing);
    }
    if (rounding->changed > 0) {
        rounding->spacing = spacing;
        rounding->distance_by = rounding->weight_by * (g->n - 1.0);
    }
    if (g->zones == 0)
        set_grid(g, spacing, farthest + g->n * spacing);
    return STATUS_OK;
}

/* Returns whether weights are to be rounded; grid_find has been called. */
static bool is_to_round(const struct graph *g, double asked, const struct grid_purpose *purpose) {
    /* number of rows up to which a search from each source solves the graph (auto_searches) */
    enum { FEW_ROWS = 64 };
    if (asked != GRID_AUTO)
        return asked > 0;
    const bool pays = !purpose->is_strict && purpose->rows > FEW_ROWS && is_sparse(g);
    return g->type == NUMBER_FLOAT64 && !g->integral && g->spacing == 0 &&
           (pays || purpose->needs_grid) && g->min_weight >= 0 && g->m > 0;
}

/* Fails if rounding is asked for and the weights cannot be rounded. */
static enum status check_rounding(const struct graph *g, double asked, struct error *err) {
    if (g->type != NUMBER_FLOAT64)
        return fail(err, STATUS_BAD_INPUT,
                    "grid: expected float64 weights to round to multiples of %.17g, found %s ones "
                    "(--type float64 reads any so)",
                    asked, number_name(g->type));
    if (g->min_weight < 0)
        return fail(err, STATUS_BAD_INPUT,
                    "grid: expected weights of 0 or more to round to multiples of %.17g, found "
                    "%.17g",
                    asked, g->min_weight);
    return STATUS_OK;
}

enum status grid_choose(struct graph *g, double asked, const struct grid_purpose *purpose,
                        bool *rounds, const struct progress *progress, struct error *err) {
    *rounds = false;
    if (g->semiring != SEMIRING_MIN_PLUS && asked > 0)
        return fail(err, STATUS_BAD_INPUT,
                    "--grid: expected auto or off with --semiring %s, which adds nothing up, found "
                    "a spacing",
                    semiring_name(g->semiring));
    if (g->semiring != SEMIRING_MIN_PLUS)
        return STATUS_OK;
    if (asked == GRID_AUTO && g->spacing == 0)
        RETURN_ON_FAILURE(find(g, purpose->takes_negative, progress, err));
    *rounds = is_to_round(g, asked, purpose);
    return *rounds ? check_rounding(g, asked, err) : STATUS_OK;
}

enum status grid_apply(struct graph *g, double asked, const struct grid_purpose *purpose,
                       struct grid_rounding *rounding, const struct progress *progress,
                       struct error *err) {
    bool rounds;
    *rounding = (struct grid_rounding){0};
    RETURN_ON_FAILURE(grid_choose(g, asked, purpose, &rounds, progress, err));
    return rounds ? grid_round(g, asked, rounding, progress, err) : STATUS_OK;
}

const char *grid_text(const struct grid_rounding *rounding, char text[GRID_TEXT]) {
    int exponent;
    frexp(rounding->spacing, &exponent);
    snprintf(
        text, GRID_TEXT,
        "%lld weights are rounded to multiples of 2^%d, by at most %.2g: each distance is within "
        "%.2g of that of the given weights (--grid off takes these)",
        (long long)rounding->changed, exponent - 1, rounding->weight_by, rounding->distance_by);
    return text;
}
