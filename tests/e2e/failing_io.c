// SPDX-License-Identifier: MIT
/* Preloaded into a program (LD_PRELOAD): counts its calls of the system that concern files below
 * one directory, and has some of them fail, fall short, take long, or be the moment in which a
 * signal arrives.
 *
 *   FAILING_IO_BELOW  the directory, absolute and without links; calls that name it, a file below
 *                     it, or a descriptor open on either are counted from 1; all others are not
 *   FAILING_IO_LOG    a file elsewhere that gets a line "NUMBER KIND NAME" for each, with the name
 *                     relative to the directory ("." is the directory itself)
 *   FAILING_IO        what happens, as words WHICH=HOW with blanks between. WHICH is a number, a
 *                     number and "+" (that call and all later ones of its kind), or a kind (all of
 *                     them). HOW is one of
 *                         errno:E        the call fails with that number; a close() closes
 *                         short:N        a read or write does N bytes at most
 *                         before:S       signal S reaches the process, then the call is made
 *                         after:S        the call is made, then the signal comes
 *                         delay:U        the call waits U microseconds first
 *                         fill:B         getrandom() gives that byte, again and again
 *   FAILING_IO_THREAD if set, a second thread exists that blocks no signal: as after a parallel
 *                     region, a signal that the calling thread holds back is delivered there
 *
 * Kinds: open (for writing), openread, opendir, write, read, fsync, fsyncdir, close, closeread (of
 * what was open for reading alone), closedir, rename, exchange (RENAME_EXCHANGE), unlink, link,
 * mkdir, truncate, chmod, chown, lock, map, stat, statfs, xattr, readlink, random (getrandom(),
 * wherever it is called).
 *
 * What the C library calls within itself is not seen: the reads and writes of its streams (fopen,
 * fprintf). Neither is what a program does by syscall(). */
#undef _FORTIFY_SOURCE /* it makes inline functions of what is defined here */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum how { FAIL, SHORT, BEFORE, AFTER, DELAY, FILL };

struct rule {
    long number; /* 0: by kind */
    bool later;  /* the following ones of that kind too */
    char kind[16];
    enum how how;
    long value;
};

enum { MAX_RULES = 16, NAME_ROOM = 2 * PATH_MAX };
static struct rule rules[MAX_RULES];
static int rule_count;
static char below[PATH_MAX];
static size_t below_length; /* 0: nothing is counted */
static int log_file = -1;
static atomic_long calls;
static int asked[2] = {-1, -1}, answered[2] = {-1, -1}; /* pipes to and from the second thread */

static void read_rules(char *text) {
    static const char *const names[] = {"errno", "short", "before", "after", "delay", "fill"};
    char *state = NULL;
    for (char *word = strtok_r(text, " ", &state); word != NULL;
         word = strtok_r(NULL, " ", &state)) {
        struct rule *rule = &rules[rule_count];
        char how[16], *end;
        rule->number = strtol(word, &end, 10);
        rule->later = *end == '+';
        end += rule->later;
        int fields = rule->number > 0
                         ? 1 + sscanf(end, "=%15[a-z]:%ld", how, &rule->value)
                         : sscanf(word, "%15[a-z]=%15[a-z]:%ld", rule->kind, how, &rule->value);
        size_t h = 0;
        while (h < sizeof names / sizeof *names && (fields != 3 || strcmp(how, names[h]) != 0))
            h++;
        if (h == sizeof names / sizeof *names || rule_count == MAX_RULES - 1) {
            fprintf(stderr, "failing_io: what is %s?\n", word);
            _exit(99);
        }
        rule->how = (enum how)h;
        rule_count++;
    }
}

/* Answers whenever it is asked: by then it has taken the signals that were waiting for it. */
static void *second_thread(void *unused) {
    char byte;
    for (;;) {
        if (syscall(SYS_read, asked[0], &byte, 1) == 1)
            syscall(SYS_write, answered[1], &byte, 1);
    }
    return unused;
}

static int out_of_the_way(int fd) {
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, 200);
    syscall(SYS_close, fd);
    return moved;
}

