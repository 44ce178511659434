// SPDX-License-Identifier: MIT
/* Loops of bench_cpu_ceilings, which show the best that a core can do, compiled for each
 * instruction set. */
#ifndef EXPERIMENTS_CEILINGS_CPU_CEILINGS_H
#define EXPERIMENTS_CEILINGS_CPU_CEILINGS_H

#include "common/base/isa.h" // ISA_KERNELS

#include <stdint.h>

/* Does one step of the loop `steps` times, with all operands in registers. Returns how many
 * relaxations one step makes. */
typedef int cpu_ceiling(int64_t steps);

struct cpu_ceilings {
    cpu_ceiling *s32_add_min, *u16_add_min; /* with the cells of cpu/parts/min_plus.h */
    cpu_ceiling *f32_add_min, *f64_add_min; /* with cells that are real numbers */
    cpu_ceiling *u16_saturating;            /* with an addition that stops at 65535 */
    cpu_ceiling *s32_with_predecessor;      /* an addition, a comparison and two selections */
};

ISA_KERNELS(cpu_ceilings);

#endif
