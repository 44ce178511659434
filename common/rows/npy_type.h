// SPDX-License-Identifier: MIT
/* The types of entries in NumPy files. In memory all distances are int32. */
#ifndef COMMON_ROWS_NPY_TYPE_H
#define COMMON_ROWS_NPY_TYPE_H

#include "common/base/isa.h"     // enum isa
#include "common/graph/matrix.h" // struct matrix

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum npy_type {
    NPY_INT32,   /* predecessors are written so, and distances unless fewer bytes are asked for */
    NPY_UINT8,   /* distances in fewer bytes */
    NPY_UINT16,  /* distances in fewer bytes */
    NPY_INT64,   /* only read: NumPy's integers */
    NPY_FLOAT64, /* only read: SciPy's distances */
    NPY_TYPES,
};

struct npy_type_facts {
    const char *name;        /* NumPy's: "uint16" */
    const char *description; /* in the head of a file: "<u2" */
    size_t size;             /* bytes of an entry */
    /* "No path" in files: the largest number of an unsigned type, otherwise INF. Distances of an
     * unsigned type are in 0 .. no_path - 1. */
    int32_t no_path;
};
extern const struct npy_type_facts npy_types[NPY_TYPES];

/* Finds a type by its description; NPY_TYPES if there is none. */
enum npy_type npy_type_find(const char *description);

/* Whether the type is unsigned, and so for distances only. */
static inline bool npy_type_is_narrow(enum npy_type type) {
    return type == NPY_UINT8 || type == NPY_UINT16;
}

/* Returns the smallest type for distances that holds all numbers in least .. largest. */
enum npy_type npy_type_for(int64_t least, int64_t largest);

/* The same for all distances of a matrix, on up to `threads` threads (0: one per core). */
enum npy_type npy_type_for_matrix(const struct matrix *dist, enum isa isa, int threads);

/* Converts `count` distances to a narrow type. Returns `count`, or the index of the first distance
 * that does not fit; then `to` holds garbage. */
int32_t npy_type_narrow(enum npy_type type, enum isa isa, const int32_t *dist, int32_t count,
                        void *to);

/* Converts `count` entries of a file, whose type is not int32. An infinite distance, and the
 * largest number of an unsigned type, becomes INF. Returns `count`, or the index of the first entry
 * that an int32 cannot hold. */
int32_t npy_type_read(enum npy_type type, const void *from, int32_t count, bool distances,
                      int32_t *to);

#endif
