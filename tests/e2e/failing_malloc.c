// SPDX-License-Identifier: MIT
/* Preloaded into a program (LD_PRELOAD): of the allocations after the start of its
 * main(), those of all libraries included, number FAIL_AT (from 1) gives NULL, and
 * if FAIL_ALL_AFTER is set, so do all later ones. Their number is written to the
 * file FAIL_COUNT at the end, if that is set. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, which need no looking up. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

typedef int main_function(int argc, char **argv, char **environment);

static main_function *real_main;
static atomic_long allocations;
static long fail_at;
static bool started, fail_all_after;

static bool fails(void) {
    if (!started)
        return false;
    const long number = atomic_fetch_add(&allocations, 1) + 1;
    if (fail_at == 0 || number < fail_at || (number > fail_at && !fail_all_after))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    *out = memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

static void report(void) {
    const char *path = getenv("FAIL_COUNT");
    char text[32];
    int length = snprintf(text, sizeof text, "%ld", atomic_load(&allocations));
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0 && write(file, text, (size_t)length) == length)
        close(file);
}

static int counted_main(int argc, char **argv, char **environment) {
    const char *at = getenv("FAIL_AT");
    atexit(report);
    fail_at = at != NULL ? atol(at) : 0;
    fail_all_after = getenv("FAIL_ALL_AFTER") != NULL;
    started = true;
    return real_main(argc, argv, environment);
}

typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*loader_fini)(void), void *stack_end);
start_function __libc_start_main;

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end) {
    start_function *start;
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&start, &symbol, sizeof start); /* ISO C knows no such cast */
    real_main = main;
    return start(counted_main, argc, argv, init, fini, loader_fini, stack_end);
}
