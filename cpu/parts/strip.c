// SPDX-License-Identifier: MIT
#include "cpu/parts/strip.h"

static const struct strip_kernels *const kernels[ISA_COUNT] = ISA_TABLE(strip_kernels);

const struct strip_kernels *strip_kernels(enum isa isa) {
    return kernels[isa];
}
