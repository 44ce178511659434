// SPDX-License-Identifier: MIT
#include "common/certificate/check_kernels.h"

static const struct check_kernels *const kernels[ISA_COUNT] = ISA_TABLE(check_kernels);

const struct check_kernels *check_kernels(enum isa isa) {
    return kernels[isa];
}
