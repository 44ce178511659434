// SPDX-License-Identifier: MIT
#include "search/cpu/bfs_kernels.h"

#include "common/base/bits.h"       // struct bits, bit_counts_add
#include "common/graph/row_block.h" // struct row_totals

/* Edges between two looks whether every source has reached a vertex. */
enum { EDGES_AT_A_TIME = 4 };
/* Edges ahead of the one whose set is used, for which sets are fetched. */
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

static inline int64_t edges_of(const int64_t *first, int32_t v) {
    return first[v + 1] - first[v];
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

/* Clears the bits of the level, which were all set, that are 0. */
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
    memset(s->active, 0, words * sizeof *s->active);
    memset(s->next_active, 0, words * sizeof *s->next_active);
    memset(s->touched, 0, words * sizeof *s->touched);
    memset(s->open, 0xff, words * sizeof *s->open);
    if (n % 64 != 0)
        s->open[words - 1] = ((uint64_t)1 << n % 64) - 1;
    if (s->slice != NULL)
        memset(s->slice, 0xff, n * (size_t)s->slices * sizeof *s->slice);
    s->active_edges = 0;
    s->open_edges = g->m;
    s->level = 0;
    for (int lane = 0; lane < count; lane++) {
        const int32_t v = source[lane];
        memset(&s->now[v], 0, sizeof *s->now);
        s->now[v].word[lane / 64] = (uint64_t)1 << lane % 64;
        s->seen[v].word[lane / 64] |= (uint64_t)1 << lane % 64;
        add(s->active, v);
        s->active_edges += edges_of(g->first_out, v);
        bit_counts_add(&s->counts, bits_load(&s->now[v]));
        if (s->slice != NULL)
            keep_level(s, v, bits_load(&s->now[v]));
        if (s->column != NULL)
            s->column[v].reached++;
    }
}

/* Notes that the sources in `found` have reached v at this level, unless they had before. */
static inline void visit(struct bfs *s, int32_t v, struct bits found) {
    const struct bits seen = bits_load(&s->seen[v]), fresh = bits_without(found, seen);
    if (!bits_any(fresh))
        return;
    const struct bits now_seen = bits_or(seen, fresh);
    bits_store(&s->next[v], fresh);
    bits_store(&s->seen[v], now_seen);
    add(s->next_active, v);
    s->active_edges += edges_of(s->graph->first_out, v);
    if (bits_all(now_seen)) {
        drop(s->open, v);
        s->open_edges -= edges_of(s->graph->first_in, v);
    }
    bit_counts_add(&s->counts, fresh);
    if (s->column != NULL) {
        const int32_t size = size_of(&s->next[v]);
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

/* Unites what is new at the in-neighbours of v. */
static inline struct bits pull(const struct bfs *s, int32_t v) {
    const struct bfs_graph *const g = s->graph;
    const int64_t end = g->first_in[v + 1];
    const struct bits seen = bits_load(&s->seen[v]);
    struct bits found = {0};
    for (int64_t from = g->first_in[v]; from < end; from += EDGES_AT_A_TIME) {
        const int64_t to = end - from < EDGES_AT_A_TIME ? end : from + EDGES_AT_A_TIME;
        for (int64_t e = from; e < to; e++) {
            if (e + FETCHED_AHEAD < g->m)
                __builtin_prefetch(&s->now[g->tail[e + FETCHED_AHEAD]]);
            if (has(s->active, g->tail[e]))
                found = bits_or(found, bits_load(&s->now[g->tail[e]]));
        }
        if (bits_all(bits_or(found, seen)))
            break;
    }
    return found;
}

static void pull_level(struct bfs *s) {
    const size_t words = words_of(s->graph->n);
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = s->open[w]; left != 0; left &= left - 1) {
            const int32_t v = (int32_t)(w * 64) + __builtin_ctzll(left);
            visit(s, v, pull(s, v));
        }
    }
}

/* Adds what is new at u to what its out-neighbours are given, which is in next. */
static inline void push(struct bfs *s, int32_t u) {
    const struct bfs_graph *const g = s->graph;
    const struct bits now = bits_load(&s->now[u]);
    for (int64_t e = g->first_out[u]; e < g->first_out[u + 1]; e++) {
        const int32_t v = g->head[e];
        if (!has(s->open, v))
            continue;
        const bool first = !has(s->touched, v);
        add(s->touched, v);
        bits_store(&s->next[v], first ? now : bits_or(now, bits_load(&s->next[v])));
    }
}

static void push_level(struct bfs *s) {
    const size_t words = words_of(s->graph->n);
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = s->active[w]; left != 0; left &= left - 1)
            push(s, (int32_t)(w * 64) + __builtin_ctzll(left));
    }
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = s->touched[w]; left != 0; left &= left - 1) {
            const int32_t v = (int32_t)(w * 64) + __builtin_ctzll(left);
            visit(s, v, bits_load(&s->next[v]));
        }
        s->touched[w] = 0;
    }
}

static bool level(struct bfs *s) {
    /* An edge that is pushed reads and writes a set, and one that is pulled reads one. */
    const int64_t pushed = 2;
    const size_t words = words_of(s->graph->n);
    const bool pushes = pushed * s->active_edges < s->open_edges;
    uint64_t any = 0;
    s->active_edges = 0;
    s->level++;
    if (pushes)
        push_level(s);
    else
        pull_level(s);
    struct bit_set *const sets = s->now;
    s->now = s->next;
    s->next = sets;
    for (size_t w = 0; w < words; w++) {
        any |= s->next_active[w];
        s->active[w] = s->next_active[w];
        s->next_active[w] = 0;
    }
    return any != 0;
}

static void take_counts(struct bfs *s, int32_t count[BIT_LANES]) {
    bit_counts_take(&s->counts, count);
}

const struct bfs_kernels ISA_SYMBOL(bfs_kernels) = {start, level, take_counts};
