// SPDX-License-Identifier: MIT
#include "common/base/forks.h"

#include <pthread.h>

/* Changes only in a forked child, before fork() returns, while the child has one thread. */
static int count;

static void count_one(void) {
    count++;
}

/* Runs before any other code can start threads or fork. If memory is short, forks are not counted.
 */
__attribute__((constructor)) static void watch(void) {
    (void)pthread_atfork(NULL, NULL, count_one);
}

int forks(void) {
    return count;
}
