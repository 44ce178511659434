// SPDX-License-Identifier: MIT
/* Grids: real weights for which addition is exact, so that every engine finds the same bits.
 *
 * A grid is a power of two, its spacing. If all weights are multiples of it and all distances are
 * below 2^52 spacings, every sum of two of them is below 2^53 spacings, and float64 holds it
 * exactly: addition is associative, and real weights may take every way that integers take
 * (solve/solver.h). Weights like 0.25 or 3.5 are on a grid by nature; integers that do not fit in
 * 32 bits are. Others are rounded to one, if that is asked for: a path of k edges changes by at
 * most k / 2 spacings, and no weight above 0 becomes 0. */
#ifndef SOLVE_GRID_H
#define SOLVE_GRID_H

#include "common/graph/graph.h" // struct graph
#include "solve/features.h"     // enum grid_use

/* Distances are below 2^GRID_BITS spacings; with those below 2^GRID_INT32_BITS, engines for int32
 * solve the graph. */
enum { GRID_BITS = 52, GRID_INT32_BITS = 30 };

/* Requests that stand in the place of a spacing; all numbers below 0 are GRID_OFF. */
#define GRID_AUTO 0.0
#define GRID_OFF  (-1.0)

/* Changes that rounding made. */
struct grid_rounding {
    double spacing;     /* 0: nothing was rounded */
    int64_t changed;    /* weights */
    double weight_by;   /* the most that a weight changed by */
    double distance_by; /* the most that a distance may have changed by */
};

/* Sets spacing and farthest of a graph whose weights are on a grid by nature, as far as that can be
 * told; leaves them 0 otherwise. Weights stay as they are. O(m), and up to eight runs of Dijkstra's
 * algorithm both ways. STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if
 * progress says to stop. */
enum status grid_find(struct graph *g, const struct progress *progress, struct error *err);

/* Rounds the weights of a float64 graph, all >= 0, to multiples of the largest power of two that is
 * not above `spacing`, or of 2^-52 of a bound of all distances if it is 0, and sets the graph's
 * spacing and farthest. STATUS_BAD_INPUT if the spacing is too small for its distances. */
enum status grid_round(struct graph *g, double spacing, struct grid_rounding *rounding,
                       const struct progress *progress, struct error *err);

/* Needs of an answer that decide on a grid. */
struct grid_purpose {
    bool is_strict; /* distances are kept, or compared with a limit: not only sums of many */
    int32_t rows;
    bool needs_grid;     /* whatever the graph: for answers that depend on ties */
    bool takes_negative; /* a graph with weights below 0 may be on a grid by nature */
};

/* Does with the weights of g what is asked for: nothing for GRID_OFF; rounds them to a spacing; for
 * GRID_AUTO finds the grid that they are on, and otherwise rounds those of a sparse graph, unless
 * it is an integral one, if only measures of many rows are wanted. STATUS_BAD_INPUT if weights that
 * are not float64, or below 0, are to be rounded. A grid that g is on already is not looked
 * for again; graphs of other semirings stay as they are.
 *
 * Weights below 0 are never rounded. Only if the purpose takes them is the grid found that they are
 * on: then n times the largest weight, without its sign, is below 2^52 spacings, so that the length
 * of every path is exact. Solvers expect no grid with such weights. */
enum status grid_apply(struct graph *g, double asked, const struct grid_purpose *purpose,
                       struct grid_rounding *rounding, const struct progress *progress,
                       struct error *err);

/* Does all of grid_apply but the rounding: *rounds says whether grid_round is to follow, before
 * which weights of somebody else must be copied. */
enum status grid_choose(struct graph *g, double asked, const struct grid_purpose *purpose,
                        bool *rounds, const struct progress *progress, struct error *err);

/* One line for people on what was rounded. Returns text. */
enum { GRID_TEXT = 256 };
const char *grid_text(const struct grid_rounding *rounding, char text[GRID_TEXT]);

/* Returns whether engines for int32 can have the graph as one of whole numbers of spacings. */
static inline bool grid_fits_int32(const struct graph *g) {
    return g->spacing > 0 && g->farthest < g->spacing * (1 << GRID_INT32_BITS);
}

/* Returns which engines for grids (solve_on_grid) may solve the graph. */
static inline enum grid_use grid_use(const struct graph *g) {
    return g->spacing == 0 ? GRID_NONE : g->min_weight > 0 ? GRID_ALL : GRID_DISTANCES;
}

#endif
