// SPDX-License-Identifier: MIT
#include "certificate/level_proof.h"

#include "certificate/level_check_kernels.h" // level_check_kernels
#include "common/base/memory.h"              // memory_alloc

#include <string.h>

/* Measures weights in units. Returns the largest, 1 without edges; 0 if some weight is no
 * multiple. */
static int32_t divide_weights(struct graph *in, int32_t unit) {
    int32_t steps = 1;
    for (int64_t e = 0; e < in->m; e++) {
        const int32_t step = in->weight[e] / unit;
        if (step < 1 || step * (int64_t)unit != in->weight[e])
            return 0;
        steps = step > steps ? step : steps;
        in->weight[e] = step;
    }
    return steps;
}

enum status level_proof_open(struct level_proof *proof, const struct graph *g, int32_t unit,
                             int32_t last, enum isa isa, struct error *err) {
    *proof = (struct level_proof){.n = g->n, .last = last, .isa = isa};
    RETURN_ON_FAILURE(graph_reverse(g, &proof->in, err));
    proof->steps = divide_weights(&proof->in, unit);
    return STATUS_OK;
}

void level_proof_close(struct level_proof *proof) {
    graph_free(&proof->in);
    *proof = (struct level_proof){0};
}

enum status level_prover_alloc(struct level_prover **prover, const struct level_proof *proof,
                               struct error *err) {
    void *memory, *lane;
    *prover = NULL;
    RETURN_ON_FAILURE(memory_alloc(&memory, 1, sizeof **prover, "the proof of levels", err));
    *prover = memory;
    memset(*prover, 0, sizeof **prover);
    RETURN_ON_FAILURE(
        memory_alloc(&lane, (size_t)proof->n, sizeof(int32_t), "the proof of levels", err));
    (*prover)->lane = lane;
    memset(lane, 0xff, (size_t)proof->n * sizeof(int32_t)); /* -1 */
    return STATUS_OK;
}

void level_prover_free(struct level_prover *prover) {
    if (prover != NULL)
        memory_free(prover->lane);
    memory_free(prover);
}

bool level_prover_prove(struct level_prover *prover, const struct level_proof *proof,
                        const struct level_block *block) {
    if (levels_of(block->slices, proof->steps) < 1 || proof->steps == 0)
        return false;
    for (int lane = 0; lane < block->count; lane++)
        prover->lane[block->source[lane]] = lane;
    memset(prover->counts, 0, sizeof prover->counts);
    const bool right = level_check_kernels(proof->isa)->prove(prover, proof, block);
    for (int lane = 0; lane < block->count; lane++)
        prover->lane[block->source[lane]] = -1;
    return right;
}

void level_prover_count(struct level_prover *prover, const struct level_proof *proof, int32_t level,
                        int32_t count[BIT_LANES]) {
    level_check_kernels(proof->isa)->count(&prover->counts[level], count);
}
