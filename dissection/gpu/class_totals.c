// SPDX-License-Identifier: MIT
#include "dissection/gpu/class_totals.h"

#include "common/base/block_sizes.h" // block_sizes

#ifndef APSP_NO_CUDA

#include "classes/proportional_model.h" // gpu_class_regions
#include "common/base/clock.h"          // clock_seconds
#include "common/base/memory.h"         // memory_alloc
#include "dissection/gpu/crew.h"
#include "solve/delivery.h" // struct delivery

#include <string.h>

static struct proportional_graph eliminated(const struct crew *c) {
    return (struct proportional_graph){
        .tree = &c->d.tree, .structure = &c->d.structure, .lengths = c->d.lengths};
}

static enum status open_classes(void *self, struct error *err) {
    struct crew_gpu *const gpu = self;
    const struct crew *const c = gpu->crew;
    const struct proportional_graph g = eliminated(c);
    struct gpu_classes_options options = {.threads = c->threads,
                                          .progress = c->task->progress,
                                          .proves = c->proves ? c->task->graph : NULL};
    size_t left;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(device_memory_left(&gpu->memory, &left, err));
    options.room = left / 8 * 7;
    const enum status status = gpu_classes_open(&gpu->classes, &g, &c->regions, &options, err);
    gpu->times.prove += gpu->classes.prove_s;
    gpu->times.close += clock_seconds() - start - gpu->classes.prove_s - gpu->classes.transfer_s;
    device_memory_count(&gpu->memory, gpu->classes.fixed_bytes + gpu->classes.stack.size +
                                          gpu->classes.proof.bytes);
    gpu->memory.transfer_s += gpu->classes.transfer_s;
    return status;
}

/* Turns the classes of a GPU to the graph that the lengths are of. */
static enum status turn_classes(void *self, struct error *err) {
    struct crew_gpu *const gpu = self;
    const struct crew *const c = gpu->crew;
    const struct proportional_graph g = eliminated(c);
    const struct graph *const out = c->task->graph;
    struct graph in = {0};
    const double start = clock_seconds(), prove_s = gpu->classes.prove_s;
    enum status status;
    if (c->proves && c->reversed)
        TRY(graph_reverse(out, &in, err));
    const struct graph *const turned = c->reversed ? &in : out;
    status = gpu_classes_reverse(&gpu->classes, &g, c->proves ? turned : NULL, err);
    gpu->times.prove += gpu->classes.prove_s - prove_s;
    gpu->times.close += clock_seconds() - start - (gpu->classes.prove_s - prove_s);

cleanup:
    graph_free(&in);
    return status;
}

enum status class_totals_turn(struct crew *c, struct error *err) {
    return crew_together(c, turn_classes, err);
}

/* Adds the time since `start` to the GPU's times. prove_s, transfer_s: the proof's and the copies'
 * seconds at that time; what they have grown by counts as theirs. */
static void take_time(struct crew_gpu *gpu, double start, double prove_s, double transfer_s) {
    const double proved_s = gpu->classes.prove_s - prove_s;
    const double copied_s = gpu->classes.transfer_s - transfer_s;
    gpu->times.prove += proved_s;
    gpu->memory.transfer_s += copied_s;
    gpu->times.sweep += clock_seconds() - start - proved_s - copied_s;
}

/* *pays: the sums of all rows are found sooner by classes, as predicted from the work for some
 * sources. */
static enum status predict(struct crew *c, bool *pays, struct error *err) {
    /* FEW: fewest sources for which classes gain anything; SMALL: fewest vertices for which classes
     * gain more than a prediction takes. */
    enum { FEW = 256, SMALL = 8192 };
    const double entry_s = 2.5e-13, step_s = 4e-13, cut_s = 0.02;
    const int32_t count = c->task->delivery->sources.count, n = c->d.tree.n;
    const double sweeps_s = cut_s + entry_s * count * (double)(n + c->d.structure.first[n]);
    struct gpu_classes *const classes = &c->gpu->classes;
    const double start = clock_seconds(), prove_s = classes->prove_s;
    const double transfer_s = classes->transfer_s;
    double steps;
    *pays = c->other_regions != NULL || (count >= FEW && count <= SMALL);
    if (*pays || count < FEW)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_classes_predict(classes, c->order, count, &steps, err));
    *pays = steps * step_s < sweeps_s;
    take_time(c->gpu, start, prove_s, transfer_s);
    return STATUS_OK;
}

/* Returns whether all GPUs can prove classes of rows, if that is wanted. */
static bool can_prove(const struct crew *c) {
    bool can = true;
    for (int k = 0; k < c->count; k++)
        can = can && c->gpu[k].classes.proof.is_ready;
    return can || !c->proves;
}

