// SPDX-License-Identifier: MIT
/* The types of entries in NumPy files. */
#ifndef COMMON_ROWS_NPY_TYPE_H
#define COMMON_ROWS_NPY_TYPE_H

#include "common/base/isa.h"     // enum isa
#include "common/graph/graph.h"  // struct graph
#include "common/graph/matrix.h" // struct matrix

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum npy_type {
    /* predecessors, and int32 distances unless fewer bytes are asked for */
    NPY_INT32,
    NPY_UINT8,   /* integral distances in fewer bytes */
    NPY_UINT16,  /* integral distances in fewer bytes */
    NPY_INT64,   /* distances of an integral graph of float64; NumPy's integers */
    NPY_FLOAT32, /* distances of that type */
    /* distances of that type; SciPy writes it for all distances, so distances of any type are read
       from it */
    NPY_FLOAT64,
    NPY_TYPES,
};

struct npy_type_facts {
    const char *name;        /* NumPy's name: "uint16" */
    const char *description; /* description in the head of a file: "<u2" */
    size_t size;             /* bytes of an entry */
    /* The entry for no path in integer files: the largest number of an unsigned type, half of it
     * for a signed type, so that the sum of two fits. In real types no path is infinite. Distances
     * in an unsigned type are in 0 .. no_path - 1. */
    int64_t no_path;
};
extern const struct npy_type_facts npy_types[NPY_TYPES];

/* Finds a type by its description; NPY_TYPES if there is none. */
enum npy_type npy_type_find(const char *description);

/* Returns whether the type is unsigned, and so for distances only. */
static inline bool npy_type_is_narrow(enum npy_type type) {
    return type == NPY_UINT8 || type == NPY_UINT16;
}

/* Returns whether the type is a real one. */
static inline bool npy_type_is_real(enum npy_type type) {
    return type == NPY_FLOAT32 || type == NPY_FLOAT64;
}

/* Returns the type in which numbers of that type are written unchanged. */
enum npy_type npy_type_of(enum number_type type);

/* Returns the type in which distances of a graph are written unless fewer bytes are asked for. */
enum npy_type npy_type_of_graph(const struct graph *g);

/* Returns whether distances of type `from` are converted before they are written. */
static inline bool npy_type_converts(enum npy_type type, enum number_type from) {
    return npy_type_is_narrow(type) || type == NPY_INT64 ||
           (type == NPY_INT32 && from != NUMBER_INT32);
}

/* Returns the smallest type for distances that holds all integers in least .. largest. */
enum npy_type npy_type_for(int64_t least, int64_t largest);

/* Returns the smallest type for all distances of a matrix of int32 or of float64 with integers
 * below 2^53, on up to `threads` threads (0: one per core). */
enum npy_type npy_type_for_matrix(const struct matrix *dist, enum isa isa, int threads);

/* Converts `count` distances: of int32 to a narrow type, or integers of float64 to int64, int32 or
 * a narrow type. In the second case `to` may be the same memory. Returns `count`, or the index of
 * the first distance that does not fit; then `to` contains garbage. */
int32_t npy_type_convert(enum npy_type type, enum isa isa, enum number_type from, const void *dist,
                         int32_t count, void *to);

/* Converts `count` entries of a file to numbers of another type. An infinite distance, or the
 * largest number of an unsigned type, becomes the number for no path. Returns `count`, or the index
 * of the first entry that the type cannot hold. */
int32_t npy_type_read(enum npy_type type, const void *from, int32_t count, bool distances,
                      enum number_type to_type, void *to);

#endif
