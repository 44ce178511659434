// SPDX-License-Identifier: MIT
#include "search/cpu/bfs_kernels.h"

#include "common/base/bits.h"       // struct bits, bit_counts_add
#include "common/graph/row_block.h" // struct row_totals

/* Number of edges between two checks whether every source has reached a vertex. */
enum { EDGES_AT_A_TIME = 4 };
/* Number of edges ahead of the current one whose sets are prefetched. */
enum { FETCHED_AHEAD = 32 };

static inline bool has(const uint64_t *bitmap, int32_t v) {
    return bitmap[v / 64] >> v % 64 & 1;
}

static inline void add(uint64_t *bitmap, int32_t v) {
    bitmap[v / 64] |= (uint64_t)1 << v % 64;
}

static inline void drop(uint64_t *bitmap, int32_t v) {
    bitmap[v / 64] &= ~((uint64_t)1 << v % 64);
}

/* Returns the number of edges of v, of all weights. */
static inline int64_t edges_of(const int64_t *first, int32_t v, int32_t steps) {
    const int64_t *const own = first + (int64_t)v * steps;
    return own[steps] - own[0];
}

/* Counts the out-edges of v, over which its new sources will pass at later levels. */
static inline void expect(struct bfs *s, int32_t v, int32_t steps) {
    const int64_t *const first = s->graph->first_out + (int64_t)v * steps;
    for (int32_t k = 0; k < steps; k++)
        s->due[k + 1] += first[k + 1] - first[k];
}

static size_t words_of(int32_t n) {
    return ((size_t)n + 63) / 64;
}

static inline int32_t size_of(const struct bit_set *set) {
    int32_t size = 0;
    for (int w = 0; w < BIT_WORDS; w++)
        size += __builtin_popcountll(set->word[w]);
    return size;
}

/* Notes the level of the sources in `fresh` at vertex v: clears those bits that are 0 in the
 * level's number; all bits were set before. */
static inline void keep_level(struct bfs *s, int32_t v, struct bits fresh) {
    struct bit_set *const slice = &s->slice[(size_t)v * (size_t)s->slices];
    for (int k = 0; k < s->slices; k++) {
        if ((s->level >> k & 1) == 0)
            bits_store(&slice[k], bits_without(bits_load(&slice[k]), fresh));
    }
}

static void start(struct bfs *s, const int32_t *source, int count) {
    const struct bfs_graph *const g = s->graph;
    const size_t n = (size_t)g->n, words = words_of(g->n);
    struct bit_set others = {{0}};
    for (int lane = count; lane < BIT_LANES; lane++)
        others.word[lane / 64] |= (uint64_t)1 << lane % 64;
    const struct bits reached = bits_load(&others);
    for (size_t v = 0; v < n; v++)
        bits_store(&s->seen[v], reached);
    for (int32_t k = 0; k <= g->steps; k++)
        memset(s->ago[k].active, 0, words * sizeof(uint64_t));
    memset(s->due, 0, sizeof s->due);
    memset(s->touched, 0, words * sizeof *s->touched);
    memset(s->open, 0xff, words * sizeof *s->open);
    if (n % 64 != 0)
        s->open[words - 1] = ((uint64_t)1 << n % 64) - 1;
    if (s->slice != NULL)
        memset(s->slice, 0xff, n * (size_t)s->slices * sizeof *s->slice);
    s->open_edges = g->m;
    s->level = s->quiet = 0;
    for (int lane = 0; lane < count; lane++) {
        const int32_t v = source[lane];
        struct bit_set *const own = &s->ago[1].set[v];
        memset(own, 0, sizeof *own);
        own->word[lane / 64] = (uint64_t)1 << lane % 64;
        s->seen[v].word[lane / 64] |= (uint64_t)1 << lane % 64;
        add(s->ago[1].active, v);
        expect(s, v, g->steps);
        bit_counts_add(&s->counts, bits_load(own));
        if (s->slice != NULL)
            keep_level(s, v, bits_load(own));
        if (s->column != NULL)
            s->column[v].reached++;
    }
}

/* Notes that the sources in `found` have reached v at this level, except those that had before. */
static inline __attribute__((always_inline)) void visit(struct bfs *s, int32_t v, struct bits found,
                                                        int32_t steps) {
    const struct bits seen = bits_load(&s->seen[v]), fresh = bits_without(found, seen);
    if (!bits_any(fresh))
        return;
    const struct bits now_seen = bits_or(seen, fresh);
    bits_store(&s->ago[0].set[v], fresh);
    bits_store(&s->seen[v], now_seen);
    add(s->ago[0].active, v);
    expect(s, v, steps);
    if (bits_all(now_seen)) {
        drop(s->open, v);
        s->open_edges -= edges_of(s->graph->first_in, v, steps);
    }
    bit_counts_add(&s->counts, fresh);
    if (s->column != NULL) {
        const int32_t size = size_of(&s->ago[0].set[v]);
        struct row_totals *const column = &s->column[v];
        column->sum += (int64_t)size * s->distance;
        column->high += size * s->high;
        column->low += size * s->low;
        column->reached += size;
        column->farthest = s->distance > column->farthest ? s->distance : column->farthest;
    }
    if (s->slice != NULL)
        keep_level(s, v, fresh);
}

