// SPDX-License-Identifier: MIT
/* A sink that stores rows in arrays of the caller, whatever numbers those are made of. */
#ifndef LIBAPSP_ARRAY_SINK_H
#define LIBAPSP_ARRAY_SINK_H

#include "common/graph/row_block.h" // struct row_sink
#include "libapsp/apsp.h"           // apsp_arrays

struct array_sink {
    struct row_sink sink; /* the first member */
    apsp_arrays to;
};

/* STATUS_BAD_INPUT if the arrays are not as apsp.h says. */
enum status array_sink_make(struct array_sink *arrays, const apsp_arrays *to, struct error *err);

/* STATUS_BAD_INPUT if the arrays cannot take rows of n distances of a type. */
enum status array_sink_check(const struct array_sink *arrays, enum number_type type, int32_t n,
                             bool with_pred, struct error *err);

#endif
