// SPDX-License-Identifier: MIT
#include "cpu/parts/predecessors.h"

#include "common/base/memory.h"             // memory_alloc
#include "cpu/parts/predecessors_kernels.h" // struct predecessors_width, struct edges_into
#include "solve/prefix_sums.h"              // prefix_sums_of_counts

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* The edges that are shortest paths themselves, which are kept. */
struct kept {
    int32_t *out_degree; /* number of kept edges out of each vertex, n entries */
    int32_t *head;  /* heads of kept edges, m entries: those out of u from head[g->first[u]] on */
    int64_t *first; /* n + 1 entries; first, tail and weight are the arrays of struct edges_into */
    int32_t *tail, *weight;
    int64_t *into;       /* threads x n counts of edges into each vertex; later their places */
    unsigned char *flag; /* m entries: 1 if the edge is kept, otherwise 0 */
};

struct derivation {
    const struct predecessors_task *task;
    const struct graph *g;
    const struct matrix *dist, *pred;
    const struct predecessors_width *kernel;
    struct kept kept;
    char *strips;       /* two strips for each thread, distances and predecessors */
    size_t strip_bytes; /* bytes of one strip */
};

/* The first row of a thread. */
static int32_t first_row(int32_t n, int thread, int threads) {
    return (int32_t)((int64_t)n * thread / threads);
}

/* Flags the edges to keep, of those that begin at sources of own rows. */
static void flag_edges(struct derivation *d) {
    const struct graph *const g = d->g;
    unsigned char *const flag = d->kept.flag;
    if (d->task->sources.count < g->n)
        memset(flag, 0, (size_t)g->m);
#pragma omp parallel for num_threads(d->task->threads) schedule(static)
    for (int32_t p = 0; p < d->task->sources.count; p++) {
        const int32_t *const row = matrix_row(d->dist, p), u = row_source(&d->task->sources, p);
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            flag[e] = g->weight[e] == row[g->head[e]] && g->weight[e] < INF;
    }
}

/* Counts the kept edges out of u, and stores their heads one after the other. */
static void keep_edges_of(struct derivation *d, int32_t u, int64_t *into) {
    const struct graph *g = d->g;
    int32_t *const head = d->kept.head + g->first[u];
    int32_t count = 0;
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        head[count] = g->head[e];
        count += d->kept.flag[e];
    }
    for (int32_t k = 0; k < count; k++)
        into[head[k]]++;
    d->kept.out_degree[u] = count;
}

/* Sorts the kept edges by their heads, as thread `thread` of `threads`. */
static void keep_edges(struct derivation *d, int thread, int threads) {
    const struct graph *g = d->g;
    struct kept *kept = &d->kept;
    const int32_t begin = first_row(g->n, thread, threads),
                  end = first_row(g->n, thread + 1, threads);
    int64_t *const into = kept->into + (size_t)thread * (size_t)g->n;
    memset(into, 0, (size_t)g->n * sizeof *into);
    for (int32_t u = begin; u < end; u++)
        keep_edges_of(d, u, into);
#pragma omp barrier
#pragma omp single
    prefix_sums_of_counts(kept->into, threads, NULL, g->n, kept->first);
    for (int32_t u = begin; u < end; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            if (!kept->flag[e])
                continue;
            const int64_t at = into[g->head[e]]++;
            kept->tail[at] = u;
            kept->weight[at] = g->weight[e];
        }
    }
#pragma omp barrier
}

/* Derives the strip of rows from position `first` on. */
static void derive_strip(const struct derivation *d, int32_t first, void *dist, void *pred) {
    const struct row_sources *const sources = &d->task->sources;
    const int32_t n = d->g->n, lanes = (int32_t)(STRIP_BYTES / d->kernel->cell_size);
    const int count = sources->count - first < lanes ? sources->count - first : lanes;
    const struct kept *kept = &d->kept;
    const struct edges_into edges = {kept->first, kept->tail, kept->weight};
    d->kernel->begin(matrix_row(d->dist, first), d->dist->ld, count, n, dist, pred);
    for (int lane = 0; lane < count; lane++) {
        const int32_t i = row_source(sources, first + lane);
        d->kernel->set(pred, lane, i, kept->head + d->g->first[i], kept->out_degree[i]);
        d->kernel->set(pred, lane, i, &i, 1); /* so that i looks for none; undone below */
    }
    d->kernel->find(&edges, n, dist, pred);
    d->kernel->end(pred, count, n, matrix_row(d->pred, first), d->pred->ld);
    for (int32_t p = first; p < first + count; p++)
        matrix_row(d->pred, p)[row_source(sources, p)] = -1;
}

static void derive(struct derivation *d, int thread, int threads) {
    const int32_t lanes = (int32_t)(STRIP_BYTES / d->kernel->cell_size);
    char *const dist = d->strips + 2 * (size_t)thread * d->strip_bytes;
    keep_edges(d, thread, threads);
#pragma omp for schedule(dynamic)
    for (int32_t first = 0; first < d->task->sources.count; first += lanes) {
        if (progress_goes_on(d->task->progress))
            derive_strip(d, first, dist, dist + d->strip_bytes);
    }
}

static size_t kept_bytes(size_t n, size_t m, int threads) {
    return (n * ((size_t)threads + 1) + 1) * sizeof(int64_t) + (n + 3 * m) * sizeof(int32_t) + m;
}

uint64_t predecessors_memory(int32_t n, int64_t m, int threads) {
    return kept_bytes((size_t)n, (size_t)m, threads) +
           2 * (uint64_t)threads * (uint64_t)n * STRIP_BYTES;
}

/* Puts all arrays, those of 64-bit numbers first, into one allocation, which begins at `first`. */
static enum status kept_alloc(struct kept *kept, const struct graph *g, int threads,
                              struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, kept_bytes(n, m, threads), 1,
                                   "the edges that are shortest paths", err));
    kept->first = memory;
    kept->into = kept->first + n + 1;
    kept->out_degree = (int32_t *)(kept->into + n * (size_t)threads);
    kept->head = kept->out_degree + n;
    kept->tail = kept->head + m;
    kept->weight = kept->tail + m;
    kept->flag = (unsigned char *)(kept->weight + m);
    return STATUS_OK;
}

static enum status allocate(struct derivation *d, void **strips, struct error *err) {
    const int threads = d->task->threads;
    RETURN_ON_FAILURE(kept_alloc(&d->kept, d->g, threads, err));
    RETURN_ON_FAILURE(
        memory_alloc(strips, 2 * (size_t)threads, d->strip_bytes, "strips of sources", err));
    d->strips = *strips;
    return STATUS_OK;
}

enum status predecessors_derive(const struct predecessors_task *task, struct matrix *pred,
                                struct error *err) {
    const struct graph *const g = task->graph;
    const bool narrow = task->longest < INT16_MAX && g->n <= UINT16_MAX;
    struct derivation d = {.task = task, .g = g, .dist = task->dist, .pred = pred};
    void *strips = NULL;
    d.kernel =
        narrow ? predecessors_kernels(task->isa)->narrow : predecessors_kernels(task->isa)->wide;
    d.strip_bytes = (size_t)g->n * STRIP_BYTES;
    enum status status = STATUS_OK;
    TRY(ranks_agree(task->ranks, allocate(&d, &strips, err), err));
    flag_edges(&d);
    TRY(ranks_any(task->ranks, d.kept.flag, (size_t)g->m, err));
#pragma omp parallel num_threads(task->threads)
    derive(&d, omp_get_thread_num(), omp_get_num_threads());
cleanup:
    memory_free(strips);
    memory_free(d.kept.first);
    return status;
}
