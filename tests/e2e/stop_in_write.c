// SPDX-License-Identifier: MIT
/* Preloaded into a program (LD_PRELOAD): in the first write to a file whose name begins with
 * STOP_IN_WRITE, when half of it is written, the process stops (SIGSTOP). What is sent to it then
 * comes in the middle of writing, on machines of any speed. */
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef ssize_t write_function(int fd, const void *data, size_t size);
typedef ssize_t pwrite_function(int fd, const void *data, size_t size, off_t offset);
write_function write;
pwrite_function pwrite, pwrite64;

/* Whether to stop in this write, which happens once. */
static bool stops_in(int fd) {
    static atomic_bool stopped;
    const char *wanted = getenv("STOP_IN_WRITE");
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = wanted != NULL ? readlink(link, path, sizeof path - 1) : -1;
    if (length < 0)
        return false;
    path[length] = '\0';
    const char *slash = strrchr(path, '/');
    return slash != NULL && strncmp(slash + 1, wanted, strlen(wanted)) == 0 &&
           !atomic_exchange(&stopped, true);
}

/* A function of the libraries that come after this one. */
static void *following(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

ssize_t write(int fd, const void *data, size_t size) {
    write_function *real;
    void *symbol = following("write");
    memcpy(&real, &symbol, sizeof real); /* ISO C knows no such cast */
    const bool stops = stops_in(fd);
    const ssize_t written = real(fd, data, stops ? (size + 1) / 2 : size);
    if (stops)
        raise(SIGSTOP);
    return written;
}

static ssize_t write_at(const char *name, int fd, const void *data, size_t size, off_t offset) {
    pwrite_function *real;
    void *symbol = following(name);
    memcpy(&real, &symbol, sizeof real);
    const bool stops = stops_in(fd);
    const ssize_t written = real(fd, data, stops ? (size + 1) / 2 : size, offset);
    if (stops)
        raise(SIGSTOP);
    return written;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    return write_at("pwrite", fd, data, size, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset) {
    return write_at("pwrite64", fd, data, size, offset);
}
