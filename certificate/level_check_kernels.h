// SPDX-License-Identifier: MIT
/* The parts of a proof of levels (level_proof.c) that process many lanes at a time, compiled once
 * for each instruction set. */
#ifndef CERTIFICATE_LEVEL_CHECK_KERNELS_H
#define CERTIFICATE_LEVEL_CHECK_KERNELS_H

#include "certificate/level_proof.h" // struct level_block
#include "common/base/isa.h"         // ISA_KERNELS

struct level_check_kernels {
    /* Does the work of level_prover_prove, with prover->lane set. */
    bool (*prove)(struct level_prover *prover, const struct level_proof *proof,
                  const struct level_block *block);
    /* Stores the counts of one level, for level_prover_count. */
    void (*count)(struct bit_counts *counts, int32_t count[BIT_LANES]);
};

ISA_KERNELS(level_check_kernels);

#endif
