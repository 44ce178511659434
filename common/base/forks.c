// SPDX-License-Identifier: MIT
#include "common/base/forks.h"

#include <pthread.h>

/* Changes only where a process has one thread: in a child of fork, before that returns. */
static int count;

static void count_one(void) {
    count++;
}

/* Before anybody can use threads through this code, or fork. Where there is no memory for it,
 * forks are not noticed. */
__attribute__((constructor)) static void watch(void) {
    (void)pthread_atfork(NULL, NULL, count_one);
}

int forks(void) {
    return count;
}
