// SPDX-License-Identifier: MIT
#include "libapsp/call.h"

#include "common/base/clock.h" // clock_seconds
#include "common/base/forks.h" // forks

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { INTERVAL_NS = 50 * 1000 * 1000 };

/* The data that the caller's thread and the thread that works share. */
struct call {
    enum status (*work)(void *self, struct progress *progress, struct error *err);
    void *self;
    struct progress progress;
    struct error *err;
    int threads; /* OpenMP's default number of threads in the thread that works */
    enum status status;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ended;
};

static void *do_work(void *shared) {
    struct call *call = shared;
    omp_set_num_threads(call->threads);
    call->status = call->work(call->self, &call->progress, call->err);
    pthread_mutex_lock(&call->lock);
    call->ended = true;
    pthread_cond_signal(&call->changed);
    pthread_mutex_unlock(&call->lock);
    return NULL;
}

/* Calls back until the work has ended, and returns true. Returns false in a process that the
 * callback has forked, because the work goes on in the parent only. */
static bool accompany(struct call *call, const struct listener *listener) {
    const int generation = forks();
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&call->lock);
    while (!call->ended) {
        next.tv_nsec += INTERVAL_NS;
        if (next.tv_nsec >= 1000 * 1000 * 1000) {
            next.tv_nsec -= 1000 * 1000 * 1000;
            next.tv_sec++;
        }
        int waited = 0;
        while (!call->ended && waited != ETIMEDOUT)
            waited = pthread_cond_timedwait(&call->changed, &call->lock, &next);
        if (call->ended || listener->progress == NULL || !progress_goes_on(&call->progress))
            continue;
        /* The lock is free meanwhile, so that the work does not wait for a slow callback. */
        pthread_mutex_unlock(&call->lock);
        int64_t done, total;
        progress_query(&call->progress, &done, &total);
        const bool goes_on = listener->progress(listener->to, done, total) != 0;
        if (forks() != generation)
            return false; /* the worker may have held the lock */
        if (!goes_on)
            progress_stop(&call->progress);
        clock_gettime(CLOCK_MONOTONIC, &next);
        pthread_mutex_lock(&call->lock);
    }
    pthread_mutex_unlock(&call->lock);
    return true;
}

/* Starts the thread that works. It blocks signals to the process, which the caller's threads
 * handle, but not signals that its own instructions raise. */
static int start(pthread_t *thread, struct call *call) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t s = 0; s < sizeof own / sizeof *own; s++)
        sigdelset(&blocked, own[s]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const int code = pthread_create(thread, NULL, do_work, call);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

/* State of progress in the caller's own thread, which works if no other can be started: it calls
 * back at most once in INTERVAL_NS. */
struct throttle {
    const struct listener *listener;
    double last; /* clock_seconds() of the last callback */
};

static bool report_here(void *context, int64_t done, int64_t total) {
    struct throttle *throttle = context;
    const double now = clock_seconds();
    if (now - throttle->last < 1e-9 * INTERVAL_NS)
        return true;
    throttle->last = now;
    return throttle->listener->progress(throttle->listener->to, done, total) != 0;
}

static enum status work_here(struct call *call, const struct listener *listener) {
    struct throttle throttle = {listener, clock_seconds()};
    if (listener->progress != NULL)
        call->progress = (struct progress){.on_report = report_here, .callback_context = &throttle};
    return call->work(call->self, &call->progress, call->err);
}

static enum status work_elsewhere(struct call *call, const struct listener *listener) {
    pthread_condattr_t monotonic;
    pthread_t thread;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&call->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&call->lock, NULL);
    const int code = start(&thread, call);
    if (code == 0) {
        if (!accompany(call, listener))
            return fail(call->err, STATUS_CANCELLED,
                        "stopped, as the callback forked: the parent goes on with the work");
        pthread_join(thread, NULL);
    } else if (forks() == 0) {
        call->status = work_here(call, listener);
    } else {
        call->status =
            fail(call->err, STATUS_NO_RESOURCE,
                 "cannot start a thread, which a forked process needs: %s", strerror(code));
    }
    pthread_mutex_destroy(&call->lock);
    pthread_cond_destroy(&call->changed);
    return call->status;
}

enum status call_work(const struct listener *listener,
                      enum status (*work)(void *self, struct progress *progress, struct error *err),
                      void *self, struct error *err) {
    struct call call = {.work = work, .self = self, .err = err};
    if (listener->progress == NULL && forks() == 0)
        return work_here(&call, listener);
    /* The new thread starts as many threads as this one would. */
    call.threads = omp_in_parallel() ? 1 : omp_get_max_threads();
    const enum status status = work_elsewhere(&call, listener);
    if (status == STATUS_OK && listener->progress != NULL && progress_goes_on(&call.progress)) {
        int64_t done, total;
        progress_query(&call.progress, &done, &total);
        (void)listener->progress(listener->to, total, total);
    }
    return status;
}
