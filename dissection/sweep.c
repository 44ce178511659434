// SPDX-License-Identifier: MIT
#include "dissection/sweep.h"

const struct sweep_kernels *sweep_kernels_of(enum isa isa) {
    static const struct sweep_kernels *const kernels[ISA_COUNT] = ISA_TABLE(sweep_kernels);
    return kernels[isa];
}
