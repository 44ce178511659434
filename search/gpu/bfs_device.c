// SPDX-License-Identifier: MIT
#include "common/base/clock.h" // clock_seconds

#ifndef APSP_NO_CUDA

#include "search/gpu/bfs_device.h"

#include "common/base/memory.h"   // memory_alloc
#include "gpu/launch/gpu_error.h" // gpu_check

static enum status alloc(struct bfs_device *d, void **memory, size_t bytes, struct error *err) {
    return device_memory_alloc(&d->memory, memory, bytes, "allocating sets of sources", err);
}

/* Lists the vertices that blocks take, and the units that warps take. A unit is neighbouring
 * vertices with together about `edges` edges. */
static enum status upload_units(struct bfs_device *d, struct error *err) {
    const int32_t n = d->asked->graph->n, steps = d->asked->graph->steps;
    const int64_t *const first = d->asked->graph->first_in;
    /* The edges of a unit: so few that there are units for all warps, but not too many units. */
    const int64_t share = d->asked->graph->m >> 16;
    const int64_t edges = share < 64 ? 64 : share > 512 ? 512 : share;
    struct gpu_bfs *const b = &d->search;
    const void *hubs, *units;
    void *memory = NULL, *listed = NULL;
    int64_t taken = 0;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)n, sizeof(int32_t), "the vertices of many edges", err));
    TRY(memory_alloc(&listed, (size_t)n, sizeof(struct bfs_unit), "the units of work", err));
    int32_t *const hub = memory;
    struct bfs_unit *const unit = listed;
    b->hubs = b->units = 0;
    for (int32_t k = 0; k < n; k++) {
        const int64_t *const begin = &first[(int64_t)k * steps];
        const int64_t own = begin[steps] - begin[0];
        if (own >= BFS_HUB) {
            hub[b->hubs++] = k;
        } else if (own > 0) {
            if (b->units == 0 || unit[b->units - 1].word != k / 32 || taken + own > edges) {
                unit[b->units++] = (struct bfs_unit){.word = k / 32};
                taken = 0;
            }
            unit[b->units - 1].vertices |= (uint32_t)1 << k % 32;
            taken += own;
        }
    }
    TRY(device_memory_upload(&d->memory, hub, (size_t)b->hubs, sizeof *hub, &hubs, err));
    TRY(device_memory_upload(&d->memory, unit, (size_t)b->units, sizeof *unit, &units, err));
    b->hub = hubs;
    b->unit = units;
cleanup:
    memory_free(memory);
    memory_free(listed);
    return status;
}

static enum status upload(struct bfs_device *d, struct error *err) {
    const struct bfs_graph *const g = d->asked->graph;
    const size_t n = (size_t)g->n, groups = n * (size_t)g->steps;
    const void *starts, *tails, *numbers, *weights = NULL;
    RETURN_ON_FAILURE(device_memory_upload(&d->memory, g->first_in, groups + 1, sizeof *g->first_in,
                                           &starts, err));
    RETURN_ON_FAILURE(
        device_memory_upload(&d->memory, g->tail, (size_t)g->m, sizeof *g->tail, &tails, err));
    if (g->steps > 1)
        RETURN_ON_FAILURE(device_memory_upload(&d->memory, g->weight_in, (size_t)g->m,
                                               sizeof *g->weight_in, &weights, err));
    RETURN_ON_FAILURE(device_memory_upload(&d->memory, d->asked->number, n,
                                           sizeof *d->asked->number, &numbers, err));
    d->search.steps = g->steps;
    d->search.weight = weights;
    d->search.first = starts;
    d->search.tail = tails;
    d->search.number = numbers;
    return upload_units(d, err);
}

/* Allocates the counts of each level, set to 0. */
static enum status alloc_counts(struct bfs_device *d, size_t width, uint32_t **counts,
                                struct error *err) {
    const size_t bytes = BFS_LEVELS * width * sizeof(uint32_t);
    void *memory;
    RETURN_ON_FAILURE(alloc(d, &memory, bytes, err));
    *counts = memory;
    return gpu_check(cudaMemset(memory, 0, bytes), "forgetting counts", err);
}

