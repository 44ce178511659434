// SPDX-License-Identifier: MIT
/* The kernels of exp_kernels.h for one instruction set (isa.h). */
#include "common/base/exp_kernels.h"

#include "common/base/vector_exp.h" // vector_f64_decayed

enum { PER_VECTOR = VECTOR_BYTES / (int)sizeof(double) };

static void of_lengths(const double *length, int32_t count, double rate, double *factor) {
    for (int32_t i = 0; i < count; i += PER_VECTOR)
        vector_f64_store(factor + i, vector_f64_decayed(vector_f64_load(length + i) * rate));
}

static void of_rates(double length, const double *rate, int32_t count, double *factor) {
    for (int32_t j = 0; j < count; j += PER_VECTOR)
        vector_f64_store(factor + j, vector_f64_decayed(length * vector_f64_load(rate + j)));
}

const struct exp_kernels ISA_SYMBOL(exp_kernels) = {of_lengths, of_rates};
