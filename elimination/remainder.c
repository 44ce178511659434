// SPDX-License-Identifier: MIT
#include "elimination/remainder.h"

#include "common/base/chunks.h" // chunk_begin, prefix_sums
#include "common/base/memory.h" // memory_alloc

void remainder_free(struct remainder *r) {
    memory_free(r->memory);
    clique_graph_free(&r->graph);
}

/* Numbers the vertices that are left. number: by vertex of the pattern, set for these. */
static enum status number_vertices(const struct remainder_request *of, struct remainder *r,
                                   int32_t *number, struct error *err) {
    const int chunks = chunks_for(of->threads);
    const int64_t n = of->pattern->n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)chunks + 1, sizeof(int64_t),
                                   "the order of elimination", err));
    int64_t *const count = memory;
#pragma omp parallel for num_threads(of->threads) schedule(static)
    for (int c = 0; c < chunks; c++) {
        count[c] = 0;
        for (int64_t v = chunk_begin(n, chunks, c); v < chunk_begin(n, chunks, c + 1); v++)
            count[c] += of->is_left[v] != 0;
    }
    prefix_sums(count, chunks, 1);
#pragma omp parallel for num_threads(of->threads) schedule(static)
    for (int c = 0; c < chunks; c++) {
        int32_t next = (int32_t)count[c];
        for (int64_t v = chunk_begin(n, chunks, c); v < chunk_begin(n, chunks, c + 1); v++) {
            if (!of->is_left[v])
                continue;
            r->vertex[next] = (int32_t)v;
            number[v] = next++;
        }
    }
    memory_free(memory);
    return STATUS_OK;
}

/* Loops over the cliques of a cluster; each clique starts with its size. */
#define FOR_CLIQUES(cluster, name)                                                                 \
    for (const int32_t *name = (cluster)->clique, *end = name + (cluster)->cliques_length;         \
         name < end; name += 1 + name[0])

/* Stores the cliques of all clusters. count: clusters + 1 numbers of scratch. */
static enum status find_cliques(const struct remainder_request *of, struct clique_graph *g,
                                const int32_t *number, int64_t *count, struct error *err) {
    void *first, *member;
    int64_t members = 0;
#pragma omp parallel for num_threads(of->threads) schedule(dynamic, 1) reduction(+ : members)
    for (int32_t c = 0; c < of->clusters; c++) {
        count[c] = 0;
        FOR_CLIQUES(&of->found[c], one) {
            count[c]++;
        }
        members += of->found[c].cliques_length - count[c];
    }
    prefix_sums(count, of->clusters, 1);
    g->cliques = (int32_t)count[of->clusters];
    RETURN_ON_FAILURE(memory_alloc(&first, (size_t)g->cliques + 1, sizeof(int64_t),
                                   "the order of elimination", err));
    g->first_member = first;
    RETURN_ON_FAILURE(
        memory_alloc(&member, (size_t)members, sizeof(int32_t), "the order of elimination", err));
    g->member = member;
#pragma omp parallel for num_threads(of->threads) schedule(dynamic, 1)
    for (int32_t c = 0; c < of->clusters; c++) {
        int64_t clique = count[c];
        FOR_CLIQUES(&of->found[c], one) {
            g->first_member[clique++] = one[0];
        }
    }
    prefix_sums(g->first_member, g->cliques, of->threads);
#pragma omp parallel for num_threads(of->threads) schedule(dynamic, 1)
    for (int32_t c = 0; c < of->clusters; c++) {
        int32_t *to = g->member + g->first_member[count[c]];
        FOR_CLIQUES(&of->found[c], one) {
            for (int32_t k = 1; k <= one[0]; k++)
                *to++ = number[one[k]];
        }
    }
    return STATUS_OK;
}

/* Stores the edges of the pattern between vertices that are left. */
static enum status find_edges(const struct remainder_request *of, struct remainder *r,
                              const int32_t *number, struct error *err) {
    const struct pattern *const p = of->pattern;
    struct clique_graph *const g = &r->graph;
    void *first, *neighbour;
    RETURN_ON_FAILURE(
        memory_alloc(&first, (size_t)g->n + 1, sizeof(int64_t), "the order of elimination", err));
    g->first_edge = first;
#pragma omp parallel for num_threads(of->threads) schedule(static)
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t v = r->vertex[k];
        g->first_edge[k] = 0;
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++)
            g->first_edge[k] += of->is_left[p->neighbour[e]] != 0;
    }
    prefix_sums(g->first_edge, g->n, of->threads);
    RETURN_ON_FAILURE(memory_alloc(&neighbour, (size_t)g->first_edge[g->n], sizeof(int32_t),
                                   "the order of elimination", err));
    g->neighbour = neighbour;
#pragma omp parallel for num_threads(of->threads) schedule(static)
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t v = r->vertex[k];
        int32_t *to = g->neighbour + g->first_edge[k];
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            if (of->is_left[p->neighbour[e]])
                *to++ = number[p->neighbour[e]];
        }
    }
    return STATUS_OK;
}

enum status remainder_find(const struct remainder_request *of, int32_t eliminated,
                           struct remainder *r, struct error *err) {
    const size_t all = (size_t)of->pattern->n, n = all - (size_t)eliminated;
    void *numbers = NULL, *counts = NULL;
    enum status status;
    *r = (struct remainder){.graph.n = (int32_t)n};
    TRY(memory_alloc(&r->memory, n, sizeof(int32_t), "the order of elimination", err));
    r->vertex = r->memory;
    TRY(memory_alloc(&numbers, all, sizeof(int32_t), "the order of elimination", err));
    TRY(memory_alloc(&counts, (size_t)of->clusters + 1, sizeof(int64_t), "the order of elimination",
                     err));
    TRY(number_vertices(of, r, numbers, err));
    TRY(find_cliques(of, &r->graph, numbers, counts, err));
    TRY(find_edges(of, r, numbers, err));

cleanup:
    memory_free(numbers);
    memory_free(counts);
    return status;
}