static enum status allocate(struct bfs_device *d, struct error *err) {
    const size_t n = (size_t)d->asked->graph->n, sets = n * BFS_SET_WORDS * sizeof(uint32_t);
    struct gpu_bfs *const b = &d->search;
    b->n = d->asked->graph->n;
    b->words = (n + 31) / 32;
    b->sources = d->asked->sources;
    b->pitch = sources_padded(b->sources);
    RETURN_ON_FAILURE(alloc(d, (void **)&b->seen, sets, err));
    RETURN_ON_FAILURE(alloc(d, (void **)&b->fresh, ((size_t)b->steps + 1) * sets, err));
    RETURN_ON_FAILURE(alloc(d, (void **)&b->active, BFS_LEVELS * b->words * sizeof(uint32_t), err));
    RETURN_ON_FAILURE(alloc(d, (void **)&b->open, b->words * sizeof(uint32_t), err));
    RETURN_ON_FAILURE(alloc(d, (void **)&b->any, BFS_LEVELS * sizeof(int32_t), err));
    if (d->asked->proves != NULL) /* the proof counts instead */
        return STATUS_OK;
    if (d->asked->by_source)
        RETURN_ON_FAILURE(alloc_counts(d, b->pitch, &b->by_source, err));
    return d->asked->by_vertex ? alloc_counts(d, n, &b->by_vertex, err) : STATUS_OK;
}

static enum status open_proof(struct bfs_device *d, struct error *err) {
    const struct bfs_search *const asked = d->asked;
    const struct gpu_level_claim claim = {.graph = asked->proves,
                                          .unit = asked->unit,
                                          .steps = asked->graph->steps,
                                          .place = asked->graph->number,
                                          .source = asked->vertex,
                                          .sources = asked->sources,
                                          .levels = BFS_LEVELS,
                                          .last = asked->last,
                                          .by_source = asked->by_source,
                                          .by_vertex = asked->by_vertex};
    const double start = clock_seconds();
    for (int level = 0; level < BFS_LEVELS; level++) {
        RETURN_ON_FAILURE(
            gpu_check(cudaEventCreate(&d->before_proof[level]), "creating an event", err));
        RETURN_ON_FAILURE(
            gpu_check(cudaEventCreate(&d->after_proof[level]), "creating an event", err));
    }
    RETURN_ON_FAILURE(gpu_level_proof_open(&d->proof, &claim, err));
    device_memory_count(&d->memory, d->proof.bytes);
    d->prove_s += clock_seconds() - start;
    return STATUS_OK;
}

enum status bfs_device_open(struct bfs_device *d, const struct bfs_search *asked, bool *ready,
                            struct error *err) {
    const struct gpu_room room = d->memory.room;
    *d = (struct bfs_device){.asked = asked, .memory = {.room = room}};
    RETURN_ON_FAILURE(upload(d, err));
    RETURN_ON_FAILURE(allocate(d, err));
    if (asked->proves != NULL)
        RETURN_ON_FAILURE(open_proof(d, err));
    *ready = asked->proves == NULL || d->proof.is_ready;
    return STATUS_OK;
}

void bfs_device_close(struct bfs_device *d) {
    for (int level = 0; level < BFS_LEVELS; level++) {
        if (d->before_proof[level] != NULL)
            cudaEventDestroy(d->before_proof[level]);
        if (d->after_proof[level] != NULL)
            cudaEventDestroy(d->after_proof[level]);
    }
    gpu_level_proof_close(&d->proof);
    device_memory_free_since(&d->memory, 0);
}

/* Launches a level and, if levels are proved, its proof. */
static enum status launch_level(struct bfs_device *d, int32_t source, int32_t level,
                                struct error *err) {
    struct gpu_bfs *const b = &d->search;
    if (level == 0)
        RETURN_ON_FAILURE(gpu_bfs_begin(b, source, err));
    else
        RETURN_ON_FAILURE(gpu_bfs_level(b, source, level, err));
    if (!d->proof.is_ready)
        return STATUS_OK;
    const struct gpu_level checked = {
        .source = source,
        .level = level,
        .sets = b->fresh,
        .ring = b->steps + 1,
        .active = b->active,
    };
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(d->before_proof[level], NULL), "proving", err));
    RETURN_ON_FAILURE(gpu_level_proof_take(&d->proof, &checked, err));
    return gpu_check(cudaEventRecord(d->after_proof[level], NULL), "proving", err);
}

