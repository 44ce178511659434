// SPDX-License-Identifier: MIT
/* fork(), for what does not survive in the child: threads, and with them the pools of OpenMP and
 * the contexts of CUDA. */
#ifndef COMMON_BASE_FORKS_H
#define COMMON_BASE_FORKS_H

/* How many forks lie between this process and the one that loaded this code; 0 in that one. */
int forks(void);

#endif
