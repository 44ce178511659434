// SPDX-License-Identifier: MIT
/* The kernels of check_kernels.h for one instruction set (isa.h). */
#include "common/certificate/check_kernels.h"

#include "common/base/vector.h" // vector_i32

#include <string.h>

enum { LANES = CHECK_LANES, WIDTH = VECTOR_BYTES / sizeof(int32_t), VECTORS = LANES / WIDTH };

/* It has no branches, so that the compiler vectorises it, and treats the diagonal separately. */
static bool row_is_sound(const int32_t *dist, const int32_t *pred, int32_t n, int32_t i,
                         int32_t limit) {
    int32_t bad = 0;
    if (pred == NULL) {
        for (int32_t j = 0; j < n; j++)
            bad |= ((dist[j] > limit) & (dist[j] != INF)) | (dist[j] <= -INF);
        return !bad && dist[i] == 0;
    }
    for (int32_t j = 0; j < n; j++)
        bad |= ((dist[j] > limit) & (dist[j] != INF)) | (dist[j] <= -INF) | (pred[j] < -1) |
               (pred[j] >= n);
    int32_t mismatched = 0; /* the diagonal always is: a finite distance without a predecessor */
    for (int32_t j = 0; j < n; j++)
        mismatched += (dist[j] == INF) != (pred[j] == -1);
    return !bad && dist[i] == 0 && pred[i] == -1 && mismatched == 1;
}

static void check_plain_edges(const int32_t *dist, const struct edges_from *edges,
                              const int32_t *to, int32_t most, struct lane_flags *flags) {
    vector_i32 least[VECTORS];
    UNROLLED
    for (int v = 0; v < VECTORS; v++)
        least[v] = vector_all(vector_i32, INF);
    for (int64_t e = 0; e < edges->count; e++) {
        const int32_t *from = dist + (size_t)edges->tail[e] * LANES;
        const vector_i32 weight = vector_all(vector_i32, edges->weight[e]);
        UNROLLED
        for (int v = 0; v < VECTORS; v++)
            least[v] = vector_min(least[v], vector_load(from + v * WIDTH) + weight);
    }
    UNROLLED
    for (int v = 0; v < VECTORS; v++) {
        const vector_i32 lanes = vector_load(to + v * WIDTH);
        vector_store(flags->violated + v * WIDTH,
                     (lanes > least[v]) & (least[v] <= vector_all(vector_i32, most)));
        vector_store(flags->tight + v * WIDTH, lanes == least[v]);
    }
}

static void check_light_edges(const int32_t *restrict dist, const struct edges_from *edges,
                              const int32_t *to, int32_t most, struct lane_flags *restrict flags) {
    int32_t violated[LANES] = {0}, tight[LANES] = {0};
    for (int64_t e = 0; e < edges->count; e++) {
        const int32_t *from = dist + (size_t)edges->tail[e] * LANES;
        const int32_t weight = edges->weight[e];
        if (!is_light(weight))
            continue;
        for (int lane = 0; lane < LANES; lane++) {
            /* Unsigned, because lanes that are unreachable may wrap round. */
            const int32_t through = (int32_t)((uint32_t)from[lane] + (uint32_t)weight);
            violated[lane] |=
                (from[lane] != UNREACHABLE) & (to[lane] > through) & (through <= most);
            tight[lane] |= (from[lane] != UNREACHABLE) & (to[lane] == through);
        }
    }
    memcpy(flags->violated, violated, sizeof violated);
    memcpy(flags->tight, tight, sizeof tight);
}

const struct check_kernels ISA_SYMBOL(check_kernels) = {
    .row_is_sound = row_is_sound,
    .check_plain_edges = check_plain_edges,
    .check_light_edges = check_light_edges,
};
