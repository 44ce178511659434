// SPDX-License-Identifier: MIT
#include "accessibility/searches.h"

#include "common/base/exp_kernels.h" // exp_kernels
#include "common/base/lowest_failure.h"
#include "common/base/memory.h" // memory_alloc
#include "solve/dijkstra.h"     // dijkstra_search

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 }; /* number of targets whose factors are found at a time */

static const char what[] = "accessibility";

/* Data that all threads share. */
struct access_shared {
    const struct access_searches *asked;
    const struct exp_kernels *kernels;
    bool *has_mass;     /* by vertex, n entries: some mass of the vertex is not 0 */
    int32_t *by_length; /* numbers of the limits, ascending by limit, `limits` entries */
    double beyond;      /* searches end at this distance; infinite: they go to all vertices */
};

/* Memory of one thread. */
struct access_searcher {
    struct dijkstra queue;
    double *dist;   /* distances, n entries, infinite between searches */
    int32_t *order; /* vertices that a search has reached, n entries */
    double *sum;    /* sum of each mass over the vertices visited so far, masses entries */
};

static enum status shared_alloc(struct access_shared *s, struct error *err) {
    const struct accessibility_request *const r = s->asked->request;
    const size_t n = (size_t)r->graph->n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *s->has_mass, what, err));
    s->has_mass = memory;
    for (size_t v = 0; v < n; v++) {
        s->has_mass[v] = false;
        for (int32_t m = 0; m < r->masses; m++)
            s->has_mass[v] |= r->mass[v * (size_t)r->masses + (size_t)m] != 0;
    }
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)r->limits, sizeof(int32_t), what, err));
    s->by_length = memory;
    for (int32_t j = 0; j < r->limits; j++) { /* a simple sort, since limits are few */
        int32_t at = j;
        for (; at > 0 && r->limit[s->by_length[at - 1]] > r->limit[j]; at--)
            s->by_length[at] = s->by_length[at - 1];
        s->by_length[at] = j;
    }
    s->beyond = (double)INFINITY;
    if (s->asked->decayed == NULL)
        s->beyond = nextafter(r->limit[s->by_length[r->limits - 1]], (double)INFINITY);
    return STATUS_OK;
}

static void shared_free(struct access_shared *s) {
    memory_free(s->has_mass);
    memory_free(s->by_length);
}

static enum status searcher_alloc(struct access_searcher *w, const struct access_shared *s,
                                  struct error *err) {
    const size_t n = (size_t)s->asked->graph->n;
    void *memory;
    *w = (struct access_searcher){.dist = NULL};
    RETURN_ON_FAILURE(dijkstra_alloc(&w->queue, s->asked->graph->n, true, err));
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *w->dist, what, err));
    w->dist = memory;
    for (size_t v = 0; v < n; v++)
        w->dist[v] = (double)INFINITY;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *w->order, what, err));
    w->order = memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)s->asked->request->masses, sizeof *w->sum, what, err));
    w->sum = memory;
    return STATUS_OK;
}

static void searcher_free(struct access_searcher *w) {
    dijkstra_free(&w->queue);
    memory_free(w->dist);
    memory_free(w->order);
    memory_free(w->sum);
}

static void add_mass(const struct accessibility_request *r, int32_t v, double by, double *to) {
    const double *const mass = r->mass + (size_t)v * (size_t)r->masses;
    for (int32_t m = 0; m < r->masses; m++)
        to[m] += by * mass[m];
}

/* Adds the decayed sums of a source over the vertices order[0 .. reached - 1]. */
static void add_decayed(const struct access_shared *s, const struct access_searcher *w,
                        int32_t reached, double *to) {
    const struct accessibility_request *const r = s->asked->request;
    for (int32_t k = 0; k < reached;) {
        _Alignas(64) double length[BLOCK] = {0}, factor[BLOCK];
        int32_t vertex[BLOCK], count = 0;
        for (; k < reached && count < BLOCK; k++) {
            const int32_t v = w->order[k];
            if (!s->has_mass[v])
                continue;
            vertex[count] = v;
            length[count++] = w->dist[v];
        }
        for (int32_t j = 0; j < r->decays && count > 0; j++) {
            memset(w->sum, 0, (size_t)r->masses * sizeof *w->sum);
            s->kernels->of_lengths(length, exp_padded(count), 1 / r->decay[j], factor);
            for (int32_t i = 0; i < count; i++)
                add_mass(r, vertex[i], factor[i], w->sum);
            for (int32_t m = 0; m < r->masses; m++)
                to[(size_t)j * (size_t)r->masses + (size_t)m] += w->sum[m];
        }
    }
}

