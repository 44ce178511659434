// SPDX-License-Identifier: MIT
/* bench_cpu_ceilings: what this CPU does at best, to measure the solvers by.
 *
 *     s32_add_min, u16_add_min   the inner loop of `cpu --variant blocked`, in registers only
 *     f32_add_min, f64_add_min   the same loop of real numbers, which it rounds to integers instead
 *     u16_saturating             why its 16-bit cells stop at 32767 instead of 65535
 *     s32_with_predecessor       why it derives predecessors afterwards
 *     s32_tile, u16_tile         its product of tiles, operands in the first-level cache
 *     memory_copy                bytes read and written
 *
 * On every instruction set that this CPU has, on as many threads at once as asked for. If adding
 * and taking minima compete for execution ports, loads between them can help the CPU to share those
 * out better, so that a tile may exceed the registers: the ceiling is the larger of the two. Each:
 * a loop made twice as long until it takes LEAST_SECONDS, which is the warm-up, too; then the
 * repetitions. Medians for people, every repetition as CSV. */
#include "cli/cli.h"             // errors, versions, numbers
#include "common/base/clock.h"   // clock_seconds
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // THREADS_MAX
#include "cpu/parts/min_plus.h"  // struct min_plus
#include "experiments/ceilings/cpu_ceilings.h"
#include "experiments/ceilings/measured_rates.h" // rates_prepare, rates_write

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SECONDS 0.02

enum { MAX_REPETITIONS = 1000, COPIED_BYTES = 64 << 20 };

/* Memory of one thread: two buffers of COPIED_BYTES each. Products of tiles use a small part of
 * them. */
struct memory {
    char *buffer[2];
};

/* The ceilings. Each function does `steps` steps on one thread and returns the amount of work of
 * one step. */

typedef double ceiling_run(enum isa isa, const struct memory *memory, int64_t steps);

#define IN_REGISTERS(name)                                                                         \
    static double name(enum isa isa, const struct memory *memory, int64_t steps) {                 \
        (void)memory;                                                                              \
        return cpu_ceilings(isa)->name(steps);                                                     \
    }
IN_REGISTERS(s32_add_min)
IN_REGISTERS(u16_add_min)
IN_REGISTERS(f32_add_min)
IN_REGISTERS(f64_add_min)
IN_REGISTERS(u16_saturating)
IN_REGISTERS(s32_with_predecessor)

static double multiply(const struct min_plus *kernel, const struct memory *memory, int64_t steps) {
    enum { PAGE = 4096 };
    char *const left = memory->buffer[0], *const right = left + 4 * PAGE,
                *const tile = right + 8 * PAGE;
    for (int64_t s = 0; s < steps; s++)
        kernel->multiply(left, right, MIN_PLUS_BLOCK, tile, (size_t)kernel->width, right);
    return (double)kernel->rows * kernel->width * MIN_PLUS_BLOCK;
}

static double s32_tile(enum isa isa, const struct memory *memory, int64_t steps) {
    return multiply(min_plus_kernels(isa)->wide, memory, steps);
}

static double u16_tile(enum isa isa, const struct memory *memory, int64_t steps) {
    return multiply(min_plus_kernels(isa)->narrow, memory, steps);
}

static double memory_copy(enum isa isa, const struct memory *memory, int64_t steps) {
    (void)isa;
    for (int64_t s = 0; s < steps; s++)
        memcpy(memory->buffer[s % 2], memory->buffer[(s + 1) % 2], COPIED_BYTES);
    return 2.0 * COPIED_BYTES;
}

static const struct cpu_ceiling_row {
    const char *name, *what, *unit;
    ceiling_run *run;
    bool once; /* measured once, because all instruction sets give the same */
} ceilings[] = {
    {"s32_add_min", "add and minimum, 32 bits", "relaxations/s", s32_add_min, false},
    {"s32_tile", "tile of blocked, 32 bits", "relaxations/s", s32_tile, false},
    {"s32_with_predecessor", "add, compare, two selects", "relaxations/s", s32_with_predecessor,
     false},
    {"u16_add_min", "add and minimum, 16 bits", "relaxations/s", u16_add_min, false},
    {"u16_tile", "tile of blocked, 16 bits", "relaxations/s", u16_tile, false},
    {"f32_add_min", "add and minimum, float32", "relaxations/s", f32_add_min, false},
    {"f64_add_min", "add and minimum, float64", "relaxations/s", f64_add_min, false},
    {"u16_saturating", "saturating add, minimum", "relaxations/s", u16_saturating, false},
    {"memory_copy", "memory, read and written", "bytes/s", memory_copy, true},
};

/* Measuring ---------------------------------------------------------------------------- */

struct cpu_ceilings_arguments {
    const char *csv;
    int threads, repetitions;
};

