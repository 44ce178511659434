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
    bool drops;         /* the format stands for no files: nothing is written */
    enum npy_type type; /* type of int32 distances, unless the smallest is wanted */
};

/* Returns whether distances may take fewer bytes than as they are, which only integers can. */
static inline bool result_format_narrows(const struct result_format *format) {
    return format->smallest || npy_type_is_narrow(format->type);
}

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