__attribute__((constructor)) static void start(void) {
    const char *directory = getenv("FAILING_IO_BELOW"), *path = getenv("FAILING_IO_LOG");
    char *text = getenv("FAILING_IO");
    pthread_t thread;
    if (directory == NULL || strlen(directory) >= sizeof below)
        return;
    strcpy(below, directory);
    if (text != NULL)
        read_rules(strdup(text));
    if (path != NULL)
        log_file = out_of_the_way((int)syscall(SYS_openat, AT_FDCWD, path,
                                               O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (getenv("FAILING_IO_THREAD") != NULL) {
        if (pipe2(asked, O_CLOEXEC) != 0 || pipe2(answered, O_CLOEXEC) != 0 ||
            pthread_create(&thread, NULL, second_thread, NULL) != 0)
            _exit(99);
        for (int k = 0; k < 2; k++) {
            asked[k] = out_of_the_way(asked[k]);
            answered[k] = out_of_the_way(answered[k]);
        }
    }
    below_length = strlen(below);
}

/* The name below the directory, or NULL. */
static const char *within(const char *path) {
    if (below_length == 0 || strncmp(path, below, below_length) != 0)
        return NULL;
    if (path[below_length] == '\0')
        return ".";
    return path[below_length] == '/' ? path + below_length + 1 : NULL;
}

/* The path of a descriptor or, with AT_FDCWD, of the working directory; "" if it has none. */
static void path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, fd == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", fd);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = '\0';
}

/* Without its "." and "..", in place. */
static void simplify(char *path) {
    char *to = path, *state = NULL;
    for (char *part = strtok_r(path, "/", &state); part != NULL;
         part = strtok_r(NULL, "/", &state)) {
        if (strcmp(part, "..") == 0) {
            while (to > path && *--to != '/')
                ;
        } else if (strcmp(part, ".") != 0) {
            const size_t length = strlen(part);
            *to++ = '/';
            memmove(to, part, length);
            to += length;
        }
    }
    *to = '\0';
}

static const char *within_at(int directory, const char *name, char *room) {
    room[0] = '/'; /* so that a part never moves onto the one behind it */
    room[1] = '\0';
    if (name[0] != '/')
        path_of(directory, room + 1);
    const size_t used = strlen(room);
    snprintf(room + used, NAME_ROOM - used, "/%s", name);
    simplify(room);
    return within(room);
}

static void signal_process(int number) {
    char byte = 0;
    kill(getpid(), number);
    if (asked[1] < 0)
        return;
    syscall(SYS_write, asked[1], &byte, 1);
    while (syscall(SYS_read, answered[0], &byte, 1) != 1)
        ;
}

/* The outcome that a call is to have. */
struct fate {
    int error; /* 0: it does not fail */
    long most; /* bytes; -1: all */
    int signal_after;
    int fill; /* -1: no */
};

/* Counts a call of that kind, about the file `name` (NULL: it does not count). */
static struct fate count(const char *kind, const char *name) {
    struct fate fate = {.most = -1, .fill = -1};
    char line[NAME_ROOM + 64];
    if (name == NULL || below_length == 0)
        return fate;
    const long number = atomic_fetch_add(&calls, 1) + 1;
    if (log_file >= 0) {
        const int length = snprintf(line, sizeof line, "%ld %s %s\n", number, kind, name);
        syscall(SYS_write, log_file, line, length);
    }
    for (int r = 0; r < rule_count; r++) {
        struct rule *rule = &rules[r];
        if (rule->number == number)
            snprintf(rule->kind, sizeof rule->kind, "%s", kind);
        else if ((rule->number > 0 && (!rule->later || number < rule->number)) ||
                 strcmp(rule->kind, kind) != 0)
            continue;
        switch (rule->how) {
        case FAIL:
            fate.error = (int)rule->value;
            break;
        case SHORT:
            fate.most = rule->value;
            break;
        case BEFORE:
            signal_process((int)rule->value);
            break;
        case AFTER:
            fate.signal_after = (int)rule->value;
            break;
        case DELAY:
            usleep((useconds_t)rule->value);
            break;
        case FILL:
            fate.fill = (int)rule->value;
            break;
        }
    }
    return fate;
}

/* Ends a call with its result, keeping errno. */
static long ended(struct fate fate, long result) {
    const int reason = errno;
    if (fate.signal_after != 0)
        signal_process(fate.signal_after);
    errno = reason;
    return result;
}

static long failed(struct fate fate) {
    errno = fate.error;
    return -1;
}

#define CALL(fate, ...) ((fate).error != 0 ? failed(fate) : ended(fate, syscall(__VA_ARGS__)))

static struct fate count_at(const char *kind, int directory, const char *name) {
    char room[NAME_ROOM];
    const int reason = errno;
    const char *inside = below_length > 0 ? within_at(directory, name, room) : NULL;
    errno = reason;
    return count(kind, inside);
}

static bool is_directory(int fd) {
    struct stat known;
    return syscall(SYS_newfstatat, fd, "", &known, AT_EMPTY_PATH) == 0 && S_ISDIR(known.st_mode);
}

static struct fate count_fd(const char *kind, int fd) {
    char room[NAME_ROOM];
    const int reason = errno;
    const char *inside = NULL;
    if (below_length > 0) {
        path_of(fd, room);
        inside = within(room);
    }
    errno = reason;
    return count(kind, inside);
}

/* Opening and closing ------------------------------------------------------- */

static int open_at(int directory, const char *path, int flags, mode_t mode) {
    struct stat known;
    const char *kind = "openread";
    if ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0)
        kind = "open";
    else if (below_length > 0 && syscall(SYS_newfstatat, directory, path, &known, 0) == 0 &&
             S_ISDIR(known.st_mode))
        kind = "opendir";
    const struct fate fate = count_at(kind, directory, path);
    return (int)CALL(fate, SYS_openat, directory, path, flags, mode);
}

