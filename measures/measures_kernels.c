// SPDX-License-Identifier: MIT
/* The kernels of measures_kernels.h for one instruction set (isa.h). Loops over integers are left
 * to the compiler, which may reorder their sums; those of doubles say where each lane goes. */
#include "measures/measures_kernels.h"

#include "measures/reciprocals.h" // reciprocals

#include <string.h>

enum { LANES = RECIPROCAL_LANES };

static inline void add_at(double *column, vector_f64 lanes) {
    vector_f64 sum;
    memcpy(&sum, column, sizeof sum);
    sum += lanes;
    memcpy(column, &sum, sizeof sum);
}

static inline double sum_of(vector_f64 lanes) {
    double sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    return sum;
}

static void add_distances(const int32_t *dist, int32_t width, struct tile_row *row,
                          struct tile_columns *columns) {
    /* Adds the low and the high 16 bits separately: over a tile, each sum fits in 32 bits. */
    int32_t low = 0, high = 0, reached = 0, farthest = 0, least = 0;
    for (int32_t k = 0; k < width; k++) {
        const int32_t finite = -(dist[k] != INF), d = dist[k] & finite;
        low += d & 0xffff;
        high += d >> 16;
        reached -= finite;
        farthest = d > farthest ? d : farthest;
        least = d < least ? d : least;
    }
    row->sum = (int64_t)high * (1 << 16) + low;
    row->reached = reached;
    row->farthest = farthest;
    row->least = least;
    for (int32_t k = 0; k < width && columns != NULL; k++) {
        const int32_t finite = -(dist[k] != INF), d = dist[k] & finite;
        columns->sum[k] += d;
        columns->reached[k] -= finite;
        columns->farthest[k] = d > columns->farthest[k] ? d : columns->farthest[k];
    }
}

static inline void add_reciprocals_to(const int32_t *dist, int32_t width, struct tile_row *row,
                                      struct tile_columns *columns,
                                      struct tile_counters *counters) {
    const int32_t shift = counters->shift, first = counters->first;
    vector_f64 high = {0}, low = {0};
    uint16_t cell[MEASURES_TILE];
    for (int32_t k = 0; k < width; k++)
        cell[k] = (uint16_t)(dist[k] == INF ? MEASURES_BINS : (dist[k] >> shift) - first);
    for (int32_t k = 0; k < width; k += LANES) {
        vector_f64 h, l;
        reciprocals(dist + k, &h, &l);
        UNROLLED
        for (int lane = 0; lane < LANES; lane++)
            counters->count[lane % MEASURES_COUNTERS][cell[k + lane]]++;
        high += h;
        low += l;
        if (columns != NULL) {
            add_at(columns->high + k, h);
            add_at(columns->low + k, l);
        }
    }
    row->high = sum_of(high);
    row->low = sum_of(low);
}

static void add_reciprocals(const int32_t *dist, int32_t width, struct tile_row *row,
                            struct tile_columns *columns, struct tile_counters *counters) {
    if (columns != NULL)
        add_reciprocals_to(dist, width, row, columns, counters);
    else
        add_reciprocals_to(dist, width, row, NULL, counters);
}

const struct measures_kernels ISA_SYMBOL(measures_kernels) = {
    .add_distances = add_distances,
    .add_reciprocals = add_reciprocals,
};
