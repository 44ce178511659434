// SPDX-License-Identifier: MIT
/* The problem that a program of the contest solves, and the table of its variants. */
#ifndef CONTEST_PARTS_PROBLEM_H
#define CONTEST_PARTS_PROBLEM_H

#ifdef __cplusplus
#include "common/base/error.h"
#include <stddef.h>
#include <stdint.h>
extern "C" {
#else
#include "common/base/timing.h"   // struct timing
#include "contest/parts/values.h" // struct values
#endif

/* A vector in device memory and its answer. Both have `count` >= 1 entries and begin at multiples
 * of 256 bytes. */
struct device_task {
    const void *input;
    void *output;
    int64_t count;
    void *workspace; /* device memory, workspace() bytes of the variant; garbage at first */
    void *host_room; /* host memory, host_room() bytes of the variant; garbage at first */
};

#ifndef __cplusplus
struct contest_variant {
    const char *name;
    const char *summary; /* one line that describes the variant */
    const char *source;  /* publication or origin of the idea */
    /* Fills the output on up to `threads` threads (0: one per core); NULL if a GPU does. The answer
     * is the same for any number of threads. */
    enum status (*compute)(const struct values *input, struct values *output, int threads,
                           struct error *err);
    /* Fills task->output, in the default stream; the work may still run when launch returns. NULL:
     * the CPU solves, or the build has no CUDA. */
    enum status (*launch)(const struct device_task *task, struct error *err);
    size_t (*workspace)(int64_t count); /* bytes of task->workspace; NULL: none */
    size_t (*host_room)(int64_t count);
    double error_bound; /* relative error that check() allows; 0: the answer is exact */
};

struct contest_problem {
    const char *program, *summary;
    enum value_type input, output;
    int64_t max_count;
    double lowest, highest; /* range of random input, unless options give another one */
    const struct contest_variant *variants;
    int variant_count;
    const char *default_variant;
    /* Proves or refutes an answer without the variants' code: STATUS_REFUTED names the first wrong
     * entry, what was expected and what was found. */
    enum status (*check)(const struct values *input, const struct values *output,
                         double error_bound, int threads, struct error *err);
    /* Writes a line on the answer, such as "sum 17", into `text`. */
    void (*describe)(const struct values *output, char *text, size_t size);
};

/* Runs a variant on a GPU `repetitions` times, after a warm-up, and stores the seconds of each
 * repetition and the answer of the last; the output is allocated. Before each repetition the
 * device's output is overwritten with garbage. Stores the device's name to `name`.
 * STATUS_NO_RESOURCE if there is no usable GPU or too little memory; in a build without CUDA
 * always, with the reason. */
enum status gpu_run(const struct contest_variant *variant, const struct values *input,
                    struct values *output, int device, int repetitions, struct timing *timings,
                    char *name, size_t name_size, struct error *err);

/* Serves as main() of a program: reads options and input, runs, checks, writes and reports. */
int contest_main(const struct contest_problem *problem, int argc, char **argv);
#else
}
#endif

#endif
