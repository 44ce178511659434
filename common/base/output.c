// SPDX-License-Identifier: MIT
#include "common/base/output.h"

#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_amount, memory_times

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* Hidden files, in a list that a signal handler can walk. Elements are added at the front, reused
 * and never freed, so the list is as long as the largest number of outputs that were open together.
 */
struct hidden {
    struct hidden *next; /* never changes */
    atomic_int use;
    int directory;
    char name[NAME_MAX + 1];
};
enum { UNUSED, BEING_FILLED, IN_USE };
static _Atomic(struct hidden *) all_hidden;

/* Parts of a word that decides whether commits or the signal handler go first: the number of
 * commits that are putting files in place, whether the program is about to die, and the signal that
 * waits for these commits. */
enum { REPLACING = 0xffff, DYING = 0x10000, WAITING_SHIFT = 24 };
static atomic_uint state;

static bool without_sync;

/* line that the signal handler prints; NULL: none */
static _Atomic(const char *) last_line;

void output_without_sync(void) {
    without_sync = true;
}

void output_say_on_signal(const char *line) {
    last_line = line;
}

/* Waits forever if the signal handler runs in another thread, so that this thread changes nothing.
 */
static void stop_if_dying(void) {
    while ((state & DYING) != 0)
        pause();
}

static struct hidden *unused_hidden(void) {
    stop_if_dying();
    for (struct hidden *h = all_hidden; h != NULL; h = h->next) {
        int expected = UNUSED;
        if (atomic_compare_exchange_strong(&h->use, &expected, BEING_FILLED))
            return h;
    }
    struct hidden *new = malloc(sizeof *new);
    if (new == NULL)
        return NULL;
    atomic_init(&new->use, BEING_FILLED);
    new->next = all_hidden;
    while (!atomic_compare_exchange_weak(&all_hidden, &new->next, new))
        ;
    return new;
}

static void forget(struct hidden **hidden) {
    stop_if_dying();
    if (*hidden != NULL)
        (*hidden)->use = UNUSED;
    *hidden = NULL;
}

static void remove_hidden(struct hidden **hidden) {
    if (*hidden != NULL)
        unlinkat((*hidden)->directory, (*hidden)->name, 0);
    forget(hidden);
}

void output_remove_unfinished(void) {
    for (struct hidden *h = all_hidden; h != NULL; h = h->next) {
        if (h->use == IN_USE)
            unlinkat(h->directory, h->name, 0);
    }
}

/* Returns whether an instruction of the program raised the signal; otherwise it was sent. */
static bool is_fault(int number, const siginfo_t *info) {
    return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                                 number == SIGILL || number == SIGSYS || number == SIGTRAP);
}

static void remove_and_die(int number, siginfo_t *info, void *context) {
    (void)context;
    const bool fault = is_fault(number, info);
    unsigned before = state, after;
    bool replacing;
    do {
        replacing = (before & REPLACING) != 0;
        after = !replacing ? before | DYING
                           : (before & (REPLACING | DYING)) | (unsigned)number << WAITING_SHIFT;
    } while (!(replacing && fault) && !atomic_compare_exchange_weak(&state, &before, after));
    /* If a commit is putting files in place, hidden names may refer to old files, which the commit
     * must restore or remove. */
    if (replacing && !fault)
        return;
    if (!replacing)
        output_remove_unfinished();
    const char *const line = last_line;
    if (line != NULL && write(STDERR_FILENO, line, strlen(line)) < 0)
        errno = 0; /* errors cannot be reported here */
    const struct sigaction deadly = {.sa_handler = SIG_DFL};
    sigaction(number, &deadly, NULL);
    raise(number); /* takes effect when this function returns */
}

static bool kills(int number) {
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP,  SIGTTIN, SIGTTOU,
                                 SIGCHLD, SIGCONT, SIGWINCH, SIGURG,  SIGXFSZ};
    for (size_t s = 0; s < sizeof others / sizeof *others; s++) {
        if (number == others[s])
            return false;
    }
    return true;
}

void output_remove_on_signal(void) {
    /* for handlers, in case the program's own stack is used up */
    static _Alignas(max_align_t) char stack[1 << 16];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = remove_and_die,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    stack_t present;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE) != 0)
        sigaltstack(&other, NULL);
    sigemptyset(&action.sa_mask);
    for (int number = 1; number <= SIGRTMAX; number++) {
        struct sigaction previous;
        /* Signals that the parent process ignores (nohup) stay ignored. */
        if (kills(number) && sigaction(number, NULL, &previous) == 0 &&
            previous.sa_handler == SIG_DFL)
            sigaction(number, &action, NULL);
    }
    /* write() then fails if a file grows beyond the limit on file sizes. */
    signal(SIGXFSZ, SIG_IGN);
}

/* Blocks signals until replacing_end, so that none ends the program; see output_commit_all. */
static void replacing_begin(sigset_t *before) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
    unsigned found = state;
    do
        while ((found & DYING) != 0) {
            pause();
            found = state;
        }
    while (!atomic_compare_exchange_weak(&state, &found, found + 1));
}

