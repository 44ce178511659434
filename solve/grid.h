// SPDX-License-Identifier: MIT
/* Grids: real weights for which addition is exact, so that every engine finds the same bits.
 *
 * A grid is a power of two, its spacing. If all weights are multiples of it and all distances are
 * below 2^52 spacings, every sum of two of them is below 2^53 spacings, and float64 holds it
 * exactly: addition is associative, and real weights may take every path of the code that integers
 * take (solve/solver.h). Weights like 0.25 or 3.5 are on a grid by nature, and so are integers that
 * do not fit in 32 bits. Other weights are rounded to a grid if that is asked for: a path of k
 * edges changes by at most k / 2 spacings, and no weight above 0 becomes 0. */
#ifndef SOLVE_GRID_H
#define SOLVE_GRID_H

#include "common/graph/graph.h" // struct graph
#include "solve/features.h"     // enum grid_use

/* Distances are below 2^GRID_BITS spacings. If they are below 2^GRID_INT32_BITS, engines for int32
 * solve the graph. */
enum { GRID_BITS = 52, GRID_INT32_BITS = 30 };

/* Requests that stand in the place of a spacing: GRID_AUTO and GRID_OFF. Every number below 0 means
 * GRID_OFF. */
#define GRID_AUTO 0.0
#define GRID_OFF  (-1.0)

/* Changes that rounding to a grid made. */
struct grid_rounding {
    double spacing;     /* spacing of the grid; 0: nothing was rounded */
    int64_t changed;    /* number of weights that changed */
    double weight_by;   /* the most that a weight changed by */
    double distance_by; /* the most that a distance may have changed by */
};

/* Sets spacing and farthest of a graph if its weights are found to be on a grid by nature; leaves
 * them 0 otherwise. Weights stay as they are. O(m), and up to eight runs of Dijkstra's algorithm
 * both ways. STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to
 * stop. */
enum status grid_find(struct graph *g, const struct progress *progress, struct error *err);

/* Rounds the weights of a float64 graph, all >= 0, to multiples of the largest power of two that is
 * not above `spacing` or, if that is 0, not above 2^-52 of a bound of all distances, and sets the
 * graph's spacing and farthest. STATUS_BAD_INPUT if the spacing is too small for its distances. */
enum status grid_round(struct graph *g, double spacing, struct grid_rounding *rounding,
                       const struct progress *progress, struct error *err);

/* Properties of an answer that decide on its grid. */
struct grid_purpose {
    bool is_strict; /* distances are kept or compared with a limit, so sums over many do not do */
    int32_t rows;
    bool needs_grid;     /* the answer depends on ties, so the graph must be on a grid */
    bool takes_negative; /* a graph with weights below 0 may be on a grid by nature */
};

/* Applies a request to the weights of g. GRID_OFF: does nothing. A spacing: rounds to it.
 * GRID_AUTO: finds the grid that weights are on; if there is none, rounds the weights of a sparse
 * graph that is not integral if only measures of many rows are wanted. STATUS_BAD_INPUT if weights
 * that are not float64, or below 0, are to be rounded. A grid that g is on already is not looked
 * for again; graphs of other semirings stay as they are.
 *
 * Weights below 0 are never rounded. Only if the purpose takes them is the grid found that they are
 * on: then n times the largest weight, without its sign, is below 2^52 spacings, so that the length
 * of every path is exact. Solvers expect no grid with such weights. */
enum status grid_apply(struct graph *g, double asked, const struct grid_purpose *purpose,
                       struct grid_rounding *rounding, const struct progress *progress,
                       struct error *err);

/* Does what grid_apply does except the rounding. *rounds tells whether grid_round has to follow:
 * then a caller must first copy weights that it does not own. */
enum status grid_choose(struct graph *g, double asked, const struct grid_purpose *purpose,
                        bool *rounds, const struct progress *progress, struct error *err);

/* Writes one line for people on what was rounded, of up to GRID_TEXT bytes. Returns text. */
enum { GRID_TEXT = 256 };
const char *grid_text(const struct grid_rounding *rounding, char text[GRID_TEXT]);

/* Returns whether the weights and distances in spacings fit in int32. */
static inline bool grid_fits_int32(const struct graph *g) {
    return g->spacing > 0 && g->farthest < g->spacing * (1 << GRID_INT32_BITS);
}

/* Returns which engines for grids (solve_on_grid) may solve the graph. */
static inline enum grid_use grid_use(const struct graph *g) {
    return g->spacing == 0 ? GRID_NONE : g->min_weight > 0 ? GRID_ALL : GRID_DISTANCES;
}

#endif
