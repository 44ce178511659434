// SPDX-License-Identifier: MIT
/* Counts forks, because threads, OpenMP's pools of threads and CUDA's contexts do not survive in a
 * forked child. */
#ifndef COMMON_BASE_FORKS_H
#define COMMON_BASE_FORKS_H

/* Returns the number of forks between the process that loaded this code and the current one; 0 if
 * they are the same. */
int forks(void);

#endif
