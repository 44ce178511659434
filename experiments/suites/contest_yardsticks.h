// SPDX-License-Identifier: MIT
/* Yardsticks of the contest's programs: copying, widening, and CUB's scan. */
#ifndef EXPERIMENTS_SUITES_CONTEST_YARDSTICKS_H
#define EXPERIMENTS_SUITES_CONTEST_YARDSTICKS_H

#include "contest/parts/problem.h" // struct device_task

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `count` vectors of 16 bytes, as fast as a kernel does. */
enum status yardstick_copy(const struct device_task *task, struct error *err);

/* Stores `count` numbers of 32 bits as 64, without a last one that has no neighbour: reads and
 * writes what a scan has to, which writes twice as much as it reads. */
enum status yardstick_widen(const struct device_task *task, struct error *err);

/* CUB's inclusive scan of int32 with sums of int64, in one call; and its workspace in bytes, 0 if
 * CUB does not tell. */
enum status yardstick_cub(const struct device_task *task, struct error *err);
size_t yardstick_cub_workspace(int64_t count);

#ifdef __cplusplus
}
#endif

#endif
