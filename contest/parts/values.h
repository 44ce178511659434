// SPDX-License-Identifier: MIT
/* A vector of numbers of one type: read from a file, drawn at random, or computed; and written. */
#ifndef CONTEST_PARTS_VALUES_H
#define CONTEST_PARTS_VALUES_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_type { VALUE_INT32, VALUE_INT64, VALUE_FLOAT32 };

/* Facts that are the same for all values of a type. */
struct value_type_facts {
    const char *name;        /* NumPy's name: "int32" */
    const char *description; /* NumPy's description in the head of a .npy file: "<i4" */
    size_t size;             /* bytes of a number */
};
extern const struct value_type_facts value_types[];

/* A vector of numbers. A zeroed struct has none. */
struct values {
    enum value_type type;
    int64_t count;
    void *entries; /* `count` numbers, from memory_alloc */
};

/* Allocates `count` entries, uninitialised. The caller frees with values_free. STATUS_NO_RESOURCE
 * names `what`. */
enum status values_alloc(struct values *values, enum value_type type, int64_t count,
                         const char *what, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void values_free(struct values *values);

/* Reads a vector of int32 or float32 with 1 .. most entries: a .npy file of one dimension, or text,
 * plain or gzip-compressed: the count, then so many numbers, with any blanks and line feeds between
 * them. "-" is standard input, which must be text. Floats may be inf or nan. STATUS_BAD_INPUT names
 * the line, what was expected and what was found. The caller frees with values_free, also after a
 * failure. */
enum status values_read(struct values *values, const char *path, enum value_type type, int64_t most,
                        struct error *err);

/* A description of random values: integers of lowest .. highest, or floats between them. Entry k is
 * a function of seed and k, the same on every machine and for any number of threads. */
struct random_values {
    int64_t count;
    uint64_t seed;
    double lowest, highest; /* range of the values; both ends are integers if the type is int32 */
};

/* Draws random values of int32 or float32. The caller frees with values_free. */
enum status values_draw(struct values *values, enum value_type type,
                        const struct random_values *how, struct error *err);

/* Writes the vector as .npy or as text that values_read reads (floats with the nine digits that
 * tell them apart). The errors are those of output.h. */
enum status values_write(const struct values *values, const char *path, bool npy,
                         struct error *err);

#endif
