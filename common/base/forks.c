// SPDX-License-Identifier: MIT
#include "common/base/forks.h"

#include <pthread.h>

/* Changes only in a child, before fork() returns, while the child has one thread. */
static int count;

static void count_one(void) {
    count++;
}

/* Runs before anybody can start threads by this code, or fork. If it gets no memory, forks are not
 * counted. */
__attribute__((constructor)) static void watch(void) {
    (void)pthread_atfork(NULL, NULL, count_one);
}

int forks(void) {
    return count;
}
