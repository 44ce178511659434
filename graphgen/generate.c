// SPDX-License-Identifier: MIT
#include "graphgen/generate.h"

#include "common/base/digits.h"     // digits_put
#include "common/base/memory.h"     // memory_alloc
#include "common/base/splitmix64.h" // splitmix64_mix
#include "common/graph/graph.h"     // struct edge

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 10, NUMBER_BYTES = 24, LINE_BYTES = 128, BUFFER_BYTES = 1 << 18 };

/* What the bits are used for, so that no two uses share random numbers. */
enum stream { STREAM_PAIRS = 1, STREAM_WEIGHTS, STREAM_POTENTIALS };

int64_t graph_pairs(int32_t n) {
    return (int64_t)n * (n - 1);
}

static uint64_t random_word(uint64_t key, uint64_t index) {
    return splitmix64_mix(key + index * SPLITMIX64_STEP);
}

static uint64_t stream_key(const struct graph_description *graph, enum stream stream) {
    return splitmix64_mix(splitmix64_mix(graph->seed + SPLITMIX64_STEP * stream) +
                          (uint64_t)graph->n);
}

/* Uniform in 0 .. range - 1, to within 2^-32. */
static uint64_t random_below(uint64_t word, uint64_t range) {
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)word * range >> 64);
}

/* The network's two halves: the low and the high bits of the index. */
struct permutation {
    uint64_t key[ROUNDS];
    int low_bits;
    uint64_t low_mask, high_mask, size;
};

static void permutation_start(const struct graph_description *graph, struct permutation *p) {
    const uint64_t key = stream_key(graph, STREAM_PAIRS);
    int bits = 2;
    p->size = (uint64_t)graph_pairs(graph->n);
    while (bits < 63 && (UINT64_C(1) << bits) < p->size)
        bits++;
    p->low_bits = bits / 2;
    p->low_mask = (UINT64_C(1) << p->low_bits) - 1;
    p->high_mask = (UINT64_C(1) << (bits - p->low_bits)) - 1;
    for (uint64_t round = 0; round < ROUNDS; round++)
        p->key[round] = random_word(key, round);
}

static uint64_t permute(const struct permutation *p, uint64_t index) {
    do {
        uint64_t low = index & p->low_mask, high = index >> p->low_bits;
        for (int round = 0; round < ROUNDS; round += 2) {
            low ^= splitmix64_mix(p->key[round] ^ high) & p->low_mask;
            high ^= splitmix64_mix(p->key[round + 1] ^ low) & p->high_mask;
        }
        index = high << p->low_bits | low;
    } while (index >= p->size);
    return index;
}

int64_t permute_pair(const struct graph_description *graph, int64_t index) {
    struct permutation p;
    permutation_start(graph, &p);
    return (int64_t)permute(&p, (uint64_t)index);
}

/* The lowest weight that edge u -> v may have. */
static int64_t lowest_weight(const struct graph_description *graph, uint64_t key, int32_t u,
                             int32_t v) {
    if (!graph->no_negative_cycle || graph->lowest >= 0)
        return graph->lowest;
    /* Potentials in 0 .. top keep h(u) - h(v) inside lowest .. highest. */
    int64_t top =
        -(int64_t)graph->lowest < graph->highest ? -(int64_t)graph->lowest : graph->highest;
    int64_t h_u = (int64_t)random_below(random_word(key, (uint64_t)u), (uint64_t)top + 1);
    int64_t h_v = (int64_t)random_below(random_word(key, (uint64_t)v), (uint64_t)top + 1);
    return h_u - h_v;
}

