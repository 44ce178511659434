// SPDX-License-Identifier: MIT
/* Files that appear completely or not at all. */
#include "common/base/output.h"
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool contains(const char *path, const char *expected) {
    char found[64];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    return strcmp(found, expected) == 0;
}

/* Returns how many hidden files are named after `path`. */
static int hidden_beside(const char *path) {
    const char *slash = strrchr(path, '/');
    char pattern[256];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%.*s/.%s.*", (int)(slash - path), path, slash + 1);
    const int count = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return count;
}

static void write_all(const char *path, const char *text) {
    struct output out;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(output_open(&out, path, &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_write(&out, text, strlen(text), &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_commit(&out, &err), STATUS_OK);
    output_discard(&out);
}

static void test_commit_and_discard(void) {
    const char *path = temporary_path();
    struct output out;
    struct error err;
    write_all(path, "old");
    CU_ASSERT(contains(path, "old"));

    CU_ASSERT_EQUAL_FATAL(output_open(&out, path, &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_write(&out, "new", 3, &err), STATUS_OK);
    CU_ASSERT(contains(path, "old"));
    CU_ASSERT_EQUAL(hidden_beside(path), 1);
    output_discard(&out);
    CU_ASSERT(contains(path, "old"));
    CU_ASSERT_EQUAL(hidden_beside(path), 0);

    write_all(path, "new");
    CU_ASSERT(contains(path, "new"));
}

enum { TOGETHER = 3 };

/* Opens three outputs over old files, written and not yet committed. */
static void open_three(struct output outs[TOGETHER], const char *paths[TOGETHER]) {
    struct error err;
    for (int k = 0; k < TOGETHER; k++) {
        paths[k] = temporary_path();
        write_all(paths[k], "old");
        CU_ASSERT_EQUAL_FATAL(output_open(&outs[k], paths[k], &err), STATUS_OK);
        CU_ASSERT_EQUAL(output_write(&outs[k], "new", 3, &err), STATUS_OK);
    }
}

static enum status commit_three(struct output outs[TOGETHER], struct error *err) {
    return output_commit_all((struct output *[]){&outs[0], &outs[1], &outs[2]}, TOGETHER, err);
}

static void test_together(void) {
    const char *paths[TOGETHER];
    struct output outs[TOGETHER];
    struct error err;
    open_three(outs, paths);
    for (int k = 0; k < TOGETHER; k++)
        CU_ASSERT(contains(paths[k], "old"));
    CU_ASSERT_EQUAL(commit_three(outs, &err), STATUS_OK);
    for (int k = 0; k < TOGETHER; k++) {
        CU_ASSERT(contains(paths[k], "new"));
        CU_ASSERT_EQUAL(hidden_beside(paths[k]), 0);
    }
    /* A new output, an output to be removed, and one to be removed that does not exist. */
    CU_ASSERT_EQUAL(unlink(paths[0]), 0);
    CU_ASSERT_EQUAL(unlink(paths[2]), 0);
    CU_ASSERT_EQUAL_FATAL(output_open(&outs[0], paths[0], &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(output_open_removal(&outs[1], paths[1], &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(output_open_removal(&outs[2], paths[2], &err), STATUS_OK);
    CU_ASSERT(contains(paths[1], "new"));
    CU_ASSERT_EQUAL(commit_three(outs, &err), STATUS_OK);
    CU_ASSERT(contains(paths[0], ""));
    CU_ASSERT_NOT_EQUAL(access(paths[1], F_OK), 0);
    CU_ASSERT_EQUAL(hidden_beside(paths[1]), 0);
}

/* If an output cannot be put in place, the outputs before it are undone. */
static void test_undone(void) {
    const char *paths[TOGETHER];
    struct output outs[TOGETHER];
    struct error err;
    for (int bad = 0; bad < TOGETHER; bad++) {
        open_three(outs, paths);
        CU_ASSERT_EQUAL(unlink(paths[bad]), 0);
        CU_ASSERT_EQUAL(mkdir(paths[bad], 0700), 0);
        CU_ASSERT_EQUAL(commit_three(outs, &err), STATUS_NO_RESOURCE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, paths[bad]));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "Is a directory"));
        for (int k = 0; k < TOGETHER; k++) {
            CU_ASSERT_EQUAL(contains(paths[k], "old"), k != bad);
            CU_ASSERT_EQUAL(hidden_beside(paths[k]), 0);
        }
    }
    /* If there was no file before, there is none afterwards. */
    open_three(outs, paths);
    CU_ASSERT_EQUAL(unlink(paths[0]), 0);
    CU_ASSERT_EQUAL(unlink(paths[1]), 0);
    CU_ASSERT_EQUAL(unlink(paths[2]), 0);
    CU_ASSERT_EQUAL(mkdir(paths[2], 0700), 0);
    CU_ASSERT_EQUAL(commit_three(outs, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_NOT_EQUAL(access(paths[0], F_OK), 0);
    CU_ASSERT_NOT_EQUAL(access(paths[1], F_OK), 0);
    CU_ASSERT_EQUAL(hidden_beside(paths[0]) + hidden_beside(paths[1]), 0);
}

/* If the system fails to take the last bytes of a file, that is found before any file is replaced.
 */
static void test_close_that_fails(void) {
    const char *paths[TOGETHER];
    struct output outs[TOGETHER];
    struct error err;
    for (int bad = 0; bad < TOGETHER; bad++) {
        open_three(outs, paths);
        close(outs[bad].fd);
        CU_ASSERT_EQUAL(commit_three(outs, &err), STATUS_NO_RESOURCE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, paths[bad]));
        for (int k = 0; k < TOGETHER; k++) {
            CU_ASSERT(contains(paths[k], "old"));
            CU_ASSERT_EQUAL(hidden_beside(paths[k]), 0);
        }
    }
}

/* All hidden files are removed, however many there are. */
static void test_unfinished(void) {
    enum { MANY = 40 };
    char paths[MANY][64];
    struct output outs[MANY];
    struct error err;
    for (int k = 0; k < MANY; k++) {
        snprintf(paths[k], sizeof paths[k], "%s", temporary_path());
        CU_ASSERT_EQUAL_FATAL(output_open(&outs[k], paths[k], &err), STATUS_OK);
        CU_ASSERT_EQUAL(hidden_beside(paths[k]), 1);
    }
    output_discard(&outs[3]);
    CU_ASSERT_EQUAL(output_commit(&outs[5], &err), STATUS_OK);
    output_remove_unfinished();
    for (int k = 0; k < MANY; k++) {
        CU_ASSERT_EQUAL(hidden_beside(paths[k]), 0);
        CU_ASSERT_EQUAL(access(paths[k], F_OK) == 0, k == 5);
        output_discard(&outs[k]);
    }
}

/* Two threads or processes cannot lock one directory for replacing at the same time; readers can
 * share it. */
static void test_locked(void) {
    const char *path = temporary_path();
    const char *const paths[] = {path, "/no/such/file"};
    int fds[2], reasons[2];
    char directory[256];
    snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
    write_all(path, "text");
    const int reader = open(directory, O_RDONLY | O_DIRECTORY);
    CU_ASSERT_EQUAL_FATAL(flock(reader, LOCK_SH), 0);
    output_open_together(paths, 2, fds, reasons);
    CU_ASSERT(fds[0] >= 0);
    CU_ASSERT_EQUAL(reasons[0], 0);
    CU_ASSERT_EQUAL(fds[1], -1);
    CU_ASSERT_EQUAL(reasons[1], ENOENT);
    close(fds[0]);
    /* All locks are released afterwards. */
    CU_ASSERT_EQUAL(flock(reader, LOCK_EX | LOCK_NB), 0);
    close(reader);
}

static bool is_same(const char *path, const char *other) {
    struct error err;
    bool same;
    CU_ASSERT_EQUAL(output_is_same(path, other, &same, &err), STATUS_OK);
    return same;
}

static bool is_descriptor(const char *path, int fd) {
    struct error err;
    bool same;
    CU_ASSERT_EQUAL(output_is_descriptor(path, fd, &same, &err), STATUS_OK);
    return same;
}

static void test_same_file(void) {
    const char *path = temporary_path(), *hard = temporary_path(), *soft = temporary_path();
    const char *absent = temporary_path(), *to_absent = temporary_path();
    write_all(path, "x");
    CU_ASSERT_EQUAL(link(path, hard), 0);
    CU_ASSERT_EQUAL(symlink(path, soft), 0);
    CU_ASSERT_EQUAL(symlink(absent, to_absent), 0);
    CU_ASSERT(is_same(path, path) && is_same(path, hard));
    CU_ASSERT(is_same(soft, hard) && is_same(hard, soft));
    CU_ASSERT(is_same(absent, absent) && is_same(to_absent, absent));
    CU_ASSERT(!is_same(path, absent) && !is_same(to_absent, path));
    CU_ASSERT(!is_same("/dev/null", "/dev/null") && !is_same("-", "-"));
    CU_ASSERT(!is_same("/dev/stdout", "/dev/stdout"));
    CU_ASSERT(!is_same("/no/such/a", "/no/such/a"));
    const int fd = open(path, O_RDONLY);
    CU_ASSERT(is_descriptor(hard, fd) && is_descriptor(soft, fd));
    CU_ASSERT(!is_descriptor(absent, fd) && !is_descriptor("-", fd));
    close(fd);
}

static void test_permissions(void) {
    struct stat file;
    mode_t mask = umask(027);
    const char *path = temporary_path();
    write_all(path, "x");
    CU_ASSERT_EQUAL(stat(path, &file), 0);
    CU_ASSERT_EQUAL(file.st_mode & 0777, 0640);
    chmod(path, 0604);
    write_all(path, "y");
    CU_ASSERT_EQUAL(stat(path, &file), 0);
    CU_ASSERT_EQUAL(file.st_mode & 0777, 0604);
    chmod(path, 06755);
    write_all(path, "z");
    CU_ASSERT_EQUAL(stat(path, &file), 0);
    CU_ASSERT_EQUAL(file.st_mode & 07777, 0755);
    umask(mask);
}

static void test_links(void) {
    const char *target = temporary_path(), *link = temporary_path(), *chain = temporary_path();
    struct stat file;
    /* One absolute and one relative link, to a file that does not exist yet. */
    CU_ASSERT_EQUAL(symlink(target, link), 0);
    CU_ASSERT_EQUAL(symlink(strrchr(link, '/') + 1, chain), 0);
    write_all(chain, "through");
    CU_ASSERT(contains(target, "through"));
    CU_ASSERT_EQUAL(lstat(link, &file), 0);
    CU_ASSERT(S_ISLNK(file.st_mode));
    CU_ASSERT_EQUAL(lstat(chain, &file), 0);
    CU_ASSERT(S_ISLNK(file.st_mode));
    write_all(chain, "again");
    CU_ASSERT(contains(target, "again"));

    const char *loop = temporary_path();
    struct output out;
    struct error err;
    CU_ASSERT_EQUAL(symlink(loop, loop), 0);
    CU_ASSERT_EQUAL(output_open(&out, loop, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "Too many levels of symbolic links"));
}

/* Output appends to the file that a descriptor is open on, and does not replace it. */
static void test_descriptor_names(void) {
    const char *path = temporary_path();
    write_all(path, "old ");
    FILE *file = fopen(path, "a");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    char name[64];
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(file));
    write_all(name, "new");
    CU_ASSERT(contains(path, "old new"));
    /* The same is true through a symbolic link. */
    const char *link = temporary_path();
    CU_ASSERT_EQUAL(symlink(name, link), 0);
    write_all(link, "er");
    CU_ASSERT(contains(path, "old newer"));
    fclose(file);
}

static void test_is_stdout(void) {
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    static const char *const others[] = {"/dev/stderr", "/dev/fd/11", "/dev/fd/1x",
                                         "/dev/null",   "stdout",     ""};
    const char *link = temporary_path(), *chain = temporary_path();
    CU_ASSERT_EQUAL(symlink("/dev/fd/1", link), 0);
    CU_ASSERT_EQUAL(symlink(link, chain), 0);
    CU_ASSERT(output_is_stdout(link) && output_is_stdout(chain));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        CU_ASSERT(output_is_stdout(names[k]));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        CU_ASSERT(!output_is_stdout(others[k]));
}

static void test_refused(void) {
    struct output out;
    struct error err;
    CU_ASSERT_EQUAL(output_open(&out, "/no/such/directory/file", &err), STATUS_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "cannot write /no/such/directory/file: No such file or directory");
    CU_ASSERT_EQUAL(output_open(&out, "/tmp", &err), STATUS_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(err.text, "cannot write /tmp: Is a directory");
    CU_ASSERT_EQUAL_FATAL(output_open(&out, "/dev/full", &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_write(&out, "x", 1, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(err.text, "cannot write /dev/full: No space left on device");
    output_discard(&out);
    CU_ASSERT_EQUAL(access("/dev/full", F_OK), 0);
}

CU_TestInfo output_tests[] = {
    {"commit and discard", test_commit_and_discard},
    {"several together", test_together},
    {"several, undone", test_undone},
    {"several, closing one fails", test_close_that_fails},
    {"unfinished ones", test_unfinished},
    {"locks of readers", test_locked},
    {"same file", test_same_file},
    {"permissions", test_permissions},
    {"symbolic links", test_links},
    {"names of descriptors", test_descriptor_names},
    {"names of stdout", test_is_stdout},
    {"refused", test_refused},
    CU_TEST_INFO_NULL,
};
