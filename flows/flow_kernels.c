// SPDX-License-Identifier: MIT
/* The kernels of flow_kernels.h for one instruction set (isa.h). */
#include "flows/flow_kernels.h"

#include "common/base/vector.h" // vector_f64, UNROLLED

#include <math.h>

enum {
    LANES = FLOW_LANES,
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(double),
    VECTORS = LANES / PER_VECTOR,
    SUM_VECTORS = FLOW_SUMS / PER_VECTOR,
};

typedef uint64_t vector_u64 __attribute__((vector_size(VECTOR_BYTES)));

/* Returns the lanes of a where the mask is set, 0 in the others. */
static inline vector_f64 where(vector_i64 mask, vector_f64 a) {
    return (vector_f64)((vector_i64)a & mask);
}

static inline vector_f64 load(const double *from, int k) {
    return vector_f64_load(from + k * PER_VECTOR);
}

static inline void store(double *to, int k, vector_f64 lanes) {
    vector_f64_store(to + k * PER_VECTOR, lanes);
}

/* For each lane, the distances and the path counts of a label. */
struct lane_pairs {
    vector_f64 dist[VECTORS], paths[VECTORS];
};

static inline void pair_load(struct lane_pairs *p, const double *label) {
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        p->dist[k] = load(label, k);
        p->paths[k] = load(label + LANES, k);
    }
}

static inline void pair_store(const struct lane_pairs *p, double *label) {
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        store(label, k, p->dist[k]);
        store(label + LANES, k, p->paths[k]);
    }
}

static inline void pair_none(struct lane_pairs *p) {
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        p->dist[k] = vector_all(vector_f64, INFINITY);
        p->paths[k] = vector_all(vector_f64, 0);
    }
}

/* Adds other paths, of length dist, to pair k. */
static inline void pair_add(struct lane_pairs *p, int k, vector_f64 dist, vector_f64 paths) {
    p->paths[k] = where((vector_i64)(p->dist[k] <= dist), p->paths[k]) +
                  where((vector_i64)(dist <= p->dist[k]), paths);
    p->dist[k] = vector_f64_min(p->dist[k], dist);
}

/* Returns whether a label has a path in some lane. */
static inline bool is_reached(const struct lane_pairs *p) {
    vector_f64 some = p->paths[0];
    UNROLLED
    for (int k = 1; k < VECTORS; k++)
        some += p->paths[k];
    return vector_any((vector_i64)(some > vector_all(vector_f64, 0)));
}

/* Relaxes one entry, which leads up from a position with label *from to one with label `above`. */
static inline __attribute__((always_inline)) void
go_up(const struct lane_pairs *from, double length, double paths, double *above) {
    struct lane_pairs to;
    pair_load(&to, above);
    UNROLLED
    for (int k = 0; k < VECTORS; k++)
        pair_add(&to, k, from->dist[k] + length, from->paths[k] * paths);
    pair_store(&to, above);
}

static void up(const struct flow_region *r, double *label) {
    for (int32_t i = 0; i < r->own; i++) {
        const int32_t at = r->position[i];
        struct lane_pairs from;
        pair_load(&from, label + FLOW_AT(i));
        if (!is_reached(&from)) /* the position is no ancestor of a source of the lanes */
            continue;
        for (int64_t e = r->first[at]; e < r->first[at + 1]; e++)
            go_up(&from, r->up[e], r->up_paths[e], label + FLOW_AT(r->local[e]));
    }
}

static void climb(const struct flow_climb *c, double *climbed) {
    for (size_t x = 0; x < c->count; x++) {
        const int32_t at = c->position[x];
        struct lane_pairs from;
        pair_load(&from, climbed + FLOW_AT(x));
        for (int64_t e = c->first[at]; e < c->first[at + 1]; e++)
            go_up(&from, c->up[e], c->up_paths[e], climbed + FLOW_AT(c->rank[c->higher[e]]));
    }
}

/* Finds the lanes in which a way of a length from label `from` is as short as the distance of `to`.
 * Returns whether there are any. Most entries are on a shortest path of no lane, so that their path
 * counts need not be loaded. */
static inline __attribute__((always_inline)) bool
find_tight(const double *from, double length, const struct lane_pairs *to, vector_i64 *is_tight) {
    vector_i64 any = vector_all(vector_i64, 0);
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        is_tight[k] = (vector_i64)(load(from, k) + length == to->dist[k]);
        any |= is_tight[k];
    }
    return vector_any(any);
}

