// SPDX-License-Identifier: MIT
#include "cli/start_threads.h"

#include "common/base/threads.h" // threads_or_default, THREADS_MAX

#include <ctype.h>
#include <errno.h> // program_invocation_short_name
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Threads that programs start beside OpenMP's: to prepare a GPU, to take memory ahead, to listen to
 * other processes. */
enum { THREADS_BESIDE = 2 };

/* The size of a stack in bytes that an environment variable gives in OpenMP's form: a number and a
 * unit B, K, M or G; without a unit, K. 0 if it gives no size. */
static size_t stack_size_of(const char *variable) {
    static const char units[] = "bkmg";
    const char *const value = getenv(variable);
    char *end;
    errno = 0;
    const unsigned long long number = value != NULL ? strtoull(value, &end, 10) : 0;
    if (number == 0 || errno != 0)
        return 0;
    end += strspn(end, " \t");
    const char *const unit = *end != '\0' ? strchr(units, tolower((unsigned char)*end)) : units + 1;
    if (unit == NULL)
        return 0;
    const int shift = 10 * (int)(unit - units);
    return number <= SIZE_MAX >> shift ? (size_t)number << shift : 0;
}

/* Threads wait here until all have been started. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool open;
};

static void *wait_at(void *self) {
    struct gate *const gate = self;
    pthread_mutex_lock(&gate->lock);
    while (!gate->open)
        pthread_cond_wait(&gate->opened, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
    return NULL;
}

/* Starts up to `count` threads and ends them; returns how many could be started, and in *reason why
 * the next one could not. */
static int count_startable(int count, int *reason) {
    struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    const size_t given = stack_size_of("OMP_STACKSIZE");
    const size_t stack = given != 0 ? given : stack_size_of("GOMP_STACKSIZE");
    pthread_t thread[THREADS_MAX + THREADS_BESIDE];
    pthread_attr_t attributes;
    int started = 0;
    *reason = pthread_attr_init(&attributes);
    if (*reason != 0)
        return 0;
    if (stack != 0)
        (void)pthread_attr_setstacksize(&attributes, stack); /* OpenMP ignores a wrong size, too */
    while (started < count && *reason == 0) {
        *reason = pthread_create(&thread[started], &attributes, wait_at, &gate);
        started += *reason == 0;
    }
    pthread_mutex_lock(&gate.lock);
    gate.open = true;
    pthread_cond_broadcast(&gate.opened);
    pthread_mutex_unlock(&gate.lock);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

enum status start_threads(int threads, bool quiet, struct error *err) {
    const int asked = threads_or_default(threads),
              wanted = asked < THREADS_MAX ? asked : THREADS_MAX;
    int reason = 0;
    if (wanted <= 1)
        return STATUS_OK;
    /* The calling thread itself is one of the threads of a parallel region. */
    const int started = count_startable(wanted - 1 + THREADS_BESIDE, &reason);
    const int left = started - THREADS_BESIDE + 1, fewer = left > 1 ? left : 1;
    if (fewer >= wanted)
        return STATUS_OK;
    if (threads > 0)
        return fail(err, STATUS_NO_RESOURCE,
                    "cannot start %d threads: %s (expected at most --threads %d)", wanted,
                    strerror(reason), fewer);
    omp_set_num_threads(fewer);
    if (!quiet)
        fprintf(
            stderr, "%s: note: %d thread%s instead of %d, because the system starts no more: %s\n",
            program_invocation_short_name, fewer, fewer == 1 ? "" : "s", wanted, strerror(reason));
    return STATUS_OK;
}
