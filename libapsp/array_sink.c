// SPDX-License-Identifier: MIT
#include "libapsp/array_sink.h"

#include "common/graph/graph.h"   // INF
#include "common/rows/npy_type.h" // npy_types
#include "libapsp/objects.h"      // check_range
#include "libapsp/structs.h"      // struct_take

#include <float.h>
#include <math.h>

enum { NO_PATH_UINT16 = UINT16_MAX };

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err);

enum status array_sink_make(struct array_sink *arrays, const apsp_arrays *to, struct error *err) {
    *arrays = (struct array_sink){.sink = {.take = take}, .to = APSP_ARRAYS_INIT};
    RETURN_ON_FAILURE(struct_take(&arrays->to, sizeof arrays->to,
                                  SIZE_UP_TO(apsp_arrays, no_predecessor), to, "apsp_arrays", err));
    RETURN_ON_FAILURE(check_range("type", (int)arrays->to.type, APSP_INT32, APSP_INT64, err));
    if (arrays->to.distances == NULL)
        return fail(err, STATUS_BAD_INPUT, "apsp_arrays: expected distances, found NULL");
    if (isnan(arrays->to.divisor) || isnan(arrays->to.limit))
        return fail(err, STATUS_BAD_INPUT, "apsp_arrays: expected numbers, found NaN");
    if (arrays->to.divisor == 0)
        arrays->to.divisor = 1;
    return STATUS_OK;
}

enum status array_sink_check(const struct array_sink *arrays, enum number_type type, int32_t n,
                             bool with_pred, struct error *err) {
    const apsp_arrays *const to = &arrays->to;
    const bool to_integers = to->type == APSP_INT32 || to->type == APSP_UINT16;
    if (to->leading < (size_t)n)
        return fail(err, STATUS_BAD_INPUT, "apsp_arrays: leading: expected %d or more, found %zu",
                    n, to->leading);
    const bool to_long = to->type == APSP_INT64;
    if ((to_integers && (type != NUMBER_INT32 || to->divisor != 1)) ||
        (to_long && (type == NUMBER_FLOAT32 || to->divisor != 1)))
        return fail(err, STATUS_BAD_INPUT,
                    "apsp_arrays: expected float or double for distances that are no integers");
    if (to->predecessors != NULL && !with_pred)
        return fail(err, STATUS_BAD_INPUT,
                    "apsp_arrays: expected options that do not ask for distances only");
    return STATUS_OK;
}

/* Stores n distances d of type FROM as numbers of type TO: NONE where FAR is true, otherwise
 * VALUE. */
#define STORE(FROM, TO, FAR, VALUE, NONE)                                                          \
    do {                                                                                           \
        const FROM *const from = cells;                                                            \
        TO *const into = (TO *)to->distances + at;                                                 \
        for (int32_t v = 0; v < n; v++) {                                                          \
            const FROM d = from[v];                                                                \
            into[v] = (FAR) ? (NONE) : (TO)(VALUE);                                                \
        }                                                                                          \
    } while (0)

/* Like STORE for numbers of type float; sets `beyond` if one of them is too large for it. */
#define STORE_FLOAT(FROM, FAR)                                                                     \
    do {                                                                                           \
        const FROM *const from = cells;                                                            \
        float *const into = (float *)to->distances + at;                                           \
        for (int32_t v = 0; v < n; v++) {                                                          \
            const FROM d = from[v];                                                                \
            const double value = (FAR) ? 0 : (double)d / divisor;                                  \
            beyond |= (fabs(value) > FLT_MAX) & (fabs(value) <= DBL_MAX);                          \
            into[v] = (FAR) ? INFINITY : (float)value;                                             \
        }                                                                                          \
    } while (0)

static enum status store_uint16(const apsp_arrays *to, size_t at, const int32_t *from, int32_t n,
                                double limit, struct error *err) {
    uint16_t *const into = (uint16_t *)to->distances + at;
    for (int32_t v = 0; v < n; v++) {
        if (from[v] != INF && (from[v] < 0 || from[v] >= NO_PATH_UINT16))
            return fail(err, STATUS_BAD_INPUT,
                        "dtype: expected distances in 0 .. %d for uint16, found %d",
                        NO_PATH_UINT16 - 1, from[v]);
        into[v] = from[v] > limit ? NO_PATH_UINT16 : (uint16_t)from[v];
    }
    return STATUS_OK;
}

