// SPDX-License-Identifier: MIT
/* Vector kernels for distances with path counts, one lane for each row (class_flows.h, counted.h).
 * Alternative paths keep the smaller distance and add the path counts of equal distances. Paths in
 * sequence add distances and multiply path counts. */
#ifndef FLOWS_FLOW_KERNELS_H
#define FLOWS_FLOW_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS

#include <stddef.h>
#include <stdint.h>

/* Number of rows that are found together, and number of partial sums over these rows. */
enum { FLOW_LANES = 16, FLOW_SUMS = 8 };

/* Index at which the labels of a local number begin: LANES distances (infinite: no path), then
 * LANES path counts (0: no path). Labels are 64-byte aligned. */
#define FLOW_AT(number) ((ptrdiff_t)(number)*2 * FLOW_LANES)

/* A region of classes (classes/regions.h), or a block or the top of sweeps (swept_flows.c). The
 * entries of own position i are first[position[i]] .. first[position[i] + 1] - 1; they lead from it
 * up to the local number local[e] and back down. */
struct flow_region {
    int32_t own;
    const int32_t *position;
    const int64_t *first;
    const int32_t *local;
    const double *up, *up_paths, *down, *down_paths;
};

/* Positions that climb: sources and all positions above them. */
struct flow_climb {
    size_t count;            /* number of these positions */
    const int32_t *position; /* by rank, count entries: position, ascending */
    const int32_t *rank;     /* by position: number among those that climb */
    const int64_t *first;    /* entries as in struct flow_region */
    const int32_t *higher;   /* by entry: the position that it leads up to */
    const double *up;        /* by entry: length of the way up */
    const double *up_paths;  /* by entry: path count of the way up */
};

/* Keys of LANES rows at a boundary of `width` vertices: the distances minus the row's least
 * distance, then the path counts divided by that of the first vertex at the least distance. Rows of
 * a class have equal keys. */
struct flow_keys {
    _Alignas(64) double nearest[FLOW_LANES]; /* least distance of each row; infinite: no path */
    _Alignas(64) uint64_t hash[FLOW_LANES];  /* hashes of the keys */
    double *row;                             /* FLOW_LANES keys of 2 * width cells, consecutive */
};

/* Consecutive entries of one position in one direction. */
struct flow_entries {
    const double *length, *paths;
};

struct flow_kernels {
    /* Relaxes the entries up from own positions, the lowest first. */
    void (*up)(const struct flow_region *r, double *label);
    /* Relaxes the entries down to own positions, the highest first. */
    void (*lower)(const struct flow_region *r, double *label);
    /* Does as `lower`, but ignores the labels that own positions had before. */
    void (*down)(const struct flow_region *r, double *label);
    /* Multiplies labels by a matrix: sets label c < columns to the alternatives over k < count of
     * label k of `from` followed by column c of the matrix's row number[k]. A row of the matrix has
     * `pitch` distances, then `pitch` path counts. */
    void (*multiply)(const double *from, const int32_t *number, int32_t count, const double *matrix,
                     int32_t pitch, int32_t columns, double *label);
    /* Makes the keys of the labels number[0 .. width - 1]. */
    void (*make_keys)(const double *label, const int32_t *number, int32_t width,
                      struct flow_keys *keys);
    /* Passes the flow of own positions, the lowest first, to higher positions along tight entries,
     * in proportion to path counts. flow[number * FLOW_LANES + lane]: flow at a local number. Adds
     * times[lane] times the flow down each entry to the entry's FLOW_SUMS sums, which are in the
     * order of own positions. */
    void (*back)(const struct flow_region *r, const double *label, const double *times,
                 double *flow, double *sums);
    /* Does as `down`, but keeps the labels of own positions with rank[position] >= 0 as
     * alternatives. */
    void (*sweep)(const struct flow_region *r, const int32_t *rank, double *label);
    /* Sets the flow of each lane at own position i to to_mass[position[i]] if the lane has a path
     * to it, otherwise to 0. */
    void (*want)(const struct flow_region *r, const double *to_mass, const double *label,
                 double *flow);
    /* Adds times[lane] times the flow at each own position i to ends[at[i]], and the flow of each
     * lane at all own positions to sent[lane]. */
    void (*ask)(int32_t own, const int32_t *at, const double *flow, const double *times,
                double *ends, double *sent);
    /* Does as `back`, but adds to sums[e], the one sum of entry e. */
    void (*sweep_back)(const struct flow_region *r, const double *label, const double *times,
                       double *flow, double *sums);
    /* Relaxes the entries up from all positions that climb. */
    void (*climb)(const struct flow_climb *c, double *climbed);
    /* Passes flow that has climbed to a position back down the entries that it has climbed, and
     * adds times[lane] times the flow up each entry e to sums[e]. climbed: the labels that `climb`
     * has found; label, flow: by rank, the final label of a position and the flow through it.
     * Changes flow. */
    void (*climb_back)(const struct flow_climb *c, const double *climbed, const double *label,
                       const double *times, double *flow, double *sums);
    /* Adds first_paths * second.paths[z] to paths[z] where first + second.length[z] is length[z],
     * for z < count. */
    void (*count)(const double *length, double *paths, double first, double first_paths,
                  struct flow_entries second, int32_t count);
    /* Passes whole_flow[z] on where first + second.length[z] is whole.length[z]: adds the share
     * that first_paths * second.paths[z] has in whole.paths[z] to flow[z]. Returns the sum of all
     * that it has added. */
    double (*share)(struct flow_entries whole, const double *whole_flow, double first,
                    double first_paths, struct flow_entries second, double *flow, int32_t count);
};

ISA_KERNELS(flow_kernels);

#endif
