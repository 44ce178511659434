// SPDX-License-Identifier: MIT
#include "solve/features.h"

#include "common/base/memory.h" // memory_alloc
#include "common/graph/graph.h" // struct graph, INF
#include "solve/grid.h"         // grid_use

#include <math.h>

/* How many vertices `source` reaches, itself included, but no more than `most`; *hops: how many
 * edges it takes to the last of them, if that is more. seen[v] == mark if this search has been at
 * v. */
static int32_t count_reached(const struct graph *g, int32_t source, int32_t most, int32_t *seen,
                             int32_t mark, int32_t *queue, int32_t *hops) {
    int32_t reached = 1, level = 0, end = 1; /* of the vertices at the level */
    queue[0] = source;
    seen[source] = mark;
    for (int32_t next = 0; next < reached && reached < most; next++) {
        const int32_t u = queue[next];
        if (next == end) {
            level++;
            end = reached;
        }
        for (int64_t e = g->first[u]; e < g->first[u + 1] && reached < most; e++) {
            const int32_t v = g->head[e];
            if (seen[v] == mark)
                continue;
            seen[v] = mark;
            queue[reached++] = v;
        }
    }
    level += reached > end;
    *hops = level > *hops ? level : *hops;
    return reached;
}

enum status features_look_at_structure(const struct graph *g, struct features *features,
                                       struct error *err) {
    enum { SOURCES = 32, ENOUGH = 20 };
    const int32_t most = g->n / ENOUGH > 1 ? g->n / ENOUGH : 1;
    const int32_t sources = g->n < SOURCES ? g->n : SOURCES;
    int32_t hops = 0;
    double sum = 0;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)g->n, FEATURES_MEMORY, "a look at the graph", err));
    int32_t *seen = memory, *queue = seen + g->n;
    for (int32_t v = 0; v < g->n; v++)
        seen[v] = -1;
    for (int32_t s = 0; s < sources; s++) {
        const int32_t source = (int32_t)((int64_t)s * g->n / sources);
        const int32_t reached = count_reached(g, source, most, seen, s, queue, &hops);
        sum += reached < most ? (double)reached / g->n : 1;
    }
    memory_free(memory);
    /* Integers solve it then (by_spacings.h). */
    const bool by_spacings = grid_fits_int32(g);
    const bool is_real = g->type != NUMBER_INT32 && !by_spacings;
    const double unit = by_spacings ? g->spacing : 1;
    *features = (struct features){
        .n = g->n,
        .m = g->m,
        .type = is_real ? g->type : NUMBER_INT32,
        .grid = is_real ? grid_use(g) : GRID_NONE,
        .max_weight = is_real ? 0 : (int32_t)fmin(g->max_weight / unit, INT32_MAX),
        .min_weight = is_real ? -(g->min_weight < 0) : (int32_t)(g->min_weight / unit),
        .degree = (double)g->m / g->n,
        .reach = sum / sources,
        .hops = hops,
    };
    return STATUS_OK;
}

void features_suppose(int32_t n, int64_t m, struct features *features) {
    const double degree = (double)m / n;
    *features = (struct features){
        .n = n,
        .m = m,
        .max_weight = 1,
        .min_weight = 1,
        .degree = degree,
        /* Below one edge to a vertex there is no giant component (Erdos and Renyi 1960). */
        .reach = degree > 1 ? 1 : 1.0 / n,
        .narrow = true,
        .bounded = true,
        .deep = true,
        .hops = degree > 1 ? 3 * log((double)n) / log(1 + degree) : 1,
        .longest = 1,
    };
}

struct features features_at_worst(const struct features *features) {
    struct features worst = *features;
    worst.narrow = features->narrow && features->bounded;
    if (!features->deep) {
        worst.hops = features->n;
        worst.longest = INF;
    }
    return worst;
}