static mode_t mode_for(int flags, va_list more) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_for(flags, more);
    va_end(more);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_for(flags, more);
    va_end(more);
    return open_at(directory, path, flags, mode);
}

int creat(const char *path, mode_t mode) {
    return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int directory, const char *path, int flags, ...) __attribute__((alias("openat")));
int creat64(const char *path, mode_t mode) __attribute__((alias("creat")));

/* With _FORTIFY_SOURCE, calls of open() and others go to these functions. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
    return open_at(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));

int __openat_2(int directory, const char *path, int flags);
int __openat_2(int directory, const char *path, int flags) {
    return open_at(directory, path, flags, 0);
}

int __openat64_2(int directory, const char *path, int flags) __attribute__((alias("__openat_2")));

int close(int fd) {
    const char *kind = "closeread";
    if (below_length > 0 && is_directory(fd))
        kind = "closedir";
    else if (below_length > 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
        kind = "close";
    const struct fate fate = count_fd(kind, fd);
    const long result = syscall(SYS_close, fd);
    return (int)(fate.error != 0 ? failed(fate) : ended(fate, result));
}

/* Contents ------------------------------------------------------------------- */

static size_t at_most(struct fate fate, size_t size) {
    return fate.most >= 0 && (size_t)fate.most < size ? (size_t)fate.most : size;
}

ssize_t read(int fd, void *to, size_t size) {
    const struct fate fate = count_fd("read", fd);
    return CALL(fate, SYS_read, fd, to, at_most(fate, size));
}

ssize_t pread(int fd, void *to, size_t size, off_t offset) {
    const struct fate fate = count_fd("read", fd);
    return CALL(fate, SYS_pread64, fd, to, at_most(fate, size), offset);
}

ssize_t pread64(int fd, void *to, size_t size, off_t offset) __attribute__((alias("pread")));

ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __read_chk(int fd, void *to, size_t size, size_t room) {
    return size <= room ? read(fd, to, size) : (abort(), -1);
}

ssize_t write(int fd, const void *from, size_t size) {
    const struct fate fate = count_fd("write", fd);
    return CALL(fate, SYS_write, fd, from, at_most(fate, size));
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t offset) {
    const struct fate fate = count_fd("write", fd);
    return CALL(fate, SYS_pwrite64, fd, from, at_most(fate, size), offset);
}

ssize_t pwrite64(int fd, const void *from, size_t size, off_t offset)
    __attribute__((alias("pwrite")));

ssize_t writev(int fd, const struct iovec *parts, int part_count) {
    const struct fate fate = count_fd("write", fd);
    if (fate.error == 0 && fate.most >= 0 && part_count > 0)
        return ended(fate,
                     syscall(SYS_write, fd, parts[0].iov_base, at_most(fate, parts[0].iov_len)));
    return CALL(fate, SYS_writev, fd, parts, part_count);
}

int ftruncate(int fd, off_t size) {
    const struct fate fate = count_fd("truncate", fd);
    return (int)CALL(fate, SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off_t size) __attribute__((alias("ftruncate")));

/* Nothing is sent to the disk: that takes long, and nobody cuts the power. */
static int sync_fd(int fd) {
    const struct fate fate = count_fd(is_directory(fd) ? "fsyncdir" : "fsync", fd);
    const long flags = CALL(fate, SYS_fcntl, fd, F_GETFL);
    if (flags < 0 || (flags & O_PATH) == 0)
        return flags < 0 ? -1 : 0;
    errno = EBADF;
    return -1;
}

int fsync(int fd) {
    return sync_fd(fd);
}

int fdatasync(int fd) {
    return sync_fd(fd);
}

int syncfs(int fd) {
    return sync_fd(fd);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    struct fate fate = {.most = -1, .fill = -1};
    if ((flags & MAP_ANONYMOUS) == 0)
        fate = count_fd("map", fd);
    const long address = CALL(fate, SYS_mmap, at, size, protection, flags, fd, offset);
    return (void *)address; /* MAP_FAILED is -1 */
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("mmap")));

