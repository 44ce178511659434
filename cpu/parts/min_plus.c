// SPDX-License-Identifier: MIT
#include "cpu/parts/min_plus.h"

static const struct min_plus_kernels *const kernels[ISA_COUNT] = ISA_TABLE(min_plus_kernels);

const struct min_plus_kernels *min_plus_kernels(enum isa isa) {
    return kernels[isa];
}