/* Finds label *own of own position i by relaxing the entries that lead down to it. is_fresh: the
 * label that it had before does not count. */
static inline __attribute__((always_inline)) void go_down(const struct flow_region *r, int32_t i,
                                                          const bool is_fresh, const double *label,
                                                          struct lane_pairs *own) {
    const int32_t at = r->position[i];
    if (is_fresh)
        pair_none(own);
    else
        pair_load(own, label + FLOW_AT(i));
    for (int64_t e = r->first[at]; e < r->first[at + 1]; e++) {
        const double *const from = label + FLOW_AT(r->local[e]);
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            pair_add(own, k, load(from, k) + r->down[e], load(from + LANES, k) * r->down_paths[e]);
    }
}

static void lower(const struct flow_region *r, double *label) {
    for (int32_t i = r->own - 1; i >= 0; i--) {
        struct lane_pairs own;
        go_down(r, i, false, label, &own);
        pair_store(&own, label + FLOW_AT(i));
    }
}

static void down(const struct flow_region *r, double *label) {
    for (int32_t i = r->own - 1; i >= 0; i--) {
        struct lane_pairs own;
        go_down(r, i, true, label, &own);
        pair_store(&own, label + FLOW_AT(i));
    }
}

static void sweep(const struct flow_region *r, const int32_t *rank, double *label) {
    for (int32_t i = r->own - 1; i >= 0; i--) {
        struct lane_pairs own;
        if (rank[r->position[i]] >= 0)
            go_down(r, i, false, label, &own);
        else
            go_down(r, i, true, label, &own);
        pair_store(&own, label + FLOW_AT(i));
    }
}

static void want(const struct flow_region *r, const double *to_mass, const double *label,
                 double *flow) {
    for (int32_t i = 0; i < r->own; i++) {
        const vector_f64 mass = vector_all(vector_f64, to_mass[r->position[i]]);
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            const vector_f64 paths = load(label + FLOW_AT(i) + LANES, k);
            store(flow + (ptrdiff_t)i * LANES, k,
                  where((vector_i64)(paths > vector_all(vector_f64, 0)), mass));
        }
    }
}

/* Number of columns whose labels stay in registers. */
#if VECTOR_BYTES == 64
enum { TILE = 4 };
#else
enum { TILE = 1 };
#endif

static inline __attribute__((always_inline)) void
multiply_tile(const double *from, const int32_t *number, int32_t count, const double *matrix,
              int32_t pitch, const int tile, double *label) {
    struct lane_pairs found[TILE];
    UNROLLED
    for (int c = 0; c < tile; c++)
        pair_none(&found[c]);
    for (int32_t b = 0; b < count; b++) {
        const double *const row = matrix + (ptrdiff_t)number[b] * 2 * pitch;
        const double *const way = from + FLOW_AT(b);
        UNROLLED
        for (int c = 0; c < tile; c++) {
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                found[c].dist[k] = vector_f64_min(found[c].dist[k], load(way, k) + row[c]);
        }
    }
    for (int32_t b = 0; b < count; b++) {
        const double *const row = matrix + (ptrdiff_t)number[b] * 2 * pitch;
        const double *const way = from + FLOW_AT(b);
        UNROLLED
        for (int c = 0; c < tile; c++) {
            vector_i64 is_tight[VECTORS];
            if (!find_tight(way, row[c], &found[c], is_tight))
                continue;
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                found[c].paths[k] += where(is_tight[k], load(way + LANES, k) * row[pitch + c]);
        }
    }
    UNROLLED
    for (int c = 0; c < tile; c++)
        pair_store(&found[c], label + FLOW_AT(c));
}

static void multiply(const double *from, const int32_t *number, int32_t count, const double *matrix,
                     int32_t pitch, int32_t columns, double *label) {
    int32_t c = 0;
    for (; c + TILE <= columns; c += TILE)
        multiply_tile(from, number, count, matrix + c, pitch, TILE, label + FLOW_AT(c));
    for (; c < columns; c++)
        multiply_tile(from, number, count, matrix + c, pitch, 1, label + FLOW_AT(c));
}

static inline vector_u64 mix(vector_u64 hash, vector_f64 lanes) {
    const vector_u64 bits = (vector_u64)lanes;
    return (hash ^ bits ^ (bits >> 32)) * 0x9e3779b97f4a7c15;
}

