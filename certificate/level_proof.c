// SPDX-License-Identifier: MIT
#include "certificate/level_proof.h"

#include "certificate/level_check_kernels.h" // level_check_kernels
#include "common/base/memory.h"              // memory_alloc

#include <string.h>

enum status level_proof_open(struct level_proof *proof, const struct graph *g, enum isa isa,
                             struct error *err) {
    *proof = (struct level_proof){.n = g->n, .isa = isa};
    return graph_reverse(g, &proof->in, err);
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

uint64_t level_proof_memory(int32_t n, int64_t m) {
    return graph_memory(n, m);
}

uint64_t level_prover_memory(int32_t n) {
    return sizeof(struct level_prover) + (uint64_t)n * sizeof(int32_t);
}