static void replacing_end(const sigset_t *before) {
    const unsigned left = atomic_fetch_sub(&state, 1) - 1;
    pthread_sigmask(SIG_SETMASK, before, NULL);
    if ((left & REPLACING) == 0 && left >> WAITING_SHIFT != 0)
        raise((int)(left >> WAITING_SHIFT));
}

static enum status fail_with(const char *name, int reason, struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s", *name != '\0' ? name : "''",
                strerror(reason));
}

int output_sync(int fd) {
    while (!without_sync && fsync(fd) != 0) {
        /* EBADF: a directory opened without the permission to read it. */
        if (errno == EINVAL || errno == EROFS || errno == EBADF)
            return 0;
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

/* Calls flock, and tries again for some seconds. Returns 0, also if there are no locks, or an
 * errno. */
static int lock_within_seconds(int fd, int operation) {
    static const double longest_s = 10;
    static const struct timespec pause_for = {.tv_nsec = 5000000};
    const double until = clock_seconds() + longest_s;
    while (flock(fd, operation | LOCK_NB) != 0) {
        switch (errno) {
        case EINTR:
            break;
        case EWOULDBLOCK:
            if (clock_seconds() > until)
                return EWOULDBLOCK;
            nanosleep(&pause_for, NULL);
            break;
        /* a directory without permission to read; or NFS, which needs permission to write */
        case EBADF:
        case EINVAL:
        case ENOLCK:
        case ENOSYS:
        case EOPNOTSUPP:
            return 0;
        default:
            return errno;
        }
    }
    return 0;
}

static enum status fail_locked(const char *name, const char *what, int reason, struct error *err) {
    if (reason == EWOULDBLOCK)
        return fail(err, STATUS_NO_RESOURCE,
                    "cannot write %s: %s has been locked by another process for 10 seconds", name,
                    what);
    return fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s cannot be locked: %s", name, what,
                strerror(reason));
}

enum status output_lock(int fd, const char *path, struct error *err) {
    const int reason = lock_within_seconds(fd, LOCK_EX);
    return reason == 0 ? STATUS_OK : fail_locked(path, "it", reason, err);
}

/* The place that a name leads to. */
struct output_place {
    int descriptor; /* descriptor that the name stands for; -1: none */
    int directory;  /* descriptor of the directory that contains the name; -1: none */
    char *name;     /* name in that directory */
    bool exists;
    bool follow; /* the name is a link of /proc to an object without a name, such as a pipe */
    struct stat in, file;
};

static void place_free(struct output_place *place) {
    if (place->directory >= 0)
        close(place->directory);
    free(place->name);
    place->directory = -1;
    place->name = NULL;
}

/* Returns the descriptor that a path such as /dev/stdout or /dev/fd/3 stands for, or -1. Its file
 * must not be replaced, because the descriptor may append to it. */
static int named_descriptor(const char *path) {
    static const char *const forms[] = {"/dev/fd/%d%n", "/proc/self/fd/%d%n"};
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        int descriptor = -1, end = 0;
        if (sscanf(path, forms[f], &descriptor, &end) == 1 && path[end] == '\0')
            return descriptor;
    }
    return -1;
}

