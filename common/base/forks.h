// SPDX-License-Identifier: MIT
/* Counts forks. Threads do not survive in a forked child, nor do OpenMP's pools of threads and
 * CUDA's contexts. */
#ifndef COMMON_BASE_FORKS_H
#define COMMON_BASE_FORKS_H

/* The number of forks between the process that loaded this code and this one; 0 in the former. */
int forks(void);

#endif
