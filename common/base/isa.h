// SPDX-License-Identifier: MIT
/* Instruction sets. One binary runs everywhere: kernel sources, NAME_kernels.c, are compiled
 * once for each instruction set, and the best one that this CPU has is chosen when a solve
 * starts. A kernel source defines
 *
 *     const struct some_kernels ISA_SYMBOL(some_kernels) = {...};
 *
 * its header declares the tables with ISA_DECLARE(struct some_kernels, some_kernels), and the
 * solver picks one from
 *
 *     static const struct some_kernels *const kernels[ISA_COUNT] = ISA_TABLE(some_kernels);
 *
 * vector.h has the vectors of the instruction set that is being compiled for. The flags of each
 * are in the Makefile, which gives kernel sources the macro ISA: portable, avx2 or avx512. */
#ifndef COMMON_BASE_ISA_H
#define COMMON_BASE_ISA_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>

/* From the least to the best. */
enum isa {
    ISA_PORTABLE, /* what every CPU of the architecture has */
#ifdef __x86_64__
    ISA_AVX2,   /* and carry-less multiplication */
    ISA_AVX512, /* F, BW, DQ, VL, and the same */
#endif
    ISA_COUNT,
};

/* As the environment variable APSP_SIMD spells it. */
const char *isa_name(enum isa isa);

/* Whether this CPU and its operating system have it. */
bool isa_is_supported(enum isa isa);

/* The best supported one, or that which the environment variable APSP_SIMD names.
 * STATUS_BAD_INPUT where it names none, STATUS_NO_RESOURCE where this CPU lacks it. */
enum status isa_choose(enum isa *isa, struct error *err);

#define ISA_PASTE(name, isa)  name##_##isa
#define ISA_EXPAND(name, isa) ISA_PASTE(name, isa)
#define ISA_SYMBOL(name)      ISA_EXPAND(name, ISA)

#ifdef __x86_64__
#define ISA_DECLARE(type, name) extern const type name##_portable, name##_avx2, name##_avx512
#define ISA_TABLE(name)                                                                            \
    { &name##_portable, &name##_avx2, &name##_avx512 }
#else
#define ISA_DECLARE(type, name) extern const type name##_portable
#define ISA_TABLE(name)                                                                            \
    { &name##_portable }
#endif

#endif
