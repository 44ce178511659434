// SPDX-License-Identifier: MIT
/* The formats of results, which have the same names in programs and in the library. */
#ifndef COMMON_ROWS_RESULT_FORMAT_H
#define COMMON_ROWS_RESULT_FORMAT_H

#include "common/base/error.h"    // enum status, struct error
#include "common/rows/npy_type.h" // enum npy_type

struct result_format {
    const char *name;
    bool npy;           /* NumPy files: PREFIX.json and the files that belong to it */
    bool npz;           /* the matrix is SciPy's sparse matrix of finite distances */
    bool smallest;      /* distances take the smallest type that holds them */
    bool drops;         /* the format stands for no files: nothing is written */
    enum npy_type type; /* type of int32 distances, unless the smallest is wanted */
};

/* Returns whether distances may be written with fewer bytes than they have, which only integers
 * can. */
static inline bool result_format_narrows(const struct result_format *format) {
    return format->smallest || npy_type_is_narrow(format->type);
}

/* Finds a format by its name. may_drop: formats that write nothing are allowed. STATUS_BAD_INPUT,
 * with a message that begins with `what` and lists the allowed names, if there is none. */
enum status result_format_find(const char *what, const char *name, bool may_drop,
                               const struct result_format **format, struct error *err);

/* Stores the type in which a format has distances of a graph, before any distance is known. Those
 * of a real graph keep their type; long integers take 64 bits unless fewer are asked for.
 * STATUS_BAD_INPUT, with a message that begins with `what`, if the format is for integers only. */
enum status result_format_type(const char *what, const struct result_format *format,
                               const struct graph *g, enum npy_type *type, struct error *err);

#endif