/* Ends the proof of a batch with `levels` levels. */
static enum status end_proof(struct bfs_device *d, int32_t levels, bool *proved,
                             struct error *err) {
    RETURN_ON_FAILURE(gpu_level_proof_end(&d->proof, proved, err));
    for (int32_t level = 0; level < levels; level++) {
        float ms;
        RETURN_ON_FAILURE(
            gpu_check(cudaEventElapsedTime(&ms, d->before_proof[level], d->after_proof[level]),
                      "proving", err));
        d->prove_s += 1e-3 * ms;
    }
    return STATUS_OK;
}

/* Returns whether no source is new at the last `steps` levels up to this one; then none will be. */
static bool is_quiet(const int32_t *any, int32_t level, int32_t steps) {
    for (int32_t k = level; k >= 0 && k > level - steps; k--) {
        if (any[k] != 0)
            return false;
    }
    return true;
}

/* Launches as many levels as an earlier batch had before it looks at what they have found. */
enum status bfs_device_search(struct bfs_device *d, int32_t source, bool *complete,
                              struct error *err) {
    const int32_t last = d->asked->last < BFS_MOST_LEVELS ? d->asked->last : BFS_MOST_LEVELS;
    const int32_t steps = d->search.steps;
    int32_t any[BFS_LEVELS], launched = -1;
    do {
        const int32_t more = launched < 0 ? d->deepest + steps : launched + 1;
        const int32_t to = more < last ? more : last;
        while (launched < to) {
            launched++;
            RETURN_ON_FAILURE(launch_level(d, source, launched, err));
        }
        RETURN_ON_FAILURE(gpu_check(
            cudaMemcpy(any, d->search.any, sizeof any, cudaMemcpyDeviceToHost), "searching", err));
    } while (launched < last && !is_quiet(any, launched, steps));
    for (int32_t level = 0; level <= launched; level++)
        d->deepest = any[level] != 0 && level > d->deepest ? level : d->deepest;
    bool proved = true;
    if (d->proof.is_ready)
        RETURN_ON_FAILURE(end_proof(d, launched + 1, &proved, err));
    *complete = proved && (is_quiet(any, launched, steps) || launched == d->asked->last);
    return STATUS_OK;
}

/* Adds counts of levels to totals. counted: `width` counts for each level, of which the first
 * `count` are those of to[at[k]], or of to[k] if `at` is NULL. */
static enum status add_counts(const struct bfs_device *d, const uint32_t *counted, size_t width,
                              int32_t count, const struct bfs_distance *distance, const int32_t *at,
                              struct row_totals *to, int64_t *pairs, uint32_t *scratch,
                              struct error *err) {
    for (int32_t level = 1; level <= d->deepest; level++) {
        const struct bfs_distance *const here = &distance[level];
        int64_t sum = 0;
        RETURN_ON_FAILURE(
            gpu_check(cudaMemcpy(scratch, counted + (size_t)level * width,
                                 (size_t)count * sizeof *counted, cudaMemcpyDeviceToHost),
                      "copying counts", err));
        for (int32_t k = 0; k < count; k++) {
            const uint32_t some = scratch[k];
            struct row_totals *const total = &to[at != NULL ? at[k] : k];
            if (some == 0)
                continue;
            total->sum += (int64_t)some * here->distance;
            total->high += some * here->high;
            total->low += some * here->low;
            total->reached += (int32_t)some;
            if (total->farthest < here->distance)
                total->farthest = here->distance;
            sum += some;
        }
        if (pairs != NULL)
            pairs[level] += sum;
    }
    return STATUS_OK;
}

enum status bfs_device_add_sources(const struct bfs_device *d, const struct bfs_distance *distance,
                                   const int32_t *at, struct row_totals *to, int64_t *pairs,
                                   uint32_t *scratch, struct error *err) {
    return add_counts(d, d->proof.is_ready ? d->proof.by_source : d->search.by_source,
                      d->search.pitch, d->asked->sources, distance, at, to, pairs, scratch, err);
}

enum status bfs_device_add_targets(const struct bfs_device *d, const struct bfs_distance *distance,
                                   struct row_totals *to, int64_t *pairs, uint32_t *scratch,
                                   struct error *err) {
    const bool proved = d->proof.is_ready; /* a proof counts by vertex, not by number */
    return add_counts(d, proved ? d->proof.by_vertex : d->search.by_vertex, (size_t)d->search.n,
                      d->search.n, distance, proved ? NULL : d->asked->graph->vertex, to, pairs,
                      scratch, err);
}

#endif
