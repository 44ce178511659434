// SPDX-License-Identifier: MIT
/* Makes allocations of a program fail, into which it is preloaded (LD_PRELOAD). It counts
 * the allocations of the program and of all libraries from the start of main() on. Number
 * FAIL_AT (from 1) gives NULL; if FAIL_ALL_AFTER is set, all later ones give NULL, too.
 * If FAIL_COUNT names a file, that file gets two numbers at the end: the number of
 * allocations, and the number of blocks that the program itself, without its libraries, has
 * allocated and not freed. The second number leaves out blocks of malloc, which
 * common/base/output.c keeps until the end, because a signal handler needs them to remove files. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, which need no looking up. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

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

/* The code of the program, and what it has got: a hash table, of which 0 is free and 1 was used. */
enum { PLACES = 1 << 16 };
static uintptr_t code, code_end, kept[PLACES];
static atomic_flag busy = ATOMIC_FLAG_INIT;

static size_t place_of(uintptr_t block, uintptr_t wanted) {
    size_t at = (block >> 4) * 0x9E3779B97F4A7C15u % PLACES;
    for (int tries = 0; tries < PLACES && kept[at] != wanted && kept[at] != 0; tries++)
        at = (at + 1) % PLACES;
    return at;
}

static void replace(uintptr_t block, uintptr_t wanted, uintptr_t by) {
    while (atomic_flag_test_and_set(&busy))
        ;
    const size_t at = place_of(block, wanted);
    if (kept[at] == wanted)
        kept[at] = by;
    atomic_flag_clear(&busy);
}

static void *noted(void *block, void *caller) {
    if ((uintptr_t)caller - code < code_end - code && block != NULL)
        replace((uintptr_t)block, 0, (uintptr_t)block);
    return block;
}

void free(void *block) {
    if (block != NULL && code != 0)
        replace((uintptr_t)block, (uintptr_t)block, 1);
    __libc_free(block);
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : noted(__libc_calloc(count, size), __builtin_return_address(0));
}

void *realloc(void *old, size_t size) {
    void *const block = fails() ? NULL : __libc_realloc(old, size);
    if (block != NULL && old != NULL && code != 0)
        replace((uintptr_t)old, (uintptr_t)old, 1);
    return noted(block, __builtin_return_address(0));
}

void *memalign(size_t alignment, size_t size) {
    return fails() ? NULL : noted(__libc_memalign(alignment, size), __builtin_return_address(0));
}

void *aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : noted(__libc_memalign(alignment, size), __builtin_return_address(0));
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    *out = fails() ? NULL : noted(__libc_memalign(alignment, size), __builtin_return_address(0));
    return *out == NULL ? ENOMEM : 0;
}

/* Finds the code of the program, the first object of all. */
static int find_code(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int k = 0; k < object->dlpi_phnum; k++) {
        if ((object->dlpi_phdr[k].p_flags & PF_X) == 0)
            continue;
        code = object->dlpi_addr + object->dlpi_phdr[k].p_vaddr;
        code_end = code + object->dlpi_phdr[k].p_memsz;
    }
    return 1;
}

static void report(void) {
    const char *path = getenv("FAIL_COUNT");
    char text[64];
    int left = 0;
    for (size_t at = 0; at < PLACES; at++)
        left += kept[at] > 1;
    int length = snprintf(text, sizeof text, "%ld %d", atomic_load(&allocations), left);
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0 && write(file, text, (size_t)length) == length)
        close(file);
}

static int counted_main(int argc, char **argv, char **environment) {
    const char *at = getenv("FAIL_AT");
    atexit(report);
    fail_at = at != NULL ? atol(at) : 0;
    fail_all_after = getenv("FAIL_ALL_AFTER") != NULL;
    if (getenv("FAIL_COUNT") != NULL)
        dl_iterate_phdr(find_code, NULL);
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
