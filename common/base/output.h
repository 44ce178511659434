// SPDX-License-Identifier: MIT
/* Output files that appear completely or not at all, one or several together. */
#ifndef COMMON_BASE_OUTPUT_H
#define COMMON_BASE_OUTPUT_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hidden; /* a file with a temporary name in the folder of a target */

/* An output that is being written. If the target is absent or a regular file, the bytes go to a
 * hidden file in its directory, and a commit puts that in the target's place; symbolic links are
 * followed first. Devices, pipes, "-" (standard output) and names of descriptors (/dev/stdout) are
 * written directly.
 *
 * A target that replaces a file of the same owner keeps that file's permissions (0777, never
 * set-user-id, set-group-id or sticky), as far as that gives no one more access. Any other target
 * is a new file under the umask. In a world-writable sticky directory, a symbolic link is followed
 * only if Linux's fs.protected_symlinks would follow it, and a pipe is written only if
 * fs.protected_fifos would allow it, whether these settings are on or not. */
struct output {
    const char *name; /* the caller's path, for messages */
    int fd;
    int directory;            /* descriptor of the target's directory */
    char *target;             /* name of the target in `directory`; NULL: written directly */
    struct hidden *temporary; /* the hidden file that is written; NULL: written directly */
    struct hidden *old;       /* the former target, moved away by a commit */
    /* state of a commit: the file is in place; the two names were exchanged */
    bool placed, exchanged;
};

/* Opens an output. All failures here and below are STATUS_NO_RESOURCE, "cannot write NAME: reason".
 * The caller keeps path alive and ends with a commit or output_discard. */
enum status output_open(struct output *out, const char *path, struct error *err);

/* Opens an output that a commit will remove if it exists. If the name is a symbolic link, the
 * commit removes the link and not its target. */
enum status output_open_removal(struct output *out, const char *path, struct error *err);

/* Fails if `bytes` bytes do not fit on the disk, before they are written; a pipe or a device takes
 * any number. */
enum status output_check_room(const struct output *out, uint64_t bytes, struct error *err);

enum status output_write(struct output *out, const void *data, size_t size, struct error *err);

/* Writes at an offset from the beginning, independent of earlier writes; several threads may call
 * it at the same time. */
enum status output_write_at(struct output *out, const void *data, size_t size, uint64_t offset,
                            struct error *err);

/* Makes a file `bytes` bytes long; bytes that have not been written are zeros. Fails at once if the
 * file system has no room for `more` more bytes, which this file and others will take, or if the
 * output is no regular file. */
enum status output_extend(struct output *out, uint64_t bytes, uint64_t more, struct error *err);

/* Does what output_extend does, for the file `name` that is open as fd. */
enum status output_extend_file(int fd, const char *name, uint64_t bytes, uint64_t more,
                               struct error *err);

/* Stores the path of the file that is written until a commit puts it in place, for output_join in
 * another process. Fails if the output is written directly, or the path is too long. */
enum status output_path(const struct output *out, char *path, size_t size, struct error *err);

/* Opens the file of an output that another process has open and will commit, to write parts of it
 * with output_write_at. The caller ends with output_discard, which removes nothing. */
enum status output_join(struct output *out, const char *name, const char *path, struct error *err);

/* Opens an output for bytes that the file `name` of the folder `from` holds already, open as `fd`,
 * which the output takes over, also after a failure. The hidden file is a link to that file, which
 * stays where it is. Fails also if the target is no regular file, or if no hard link can be made
 * because the file system has none or the two are on different ones. */
enum status output_open_linked(struct output *out, const char *path, int from, const char *name,
                               int fd, struct error *err);

/* Calls write(2) until everything is written; returns 0 or an errno. */
int output_write_all(int fd, const void *data, size_t size);

/* Syncs the file, closes it, puts it in place, and syncs the directory. After a failure the old
 * file, if any, is still there and the new one is not. There is one exception: if the file system
 * can neither exchange two names (Linux's RENAME_EXCHANGE) nor link, and the sync of the directory
 * fails, the new file may be there, complete. */
enum status output_commit(struct output *out, struct error *err);

enum { OUTPUT_MAX_TOGETHER = 7 };

