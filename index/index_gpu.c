// SPDX-License-Identifier: MIT
#include "index/index_gpu.h"

#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "index/gpu_labels.h"
#include "index/index_label.h" // index_has_label
#include "index/index_parts.h" // index_damaged
#include "index/index_query.h" // index_targets_find

/* Stores the labels of one direction whole, in the order of *placed. The caller frees *label, also
 * after a failure. */
static enum status expand(const struct distance_index *x, int direction,
                          const struct placed_labels *placed, int threads, int32_t **label,
                          struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)placed->cells + INDEX_PAD, sizeof **label,
                                   "the labels", err));
    *label = memory;
    bool is_damaged = false;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(|| : is_damaged)
    for (int32_t k = 0; k < placed->n; k++) {
        const struct index_vertex *const v = &x->vertex[direction][placed->vertex[k]];
        int32_t *const to = *label + placed->first[k];
        if (!index_has_label(x, direction, v)) {
            is_damaged = true;
            continue;
        }
        /* index_expand would also write behind the label, where another thread may be. */
        const struct index_label own = index_label_of(x, direction, v);
        for (uint32_t c = 0; c < (uint32_t)placed->length[k]; c++)
            to[c] = index_cell_at(&own, c);
    }
    return is_damaged ? index_damaged(err) : STATUS_OK;
}

/* Lists the vertices in the index's order, and where their labels are to be. The caller frees
 * placed->first, the beginning of the memory of all four arrays. */
static enum status place(const struct distance_index *x, const struct index_targets *targets,
                         struct placed_labels *placed, struct error *err) {
    const size_t n = (size_t)x->header.vertices;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, n, sizeof(uint64_t) + 3 * sizeof(int32_t), "the places", err));
    uint64_t *const first = memory;
    int32_t *const vertex = (int32_t *)(first + n), *const length = vertex + n,
                   *const common = length + n;
    *placed = (struct placed_labels){.n = x->header.vertices,
                                     .first = first,
                                     .vertex = vertex,
                                     .length = length,
                                     .common = common,
                                     .cells = x->header.labels};
    uint64_t next = 0;
    for (size_t k = 0; k < n; k++) {
        const struct index_target *const target = &targets->target[k];
        vertex[k] = target->vertex;
        first[k] = next;
        length[k] = (int32_t)x->vertex[0][target->vertex].labels;
        common[k] = k == 0 ? 0 : (int32_t)target->common;
        next += (uint64_t)length[k];
    }
    return next == placed->cells ? STATUS_OK : index_damaged(err);
}

/* Finds all rows and proves them, both on the device. */
static enum status prove_all(const struct gpu_labels *labels, const struct gpu_lane_proof *proof,
                             struct progress *progress, bool *proved, struct error *err) {
    struct gpu_lanes rows;
    RETURN_ON_FAILURE(gpu_lane_proof_begin(proof, err));
    for (int32_t first = 0; first < labels->n; first += labels->lanes) {
        const int32_t rest = labels->n - first;
        RETURN_ON_FAILURE(gpu_labels_make(labels, first,
                                          rest < labels->lanes ? rest : labels->lanes, &rows, err));
        RETURN_ON_FAILURE(gpu_lane_proof_take(proof, &rows, err));
        if (!progress_goes_on(progress))
            return progress_cancelled(err);
        progress_report(progress, first, labels->n);
    }
    return gpu_lane_proof_end(proof, proved, err);
}

enum status index_prove_rows_on_gpu(const struct distance_index *x, const struct graph *g,
                                    int device, struct progress *progress, bool *proved,
                                    struct error *err) {
    struct index_targets targets = {0};
    struct placed_labels placed = {0};
    struct gpu_labels labels = {0};
    struct gpu_lane_proof proof = {0};
    int32_t *label[2] = {NULL, NULL};
    const int threads = threads_worth(0, (double)x->header.labels);
    enum status status;
    *proved = false;
    TRY(gpu_labels_select(device, err));
    TRY(index_targets_find(x, NULL, g->n, &targets, err));
    TRY(place(x, &targets, &placed, err));
    TRY(gpu_lane_proof_open(&proof, g, placed.vertex, err));
    if (!proof.is_ready) {
        status = fail(err, STATUS_NO_RESOURCE,
                      "a GPU proves weights from 1 on, if its memory holds the graph");
        goto cleanup;
    }
    for (int d = 0; d < (int)x->header.directions; d++)
        TRY(expand(x, d, &placed, threads, &label[d], err));
    placed.label[0] = label[0];
    placed.label[1] = label[1] != NULL ? label[1] : label[0];
    TRY(gpu_labels_open(&labels, &placed, err));
    if (!labels.is_ready) {
        status = fail(err, STATUS_NO_RESOURCE, "the index does not fit into the GPU's memory");
        goto cleanup;
    }
    status = prove_all(&labels, &proof, progress, proved, err);
cleanup:
    gpu_labels_close(&labels);
    gpu_lane_proof_close(&proof);
    memory_free(label[0]);
    memory_free(label[1]);
    memory_free((void *)placed.first);
    index_targets_free(&targets);
    return status;
}
