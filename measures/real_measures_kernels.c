// SPDX-License-Identifier: MIT
/* The kernels of real_measures_kernels.h for one instruction set (isa.h). Loops over columns are
 * left to the compiler; sums over a row say where each lane goes, because they must be exact. */
#include "measures/real_measures_kernels.h"

#include "common/base/vector.h" // vector_f64

#include <math.h>
#include <string.h>

enum { LANES = VECTOR_BYTES / sizeof(double) };

/* Computes the other members of *tile from tile->value. */
static inline void split(const struct real_scales *scales, struct real_tile *tile) {
    double farthest[LANES] = {0}, least[LANES] = {0}, reciprocal[LANES] = {0};
    int32_t reached = 0;
    for (int k = 0; k < REAL_TILE; k++)
        reached += tile->value[k] < (double)INFINITY;
    for (int k = 0; k < REAL_TILE; k += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            const double value = tile->value[k + lane];
            const double d = value < (double)INFINITY ? value : 0;
            const double divisor = d != 0 ? value : (double)INFINITY;
            const double r = scales->reciprocal / divisor, size = fabs(r);
            tile->distance[k + lane] = d * scales->distance;
            tile->reciprocal[k + lane] = r;
            farthest[lane] = d > farthest[lane] ? d : farthest[lane];
            least[lane] = d < least[lane] ? d : least[lane];
            reciprocal[lane] = size > reciprocal[lane] ? size : reciprocal[lane];
        }
    }
    tile->farthest = tile->least = tile->largest_reciprocal = 0;
    for (int lane = 0; lane < LANES; lane++) {
        tile->farthest = fmax(tile->farthest, farthest[lane]);
        tile->least = fmin(tile->least, least[lane]);
        tile->largest_reciprocal = fmax(tile->largest_reciprocal, reciprocal[lane]);
    }
    tile->largest_distance = fmax(tile->farthest, -tile->least) * scales->distance;
    tile->reached = reached;
}

static void read_f32(const float *dist, int32_t width, const struct real_scales *scales,
                     struct real_tile *tile) {
    for (int32_t k = 0; k < width; k++)
        tile->value[k] = (double)dist[k];
    for (int32_t k = width; k < REAL_TILE; k++)
        tile->value[k] = (double)INFINITY;
    split(scales, tile);
}

static void read_f64(const double *dist, int32_t width, const struct real_scales *scales,
                     struct real_tile *tile) {
    memcpy(tile->value, dist, (size_t)width * sizeof *dist);
    for (int32_t k = width; k < REAL_TILE; k++)
        tile->value[k] = (double)INFINITY;
    split(scales, tile);
}

static void add_up(const double *number, const struct real_rounders *rounders,
                   double sum[REAL_SUM_PARTS]) {
    vector_f64 total[REAL_SUM_PARTS] = {0}, rounder[REAL_SUM_PARTS];
    for (int p = 0; p < REAL_SUM_PARTS; p++)
        rounder[p] = vector_all(vector_f64, rounders->part[p]);
    for (int k = 0; k < REAL_TILE; k += LANES) {
        vector_f64 rest = vector_load(number + k);
        for (int p = 0; p < REAL_SUM_PARTS; p++) {
            const vector_f64 digit = (rest + rounder[p]) - rounder[p];
            rest -= digit;
            total[p] += digit;
        }
    }
    for (int p = 0; p < REAL_SUM_PARTS; p++) {
        sum[p] = 0;
        for (int lane = 0; lane < LANES; lane++)
            sum[p] += total[p][lane];
    }
}

static bool fit(const double *number, const struct real_columns *columns) {
    int32_t beyond = 0;
    for (int k = 0; k < REAL_TILE; k++)
        beyond |= (number[k] != 0) & (fabs(number[k]) > columns->most[k]);
    return !beyond;
}

static void add_to_columns(const double *number, struct real_columns *columns) {
    for (int k = 0; k < REAL_TILE; k++) {
        double rest = number[k];
        for (int p = 0; p < REAL_SUM_PARTS; p++) {
            const double digit = (rest + columns->rounder[p][k]) - columns->rounder[p][k];
            rest -= digit;
            columns->sum[p][k] += digit;
        }
    }
}

static void reach(const struct real_tile *tile, int32_t *reached, double *farthest) {
    for (int k = 0; k < REAL_TILE; k++) {
        const double value = tile->value[k];
        const double d = value < (double)INFINITY ? value : 0;
        reached[k] += value < (double)INFINITY;
        farthest[k] = d > farthest[k] ? d : farthest[k];
    }
}

static void count(const struct real_tile *tile, struct real_counters *counters) {
    int32_t cell[REAL_TILE];
    for (int k = 0; k < REAL_TILE; k++) {
        const double value = tile->value[k];
        const bool finite = value < (double)INFINITY;
        const double bin = (finite ? value : 0) * counters->factor[0] * counters->factor[1];
        const int32_t whole = (int32_t)bin;
        /* A distance below 0 may vanish in the product; it belongs in the bin below 0. */
        const int32_t below = (whole > bin) | ((value < 0) & (bin == 0));
        cell[k] = finite ? whole - below - counters->first : MEASURES_BINS;
    }
    for (int k = 0; k < REAL_TILE; k += 2) {
        counters->count[0][cell[k]]++;
        counters->count[1][cell[k + 1]]++;
    }
}

const struct real_measures_kernels ISA_SYMBOL(real_measures_kernels) = {
    .read_f32 = read_f32,
    .read_f64 = read_f64,
    .add_up = add_up,
    .fit = fit,
    .add_to_columns = add_to_columns,
    .reach = reach,
    .count = count,
};