/* Commits up to OUTPUT_MAX_TOGETHER outputs, all or none. outs[0] vouches for the others: it is
 * moved away before they change and put in place last. Everything is synced and closed before
 * anything changes. While the outputs change, their directories are locked (flock, exclusive),
 * unless a directory cannot be read or its file system has no locks; if another process holds a
 * lock for some seconds, the commit fails. Meanwhile signals are blocked: those of this thread and,
 * in a program that called output_remove_on_signal, those of all threads. If a step fails, the
 * steps before it are undone. Fails if two outputs are one file. */
enum status output_commit_all(struct output *const outs[], int count, struct error *err);

/* Closes the output and removes the hidden file. Safe after output_open failed, after a commit, and
 * on a zeroed struct whose fd is -1. */
void output_discard(struct output *out);

/* Opens files that were committed together for reading. No commit changes them meanwhile, because
 * their directories are locked (shared), if that succeeds within some seconds. If a file cannot be
 * opened, fds[k] is -1 and reasons[k] the errno. It does not wait for the writer of a pipe. */
void output_open_together(const char *const paths[], int count, int fds[], int reasons[]);

/* Opens a file for appending and reading, and creates it if it is absent, by the rules of
 * output_open for links and files of other owners. *direct is true for a device, a pipe or the name
 * of a descriptor, which is open for writing only. */
enum status output_open_append(const char *path, int *fd, bool *direct, struct error *err);

/* Locks a file (flock, exclusive), waiting for some seconds at most; closing the file unlocks it.
 * Succeeds without a lock if the file system has none. */
enum status output_lock(int fd, const char *path, struct error *err);

/* Opens a folder for files, and creates it if it is absent, with access for its owner only. Follows
 * no symbolic link to it, and refuses a folder of another owner in a place where everyone may
 * create files. The folder stays locked (flock, exclusive) as long as *fd is open; fails at once if
 * another process has locked it. */
enum status output_open_folder(const char *path, int *fd, struct error *err);

/* Opens a file in a folder of output_open_folder for reading and writing, and creates it if it is
 * absent. Follows no symbolic link. path: the folder's, for messages. */
enum status output_open_in_folder(int folder, const char *path, const char *name, int *fd,
                                  struct error *err);

/* Calls fsync, unless output_without_sync was called; returns 0 or an errno. Succeeds on files that
 * cannot be synced, such as pipes. */
int output_sync(int fd);

/* Returns whether an output of that name goes to stdout: "-", /dev/stdout or another name of
 * descriptor 1. */
bool output_is_stdout(const char *path);

/* Finds whether an output with the name `path` replaces or changes the file that `other` stands
 * for: after following links, both are one regular file by device and inode or, if neither exists,
 * one name in one directory. "-" and names of descriptors stand for the open file; but two
 * descriptors may be one file. STATUS_NO_RESOURCE if memory or descriptors are short. */
enum status output_is_same(const char *path, const char *other, bool *same, struct error *err);

/* Does what output_is_same does for the file that `fd` is open on. */
enum status output_is_descriptor(const char *path, int fd, bool *same, struct error *err);

/* Refuses, with STATUS_BAD_INPUT, an output that would replace or change a file that is read. what:
 * describes that file, for the message. input: its name; "-" is standard input. option: the option
 * that named the output. */
enum status output_refuse_input(const char *option, const char *path, const char *what,
                                const char *input, struct error *err);

/* Fails as output_open would if the name ends in a slash or stands for a directory. */
enum status output_refuse_directory(const char *path, struct error *err);

/* For main() and --no-sync: switches syncs off. After a power cut, new files may then be empty,
 * incomplete or absent, and old ones lost. */
void output_without_sync(void);

/* Removes the hidden files of all outputs that were neither committed nor discarded, at the end of
 * a program. Safe in a signal handler. */
void output_remove_unfinished(void);

/* Sets a line that the handlers of output_remove_on_signal print on stderr when a signal kills the
 * program, until the next call. The line ends in a line feed, and the caller keeps it alive. NULL:
 * none. */
void output_say_on_signal(const char *line);

/* For main(): installs handlers for all signals that kill the program and can be caught. They
 * remove the hidden files first. A signal that comes while a commit puts files in place waits for
 * its end. Signals that are ignored or already caught (by a sanitizer) are left alone. If a file
 * grows beyond the limit on file sizes, the write fails instead of killing the program. */
void output_remove_on_signal(void);

#endif