/* Opens the classes on all GPUs. *pays: they pay. */
static enum status open_and_predict(struct crew *c, bool *pays, struct error *err) {
    const struct regions_options *const sizes =
        c->other_regions != NULL ? c->other_regions : &gpu_class_regions;
    const double start = clock_seconds();
    *pays = false;
    RETURN_ON_FAILURE(
        regions_find(&c->d.tree, &c->d.structure, sizes, c->threads, &c->regions, err));
    c->cut_s += clock_seconds() - start;
    RETURN_ON_FAILURE(crew_together(c, open_classes, err));
    return can_prove(c) ? predict(c, pays, err) : STATUS_OK;
}

enum status class_totals_choose(struct crew *c, struct error *err) {
    bool pays = false;
    if (c->by_classes) {
        const enum status status = open_and_predict(c, &pays, err);
        if (status == STATUS_NO_RESOURCE)
            pays = false; /* sweeps may need less memory */
        else
            RETURN_ON_FAILURE(status);
    }
    RETURN_ON_FAILURE(crew_agree(c, &pays, err));
    if (c->by_classes && !pays)
        class_totals_forget(c);
    return STATUS_OK;
}

/* Finds the totals of the sources that a GPU claims. */
static enum status find_part(void *self, struct error *err) {
    struct crew_gpu *const gpu = self;
    const struct crew *const c = gpu->crew;
    const int32_t count = c->task->delivery->sources.count;
    int32_t first, some;
    enum status status = STATUS_OK;
    const double start = clock_seconds(), prove_s = gpu->classes.prove_s;
    const double transfer_s = gpu->classes.transfer_s;
    gpu->classes.all = crew_is_first(gpu) ? count : 0; /* only the first GPU may report progress */
    while (status == STATUS_OK &&
           (some = crew_claim(gpu, count, block_sizes.class_sources, &first)) > 0) {
        gpu->classes.base = first;
        status = gpu_classes_totals(&gpu->classes, c->order + first, some,
                                    c->found->of_classes + first, err);
    }
    take_time(gpu, start, prove_s, transfer_s);
    return status;
}

enum status class_totals_find(struct crew *c, struct host_totals *t, struct error *err) {
    const size_t bytes = (size_t)c->task->delivery->sources.count * sizeof *t->of_classes;
    void *memory;
    if (t->of_classes == NULL) {
        RETURN_ON_FAILURE(memory_alloc(&memory, bytes, 1, "the totals", err));
        t->of_classes = memory;
    }
    memset(t->of_classes, 0, bytes);
    c->found = t;
    RETURN_ON_FAILURE(crew_claim_anew(c, err));
    return crew_together(c, find_part, err);
}

/* Returns whether a row is exact: each vertex except the source, by position, is at the least of
 * INF and of all sums of the length of an edge into it and the distance of the edge's tail. least:
 * scratch, n entries. */
static bool is_exact(const struct crew *c, int32_t source, const path_length *row,
                     path_length *least) {
    const struct graph *const g = c->task->graph;
    const int32_t *const position = c->d.tree.position;
    bool is_so = row[source] == 0;
    for (int32_t v = 0; v < g->n; v++)
        least[v] = LENGTH_INF;
    for (int32_t v = 0; v < g->n; v++) {
        const path_length from = row[position[v]];
        for (int64_t e = g->first[v]; e < g->first[v + 1] && from < LENGTH_INF; e++) {
            path_length *const to = &least[position[g->head[e]]];
            *to = min_length(*to, from + edge_length(g, e));
        }
    }
    for (int32_t at = 0; at < g->n; at++)
        is_so = is_so && (at == source || row[at] == least[at]);
    return is_so;
}

enum status class_totals_find_target(struct crew *c, int32_t source, path_length largest,
                                     int32_t *target, struct error *err) {
    const int32_t n = c->d.tree.n, position = c->order[source];
    const struct proportional_graph g = eliminated(c);
    const double start = clock_seconds();
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)n, 2 * sizeof(path_length), "a row", err));
    path_length *const row = memory;
    proportional_row(&g, &c->regions, c->threads, position, row);
    c->refuted = c->proves && !is_exact(c, position, row, row + n);
    *target = n;
    for (int32_t at = 0; at < n; at++) {
        if (row[at] == largest && c->d.tree.vertex[at] < *target)
            *target = c->d.tree.vertex[at];
    }
    memory_free(memory);
    c->gpu->times.sweep += clock_seconds() - start;
    return STATUS_OK;
}

void class_totals_forget(struct crew *c) {
    c->by_classes = c->refuted = false;
    regions_free(&c->regions);
    for (int k = 0; k < c->count; k++)
        gpu_classes_close(&c->gpu[k].classes);
}

#endif