/* Names and their files ------------------------------------------------------- */

int renameat2(int from_directory, const char *from, int to_directory, const char *to,
              unsigned flags) {
    const struct fate fate =
        count_at((flags & RENAME_EXCHANGE) != 0 ? "exchange" : "rename", to_directory, to);
    return (int)CALL(fate, SYS_renameat2, from_directory, from, to_directory, to, flags);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
    return renameat2(from_directory, from, to_directory, to, 0);
}

int rename(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlinkat(int directory, const char *path, int flags) {
    const struct fate fate = count_at("unlink", directory, path);
    return (int)CALL(fate, SYS_unlinkat, directory, path, flags);
}

int unlink(const char *path) {
    return unlinkat(AT_FDCWD, path, 0);
}

int remove(const char *path) {
    return unlinkat(AT_FDCWD, path, 0);
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
    const struct fate fate = count_at("link", to_directory, to);
    return (int)CALL(fate, SYS_linkat, from_directory, from, to_directory, to, flags);
}

int link(const char *from, const char *to) {
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdirat(int directory, const char *path, mode_t mode) {
    const struct fate fate = count_at("mkdir", directory, path);
    return (int)CALL(fate, SYS_mkdirat, directory, path, mode);
}

int mkdir(const char *path, mode_t mode) {
    return mkdirat(AT_FDCWD, path, mode);
}

int fchmod(int fd, mode_t mode) {
    const struct fate fate = count_fd("chmod", fd);
    return (int)CALL(fate, SYS_fchmod, fd, mode);
}

int fchown(int fd, uid_t user, gid_t group) {
    const struct fate fate = count_fd("chown", fd);
    return (int)CALL(fate, SYS_fchown, fd, user, group);
}

int flock(int fd, int operation) {
    const struct fate fate = count_fd("lock", fd);
    return (int)CALL(fate, SYS_flock, fd, operation);
}

int fstatat(int directory, const char *restrict path, struct stat *restrict known, int flags) {
    const bool by_fd = (flags & AT_EMPTY_PATH) != 0 && path[0] == '\0';
    const struct fate fate =
        by_fd ? count_fd("stat", directory) : count_at("stat", directory, path);
    return (int)CALL(fate, SYS_newfstatat, directory, path, known, flags);
}

int stat(const char *restrict path, struct stat *restrict known) {
    return fstatat(AT_FDCWD, path, known, 0);
}

int lstat(const char *restrict path, struct stat *restrict known) {
    return fstatat(AT_FDCWD, path, known, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *known) {
    return fstatat(fd, "", known, AT_EMPTY_PATH);
}

int fstatfs(int fd, struct statfs *known) {
    const struct fate fate = count_fd("statfs", fd);
    return (int)CALL(fate, SYS_fstatfs, fd, known);
}

int statfs(const char *path, struct statfs *known) {
    const struct fate fate = count_at("statfs", AT_FDCWD, path);
    return (int)CALL(fate, SYS_statfs, path, known);
}

ssize_t fgetxattr(int fd, const char *name, void *to, size_t size) {
    const struct fate fate = count_fd("xattr", fd);
    return CALL(fate, SYS_fgetxattr, fd, name, to, size);
}

ssize_t getxattr(const char *path, const char *name, void *to, size_t size) {
    const struct fate fate = count_at("xattr", AT_FDCWD, path);
    return CALL(fate, SYS_getxattr, path, name, to, size);
}

ssize_t lgetxattr(const char *path, const char *name, void *to, size_t size) {
    const struct fate fate = count_at("xattr", AT_FDCWD, path);
    return CALL(fate, SYS_lgetxattr, path, name, to, size);
}

ssize_t readlinkat(int directory, const char *restrict path, char *restrict to, size_t size) {
    const struct fate fate = count_at("readlink", directory, path);
    return CALL(fate, SYS_readlinkat, directory, path, to, size);
}

ssize_t readlink(const char *restrict path, char *restrict to, size_t size) {
    return readlinkat(AT_FDCWD, path, to, size);
}

ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t room);
ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t room) {
    return size <= room ? readlink(path, to, size) : (abort(), -1);
}

ssize_t getrandom(void *to, size_t size, unsigned flags) {
    const struct fate fate = count("random", "-");
    if (fate.error == 0 && fate.fill >= 0)
        return memset(to, fate.fill, size), ended(fate, (long)size);
    return CALL(fate, SYS_getrandom, to, at_most(fate, size), flags);
}