/* Stores a distance of int32 or float64 as int64. */
static enum status store_int64(const apsp_arrays *to, size_t at, enum number_type type,
                               const void *cells, int32_t n, double limit, struct error *err) {
    const int64_t no_path = npy_types[NPY_INT64].no_path;
    int64_t *const into = (int64_t *)to->distances + at;
    for (int32_t v = 0; v < n; v++) {
        const double d = number_at(type, cells, v);
        if (d > limit || isinf(d)) {
            into[v] = no_path;
            continue;
        }
        if (!(fabs(d) < INTEGERS_MOST) || d != trunc(d))
            return fail(err, STATUS_BAD_INPUT,
                        "dtype: expected integers below 2^53 for int64, found %.17g", d);
        into[v] = (int64_t)d;
    }
    return STATUS_OK;
}

static enum status store_distances(const apsp_arrays *to, size_t at, enum number_type type,
                                   const void *cells, int32_t n, struct error *err) {
    const double divisor = to->divisor;
    const double none = type == NUMBER_INT32 ? INF - 1.0 : (double)INFINITY;
    const double limit = to->limit < 0 || to->limit > none ? none : to->limit;
    const int32_t most = type == NUMBER_INT32 ? (int32_t)limit : 0;
    int beyond = 0; /* 1: a distance is too large for float */
    if (to->type == APSP_UINT16)
        return store_uint16(to, at, cells, n, limit, err);
    if (to->type == APSP_INT64)
        return store_int64(to, at, type, cells, n, limit, err);
    if (to->type == APSP_INT32)
        STORE(int32_t, int32_t, d > most, d, INF);
    else if (to->type == APSP_FLOAT32 && type == NUMBER_INT32 && divisor == 1)
        STORE(int32_t, float, d > most, d, INFINITY);
    else if (to->type == APSP_FLOAT32 && type == NUMBER_INT32)
        STORE_FLOAT(int32_t, d > most);
    else if (to->type == APSP_FLOAT32 && type == NUMBER_FLOAT32)
        STORE_FLOAT(float, (double)d > limit);
    else if (to->type == APSP_FLOAT32)
        STORE_FLOAT(double, d > limit);
    else if (type == NUMBER_INT32 && divisor == 1)
        STORE(int32_t, double, d > most, d, (double)INFINITY);
    else if (type == NUMBER_INT32)
        STORE(int32_t, double, d > most, d / divisor, (double)INFINITY);
    else if (type == NUMBER_FLOAT32)
        STORE(float, double, (double)d > limit, (double)d / divisor, (double)INFINITY);
    else
        STORE(double, double, d > limit, d / divisor, (double)INFINITY);
    for (int32_t v = 0; v < n && beyond != 0; v++) {
        const double d = number_at(type, cells, v), value = d / divisor;
        if (d <= limit && fabs(value) > FLT_MAX && fabs(value) <= DBL_MAX)
            return fail(err, STATUS_BAD_INPUT,
                        "dtype: expected distances up to %g for float32, found %g", (double)FLT_MAX,
                        value);
    }
    return STATUS_OK;
}

/* Stores a row of predecessors: none where the distance is beyond the limit. */
static void store_predecessors(const apsp_arrays *to, size_t at, enum number_type type,
                               const void *cells, const int32_t *pred, int32_t n) {
    int32_t *const into = to->predecessors + at;
    for (int32_t v = 0; v < n; v++)
        into[v] = pred[v] < 0 ? to->no_predecessor : pred[v];
    for (int32_t v = 0; v < n && to->limit >= 0; v++) {
        if (number_at(type, cells, v) > to->limit)
            into[v] = to->no_predecessor;
    }
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const apsp_arrays *const to = &((const struct array_sink *)self)->to;
    for (int32_t r = 0; r < block->count; r++) {
        const size_t at = (size_t)block->position[r] * to->leading;
        const void *const cells = block->cells[r];
        RETURN_ON_FAILURE(store_distances(to, at, block->type, cells, block->n, err));
        if (to->predecessors != NULL)
            store_predecessors(to, at, block->type, cells, block->pred[r], block->n);
    }
    return STATUS_OK;
}
