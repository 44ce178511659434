// SPDX-License-Identifier: MIT
/* The formats of results, which programs and the library call by the same names. */
#ifndef COMMON_ROWS_RESULT_FORMAT_H
#define COMMON_ROWS_RESULT_FORMAT_H

#include "common/base/error.h"    // enum status, struct error
#include "common/rows/npy_type.h" // enum npy_type

struct result_format {
    const char *name;
    bool npy;           /* NumPy's files: PREFIX.json and those beside it */
    bool npz;           /* one of these is SciPy's sparse matrix of finite distances */
    bool smallest;      /* distances take the smallest type that holds them */
    bool drops;         /* nothing is written */
    enum npy_type type; /* type of int32 distances, unless the smallest is wanted */
};

/* Finds a format by its name. STATUS_BAD_INPUT, in a line that begins with `what` and lists the
 * names: all of them, or only those of formats that write something. */
enum status result_format_find(const char *what, const char *name, bool may_drop,
                               const struct result_format **format, struct error *err);

/* Stores the type in which a format has distances of a graph, before any is known: those of a real
 * graph are written as they are, long integers with 64 bits unless fewer are asked for.
 * STATUS_BAD_INPUT, in a line that begins with `what`, if the format is for integers only. */
enum status result_format_type(const char *what, const struct result_format *format,
                               const struct graph *g, enum npy_type *type, struct error *err);

#endif