struct cpu_ceilings_session {
    struct cpu_ceilings_arguments a;
    char *buffers; /* buffers of all threads, two for each */
    struct measured_rates rates;
};

/* Seconds in which every thread did `steps` steps; *amount: their work in all. */
static double timed(const struct cpu_ceilings_session *s, const struct cpu_ceiling_row *ceiling,
                    enum isa isa, int64_t steps, double *amount) {
    double start = 0, done = 0;
#pragma omp parallel num_threads(s->a.threads) reduction(+ : done)
    {
        char *const first = s->buffers + 2 * (size_t)omp_get_thread_num() * COPIED_BYTES;
        const struct memory memory = {{first, first + COPIED_BYTES}};
#pragma omp barrier
#pragma omp master
        start = clock_seconds();
        done = ceiling->run(isa, &memory, steps) * (double)steps;
    }
    *amount = done;
    return clock_seconds() - start;
}

static void measure(struct cpu_ceilings_session *s, const struct cpu_ceiling_row *ceiling,
                    enum isa isa) {
    int64_t steps = 1;
    double amount;
    while (timed(s, ceiling, isa, steps, &amount) < LEAST_SECONDS)
        steps *= 2;
    for (int r = 0; r < s->a.repetitions; r++) {
        const double seconds = timed(s, ceiling, isa, steps, &amount);
        s->rates.values[r] = amount / seconds;
        fprintf(s->rates.rows, "%s,%s,%.6g,%s,%d,%d\n", ceiling->name, ceiling->unit,
                s->rates.values[r], ceiling->once ? "" : isa_name(isa), s->a.threads, r + 1);
    }
    printf("%-10s %-21s %-27s %8.1f %s\n", ceiling->once ? "" : isa_name(isa), ceiling->name,
           ceiling->what, rates_median(&s->rates) * 1e-9,
           ceiling->once ? "GB/s" : "G relaxations/s");
    fflush(stdout);
}

static enum status acquire(struct cpu_ceilings_session *s, struct error *err) {
    void *buffers = NULL;
    enum status status =
        memory_alloc(&buffers, 2 * (size_t)s->a.threads, COPIED_BYTES, "the buffers", err);
    s->buffers = buffers;
    if (status == STATUS_OK)
        status = rates_prepare(&s->rates, s->a.repetitions,
                               "name,unit,value,instructions,threads,repetition\n", err);
    if (status != STATUS_OK)
        return status;
#pragma omp parallel num_threads(s->a.threads)
    memset(s->buffers + 2 * (size_t)omp_get_thread_num() * COPIED_BYTES, 1, 2 * COPIED_BYTES);
    return STATUS_OK;
}

static void release(struct cpu_ceilings_session *s) {
    memory_free(s->buffers);
    rates_release(&s->rates);
}

static void measure_all(struct cpu_ceilings_session *s) {
    printf("%d thread%s, medians of %d\n\n", s->a.threads, s->a.threads == 1 ? "" : "s",
           s->a.repetitions);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        for (size_t c = 0; c < sizeof ceilings / sizeof *ceilings; c++) {
            if (isa_is_supported((enum isa)isa) && (!ceilings[c].once || isa == ISA_PORTABLE))
                measure(s, &ceilings[c], (enum isa)isa);
        }
    }
}

/* Command line ------------------------------------------------------------------------- */

enum { OPTION_CSV = 0x100 };

static const struct argp_option option_table[] = {
    {"csv", OPTION_CSV, "FILE", 0, "Write one row per ceiling and repetition to FILE", 0},
    {"repeat", 'r', "N", 0, "Measure N times after a warm-up (default: 9)", 0},
    {"threads", 't', "N", 0, "Measure N threads at once (default: 1)", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct cpu_ceilings_arguments *a = state->input;
    switch (key) {
    case OPTION_CSV:
        a->csv = value;
        break;
    case 'r':
        a->repetitions = (int)cli_integer(state, "--repeat", value, 1, MAX_REPETITIONS);
        break;
    case 't':
        a->threads = (int)cli_integer(state, "--threads", value, 1, THREADS_MAX);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv) {
    struct cpu_ceilings_session s = {.a = {.repetitions = 9, .threads = 1}};
    struct error err;
    const struct argp parser = {option_table, parse_option, NULL, "What this CPU does at best.",
                                NULL,         NULL,         NULL};
    cli_start("bench_cpu_ceilings");
    argp_parse(&parser, argc, argv, 0, NULL, &s.a);
    enum status status = acquire(&s, &err);
    if (status == STATUS_OK)
        measure_all(&s);
    if (status == STATUS_OK)
        status = rates_write(&s.rates, s.a.csv, &err);
    release(&s);
    return cli_end(status, &err);
}