static void make_keys(const double *label, const int32_t *number, int32_t width,
                      struct flow_keys *keys) {
    _Alignas(64) double relative[2 * LANES];
    struct lane_pairs nearest;
    vector_u64 hash[VECTORS];
    vector_i64 is_one = vector_all(vector_i64, -1);
    pair_none(&nearest);
    for (int32_t b = 0; b < width; b++) {
        const double *const own = label + FLOW_AT(number[b]);
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            const vector_f64 dist = load(own, k);
            const vector_i64 is_nearer = (vector_i64)(dist < nearest.dist[k]);
            nearest.paths[k] =
                where(is_nearer, load(own + LANES, k)) + where(~is_nearer, nearest.paths[k]);
            nearest.dist[k] = vector_f64_min(nearest.dist[k], dist);
        }
    }
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        /* Where there is no path, all distances are infinite and all path counts 0; subtracting 0
         * and dividing by 1 leaves them so. */
        const vector_i64 none = (vector_i64)(nearest.paths[k] == vector_all(vector_f64, 0));
        store(keys->nearest, k, nearest.dist[k]);
        nearest.dist[k] = where(~none, nearest.dist[k]);
        nearest.paths[k] += where(none, vector_all(vector_f64, 1));
        is_one &= (vector_i64)(nearest.paths[k] == vector_all(vector_f64, 1));
        hash[k] = vector_all(vector_u64, (uint64_t)width);
    }
    const bool divides = vector_any((vector_i64)~is_one);
    for (int32_t b = 0; b < width; b++) {
        const double *const own = label + FLOW_AT(number[b]);
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            const vector_f64 dist = load(own, k) - nearest.dist[k];
            vector_f64 paths = load(own + LANES, k);
            if (divides)
                paths /= nearest.paths[k];
            hash[k] = mix(mix(hash[k], dist), paths);
            store(relative, k, dist);
            store(relative + LANES, k, paths);
        }
        for (int lane = 0; lane < LANES; lane++) {
            keys->row[(ptrdiff_t)lane * 2 * width + b] = relative[lane];
            keys->row[(ptrdiff_t)lane * 2 * width + width + b] = relative[LANES + lane];
        }
    }
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        hash[k] ^= hash[k] >> 29;
        memcpy(keys->hash + k * PER_VECTOR, &hash[k], sizeof hash[k]);
    }
}

/* Returns the sum of all lanes. */
static inline double sum_of(const vector_f64 *part) {
    vector_f64 all = part[0];
    double sum[PER_VECTOR];
    UNROLLED
    for (int k = 1; k < VECTORS; k++)
        all += part[k];
    vector_f64_store(sum, all);
    for (int half = PER_VECTOR / 2; half > 0; half /= 2) {
        for (int lane = 0; lane < half; lane++)
            sum[lane] += sum[lane + half];
    }
    return sum[0];
}

/* Returns the flow of one path of each lane to a position. */
static inline vector_f64 each_path(const struct lane_pairs *own, int k, vector_f64 flow) {
    const vector_i64 has_paths = (vector_i64)(own->paths[k] > vector_all(vector_f64, 0));
    return where(has_paths, flow / own->paths[k]);
}

static inline __attribute__((always_inline)) void go_back(const struct flow_region *r,
                                                          const double *label, const double *times,
                                                          const bool has_one_sum, double *flow,
                                                          double *sums) {
    for (int32_t i = 0; i < r->own; i++) {
        const int32_t at = r->position[i];
        struct lane_pairs own;
        vector_f64 each[VECTORS];
        pair_load(&own, label + FLOW_AT(i));
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            each[k] = each_path(&own, k, load(flow + (ptrdiff_t)i * LANES, k));
        for (int64_t e = r->first[at]; e < r->first[at + 1]; e++) {
            const double *const from = label + FLOW_AT(r->local[e]);
            double *const to = flow + (ptrdiff_t)r->local[e] * LANES;
            vector_f64 part[VECTORS];
            vector_i64 is_tight[VECTORS];
            double *const own_sums = has_one_sum ? sums + e : sums;
            if (!has_one_sum)
                sums += FLOW_SUMS;
            if (!find_tight(from, r->down[e], &own, is_tight))
                continue;
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                part[k] = where(is_tight[k], each[k] * (load(from + LANES, k) * r->down_paths[e]));
                store(to, k, load(to, k) + part[k]);
                part[k] *= load(times, k);
            }
            if (has_one_sum) {
                *own_sums += sum_of(part);
                continue;
            }
            UNROLLED
            for (int k = 0; k < SUM_VECTORS; k++)
                store(own_sums, k, load(own_sums, k) + (part[k] + part[k + SUM_VECTORS]));
        }
    }
}

