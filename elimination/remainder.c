// SPDX-License-Identifier: MIT
#include "elimination/remainder.h"

#include "common/base/chunks.h"  // prefix_sums
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // omp_get_thread_num

#include <string.h>

void remainder_free(struct remainder *r) {
    memory_free(r->memory);
    memory_free(r->first_clique);
    memory_free((void *)r->clique);
    pattern_free(&r->pattern);
}

/* Loops over the cliques of all clusters; each clique starts with its size. */
#define FOR_CLIQUES(of, name)                                                                      \
    for (int32_t c = 0; c < (of)->clusters; c++)                                                   \
        for (const int32_t *name = (of)->found[c].clique,                                          \
                           *cliques_end = name + (of)->found[c].cliques_length;                    \
             name < cliques_end; name += 1 + name[0])

static enum status find_cliques(const struct remainder_request *of, struct remainder *r,
                                struct error *err) {
    void *first, *clique;
    RETURN_ON_FAILURE(
        memory_alloc(&first, (size_t)r->n + 1, sizeof(int64_t), "the order of elimination", err));
    r->first_clique = first;
    memset(first, 0, ((size_t)r->n + 1) * sizeof(int64_t));
    FOR_CLIQUES(of, one) {
        for (int32_t k = 1; k <= one[0]; k++)
            r->first_clique[r->number[one[k]]]++;
    }
    int64_t sum = 0;
    for (int32_t v = 0; v <= r->n; v++) {
        sum += r->first_clique[v];
        r->first_clique[v] = sum; /* end of the vertex's list; storing its cliques moves it back to
                                     the beginning */
    }
    RETURN_ON_FAILURE(
        memory_alloc(&clique, (size_t)sum, sizeof *r->clique, "the order of elimination", err));
    r->clique = clique;
    FOR_CLIQUES(of, one) {
        for (int32_t k = 1; k <= one[0]; k++)
            r->clique[--r->first_clique[r->number[one[k]]]] = one;
    }
    return STATUS_OK;
}

/* Returns an upper bound of the number of neighbours of vertex v of the remainder. */
static int64_t room_for(const struct remainder_request *of, const struct remainder *r, int32_t v) {
    const struct pattern *const p = of->pattern;
    int64_t room = p->first[r->vertex[v] + 1] - p->first[r->vertex[v]];
    for (int64_t k = r->first_clique[v]; k < r->first_clique[v + 1]; k++)
        room += r->clique[k][0] - 1;
    return room;
}

/* Appends the neighbours of v. Returns their number. mark: n numbers of scratch, none of which is
 * v. */
static int64_t join(const struct remainder_request *of, const struct remainder *r, int32_t v,
                    int32_t *mark, int32_t *to) {
    const struct pattern *const p = of->pattern;
    int64_t count = 0;
    mark[v] = v;
    for (int64_t e = p->first[r->vertex[v]]; e < p->first[r->vertex[v] + 1]; e++) {
        if (!of->is_left[p->neighbour[e]])
            continue;
        const int32_t u = r->number[p->neighbour[e]];
        mark[u] = v;
        to[count++] = u;
    }
    for (int64_t k = r->first_clique[v]; k < r->first_clique[v + 1]; k++) {
        for (int32_t i = 1; i <= r->clique[k][0]; i++) {
            const int32_t u = r->number[r->clique[k][i]];
            if (mark[u] == v)
                continue;
            mark[u] = v;
            to[count++] = u;
        }
    }
    return count;
}

/* Each list of neighbours is first written where there is room for all it can have; then the lists
 * move together. */
enum status remainder_find(const struct remainder_request *of, int32_t eliminated,
                           struct remainder *r, struct error *err) {
    const int32_t all = of->pattern->n;
    void *first, *neighbour, *counts = NULL, *marks = NULL;
    enum status status;
    *r = (struct remainder){.n = all - eliminated};
    TRY(memory_alloc(&r->memory, (size_t)all + (size_t)r->n, sizeof(int32_t),
                     "the order of elimination", err));
    r->number = r->memory;
    r->vertex = r->number + all;
    for (int32_t v = 0, k = 0; v < all; v++) {
        r->number[v] = k;
        if (of->is_left[v])
            r->vertex[k++] = v;
    }
    TRY(find_cliques(of, r, err));
    TRY(memory_alloc(&first, (size_t)r->n + 1, sizeof(int64_t), "the order of elimination", err));
    r->pattern = (struct pattern){.n = r->n, .first = first};
    TRY(memory_alloc(&counts, (size_t)r->n, sizeof(int64_t), "the order of elimination", err));
    TRY(memory_alloc(&marks, (size_t)r->n, (size_t)of->threads * sizeof(int32_t),
                     "the order of elimination", err));
    int64_t *const count = counts, *const begin = r->pattern.first;
#pragma omp parallel for num_threads(of->threads) schedule(static)
    for (int32_t v = 0; v < r->n; v++)
        begin[v] = room_for(of, r, v);
    prefix_sums(begin, r->n, of->threads);
    TRY(memory_alloc(&neighbour, (size_t)begin[r->n], sizeof(int32_t), "the order of elimination",
                     err));
    r->pattern.neighbour = neighbour;
#pragma omp parallel num_threads(of->threads)
    {
        int32_t *const mark = (int32_t *)marks + (size_t)omp_get_thread_num() * (size_t)r->n;
        memset(mark, -1, (size_t)r->n * sizeof *mark);
#pragma omp for schedule(dynamic, 256)
        for (int32_t v = 0; v < r->n; v++)
            count[v] = join(of, r, v, mark, r->pattern.neighbour + begin[v]);
    }
    int64_t sum = 0;
    for (int32_t v = 0; v < r->n; v++) {
        memmove(r->pattern.neighbour + sum, r->pattern.neighbour + begin[v],
                (size_t)count[v] * sizeof(int32_t));
        begin[v] = sum;
        sum += count[v];
    }
    begin[r->n] = sum;

cleanup:
    memory_free(counts);
    memory_free(marks);
    return status;
}
