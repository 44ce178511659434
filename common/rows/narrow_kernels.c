// SPDX-License-Identifier: MIT
/* The kernels of narrow_kernels.h for one instruction set (isa.h). The loops have no branches, so
 * that the compiler vectorises them. A distance d >= 0 fits if d + 1, too, has no bit beyond the
 * type's. */
#include "common/rows/narrow_kernels.h"

#include "common/graph/graph.h" // INF

static bool to_uint8(const int32_t *restrict dist, size_t count, uint8_t *restrict to) {
    uint32_t bits = 0;
    for (size_t j = 0; j < count; j++) {
        const uint32_t d = (uint32_t)dist[j], no_path = -(uint32_t)(d == INF);
        bits |= (d | (d + 1)) & ~no_path;
        to[j] = (uint8_t)(d | no_path);
    }
    return bits <= UINT8_MAX;
}

static bool to_uint16(const int32_t *restrict dist, size_t count, uint16_t *restrict to) {
    uint32_t bits = 0;
    for (size_t j = 0; j < count; j++) {
        const uint32_t d = (uint32_t)dist[j], no_path = -(uint32_t)(d == INF);
        bits |= (d | (d + 1)) & ~no_path;
        to[j] = (uint16_t)(d | no_path);
    }
    return bits <= UINT16_MAX;
}

static void extend(const int32_t *dist, size_t count, int32_t *least, int32_t *largest) {
    int32_t low = *least, high = *largest;
    for (size_t j = 0; j < count; j++) {
        const int32_t d = dist[j] == INF ? 0 : dist[j];
        low = d < low ? d : low;
        high = d > high ? d : high;
    }
    *least = low;
    *largest = high;
}

const struct narrow_kernels ISA_SYMBOL(narrow_kernels) = {
    .to_uint8 = to_uint8,
    .to_uint16 = to_uint16,
    .extend = extend,
};
