// SPDX-License-Identifier: MIT
#include "common/rows/npy_type.h"

#include "common/base/threads.h" // threads_worth
#include "common/graph/graph.h"  // INF
#include "common/rows/narrow_kernels.h"

#include <math.h>
#include <string.h>

/* Larger integers may not be representable as doubles. */
#define MAX_EXACT (INT64_C(1) << 53)

/* Entry for no path among integers of 64 bits. */
#define INF_INT64 (INT64_MAX / 2)

const struct npy_type_facts npy_types[NPY_TYPES] = {
    [NPY_INT32] = {"int32", "<i4", sizeof(int32_t), INF},
    [NPY_UINT8] = {"uint8", "|u1", sizeof(uint8_t), UINT8_MAX},
    [NPY_UINT16] = {"uint16", "<u2", sizeof(uint16_t), UINT16_MAX},
    [NPY_INT64] = {INT64_NAME, "<i8", sizeof(int64_t), INF_INT64},
    [NPY_FLOAT32] = {"float32", "<f4", sizeof(float), INF},
    [NPY_FLOAT64] = {"float64", "<f8", sizeof(double), INF},
};

enum npy_type npy_type_find(const char *description) {
    enum npy_type type = 0;
    while (type < NPY_TYPES && strcmp(npy_types[type].description, description) != 0)
        type++;
    return type;
}

enum npy_type npy_type_of(enum number_type type) {
    static const enum npy_type types[NUMBER_TYPES] = {NPY_INT32, NPY_FLOAT32, NPY_FLOAT64};
    return types[type];
}

enum npy_type npy_type_of_graph(const struct graph *g) {
    return g->integral ? NPY_INT64 : npy_type_of(g->type);
}

enum npy_type npy_type_for(int64_t least, int64_t largest) {
    return least <= -INF || largest >= INF                         ? NPY_INT64
           : least < 0 || largest >= npy_types[NPY_UINT16].no_path ? NPY_INT32
           : largest >= npy_types[NPY_UINT8].no_path               ? NPY_UINT16
                                                                   : NPY_UINT8;
}

/* Does what npy_type_for_matrix does for float64. */
static enum npy_type type_for_reals(const struct matrix *dist, int threads) {
    double least = 0, largest = 0;
#pragma omp parallel for num_threads(threads) reduction(min : least) reduction(max : largest)
    for (int32_t i = 0; i < dist->rows; i++) {
        const double *const row = matrix_row_cells(dist, i);
        for (int32_t j = 0; j < dist->n; j++) {
            const double finite = row[j] < HUGE_VAL ? row[j] : 0;
            least = finite < least ? finite : least;
            largest = finite > largest ? finite : largest;
        }
    }
    return npy_type_for((int64_t)least, (int64_t)largest);
}

enum npy_type npy_type_for_matrix(const struct matrix *dist, enum isa isa, int threads) {
    const struct narrow_kernels *const kernels = narrow_kernels(isa);
    int32_t least = 0, largest = 0;
    threads = threads_worth(threads, (double)dist->rows * dist->n);
    if (dist->type == NUMBER_FLOAT64)
        return type_for_reals(dist, threads);
#pragma omp parallel for num_threads(threads) reduction(min : least) reduction(max : largest)
    for (int32_t i = 0; i < dist->rows; i++)
        kernels->extend(matrix_row(dist, i), (size_t)dist->n, &least, &largest);
    return npy_type_for(least, largest);
}

/* Returns the index of the first distance that does not fit. */
static int32_t find_misfit(int64_t no_path, const int32_t *dist, int32_t count) {
    int32_t j = 0;
    while (j < count && (dist[j] == INF || (dist[j] >= 0 && dist[j] < no_path)))
        j++;
    return j;
}

/* Converts distances of float64. Cells are copied one by one, because both arrays may be the same
 * memory. */
static int32_t to_integers(enum npy_type type, const char *dist, int32_t count, char *to) {
    const struct npy_type_facts *const facts = &npy_types[type];
    const double above = type == NPY_INT64 ? INTEGERS_MOST : (double)facts->no_path;
    const double below = npy_type_is_narrow(type) ? -1 : -above;
    for (int32_t j = 0; j < count; j++) {
        double real;
        memcpy(&real, dist + (size_t)j * sizeof real, sizeof real);
        const bool is_integer = real > below && real < above && real == trunc(real);
        if (!is_integer && !(isinf(real) && real > 0))
            return j;
        /* The lower bytes, which come first, are also those of the narrower types. */
        const int64_t integer = is_integer ? (int64_t)real : facts->no_path;
        memcpy(to + (size_t)j * facts->size, &integer, facts->size);
    }
    return count;
}

