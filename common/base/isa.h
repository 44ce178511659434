// SPDX-License-Identifier: MIT
/* Instruction sets. One binary runs everywhere: each kernel source, NAME_kernels.c, is compiled
 * once for every instruction set, and each solve uses the best one that this CPU has. The
 * header of the kernels declares the table of functions and the function that returns one,
 *
 *     struct some_kernels {...};     a table of functions
 *     ISA_KERNELS(some_kernels);
 *
 * the kernel source defines the table of the instruction set that it is compiled for,
 *
 *     const struct some_kernels ISA_SYMBOL(some_kernels) = {...};
 *
 * and all other code calls some_kernels(isa)->function(...). vector.h has the vectors of the
 * instruction set that is being compiled for. The Makefile holds the flags of each instruction set,
 * and gives kernel sources the macro ISA: portable, avx2 or avx512. */
#ifndef COMMON_BASE_ISA_H
#define COMMON_BASE_ISA_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>

/* Instruction sets, from the lowest to the highest. */
enum isa {
    ISA_PORTABLE, /* for every CPU of the architecture */
#ifdef __x86_64__
    ISA_AVX2,   /* AVX2 and carry-less multiplication */
    ISA_AVX512, /* AVX-512 F, BW, DQ and VL, and carry-less multiplication */
#endif
    ISA_COUNT,
};

/* Returns the name of an instruction set for the environment variable APSP_SIMD. */
const char *isa_name(enum isa isa);

/* Returns whether this CPU and its operating system support an instruction set. */
bool isa_is_supported(enum isa isa);

/* Returns the highest instruction set that this CPU supports. */
enum isa isa_best(void);

/* Stores the instruction set that the environment variable APSP_SIMD names, or the highest one if
 * it is not set. STATUS_BAD_INPUT if it names none, STATUS_NO_RESOURCE if this CPU does not support
 * it. */
enum status isa_choose(enum isa *isa, struct error *err);

#define ISA_PASTE(name, isa)  name##_##isa
#define ISA_EXPAND(name, isa) ISA_PASTE(name, isa)
#define ISA_SYMBOL(name)      ISA_EXPAND(name, ISA)

#ifdef __x86_64__
#define ISA_TABLES(name) name##_portable, name##_avx2, name##_avx512
#define ISA_TABLE(name)                                                                            \
    { &name##_portable, &name##_avx2, &name##_avx512 }
#else
#define ISA_TABLES(name) name##_portable
#define ISA_TABLE(name)                                                                            \
    { &name##_portable }
#endif

/* Declares the tables of type struct `name` and the function that returns one of them. `name` may
 * be a macro that stands for another name (length.h). */
#define ISA_KERNELS(name) ISA_KERNELS_OF(name)
#define ISA_KERNELS_OF(name)                                                                       \
    extern const struct name ISA_TABLES(name);                                                     \
    static inline const struct name *name(enum isa isa) {                                          \
        static const struct name *const tables[ISA_COUNT] = ISA_TABLE(name);                       \
        return tables[isa];                                                                        \
    }                                                                                              \
    struct name

#endif
