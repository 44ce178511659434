#include "common/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The temporary files that a signal handler must remove. */
enum { MAX_OPEN = 8 };
static const char *volatile unfinished[MAX_OPEN];

static void remember(const char *temporary) {
    for (int k = 0; k < MAX_OPEN; k++) {
        if (unfinished[k] == NULL) {
            unfinished[k] = temporary;
            return;
        }
    }
}

static void forget(const char *temporary) {
    for (int k = 0; k < MAX_OPEN; k++) {
        if (unfinished[k] == temporary)
            unfinished[k] = NULL;
    }
}

void output_remove_unfinished(void) {
    for (int k = 0; k < MAX_OPEN; k++) {
        const char *temporary = unfinished[k];
        if (temporary != NULL)
            unlink(temporary);
    }
}

static void remove_and_die(int signal_number) {
    output_remove_unfinished();
    raise(signal_number); /* SA_RESETHAND has restored the default action */
}

void output_remove_on_signal(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remove_and_die, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) {
        struct sigaction previous;
        /* What the parent process chose to ignore (nohup) stays ignored. */
        if (sigaction(signals[s], NULL, &previous) == 0 && previous.sa_handler != SIG_IGN)
            sigaction(signals[s], &action, NULL);
    }
    /* A file too large for its limit is then an error of write(). */
    signal(SIGXFSZ, SIG_IGN);
}

static enum status fail_errno(const char *name, struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s", name, strerror(errno));
}

static void release_names(struct output *out) {
    free(out->target);
    free(out->temporary);
    out->target = out->temporary = NULL;
}

/* The descriptor that a path such as /dev/stdout or /dev/fd/3 stands for, or -1.
 * What it is open on, appended to perhaps, is not ours to replace. */
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

/* Follows symbolic links, also one whose target does not exist yet, as far as
 * the name of a descriptor, which goes into *descriptor (-1: none). Returns a
 * string to free, or NULL with errno set. */
static char *follow_links(const char *path, int *descriptor) {
    enum { MOST_LINKS = 40 };
    char *at = strdup(path);
    for (int links = 0; at != NULL; links++) {
        char linked[PATH_MAX];
        *descriptor = named_descriptor(at);
        if (*descriptor >= 0)
            return at;
        ssize_t length = readlink(at, linked, sizeof linked - 1);
        if (length < 0)
            return at; /* not a link, or absent */
        if (links == MOST_LINKS) {
            errno = ELOOP;
            break;
        }
        linked[length] = '\0';
        char *next = NULL;
        if (linked[0] == '/')
            next = strdup(linked);
        else if (asprintf(&next, "%s/%s", dirname(at), linked) < 0)
            next = NULL;
        free(at);
        at = next;
    }
    free(at);
    return NULL;
}

/* What the new file's permissions shall be: the old file's, or what the umask
 * leaves. */
static mode_t target_mode(const char *target) {
    struct stat old;
    if (stat(target, &old) == 0)
        return old.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static enum status open_temporary(struct output *out, struct error *err) {
    /* Named after the target, cut to leave room within NAME_MAX. */
    char *for_dirname = strdup(out->target), *for_basename = strdup(out->target);
    char *temporary = NULL;
    if (for_dirname == NULL || for_basename == NULL ||
        asprintf(&temporary, "%s/.%.200s.XXXXXX", dirname(for_dirname), basename(for_basename)) <
            0) {
        temporary = NULL;
        errno = ENOMEM;
    }
    free(for_dirname);
    free(for_basename);
    out->temporary = temporary;
    if (temporary == NULL)
        return fail_errno(out->name, err);
    remember(temporary); /* first: a signal may come any time */
    out->fd = mkostemp(temporary, O_CLOEXEC);
    if (out->fd < 0 || fchmod(out->fd, target_mode(out->target)) != 0)
        return fail_errno(out->name, err);
    return STATUS_OK;
}

enum status output_open(struct output *out, const char *path, struct error *err) {
    struct stat existing;
    *out = (struct output){.name = path, .fd = -1};
    if (strcmp(path, "-") == 0) {
        out->name = "standard output";
        out->fd = dup(STDOUT_FILENO);
        return out->fd < 0 ? fail_errno(out->name, err) : STATUS_OK;
    }
    int descriptor = -1;
    out->target = follow_links(path, &descriptor);
    if (descriptor >= 0) {
        release_names(out);
        out->fd = dup(descriptor);
        return out->fd < 0 ? fail_errno(out->name, err) : STATUS_OK;
    }
    if (stat(path, &existing) == 0 && !S_ISREG(existing.st_mode)) {
        release_names(out);
        out->fd = open(path, O_WRONLY | O_CLOEXEC);
        return out->fd < 0 ? fail_errno(out->name, err) : STATUS_OK;
    }
    enum status status = out->target == NULL ? fail_errno(path, err) : open_temporary(out, err);
    if (status != STATUS_OK)
        output_discard(out);
    return status;
}

enum status output_write(struct output *out, const void *data, size_t size, struct error *err) {
    const char *at = data;
    while (size > 0) {
        ssize_t written = write(out->fd, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_errno(out->name, err);
        at += written;
        size -= (size_t)written;
    }
    return STATUS_OK;
}

enum status output_commit(struct output *out, struct error *err) {
    int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0 || (out->temporary != NULL && rename(out->temporary, out->target) != 0)) {
        enum status status = fail_errno(out->name, err);
        output_discard(out);
        return status;
    }
    forget(out->temporary);
    release_names(out);
    return STATUS_OK;
}

void output_discard(struct output *out) {
    if (out->fd >= 0)
        close(out->fd);
    out->fd = -1;
    if (out->temporary != NULL) {
        unlink(out->temporary);
        forget(out->temporary);
    }
    release_names(out);
}

bool output_is_stdout(const char *path) {
    int descriptor = -1;
    if (strcmp(path, "-") == 0)
        return true;
    free(follow_links(path, &descriptor));
    return descriptor == STDOUT_FILENO;
}