/* Finds, for each limit, the sums over the vertices within it; order[] ascends by distance. */
static void find_within(const struct access_shared *s, const struct access_searcher *w,
                        int32_t reached, double *to) {
    const struct accessibility_request *const r = s->asked->request;
    const size_t bytes = (size_t)r->masses * sizeof *to;
    int32_t passed = 0;
    memset(w->sum, 0, bytes);
    for (int32_t k = 0; k < r->limits; k++) {
        const int32_t j = s->by_length[k];
        for (; passed < reached && w->dist[w->order[passed]] <= r->limit[j]; passed++) {
            if (s->has_mass[w->order[passed]])
                add_mass(r, w->order[passed], 1, w->sum);
        }
        memcpy(to + (size_t)j * (size_t)r->masses, w->sum, bytes);
    }
}

static void search_from(const struct access_shared *s, const struct access_searcher *w,
                        int32_t row) {
    const struct access_searches *const asked = s->asked;
    const struct accessibility_request *const r = asked->request;
    const int32_t source = row_source(&r->sources, row);
    const int32_t reached = dijkstra_search(&w->queue, asked->graph, NULL, &source, 1, s->beyond,
                                            w->dist, NULL, w->order);
    if (asked->decayed != NULL)
        add_decayed(s, w, reached,
                    asked->decayed + (size_t)row * (size_t)r->decays * (size_t)r->masses);
    if (asked->within != NULL)
        find_within(s, w, reached,
                    asked->within + (size_t)row * (size_t)r->limits * (size_t)r->masses);
    for (int32_t k = 0; k < reached; k++)
        w->dist[w->order[k]] = (double)INFINITY;
}

enum status access_search_all(const struct access_searches *asked, struct error *err) {
    enum { EACH = 16 }; /* number of sources that a thread takes at a time */
    const struct accessibility_request *const r = asked->request;
    const int32_t count = r->sources.count;
    const int threads = asked->threads < count ? asked->threads : count;
    struct access_shared s = {.asked = asked, .kernels = exp_kernels(asked->isa)};
    int32_t done = 0;
    struct lowest_failure failed;
    enum status status;
    lowest_failure_begin(&failed);
    TRY(shared_alloc(&s, err));
#pragma omp parallel num_threads(threads)
    {
        struct access_searcher w;
        struct error mine;
        const enum status own = searcher_alloc(&w, &s, &mine);
        w.queue.progress = r->progress;
        if (own != STATUS_OK)
            lowest_failure_note(&failed, -1, own, &mine);
#pragma omp barrier
#pragma omp for schedule(dynamic, EACH)
        for (int32_t row = 0; row < count; row++) {
            int32_t before;
            if (!lowest_failure_allows(&failed, row) || !progress_goes_on(r->progress))
                continue;
            search_from(&s, &w, row);
#pragma omp atomic capture
            before = done++;
            if (omp_get_thread_num() == 0)
                progress_report(r->progress, before + 1, count);
        }
        searcher_free(&w);
    }
    status = lowest_failure_end(&failed, err);
    if (status == STATUS_OK && !progress_goes_on(r->progress))
        status = progress_cancelled(err);

cleanup:
    shared_free(&s);
    return status;
}

double access_searches_s(const struct graph *g, int32_t sources, int threads) {
    /* Nanoseconds of one search on one thread, for each vertex and for each edge. */
    const double vertex_ns = 100, edge_ns = 15;
    return sources * (vertex_ns * g->n + edge_ns * (double)g->m) * 1e-9 / threads;
}