/* Calls openat(2) again if a signal interrupts it. */
static int open_at(int directory, const char *name, int flags, mode_t mode) {
    int fd;
    do
        fd = openat(directory, name, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* Opens the directory of a path and finds the name in it; returns 0 or an errno. The kernel follows
 * links in the path, as for every program. */
static int enter_directory(struct output_place *place, int from, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char *way = slash == NULL ? strdup(".") : strndup(path, (size_t)(name - path));
    place->name = strdup(name);
    if (way == NULL || place->name == NULL) {
        free(way);
        return ENOMEM;
    }
    place->directory = open_at(from, way, O_RDONLY | O_DIRECTORY, 0);
    if (place->directory < 0 && errno == EACCES) /* files in it may still be writable */
        place->directory = open_at(from, way, O_PATH | O_DIRECTORY, 0);
    const int reason = errno;
    free(way);
    if (place->directory < 0)
        return reason;
    if (*name == '\0')
        return *path == '\0' ? ENOENT : EISDIR;
    return fstat(place->directory, &place->in) == 0 ? 0 : errno;
}

static bool anybody_may_add(const struct stat *directory) {
    const mode_t shared = S_ISVTX | S_IWOTH;
    return (directory->st_mode & shared) == shared;
}

/* Applies Linux's rule for links and other files in directories that everyone may write to. */
static bool is_trusted(const struct output_place *place, const struct stat *file) {
    return !anybody_may_add(&place->in) || file->st_uid == geteuid() ||
           file->st_uid == place->in.st_uid;
}

static bool is_in_proc(int directory) {
    struct statfs system;
    return fstatfs(directory, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* Finds out what is at the place. If it is a link, stores its target in *linked, which the caller
 * frees. Returns 0 or an errno. Reads the link by the descriptor that was checked. */
static int query_place(struct output_place *place, bool writing, char **linked) {
    char text[PATH_MAX];
    const int found = open_at(place->directory, place->name, O_PATH | O_NOFOLLOW, 0);
    if (found < 0)
        return errno == ENOENT ? 0 : errno;
    int reason = 0;
    ssize_t length = -1;
    if (fstat(found, &place->file) != 0)
        reason = errno;
    else if (S_ISLNK(place->file.st_mode) && writing && !is_trusted(place, &place->file))
        reason = EACCES;
    else if (S_ISLNK(place->file.st_mode) &&
             (length = readlinkat(found, "", text, sizeof text)) < 0)
        reason = errno;
    close(found);
    place->exists = reason == 0;
    if (reason != 0 || length < 0)
        return reason;
    struct stat behind;
    if (is_in_proc(place->directory) && fstatat(place->directory, place->name, &behind, 0) == 0 &&
        !S_ISREG(behind.st_mode)) {
        place->file = behind;
        place->follow = true;
        return 0;
    }
    if (length == sizeof text)
        return ENAMETOOLONG;
    *linked = strndup(text, (size_t)length);
    return *linked != NULL ? 0 : ENOMEM;
}

/* Follows symbolic links, up to one without a target or to the name of a descriptor. Returns 0 or
 * an errno; the caller calls place_free in any case. */
static int find_place(const char *path, bool writing, struct output_place *place) {
    enum { MAX_LINKS = 40 };
    char *linked = NULL;
    int from = AT_FDCWD, reason = 0;
    for (int links = 0; reason == 0 && path != NULL; links++) {
        char *before = linked;
        linked = NULL;
        *place = (struct output_place){.descriptor = named_descriptor(path), .directory = -1};
        if (place->descriptor >= 0)
            place->exists = fstat(place->descriptor, &place->file) == 0;
        else
            reason = links <= MAX_LINKS ? enter_directory(place, from, path) : ELOOP;
        if (place->descriptor < 0 && reason == 0)
            reason = query_place(place, writing, &linked);
        if (from != AT_FDCWD)
            close(from);
        free(before);
        path = linked;
        from = AT_FDCWD;
        if (linked != NULL) {
            from = place->directory;
            place->directory = -1;
            place_free(place);
        }
    }
    return reason;
}

/* Makes a random hidden name in the target's directory, which most likely is free; returns NULL
 * with errno set on failure. */
static struct hidden *hide_beside(int directory, const char *target) {
    /* 32 letters, so that every one is equally likely */
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef";
    unsigned char random[8];
    char suffix[sizeof random + 1] = "";
    const ssize_t got = getrandom(random, sizeof random, GRND_NONBLOCK);
    if (got != sizeof random) {
        errno = got < 0 ? errno : EAGAIN;
        return NULL;
    }
    for (size_t k = 0; k < sizeof random; k++)
        suffix[k] = letters[random[k] % (sizeof letters - 1)];
    struct hidden *hidden = unused_hidden();
    if (hidden == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    /* The name contains the target's name, cut to fit into NAME_MAX. */
    snprintf(hidden->name, sizeof hidden->name, ".%.200s.%s", target, suffix);
    hidden->directory = directory;
    hidden->use = IN_USE;
    return hidden;
}

/* Returns whether access to a file depends on more than its mode (an access control list). */
static bool has_access_list(const struct output_place *place) {
    char path[64];
    const int file = open_at(place->directory, place->name, O_PATH | O_NOFOLLOW, 0);
    if (file < 0)
        return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const bool has = getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
    close(file);
    return has;
}

/* Copies the permissions of the file that is replaced, as far as that gives no one more access:
 * those of its group only if the group stays the same. Returns 0 or an errno. */
static int inherit_mode(int fd, const struct output_place *place) {
    struct stat new;
    mode_t mode = place->file.st_mode & 0777;
    if (fstat(fd, &new) != 0)
        return errno;
    const bool same_group =
        new.st_gid == place->file.st_gid || fchown(fd, (uid_t)-1, place->file.st_gid) == 0;
    if (!same_group || has_access_list(place))
        mode &= ~(mode_t)0070 | (mode & 0007) << 3;
    return fchmod(fd, mode) == 0 ? 0 : errno;
}

/* Does not use mkostemp(), which ignores the umask; asking for the umask would change it for a
 * moment, also for other threads. */
static int open_temporary(struct output *out, const struct output_place *place) {
    const bool inherits = place->exists && place->file.st_uid == geteuid();
    for (int attempts = 100; out->fd < 0; attempts--) {
        /* The name is recorded before the file is created, because a signal may come at any time.
         */
        out->temporary = hide_beside(out->directory, out->target);
        if (out->temporary == NULL)
            return errno;
        out->fd = open_at(out->directory, out->temporary->name, O_WRONLY | O_CREAT | O_EXCL,
                          inherits ? 0600 : 0666);
        if (out->fd >= 0)
            break;
        const int reason = errno;
        forget(&out->temporary); /* a file with this name exists already */
        if (reason != EEXIST || attempts == 0)
            return reason;
    }
    return inherits ? inherit_mode(out->fd, place) : 0;
}

/* Opens a device or pipe, if it still is the one that was checked. */
static int open_special(const struct output_place *place, int flags, int *fd) {
    struct stat opened;
    if (S_ISDIR(place->file.st_mode))
        return EISDIR;
    if (S_ISFIFO(place->file.st_mode) && !place->follow && !is_trusted(place, &place->file))
        return EACCES;
    *fd = open_at(place->directory, place->name,
                  O_WRONLY | flags | (place->follow ? 0 : O_NOFOLLOW), 0);
    if (*fd < 0)
        return errno;
    if (fstat(*fd, &opened) == 0 && opened.st_dev == place->file.st_dev &&
        opened.st_ino == place->file.st_ino)
        return 0;
    close(*fd);
    *fd = -1;
    return EACCES;
}

static enum status open_descriptor(int *fd, int named, const char *name, struct error *err) {
    *fd = dup(named);
    return *fd >= 0 ? STATUS_OK : fail_with(name, errno, err);
}

enum status output_open(struct output *out, const char *path, struct error *err) {
    struct output_place place;
    *out = (struct output){.name = path, .fd = -1, .directory = -1};
    if (strcmp(path, "-") == 0) {
        out->name = "standard output";
        return open_descriptor(&out->fd, STDOUT_FILENO, out->name, err);
    }
    int reason = find_place(path, true, &place);
    if (reason == 0 && place.descriptor >= 0)
        return open_descriptor(&out->fd, place.descriptor, path, err);
    if (reason == 0 && place.exists && !S_ISREG(place.file.st_mode)) {
        reason = open_special(&place, 0, &out->fd);
    } else if (reason == 0) {
        out->directory = place.directory;
        out->target = place.name;
        reason = open_temporary(out, &place);
        place.directory = -1;
        place.name = NULL;
    }
    place_free(&place);
    if (reason == 0)
        return STATUS_OK;
    output_discard(out);
    return fail_with(path, reason, err);
}

/* Gives a file of another folder a hidden name in the target's directory; returns 0 or an errno. */
static int link_temporary(struct output *out, int from, const char *name) {
    out->temporary = hide_beside(out->directory, out->target);
    if (out->temporary == NULL)
        return errno;
    if (linkat(from, name, out->directory, out->temporary->name, 0) == 0)
        return 0;
    const int reason = errno;
    forget(&out->temporary);
    return reason;
}

enum status output_open_linked(struct output *out, const char *path, int from, const char *name,
                               int fd, struct error *err) {
    struct output_place place;
    *out = (struct output){.name = path, .fd = fd, .directory = -1};
    int reason = find_place(path, true, &place);
    if (reason == 0 && (place.descriptor >= 0 || (place.exists && !S_ISREG(place.file.st_mode)))) {
        reason = EEXIST;
    } else if (reason == 0) {
        out->directory = place.directory;
        out->target = place.name;
        if (place.exists && place.file.st_uid == geteuid())
            reason = inherit_mode(fd, &place);
        place.directory = -1;
        place.name = NULL;
    }
    place_free(&place);
    enum status status = reason == 0 ? STATUS_OK : fail_with(path, reason, err);
    if (status == STATUS_OK && (reason = link_temporary(out, from, name)) != 0)
        status = fail(err, STATUS_NO_RESOURCE, "cannot write %s by a hard link: %s", path,
                      strerror(reason));
    if (status != STATUS_OK)
        output_discard(out);
    return status;
}

enum status output_open_removal(struct output *out, const char *path, struct error *err) {
    struct output_place place = {.descriptor = -1, .directory = -1};
    *out = (struct output){.name = path, .fd = -1, .directory = -1};
    const int reason = enter_directory(&place, AT_FDCWD, path);
    out->directory = place.directory;
    out->target = place.name;
    if (reason == 0)
        return STATUS_OK;
    output_discard(out);
    return fail(err, STATUS_NO_RESOURCE, "cannot remove %s: %s", path, strerror(reason));
}

/* Writes at an offset or, if that is -1, at the file's position, with as many calls as needed;
 * returns 0 or an errno. */
static int write_all(int fd, const void *data, size_t size, off_t offset) {
    enum { MAX_ATTEMPTS = 1000 };
    const char *at = data;
    for (int in_vain = 0; size > 0;) {
        const ssize_t written = offset < 0 ? write(fd, at, size) : pwrite(fd, at, size, offset);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            at += written;
            offset += offset < 0 ? 0 : written;
            size -= (size_t)written;
            in_vain = 0;
        } else if (++in_vain == MAX_ATTEMPTS) {
            return EIO;
        }
    }
    return 0;
}

enum status output_path(const struct output *out, char *path, size_t size, struct error *err) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", out->fd);
    const ssize_t length = out->temporary != NULL ? readlink(link, path, size) : -1;
    if (length < 0 || (size_t)length >= size)
        return fail(err, STATUS_NO_RESOURCE,
                    "cannot write %s: expected a regular file with a path of fewer than %zu bytes",
                    out->name, size);
    path[length] = '\0';
    return STATUS_OK;
}

enum status output_join(struct output *out, const char *name, const char *path, struct error *err) {
    *out = (struct output){.name = name, .fd = -1, .directory = -1};
    out->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    return out->fd >= 0 ? STATUS_OK
                        : fail(err, STATUS_NO_RESOURCE,
                               "cannot write %s: expected the file that rank 0 has opened, in a "
                               "folder that all hosts share: %s",
                               name, strerror(errno));
}

enum status output_write(struct output *out, const void *data, size_t size, struct error *err) {
    const int reason = output_write_all(out->fd, data, size);
    return reason == 0 ? STATUS_OK : fail_with(out->name, reason, err);
}

enum status output_write_at(struct output *out, const void *data, size_t size, uint64_t offset,
                            struct error *err) {
    const int reason = write_all(out->fd, data, size, (off_t)offset);
    return reason == 0 ? STATUS_OK : fail_with(out->name, reason, err);
}

/* Fails if the file system of an open file reports that it has no room for `more` bytes. If it does
 * not report its room, writing will show it. */
static enum status check_room(int fd, const char *name, uint64_t more, struct error *err) {
    struct statvfs file_system;
    char needed[32], left[32];
    if (fstatvfs(fd, &file_system) != 0 || file_system.f_blocks == 0)
        return STATUS_OK;
    const uint64_t room = memory_times(file_system.f_bavail, file_system.f_frsize);
    if (room >= more)
        return STATUS_OK;
    return fail(err, STATUS_NO_RESOURCE, "cannot write %s: it needs %s, %s are free on its disk",
                name, memory_amount(more, needed, sizeof needed),
                memory_amount(room, left, sizeof left));
}

enum status output_check_room(const struct output *out, uint64_t bytes, struct error *err) {
    return out->temporary != NULL ? check_room(out->fd, out->name, bytes, err) : STATUS_OK;
}

enum status output_extend_file(int fd, const char *name, uint64_t bytes, uint64_t more,
                               struct error *err) {
    RETURN_ON_FAILURE(check_room(fd, name, more, err));
    int failed;
    do
        failed = ftruncate(fd, (off_t)bytes);
    while (failed != 0 && errno == EINTR);
    return failed == 0 ? STATUS_OK : fail_with(name, errno, err);
}

enum status output_extend(struct output *out, uint64_t bytes, uint64_t more, struct error *err) {
    if (out->temporary == NULL)
        return fail(err, STATUS_NO_RESOURCE,
                    "cannot write %s: expected a regular file, which can be written in any order",
                    out->name);
    return output_extend_file(out->fd, out->name, bytes, more, err);
}

int output_write_all(int fd, const void *data, size_t size) {
    return write_all(fd, data, size, -1);
}

/* The directories of several files, each once, in an order that is the same in all processes. */
struct directories {
    int fds[OUTPUT_MAX_TOGETHER];
    struct stat files[OUTPUT_MAX_TOGETHER];
    int count;
};

static int compare_files(const struct stat *a, const struct stat *b) {
    if (a->st_dev != b->st_dev)
        return a->st_dev < b->st_dev ? -1 : 1;
    return (a->st_ino > b->st_ino) - (a->st_ino < b->st_ino);
}

static void add_directory(struct directories *all, int fd) {
    struct stat file;
    int at = all->count;
    if (fd < 0 || fstat(fd, &file) != 0)
        return;
    for (int k = 0; k < all->count; k++) {
        if (compare_files(&all->files[k], &file) == 0)
            return;
    }
    for (; at > 0 && compare_files(&all->files[at - 1], &file) > 0; at--) {
        all->fds[at] = all->fds[at - 1];
        all->files[at] = all->files[at - 1];
    }
    all->fds[at] = fd;
    all->files[at] = file;
    all->count++;
}

static int lock_directories(const struct directories *all, int operation) {
    int reason = 0;
    for (int k = 0; k < all->count && reason == 0; k++)
        reason = lock_within_seconds(all->fds[k], operation);
    return reason;
}

/* Releases the locks of the directories; no other descriptor refers to the same open directory and
 * would keep them. */
static void unlock_directories(const struct directories *all) {
    for (int k = 0; k < all->count; k++)
        flock(all->fds[k], LOCK_UN);
}

static bool is_directory(const struct output *out) {
    struct stat file;
    return fstatat(out->directory, out->target, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(file.st_mode);
}

static int rename_within(const struct output *out, const char *from, const char *to) {
    return renameat(out->directory, from, out->directory, to) == 0 ? 0 : errno;
}

/* Renames a file, but does not replace another file if the file system can prevent that. */
static int rename_to_new(const struct output *out, const char *from, const char *to) {
    if (renameat2(out->directory, from, out->directory, to, RENAME_NOREPLACE) == 0)
        return 0;
    return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM
               ? rename_within(out, from, to)
               : errno;
}

static int exchange(const struct output *out) {
    return renameat2(out->directory, out->temporary->name, out->directory, out->target,
                     RENAME_EXCHANGE) == 0
               ? 0
               : errno;
}

/* Moves the target, if it exists, to a hidden name. */
static int take_away(struct output *out) {
    if (is_directory(out))
        return EISDIR;
    out->old = hide_beside(out->directory, out->target);
    if (out->old == NULL)
        return errno;
    const int reason = rename_to_new(out, out->target, out->old->name);
    if (reason != 0)
        forget(&out->old);
    return reason == ENOENT ? 0 : reason;
}

static int put_in_place(struct output *out) {
    const int reason = rename_within(out, out->temporary->name, out->target);
    out->placed = reason == 0;
    return reason;
}

/* Returns whether the target belongs to another user and is in a sticky directory of another user.
 * Then a second link to it could be made, but not removed. */
static bool is_stuck(const struct output *out) {
    struct stat in, file;
    return fstat(out->directory, &in) == 0 && (in.st_mode & S_ISVTX) != 0 &&
           in.st_uid != geteuid() &&
           fstatat(out->directory, out->target, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
           file.st_uid != geteuid();
}

/* Gives the target, if it exists, a hidden name as well. Returns an errno if the file system has no
 * hard links, or none for this file. */
static int link_beside(struct output *out) {
    if (is_stuck(out))
        return EPERM;
    out->old = hide_beside(out->directory, out->target);
    if (out->old == NULL)
        return errno;
    if (linkat(out->directory, out->target, out->directory, out->old->name, 0) == 0)
        return 0;
    const int reason = errno;
    forget(&out->old);
    return reason == ENOENT ? 0 : reason;
}

/* Replaces the target so that it is never absent, if the file system can exchange names or link
 * files. Otherwise, if the file is committed alone, overwrites the target; that cannot be undone,
 * but the target is never absent. */
static int replace(struct output *out, bool alone) {
    if (is_directory(out))
        return EISDIR;
    int reason = exchange(out);
    out->exchanged = reason == 0;
    if (reason == EINVAL || reason == ENOSYS || reason == EOPNOTSUPP ||
        reason == EPERM) { /* from sandboxes that do not know the system call */
        reason = link_beside(out);
        if (reason != 0)
            reason = alone ? 0 : take_away(out);
    } else if (reason == ENOENT) {
        reason = 0;
    }
    if (reason == 0 && !out->exchanged)
        reason = put_in_place(out);
    return reason;
}

/* Moves a hidden file back to the target, with one system call or, if that fails, with others. */
static int restore(const struct output *out, const char *hidden) {
    const int reason = rename_within(out, hidden, out->target);
    if (reason == 0)
        return 0;
    if (out->exchanged)
        return exchange(out) == 0 ? 0 : reason;
    if (out->placed)
        unlinkat(out->directory, out->target, 0);
    /* If it was linked, it may still be in place. */
    return linkat(out->directory, hidden, out->directory, out->target, 0) == 0 || errno == EEXIST
               ? 0
               : reason;
}

/* Removes a new file from a target that did not exist. */
static int withdraw(const struct output *out) {
    if (unlinkat(out->directory, out->target, 0) == 0)
        return 0;
    return rename_within(out, out->target, out->temporary->name);
}

/* Undoes a commit. Files that cannot be put back stay in the targets' directories; err tells that.
 */
static void undo(struct output *const outs[], int count, struct error *err) {
    for (int k = count - 1; k >= 0; k--) {
        struct output *out = outs[k];
        int reason = 0;
        struct hidden **kept = out->exchanged ? &out->temporary : &out->old;
        if (*kept != NULL)
            reason = restore(out, (*kept)->name);
        else if (out->placed)
            reason = withdraw(out);
        if (reason != 0) {
            const struct error before = *err;
            const bool lost = *kept != NULL;
            fail(err, STATUS_NO_RESOURCE, "%.400s; %s %.200s %s %s: %s", before.text,
                 lost ? "what stood in" : "the new", out->name, lost ? "is beside it in" : "stays",
                 lost ? (*kept)->name : "there", strerror(reason));
            forget(kept);
        }
        out->placed = out->exchanged = false;
    }
}

/* Performs the steps of a commit. If one fails, returns its errno and stores the name of the output
 * in *name; otherwise returns 0. */
static int replace_all(struct output *const outs[], int count, const struct directories *in,
                       const char **name) {
    int reason = 0;
    for (int k = 0; k < count && reason == 0; k++) {
        *name = outs[k]->name;
        if (outs[k]->temporary == NULL || (k == 0 && count > 1))
            reason = take_away(outs[k]);
        else if (count > 1 || !without_sync)
            reason = replace(outs[k], count == 1);
        else /* the last step that can fail */
            reason = put_in_place(outs[k]);
    }
    if (reason == 0 && count > 1) {
        *name = outs[0]->name;
        reason = put_in_place(outs[0]);
    }
    for (int k = 0; k < in->count && reason == 0; k++)
        reason = output_sync(in->fds[k]);
    return reason;
}

/* Returns the first output before outs[k] that has the same target; NULL: there is none. */
static const struct output *same_target(struct output *const outs[], int k) {
    struct stat here, there;
    for (int j = 0; j < k; j++) {
        if (strcmp(outs[j]->target, outs[k]->target) == 0 &&
            fstat(outs[j]->directory, &there) == 0 && fstat(outs[k]->directory, &here) == 0 &&
            compare_files(&here, &there) == 0)
            return outs[j];
    }
    return NULL;
}

/* Commits outputs that are not written directly. */
static enum status commit_files(struct output *const outs[], int count, struct error *err) {
    struct directories in = {.count = 0};
    const char *name = outs[0]->name;
    sigset_t signals;
    for (int k = 0; k < count; k++) {
        const struct output *same = same_target(outs, k);
        if (same != NULL)
            return fail(err, STATUS_NO_RESOURCE,
                        "cannot write %.400s: it is the same file as %.400s", outs[k]->name,
                        same->name);
        add_directory(&in, outs[k]->directory);
    }
    /* A single rename needs no lock. */
    int reason = count > 1 ? lock_directories(&in, LOCK_EX) : 0;
    if (reason != 0) {
        unlock_directories(&in);
        return fail_locked(name, "its directory", reason, err);
    }
    enum status status = STATUS_OK;
    replacing_begin(&signals);
    reason = replace_all(outs, count, &in, &name);
    if (reason != 0) {
        status = fail_with(name, reason, err);
        undo(outs, count, err);
    }
    if (count > 1)
        unlock_directories(&in);
    for (int k = 0; k < count; k++) {
        remove_hidden(&outs[k]->old);
        if (outs[k]->placed) /* the hidden name is free */
            forget(&outs[k]->temporary);
        remove_hidden(&outs[k]->temporary);
    }
    replacing_end(&signals);
    return status;
}

enum status output_commit_all(struct output *const outs[], int count, struct error *err) {
    struct output *files[OUTPUT_MAX_TOGETHER];
    enum status status = STATUS_OK;
    int replaced = 0;
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        struct output *out = outs[k];
        const int fd = out->fd;
        int reason = fd >= 0 && out->target != NULL ? output_sync(fd) : 0;
        out->fd = -1;
        if (fd >= 0 && close(fd) != 0 && reason == 0)
            reason = errno;
        if (reason != 0)
            status = fail_with(out->name, reason, err);
        if (out->target != NULL)
            files[replaced++] = out;
    }
    if (status == STATUS_OK && replaced > 0)
        status = commit_files(files, replaced, err);
    for (int k = 0; k < count; k++)
        output_discard(outs[k]);
    return status;
}

enum status output_commit(struct output *out, struct error *err) {
    return output_commit_all(&out, 1, err);
}

void output_discard(struct output *out) {
    if (out->fd >= 0)
        close(out->fd);
    remove_hidden(&out->temporary);
    forget(&out->old);
    if (out->target != NULL && out->directory >= 0)
        close(out->directory);
    free(out->target);
    out->target = NULL;
    out->fd = out->directory = -1;
}

void output_open_together(const char *const paths[], int count, int fds[], int reasons[]) {
    struct directories in = {.count = 0};
    struct output_place places[OUTPUT_MAX_TOGETHER];
    for (int k = 0; k < count; k++) {
        find_place(paths[k], false, &places[k]);
        add_directory(&in, places[k].directory);
    }
    lock_directories(&in, LOCK_SH);
    for (int k = 0; k < count; k++) {
        fds[k] = open_at(AT_FDCWD, paths[k], O_RDONLY | O_NONBLOCK, 0);
        reasons[k] = fds[k] >= 0 ? 0 : errno;
    }
    unlock_directories(&in);
    for (int k = 0; k < count; k++)
        place_free(&places[k]);
}

/* Opens a regular file, which may have appeared after its place was checked. */
static int open_to_append(const struct output_place *place, int *fd) {
    struct stat opened;
    *fd = open_at(place->directory, place->name, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0666);
    if (*fd < 0)
        return errno;
    const int reason = fstat(*fd, &opened) != 0                                ? errno
                       : S_ISREG(opened.st_mode) && is_trusted(place, &opened) ? 0
                                                                               : EACCES;
    if (reason == 0)
        return 0;
    close(*fd);
    *fd = -1;
    return reason;
}

enum status output_open_append(const char *path, int *fd, bool *direct, struct error *err) {
    struct output_place place;
    *fd = -1;
    int reason = find_place(path, true, &place);
    *direct =
        reason == 0 && (place.descriptor >= 0 || (place.exists && !S_ISREG(place.file.st_mode)));
    if (*direct && place.descriptor >= 0)
        return open_descriptor(fd, place.descriptor, path, err);
    if (*direct) {
        reason = open_special(&place, O_APPEND, fd);
    } else if (reason == 0 && place.exists && !is_trusted(&place, &place.file)) {
        reason = EACCES;
    } else if (reason == 0) {
        reason = open_to_append(&place, fd);
    }
    place_free(&place);
    return reason == 0 ? STATUS_OK : fail_with(path, reason, err);
}

/* Opens the folder at a place, creates it if it is absent, and locks it. Returns 0 or an errno;
 * ESTALE: the name stands for another folder in the meantime. */
static int open_folder_at(const struct output_place *place, int *fd) {
    struct stat opened, named;
    const bool made = mkdirat(place->directory, place->name, 0700) == 0;
    if (!made && errno != EEXIST)
        return errno;
    const int reason = made ? output_sync(place->directory) : 0;
    if (reason != 0)
        return reason;
    *fd = open_at(place->directory, place->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (*fd < 0)
        return errno == ENOENT ? ESTALE : errno;
    if (fstat(*fd, &opened) != 0)
        return errno;
    if (!is_trusted(place, &opened))
        return EACCES;
    if (flock(*fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return EWOULDBLOCK;
    /* Another process may have removed the folder before it unlocked it. */
    return fstatat(place->directory, place->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                   compare_files(&named, &opened) == 0
               ? 0
               : ESTALE;
}

enum status output_open_folder(const char *path, int *fd, struct error *err) {
    enum { MAX_ATTEMPTS = 100 };
    struct output_place place = {.descriptor = -1, .directory = -1};
    *fd = -1;
    int reason = enter_directory(&place, AT_FDCWD, path);
    bool again = reason == 0;
    for (int attempt = 1; again; attempt++) {
        reason = open_folder_at(&place, fd);
        again = reason == ESTALE && attempt < MAX_ATTEMPTS;
        if (reason != 0 && *fd >= 0) {
            close(*fd);
            *fd = -1;
        }
    }
    place_free(&place);
    if (reason == EWOULDBLOCK)
        return fail(err, STATUS_NO_RESOURCE, "cannot write %s: another program is using it", path);
    return reason == 0 ? STATUS_OK : fail_with(path, reason, err);
}

enum status output_open_in_folder(int folder, const char *path, const char *name, int *fd,
                                  struct error *err) {
    struct stat opened;
    *fd = open_at(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
    const bool is_known = *fd >= 0 && fstat(*fd, &opened) == 0;
    const int reason = !is_known ? errno : EACCES;
    if (is_known && S_ISREG(opened.st_mode))
        return STATUS_OK;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return fail(err, STATUS_NO_RESOURCE, "cannot write %s/%s: %s", path, name, strerror(reason));
}

bool output_is_stdout(const char *path) {
    struct output_place place;
    if (strcmp(path, "-") == 0)
        return true;
    const bool is = find_place(path, false, &place) == 0 && place.descriptor == STDOUT_FILENO;
    place_free(&place);
    return is;
}

/* Returns whether a place is unknown for lack of memory or descriptors; after other failures no
 * file is there. */
static bool is_unknown(int reason) {
    return reason == ENOMEM || reason == EMFILE || reason == ENFILE;
}

static const char *or_stdout(const char *path) {
    return strcmp(path, "-") == 0 ? "/dev/stdout" : path;
}

enum status output_is_same(const char *path, const char *other, bool *same, struct error *err) {
    struct output_place a, b = {.directory = -1};
    *same = false;
    int reason = find_place(or_stdout(path), false, &a);
    if (reason == 0)
        reason = find_place(or_stdout(other), false, &b);
    if (reason == 0 && (a.descriptor < 0 || b.descriptor < 0) && a.exists == b.exists) {
        if (a.exists)
            *same = S_ISREG(a.file.st_mode) && compare_files(&a.file, &b.file) == 0;
        else if (a.descriptor < 0 && b.descriptor < 0)
            *same = compare_files(&a.in, &b.in) == 0 && strcmp(a.name, b.name) == 0;
    }
    place_free(&a);
    place_free(&b);
    return is_unknown(reason) ? fail_with(path, reason, err) : STATUS_OK;
}

enum status output_is_descriptor(const char *path, int fd, bool *same, struct error *err) {
    struct output_place place;
    struct stat file;
    const int reason = find_place(or_stdout(path), false, &place);
    *same = reason == 0 && place.exists && S_ISREG(place.file.st_mode) && fstat(fd, &file) == 0 &&
            compare_files(&place.file, &file) == 0;
    place_free(&place);
    return is_unknown(reason) ? fail_with(path, reason, err) : STATUS_OK;
}

enum status output_refuse_input(const char *option, const char *path, const char *what,
                                const char *input, struct error *err) {
    bool same;
    RETURN_ON_FAILURE(strcmp(input, "-") == 0 ? output_is_descriptor(path, STDIN_FILENO, &same, err)
                                              : output_is_same(path, input, &same, err));
    if (same)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected another file than the %s %.400s, found %.400s", option, what,
                    input, path);
    return STATUS_OK;
}

enum status output_refuse_directory(const char *path, struct error *err) {
    struct output_place place;
    const size_t length = strlen(path);
    const int reason = find_place(path, false, &place);
    const bool is =
        (length > 0 && path[length - 1] == '/') ||
        (reason == 0 && place.descriptor < 0 && place.exists && S_ISDIR(place.file.st_mode));
    place_free(&place);
    if (is_unknown(reason))
        return fail_with(path, reason, err);
    return is ? fail_with(path, EISDIR, err) : STATUS_OK;
}
