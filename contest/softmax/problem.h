// SPDX-License-Identifier: MIT
/* The problem of `softmax`: y[k] = e^x[k] / (e^x[0] + ... + e^x[n - 1]) for up to 10^8 floats.
 *
 * Numerically stable: the largest x, or a number near it, is subtracted from all x, so that no
 * power overflows, and at least one power is near 1. -inf gives 0. If an x is NaN or +inf, or if
 * all are -inf, every y is NaN, as in SciPy.
 *
 * A variant's error bound b says that |y[k] - p[k]| <= b * p[k] + SOFTMAX_TINY for the exact p: the
 * relative error, and what float32 cannot tell from 0. */
#ifndef CONTEST_SOFTMAX_PROBLEM_H
#define CONTEST_SOFTMAX_PROBLEM_H

#include "contest/parts/problem.h" // struct contest_problem

enum { SOFTMAX_MAX = 100000000 };

/* Eight times the smallest float, 2^-149, for rounding a power, dividing it and rounding again. */
#define SOFTMAX_TINY 0x1p-146

/* Error bounds. `cpu` rounds once. A power in float32 has a relative error of at most two units in
 * the last place, 2^-22. `online` corrects the rounding of x - r and sums in groups, so that less
 * than 50 roundings of 2^-24 remain. In `three_stage` the rounding of x - max, at most 104,
 * multiplies a power by up to 1 + 104 * 2^-24, and the sum of powers by no more. */
#define SOFTMAX_CPU_BOUND         1e-7
#define SOFTMAX_ONLINE_BOUND      3e-6
#define SOFTMAX_THREE_STAGE_BOUND 1.4e-5

#ifdef __cplusplus
extern "C" {
#else
extern const struct contest_problem softmax_problem;

/* The compute() of the variant `cpu`, the reference: everything in long double, rounded once; see
 * contest/parts/problem.h. */
enum status softmax_cpu(const struct values *input, struct values *output, int threads,
                        struct error *err);

/* Compares every entry with the reference, and their sum with 1. */
enum status softmax_check(const struct values *input, const struct values *output,
                          double error_bound, int threads, struct error *err);
#endif

enum status softmax_three_stage(const struct device_task *task, struct error *err);
size_t softmax_three_stage_workspace(int64_t count);
size_t softmax_three_stage_host_room(int64_t count);

enum status softmax_online(const struct device_task *task, struct error *err);
size_t softmax_online_workspace(int64_t count);

#ifdef __cplusplus
}
#endif

#endif