/* Returns the union of the sets that come from the in-neighbours of v. */
static inline __attribute__((always_inline)) struct bits pull(const struct bfs *s, int32_t v,
                                                              int32_t steps) {
    const struct bfs_graph *const g = s->graph;
    const int64_t end = g->first_in[((int64_t)v + 1) * steps];
    const struct bits seen = bits_load(&s->seen[v]);
    struct bits found = {0};
    for (int64_t from = g->first_in[(int64_t)v * steps]; from < end; from += EDGES_AT_A_TIME) {
        const int64_t to = end - from < EDGES_AT_A_TIME ? end : from + EDGES_AT_A_TIME;
        for (int64_t e = from; e < to; e++) {
            const int64_t later = e + FETCHED_AHEAD;
            const struct bfs_level *const ago = &s->ago[steps > 1 ? g->weight_in[e] : 1];
            if (later < g->m)
                __builtin_prefetch(
                    &s->ago[steps > 1 ? g->weight_in[later] : 1].set[g->tail[later]]);
            if (has(ago->active, g->tail[e]))
                found = bits_or(found, bits_load(&ago->set[g->tail[e]]));
        }
        if (bits_all(bits_or(found, seen)))
            break;
    }
    return found;
}

static inline __attribute__((always_inline)) void pull_level(struct bfs *s, int32_t steps) {
    const size_t words = words_of(s->graph->n);
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = s->open[w]; left != 0; left &= left - 1) {
            const int32_t v = (int32_t)(w * 64) + __builtin_ctzll(left);
            visit(s, v, pull(s, v, steps), steps);
        }
    }
}

/* Adds the sources that were new at u `step` levels ago to the sets of its out-neighbours over
 * edges of weight `step`. */
static inline __attribute__((always_inline)) void push(struct bfs *s, int32_t u, int32_t step,
                                                       int32_t steps) {
    const struct bfs_graph *const g = s->graph;
    const int64_t *const first = g->first_out + (int64_t)u * steps + step - 1;
    const struct bits new = bits_load(&s->ago[step].set[u]);
    struct bit_set *const next = s->ago[0].set;
    for (int64_t e = first[0]; e < first[1]; e++) {
        const int32_t v = g->head[e];
        if (!has(s->open, v))
            continue;
        const bool is_first = !has(s->touched, v);
        add(s->touched, v);
        bits_store(&next[v], is_first ? new : bits_or(new, bits_load(&next[v])));
    }
}

static inline __attribute__((always_inline)) void push_level(struct bfs *s, int32_t steps) {
    const size_t words = words_of(s->graph->n);
    for (int32_t step = 1; step <= steps; step++) {
        for (size_t w = 0; w < words; w++) {
            for (uint64_t left = s->ago[step].active[w]; left != 0; left &= left - 1)
                push(s, (int32_t)(w * 64) + __builtin_ctzll(left), step, steps);
        }
    }
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = s->touched[w]; left != 0; left &= left - 1) {
            const int32_t v = (int32_t)(w * 64) + __builtin_ctzll(left);
            visit(s, v, bits_load(&s->ago[0].set[v]), steps);
        }
        s->touched[w] = 0;
    }
}

/* Turns the level that has been found into the last one. Returns whether any source is new at
 * it. */
static inline bool turn(struct bfs *s, int32_t steps) {
    const size_t words = words_of(s->graph->n);
    const struct bfs_level oldest = s->ago[steps];
    uint64_t any = 0;
    for (int32_t step = steps; step > 0; step--)
        s->ago[step] = s->ago[step - 1];
    s->ago[0] = oldest;
    for (size_t w = 0; w < words; w++) {
        any |= s->ago[1].active[w];
        oldest.active[w] = 0;
    }
    return any != 0;
}

static inline __attribute__((always_inline)) bool level_of_steps(struct bfs *s, int32_t steps) {
    /* Cost of an edge that is pushed, which reads and writes a set, in edges that are pulled, which
     * read one. */
    const int64_t pushed = 2;
    const bool pushes = pushed * s->due[1] < s->open_edges;
    for (int32_t step = 1; step <= steps; step++)
        s->due[step] = s->due[step + 1];
    s->level++;
    if (pushes)
        push_level(s, steps);
    else
        pull_level(s, steps);
    s->quiet = turn(s, steps) ? 0 : s->quiet + 1;
    return s->quiet < steps;
}

static bool level(struct bfs *s) {
    return s->graph->steps == 1 ? level_of_steps(s, 1) : level_of_steps(s, s->graph->steps);
}

static void take_counts(struct bfs *s, int32_t count[BIT_LANES]) {
    bit_counts_take(&s->counts, count);
}

const struct bfs_kernels ISA_SYMBOL(bfs_kernels) = {start, level, take_counts};