static const struct graph_layout layouts[] = {
    {.name = "text", .head = "$n $m\n", .edge = "$u $v $w\n", .sized = true},
    {.name = "gr", .head = "p sp $n $m\n", .edge = "a $u $v $w\n", .sized = true, .first = 1},
    {.name = "mtx",
     .head = "%%MatrixMarket matrix coordinate integer general\n$n $n $m\n",
     .edge = "$u $v $w\n",
     .sized = true,
     .first = 1},
    {.name = "wel", .head = "", .edge = "$u $v $w\n"},
    {.name = "snap", .head = "# FromNodeId\tToNodeId\tWeight\n", .edge = "$u\t$v\t$w\n"},
    {.name = "csv", .head = "source,target,weight\n", .edge = "$u,$v,$w\n"},
    {.name = "tntp",
     .head = "<NUMBER OF ZONES> $n\n<NUMBER OF NODES> $n\n<FIRST THRU NODE> 1\n"
             "<NUMBER OF LINKS> $m\n<END OF METADATA>\n\n"
             "~\tinit_node\tterm_node\tcapacity\tlength\tfree_flow_time\tb\tpower\tspeed\ttoll"
             "\tlink_type\t;\n",
     .edge = "\t$u\t$v\t1\t$w\t$w\t0.15\t4\t0\t0\t1\t;\n",
     .sized = true,
     .first = 1},
};

const struct graph_layout *graph_layout_find(const char *name) {
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        if (strcmp(layouts[l].name, name) == 0)
            return &layouts[l];
    }
    return NULL;
}

/* Copies the head of a layout with the graph's sizes in it; returns the end. */
static char *put_head(char *at, const struct graph_description *graph,
                      const struct graph_layout *layout) {
    for (const char *c = layout->head; *c != '\0'; c++) {
        if (*c != '$')
            *at++ = *c;
        else if (*++c == 'n')
            at += snprintf(at, NUMBER_BYTES, "%d", graph->n);
        else
            at += snprintf(at, NUMBER_BYTES, "%lld", (long long)graph->edges);
    }
    return at;
}

/* At most LINE_BYTES; returns the end. */
static char *put_edge(char *at, const struct digits *digits, const struct graph_layout *layout,
                      struct edge edge) {
    for (const char *c = layout->edge; *c != '\0'; c++) {
        if (*c != '$')
            *at++ = *c;
        else if (*++c == 'u')
            at = digits_put(digits, at, edge.from + layout->first);
        else if (*c == 'v')
            at = digits_put(digits, at, edge.to + layout->first);
        else
            at = digits_put(digits, at, edge.weight);
    }
    return at;
}

enum status graph_generate(const struct graph_description *graph, const struct graph_layout *layout,
                           struct output *out, struct error *err) {
    const uint64_t weight_key = stream_key(graph, STREAM_WEIGHTS);
    const uint64_t potential_key = stream_key(graph, STREAM_POTENTIALS);
    const uint64_t row = (uint64_t)graph->n - 1; /* pairs with the same first vertex */
    const int32_t last = graph->n - 1;
    bool last_seen = false;
    struct permutation p;
    permutation_start(graph, &p);

    void *table = NULL, *memory = NULL;
    enum status status = memory_alloc(&table, 1, sizeof(struct digits), "a table of digits", err);
    if (status == STATUS_OK)
        status = memory_alloc(&memory, BUFFER_BYTES, 1, "a buffer to write", err);
    struct digits *digits = table;
    char *buffer = memory;
    if (status != STATUS_OK)
        goto cleanup;
    digits_fill(digits);
    char *at = put_head(buffer, graph, layout);
    for (int64_t e = 0; e < graph->edges; e++) {
        uint64_t pair = permute(&p, (uint64_t)e);
        int32_t u = (int32_t)(pair / row), v = (int32_t)(pair % row);
        v += v >= u; /* no self-loops: u is skipped among the heads */
        int64_t lowest = lowest_weight(graph, potential_key, u, v);
        uint64_t range = (uint64_t)(graph->highest - lowest + 1);
        uint64_t above = random_below(random_word(weight_key, (uint64_t)e), range);
        at = put_edge(at, digits, layout, (struct edge){u, v, (int32_t)(lowest + (int64_t)above)});
        last_seen |= u == last || v == last;
        if (at - buffer > BUFFER_BYTES - LINE_BYTES) {
            status = output_write(out, buffer, (size_t)(at - buffer), err);
            if (status != STATUS_OK)
                goto cleanup;
            at = buffer;
        }
    }
    if (!layout->sized && !last_seen)
        at = put_edge(at, digits, layout, (struct edge){last, last, 0});
    status = output_write(out, buffer, (size_t)(at - buffer), err);
cleanup:
    memory_free(buffer);
    memory_free(digits);
    return status;
}
