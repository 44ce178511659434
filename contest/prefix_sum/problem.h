// SPDX-License-Identifier: MIT
/* The problem of `prefix_sum`: y[k] = x[0] + ... + x[k].
 *
 * x has up to 10^9 integers of 32 bits and y has 64. No sum overflows: the largest has the
 * magnitude 10^9 * 2^31, which is below 2^61. More numbers are refused. */
#ifndef CONTEST_PREFIX_SUM_PROBLEM_H
#define CONTEST_PREFIX_SUM_PROBLEM_H

#include "contest/parts/problem.h" // struct contest_problem

enum { PREFIX_SUM_MAX = 1000000000 };

#ifdef __cplusplus
extern "C" {
#else
extern const struct contest_problem prefix_sum_problem;

/* The compute() of the variant `cpu`; see contest/parts/problem.h. */
enum status prefix_sum_cpu(const struct values *input, struct values *output, int threads,
                           struct error *err);

/* Proves the answer: y[0] = x[0], and y[k] - y[k - 1] = x[k] for every other k. */
enum status prefix_sum_check(const struct values *input, const struct values *output,
                             double error_bound, int threads, struct error *err);
#endif

enum status prefix_sum_two_level(const struct device_task *task, struct error *err);
size_t prefix_sum_two_level_workspace(int64_t count);
size_t prefix_sum_two_level_host_room(int64_t count);

enum status prefix_sum_single_pass(const struct device_task *task, struct error *err);
size_t prefix_sum_single_pass_workspace(int64_t count);

#ifdef __cplusplus
}
#endif

#endif