static void back(const struct flow_region *r, const double *label, const double *times,
                 double *flow, double *sums) {
    go_back(r, label, times, false, flow, sums);
}

static void sweep_back(const struct flow_region *r, const double *label, const double *times,
                       double *flow, double *sums) {
    go_back(r, label, times, true, flow, sums);
}

static void ask(int32_t own, const int32_t *at, const double *flow, const double *times,
                double *ends, double *sent) {
    vector_f64 all[VECTORS], by[VECTORS];
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        all[k] = load(sent, k);
        by[k] = load(times, k);
    }
    for (int32_t i = 0; i < own; i++, flow += LANES) {
        vector_f64 part[VECTORS];
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            part[k] = load(flow, k);
            all[k] += part[k];
            part[k] *= by[k];
        }
        ends[at[i]] += sum_of(part);
    }
    UNROLLED
    for (int k = 0; k < VECTORS; k++)
        store(sent, k, all[k]);
}

static void climb_back(const struct flow_climb *c, const double *climbed, const double *label,
                       const double *times, double *flow, double *sums) {
    for (size_t x = c->count; x-- > 0;) {
        const int32_t at = c->position[x];
        double *const own_flow = flow + x * LANES;
        struct lane_pairs to, by_climbing;
        vector_f64 arrived[VECTORS]; /* flow that has climbed to the position */
        pair_load(&to, label + FLOW_AT(x));
        pair_load(&by_climbing, climbed + FLOW_AT(x));
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            arrived[k] = where((vector_i64)(by_climbing.dist[k] == to.dist[k]),
                               each_path(&to, k, load(own_flow, k)) * by_climbing.paths[k]);
        for (int64_t e = c->first[at]; e < c->first[at + 1]; e++) {
            const ptrdiff_t above = c->rank[c->higher[e]];
            const double *const each = flow + above * LANES; /* flow of one path, by now */
            vector_f64 part[VECTORS];
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                const vector_i64 is_tight = (vector_i64)(by_climbing.dist[k] + c->up[e] ==
                                                         load(climbed + FLOW_AT(above), k));
                part[k] = where(is_tight, load(each, k) * (by_climbing.paths[k] * c->up_paths[e]));
                arrived[k] += part[k];
                part[k] *= load(times, k);
            }
            sums[e] += sum_of(part);
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            store(own_flow, k, each_path(&by_climbing, k, arrived[k]));
    }
}

static void count(const double *length, double *paths, double first, double first_paths,
                  struct flow_entries second, int32_t count) {
    int32_t z = 0;
    for (; z + PER_VECTOR <= count; z += PER_VECTOR) {
        const vector_i64 is_whole =
            (vector_i64)(vector_f64_load(second.length + z) + first == vector_f64_load(length + z));
        if (vector_any(is_whole))
            vector_f64_store(paths + z,
                             vector_f64_load(paths + z) +
                                 where(is_whole, vector_f64_load(second.paths + z) * first_paths));
    }
    for (; z < count; z++)
        if (first + second.length[z] == length[z])
            paths[z] += first_paths * second.paths[z];
}

static double share(struct flow_entries whole, const double *whole_flow, double first,
                    double first_paths, struct flow_entries second, double *flow, int32_t count) {
    double all = 0;
    for (int32_t z = 0; z < count; z++) {
        if (first + second.length[z] != whole.length[z] || whole_flow[z] == 0)
            continue;
        const double own = whole_flow[z] * (first_paths * second.paths[z] / whole.paths[z]);
        flow[z] += own;
        all += own;
    }
    return all;
}

const struct flow_kernels ISA_SYMBOL(flow_kernels) = {
    .up = up,
    .lower = lower,
    .down = down,
    .multiply = multiply,
    .make_keys = make_keys,
    .back = back,
    .climb = climb,
    .sweep = sweep,
    .want = want,
    .ask = ask,
    .sweep_back = sweep_back,
    .climb_back = climb_back,
    .count = count,
    .share = share,
};
