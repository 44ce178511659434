// SPDX-License-Identifier: MIT
#include "solve/weak_components.h"

#include "common/base/memory.h" // memory_alloc

#include <string.h>

/* Returns the lowest vertex that v is known to be joined to, and shortens the path to it. */
static int32_t root_of(int32_t *above, int32_t v) {
    while (above[v] != v) {
        above[v] = above[above[v]];
        v = above[v];
    }
    return v;
}

/* Joins the ends of all edges; returns the number of sets left. */
static int32_t join(const struct graph *g, int32_t *above) {
    int32_t sets = g->n;
    for (int32_t v = 0; v < g->n; v++)
        above[v] = v;
    for (int32_t u = 0; u < g->n; u++) {
        int32_t from = root_of(above, u);
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t to = root_of(above, g->head[e]);
            if (from == to)
                continue;
            above[from > to ? from : to] = from < to ? from : to;
            from = from < to ? from : to;
            if (--sets == 1)
                return sets;
        }
    }
    return sets;
}

enum status weak_components_find(const struct graph *g, struct weak_components *components,
                                 struct error *err) {
    void *of = NULL, *size = NULL;
    enum status status;
    *components = (struct weak_components){.count = 1};
    TRY(memory_alloc(&of, (size_t)g->n, sizeof *components->of, "the components", err));
    int32_t *const above = of;
    const int32_t count = join(g, above);
    if (count == 1)
        goto cleanup;
    TRY(memory_alloc(&size, (size_t)count, sizeof *components->size, "the components", err));
    *components = (struct weak_components){count, of, size};
    of = size = NULL;
    memset(components->size, 0, (size_t)count * sizeof *components->size);
    int32_t numbered = 0;
    /* above[v] <= v, so the vertex above v has its component already */
    for (int32_t v = 0; v < g->n; v++) {
        components->of[v] = above[v] == v ? numbered++ : components->of[above[v]];
        components->size[components->of[v]]++;
    }
cleanup:
    memory_free(of);
    memory_free(size);
    return status;
}

void weak_components_free(struct weak_components *components) {
    memory_free(components->of);
    memory_free(components->size);
    *components = (struct weak_components){0};
}
