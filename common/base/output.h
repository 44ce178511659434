// SPDX-License-Identifier: MIT
/* Output files that appear completely or not at all, alone or several together. */
#ifndef COMMON_BASE_OUTPUT_H
#define COMMON_BASE_OUTPUT_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>

struct hidden; /* a file beside a target, under a name of our own */

/* An output being written. Where the target is absent or a regular file, the
 * bytes go to a hidden file in its directory, which a commit puts in its place;
 * symbolic links are followed first. Devices, pipes, "-" (standard output) and
 * names of descriptors (/dev/stdout) are written directly.
 *
 * A target that replaces a file of the same owner keeps that file's permissions
 * (0777, never set-user-id, set-group-id or sticky) as far as nobody gains access
 * by it; any other is a new file under the umask. A symbolic link in a
 * world-writable sticky directory is followed only where Linux's
 * fs.protected_symlinks would follow it, whether that is set or not; a pipe
 * there is written to only where fs.protected_fifos would allow it. */
struct output {
    const char *name; /* for messages; the caller's path */
    int fd;
    int directory;            /* of the target */
    char *target;             /* its name in there; NULL where written directly */
    struct hidden *temporary; /* what is written; NULL where written directly */
    struct hidden *old;       /* what was there, taken away */
    bool placed, exchanged;   /* how far a commit has got */
};

/* All failures are STATUS_NO_RESOURCE, "cannot write NAME: reason". The caller
 * keeps path alive, and ends with a commit or output_discard. */
enum status output_open(struct output *out, const char *path, struct error *err);

/* An output that is to disappear in a commit; one that is absent stays so. A symbolic link
 * disappears itself, not what it leads to. */
enum status output_open_removal(struct output *out, const char *path, struct error *err);

enum status output_write(struct output *out, const void *data, size_t size, struct error *err);

/* write(2), as often as it takes; 0 or an errno. */
int output_write_all(int fd, const void *data, size_t size);

/* Syncs, closes, puts in place, and syncs the directory. On failure the old file,
 * if any, is still there and nothing else is; only where the file system can
 * neither exchange two names (Linux's RENAME_EXCHANGE) nor link, the new one may be
 * there, complete, if it is the sync of the directory that fails. */
enum status output_commit(struct output *out, struct error *err);

enum { OUTPUT_MAX_TOGETHER = 4 };

/* The same for up to OUTPUT_MAX_TOGETHER outputs, all or none. outs[0] vouches for the others: it
 * is taken away before they change and put in place last. Everything is synced and closed before
 * anything changes. While they change, the directories that hold them are locked (flock, exclusive;
 * waited for for some seconds, then STATUS_NO_RESOURCE; not where a directory cannot be read or its
 * file system has no locks), and signals wait: those of this thread and, in a program that called
 * output_remove_on_signal, those of all. If a step fails, the steps before it are undone. Two
 * outputs that are one file are STATUS_NO_RESOURCE. */
enum status output_commit_all(struct output *const outs[], int count, struct error *err);

/* Closes and removes what was written; safe after output_open failed, after a
 * commit, and on a zeroed struct whose fd is -1. */
void output_discard(struct output *out);

/* Opens files that were committed together for reading, all while no commit changes them: the
 * directories are locked (shared) meanwhile, as far as they can be within some seconds. fds[k] is
 * -1 and reasons[k] the errno where one cannot be opened. Does not wait for a writer of a pipe. */
void output_open_together(const char *const paths[], int count, int fds[], int reasons[]);

/* A file to append to, also to read, created where it is absent, with the same care for links and
 * the files of others. *direct: it is a device, a pipe or the name of a descriptor, only written.
 */
enum status output_open_append(const char *path, int *fd, bool *direct, struct error *err);

/* Locks a file (flock, exclusive), waiting for it for some seconds; closing unlocks. A file system
 * without locks is no failure. */
enum status output_lock(int fd, const char *path, struct error *err);

/* fsync, unless output_without_sync was called; 0 or an errno. What cannot be synced, such as a
 * pipe, needs no sync. */
int output_sync(int fd);

/* Whether an output of that name goes to where stdout goes: "-", /dev/stdout or another
 * name of descriptor 1. */
bool output_is_stdout(const char *path);

/* Whether an output of that name replaces or changes the file that the other name stands for: one
 * regular file by device and inode, links followed, or, where neither exists, one name in one
 * directory. "-" and names of descriptors stand for what is open there, but two descriptors may be
 * one file. STATUS_NO_RESOURCE where memory or descriptors are out. */
enum status output_is_same(const char *path, const char *other, bool *same, struct error *err);

/* The same for the file that `fd` is open on. */
enum status output_is_descriptor(const char *path, int fd, bool *same, struct error *err);

/* STATUS_NO_RESOURCE, as output_open would say it, for a name that ends in a slash or stands for a
 * directory. */
enum status output_refuse_directory(const char *path, struct error *err);

/* For main(), for --no-sync: files are not synced. After a power cut they can be empty,
 * incomplete or absent then, and old ones lost. */
void output_without_sync(void);

/* Removes the hidden files of all outputs neither committed nor discarded:
 * for the end of a program. Safe in a signal handler. */
void output_remove_unfinished(void);

/* For main(): has every signal that would kill the program, and can be caught, remove the hidden
 * files before it does; one that comes while a commit puts files in place waits for its end.
 * Signals that are ignored, or caught already (by a sanitizer), stay so. A limit on file sizes
 * fails the write instead of killing the program. */
void output_remove_on_signal(void);

#endif
