// SPDX-License-Identifier: MIT
#include "graphgen/generate.h"

#include "graphgen/random.h" // random_word, struct permutation

/* Streams of random bits, one for each use. */
enum random_stream { STREAM_PAIRS = 1, STREAM_WEIGHTS, STREAM_POTENTIALS };

int64_t graph_pairs(int32_t n) {
    return (int64_t)n * (n - 1);
}

static uint64_t stream_key(const struct graph_description *graph, enum random_stream stream) {
    return random_key(graph->seed, stream, (uint64_t)graph->n);
}

static void pairs_start(const struct graph_description *graph, struct permutation *p) {
    permutation_start(p, stream_key(graph, STREAM_PAIRS), (uint64_t)graph_pairs(graph->n));
}

int64_t permute_pair(const struct graph_description *graph, int64_t index) {
    struct permutation p;
    pairs_start(graph, &p);
    return (int64_t)permute(&p, (uint64_t)index);
}

void weights_start(struct weight_source *weights, const struct graph_description *graph) {
    *weights = (struct weight_source){.key = stream_key(graph, STREAM_WEIGHTS),
                                      .potential_key = stream_key(graph, STREAM_POTENTIALS),
                                      .lowest = graph->lowest,
                                      .highest = graph->highest,
                                      .no_negative_cycle = graph->no_negative_cycle};
}

/* The lowest weight that edge u -> v may have. */
static int64_t lowest_weight(const struct weight_source *weights, int32_t u, int32_t v) {
    if (!weights->no_negative_cycle || weights->lowest >= 0)
        return weights->lowest;
    /* Potentials in 0 .. top keep h(u) - h(v) inside lowest .. highest. */
    const uint64_t key = weights->potential_key;
    int64_t top =
        -(int64_t)weights->lowest < weights->highest ? -(int64_t)weights->lowest : weights->highest;
    int64_t h_u = (int64_t)random_below(random_word(key, (uint64_t)u), (uint64_t)top + 1);
    int64_t h_v = (int64_t)random_below(random_word(key, (uint64_t)v), (uint64_t)top + 1);
    return h_u - h_v;
}

int32_t weights_draw(const struct weight_source *weights, uint64_t index, int32_t u, int32_t v) {
    int64_t lowest = lowest_weight(weights, u, v);
    uint64_t range = (uint64_t)(weights->highest - lowest + 1);
    return (int32_t)(lowest + (int64_t)random_below(random_word(weights->key, index), range));
}

enum status graph_generate(const struct graph_description *graph, const struct graph_layout *layout,
                           struct output *out, struct error *err) {
    const uint64_t row = (uint64_t)graph->n - 1; /* number of pairs with the same first vertex */
    struct permutation p;
    struct weight_source weights;
    struct graph_writer writer;
    enum status status;

    pairs_start(graph, &p);
    weights_start(&weights, graph);
    TRY(graph_writer_open(&writer, layout, graph->decimals, out, graph->n, graph->edges, true,
                          err));
    for (int64_t e = 0; e < graph->edges; e++) {
        uint64_t pair = permute(&p, (uint64_t)e);
        int32_t u = (int32_t)(pair / row), v = (int32_t)(pair % row);
        v += v >= u; /* no self-loops: heads skip u */
        TRY(graph_writer_put(&writer,
                             (struct edge){u, v, weights_draw(&weights, (uint64_t)e, u, v)}, err));
    }
    status = graph_writer_finish(&writer, err);
cleanup:
    graph_writer_close(&writer);
    return status;
}
