// SPDX-License-Identifier: MIT
/* What class_flows.c and counted.c do with pairs of a distance and a number of shortest paths, a
 * vector lane for each row. Of two ways the shorter one counts, and of equal ones both; ways one
 * after the other add distances and multiply numbers. */
#ifndef FLOWS_FLOW_KERNELS_H
#define FLOWS_FLOW_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS

#include <stdint.h>

/* Rows that are found together. Sums over them are kept in FLOW_SUMS parts. */
enum { FLOW_LANES = 16, FLOW_SUMS = 8 };

/* Labels of a number: the distances of all lanes, infinite if there is no path, then the numbers of
 * paths, 0 if there is none. 64-byte aligned. */
#define FLOW_AT(number) ((ptrdiff_t)(number)*2 * FLOW_LANES)

/* A region (classes/regions.h). The entries of own position i are first[position[i]] ..
 * first[position[i] + 1] - 1; they lead from it up to the local number local[e] and back down. */
struct flow_region {
    int32_t own;
    const int32_t *position;
    const int64_t *first;
    const int32_t *local;
    const double *up, *up_paths, *down, *down_paths;
};

/* Of each lane: its labels at a boundary relative to the first of the nearest ones, in a row of
 * `width` distances and `width` numbers of paths. */
struct flow_keys {
    _Alignas(64) double nearest[FLOW_LANES]; /* distance; infinite if there is no path */
    _Alignas(64) uint64_t hash[FLOW_LANES];  /* of the row */
    double *row;                             /* FLOW_LANES rows one after the other */
};

/* Entries of one position beside those of another one that they are joined to, one after the other.
 */
struct flow_entries {
    const double *length, *paths;
};

struct flow_kernels {
    /* Takes the paths up from own positions into the labels. */
    void (*up)(const struct flow_region *r, double *label);
    /* Takes the paths down to own positions into their labels. */
    void (*lower)(const struct flow_region *r, double *label);
    /* Finds the labels of own positions, whatever they were, by the paths down to them. */
    void (*down)(const struct flow_region *r, double *label);
    /* Finds label c < columns by the ways over k < count from label k of `from` on along the pair
     * in column c of row number[k] of a matrix, whose rows have `pitch` distances and as many
     * numbers. */
    void (*multiply)(const double *from, const int32_t *number, int32_t count, const double *matrix,
                     int32_t pitch, int32_t columns, double *label);
    /* Makes keys of the labels number[0 .. width - 1]. */
    void (*make_keys)(const double *label, const int32_t *number, int32_t width,
                      struct flow_keys *keys);
    /* Hands flow[number * FLOW_LANES + lane] of own positions up along the paths down to them, by
     * their numbers, and adds times[lane] as much to sums of entries, in the order of positions. */
    void (*back)(const struct flow_region *r, const double *label, const double *times,
                 double *flow, double *sums);
    /* Adds to numbers of paths, of length to.length, those that lead along `first` and then along
     * each of `second` and have this length. */
    void (*count)(const double *length, double *paths, double first, double first_paths,
                  struct flow_entries second, int32_t count);
    /* Hands flows of entries on to those ways by their share; adds to `flow` of the second parts,
     * and returns the flow of the first part. */
    double (*share)(struct flow_entries whole, const double *whole_flow, double first,
                    double first_paths, struct flow_entries second, double *flow, int32_t count);
};

ISA_KERNELS(flow_kernels);

#endif
