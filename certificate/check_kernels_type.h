// SPDX-License-Identifier: MIT
/* The kernels of check_kernels.h for one type of distances and one semiring. each_semiring.h
 * includes this file once for each type and semiring, so it has no guard, and documents the macros
 * of the semiring, of which JOIN, BEST and REFUTES take vectors here. The macros of the type are:
 * CELL, the type of distances; VECTOR, a vector of CELL; WEIGHTS, the member of struct edges_from
 * with the weights; UNREACHED, the value for "no path" in strips that are not plain; ADD(a, b), a
 * sum; IS_SHORTER(sum, to), whether a finite distance or a rounded sum refutes `to`;
 * IS_LIGHT(weight); IS_NEGATIVE_ZERO(d). */

enum { OF(WIDTH) = VECTOR_BYTES / sizeof(CELL), OF(VECTORS) = LANES / OF(WIDTH) };
typedef int32_t OF(flags) __attribute__((vector_size(OF(WIDTH) * sizeof(int32_t))));

/* Loops have no branches, so that the compiler vectorises them; the diagonal is checked after them.
 */
static bool OF(row_is_sound)(const CELL *dist, const int32_t *pred, int32_t n, int32_t i,
                             CELL least, CELL most) {
    int32_t bad = 0;
    for (int32_t j = 0; j < n; j++)
        bad |= (!(dist[j] <= most) & (dist[j] != NO_PATH)) | (dist[j] < least) |
               IS_NEGATIVE_ZERO(dist[j]);
    if (pred == NULL)
        return !bad && dist[i] == TO_ITSELF;
    int32_t mismatched = 0; /* at least 1: the diagonal is finite without a predecessor */
    for (int32_t j = 0; j < n; j++) {
        bad |= (pred[j] < -1) | (pred[j] >= n);
        mismatched += (dist[j] == NO_PATH) != (pred[j] == -1);
    }
    return !bad && dist[i] == TO_ITSELF && pred[i] == -1 && mismatched == 1;
}

static void OF(check_plain_edges)(const CELL *dist, const struct edges_from *edges, const CELL *to,
                                  CELL most, struct lane_flags *flags) {
    VECTOR best[OF(VECTORS)];
    (void)most;
    UNROLLED
    for (int v = 0; v < OF(VECTORS); v++)
        best[v] = vector_all(VECTOR, NO_PATH);
    for (int64_t e = 0; e < edges->count; e++) {
        const CELL *from = dist + (size_t)edges->tail[e] * LANES;
        const VECTOR weight = vector_all(VECTOR, (CELL)edges->WEIGHTS[e]);
        UNROLLED
        for (int v = 0; v < OF(VECTORS); v++)
            best[v] = BEST(best[v], JOIN(vector_load(from + v * OF(WIDTH)), weight));
    }
    UNROLLED
    for (int v = 0; v < OF(VECTORS); v++) {
        const VECTOR lanes = vector_load(to + v * OF(WIDTH));
        const OF(flags) violated = __builtin_convertvector(REFUTES(best[v], lanes), OF(flags));
        const OF(flags) tight = __builtin_convertvector(lanes == best[v], OF(flags));
        memcpy(flags->violated + v * OF(WIDTH), &violated, sizeof violated);
        memcpy(flags->tight + v * OF(WIDTH), &tight, sizeof tight);
    }
}

#if IS_MIN_PLUS
static void OF(check_light_edges)(const CELL *restrict dist, const struct edges_from *edges,
                                  const CELL *to, CELL most, struct lane_flags *restrict flags) {
    int32_t violated[LANES] = {0}, tight[LANES] = {0};
    for (int64_t e = 0; e < edges->count; e++) {
        const CELL *from = dist + (size_t)edges->tail[e] * LANES;
        if (!IS_LIGHT(edges->WEIGHTS[e]))
            continue;
        for (int lane = 0; lane < LANES; lane++) {
            const CELL through = ADD(from[lane], (CELL)edges->WEIGHTS[e]);
            violated[lane] |=
                (from[lane] != UNREACHED) & IS_SHORTER(through, to[lane]) & (through <= most);
            tight[lane] |= (from[lane] != UNREACHED) & (to[lane] == through);
        }
    }
    memcpy(flags->violated, violated, sizeof violated);
    memcpy(flags->tight, tight, sizeof tight);
}
#endif