int32_t npy_type_convert(enum npy_type type, enum isa isa, enum number_type from, const void *dist,
                         int32_t count, void *to) {
    if (from != NUMBER_INT32)
        return to_integers(type, dist, count, to);
    const struct narrow_kernels *const kernels = narrow_kernels(isa);
    const bool fits = type == NPY_UINT8 ? kernels->to_uint8(dist, (size_t)count, to)
                                        : kernels->to_uint16(dist, (size_t)count, to);
    return fits ? count : find_misfit(npy_types[type].no_path, dist, count);
}

static void read_uint8(const uint8_t *from, int32_t count, int32_t *dist) {
    for (int32_t j = 0; j < count; j++)
        dist[j] = from[j] == UINT8_MAX ? INF : from[j];
}

static void read_uint16(const uint16_t *from, int32_t count, int32_t *dist) {
    for (int32_t j = 0; j < count; j++)
        dist[j] = from[j] == UINT16_MAX ? INF : from[j];
}

static int32_t read_int64(const int64_t *from, int32_t count, bool distances, int32_t *to) {
    for (int32_t j = 0; j < count; j++) {
        if (distances && from[j] == INF_INT64)
            to[j] = INF;
        else if (from[j] >= INT32_MIN && from[j] <= INT32_MAX)
            to[j] = (int32_t)from[j];
        else
            return j;
    }
    return count;
}

/* Returns entry j of a real type, which fits in a double. */
static double real_entry(enum npy_type type, const void *from, int32_t j) {
    return number_at(type == NPY_FLOAT32 ? NUMBER_FLOAT32 : NUMBER_FLOAT64, from, j);
}

static int32_t read_integers(enum npy_type type, const void *from, int32_t count, bool distances,
                             int32_t *to) {
    for (int32_t j = 0; j < count; j++) {
        const double entry = real_entry(type, from, j);
        if (distances && isinf(entry) && entry > 0)
            to[j] = INF;
        else if (entry >= INT32_MIN && entry <= INT32_MAX && entry == trunc(entry))
            to[j] = (int32_t)entry;
        else
            return j;
    }
    return count;
}

/* Stores entry j of any type as a distance; returns false if no double can represent it. */
static bool take_distance(enum npy_type type, const void *from, int32_t j, double *entry) {
    const int64_t no_path = npy_types[type].no_path;
    int64_t integer;
    if (npy_type_is_real(type)) {
        *entry = real_entry(type, from, j);
        return true;
    }
    integer = type == NPY_INT64    ? ((const int64_t *)from)[j]
              : type == NPY_INT32  ? ((const int32_t *)from)[j]
              : type == NPY_UINT16 ? ((const uint16_t *)from)[j]
                                   : ((const uint8_t *)from)[j];
    *entry = integer == no_path ? INFINITY : (double)integer;
    return integer == no_path || (integer >= -MAX_EXACT && integer <= MAX_EXACT);
}

static int32_t read_distances(enum npy_type type, const void *from, int32_t count,
                              enum number_type to_type, void *to) {
    for (int32_t j = 0; j < count; j++) {
        double entry;
        if (!take_distance(type, from, j, &entry))
            return j;
        if (to_type == NUMBER_FLOAT64) {
            ((double *)to)[j] = entry;
            continue;
        }
        const float narrow = (float)entry;
        if ((double)narrow != entry && !isnan(entry))
            return j;
        ((float *)to)[j] = narrow;
    }
    return count;
}

int32_t npy_type_read(enum npy_type type, const void *from, int32_t count, bool distances,
                      enum number_type to_type, void *to) {
    if (type == npy_type_of(to_type))
        memcpy(to, from, (size_t)count * npy_types[type].size);
    else if (to_type != NUMBER_INT32)
        return read_distances(type, from, count, to_type, to);
    else if (type == NPY_INT64)
        return read_int64(from, count, distances, to);
    else if (npy_type_is_real(type))
        return read_integers(type, from, count, distances, to);
    else if (type == NPY_UINT8)
        read_uint8(from, count, to);
    else
        read_uint16(from, count, to);
    return count;
}
