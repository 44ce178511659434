// SPDX-License-Identifier: MIT
/* Yardsticks of the contest's programs: copying, widening, and CUB's scan. */
#ifndef EXPERIMENTS_SUITES_CONTEST_YARDSTICKS_H
#define EXPERIMENTS_SUITES_CONTEST_YARDSTICKS_H

#include "contest/parts/problem.h" // struct device_task

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `count` vectors of 16 bytes by a kernel, at the full rate of the memory. */
enum status yardstick_copy(const struct device_task *task, struct error *err);

/* Stores `count` numbers of 32 bits as numbers of 64 bits, except a last one without a neighbour.
 * It reads and writes the same bytes as a scan, which writes twice as much as it reads. */
enum status yardstick_widen(const struct device_task *task, struct error *err);

/* yardstick_cub is CUB's inclusive scan of int32 with sums of int64, in one call;
 * yardstick_cub_workspace returns the bytes of its workspace, 0 if CUB does not tell. */
enum status yardstick_cub(const struct device_task *task, struct error *err);
size_t yardstick_cub_workspace(int64_t count);

#ifdef __cplusplus
}
#endif

#endif
