// SPDX-License-Identifier: MIT
/* Families that need no geometry beyond rows and columns. */
#include "common/base/memory.h" // memory_alloc
#include "graphgen/families.h"
#include "graphgen/random.h" // random_word, struct permutation

enum status generate_grid(const struct family_request *request, const struct edge_sink *sink,
                          struct error *err) {
    enum { WAYS = 4 };
    static const int8_t across[WAYS] = {1, 0, 1, -1}, along[WAYS] = {0, 1, 1, 1};
    const int64_t n = request->graph.n, side = root_above((uint64_t)n, 2);
    const int ways = (int)(request->degree / (2 * THOUSANDTHS));
    for (int pass = 0; pass < 2; pass++) {
        int64_t edges = 0;
        for (int64_t v = 0; v < n; v++) {
            for (int way = 0; way < ways; way++) {
                const int64_t column = v % side + across[way];
                const int64_t other = v + across[way] + along[way] * side;
                if (column < 0 || column >= side || other >= n)
                    continue;
                edges++;
                if (pass == 1)
                    RETURN_ON_FAILURE(sink->put(sink->to, (int32_t)v, (int32_t)other, 0, err));
            }
        }
        if (pass == 0)
            RETURN_ON_FAILURE(sink->begin(sink->to, edges, 0, err));
    }
    return STATUS_OK;
}

enum status generate_tree(const struct family_request *request, const struct edge_sink *sink,
                          struct error *err) {
    const uint64_t key = family_key(request, 0);
    RETURN_ON_FAILURE(sink->begin(sink->to, request->graph.n - 1, 0, err));
    for (int32_t v = 1; v < request->graph.n; v++) {
        const uint64_t parent = random_below(random_word(key, (uint64_t)v), (uint64_t)v);
        RETURN_ON_FAILURE(sink->put(sink->to, (int32_t)parent, v, 0, err));
    }
    return STATUS_OK;
}

enum status generate_ring(const struct family_request *request, const struct edge_sink *sink,
                          struct error *err) {
    const int32_t n = request->graph.n;
    struct permutation order;
    permutation_start(&order, family_key(request, 0), (uint64_t)n);
    RETURN_ON_FAILURE(sink->begin(sink->to, n > 1 ? n : 0, 0, err));
    if (n == 1)
        return STATUS_OK;
    const int32_t first = (int32_t)permute(&order, 0);
    int32_t here = first;
    for (int32_t place = 1; place <= n; place++) {
        const int32_t next = place < n ? (int32_t)permute(&order, (uint64_t)place) : first;
        RETURN_ON_FAILURE(sink->put(sink->to, here, next, 0, err));
        here = next;
    }
    return STATUS_OK;
}

enum status generate_star(const struct family_request *request, const struct edge_sink *sink,
                          struct error *err) {
    RETURN_ON_FAILURE(sink->begin(sink->to, request->graph.n - 1, 0, err));
    for (int32_t v = 1; v < request->graph.n; v++)
        RETURN_ON_FAILURE(sink->put(sink->to, 0, v, 0, err));
    return STATUS_OK;
}

enum status generate_complete(const struct family_request *request, const struct edge_sink *sink,
                              struct error *err) {
    const int32_t n = request->graph.n;
    RETURN_ON_FAILURE(sink->begin(sink->to, graph_pairs(n) / 2, 0, err));
    for (int32_t u = 0; u < n; u++) {
        for (int32_t v = u + 1; v < n; v++)
            RETURN_ON_FAILURE(sink->put(sink->to, u, v, 0, err));
    }
    return STATUS_OK;
}

/* The graph has several parts, each a random graph with its own exact number of edges. */
enum status generate_disconnected(const struct family_request *request,
                                  const struct edge_sink *sink, struct error *err) {
    enum { COMPONENTS = 10 };
    const int64_t n = request->graph.n, wanted = request->degree / THOUSANDTHS;
    for (int pass = 0; pass < 2; pass++) {
        int64_t edges = 0;
        for (int64_t c = 0; c < COMPONENTS; c++) {
            const int64_t first = n * c / COMPONENTS, size = n * (c + 1) / COMPONENTS - first;
            const int64_t pairs = size * (size - 1);
            const int64_t count = wanted * size < pairs ? wanted * size : pairs;
            struct permutation order;
            permutation_start(&order, family_key(request, (uint64_t)c), (uint64_t)pairs);
            edges += count;
            for (int64_t e = 0; e < count && pass == 1; e++) {
                const int64_t pair = (int64_t)permute(&order, (uint64_t)e);
                const int64_t u = pair / (size - 1), v = pair % (size - 1);
                RETURN_ON_FAILURE(sink->put(sink->to, (int32_t)(first + u),
                                            (int32_t)(first + v + (v >= u)), 0, err));
            }
        }
        if (pass == 0)
            RETURN_ON_FAILURE(sink->begin(sink->to, edges, 0, err));
    }
    return STATUS_OK;
}

/* Draws `wanted` distinct vertices from `ends`, which lists every vertex once for each of its
 * edges. *draws: index of the next random word. */
static void draw_ends(uint64_t key, uint64_t *draws, const int32_t *ends, int64_t count,
                      int32_t *chosen, int32_t wanted) {
    for (int32_t found = 0; found < wanted;) {
        const int32_t end = ends[random_below(random_word(key, (*draws)++), (uint64_t)count)];
        bool known = false;
        for (int32_t c = 0; c < found; c++)
            known |= chosen[c] == end;
        if (!known)
            chosen[found++] = end;
    }
}

enum status generate_power_law(const struct family_request *request, const struct edge_sink *sink,
                               struct error *err) {
    enum { MAX_WANTED = 64 };
    const int64_t n = request->graph.n, degree = request->degree / THOUSANDTHS;
    /* A vertex v <= degree is joined with all vertices before it. */
    const int64_t early = degree < n - 1 ? degree : n - 1;
    const int64_t edges = early * (early + 1) / 2 + (n - 1 - early) * degree;
    const uint64_t key = family_key(request, 0);
    uint64_t draws = 0;
    int64_t count = 0;
    int32_t chosen[MAX_WANTED];
    void *block = NULL;
    enum status status;

    TRY(memory_alloc(&block, 2 * (size_t)edges, sizeof(int32_t), "the ends of edges", err));
    int32_t *ends = block;
    TRY(sink->begin(sink->to, edges, 0, err));
    for (int32_t v = 1; v < n; v++) {
        const int32_t wanted = (int32_t)(v < degree ? v : degree);
        if (v <= degree) {
            for (int32_t c = 0; c < wanted; c++)
                chosen[c] = c;
        } else {
            draw_ends(key, &draws, ends, count, chosen, wanted);
        }
        for (int32_t c = 0; c < wanted; c++) {
            TRY(sink->put(sink->to, v, chosen[c], 0, err));
            ends[count++] = v;
            ends[count++] = chosen[c];
        }
    }
cleanup:
    memory_free(block);
    return status;
}
